//===- Scatter.h - one pass of a stable radix sort --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module for each pair of types: a driver compiles a module as a whole, and
// the loops are unrolled.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNELS_SCATTER_H
#define AUTOSAGE_LIB_RUNTIME_KERNELS_SCATTER_H

#include "Digit.h"

namespace autosage::kernels {

/// Lanes with the same digit; lanes that are not `valid` count for nothing.
AUTOSAGE_DEVICE u32 lanesWith(u32 digit, bool valid) {
  u32 lanes = ballot(valid);
  AUTOSAGE_UNROLL
  for (u32 bit = 1; bit < sortDigits; bit *= 2) {
    u32 set = ballot(digit & bit);
    lanes &= digit & bit ? set : ~set;
  }
  return lanes;
}

/// `offsets` is what histogram counted, summed up. A payload that is null
/// stands for the numbers 0, 1, ...; keysOut may be null. Each warp ranks a
/// part of the tile on its own; the tile is put in order in shared memory
/// first, so that neighbouring threads write neighbouring places.
template <typename Key, typename Value>
AUTOSAGE_DEVICE void scatterTile(const Key *keys, const Value *values, u64 size,
                                 u64 shift, const u64 *offsets, Key *keysOut,
                                 Value *valuesOut) {
  static_assert(sortDigits == blockThreads, "a thread looks after a digit");
  constexpr u32 items = sortTile / blockThreads;
  u64 *warpSums = shared<u64>(0);
  u64 *places = shared<u64>(64);
  u32 *counters = shared<u32>(64 + 8 * sortDigits);
  u32 *mine = counters + warp() * sortDigits;
  char *exchange = shared<char>(sortFixedBytes);
  Key *sortedKeys = (Key *)exchange;
  Value *sortedValues = (Value *)exchange;

  for (u32 w = 0; w < blockWarps; ++w)
    store(counters + w * sortDigits + threadIndex(), 0u);
  barrier();

  u64 tile = (u64)blockIndex() * sortTile;
  u64 begin = tile + warp() * (sortTile / blockWarps) + lane();
  Key key[items];
  u32 rank[items]; // among the warp's keys of the same digit
  AUTOSAGE_UNROLL
  for (u32 k = 0; k < items; ++k) {
    u64 i = begin + k * warpThreads;
    bool valid = i < size;
    key[k] = valid ? load(keys + i) : 0;
    u32 digit = digitOf(key[k], shift);
    u32 peers = lanesWith(digit, valid);
    u32 before = bitsOf(peers & lanesBelow());
    u32 first = valid ? load(mine + digit) : 0;
    syncWarp();
    if (valid && before == 0)
      store(mine + digit, first + bitsOf(peers));
    syncWarp();
    rank[k] = first + before;
  }
  barrier();

  // A counter becomes the place in the tile of the warp's first such key.
  u32 digit = threadIndex(), count = 0;
  for (u32 w = 0; w < blockWarps; ++w)
    count += load(counters + w * sortDigits + digit);
  u64 total = 0;
  u64 start = blockScan(count, warpSums, total);
  u32 place = (u32)start;
  for (u32 w = 0; w < blockWarps; ++w) {
    u32 *counter = counters + w * sortDigits + digit;
    u32 part = load(counter);
    store(counter, place);
    place += part;
  }
  // In the tile's order, key i goes to places[its digit] + i.
  store(places + digit,
        load(offsets + (u64)digit * gridBlocks() + blockIndex()) - start);
  barrier();

  AUTOSAGE_UNROLL
  for (u32 k = 0; k < items; ++k)
    if (begin + k * warpThreads < size) {
      rank[k] += load(mine + digitOf(key[k], shift));
      store(sortedKeys + rank[k], key[k]);
    }
  barrier();
  u32 tileSize = (u32)least<u64>(sortTile, size - tile);
  u64 to[items];
  AUTOSAGE_UNROLL
  for (u32 k = 0; k < items; ++k) {
    u32 i = threadIndex() + k * blockThreads;
    if (i < tileSize) {
      Key sorted = load(sortedKeys + i);
      to[k] = load(places + digitOf(sorted, shift)) + i;
      if (keysOut)
        store(keysOut + to[k], sorted);
    }
  }
  barrier();
  AUTOSAGE_UNROLL
  for (u32 k = 0; k < items; ++k) {
    u64 i = begin + k * warpThreads;
    if (i < size)
      store(sortedValues + rank[k], values ? load(values + i) : (Value)i);
  }
  barrier();
  AUTOSAGE_UNROLL
  for (u32 k = 0; k < items; ++k) {
    u32 i = threadIndex() + k * blockThreads;
    if (i < tileSize)
      store(valuesOut + to[k], load(sortedValues + i));
  }
}

} // namespace autosage::kernels

#endif // AUTOSAGE_LIB_RUNTIME_KERNELS_SCATTER_H
