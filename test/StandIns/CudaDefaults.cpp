//===- CudaDefaults.cpp - what every stand-in of the CUDA driver has ------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All functions of lib/Runtime/Cuda/Driver.h: one device, whose memory is that
// of the process; each call is done when it returns, and kernels cannot be
// loaded. A stand-in is this file and one that defines what it does otherwise:
// the symbols here are weak.
//
//===----------------------------------------------------------------------===//

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define DEFAULT extern "C" __attribute__((weak, visibility("default")))

using Address = unsigned long long;
static constexpr int notSupported = 801;

static thread_local void *current = nullptr;
static void *pointer(Address address) {
  return reinterpret_cast<void *>(address);
}

//===----------------------------------------------------------------------===//
// The driver, devices, contexts
//===----------------------------------------------------------------------===//

DEFAULT int cuInit(unsigned) { return 0; }
DEFAULT int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
DEFAULT int cuGetErrorName(int, const char **name) {
  return *name = "CUDA_ERROR_FAKE", 0;
}
DEFAULT int cuGetErrorString(int, const char **text) {
  return *text = "an error of the stand-in", 0;
}
DEFAULT int cuDeviceGetCount(int *count) { return *count = 1, 0; }
DEFAULT int cuDeviceGet(int *device, int ordinal) {
  return *device = ordinal, 0;
}
DEFAULT int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, static_cast<size_t>(length), "stand-in");
  return 0;
}
DEFAULT int cuDeviceTotalMem_v2(size_t *bytes, int) {
  return *bytes = size_t{1} << 30, 0;
}
DEFAULT int cuDeviceGetAttribute(int *value, int attribute, int) {
  constexpr int major = 75, minor = 76; // of the compute capability
  return *value = attribute == major ? 9 : attribute == minor ? 0 : 100, 0;
}
DEFAULT int cuDevicePrimaryCtxRetain(void **context, int) {
  static int primary;
  return *context = &primary, 0;
}
DEFAULT int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
DEFAULT int cuCtxGetCurrent(void **context) { return *context = current, 0; }
DEFAULT int cuCtxSetCurrent(void *context) { return current = context, 0; }
DEFAULT int cuCtxGetDevice(int *device) { return *device = 0, 0; }
DEFAULT int cuCtxSynchronize() { return 0; }

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

DEFAULT int cuModuleLoadDataEx(void **, const void *, unsigned, int *,
                               void **) {
  return notSupported;
}
DEFAULT int cuModuleUnload(void *) { return 0; }
DEFAULT int cuModuleGetFunction(void **, void *, const char *) {
  return notSupported;
}
DEFAULT int cuFuncSetAttribute(void *, int, int) { return 0; }
DEFAULT int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned,
                           unsigned, unsigned, unsigned, void *, void **,
                           void **) {
  return notSupported;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static int allocate(Address *address, size_t bytes) {
  *address = reinterpret_cast<Address>(std::malloc(bytes));
  return 0;
}
DEFAULT int cuMemAlloc_v2(Address *address, size_t bytes) {
  return allocate(address, bytes);
}
DEFAULT int cuMemFree_v2(Address address) {
  return std::free(pointer(address)), 0;
}
DEFAULT int cuMemAllocAsync(Address *address, size_t bytes, void *) {
  return allocate(address, bytes);
}
DEFAULT int cuMemFreeAsync(Address address, void *) {
  return std::free(pointer(address)), 0;
}
DEFAULT int cuDeviceGetMemPool(void **, int) { return notSupported; }
DEFAULT int cuMemPoolGetAttribute(void *, int, void *) { return notSupported; }
DEFAULT int cuMemPoolSetAttribute(void *, int, void *) { return notSupported; }
static int copy(void *to, const void *from, size_t bytes) {
  return std::memcpy(to, from, bytes), 0;
}
DEFAULT int cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes,
                                 void *) {
  return copy(pointer(to), pointer(from), bytes);
}
DEFAULT int cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes,
                                 void *) {
  return copy(pointer(to), from, bytes);
}
DEFAULT int cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, void *) {
  return copy(to, pointer(from), bytes);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

DEFAULT int cuStreamSynchronize(void *) { return 0; }
DEFAULT int cuStreamIsCapturing(void *, int *status) { return *status = 0, 0; }
DEFAULT int cuThreadExchangeStreamCaptureMode(int *) { return 0; }
DEFAULT int cuEventCreate(void **event, unsigned) {
  return *event = std::malloc(1), 0;
}
DEFAULT int cuEventRecord(void *, void *) { return 0; }
DEFAULT int cuEventSynchronize(void *) { return 0; }
DEFAULT int cuEventQuery(void *) { return 0; }
DEFAULT int cuEventElapsedTime(float *ms, void *, void *) {
  return *ms = 6.0f, 0;
}
DEFAULT int cuEventDestroy_v2(void *event) { return std::free(event), 0; }
