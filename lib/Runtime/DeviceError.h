//===- DeviceError.h - the first error of a thread --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_DEVICEERROR_H
#define AUTOSAGE_LIB_RUNTIME_DEVICEERROR_H

#include <cstdint>
#include <string>

namespace autosage::runtime {

/// What the functions of Device.h leave behind: emitted code ignores what they
/// return, so the first error has to last until the host asks for it.
class DeviceError {
public:
  explicit operator bool() const { return code != 0; }

  /// Keeps the first error, and returns the code that is kept.
  int32_t set(int32_t newCode, std::string newMessage);

  /// Gives the error and forgets it; the text stays until the next call.
  int32_t take(const char **message);

private:
  int32_t code = 0;
  std::string text, taken;
};

/// That of the calling thread.
DeviceError &deviceError();

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_DEVICEERROR_H
