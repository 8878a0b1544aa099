//===- Warn.cpp - one warning for one cause -------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warn.h"

#include <cstdio>

using namespace autosage::runtime;

void Warnings::once(const std::string &cause, const std::string &message) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!given.insert(cause).second)
      return;
  }
  if (function)
    function(userData, message.c_str());
  else
    std::fprintf(stderr, "warning: %s\n", message.c_str());
}
