//===- WalkLane.h - one lane's part in a walk of gradients ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of the kernel that AttentionBackward.cpp launches.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_WALKLANE_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_WALKLANE_H

#include "ScoreLanes.h"

namespace mlir::autosage::device {

/// A sum of gradients over the edges of a row, for each feature.
struct WalkSum {
  enum Term {
    product, // factor * row
    slopes,  // factor * leaky_relu'(own + row), by vec in the end
    leaky    // factor * leaky_relu(own + row)
  } term = product;
  /// The factor is the weight of an edge, else the gradient of its score. The
  /// rows are those of the values' product, else of the scores'.
  bool byWeight = false;
  KernelBuilder::View out, partials;
};

/// What the kernel is made with.
struct WalkKernel {
  using View = KernelBuilder::View;
  using Param = KernelBuilder::Param;

  WalkKernel(bool ofQueries, const ScoreOperands &scores,
             const ScoreOperands &values, const FusedSplit &split,
             int64_t unroll, FloatType acc)
      : ofQueries(ofQueries), scores(scores), values(values), split(split),
        unroll(unroll), acc(acc) {}

  bool ofQueries;
  /// q is the row's own, k what is gathered: of q and k, and of do and v.
  const ScoreOperands &scores, &values;
  FusedSplit split;
  int64_t unroll;
  FloatType acc;
  Param heads, features, valueFeatures;
  Param tiles; // of features, a block for each
  View colind, edges, biases, ownScores, otherScores, vec;
  View ownValues, otherValues, o, lse, delta, dLogits;
  /// Of gat, whose gradient in q or k is a number.
  View numbers, partialNumbers;
  std::vector<WalkSum> sums;

  bool isGat() const { return scores.kind == ::autosage::Score::gat; }
  int64_t segment() const { return split.heads.segment; }
  /// Whether it matters that a key has edges to rows that are not masked; of a
  /// query the row itself says so.
  bool countsEdges() const {
    return !ofQueries && scores.kind == ::autosage::Score::gatv2;
  }
  /// Edges of a group whose scores end in one lane, and lanes that have one.
  int64_t shared() const { return std::max<int64_t>(1, unroll / segment()); }
  int64_t lanesPerEdge() const {
    return std::max<int64_t>(1, segment() / unroll);
  }
};

class WalkLane {
public:
  using Body = KernelBuilder::Body;
  using View = KernelBuilder::View;

  WalkLane(Body &body, const WalkKernel &kernel, const Piece &piece,
           Value laneNumber);
  /// All edges of the piece; stores what is summed up.
  void run(const Rows &rows);

private:
  /// A sum in the making.
  struct Sum {
    WalkSum what;
    ScoreLanes &lanes; // with the same rows
    HeadTile tile;
    KernelBuilder::Param features;
    View own, other;
    bool isResident; // elements are those that the product has loaded
    SmallVector<HeadColumn> columns;
    SmallVector<Value> ownElements, bases;
    Value isMine; // whether the block has features of it; null: it has
    size_t first; // its place among what the walk carries
  };
  /// What a lane has of the edges whose scores end in it, and all that a group
  /// loads.
  struct Group {
    SmallVector<Value> columns; // of all edges
    SmallVector<Value> edges, edgeColumns, active;
    SmallVector<ScoreExtras> extras;
    SmallVector<Value> logs, deltas;
    ScoreLanes::Rows scoreRows, valueRows;
    SmallVector<Value> weights, gradients;
  };

  Value number(const View &view, Value row);
  Value isMasked(Value log);
  Value isTrue(bool value);
  Value alive(Value value);
  void readRow();
  Sum makeSum(const WalkSum &what);
  Value loadElement(const Sum &sum, const View &view, Value address);
  void beginSums();
  Group load(const Emitter::EdgeGroup &group);
  void weigh(Group &at);
  void storeLogitGradient(const Group &at, size_t i, Value gradient);
  Value spread(ArrayRef<Value> shares, size_t edge);
  SmallVector<Value> add(const Sum &sum, const Emitter::EdgeGroup &group,
                         size_t edge, Value factor, Value isOff,
                         ArrayRef<Value> elements, ArrayRef<Value> old);
  SmallVector<Value> step(const Emitter::EdgeGroup &group, ValueRange carried);
  void finish();
  void store(Value row, bool isPartial);

  Body &body;
  Emitter &e;
  const WalkKernel &kernel;
  Piece piece;
  FloatType acc;
  Value tileNumber; // null: there is one
  Value mask, lane, head, isHead;
  Value isFirst; // one lane, of one block, for what there is once a head
  Value zero;
  std::optional<ScoreLanes> scoreLanes, valueLanes;
  /// Of the row, walking queries.
  Value rowLse, rowDelta, isDead;
  std::vector<Sum> sums;
  SmallVector<Value> totals;
};

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_WALKLANE_H
