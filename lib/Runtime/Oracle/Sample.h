//===- Sample.h - whole rows that stand for a pattern -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_ORACLE_SAMPLE_H
#define AUTOSAGE_LIB_RUNTIME_ORACLE_SAMPLE_H

#include "autosage/Core/Csr.h"

namespace autosage::runtime {

/// About `fraction` of the entries of a valid pattern in host memory, in whole
/// rows, against all columns: an induced subgraph would have other degrees.
///
/// Rows are taken in windows of neighbours, so that columns they share stay
/// shared, and windows of every length in proportion to their entries, longest
/// first: what one length could not take is owed to the next. The choice
/// depends on the pattern alone. At least one row is taken where there is one.
Csr sampleRows(const CsrView &csr, double fraction);

/// The same of the columns, for kernels that work on the transpose: entries in
/// the chosen columns, which are renumbered; all rows stay.
Csr sampleColumns(const CsrView &csr, double fraction);

/// Rows of a window, where there are enough for so many windows.
inline constexpr int64_t sampleWindow = 16, leastWindows = 64;

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_ORACLE_SAMPLE_H
