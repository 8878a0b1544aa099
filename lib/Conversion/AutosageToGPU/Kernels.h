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

/// out[e] = scale * values[e] * (q[i] . k[j]), or of q[i] + k[j], for every
/// edge e = (i, j) and head. `values` as in SpMM; out is nnz or nnz x H; q and
/// k are n x F or n x H x F (dot), or n x H (add).
void emitSddmm(HostEmitter &host, KernelModule &kernels, const Csr &csr,
               Value values, Value q, Value k, Value out,
               ::autosage::Combine combine, double scale,
               const ::autosage::Schedule &schedule);

/// out[e] = softmax over the edges of a row of scale * logits[e], nnz or nnz x
/// H; out may be exactly the logits.
void emitRowSoftmax(HostEmitter &host, KernelModule &kernels, const Csr &csr,
                    Value logits, Value out, double scale,
                    const ::autosage::Schedule &schedule);

/// The operands of the attention op; `bias`, `vec` and `lse` may be null.
struct AttentionOperands {
  Value bias, q, k, v, vec, out, lse;
};
/// By the schedule's knob `attention` in one kernel, or as scores, softmax and
/// weighted sums one after the other, with a scratch number for every edge and
/// head between them.
void emitAttention(HostEmitter &host, KernelModule &kernels, const Csr &csr,
                   const AttentionOperands &operands, ::autosage::Score score,
                   double scale, double slope,
                   const ::autosage::Schedule &schedule);

/// The operands of one walk of attention's gradients. With `o` it is that of
/// the queries: `delta` is written, `dScores` is dq. Without, it is that of the
/// keys on the transposed pattern: `delta` is read, `dScores` is dk, and
/// `edges` says where biases of edges are. All of `edges`, `bias`, `vec`,
/// `vecParts` and `dLogits` may be null.
struct WalkOperands {
  Value bias, edges, q, k, v, vec, o, lse, dO, delta;
  Value dScores, dValues, vecParts, dLogits;
};
void emitBackwardWalk(HostEmitter &host, KernelModule &kernels, const Csr &csr,
                      const WalkOperands &operands, ::autosage::Score score,
                      double scale, double slope,
                      const ::autosage::Schedule &schedule);

/// y[i] = the sum of the pieces of row i, for rows that are cut; others stay.
/// `pieces` is slots x columns of the accumulator's type, by `Rows::slot`.
void emitPieceSums(HostEmitter &host, KernelModule &kernels, Rows &rows,
                   Buffer pieces, Buffer y, const Knobs &knobs);

/// y[i] = the sum over the edges e = (i, j) of weights[e] * x[j]; 0 where
/// lse[i] is -inf, per head. Weights may have the accumulator's type.
void emitWeightedSums(HostEmitter &host, KernelModule &kernels, Rows &rows,
                      Buffer weights, Buffer x, Buffer y, Buffer lse,
                      const Knobs &knobs);

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_KERNELS_H
