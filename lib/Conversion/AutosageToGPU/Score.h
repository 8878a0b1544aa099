//===- Score.h - one number for every edge and head -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What SDDMM and the first step of attention have in common: a number from the
// two ends of an edge.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_SCORE_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_SCORE_H

#include "Edges.h"
#include "Rows.h"

#include "autosage/Core/Types.h"

namespace mlir::autosage::device {

/// out[e, h] = weights[e, h] * scale * score(i, j, h) + biases[e, h], where
/// dot: q[i, h] . k[j, h]; gatv2: vec[h] . leaky_relu(q[i, h] + k[j, h]);
/// gat: leaky_relu(q[i, h] + k[j, h]) of numbers. Slope 1 is no leaky ReLU.
struct ScoreOperands {
  ::autosage::Score kind;
  Buffer q, k, vec;
  Buffer weights, biases; // null, nnz, nnz x 1 or nnz x H
  Buffer out;             // nnz or nnz x H
  double scale = 1.0, slope = 1.0;
};

/// Adds to a kernel's key what its scores depend on besides its parameters.
void distinguishScores(KernelBuilder &kernel, const ScoreOperands &operands);
Value leakyRelu(Emitter &e, Value value, double slope);
/// The factor and the term of an edge; null where there is none.
struct ScoreExtras {
  Value weight, bias;
};
ScoreExtras loadScoreExtras(KernelBuilder::Body &body,
                            const KernelBuilder::View &weights,
                            const KernelBuilder::View &biases, Value edge,
                            Value head);
/// What becomes of `score`, of the accumulator's type.
Value finishScore(Emitter &e, const ScoreOperands &operands, Value score,
                  const ScoreExtras &extras);

/// Host code for all of `out`. No row need be whole: edges have outputs of
/// their own.
void emitScores(HostEmitter &host, KernelModule &kernels, Rows &rows,
                ScoreOperands operands, const Knobs &knobs);

/// Attention in one kernel, and one that merges pieces of cut rows: out[i, h] =
/// the sum over the edges (i, j) of softmax(score) * v[j, h]. Scores have
/// neither weights nor an output of their own. `lse` may be null.
void emitFusedAttention(HostEmitter &host, KernelModule &kernels, Rows &rows,
                        ScoreOperands scores, Buffer v, Buffer out, Buffer lse,
                        const Knobs &knobs);

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_SCORE_H
