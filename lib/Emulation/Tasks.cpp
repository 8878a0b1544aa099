//===- Tasks.cpp - task lists and transposes, on the host -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a device does with kernels of its own. The lists are those of
// `autosage.build_tasks` and `autosage.build_transpose`, line by line.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>
#include <tuple>

using namespace autosage::simt;

namespace {

/// An array of i32 or i64.
class Indices {
public:
  Indices(void *data, int32_t bytes)
      : data(static_cast<char *>(data)), wide(bytes == 8) {}
  Indices(const void *data, int32_t bytes)
      : Indices(const_cast<void *>(data), bytes) {}

  int64_t operator[](int64_t i) const {
    return wide ? reinterpret_cast<const int64_t *>(data)[i]
                : reinterpret_cast<const int32_t *>(data)[i];
  }
  void set(int64_t i, int64_t value) {
    if (wide)
      reinterpret_cast<int64_t *>(data)[i] = value;
    else
      reinterpret_cast<int32_t *>(data)[i] = static_cast<int32_t>(value);
  }

private:
  char *data;
  bool wide;
};

struct Task {
  int64_t row, begin, end, split;
};

} // namespace

static bool checkBytes(const char *what, int32_t bytes) {
  if (bytes == 4 || bytes == 8)
    return true;
  setError(AUTOSAGE_SIMT_BAD_ARGUMENT, "expects " + std::string(what) +
                                           " of 4 or 8 bytes, got " +
                                           std::to_string(bytes));
  return false;
}

static bool checkChunk(int64_t chunk) {
  if (chunk >= 1)
    return true;
  setError(AUTOSAGE_SIMT_BAD_ARGUMENT,
           "expects a chunk of at least 1, got " + std::to_string(chunk));
  return false;
}

/// The pieces of a row: 1 up to a length of 1.5 chunks.
static int64_t piecesOf(int64_t length, int64_t chunk) {
  return length <= chunk + chunk / 2 ? 1 : (length - 1) / chunk + 1;
}

int64_t autosage_simt_count_tasks(const void *rowptr, int64_t rows,
                                  int32_t indexBytes, int64_t chunk) noexcept {
  if (errorCode() || !checkBytes("positions", indexBytes) || !checkChunk(chunk))
    return 0;
  chunk = std::min(chunk, int64_t{1} << 60); // sums of chunks stay in 64 bits
  Indices positions(rowptr, indexBytes);
  int64_t count = 0;
  for (int64_t row = 0; row < rows; ++row)
    count += piecesOf(positions[row + 1] - positions[row], chunk);
  return count;
}

/// A fixed permutation of 64-bit numbers (the end of MurmurHash3).
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
  return x ^ x >> 33;
}

/// Rows in an order in which those that share columns are near each other: by
/// two min-hashes of their columns. The chance that two rows agree in one is
/// the part of their columns that they share.
static std::vector<int64_t>
localityOrder(const Indices &positions, const Indices &columns, int64_t rows) {
  struct Key {
    uint64_t first, second;
    int64_t row;
  };
  std::vector<Key> keys(static_cast<size_t>(rows));
  for (int64_t row = 0; row < rows; ++row) {
    Key key{~0ull, ~0ull, row}; // empty rows come last
    for (int64_t e = positions[row]; e < positions[row + 1]; ++e) {
      auto column = static_cast<uint64_t>(columns[e]);
      key.first = std::min(key.first, mix(column));
      key.second = std::min(key.second, mix(column + 0x9e3779b97f4a7c15ull));
    }
    keys[static_cast<size_t>(row)] = key;
  }
  std::sort(keys.begin(), keys.end(), [](const Key &a, const Key &b) {
    return std::tie(a.first, a.second, a.row) <
           std::tie(b.first, b.second, b.row);
  });
  std::vector<int64_t> order;
  order.reserve(keys.size());
  for (const Key &key : keys)
    order.push_back(key.row);
  return order;
}

void autosage_simt_build_tasks(const void *rowptr, const void *colind,
                               int64_t rows, int64_t, int64_t,
                               int32_t positionBytes, int32_t coordinateBytes,
                               int64_t chunk, int32_t order, void *tasks,
                               int64_t numTasks) noexcept {
  if (errorCode() || !checkBytes("positions", positionBytes) ||
      !checkBytes("coordinates", coordinateBytes) || !checkChunk(chunk))
    return;
  if (order < 0 || order > 2)
    return setError(AUTOSAGE_SIMT_BAD_ARGUMENT,
                    "expects a task order of 0 to 2, got " +
                        std::to_string(order));
  chunk = std::min(chunk, int64_t{1} << 60);
  Indices positions(rowptr, positionBytes), columns(colind, coordinateBytes);
  std::vector<int64_t> byLocality;
  if (order == 2)
    byLocality = localityOrder(positions, columns, rows);
  std::vector<Task> list;
  for (int64_t i = 0; i < rows; ++i) {
    int64_t row = order == 2 ? byLocality[static_cast<size_t>(i)] : i;
    int64_t begin = positions[row], end = positions[row + 1];
    int64_t pieces = piecesOf(end - begin, chunk);
    for (int64_t p = 0; p < pieces; ++p)
      list.push_back(pieces == 1
                         ? Task{row, begin, end, 0}
                         : Task{row, begin + p * chunk,
                                std::min(begin + (p + 1) * chunk, end), p + 1});
  }
  if (static_cast<int64_t>(list.size()) != numTasks)
    return setError(AUTOSAGE_SIMT_BAD_ARGUMENT,
                    "build_tasks expects place for " +
                        std::to_string(list.size()) + " tasks, got " +
                        std::to_string(numTasks));
  if (order == 1)
    std::sort(list.begin(), list.end(), [](const Task &a, const Task &b) {
      return std::make_tuple(b.end - b.begin, a.row, a.begin) <
             std::make_tuple(a.end - a.begin, b.row, b.begin);
    });
  Indices out(tasks, positionBytes);
  int64_t at = 0;
  for (const Task &task : list)
    for (int64_t field : {task.row, task.begin, task.end, task.split})
      out.set(at++, field);
}

void autosage_simt_build_transpose(const void *rowptr, const void *colind,
                                   int64_t rows, int64_t cols, int64_t nnz,
                                   int32_t positionBytes,
                                   int32_t coordinateBytes,
                                   int32_t outCoordinateBytes, void *outRowptr,
                                   void *outColind, void *outPerm) noexcept {
  if (errorCode() || !checkBytes("positions", positionBytes) ||
      !checkBytes("coordinates", coordinateBytes) ||
      !checkBytes("coordinates of the result", outCoordinateBytes))
    return;
  Indices positions(rowptr, positionBytes), columns(colind, coordinateBytes);
  Indices starts(outRowptr, positionBytes), out(outColind, outCoordinateBytes);
  Indices permutation(outPerm, positionBytes);
  std::vector<int64_t> next(static_cast<size_t>(cols) + 1, 0);
  for (int64_t e = 0; e < nnz; ++e)
    ++next[static_cast<size_t>(columns[e]) + 1];
  for (size_t c = 1; c < next.size(); ++c)
    next[c] += next[c - 1];
  for (int64_t c = 0; c <= cols; ++c)
    starts.set(c, next[static_cast<size_t>(c)]);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t e = positions[row]; e < positions[row + 1]; ++e) {
      int64_t place = next[static_cast<size_t>(columns[e])]++;
      out.set(place, row);
      if (outPerm)
        permutation.set(place, e);
    }
}
