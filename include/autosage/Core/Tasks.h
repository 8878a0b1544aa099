//===- Tasks.h - task lists and orders of rows ------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `autosage.prepare` with layout `tasks<chunk, order>` means, computed on
// the host. Other places that build task lists (kernels, the CPU lowering) give
// the same lines.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_TASKS_H
#define AUTOSAGE_CORE_TASKS_H

#include "autosage/Core/Csr.h"
#include "autosage/Core/Types.h"

#include <cstdint>
#include <vector>

namespace autosage {

/// The pieces that a row of `length` entries makes: 1 up to one and a half
/// chunks (empty rows too), else ceil(length / chunk). Expects chunk >= 1.
int64_t piecesOfRow(int64_t length, int64_t chunk);

/// The number of tasks of a pattern with these positions. Expects valid
/// positions and chunk >= 1.
int64_t countTasks(const IndexView &rowptr, int64_t chunk);

/// Writes `countTasks` lines {row, begin, end, split} of `rowptr`'s type, with
/// split 0 for a whole row, else 1, 2, ... for its pieces. Expects a valid
/// pattern. Order `stored` is that of the rows; `length` by falling length of
/// the task, then by where in its row a piece begins, in 256ths: columns are
/// mostly sorted, and pieces that run at once read like columns; ties as
/// stored; `locality` that of `localityOrder`.
void buildTasks(const CsrView &csr, int64_t chunk, TaskOrder order,
                void *tasks);

/// A permutation of the rows that puts rows with common columns near each
/// other. The same pattern gives the same order on every machine. Expects a
/// valid pattern.
///
/// Square patterns: communities by label propagation (Raghavan, Albert and
/// Kumara 2007) over a sample of the neighbours, in rounds in which all rows
/// look at the labels of the round before, with a bound on the size of a
/// community. Others: min-hash (Broder 1997) of the columns.
std::vector<int64_t> localityOrder(const CsrView &csr);

} // namespace autosage

#endif // AUTOSAGE_CORE_TASKS_H
