//===- Locality.cpp - communities and min-hashes of rows ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The keys that Core's localityOrder sorts rows by, bit by bit: all rows of a
// round look at the labels of the round before, and the atomics add and compare
// integers, so that no order of threads shows.
//
//===----------------------------------------------------------------------===//

#include "Locality.h"

#include "Thread.h"

using namespace autosage::kernels;

/// The finaliser of SplitMix64, as in Core: different for different x.
static AUTOSAGE_DEVICE u64 mix(u64 x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

//===----------------------------------------------------------------------===//
// Label propagation
//===----------------------------------------------------------------------===//

AUTOSAGE_KERNEL void initLabels(u64 rows, u32 *labels, u32 *sizes) {
  for (u64 i = gridThread(); i < rows; i += gridThreads()) {
    store(labels + i, (u32)i);
    store(sizes + i, 1u);
  }
}

namespace {
/// A label and its votes. More votes win; ties go to the smaller hash, and no
/// two labels share one, so that the order of comparisons does not matter.
struct Candidate {
  u32 label, votes;

  AUTOSAGE_DEVICE bool losesTo(Candidate other) const {
    if (other.votes != votes)
      return other.votes > votes;
    return mix(other.label) < mix(label);
  }
};
} // namespace

/// `lanes` (a power of two, at most a warp) neighbouring threads look at a row.
/// Shared: sampledNeighbours labels of 4 bytes for each row of a block.
AUTOSAGE_KERNEL void moveLabels(const void *rowptr, u64 positionBytes,
                                const void *colind, u64 coordinateBytes,
                                u64 rows, u64 round, u64 lanes,
                                const u32 *labels, const u32 *sizes,
                                u32 *next) {
  Ints positions{rowptr, positionBytes}, columns{colind, coordinateBytes};
  u32 group = threadIndex() / (u32)lanes, member = threadIndex() % (u32)lanes;
  u32 *votes = shared<u32>(4 * sampledNeighbours * group);
  u64 groups = gridThreads() / lanes;
  // All threads of a warp go round equally often: they wait for each other.
  u64 firstGroup = (u64)blockIndex() * (blockThreads / (u32)lanes);
  for (u64 base = firstGroup; base < rows; base += groups) {
    u64 row = base + group;
    u64 count = 0;
    u32 own = 0;
    if (row < rows) {
      own = load(labels + row);
      // Every second row stays, as Core says.
      if ((mix(row) + round) & 1) {
        u64 begin = (u64)positions[row];
        u64 degree = (u64)positions[row + 1] - begin;
        u64 step = degree / sampledNeighbours;
        step = step ? step : 1;
        count = least<u64>(degree, sampledNeighbours);
        for (u64 s = member; s < count; s += lanes)
          store(votes + s, load(labels + columns[begin + s * step]));
      }
    }
    syncWarp();
    Candidate best{own, 0};
    for (u64 s = member; s < count; s += lanes) {
      Candidate mine{load(votes + s), 0};
      for (u64 t = 0; t < count; ++t)
        mine.votes += load(votes + t) == mine.label;
      bool open = mine.label == own || load(sizes + mine.label) < maxCommunity;
      if (open && best.losesTo(mine))
        best = mine;
    }
    for (u32 mask = 1; mask < lanes; mask *= 2) {
      Candidate other{shuffleXor(best.label, mask),
                      shuffleXor(best.votes, mask)};
      if (best.losesTo(other))
        best = other;
    }
    if (row < rows && member == 0)
      store(next + row, best.label);
    // The next row's votes overwrite these.
    syncWarp();
  }
}

AUTOSAGE_KERNEL void clearSizes(u64 rows, u32 *sizes) {
  for (u64 i = gridThread(); i < rows; i += gridThreads())
    store(sizes + i, 0u);
}

AUTOSAGE_KERNEL void countLabels(u64 rows, const u32 *labels, u32 *sizes) {
  for (u64 i = gridThread(); i < rows; i += gridThreads())
    atomicAdd(sizes + load(labels + i), 1u);
}

//===----------------------------------------------------------------------===//
// Min-hashes
//===----------------------------------------------------------------------===//

/// Of all rows but the long ones, whose keys become the largest number. `lanes`
/// as above.
AUTOSAGE_KERNEL void hashRows(const void *rowptr, u64 positionBytes,
                              const void *colind, u64 coordinateBytes, u64 rows,
                              u64 lanes, u64 *keys) {
  Ints positions{rowptr, positionBytes}, columns{colind, coordinateBytes};
  u32 group = threadIndex() / (u32)lanes, member = threadIndex() % (u32)lanes;
  u64 groups = gridThreads() / lanes;
  u64 firstGroup = (u64)blockIndex() * (blockThreads / (u32)lanes);
  for (u64 base = firstGroup; base < rows; base += groups) {
    u64 row = base + group, smallest = ~(u64)0;
    if (row < rows) {
      u64 begin = (u64)positions[row], end = (u64)positions[row + 1];
      if (end - begin <= longRow)
        for (u64 e = begin + member; e < end; e += lanes)
          smallest = least(smallest, mix((u64)columns[e]));
    }
    for (u32 mask = 1; mask < lanes; mask *= 2)
      smallest = least(smallest, shuffleXor64(smallest, mask));
    if (row < rows && member == 0)
      store(keys + row, smallest);
  }
}

/// After hashRows. A block has longRow entries in a row: of the rows that reach
/// among them, only the first and the last can be long.
AUTOSAGE_KERNEL void hashLongRows(const void *rowptr, u64 positionBytes,
                                  const void *colind, u64 coordinateBytes,
                                  u64 rows, u64 entries, u64 *keys) {
  Ints positions{rowptr, positionBytes}, columns{colind, coordinateBytes};
  u64 tile = (u64)blockIndex() * longRow;
  u64 tileEnd = least<u64>(tile + longRow, entries);
  u64 first = upperBound(positions, 0, rows + 1, (i64)tile) - 1;
  u64 last = upperBound(positions, first, rows + 1, (i64)tileEnd - 1) - 1;
  for (u64 row = first;; row = last) {
    u64 begin = (u64)positions[row], end = (u64)positions[row + 1];
    if (end - begin > longRow) {
      begin = begin < tile ? tile : begin;
      end = least(end, tileEnd);
      u64 smallest = ~(u64)0;
      for (u64 e = begin + threadIndex(); e < end; e += blockThreads)
        smallest = least(smallest, mix((u64)columns[e]));
      for (u32 mask = 1; mask < warpThreads; mask *= 2)
        smallest = least(smallest, shuffleXor64(smallest, mask));
      if (lane() == 0)
        atomicMin(keys + row, smallest);
    }
    if (row == last)
      return;
  }
}

AUTOSAGE_KERNEL_TABLE(autosage_simt_locality_kernels,
                      AUTOSAGE_ENTRY(initLabels), AUTOSAGE_ENTRY(moveLabels),
                      AUTOSAGE_ENTRY(clearSizes), AUTOSAGE_ENTRY(countLabels),
                      AUTOSAGE_ENTRY(hashRows), AUTOSAGE_ENTRY(hashLongRows));
