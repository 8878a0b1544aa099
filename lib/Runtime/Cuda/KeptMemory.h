//===- KeptMemory.h - memory that does not go back at once ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_CUDA_KEPTMEMORY_H
#define AUTOSAGE_LIB_RUNTIME_CUDA_KEPTMEMORY_H

#include "Driver.h"

namespace autosage::runtime::cuda {

/// For as long as it lives, memory that is freed stays with the pool that
/// autosage_device_alloc takes from, instead of going back to the system with
/// the next wait: who allocates again does not map it again. At the end the
/// pool's bound is what it was. One at a time; without pools it does nothing.
class KeptMemory {
public:
  KeptMemory();
  ~KeptMemory();
  KeptMemory(const KeptMemory &) = delete;
  KeptMemory &operator=(const KeptMemory &) = delete;

private:
  MemoryPool pool = nullptr;
  uint64_t before = 0;
};

} // namespace autosage::runtime::cuda

#endif // AUTOSAGE_LIB_RUNTIME_CUDA_KEPTMEMORY_H
