//===- Sort.cpp - prefix sums, and what a radix sort counts --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several launches each: blocks never wait for each other, which the emulator
// could not run and a graph of many streams could stall.
//
//===----------------------------------------------------------------------===//

#include "Digit.h"

using namespace autosage::kernels;

//===----------------------------------------------------------------------===//
// Prefix sums
//===----------------------------------------------------------------------===//

/// sums[b] = the sum of tile b. Shared: scanSharedBytes.
AUTOSAGE_KERNEL void scanReduce(const u64 *values, u64 size, u64 *sums) {
  u64 begin = (u64)blockIndex() * scanTile;
  u64 end = least<u64>(begin + scanTile, size);
  u64 sum = 0;
  for (u64 i = begin + threadIndex(); i < end; i += blockThreads)
    sum += load(values + i);
  u64 total = 0;
  blockScan(sum, shared<u64>(0), total);
  if (threadIndex() == 0)
    store(sums + blockIndex(), total);
}

/// values[i] becomes offsets[tile of i] (0 where null) + the sum of the values
/// before it in its tile. Shared: scanSharedBytes.
AUTOSAGE_KERNEL void scanApply(u64 *values, u64 size, const u64 *offsets) {
  constexpr u32 items = scanTile / blockThreads;
  u64 begin = (u64)blockIndex() * scanTile + threadIndex() * items;
  u64 item[items], sum = 0;
  AUTOSAGE_UNROLL
  for (u32 k = 0; k < items; ++k) {
    item[k] = begin + k < size ? load(values + begin + k) : 0;
    sum += item[k];
  }
  u64 total = 0;
  u64 before = blockScan(sum, shared<u64>(0), total);
  if (offsets)
    before += load(offsets + blockIndex());
  AUTOSAGE_UNROLL
  for (u32 k = 0; k < items; ++k) {
    if (begin + k < size)
      store(values + begin + k, before);
    before += item[k];
  }
}

//===----------------------------------------------------------------------===//
// Radix sort: one pass orders by one digit and keeps the order of equal ones
// (Scatter.h)
//===----------------------------------------------------------------------===//

/// counts[digit * tiles + tile]: once summed up, the place of the tile's first
/// key of that digit. Shared: sortDigits counters of 4 bytes.
template <typename Key>
static AUTOSAGE_DEVICE void histogram(const Key *keys, u64 size, u64 shift,
                                      u64 *counts) {
  u32 *counters = shared<u32>(0);
  store(counters + threadIndex(), 0u);
  barrier();
  u64 begin = (u64)blockIndex() * sortTile;
  u64 end = least<u64>(begin + sortTile, size);
  for (u64 i = begin + threadIndex(); i < end; i += blockThreads)
    atomicAdd(counters + digitOf(load(keys + i), shift), 1u);
  barrier();
  store(counts + (u64)threadIndex() * gridBlocks() + blockIndex(),
        (u64)load(counters + threadIndex()));
}

AUTOSAGE_KERNEL void histogram32(const u32 *keys, u64 size, u64 shift,
                                 u64 *counts) {
  histogram(keys, size, shift, counts);
}
AUTOSAGE_KERNEL void histogram64(const u64 *keys, u64 size, u64 shift,
                                 u64 *counts) {
  histogram(keys, size, shift, counts);
}

AUTOSAGE_KERNEL_TABLE(autosage_simt_sort_kernels, AUTOSAGE_ENTRY(scanReduce),
                      AUTOSAGE_ENTRY(scanApply), AUTOSAGE_ENTRY(histogram32),
                      AUTOSAGE_ENTRY(histogram64));
