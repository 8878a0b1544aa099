//===- Kernels.h - the operations as GPU kernels ----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function per operation. Each inserts host code at the emitter's insertion
// point: alignment tests, scratch, launches; kernels go into the KernelModule.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_KERNELS_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_KERNELS_H

#include "Columns.h"
#include "Rows.h"

#include "autosage/Core/Types.h"

namespace mlir::autosage::device {

/// y[i] = reduction over the edges e = (i, j) of values[e] * x[j]; with
/// `transpose` over the edges (j, i). `values` may be null (all ones) or has
/// shape nnz, nnz x 1 or nnz x H. x and y are n x F or n x H x F.
/// `accumulate` (sum and mean) adds to y what it would have held.
void emitSpmm(HostEmitter &host, KernelModule &kernels, const Csr &csr,
              Value values, Value x, Value y, ::autosage::Reduction reduction,
              bool transpose, bool accumulate,
              const ::autosage::Schedule &schedule);

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_KERNELS_H
