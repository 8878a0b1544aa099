//===- Validate.cpp - the first fault of a pattern ------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's validate, on arrays that may hold anything: no value read is ever an
// index.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "Thread.h"

using namespace autosage::kernels;

AUTOSAGE_KERNEL void initFindings(Findings *findings) {
  if (threadIndex() == 0) {
    // As unsigned, -1 is the largest number.
    store(&findings->badPosition, (i64)-1);
    store(&findings->badEntry, (i64)-1);
  }
}

static AUTOSAGE_DEVICE void keepFirst(i64 *place, u64 found) {
  if (found != ~(u64)0)
    atomicMin((u64 *)place, found);
}

AUTOSAGE_KERNEL void findBadPosition(const void *rowptr, u64 bytes, u64 rows,
                                     Findings *findings) {
  Ints positions{rowptr, bytes};
  u64 found = ~(u64)0;
  for (u64 i = gridThread() + 1; i <= rows; i += gridThreads()) {
    i64 position = positions[i];
    if (position < 0 || position < positions[i - 1]) {
      found = i;
      break;
    }
  }
  keepFirst(&findings->badPosition, found);
}

AUTOSAGE_KERNEL void findBadColumn(const void *colind, u64 bytes, u64 cols,
                                   u64 entries, Findings *findings) {
  Ints columns{colind, bytes};
  u64 found = ~(u64)0;
  for (u64 e = gridThread(); e < entries; e += gridThreads())
    if ((u64)columns[e] >= cols) {
      found = e;
      break;
    }
  keepFirst(&findings->badEntry, found);
}

/// The numbers that a message names. One thread.
AUTOSAGE_KERNEL void describeFindings(const void *rowptr, u64 positionBytes,
                                      u64 rows, const void *colind,
                                      u64 coordinateBytes, Findings *findings) {
  if (threadIndex() != 0)
    return;
  Ints positions{rowptr, positionBytes}, columns{colind, coordinateBytes};
  store(&findings->first, positions[0]);
  store(&findings->last, positions[rows]);
  i64 bad = load(&findings->badPosition), entry = load(&findings->badEntry);
  store(&findings->before, bad < 0 ? (i64)0 : positions[(u64)bad - 1]);
  store(&findings->at, bad < 0 ? (i64)0 : positions[(u64)bad]);
  store(&findings->column, entry < 0 ? (i64)0 : columns[(u64)entry]);
  i64 row = 0;
  if (entry >= 0)
    row = (i64)upperBound(positions, 0, rows + 1, entry) - 1;
  store(&findings->row, row);
}

AUTOSAGE_KERNEL_TABLE(autosage_simt_validate_kernels,
                      AUTOSAGE_ENTRY(initFindings),
                      AUTOSAGE_ENTRY(findBadPosition),
                      AUTOSAGE_ENTRY(findBadColumn),
                      AUTOSAGE_ENTRY(describeFindings));
