//===- GraphBuilder.cpp - what every graph reader ends with ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"

#include "InputFile.h"

#include <algorithm>
#include <utility>

namespace autosage::io {

Status checkRowCount(const std::string &name, int64_t rows,
                     int64_t inputBytes) {
  constexpr int64_t alwaysAllowed = int64_t(64) << 20;
  constexpr int64_t timesInput = 16;
  int64_t allowed = std::max(alwaysAllowed, inputBytes > INT64_MAX / timesInput
                                                ? INT64_MAX
                                                : inputBytes * timesInput);
  int64_t most = allowed / sizeOf(IndexType::i32) - 1;
  if (rows <= most)
    return Status::success();
  return fileError(name, "row count " + std::to_string(rows) +
                             " is out of proportion to the size of the file, "
                             "expects at most " +
                             std::to_string(most));
}

Status checkShape(const std::string &name, int64_t rows, int64_t cols) {
  for (auto [what, count] : {std::pair("row", rows), std::pair("column", cols)})
    if (count < 0 || count == INT64_MAX)
      return fileError(name, std::string(what) + " count " +
                                 std::to_string(count) + " is out of range");
  return Status::success();
}

static Status convert(const std::string &name, IndexArray &array,
                      IndexType type, std::string_view what) {
  if (array.type() == type)
    return Status::success();
  Result<IndexArray> converted = array.convertedTo(type, what);
  if (!converted)
    return fileError(name, converted.error());
  array = std::move(*converted);
  return Status::success();
}

Result<Graph> finishGraph(const std::string &name, Graph graph) {
  // Validation first: only a valid pattern is known to fit the types below.
  Csr &csr = graph.csr;
  if (Status valid = validate(csr.view()); !valid)
    return fileError(name, valid.error());
  if (graph.values && static_cast<int64_t>(graph.values->size()) != csr.nnz())
    return fileError(name, "expects " + std::to_string(csr.nnz()) +
                               " values, one an entry, got " +
                               std::to_string(graph.values->size()));
  if (Status s = convert(name, csr.rowptr, indexTypeFor(csr.nnz()), "rowptr");
      !s)
    return Error{s.error()};
  if (Status s = convert(name, csr.colind, indexTypeFor(csr.cols), "colind");
      !s)
    return Error{s.error()};

  graph.duplicates = countDuplicates(csr.view());
  if (graph.duplicates == 1)
    graph.notes.push_back("1 duplicate entry kept as a separate edge");
  else if (graph.duplicates > 1)
    graph.notes.push_back(std::to_string(graph.duplicates) +
                          " duplicate entries kept as separate edges");
  return graph;
}

template <typename P, typename I>
static Graph buildRowsAs(int64_t rows, int64_t cols, const Entries<I> &entries,
                         bool hasValues, Symmetry symmetry, int64_t nnz) {
  bool mirrored = symmetry != Symmetry::general;
  std::vector<P> rowptr(static_cast<size_t>(rows) + 1, 0);
  for (auto [row, col] : entries.coordinates) {
    ++rowptr[row + 1];
    if (mirrored && row != col)
      ++rowptr[col + 1];
  }
  for (int64_t row = 0; row < rows; ++row)
    rowptr[row + 1] += rowptr[row];

  // rowptr[row] is where the row's next entry goes, and so ends as the start
  // of the following row: one shift restores it, without a second array.
  std::vector<I> colind(static_cast<size_t>(nnz));
  std::vector<double> values(hasValues ? static_cast<size_t>(nnz) : 0);
  double mirrorSign = symmetry == Symmetry::skew ? -1.0 : 1.0;
  for (size_t e = 0; e < entries.coordinates.size(); ++e) {
    auto [row, col] = entries.coordinates[e];
    P at = rowptr[row]++;
    colind[at] = col;
    if (hasValues)
      values[at] = entries.values[e];
    if (!mirrored || row == col)
      continue;
    at = rowptr[col]++;
    colind[at] = row;
    if (hasValues)
      values[at] = mirrorSign * entries.values[e];
  }
  std::move_backward(rowptr.begin(), rowptr.end() - 1, rowptr.end());
  rowptr[0] = 0;

  Graph graph;
  graph.csr.rows = rows;
  graph.csr.cols = cols;
  graph.csr.rowptr = IndexArray(std::move(rowptr));
  graph.csr.colind = IndexArray(std::move(colind));
  if (hasValues)
    graph.values = std::move(values);
  return graph;
}

template <typename I>
Graph buildRows(int64_t rows, int64_t cols, const Entries<I> &entries,
                bool hasValues, Symmetry symmetry) {
  int64_t nnz = static_cast<int64_t>(entries.coordinates.size());
  if (symmetry != Symmetry::general)
    for (auto [row, col] : entries.coordinates)
      nnz += row != col;
  if (indexTypeFor(nnz) == IndexType::i32)
    return buildRowsAs<int32_t>(rows, cols, entries, hasValues, symmetry, nnz);
  return buildRowsAs<int64_t>(rows, cols, entries, hasValues, symmetry, nnz);
}

template Graph buildRows(int64_t, int64_t, const Entries<int32_t> &, bool,
                         Symmetry);
template Graph buildRows(int64_t, int64_t, const Entries<int64_t> &, bool,
                         Symmetry);

} // namespace autosage::io
