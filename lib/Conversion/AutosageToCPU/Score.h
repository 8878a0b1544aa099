//===- Score.h - the score of an edge ---------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What SDDMM and attention compute from the two end points of an edge.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_SCORE_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_SCORE_H

#include "Emitter.h"
#include "Partition.h"

namespace mlir::autosage::cpu {

/// dot: q . k; gat: leaky_relu(q + k) of scalars; gatv2: vec . leaky_relu(q +
/// k). Built inside the parallel body.
class ScoreEmitter {
public:
  ScoreEmitter(Emitter &e, ::autosage::Score score, Value q, Value k, Value vec,
               double slope, Knobs knobs);

  /// The elements of q that a score takes: 1 for gat.
  static Value width(Emitter &e, ::autosage::Score score, Value q, Value k);

  /// Loads what the edges of a row share. Outside of the loop over edges.
  void setRow(Value row, Value head);
  Value currentHead() const { return head; }
  /// The score of the current row with `col`, a scalar.
  Value score(Value col);
  /// The scores with several columns as a vector. Each is the same whatever the
  /// others, and their number, are.
  Value scores(ArrayRef<Value> cols);
  /// Asks for what a score with the column of a later edge will read.
  void prefetch(const EdgeColumns &columns, Value edge);

private:
  /// What `col` adds to each lane of its score.
  Value lanesOf(Value col);
  /// Per-head operands have one head where the others have no such dimension.
  Value headOrZero() { return head ? head : e.idx(0); }

  Emitter &e;
  ::autosage::Score kind;
  Value q, k, vec;
  double slope;
  std::optional<FeatureSplit> split; // not for gat
  Value row, head;
  Value qScalar;                   // gat
  SmallVector<Value> qRow, vecRow; // where the split keeps rows in registers
};

/// `body` with the score of each edge of a piece, `unroll` of them at a time:
/// one edge and a scalar, or where `asVectors` several and a vector.
void forScores(Emitter &e, ScoreEmitter &scores, const EdgeColumns &columns,
               const Piece &piece, int64_t unroll, bool asVectors,
               function_ref<void(const Lanes &edges, Value score)> body);
/// The same with several scores of each edge.
void forScores(
    Emitter &e, ArrayRef<ScoreEmitter *> scores, const EdgeColumns &columns,
    const Piece &piece, int64_t unroll, bool asVectors,
    function_ref<void(const Lanes &edges, ArrayRef<Value> scores)> body);

} // namespace mlir::autosage::cpu

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_SCORE_H
