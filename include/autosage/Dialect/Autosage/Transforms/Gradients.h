//===- Gradients.h - gradients of sparse ops as IR --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the gradients of an op's operands from the gradient of its result, as
// ops that every target lowers. The op is on tensors; what is built goes to the
// builder's place, where the op's operands and results are to be seen.
// docs/gradients.md has the formulae and the rules.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMS_GRADIENTS_H
#define AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMS_GRADIENTS_H

#include "autosage/Dialect/Autosage/IR/Autosage.h"

namespace mlir::autosage {

/// A gradient has the type of its operand; null where the op has no such
/// operand.
struct SpmmGradients {
  Value x, values;
  Value outs; // where accumulate reads it
};
SpmmGradients buildSpmmGradients(OpBuilder &builder, SpmmOp op, Value dy);

struct SddmmGradients {
  Value q, k, values;
};
SddmmGradients buildSddmmGradients(OpBuilder &builder, SddmmOp op, Value ds);

/// The gradient of the logits.
Value buildRowSoftmaxGradient(OpBuilder &builder, RowSoftmaxOp op, Value da);

struct AttentionGradients {
  Value q, k, v, vec, bias;
};
/// An `attention_backward`. `op` gives its log-sum-exp.
AttentionGradients buildAttentionGradients(OpBuilder &builder, AttentionOp op,
                                           Value dO);

/// What `attention_backward` computes, as ops that have kernels: its results.
SmallVector<Value> expandAttentionBackward(OpBuilder &builder,
                                           AttentionBackwardOp op,
                                           bool composed = false);

} // namespace mlir::autosage

#endif // AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMS_GRADIENTS_H
