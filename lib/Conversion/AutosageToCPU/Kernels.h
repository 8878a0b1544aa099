//===- Kernels.h - loops of the CPU kernels on memrefs ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function per kernel; each inserts its loops at the builder's insertion
// point and knows nothing of the autosage ops. All follow one form, after the
// measured shape "rows in parallel, vector accumulators over the edges": an
// `scf.parallel` over the blocks of a Partition (which is what a schedule
// family chooses), in it a sequential loop over the rows of the block, and for
// every tile of features one walk over the edges of the row with the
// accumulators in registers. An output element is written by one iteration in a
// fixed order of edges, so results do not depend on threads.
//
// Dense operands may have any strides. Where the innermost stride is statically
// 1 the kernels use vector accesses that assume no more than element alignment;
// else they work on one element at a time.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_KERNELS_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_KERNELS_H

#include "autosage/Core/Types.h"

#include "mlir/IR/Builders.h"

namespace mlir::autosage::cpu {

class Partition;

/// The arrays of a CSR pattern: contiguous rank-1 memrefs of i32, i64 or index
/// (rows + 1 positions, nnz columns) and the number of columns, an index.
struct CsrOperands {
  Value rowptr;
  Value colind;
  Value numCols;
};

/// Lanes of a vector, and features handled in one walk over the edges of a row
/// (rounded to whole vectors).
struct Knobs {
  int64_t vec;
  int64_t tile;
  int64_t unroll = 1;   // edges of a row in one pass of a loop
  int64_t prefetch = 0; // edges between a gather and its prefetch; 0: none
};

/// y[i] = reduction over the edges e = (i, j) of values[e] * x[j]; with
/// `transpose` over the edges (j, i). `values` may be null (all ones) or has
/// shape nnz, nnz x 1 or nnz x H. x and y are n x F or n x H x F.
/// `accumulate` (sum and mean) adds to y what it would have held.
void emitSpmm(OpBuilder &builder, Location loc, CsrOperands csr, Value values,
              Value x, Value y, ::autosage::Reduction reduction, bool transpose,
              bool accumulate, Knobs knobs, Partition &partition);

/// out[e] = scale * values[e] * (q[i] . k[j]) for dot (q, k: n x F or n x H x
/// F, out: nnz or nnz x H) and scale * values[e] * (q[i] + k[j]) for add (q, k:
/// n x H, out: nnz x H; without heads: n and nnz).
void emitSddmm(OpBuilder &builder, Location loc, CsrOperands csr, Value values,
               Value q, Value k, Value out, ::autosage::Combine combine,
               double scale, Knobs knobs, Partition &partition);

/// out[e] = softmax of scale * s over the edges of a row, for every head.
/// `out` may be the very buffer `s`.
void emitRowSoftmax(OpBuilder &builder, Location loc, CsrOperands csr, Value s,
                    Value out, double scale, Knobs knobs, Partition &partition);

/// Operands of attention; bias, vec and lse may be null.
struct AttentionOperands {
  Value bias; // nnz, nnz x 1 or nnz x H
  Value q, k; // rows x F or rows x H x F; gat: rows x H
  Value v;    // cols x Dv or cols x H x Dv
  Value vec;  // gatv2 only: H x F, without heads 1 x F
  Value out;  // rows x Dv or rows x H x Dv
  Value lse;  // rows or rows x H
};

/// out[i] = softmax over the edges (i, j) of (scale * score(q[i], k[j]) + bias)
/// applied to v; lse is the logarithm of the sum of exponentials. `slope` is
/// that of the leaky ReLU in gat and gatv2. `fused`: in one walk over the edges
/// of a row, else logits, softmax and sums one after the other.
void emitAttention(OpBuilder &builder, Location loc, CsrOperands csr,
                   AttentionOperands operands, ::autosage::Score score,
                   double scale, double slope, bool fused, Knobs knobs,
                   Partition &partition);

/// Operands of the gradients of attention; names as in AttentionOperands. `o`,
/// `outVecParts` and `outLogits` are of the walk over the edges of queries, the
/// last two may be null. There `outDelta` is written, and `delta` is null.
struct AttentionBackwardOperands {
  Value bias;
  Value edges; // of keys: where in the bias the edges are; null: in order
  Value q, k, v, vec, o, lse, delta, dO;
  Value dq, outDelta, outVecParts, outLogits; // queries
  Value dk, dv;                               // keys
};

/// The gradients of attention in the queries, and do . o of each row and head.
void emitAttentionBackwardQ(OpBuilder &builder, Location loc, CsrOperands csr,
                            AttentionBackwardOperands operands,
                            ::autosage::Score score, double scale, double slope,
                            Knobs knobs, Partition &partition);

/// Those in the keys and values, over the transposed pattern.
void emitAttentionBackwardKV(OpBuilder &builder, Location loc, CsrOperands csr,
                             AttentionBackwardOperands operands,
                             ::autosage::Score score, double scale,
                             double slope, Knobs knobs, Partition &partition);

/// Fills outRowptr (numCols + 1), outColind (nnz: row numbers) and outPerm
/// (nnz: edge numbers, may be null) with the transposed pattern. Entries of a
/// transposed row keep the order of their edges. A sequential counting sort.
void emitBuildTranspose(OpBuilder &builder, Location loc, Value rowptr,
                        Value colind, Value numCols, Value outRowptr,
                        Value outColind, Value outPerm);

/// The number of tasks that `emitBuildTasks` makes: a row longer than 1.5 x
/// chunk is cut into ceil(length / chunk) pieces, any other row is one task.
Value emitCountTasks(OpBuilder &builder, Location loc, Value rowptr,
                     int64_t chunk);

/// Fills tasks (count x 4) with {row, begin, end, split}. Split is 0 for a
/// whole row and 1 + the number of the piece for a piece; empty rows are tasks
/// with begin = end, so that their outputs are written. Order `stored` is that
/// of the rows, `length` by falling length and stable. Order `locality` is made
/// by the runtime and not here: a failure, nothing is emitted.
LogicalResult emitBuildTasks(OpBuilder &builder, Location loc, Value rowptr,
                             int64_t chunk, ::autosage::TaskOrder order,
                             Value tasks);

} // namespace mlir::autosage::cpu

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_KERNELS_H
