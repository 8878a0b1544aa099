//===- KernelSpecOf.h - an op as the oracle's kernel ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_DIALECT_AUTOSAGE_IR_KERNELSPECOF_H
#define AUTOSAGE_DIALECT_AUTOSAGE_IR_KERNELSPECOF_H

#include "autosage/Core/Kernel.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"

namespace mlir::autosage {

/// The op as a kernel, without schedule and statistics, with the fields that a
/// plan for the same call has: stored decisions are found under either.
::autosage::KernelSpec kernelSpecOf(SparseOpInterface op);

/// What statistics are known of the op's pattern: its own and those of the
/// value, where rows, nnz, mean and max are among them. What is missing is what
/// rows that are alike would have.
std::optional<::autosage::InputStats> completeStatsOf(SparseOpInterface op);

} // namespace mlir::autosage

#endif // AUTOSAGE_DIALECT_AUTOSAGE_IR_KERNELSPECOF_H
