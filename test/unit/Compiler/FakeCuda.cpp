//===- FakeCuda.cpp - a CUDA driver that keeps accounts -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With StandIns/CudaDefaults.cpp a library of the driver's name, for what the
// runtime does around kernels: what is loaded and given back, and in which
// context. Nothing runs.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <cstdlib>

using Code = int;

static FakeCudaState state;

extern "C" {

FakeCudaState *fakeCudaState() { return &state; }

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
Code cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                    unsigned, unsigned, void *, void **, void **) {
  ++state.launches;
  return 0;
}
Code cuMemAlloc_v2(unsigned long long *, size_t) { return state.failure; }
Code cuMemAllocAsync(unsigned long long *, size_t, void *) {
  return state.failure;
}
Code cuEventCreate(void **, unsigned) { return state.failure; }
Code cuEventElapsedTime(float *, void *, void *) { return state.failure; }
}
