//===- Image.cpp - modules that were loaded into contexts -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Image.h"

#include "../DeviceError.h"
#include "autosage/Runtime/Device.h"

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

using namespace autosage;
using namespace autosage::runtime;

/// More than that needs to be asked for (CUDA C++ programming guide, "Shared
/// memory" of compute capability 7.x and later).
static constexpr int64_t sharedBytesWithoutAsking = 48 * 1024;

namespace {
struct Kernel {
  std::string name;
  cuda::Function function = nullptr;
  int64_t dynamicSharedBytes = sharedBytesWithoutAsking;
};

struct LoadedModule {
  cuda::Context context = nullptr;
  cuda::Module module = nullptr;
  bool kernelsWait = false;
  std::vector<Kernel> kernels; // few: searched from the front
};

/// What `autosage_image::handle` points to. Contexts and kernels are few, and a
/// look-up takes some ten nanoseconds.
struct LoadedImage {
  std::mutex mutex;
  std::vector<std::unique_ptr<LoadedModule>> modules;

  LoadedModule *find(const cuda::Scope &scope, autosage_image &image);
};
} // namespace

static LoadedImage &loadedImage(autosage_image &image) {
  void *handle = __atomic_load_n(&image.handle, __ATOMIC_ACQUIRE);
  if (!handle) {
    auto fresh = std::make_unique<LoadedImage>();
    // Where another thread was faster, `handle` becomes what it stored.
    if (__atomic_compare_exchange_n(&image.handle, &handle, fresh.get(), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      handle = fresh.release();
  }
  return *static_cast<LoadedImage *>(handle);
}

/// Whether the symbol that autosage-dependent-launch makes is in the image, by
/// its name: asking the driver for one that is not there is an error, which
/// compute-sanitizer reports.
static bool hasMark(const autosage_image &image) {
  std::string_view code(static_cast<const char *>(image.data), image.size);
  return code.find("autosage_dependent_launch") != std::string_view::npos;
}

LoadedModule *LoadedImage::find(const cuda::Scope &scope,
                                autosage_image &image) {
  for (auto &module : modules)
    if (module->context == scope.context())
      return module.get();

  // The compiler of PTX explains itself in a log.
  char log[2048] = "";
  constexpr int errorLogBuffer = 5, errorLogBytes = 6; // CUjit_option
  int options[] = {errorLogBuffer, errorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  auto module = std::make_unique<LoadedModule>();
  module->context = scope.context();
  if (cuda::Code code = scope->moduleLoadData(&module->module, image.data, 2,
                                              options, values)) {
    std::string what = std::string("loading module '") + image.name + "'";
    if (log[0])
      what += std::string(": ") + log;
    scope.check(code, what.c_str());
    return nullptr;
  }
  module->kernelsWait = hasMark(image);
  return modules.emplace_back(std::move(module)).get();
}

cuda::LoadedKernel cuda::findKernel(const Scope &scope, autosage_image &image,
                                    const char *name,
                                    int64_t dynamicSharedBytes) {
  LoadedImage &loaded = loadedImage(image);
  std::lock_guard<std::mutex> lock(loaded.mutex);
  LoadedModule *module = loaded.find(scope, image);
  if (!module)
    return {};

  Kernel *kernel = nullptr;
  for (Kernel &known : module->kernels)
    if (known.name == name)
      kernel = &known;
  if (!kernel) {
    Kernel fresh;
    fresh.name = name;
    std::string what = "kernel '" + fresh.name + "' of module '" + image.name +
                       "' (cuModuleGetFunction)";
    if (!scope.check(
            scope->moduleGetFunction(&fresh.function, module->module, name),
            what.c_str()))
      return {};
    kernel = &module->kernels.emplace_back(std::move(fresh));
  }
  if (dynamicSharedBytes > kernel->dynamicSharedBytes) {
    std::string what = "asking for " + std::to_string(dynamicSharedBytes) +
                       " bytes of shared memory for kernel '" + kernel->name +
                       "'";
    if (!scope.check(
            scope->funcSetAttribute(kernel->function, maxDynamicSharedBytes,
                                    static_cast<int>(dynamicSharedBytes)),
            what.c_str()))
      return {};
    kernel->dynamicSharedBytes = dynamicSharedBytes;
  }
  return {kernel->function, module->kernelsWait};
}

void autosage_image_unload(autosage_image *image) noexcept {
  if (!image || image->kind == AUTOSAGE_IMAGE_SIMT)
    return;
  std::unique_ptr<LoadedImage> loaded(static_cast<LoadedImage *>(
      __atomic_exchange_n(&image->handle, nullptr, __ATOMIC_ACQ_REL)));
  // Something was loaded, so there is a driver. No Scope: that would do nothing
  // where the thread has an error, and the modules would never be given back.
  if (!loaded || loaded->modules.empty())
    return;
  const cuda::Driver &driver = *cuda::driver();
  cuda::Context before = nullptr;
  if (driver.ctxGetCurrent(&before) != 0)
    return; // the process is about to end, and the driver gone
  for (auto &module : loaded->modules)
    if (driver.ctxSetCurrent(module->context) == 0) {
      // The module goes whatever the kernels under way came to.
      driver.ctxSynchronize();
      driver.moduleUnload(module->module);
    }
  driver.ctxSetCurrent(before);
}
