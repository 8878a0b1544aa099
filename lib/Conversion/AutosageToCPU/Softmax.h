//===- Softmax.h - softmax over a run of edges ------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a softmax that row_softmax and attention share. Its corner
// cases (docs/semantics.md, rule 3) are kept here: a row without a logit above
// -inf has maximum -inf; subtracting that would turn its zeros into NaN.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_SOFTMAX_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_SOFTMAX_H

#include "Emitter.h"
#include "Partition.h"

namespace mlir::autosage::cpu {

/// What an edge of a softmax costs, as elements of a sum: an exponential is
/// some 20 instructions, and the row is walked three times.
inline constexpr int64_t kSoftmaxWidth = 16;

/// The maximum of a row (scalar, or one a lane) and what follows from it.
struct RowMax {
  RowMax(Emitter &e, Value max);

  Value max;
  Value dead;  // whether max is -inf: no edges, or none above -inf
  Value shift; // what logits are lowered by: max, 0 where dead
};

/// Elements `lanes` of rank-1 `buffer` times `scale`; masked-off lanes -inf.
Value loadLogits(Emitter &e, Value buffer, const Lanes &lanes, double scale);

/// The maximum over [lo, hi), a scalar; -inf for none.
Value emitLogitMax(Emitter &e, Value buffer, Value lo, Value hi, int64_t width,
                   double scale);

/// The sum of exp(scale * buffer - shift) over [lo, hi), a scalar. Stores the
/// exponentials to `out` at the same positions unless that is null.
Value emitExpSum(Emitter &e, Value buffer, Value out, Value lo, Value hi,
                 int64_t width, double scale, Value shift);

//===----------------------------------------------------------------------===//
// Cut rows
//===----------------------------------------------------------------------===//

/// slots x 2 x heads: of each piece and head the maximum, and the sum of
/// exp(logit - maximum), with the shift of RowMax for the maximum. Null where
/// rows are not cut.
Value allocPieceStats(Emitter &e, const Partition &partition, Value heads);
void storePieceStats(Emitter &e, Value stats, Value slot, Value head, Value max,
                     Value sum);
std::pair<Value, Value> loadPieceStats(Emitter &e, Value stats, Value slot,
                                       Value head);
/// exp(maximum of the piece - shift).
Value pieceWeight(Emitter &e, Value stats, Value slot, Value head, Value shift);

/// Maximum and sum of exponentials of a row and head, from its pieces.
struct MergedRow {
  MergedRow(Emitter &e, const CutRow &row, Value stats, Value head);
  RowMax max;
  Value sum;
};

} // namespace mlir::autosage::cpu

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_SOFTMAX_H
