//===- Stats.cpp - sums over rows and entries -----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's StatsSums: integers, so that no order of threads shows.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/StatsSums.h"

#include "Thread.h"

using namespace autosage;
using namespace autosage::kernels;

static AUTOSAGE_DEVICE u64 mixedHigh(u32 domain, u64 position, u64 value) {
  return fingerprint_words::high((fingerprint_words::Domain)domain, position,
                                 value);
}
static AUTOSAGE_DEVICE u64 mixedLow(u32 domain, u64 position, u64 value) {
  return fingerprint_words::low((fingerprint_words::Domain)domain, position,
                                value);
}

/// Adds what the lanes of a warp have. All lanes call it.
static AUTOSAGE_DEVICE void addOfWarp(u64 *sum, u64 value) {
  for (u32 mask = 1; mask < warpThreads; mask *= 2)
    value += shuffleXor64(value, mask);
  if (lane() == 0 && value)
    atomicAdd(sum, value);
}
static AUTOSAGE_DEVICE u64 largestOfWarp(u64 value) {
  for (u32 mask = 1; mask < warpThreads; mask *= 2) {
    u64 other = shuffleXor64(value, mask);
    value = other > value ? other : value;
  }
  return value;
}

AUTOSAGE_KERNEL void clearWords(u32 *words, u64 count) {
  for (u64 i = gridThread(); i < count; i += gridThreads())
    store(words + i, 0u);
}

/// Degrees and positions. Shared: a counter of 4 bytes for each bin. A row of
/// more than `ordinary` entries is a hub.
AUTOSAGE_KERNEL void sumRows(const void *rowptr, u64 bytes, u64 rows,
                             u64 ordinary, StatsSums *sums) {
  Ints positions{rowptr, bytes};
  u32 *counters = shared<u32>(0);
  for (u32 bin = threadIndex(); bin < degreeBins; bin += blockThreads)
    store(counters + bin, 0u);
  barrier();
  u64 squares[4] = {0, 0, 0, 0};
  u64 longest = 0, empty = 0, hubs = 0, high = 0, low = 0;
  for (u64 i = gridThread(); i <= rows; i += gridThreads()) {
    u64 position = (u64)positions[i];
    high += mixedHigh(fingerprint_words::rowptrs, i, position);
    low += mixedLow(fingerprint_words::rowptrs, i, position);
    if (i == rows)
      break;
    u64 degree = (u64)positions[i + 1] - position;
    u64 least = degree & allLanes, most = degree >> 32;
    // (most 2^32 + least)^2, by 32 bits.
    u64 middle = least * most, square = least * least;
    u64 carried = (square >> 32) + 2 * (middle & allLanes);
    u64 upper = most * most + 2 * (middle >> 32) + (carried >> 32);
    squares[0] += square & allLanes;
    squares[1] += carried & allLanes;
    squares[2] += upper & allLanes;
    squares[3] += upper >> 32;
    longest = degree > longest ? degree : longest;
    empty += degree == 0;
    hubs += degree > ordinary ? degree : 0;
    atomicAdd(counters + degreeBin(degree), 1u);
  }
  AUTOSAGE_UNROLL
  for (u32 limb = 0; limb < 4; ++limb)
    addOfWarp(&sums->squares[limb], squares[limb]);
  addOfWarp(&sums->emptyRows, empty);
  addOfWarp(&sums->hubEntries, hubs);
  addOfWarp(&sums->fingerprintHigh, high);
  addOfWarp(&sums->fingerprintLow, low);
  longest = largestOfWarp(longest);
  if (lane() == 0)
    atomicMax(&sums->longest, longest);
  barrier();
  for (u32 bin = threadIndex(); bin < degreeBins; bin += blockThreads)
    if (u32 count = load(counters + bin))
      atomicAdd(&sums->rowsOfDegree[bin], (u64)count);
}

