//===- Driver.cpp - the CUDA driver, loaded when first needed -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <dlfcn.h>

using namespace autosage;
using namespace autosage::runtime;

/// The first that has memory pools, which stream-ordered allocation needs, with
/// the entry points used here (11.2), and that NVIDIA still supports.
static constexpr int oldestDriver = 11040;

static std::string versionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

std::string cuda::Driver::describe(Code code, const char *what) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(code, &name) != 0 || !name)
    name = "unknown error";
  if (getErrorString(code, &text) != 0 || !text)
    text = "no description";
  return std::string("cuda: ") + text + " (" + name + ") in " + what;
}

static Result<cuda::Driver> load() {
  void *library = nullptr;
  for (const char *name : {"libcuda.so.1", "libcuda.so"})
    if ((library = dlopen(name, RTLD_NOW | RTLD_LOCAL)))
      break;
  if (!library)
    return Error{"expects an NVIDIA driver, got none (libcuda.so.1 is not "
                 "found)"};

  cuda::Driver driver;
  const char *missing = nullptr;
#define AUTOSAGE_CUDA_BIND(member, symbol, ...)                                \
  if (void *address = dlsym(library, symbol))                                  \
    driver.member = reinterpret_cast<decltype(driver.member)>(address);        \
  else                                                                         \
    missing = symbol;
  AUTOSAGE_CUDA_FUNCTIONS(AUTOSAGE_CUDA_BIND)
#undef AUTOSAGE_CUDA_BIND

  driver.launchKernelEx = reinterpret_cast<decltype(driver.launchKernelEx)>(
      dlsym(library, "cuLaunchKernelEx"));

  // This one works without a device, and is in every driver.
  if (driver.driverGetVersion)
    driver.driverGetVersion(&driver.version);
  if (driver.version && driver.version < oldestDriver)
    return Error{"expects an NVIDIA driver for CUDA " +
                 versionText(oldestDriver) + " or newer, got one for CUDA " +
                 versionText(driver.version)};
  if (missing)
    return Error{std::string("expects libcuda with '") + missing +
                 "', got one without it"};

  if (cuda::Code code = driver.init(0))
    return Error{driver.describe(code, "cuInit")};
  int count = 0;
  if (cuda::Code code = driver.deviceGetCount(&count))
    return Error{driver.describe(code, "cuDeviceGetCount")};
  if (count == 0)
    return Error{"expects an NVIDIA GPU, got a driver without devices"};
  return driver;
}

const Result<cuda::Driver> &cuda::driver() {
  static const Result<Driver> loaded = load();
  return loaded;
}
