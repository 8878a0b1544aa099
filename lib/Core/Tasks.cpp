//===- Tasks.cpp - task lists ---------------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Tasks.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace autosage {
namespace {

template <typename P> struct Task {
  P row, begin, end, split;
};

/// Where in its row a piece begins, in 256ths.
template <typename P>
int64_t placeInRow(const P *rowptr, const Task<P> &task, int64_t chunk) {
  if (task.split == 0)
    return 0;
  int64_t pieces = piecesOfRow(rowptr[task.row + 1] - rowptr[task.row], chunk);
  return (static_cast<int64_t>(task.split) - 1) * 256 / pieces;
}

/// The bounds of piece `p` of `pieces` equal to those of chunks: all but the
/// last have `chunk` entries.
template <typename P>
Task<P> *cutRow(int64_t row, P begin, P end, int64_t chunk, Task<P> *out) {
  int64_t pieces = piecesOfRow(end - begin, chunk);
  P r = static_cast<P>(row);
  if (pieces == 1) {
    *out++ = {r, begin, end, 0};
    return out;
  }
  for (int64_t p = 0; p < pieces; ++p) {
    int64_t first = begin + p * chunk;
    int64_t last = std::min<int64_t>(first + chunk, end);
    *out++ = {r, static_cast<P>(first), static_cast<P>(last),
              static_cast<P>(p + 1)};
  }
  return out;
}

template <typename P>
void build(const CsrView &csr, const P *rowptr, int64_t chunk, TaskOrder order,
           Task<P> *tasks) {
  std::vector<int64_t> rows;
  if (order == TaskOrder::locality)
    rows = localityOrder(csr);
  Task<P> *end = tasks;
  for (int64_t i = 0; i < csr.rows; ++i) {
    int64_t row = rows.empty() ? i : rows[static_cast<size_t>(i)];
    end = cutRow(row, rowptr[row], rowptr[row + 1], chunk, end);
  }
  if (order == TaskOrder::length)
    std::sort(tasks, end, [&](const Task<P> &a, const Task<P> &b) {
      auto key = [&](const Task<P> &task) {
        return std::tuple(task.begin - task.end,
                          placeInRow(rowptr, task, chunk), task.row,
                          task.split);
      };
      return key(a) < key(b);
    });
}

} // namespace

int64_t piecesOfRow(int64_t length, int64_t chunk) {
  // 2 length <= 3 chunk, without overflow.
  if (length <= chunk || length - chunk <= chunk / 2)
    return 1;
  return length / chunk + (length % chunk != 0);
}

int64_t countTasks(const IndexView &rowptr, int64_t chunk) {
  int64_t count = 0;
  for (int64_t i = 0; i + 1 < rowptr.size; ++i)
    count += piecesOfRow(rowptr[i + 1] - rowptr[i], chunk);
  return count;
}

void buildTasks(const CsrView &csr, int64_t chunk, TaskOrder order,
                void *tasks) {
  if (csr.rowptr.type == IndexType::i32)
    build(csr, static_cast<const int32_t *>(csr.rowptr.data), chunk, order,
          static_cast<Task<int32_t> *>(tasks));
  else
    build(csr, static_cast<const int64_t *>(csr.rowptr.data), chunk, order,
          static_cast<Task<int64_t> *>(tasks));
}

} // namespace autosage