/// Columns. Several loads of a thread are on their way together.
AUTOSAGE_KERNEL void sumEntries(const void *colind, u64 bytes, u64 entries,
                                StatsSums *sums) {
  Ints columns{colind, bytes};
  constexpr u32 inFlight = 4;
  u64 high = 0, low = 0, i = gridThread(), step = gridThreads();
  for (; i + (inFlight - 1) * step < entries; i += inFlight * step) {
    u64 column[inFlight];
    AUTOSAGE_UNROLL
    for (u32 k = 0; k < inFlight; ++k)
      column[k] = (u64)columns[i + k * step];
    AUTOSAGE_UNROLL
    for (u32 k = 0; k < inFlight; ++k) {
      high += mixedHigh(fingerprint_words::colinds, i + k * step, column[k]);
      low += mixedLow(fingerprint_words::colinds, i + k * step, column[k]);
    }
  }
  for (; i < entries; i += step) {
    u64 column = (u64)columns[i];
    high += mixedHigh(fingerprint_words::colinds, i, column);
    low += mixedLow(fingerprint_words::colinds, i, column);
  }
  addOfWarp(&sums->fingerprintHigh, high);
  addOfWarp(&sums->fingerprintLow, low);
}

//===----------------------------------------------------------------------===//
// Distinct columns of windows of rows
//===----------------------------------------------------------------------===//

/// Of `windows` windows from `first` on. `blocks` blocks look at a window,
/// which has `words` words of its own, a bit a column, all 0.
AUTOSAGE_KERNEL void markColumns(const void *rowptr, u64 positionBytes,
                                 const void *colind, u64 coordinateBytes,
                                 u64 rows, u64 blocks, u32 *marks, u64 words,
                                 StatsSums *sums) {
  Ints positions{rowptr, positionBytes}, columns{colind, coordinateBytes};
  u64 window = blockIndex() / blocks, part = blockIndex() % blocks;
  u64 begin = (u64)positions[(u64)windowBegin((i64)window, (i64)rows)];
  u64 end = (u64)positions[(u64)windowEnd((i64)window, (i64)rows)];
  u32 *mine = marks + window * words;
  u64 found = 0;
  for (u64 e = begin + part * blockThreads + threadIndex(); e < end;
       e += blocks * blockThreads) {
    u64 column = (u64)columns[e];
    u32 bit = 1u << column % 32;
    found += (atomicOr(mine + column / 32, bit) & bit) == 0;
  }
  addOfWarp(&sums->windowColumns, found);
  if (part == 0 && threadIndex() == 0)
    atomicAdd(&sums->windowEntries, end - begin);
}

/// Where the entries of a window begin and end; one thread.
AUTOSAGE_KERNEL void boundWindow(const void *rowptr, u64 bytes, u64 rows,
                                 u64 window, u64 *bounds) {
  Ints positions{rowptr, bytes};
  if (threadIndex() == 0) {
    store(bounds, (u64)positions[(u64)windowBegin((i64)window, (i64)rows)]);
    store(bounds + 1, (u64)positions[(u64)windowEnd((i64)window, (i64)rows)]);
  }
}

AUTOSAGE_KERNEL void copyColumns(const void *colind, u64 bytes, u64 begin,
                                 u64 count, u64 *keys) {
  Ints columns{colind, bytes};
  for (u64 i = gridThread(); i < count; i += gridThreads())
    store(keys + i, (u64)columns[begin + i]);
}

/// Of sorted keys: those that differ from the one before.
AUTOSAGE_KERNEL void countDistinct(const u64 *keys, u64 count,
                                   StatsSums *sums) {
  u64 found = 0;
  for (u64 i = gridThread(); i < count; i += gridThreads())
    found += i == 0 || load(keys + i) != load(keys + i - 1);
  addOfWarp(&sums->windowColumns, found);
  if (gridThread() == 0)
    atomicAdd(&sums->windowEntries, count);
}

AUTOSAGE_KERNEL_TABLE(autosage_simt_stats_kernels, AUTOSAGE_ENTRY(clearWords),
                      AUTOSAGE_ENTRY(sumRows), AUTOSAGE_ENTRY(sumEntries),
                      AUTOSAGE_ENTRY(markColumns), AUTOSAGE_ENTRY(boundWindow),
                      AUTOSAGE_ENTRY(copyColumns),
                      AUTOSAGE_ENTRY(countDistinct));
