//===- Scope.cpp - a call of the driver on the right device ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scope.h"

#include "../DeviceError.h"
#include "autosage/Runtime/Device.h"

using namespace autosage;
using namespace autosage::runtime;

/// Of cuda.h: what has a code of its own in Device.h.
static constexpr cuda::Code outOfMemory = 2, noBinaryForGpu = 209,
                            invalidImage = 200, invalidPtx = 218,
                            unsupportedPtx = 222, notFound = 500;

static int32_t translate(cuda::Code code) {
  switch (code) {
  case outOfMemory:
    return AUTOSAGE_DEVICE_OUT_OF_MEMORY;
  case noBinaryForGpu:
  case invalidImage:
  case invalidPtx:
  case unsupportedPtx:
  case notFound:
    return AUTOSAGE_DEVICE_INVALID_IMAGE;
  default:
    return AUTOSAGE_DEVICE_FAILED;
  }
}

/// Retained once and never released: it lives as long as the process, like the
/// one that the CUDA runtime holds.
static Result<cuda::Context> primaryContext(const cuda::Driver &driver) {
  static const Result<cuda::Context> context =
      [&driver]() -> Result<cuda::Context> {
    cuda::DeviceNumber device = 0;
    if (cuda::Code code = driver.deviceGet(&device, 0))
      return Error{driver.describe(code, "cuDeviceGet")};
    cuda::Context primary = nullptr;
    if (cuda::Code code = driver.primaryRetain(&primary, device))
      return Error{driver.describe(code, "cuDevicePrimaryCtxRetain")};
    return primary;
  }();
  return context;
}

cuda::Stream &cuda::currentStream() {
  static thread_local Stream stream = nullptr;
  return stream;
}

cuda::Scope::Scope() {
  if (deviceError())
    return;
  const Result<Driver> &loaded = driver();
  if (!loaded) {
    deviceError().set(AUTOSAGE_DEVICE_NONE, loaded.error());
    return;
  }
  cuda = &*loaded;
  if (!check(cuda->ctxGetCurrent(&current), "cuCtxGetCurrent")) {
    cuda = nullptr;
    return;
  }
  if (current)
    return;
  Result<Context> primary = primaryContext(*cuda);
  if (!primary) {
    deviceError().set(AUTOSAGE_DEVICE_FAILED, primary.error());
    cuda = nullptr;
    return;
  }
  current = *primary;
  restore = true;
  if (!check(cuda->ctxSetCurrent(current), "cuCtxSetCurrent"))
    cuda = nullptr;
}

cuda::Scope::~Scope() {
  if (cuda && restore)
    cuda->ctxSetCurrent(nullptr);
}

cuda::Stream cuda::Scope::stream() const { return currentStream(); }

bool cuda::Scope::check(Code code, const char *what) const {
  if (code == 0)
    return true;
  deviceError().set(translate(code), cuda->describe(code, what));
  return false;
}
