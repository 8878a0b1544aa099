//===- Scatter32x64.cpp - keys of 32 bits, values of 64 -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scatter.h"

using namespace autosage::kernels;

AUTOSAGE_KERNEL void scatter(const u32 *keys, const u64 *values, u64 size,
                             u64 shift, const u64 *offsets, u32 *keysOut,
                             u64 *valuesOut) {
  scatterTile(keys, values, size, shift, offsets, keysOut, valuesOut);
}

AUTOSAGE_KERNEL_TABLE(autosage_simt_scatter32x64_kernels,
                      AUTOSAGE_ENTRY(scatter));
