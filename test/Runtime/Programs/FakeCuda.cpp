//===- FakeCuda.cpp - a stand-in of the CUDA driver -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libcuda.so.1 for tests without a GPU: device memory is memory of the process,
// every call is done when it returns, kernels cannot be launched. Allocations
// are printed, and `fakeCudaLive` says how many there are.
//
//===----------------------------------------------------------------------===//

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#define FAKE extern "C" __attribute__((visibility("default")))

static std::set<void *> &live() {
  static std::set<void *> addresses;
  return addresses;
}
static thread_local void *current = nullptr;

FAKE int fakeCudaLive() { return static_cast<int>(live().size()); }

FAKE int cuInit(unsigned) { return 0; }
FAKE int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
FAKE int cuGetErrorName(int, const char **name) {
  return *name = "CUDA_ERROR_FAKE", 0;
}
FAKE int cuGetErrorString(int, const char **text) {
  return *text = "an error of the stand-in", 0;
}
FAKE int cuDeviceGetCount(int *count) { return *count = 1, 0; }
FAKE int cuDeviceGet(int *device, int) { return *device = 0, 0; }
FAKE int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, static_cast<size_t>(length), "stand-in");
  return 0;
}
FAKE int cuDeviceTotalMem_v2(size_t *bytes, int) {
  return *bytes = size_t(1) << 30, 0;
}
FAKE int cuDeviceGetAttribute(int *value, int, int) { return *value = 9, 0; }
FAKE int cuDevicePrimaryCtxRetain(void **context, int) {
  static int primary;
  return *context = &primary, 0;
}
FAKE int cuCtxGetCurrent(void **context) { return *context = current, 0; }
FAKE int cuCtxSetCurrent(void *context) { return current = context, 0; }
FAKE int cuCtxGetDevice(int *device) { return *device = 0, 0; }
FAKE int cuModuleLoadDataEx(void **, const void *, unsigned, int *, void **) {
  return 801; // not supported
}
FAKE int cuModuleUnload(void *) { return 0; }
FAKE int cuCtxSynchronize() { return 0; }
FAKE int cuModuleGetFunction(void **, void *, const char *) { return 801; }
FAKE int cuFuncSetAttribute(void *, int, int) { return 801; }
FAKE int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned,
                        unsigned, unsigned, unsigned, void *, void **,
                        void **) {
  return 801;
}

static int allocate(unsigned long long *address, size_t bytes,
                    const char *name) {
  if (std::getenv("FAKE_CUDA_OUT_OF_MEMORY"))
    return 2;
  void *memory = std::malloc(bytes);
  std::memset(memory, 0x55, bytes);
  live().insert(memory);
  *address = reinterpret_cast<unsigned long long>(memory);
  std::printf("%s %zu\n", name, bytes);
  return 0;
}

static int release(unsigned long long address, const char *name) {
  void *memory = reinterpret_cast<void *>(address);
  std::printf("%s\n", name);
  if (!live().erase(memory))
    return 1;
  std::free(memory);
  return 0;
}

FAKE int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  return allocate(address, bytes, "cuMemAlloc");
}
FAKE int cuMemFree_v2(unsigned long long address) {
  return release(address, "cuMemFree");
}
FAKE int cuMemAllocAsync(unsigned long long *address, size_t bytes, void *) {
  return allocate(address, bytes, "cuMemAllocAsync");
}
FAKE int cuMemFreeAsync(unsigned long long address, void *) {
  return release(address, "cuMemFreeAsync");
}

static int copy(unsigned long long to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}
FAKE int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from,
                              size_t bytes, void *) {
  return copy(to, reinterpret_cast<void *>(from), bytes);
}
FAKE int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from,
                              size_t bytes, void *) {
  return copy(to, from, bytes);
}
FAKE int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes,
                              void *) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}
FAKE int cuStreamSynchronize(void *) { return 0; }
FAKE int cuStreamIsCapturing(void *, int *state) { return *state = 0, 0; }
FAKE int cuThreadExchangeStreamCaptureMode(int *) { return 0; }
FAKE int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
FAKE int cuEventCreate(void **event, unsigned) {
  return *event = std::malloc(1), 0;
}
FAKE int cuEventRecord(void *, void *) { return 0; }
FAKE int cuEventSynchronize(void *) { return 0; }
FAKE int cuEventElapsedTime(float *ms, void *, void *) { return *ms = 6.0f, 0; }
FAKE int cuEventDestroy_v2(void *event) { return std::free(event), 0; }
