//===- GraphBuilder.h - what every graph reader ends with -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks, narrowing of index types and counting of duplicates that all formats
// share, and the step from coordinates to rows.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_IO_GRAPHBUILDER_H
#define AUTOSAGE_LIB_IO_GRAPHBUILDER_H

#include "autosage/IO/Graph.h"

namespace autosage::io {

/// Fails where rows + 1 positions would need more than 64 MiB and more than
/// 16 times `inputBytes`: the one array whose size a header promises and the
/// data need not back (docs/formats.md).
Status checkRowCount(const std::string &name, int64_t rows, int64_t inputBytes);

/// Whether positions up to `nnz`, coordinates below `cols`, fit i32. The bound
/// leaves room for the count itself, which kernels compare with.
inline IndexType indexTypeFor(int64_t count) {
  return count <= INT32_MAX ? IndexType::i32 : IndexType::i64;
}

/// Sizes alone: non-negative, and small enough to count one further.
Status checkShape(const std::string &name, int64_t rows, int64_t cols);

/// Validates, picks the narrowest index types, counts duplicates and notes
/// them. Every reader returns through here.
Result<Graph> finishGraph(const std::string &name, Graph graph);

enum class Symmetry { general, symmetric, skew };

/// Entries in file order, coordinates from zero and in range.
template <typename I> struct Entries {
  struct Coordinate {
    I row, col;
  };
  std::vector<Coordinate> coordinates;
  std::vector<double> values; // empty without values
};

/// Rows from entries, in file order within each row. The mirror of an entry
/// off the diagonal directly follows its original.
template <typename I>
Graph buildRows(int64_t rows, int64_t cols, const Entries<I> &entries,
                bool hasValues, Symmetry symmetry);

extern template Graph buildRows(int64_t, int64_t, const Entries<int32_t> &,
                                bool, Symmetry);
extern template Graph buildRows(int64_t, int64_t, const Entries<int64_t> &,
                                bool, Symmetry);

} // namespace autosage::io

#endif // AUTOSAGE_LIB_IO_GRAPHBUILDER_H
