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

/// The maximum of some logits and the sum of exp(logit - maximum), in scalars
/// of the accumulator's type. Of none: -inf and 0.
struct SoftmaxStats {
  Value max, sum;
  static SoftmaxStats none(Emitter &e, FloatType acc);
  /// Whether no logit lies above -inf.
  Value isDead(Emitter &e) const;
  /// What logits are lowered by: the maximum, 0 where that is -inf, since
  /// subtracting that would make NaN of it.
  Value shift(Emitter &e) const { return shiftOf(e, max); }
  static Value shiftOf(Emitter &e, Value max);
  /// What exponentials are multiplied by: 1 / sum, 0 where there is no weight.
  Value factor(Emitter &e) const;
  /// The logarithm of the sum of exponentials, -inf where there is no weight.
  Value logSumExp(Emitter &e) const;
};
/// -inf, of a type of floating point.
Value negativeInfinity(Emitter &e, Type type);

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
