//===- FakeCuda.cpp - a stand-in of the CUDA driver -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libcuda.so.1 for tests without a GPU, with StandIns/CudaDefaults.cpp:
// allocations are printed, and `fakeCudaLive` says how many there are.
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

FAKE int fakeCudaLive() { return static_cast<int>(live().size()); }

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
