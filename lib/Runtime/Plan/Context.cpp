//===- Context.cpp - a device that plans work on --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include "../ThreadCount.h"

#include "autosage/Runtime/DeviceCpp.h"

using namespace autosage;
using namespace autosage::runtime;

static const autosage_device_api *
apiOf(const autosage_context_options &options) {
  if (options.api)
    return options.api;
  return options.target == AUTOSAGE_TARGET_NVPTX ? autosage_cuda_device_api()
                                                 : nullptr;
}

Context::Context(const autosage_context_options &options)
    : target(static_cast<Target>(options.target)), api(apiOf(options)),
      symbols(options.symbols),
      compiler(options.compiler ? options.compiler : ""),
      warnings(options.warn, options.warn_data),
      cache(options.cache_dir ? options.cache_dir
                              : KernelCache::defaultFolder(),
            options.cache_bytes ? options.cache_bytes
                                : KernelCache::defaultBytes(warnings),
            warnings),
      hasDefaultCache(!options.cache_dir),
      chip(options.chip ? options.chip : "") {}

autosage_plan_status runtime::statusOf(int32_t deviceCode) {
  switch (deviceCode) {
  case AUTOSAGE_DEVICE_OK:
    return AUTOSAGE_PLAN_OK;
  case AUTOSAGE_DEVICE_NONE:
    return AUTOSAGE_PLAN_NO_DEVICE;
  case AUTOSAGE_DEVICE_OUT_OF_MEMORY:
    return AUTOSAGE_PLAN_OUT_OF_MEMORY;
  default:
    return AUTOSAGE_PLAN_DEVICE_FAILED;
  }
}

static Failure takeErrorOf(const autosage_device_api &api) {
  const char *message = nullptr;
  int32_t code = api.take_error(&message);
  return code ? Failure{statusOf(code), message ? message : ""} : Failure();
}

Failure Context::create(const autosage_context_options &options,
                        std::shared_ptr<Context> &context) {
  auto invalid = [](std::string message) {
    return Failure{AUTOSAGE_PLAN_INVALID_ARGUMENT, std::move(message)};
  };
  if (options.target > AUTOSAGE_TARGET_NVPTX)
    return invalid("expects target to be below 3, got " +
                   std::to_string(options.target));
  if (options.device < -1 ||
      (options.device >= 0 && options.target != AUTOSAGE_TARGET_NVPTX))
    return invalid("expects device to be -1, or of nvptx a number, got " +
                   std::to_string(options.device));
  if (options.chip && options.target != AUTOSAGE_TARGET_NVPTX)
    return invalid("expects chip to be null but for nvptx, got '" +
                   std::string(options.chip) + "'");
  if (options.cache_bytes < 0)
    return invalid("expects cache_bytes to be 0 or more, got " +
                   std::to_string(options.cache_bytes));
  const autosage_device_api *api = apiOf(options);
  if (options.target == AUTOSAGE_TARGET_CPU && api)
    return invalid("expects no api for the cpu, got one");
  if (options.target == AUTOSAGE_TARGET_SIMT && !api)
    return invalid("expects the emulator's api for simt "
                   "(autosage_simt_device_api), got null");
  if (api && (api->struct_size < sizeof(autosage_device_api) ||
              api->version == 0 || api->version > AUTOSAGE_DEVICE_VERSION))
    return {AUTOSAGE_PLAN_UNSUPPORTED_VERSION,
            "expects an api of version " +
                std::to_string(AUTOSAGE_DEVICE_VERSION) + " and at least " +
                std::to_string(sizeof(autosage_device_api)) +
                " bytes, got version " + std::to_string(api->version) +
                " and " + std::to_string(api->struct_size) + " bytes"};
  std::shared_ptr<Context> made(new Context(options));
  if (Failure failure = made->findDevice(options.device))
    return failure;
  context = std::move(made);
  return {};
}

