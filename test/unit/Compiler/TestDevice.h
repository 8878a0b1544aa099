//===- TestDevice.h - a GPU to test on --------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_COMPILER_TESTDEVICE_H
#define AUTOSAGE_TEST_COMPILER_TESTDEVICE_H

#include "autosage/Runtime/DeviceCpp.h"

#include <gtest/gtest.h>

#include <cstring>
#include <dlfcn.h>
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

/// The functions of the driver that a user of streams calls.
struct Driver {
  using Stream = void *;
  using Graph = void *;
  int (*streamCreate)(Stream *, unsigned) = nullptr;
  int (*streamDestroy)(Stream) = nullptr;
  int (*beginCapture)(Stream, int) = nullptr;
  int (*endCapture)(Stream, Graph *) = nullptr;
  int (*instantiate)(Graph *, Graph, unsigned long long) = nullptr;
  int (*launch)(Graph, Stream) = nullptr;
  int (*synchronize)(Stream) = nullptr;
  int (*query)(Stream) = nullptr; // 600 where work is pending
  int (*primaryRetain)(void **, int) = nullptr;
  int (*setContext)(void *) = nullptr;

  Driver() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    auto bind = [&](auto &function, const char *name) {
      void *symbol = library ? dlsym(library, name) : nullptr;
      std::memcpy(&function, &symbol, sizeof symbol);
    };
    bind(streamCreate, "cuStreamCreate");
    bind(streamDestroy, "cuStreamDestroy_v2");
    bind(beginCapture, "cuStreamBeginCapture_v2");
    bind(endCapture, "cuStreamEndCapture");
    bind(instantiate, "cuGraphInstantiateWithFlags");
    bind(launch, "cuGraphLaunch");
    bind(synchronize, "cuStreamSynchronize");
    bind(query, "cuStreamQuery");
    bind(primaryRetain, "cuDevicePrimaryCtxRetain");
    bind(setContext, "cuCtxSetCurrent");
  }
  /// Makes the primary context current, as a framework does.
  void enter() const {
    void *context = nullptr;
    ASSERT_EQ(primaryRetain(&context, 0), 0);
    ASSERT_EQ(setContext(context), 0);
  }
};

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_TESTDEVICE_H
