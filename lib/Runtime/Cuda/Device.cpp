//===- Device.cpp - Device.h on the CUDA driver ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Runtime/Device.h"

#include "../DeviceError.h"
#include "Image.h"
#include "Scope.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

using namespace autosage;
using namespace autosage::runtime;

/// Of every compute capability (CUDA C++ programming guide, "Technical
/// specifications per compute capability").
static constexpr int64_t maxGridX = 2147483647, maxGridYZ = 65535,
                         maxBlockThreads = 1024;

static std::string triple(int64_t x, int64_t y, int64_t z) {
  return std::to_string(x) + " x " + std::to_string(y) + " x " +
         std::to_string(z);
}

static int32_t refuseSimt(const autosage_image &image) {
  return deviceError().set(
      AUTOSAGE_DEVICE_INVALID_IMAGE,
      std::string("expects a cubin, PTX or fatbin as module '") + image.name +
          "', got one for simt");
}

/// Whether a kernel that waits by itself may start before the one before it has
/// ended. A graph that is captured would get edges of another kind, which not
/// every reader of graphs knows.
static bool mayOverlap(const cuda::Scope &scope) {
  static const bool isAllowed = [] {
    const char *text = std::getenv("AUTOSAGE_DEPENDENT_LAUNCH");
    return !text || std::string_view(text) != "0";
  }();
  int capture = 0;
  return isAllowed && scope->launchKernelEx &&
         scope->streamIsCapturing(scope.stream(), &capture) == 0 &&
         capture == 0;
}

int32_t autosage_launch_kernel(autosage_image *image, const char *kernel,
                               int64_t gridX, int64_t gridY, int64_t gridZ,
                               int64_t blockX, int64_t blockY, int64_t blockZ,
                               int64_t dynamicSharedBytes, void *const *args,
                               int64_t) noexcept {
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return AUTOSAGE_DEVICE_OK;
  cuda::Scope scope;
  if (!scope)
    return deviceError().set(AUTOSAGE_DEVICE_NONE, "no device");
  if (image->kind == AUTOSAGE_IMAGE_SIMT)
    return refuseSimt(*image);
  if (gridX < 0 || gridX > maxGridX || gridY < 0 || gridY > maxGridYZ ||
      gridZ < 0 || gridZ > maxGridYZ)
    return deviceError().set(AUTOSAGE_DEVICE_INVALID_ARGUMENT,
                             std::string("kernel '") + kernel +
                                 "' expects a grid of at most " +
                                 triple(maxGridX, maxGridYZ, maxGridYZ) +
                                 " blocks, got " + triple(gridX, gridY, gridZ));
  if (blockX < 1 || blockY < 1 || blockZ < 1 || blockX > maxBlockThreads ||
      blockY > maxBlockThreads || blockX * blockY > maxBlockThreads ||
      blockX * blockY * blockZ > maxBlockThreads)
    return deviceError().set(
        AUTOSAGE_DEVICE_INVALID_ARGUMENT,
        std::string("kernel '") + kernel + "' expects a block of 1 to " +
            std::to_string(maxBlockThreads) + " threads, got " +
            triple(blockX, blockY, blockZ));
  cuda::LoadedKernel loaded =
      cuda::findKernel(scope, *image, kernel, dynamicSharedBytes);
  if (!loaded.function)
    return deviceError().set(AUTOSAGE_DEVICE_FAILED, "no kernel");
  auto u = [](int64_t value) { return static_cast<unsigned>(value); };
  cuda::LaunchAttribute overlap = {};
  overlap.id = cuda::programmaticStreamSerialization;
  overlap.value.number = 1;
  cuda::LaunchConfig config = {u(gridX),
                               u(gridY),
                               u(gridZ),
                               u(blockX),
                               u(blockY),
                               u(blockZ),
                               u(dynamicSharedBytes),
                               scope.stream(),
                               &overlap,
                               1};
  cuda::Code code =
      loaded.waits && mayOverlap(scope)
          ? scope->launchKernelEx(&config, loaded.function,
                                  const_cast<void **>(args), nullptr)
          : scope->launchKernel(loaded.function, config.gridX, config.gridY,
                                config.gridZ, config.blockX, config.blockY,
                                config.blockZ, config.dynamicSharedBytes,
                                config.stream, const_cast<void **>(args),
                                nullptr);
  if (code == 0)
    return AUTOSAGE_DEVICE_OK;
  scope.check(code, (std::string("launching kernel '") + kernel + "'").c_str());
  return deviceError().set(AUTOSAGE_DEVICE_FAILED, "launch failed");
}

