//===- DeviceError.cpp - the first error of a thread ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceError.h"

#include <utility>

using namespace autosage::runtime;

int32_t DeviceError::set(int32_t newCode, std::string newMessage) {
  if (!code) {
    code = newCode;
    text = std::move(newMessage);
  }
  return code;
}

int32_t DeviceError::take(const char **message) {
  taken = std::exchange(text, {});
  if (message)
    *message = taken.c_str();
  return std::exchange(code, 0);
}

DeviceError &autosage::runtime::deviceError() {
  static thread_local DeviceError error;
  return error;
}
