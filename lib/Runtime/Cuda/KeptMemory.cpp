//===- KeptMemory.cpp - memory that does not go back at once --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptMemory.h"

#include "Scope.h"

#include <cstdint>

using namespace autosage::runtime;

// Nothing here is an error of the thread: without it a race only takes longer.

cuda::KeptMemory::KeptMemory() {
  Scope scope;
  DeviceNumber device = 0;
  MemoryPool found = nullptr;
  uint64_t all = UINT64_MAX;
  if (scope && scope->ctxGetDevice(&device) == 0 &&
      scope->deviceGetMemPool(&found, device) == 0 &&
      scope->memPoolGetAttribute(found, releaseThreshold, &before) == 0 &&
      scope->memPoolSetAttribute(found, releaseThreshold, &all) == 0)
    pool = found;
}

cuda::KeptMemory::~KeptMemory() {
  // Also after an error of the thread.
  if (const auto &library = driver(); library && pool)
    library->memPoolSetAttribute(pool, releaseThreshold, &before);
}
