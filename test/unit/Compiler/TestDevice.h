//===- TestDevice.h - a GPU to test on --------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_COMPILER_TESTDEVICE_H
#define AUTOSAGE_TEST_COMPILER_TESTDEVICE_H

#include "autosage/Runtime/DeviceCpp.h"

#include <string>

namespace autosage::test {

using runtime::DeviceBuffer;
using runtime::deviceStatus;

/// The GPU to test on, like "sm_90", and why there is none where it is empty.
struct TestGpu {
  std::string chip;
  std::string missing;
};
inline const TestGpu &testGpu() {
  static const TestGpu gpu = []() -> TestGpu {
    auto info = runtime::deviceInfo(*autosage_cuda_device_api());
    if (!info)
      return {"", info.error()};
    return {"sm_" + std::to_string(info->compute_capability), ""};
  }();
  return gpu;
}

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_TESTDEVICE_H
