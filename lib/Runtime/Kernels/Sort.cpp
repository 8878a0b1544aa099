//===- Sort.cpp - prefix sums and a stable radix sort ---------------------===//
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

#include "Sort.h"

#include "Thread.h"

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
//===----------------------------------------------------------------------===//

template <typename Key> static AUTOSAGE_DEVICE u32 digitOf(Key key, u64 shift) {
  return (u32)(key >> shift) % sortDigits;
}

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

/// Lanes with the same digit; lanes that are not `valid` count for nothing.
static AUTOSAGE_DEVICE u32 lanesWith(u32 digit, bool valid) {
  u32 lanes = ballot(valid);
  AUTOSAGE_UNROLL
  for (u32 bit = 1; bit < sortDigits; bit *= 2) {
    u32 set = ballot(digit & bit);
    lanes &= digit & bit ? set : ~set;
  }
  return lanes;
}

/// `offsets` is what histogram counted, summed up. A payload that is null stands
/// for the numbers 0, 1, ...; keysOut may be null. Each warp ranks a part of the
/// tile on its own; the tile is put in order in shared memory first, so that
/// neighbouring threads write neighbouring places.
template <typename Key, typename Value>
static AUTOSAGE_DEVICE void scatter(const Key *keys, const Value *values,
                                    u64 size, u64 shift, const u64 *offsets,
                                    Key *keysOut, Value *valuesOut) {
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

AUTOSAGE_KERNEL void histogram32(const u32 *keys, u64 size, u64 shift,
                                 u64 *counts) {
  histogram(keys, size, shift, counts);
}
AUTOSAGE_KERNEL void histogram64(const u64 *keys, u64 size, u64 shift,
                                 u64 *counts) {
  histogram(keys, size, shift, counts);
}

AUTOSAGE_KERNEL void scatter32x32(const u32 *keys, const u32 *values, u64 size,
                                  u64 shift, const u64 *offsets, u32 *keysOut,
                                  u32 *valuesOut) {
  scatter(keys, values, size, shift, offsets, keysOut, valuesOut);
}
AUTOSAGE_KERNEL void scatter32x64(const u32 *keys, const u64 *values, u64 size,
                                  u64 shift, const u64 *offsets, u32 *keysOut,
                                  u64 *valuesOut) {
  scatter(keys, values, size, shift, offsets, keysOut, valuesOut);
}
AUTOSAGE_KERNEL void scatter64x32(const u64 *keys, const u32 *values, u64 size,
                                  u64 shift, const u64 *offsets, u64 *keysOut,
                                  u32 *valuesOut) {
  scatter(keys, values, size, shift, offsets, keysOut, valuesOut);
}
AUTOSAGE_KERNEL void scatter64x64(const u64 *keys, const u64 *values, u64 size,
                                  u64 shift, const u64 *offsets, u64 *keysOut,
                                  u64 *valuesOut) {
  scatter(keys, values, size, shift, offsets, keysOut, valuesOut);
}

AUTOSAGE_KERNEL_TABLE(autosage_simt_sort_kernels, AUTOSAGE_ENTRY(scanReduce),
                      AUTOSAGE_ENTRY(scanApply), AUTOSAGE_ENTRY(histogram32),
                      AUTOSAGE_ENTRY(histogram64), AUTOSAGE_ENTRY(scatter32x32),
                      AUTOSAGE_ENTRY(scatter32x64),
                      AUTOSAGE_ENTRY(scatter64x32),
                      AUTOSAGE_ENTRY(scatter64x64));
