//===- Transpose.cpp - transposed patterns, around the sort ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stable sort of the entries by column is the transposed pattern's order. No
// counters of columns: many entries of one column would queue for it.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"

using namespace autosage::kernels;

AUTOSAGE_KERNEL void columnKeys(const void *colind, u64 coordinateBytes,
                                u64 entries, void *keys, u64 keyBytes) {
  Ints columns{colind, coordinateBytes};
  for (u64 i = gridThread(); i < entries; i += gridThreads())
    storeInt(keys, keyBytes, i, (u64)columns[i]);
}

/// starts[c] = the number of sorted keys below c, for c of [0, cols]. A block's
/// range of keys is looked for once. Shared: 16 bytes.
AUTOSAGE_KERNEL void columnStarts(const void *keys, u64 keyBytes, u64 entries,
                                  u64 cols, void *starts, u64 positionBytes) {
  Unsigneds sorted{keys, keyBytes};
  u64 *range = shared<u64>(0);
  u64 block = (u64)blockIndex() * blockThreads;
  // Below c is at most c - 1.
  if (lane() == 0 && warp() < 2) {
    u64 column = warp() == 0 ? block : least(block + blockThreads, cols);
    store(range + warp(), upperBound(sorted, 0, entries, (i64)column - 1));
  }
  barrier();
  u64 column = block + threadIndex();
  if (column <= cols)
    storeInt(starts, positionBytes, column,
             upperBound(sorted, load(range), load(range + 1), (i64)column - 1));
}

/// rowOf[e] = the row of entry e. A block has a tile of entries, the rows of
/// which are looked for once. Shared: 16 bytes.
AUTOSAGE_KERNEL void rowsOfEntries(const void *rowptr, u64 positionBytes,
                                   u64 rows, u64 entries, void *rowOf,
                                   u64 rowBytes) {
  constexpr u32 tile = 8 * blockThreads;
  Ints positions{rowptr, positionBytes};
  u64 *range = shared<u64>(0);
  u64 begin = (u64)blockIndex() * tile, end = least(begin + tile, entries);
  if (lane() == 0 && warp() < 2)
    store(range + warp(), upperBound(positions, 0, rows + 1,
                                     (i64)(warp() == 0 ? begin : end - 1)));
  barrier();
  u64 first = load(range), last = load(range + 1);
  for (u64 e = begin + threadIndex(); e < end; e += blockThreads)
    storeInt(rowOf, rowBytes, e,
             upperBound(positions, first, last, (i64)e) - 1);
}

/// From the sorted order of the entries. outPerm may be null.
AUTOSAGE_KERNEL void finishTranspose(const void *order, u64 orderBytes,
                                     const void *rowOf, u64 rowBytes,
                                     u64 entries, void *outColind,
                                     u64 outCoordinateBytes, void *outPerm,
                                     u64 positionBytes) {
  Unsigneds edges{order, orderBytes}, rows{rowOf, rowBytes};
  for (u64 i = gridThread(); i < entries; i += gridThreads()) {
    u64 edge = edges[i];
    storeInt(outColind, outCoordinateBytes, i, rows[edge]);
    if (outPerm)
      storeInt(outPerm, positionBytes, i, edge);
  }
}

AUTOSAGE_KERNEL_TABLE(autosage_simt_transpose_kernels,
                      AUTOSAGE_ENTRY(columnKeys), AUTOSAGE_ENTRY(columnStarts),
                      AUTOSAGE_ENTRY(rowsOfEntries),
                      AUTOSAGE_ENTRY(finishTranspose));
