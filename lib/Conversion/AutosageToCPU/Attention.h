//===- Attention.h - both forms of attention on the CPU ---------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What fused and composed attention share: operands and widths, logits and
// weighted sums over a run of edges, and what becomes of the sums of a row.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_ATTENTION_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_ATTENTION_H

#include "Partition.h"
#include "Score.h"
#include "Softmax.h"

namespace mlir::autosage::cpu {

class AttentionEmitter {
public:
  AttentionEmitter(OpBuilder &builder, Location loc, CsrOperands csr,
                   AttentionOperands operands, ::autosage::Score score,
                   double scale, double slope, Knobs knobs,
                   Partition &partition);

  void emitFused();
  void emitComposed();

private:
  ScoreEmitter makeScores() {
    return {e, score, operands.q, operands.k, operands.vec, slope, scoreKnobs};
  }

  /// Logits of the edges of a piece to `buffer`, from `place` on. The head of
  /// `scores` and `biases` is set.
  /// Asks for what the weighted sum will gather too, with `values`.
  void emitLogits(ScoreEmitter &scores, const Piece &piece, Value buffer,
                  Value place, const FeatureSplit *values = nullptr);
  /// init + the sum over the edges of a piece of weight * v[col, head, tile];
  /// their weights lie in `buffer` from `place` on.
  SmallVector<Value> emitWeightedSum(Value buffer, Value place,
                                     ArrayRef<Lanes> tile, const Piece &piece,
                                     Value head, ValueRange init,
                                     bool prefetches);
  /// out[row, head, tile] = factor * sums, 0 where the row is dead.
  void emitOutput(ArrayRef<Lanes> tile, Value row, Value head, ValueRange sums,
                  Value factor, Value dead);
  /// lse[row, head] = max + log(sum).
  void emitLogSumExp(Value row, Value head, const RowMax &max, Value sum);
  /// Before and after the loops over blocks.
  void begin();
  void mergeCutRows();
  void end();

  Emitter e;
  CsrOperands csr;
  AttentionOperands operands;
  ::autosage::Score score;
  double scale, slope;
  Knobs knobs, scoreKnobs, valueKnobs;
  Partition &partition;
  EdgeScalars biases;
  EdgeColumns columns;
  Value heads; // null without
  Value valueFeatures;
  Value partials, stats; // of cut rows
};

} // namespace mlir::autosage::cpu

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_ATTENTION_H
