//===- ScoreLanes.h - scores inside of fused kernels ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What fused attention and its gradients share: a segment of lanes that holds a
// row's own vector and takes its product with rows that edges name.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_SCORELANES_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_SCORELANES_H

#include "Score.h"

namespace mlir::autosage::device {

/// Features of an operand, read in vectors of `vec`.
struct FusedWidth {
  Extent features;
  int64_t vec;
};

/// How a row's heads and features are shared out among a group.
struct FusedSplit {
  HeadTile scores, values;
  HeadSplit heads;

  /// Without a width the operand is a number, or not there.
  static FusedSplit of(const Knobs &knobs, const Extent &heads,
                       const std::optional<FusedWidth> &scores,
                       const std::optional<FusedWidth> &values);
};

/// The widest vectors of one head that the types of `operands` allow, null ones
/// left out; what has to hold for them is added to `conditions`.
int64_t widestVector(HostEmitter &host, const Knobs &knobs, const Width &width,
                     ArrayRef<Buffer> operands,
                     SmallVectorImpl<Value> &conditions);

/// Both where both are there, else the one that is, which may be null.
Value both(Emitter &e, Value lhs, Value rhs);

/// The lane's side of q, k and vec, where q is the row's own and k is gathered
/// from.
class ScoreLanes {
public:
  using Body = KernelBuilder::Body;
  using View = KernelBuilder::View;

  ScoreLanes(Body &body, const ScoreOperands &ops, const HeadTile &tile,
             const KernelBuilder::Param &features, View q, View k, View vec,
             Value row, Value head, Value segmentLane);

  /// Rows of k that are loaded early; empty where they are not held.
  using Rows = SmallVector<SmallVector<Value>>;
  Rows load(ArrayRef<Value> columns);
  /// To the partial sums of the lane for each edge.
  SmallVector<Value> sums(ArrayRef<Value> columns, const Rows &rows);
  /// The sum of the two numbers of gat.
  Value sumOfNumbers(Value column);

  struct Tile {
    SmallVector<HeadColumn> columns;
    SmallVector<Value> q, factors; // widened
  };
  /// The lane's columns from feature `start` on.
  Tile tileAt(Value start);
  /// Where one tile holds all features, that one: it stays in registers.
  const Tile *residentTile() const { return isResident ? &resident : nullptr; }
  /// The address of a feature of the head.
  Value address(const View &view, Value row, Value column);

private:
  SmallVector<Value> add(const Tile &tile, const Rows &rows, ValueRange sums);

  Body &body;
  Emitter &e;
  const ScoreOperands &ops;
  HeadTile tile;
  KernelBuilder::Param features;
  View q, k, vec;
  Value row, head, segmentLane;
  FloatType acc;
  bool hasHeads, isResident;
  Tile resident;
  SmallVector<Value> bases; // of the resident columns in row 0 of k
  Value number;             // of gat
};

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_SCORELANES_H
