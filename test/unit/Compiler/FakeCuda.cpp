//===- FakeCuda.cpp - a CUDA driver that keeps accounts -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library of the driver's name with the functions that the runtime binds, for
// what the runtime does around kernels: what is loaded and given back, and in
// which context. Nothing runs.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <cstdlib>

using Code = int;

static FakeCudaState state;

extern "C" {

FakeCudaState *fakeCudaState() { return &state; }

Code cuInit(unsigned) { return 0; }
Code cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
Code cuGetErrorName(Code, const char **name) {
  *name = "CUDA_ERROR_FAKE";
  return 0;
}
Code cuGetErrorString(Code, const char **text) {
  *text = "an error of the fake driver";
  return 0;
}
Code cuDeviceGetCount(int *count) {
  *count = 1;
  return 0;
}
Code cuDeviceGet(int *device, int) {
  *device = 0;
  return 0;
}
Code cuDeviceGetName(char *name, int, int) {
  *name = 0;
  return 0;
}
Code cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = 1 << 20;
  return 0;
}
Code cuDeviceGetAttribute(int *value, int, int) {
  *value = 1;
  return 0;
}
Code cuDevicePrimaryCtxRetain(void **context, int) {
  *context = fakeContext(0);
  return 0;
}
Code cuCtxGetCurrent(void **context) {
  *context = state.current;
  return 0;
}
Code cuCtxSetCurrent(void *context) {
  state.current = context;
  return 0;
}
Code cuCtxGetDevice(int *device) {
  *device = 0;
  return 0;
}
Code cuCtxSynchronize() {
  ++state.synchronized;
  return 0;
}
Code cuModuleLoadDataEx(void **module, const void *, unsigned, int *, void **) {
  *module = std::malloc(1);
  state.modules[*module] = state.current;
  ++state.loads;
  return 0;
}
Code cuModuleUnload(void *module) {
  auto known = state.modules.find(module);
  if (known == state.modules.end() || known->second != state.current) {
    ++state.mistakes; // twice, or in another context than it was loaded into
    return 1;
  }
  state.modules.erase(known);
  std::free(module);
  return 0;
}
Code cuModuleGetFunction(void **function, void *module, const char *) {
  *function = module;
  return 0;
}
Code cuFuncSetAttribute(void *, int, int) { return 0; }
Code cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                    unsigned, unsigned, void *, void **, void **) {
  ++state.launches;
  return 0;
}
Code cuMemAlloc_v2(unsigned long long *, size_t) { return state.failure; }
Code cuMemFree_v2(unsigned long long) { return 0; }
Code cuMemAllocAsync(unsigned long long *, size_t, void *) {
  return state.failure;
}
Code cuMemFreeAsync(unsigned long long, void *) { return 0; }
Code cuMemcpyDtoDAsync_v2(unsigned long long, unsigned long long, size_t,
                          void *) {
  return 0;
}
Code cuMemcpyHtoDAsync_v2(unsigned long long, const void *, size_t, void *) {
  return 0;
}
Code cuMemcpyDtoHAsync_v2(void *, unsigned long long, size_t, void *) {
  return 0;
}
Code cuStreamSynchronize(void *) { return 0; }
Code cuStreamIsCapturing(void *, int *status) {
  *status = 0;
  return 0;
}
Code cuThreadExchangeStreamCaptureMode(int *) { return 0; }
Code cuDevicePrimaryCtxRelease_v2(int) { return 0; }
Code cuEventCreate(void **, unsigned) { return state.failure; }
Code cuEventRecord(void *, void *) { return 0; }
Code cuEventSynchronize(void *) { return 0; }
Code cuEventElapsedTime(float *, void *, void *) { return state.failure; }
Code cuEventDestroy_v2(void *) { return 0; }
}
