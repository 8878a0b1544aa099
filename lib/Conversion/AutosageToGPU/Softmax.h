//===- Softmax.h - softmax over the edges of a row --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What row_softmax and attention share.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_SOFTMAX_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_SOFTMAX_H

#include "Edges.h"
#include "Rows.h"

namespace mlir::autosage::device {

/// out[e, h] = softmax over the edges of a row of scale * logits[e, h]; both
/// are nnz or nnz x H and may be the same. Each of `lses`, rows or rows x H,
/// gets the logarithms of the sums of exponentials: -inf for rows without
/// weight.
struct SoftmaxOperands {
  Buffer logits, out;
  SmallVector<Buffer> lses;
  double scale = 1.0;
};

/// Host code for all of `out`.
void emitSoftmax(HostEmitter &host, KernelModule &kernels, Rows &rows,
                 SoftmaxOperands operands, const Knobs &knobs);

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_SOFTMAX_H
