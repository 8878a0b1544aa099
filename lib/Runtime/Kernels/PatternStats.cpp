//===- PatternStats.cpp - statistics of a pattern in device memory --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternLaunch.h"

#include "autosage/Core/StatsSums.h"

#include <memory>

using namespace autosage;
using namespace autosage::runtime;

/// Each thread has so much to do that what a block adds in the end is little
/// beside it; these fill any device of today.
static constexpr uint64_t maxSumBlocks = 2048;
static constexpr uint64_t rowsPerThread = 4, entriesPerThread = 8;
/// Of a window, most.
static constexpr uint64_t maxWindowBlocks = 64;

static uint64_t sumBlocks(uint64_t size, uint64_t perThread) {
  return std::min(blocksOf(size, perThread * blockThreads), maxSumBlocks);
}

/// A bit for each column and window.
bool PatternKernels::markWindows(const DevicePattern &pattern, void *sums) {
  uint64_t windows = u(windowsOf(pattern.rows));
  uint64_t words = blocksOf(u(pattern.cols), 32);
  uint64_t blocks = std::clamp<uint64_t>(
      u(pattern.nnz) / (windows * blockThreads * entriesPerThread), 1,
      maxWindowBlocks);
  Scratch marks(api, windows * words, 4);
  return marks &&
         launch(images.stats, "clearWords", loopBlocks(windows * words), 0,
                marks.data(), windows * words) &&
         launch(images.stats, "markColumns", windows * blocks, 0,
                pattern.rowptr, u(pattern.positionBytes), pattern.colind,
                u(pattern.coordinateBytes), u(pattern.rows), blocks,
                marks.data(), words, sums);
}

/// Where there are so many columns that a bit for each is too much: one window
/// after the other is sorted. Waits.
bool PatternKernels::sortWindows(const DevicePattern &pattern, void *sums) {
  Scratch bounds(api, 2, 8);
  if (!bounds)
    return false;
  for (int64_t w = 0; w < windowsOf(pattern.rows); ++w) {
    uint64_t range[2] = {0, 0};
    if (!launch(images.stats, "boundWindow", 1, 0, pattern.rowptr,
                u(pattern.positionBytes), u(pattern.rows), u(w), bounds.data()))
      return false;
    api.download(range, bounds.data(), sizeof range);
    uint64_t count = range[1] - range[0];
    if (count == 0)
      continue;
    Scratch keys(api, count, 8);
    Sorted sorted;
    if (!keys ||
        !launch(images.stats, "copyColumns", loopBlocks(count), 0,
                pattern.colind, u(pattern.coordinateBytes), range[0], count,
                keys.data()) ||
        !sort(keys, 8, bitsFor(u(pattern.cols) - 1), count, 4, sorted) ||
        !launch(images.stats, "countDistinct", sumBlocks(count, 1), 0,
                sorted.keys.data(), count, sums))
      return false;
  }
  return true;
}

Result<InputStats> PatternKernels::stats(const DevicePattern &pattern) {
  if (Status status = checkTypes(pattern); !status)
    return Error{status.error()};
  uint64_t rows = u(pattern.rows), nnz = u(pattern.nnz);
  uint64_t ordinary = u(longestOrdinary(pattern.rows, pattern.nnz));
  Scratch memory(api, 1, sizeof(StatsSums));
  auto sums = std::make_unique<StatsSums>();
  uint64_t words = sizeof(StatsSums) / 4;
  if (memory &&
      launch(images.stats, "clearWords", loopBlocks(words), 0, memory.data(),
             words) &&
      launch(images.stats, "sumRows", sumBlocks(rows + 1, rowsPerThread),
             4 * degreeBins, pattern.rowptr, u(pattern.positionBytes), rows,
             ordinary, memory.data()) &&
      (nnz == 0 || (launch(images.stats, "sumEntries",
                           sumBlocks(nnz, entriesPerThread), 0, pattern.colind,
                           u(pattern.coordinateBytes), nnz, memory.data()) &&
                    (u(pattern.cols) <= markedColumns
                         ? markWindows(pattern, memory.data())
                         : sortWindows(pattern, memory.data())))))
    api.download(sums.get(), memory.data(), sizeof(StatsSums));
  Fingerprint sizes =
      fingerprintOfSizes(pattern.rows, pattern.cols, pattern.nnz);
  sums->fingerprintHigh += sizes.high;
  sums->fingerprintLow += sizes.low;
  return summarize(pattern.rows, pattern.cols, pattern.nnz, *sums);
}