Failure Context::findDevice(int32_t device) {
  if (target == Target::cpu) {
    deviceName = toString(target);
    return {};
  }
  if (api == autosage_cuda_device_api()) {
    const Result<cuda::Driver> &loaded = cuda::driver();
    if (!loaded)
      return {AUTOSAGE_PLAN_NO_DEVICE, loaded.error()};
    cuda::Context current = nullptr;
    if (cuda::Code code = loaded->ctxGetCurrent(&current))
      return {AUTOSAGE_PLAN_DEVICE_FAILED,
              loaded->describe(code, "cuCtxGetCurrent")};
    if (device < 0 && !current)
      device = 0;
    if (device < 0) {
      cudaContext = current;
    } else {
      int count = 0;
      loaded->deviceGetCount(&count);
      if (device >= count)
        return {AUTOSAGE_PLAN_NO_DEVICE, "expects a device below " +
                                             std::to_string(count) + ", got " +
                                             std::to_string(device)};
      cuda::DeviceNumber number = 0;
      cuda::Code code = loaded->deviceGet(&number, device);
      // Retained for good, like the context that the CUDA runtime holds: other
      // libraries of the process work in it.
      if (code == 0)
        code = loaded->primaryRetain(&cudaContext, number);
      if (code != 0)
        return {AUTOSAGE_PLAN_DEVICE_FAILED,
                loaded->describe(code, "cuDevicePrimaryCtxRetain")};
    }
    driver = &*loaded;
  }
  DeviceGuard guard(*this, nullptr);
  if (guard.failure())
    return guard.failure();
  info.struct_size = sizeof info;
  info.version = AUTOSAGE_DEVICE_VERSION;
  if (api->get_info(&info) != AUTOSAGE_DEVICE_OK) {
    Failure failure = guard.takeError();
    return failure ? failure
                   : Failure{AUTOSAGE_PLAN_DEVICE_FAILED,
                             "expects facts of the device, got none"};
  }
  if (target == Target::simt) {
    deviceName = toString(target);
    return {};
  }
  if (chip.empty())
    chip = "sm_" + std::to_string(info.compute_capability);
  deviceName = std::string(info.name) + " (" + chip + ")";
  return {};
}

DeviceFacts Context::facts(int64_t vectorBits) const {
  if (target == Target::cpu) {
    DeviceFacts facts = cpuFacts(wantedThreads());
    if (vectorBits)
      facts.vectorBits = vectorBits;
    return facts;
  }
  // The emulator stands for some GPU; so does one that the tables do not know.
  if (info.compute_capability > 0)
    if (Result<DeviceFacts> facts = deviceFacts(info))
      return *facts;
  return *gpuFacts("sm_90");
}

Context::~Context() {
  background.wait();
  if (kept.empty() && keptExecutions.empty())
    return;
  DeviceGuard guard(*this, nullptr);
  if (!guard.failure() && !guard.isCapturing())
    freeKept();
}

void Context::freeKept() {
  std::vector<void *> pointers;
  std::vector<std::unique_ptr<cusparse::Execution>> executions;
  {
    std::lock_guard<std::mutex> lock(mutex);
    pointers.swap(kept);
    executions.swap(keptExecutions);
  }
  for (void *pointer : pointers)
    api->free(pointer);
  if (executions.empty())
    return;
  if (cuda::Scope scope; scope)
    for (const auto &execution : executions)
      execution->release(scope);
}

void Context::keep(std::vector<void *> pointers) {
  std::lock_guard<std::mutex> lock(mutex);
  kept.insert(kept.end(), pointers.begin(), pointers.end());
}

void Context::keep(std::unique_ptr<cusparse::Execution> execution) {
  std::lock_guard<std::mutex> lock(mutex);
  keptExecutions.push_back(std::move(execution));
}

//===----------------------------------------------------------------------===//
// DeviceGuard
//===----------------------------------------------------------------------===//

DeviceGuard::DeviceGuard(const Context &context, void *stream)
    : context(context) {
  if (!context.api)
    return;
  // Functions of the device do nothing while the thread has an error.
  if ((failed = takeErrorOf(*context.api))) {
    failed.message = "an earlier call of this thread failed: " + failed.message;
    return;
  }
  if (context.driver) {
    cuda::Code code = context.driver->ctxGetCurrent(&before);
    if (code == 0 && before != context.cudaContext) {
      code = context.driver->ctxSetCurrent(context.cudaContext);
      restoresContext = code == 0;
    }
    if (code != 0) {
      failed = {AUTOSAGE_PLAN_DEVICE_FAILED,
                context.driver->describe(code, "cuCtxSetCurrent")};
      return;
    }
  }
  streamBefore = context.api->get_stream();
  restoresStream = streamBefore != stream;
  if (restoresStream)
    context.api->set_stream(stream);
}

DeviceGuard::~DeviceGuard() {
  if (restoresStream)
    context.api->set_stream(streamBefore);
  if (restoresContext)
    context.driver->ctxSetCurrent(before);
}

Failure DeviceGuard::takeError() const {
  return context.api ? takeErrorOf(*context.api) : Failure();
}

bool DeviceGuard::isCapturing() const {
  return context.api && context.api->is_capturing &&
         context.api->is_capturing() != 0;
}