int32_t autosage_device_prepare_kernel(autosage_image *image,
                                       const char *kernel,
                                       int64_t dynamicSharedBytes) noexcept {
  cuda::Scope scope;
  if (!scope)
    return deviceError().set(AUTOSAGE_DEVICE_NONE, "no device");
  if (image->kind == AUTOSAGE_IMAGE_SIMT)
    return refuseSimt(*image);
  if (cuda::findKernel(scope, *image, kernel, dynamicSharedBytes).function)
    return AUTOSAGE_DEVICE_OK;
  return deviceError().set(AUTOSAGE_DEVICE_FAILED, "no kernel");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static cuda::Address address(const void *pointer) {
  return reinterpret_cast<cuda::Address>(pointer);
}

static int attribute(const cuda::Scope &scope, cuda::Attribute which) {
  cuda::DeviceNumber device = 0;
  int value = 0;
  if (!scope.check(scope->ctxGetDevice(&device), "cuCtxGetDevice") ||
      !scope.check(scope->deviceGetAttribute(&value, which, device),
                   "cuDeviceGetAttribute"))
    return 0;
  return value;
}

void *autosage_device_alloc(int64_t bytes) noexcept {
  cuda::Scope scope;
  if (!scope || bytes == 0)
    return nullptr;
  if (bytes < 0) {
    deviceError().set(AUTOSAGE_DEVICE_INVALID_ARGUMENT,
                      "expects a size of 0 or more bytes, got " +
                          std::to_string(bytes));
    return nullptr;
  }
  cuda::Address result = 0;
  scope.check(
      scope->memAllocAsync(&result, static_cast<size_t>(bytes), scope.stream()),
      ("allocating " + std::to_string(bytes) + " bytes").c_str());
  return reinterpret_cast<void *>(result);
}

void autosage_device_free(void *pointer) noexcept {
  cuda::Scope scope;
  if (scope && pointer)
    scope.check(scope->memFreeAsync(address(pointer), scope.stream()),
                "cuMemFreeAsync");
}

void autosage_device_copy(void *to, const void *from, int64_t bytes) noexcept {
  cuda::Scope scope;
  if (scope && bytes > 0)
    scope.check(scope->copyAsync(address(to), address(from),
                                 static_cast<size_t>(bytes), scope.stream()),
                "cuMemcpyDtoDAsync");
}

void autosage_device_upload(void *to, const void *from,
                            int64_t bytes) noexcept {
  cuda::Scope scope;
  if (scope && bytes > 0 &&
      scope.check(scope->uploadAsync(address(to), from,
                                     static_cast<size_t>(bytes),
                                     scope.stream()),
                  "cuMemcpyHtoDAsync"))
    scope.check(scope->streamSynchronize(scope.stream()),
                "cuStreamSynchronize");
}

void autosage_device_download(void *to, const void *from,
                              int64_t bytes) noexcept {
  cuda::Scope scope;
  if (scope && bytes > 0 &&
      scope.check(scope->downloadAsync(to, address(from),
                                       static_cast<size_t>(bytes),
                                       scope.stream()),
                  "cuMemcpyDtoHAsync"))
    scope.check(scope->streamSynchronize(scope.stream()),
                "cuStreamSynchronize");
}

//===----------------------------------------------------------------------===//
// Streams, time and errors
//===----------------------------------------------------------------------===//

int32_t autosage_device_synchronize() noexcept {
  cuda::Scope scope;
  if (scope && scope.check(scope->streamSynchronize(scope.stream()),
                           "cuStreamSynchronize"))
    return AUTOSAGE_DEVICE_OK;
  return deviceError().set(AUTOSAGE_DEVICE_FAILED, "synchronize failed");
}

void *autosage_event_record() noexcept {
  cuda::Scope scope;
  cuda::Event event = nullptr;
  if (!scope || !scope.check(scope->eventCreate(&event, 0), "cuEventCreate"))
    return nullptr;
  if (scope.check(scope->eventRecord(event, scope.stream()), "cuEventRecord"))
    return event;
  scope->eventDestroy(event);
  return nullptr;
}

double autosage_event_elapsed(void *begin, void *end) noexcept {
  cuda::Scope scope;
  float ms = -1;
  bool valid = scope && begin && end;
  if (valid &&
      !(scope.check(scope->eventSynchronize(static_cast<cuda::Event>(end)),
                    "cuEventSynchronize") &&
        scope.check(scope->eventElapsed(&ms, static_cast<cuda::Event>(begin),
                                        static_cast<cuda::Event>(end)),
                    "cuEventElapsedTime")))
    ms = -1;
  if (scope)
    for (void *event : {begin, end})
      if (event)
        scope->eventDestroy(static_cast<cuda::Event>(event));
  return ms;
}

/// cuEventQuery says CUDA_ERROR_NOT_READY, which is no error of the thread.
static int32_t queryEvent(void *event) noexcept {
  constexpr cuda::Code notReady = 600;
  cuda::Scope scope;
  if (!scope || !event)
    return 1; // whoever looks at the time learns what is wrong
  return scope->eventQuery(static_cast<cuda::Event>(event)) != notReady;
}

int32_t autosage_device_get_info(autosage_device_info *info) noexcept {
  if (!info || info->struct_size < sizeof(autosage_device_info) ||
      info->version != AUTOSAGE_DEVICE_VERSION)
    return deviceError().set(AUTOSAGE_DEVICE_INVALID_ARGUMENT,
                             "expects info with its size and version set");
  cuda::Scope scope;
  cuda::DeviceNumber device = 0;
  size_t memory = 0;
  if (!scope || !scope.check(scope->ctxGetDevice(&device), "cuCtxGetDevice") ||
      !scope.check(scope->deviceGetName(info->name, sizeof(info->name), device),
                   "cuDeviceGetName") ||
      !scope.check(scope->deviceTotalMem(&memory, device), "cuDeviceTotalMem"))
    return deviceError().set(AUTOSAGE_DEVICE_FAILED, "no device");
  info->compute_capability =
      10 * attribute(scope, cuda::computeCapabilityMajor) +
      attribute(scope, cuda::computeCapabilityMinor);
  info->multiprocessors = attribute(scope, cuda::multiprocessorCount);
  info->driver_version = scope->version;
  info->reserved = 0;
  info->memory_bytes = static_cast<int64_t>(memory);
  info->l2_bytes = attribute(scope, cuda::l2CacheSize);
  info->shared_bytes_per_block = attribute(scope, cuda::sharedPerBlockOptin);
  info->clock_khz = attribute(scope, cuda::clockRate);
  info->memory_clock_khz = attribute(scope, cuda::memoryClockRate);
  info->memory_bus_bits = attribute(scope, cuda::memoryBusWidth);
  info->threads_per_multiprocessor =
      attribute(scope, cuda::threadsPerMultiprocessor);
  return deviceError() ? deviceError().set(0, "") : AUTOSAGE_DEVICE_OK;
}

void autosage_set_stream(void *stream) noexcept {
  cuda::currentStream() = static_cast<cuda::Stream>(stream);
}

int32_t autosage_device_is_capturing() noexcept {
  cuda::Scope scope;
  int status = 0; // CUstreamCaptureStatus: 0 for none
  return scope &&
         scope.check(scope->streamIsCapturing(scope.stream(), &status),
                     "cuStreamIsCapturing") &&
         status != 0;
}

void *autosage_get_stream() noexcept { return cuda::currentStream(); }

int32_t autosage_device_take_error(const char **message) noexcept {
  return deviceError().take(message);
}

const autosage_device_api *autosage_cuda_device_api() noexcept {
  static const autosage_device_api api = {sizeof(autosage_device_api),
                                          AUTOSAGE_DEVICE_VERSION,
                                          autosage_launch_kernel,
                                          autosage_device_alloc,
                                          autosage_device_free,
                                          autosage_device_copy,
                                          autosage_device_upload,
                                          autosage_device_download,
                                          autosage_device_synchronize,
                                          autosage_event_record,
                                          autosage_event_elapsed,
                                          autosage_count_tasks,
                                          autosage_build_tasks,
                                          autosage_build_transpose,
                                          autosage_device_get_info,
                                          autosage_set_stream,
                                          autosage_get_stream,
                                          autosage_device_take_error,
                                          autosage_image_unload,
                                          autosage_validate_pattern,
                                          autosage_device_prepare_kernel,
                                          autosage_device_is_capturing,
                                          autosage_pattern_stats,
                                          queryEvent};
  return &api;
}
