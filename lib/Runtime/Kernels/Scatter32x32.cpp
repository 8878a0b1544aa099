//===- Scatter32x32.cpp - keys of 32 bits, values of 32 -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scatter.h"

using namespace autosage::kernels;

AUTOSAGE_KERNEL void scatter(const u32 *keys, const u32 *values, u64 size,
                             u64 shift, const u64 *offsets, u32 *keysOut,
                             u32 *valuesOut) {
  scatterTile(keys, values, size, shift, offsets, keysOut, valuesOut);
}

AUTOSAGE_KERNEL_TABLE(autosage_simt_scatter32x32_kernels,
                      AUTOSAGE_ENTRY(scatter));
