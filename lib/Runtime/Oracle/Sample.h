//===- Sample.h - whole rows that stand for a pattern -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_ORACLE_SAMPLE_H
#define AUTOSAGE_LIB_RUNTIME_ORACLE_SAMPLE_H

#include "autosage/Core/Csr.h"

#include <vector>

namespace autosage::runtime {

/// Rows of a window, where there are enough for so many windows.
inline constexpr int64_t sampleWindow = 16, leastWindows = 64;

/// Neighbours.
struct Range {
  int64_t begin = 0, end = 0;
};

/// Rows with about `fraction` of the entries of a valid pattern, ascending,
/// from its positions in host memory.
///
/// Rows are taken in windows of neighbours, so that columns they share stay
/// shared, and windows of every length in proportion to their entries, longest
/// first: what one length could not take is owed to the next. The choice
/// depends on the pattern alone. At least one row is taken where there is one.
std::vector<Range> chooseRows(const IndexView &rowptr, double fraction,
                              int64_t window = sampleWindow);

/// The positions of a pattern of these rows alone.
IndexArray positionsOf(const IndexView &rowptr, const std::vector<Range> &rows);

/// The pattern of chosen rows, in host memory, against all columns: an induced
/// subgraph would have other degrees.
Csr sampleRows(const CsrView &csr, double fraction);

/// The same of the columns, for kernels that work on the transpose: entries in
/// the chosen columns, which are renumbered; all rows stay.
Csr sampleColumns(const CsrView &csr, double fraction);

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_ORACLE_SAMPLE_H
