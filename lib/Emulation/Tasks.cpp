//===- Tasks.cpp - what a device does with patterns, on the host ----------===//
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

#include "autosage/Core/PatternErrors.h"
#include "autosage/Core/Tasks.h"
#include "autosage/Runtime/DeviceCpp.h"

#include <vector>

using namespace autosage;
using namespace autosage::simt;

static IndexType indexType(int32_t bytes) {
  return bytes == 8 ? IndexType::i64 : IndexType::i32;
}

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

int64_t autosage_simt_count_tasks(const void *rowptr, int64_t rows,
                                  int32_t indexBytes, int64_t chunk) noexcept {
  if (errorCode() || !checkBytes("positions", indexBytes) || !checkChunk(chunk))
    return 0;
  return countTasks({rowptr, rows + 1, indexType(indexBytes)}, chunk);
}

void autosage_simt_build_tasks(const void *rowptr, const void *colind,
                               int64_t rows, int64_t cols, int64_t nnz,
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
  CsrView csr{rows,
              cols,
              {rowptr, rows + 1, indexType(positionBytes)},
              {colind, nnz, indexType(coordinateBytes)}};
  int64_t count = countTasks(csr.rowptr, chunk);
  if (count != numTasks)
    return setError(AUTOSAGE_SIMT_BAD_ARGUMENT,
                    "build_tasks expects place for " + std::to_string(count) +
                        " tasks, got " + std::to_string(numTasks));
  buildTasks(csr, chunk, static_cast<TaskOrder>(order), tasks);
}

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
} // namespace

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

int32_t autosage_simt_validate_pattern(const void *rowptr, const void *colind,
                                       int64_t rows, int64_t cols, int64_t nnz,
                                       int32_t positionBytes,
                                       int32_t coordinateBytes) noexcept {
  if (errorCode() || !checkBytes("positions", positionBytes) ||
      !checkBytes("coordinates", coordinateBytes))
    return errorCode();
  // Unsigned: rows may be the largest number.
  auto positions = static_cast<int64_t>(static_cast<uint64_t>(rows) + 1);
  CsrView csr{rows,
              cols,
              {rowptr, positions, indexType(positionBytes)},
              {colind, nnz, indexType(coordinateBytes)}};
  // What is too small for its sizes must not be read: kernels would fault.
  if (Status status = validateArrays(csr); !status)
    setError(AUTOSAGE_SIMT_BAD_ARGUMENT, status.error());
  else if (!checkBuffer("validate_pattern", "rowptr", rowptr,
                        static_cast<uint64_t>(positions) *
                            static_cast<uint64_t>(positionBytes)) ||
           (nnz > 0 &&
            !checkBuffer("validate_pattern", "colind", colind,
                         static_cast<uint64_t>(nnz) *
                             static_cast<uint64_t>(coordinateBytes))))
    return errorCode();
  else if (Status status = validate(csr); !status)
    setError(AUTOSAGE_SIMT_BAD_ARGUMENT, status.error());
  return errorCode();
}

int32_t autosage_simt_pattern_stats(const void *rowptr, const void *colind,
                                    int64_t rows, int64_t cols, int64_t nnz,
                                    int32_t positionBytes,
                                    int32_t coordinateBytes,
                                    autosage_input_stats *stats) noexcept {
  if (!stats || stats->struct_size < sizeof(autosage_input_stats) ||
      stats->version != AUTOSAGE_DEVICE_VERSION)
    setError(AUTOSAGE_SIMT_BAD_ARGUMENT,
             "expects stats with its size and version set");
  if (errorCode() || !checkBytes("positions", positionBytes) ||
      !checkBytes("coordinates", coordinateBytes))
    return errorCode();
  CsrView csr{rows,
              cols,
              {rowptr, rows + 1, indexType(positionBytes)},
              {colind, nnz, indexType(coordinateBytes)}};
  runtime::toC(computeStats(csr), *stats);
  return AUTOSAGE_SIMT_OK;
}
