//===- Tasks.cpp - task lists ---------------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Line by line what Core's buildTasks gives.
//
//===----------------------------------------------------------------------===//

#include "Thread.h"

using namespace autosage::kernels;

/// autosage::piecesOfRow, which every user of a chunk agrees with.
static AUTOSAGE_DEVICE i64 piecesOfRow(i64 length, i64 chunk) {
  if (length <= chunk || length - chunk <= chunk / 2)
    return 1;
  return length / chunk + (length % chunk != 0);
}

/// sums[block] = the pieces of some of the rows. Shared: 64 bytes.
AUTOSAGE_KERNEL void sumPieces(const void *rowptr, u64 bytes, u64 rows,
                               i64 chunk, u64 *sums) {
  Ints positions{rowptr, bytes};
  u64 sum = 0;
  for (u64 i = gridThread(); i < rows; i += gridThreads())
    sum += (u64)piecesOfRow(positions[i + 1] - positions[i], chunk);
  u64 total = 0;
  blockScan(sum, shared<u64>(0), total);
  if (threadIndex() == 0)
    store(sums + blockIndex(), total);
}

/// The row at a place of the order; null is the stored one.
static AUTOSAGE_DEVICE u64 rowAt(Unsigneds order, u64 place) {
  return order.data ? order[place] : place;
}

/// counts[place] = the pieces of the row there; counts[rows] = 0.
AUTOSAGE_KERNEL void countPieces(const void *rowptr, u64 bytes, u64 rows,
                                 i64 chunk, const void *order, u64 orderBytes,
                                 u64 *counts) {
  Ints positions{rowptr, bytes};
  Unsigneds rowOrder{order, orderBytes};
  for (u64 i = gridThread(); i <= rows; i += gridThreads()) {
    u64 pieces = 0;
    if (i < rows) {
      u64 row = rowAt(rowOrder, i);
      pieces = (u64)piecesOfRow(positions[row + 1] - positions[row], chunk);
    }
    store(counts + i, pieces);
  }
}

/// `starts` is what countPieces counted, summed up. A thread writes a task, not
/// a row's: a hub would keep its thread busy alone. Every row has a piece, so
/// that a block's tasks are of that many rows at most. Shared: 8 bytes.
AUTOSAGE_KERNEL void writeTasks(const void *rowptr, u64 bytes, u64 rows,
                                i64 chunk, const void *order, u64 orderBytes,
                                const u64 *starts, void *tasks, u64 numTasks) {
  Ints positions{rowptr, bytes};
  Unsigneds rowOrder{order, orderBytes}, begins{starts, 8};
  u64 *first = shared<u64>(0);
  u64 blockTask = (u64)blockIndex() * blockThreads;
  if (threadIndex() == 0)
    store(first, upperBound(begins, 0, rows + 1, (i64)blockTask) - 1);
  barrier();
  u64 task = blockTask + threadIndex(), from = load(first);
  u64 place = upperBound(begins, from,
                         least(from + threadIndex() + 2, rows + 1), (i64)task) -
              1;
  if (task >= numTasks || place >= rows)
    return;
  u64 row = rowAt(rowOrder, place);
  i64 begin = positions[row], end = positions[row + 1], split = 0;
  if (piecesOfRow(end - begin, chunk) > 1) {
    i64 piece = (i64)(task - begins[place]);
    begin += piece * chunk;
    end = least(begin + chunk, end);
    split = piece + 1;
  }
  storeInt(tasks, bytes, 4 * task, row);
  storeInt(tasks, bytes, 4 * task + 1, (u64)begin);
  storeInt(tasks, bytes, 4 * task + 2, (u64)end);
  storeInt(tasks, bytes, 4 * task + 3, (u64)split);
}

/// Smaller for longer tasks; none is longer than `longest`. Where rows are cut,
/// the low byte is where in its row a piece begins, in 256ths.
AUTOSAGE_KERNEL void lengthKeys(const void *rowptr, const void *tasks,
                                u64 bytes, u64 numTasks, i64 chunk, u64 cuts,
                                u64 longest, void *keys, u64 keyBytes) {
  Ints words{tasks, bytes}, positions{rowptr, bytes};
  for (u64 i = gridThread(); i < numTasks; i += gridThreads()) {
    u64 key = longest - (u64)(words[4 * i + 2] - words[4 * i + 1]);
    if (cuts) {
      i64 row = words[4 * i], split = words[4 * i + 3];
      i64 pieces = piecesOfRow(positions[row + 1] - positions[row], chunk);
      key = key << 8 | (u64)(split ? (split - 1) * 256 / pieces : 0);
    }
    storeInt(keys, keyBytes, i, key);
  }
}

/// to[i] = from[order[i]], tasks as a whole.
AUTOSAGE_KERNEL void gatherTasks(const void *from, u64 bytes, const void *order,
                                 u64 orderBytes, u64 numTasks, void *to) {
  Ints words{from, bytes};
  Unsigneds source{order, orderBytes};
  for (u64 i = gridThread(); i < 4 * numTasks; i += gridThreads())
    storeInt(to, bytes, i, (u64)words[4 * source[i / 4] + i % 4]);
}

AUTOSAGE_KERNEL_TABLE(autosage_simt_tasks_kernels, AUTOSAGE_ENTRY(sumPieces),
                      AUTOSAGE_ENTRY(countPieces), AUTOSAGE_ENTRY(writeTasks),
                      AUTOSAGE_ENTRY(lengthKeys), AUTOSAGE_ENTRY(gatherTasks));
