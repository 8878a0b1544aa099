//===- ScoreLanes.cpp - scores inside of fused kernels --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreLanes.h"

#include "llvm/Support/MathExtras.h"

using ::autosage::Score;

namespace mlir::autosage::device {

Value both(Emitter &e, Value lhs, Value rhs) {
  return lhs && rhs ? e.andB(lhs, rhs) : lhs ? lhs : rhs;
}

//===----------------------------------------------------------------------===//
// Who takes what
//===----------------------------------------------------------------------===//

/// Columns of k, and as many of v, that a lane may hold for all edges in
/// flight.
static constexpr int64_t kColumnsInFlight = 64;

/// Features of a tile, of which a lane holds at most `kColumnsInFlight` for all
/// edges in flight; several tiles are of about one size.
static int64_t tileOf(const Knobs &knobs, const Extent &features, int64_t vec) {
  int64_t most = knobs.lanes ? knobs.lanes : kWarp;
  int64_t vectors =
      std::max<int64_t>(1, kColumnsInFlight / (knobs.unroll * vec));
  int64_t tile = knobs.tile ? knobs.tile : most * vec * vectors;
  if (!features.fixed)
    return knobs.tile ? tile : most * vec;
  int64_t number = llvm::divideCeil(*features.fixed, tile);
  return number == 0 ? 1 : llvm::divideCeil(*features.fixed, number);
}

FusedSplit FusedSplit::of(const Knobs &knobs, const Extent &heads,
                          const std::optional<FusedWidth> &scores,
                          const std::optional<FusedWidth> &values) {
  int64_t most = knobs.lanes ? knobs.lanes : kWarp;
  int64_t segment = 1;
  auto tileAndWiden = [&](const std::optional<FusedWidth> &width) -> int64_t {
    if (!width)
      return 1;
    int64_t tile = tileOf(knobs, width->features, width->vec);
    int64_t lanes = llvm::PowerOf2Ceil(llvm::divideCeil(tile, width->vec));
    segment = std::max(segment, std::min(most, lanes));
    return tile;
  };
  int64_t scoreTile = tileAndWiden(scores), valueTile = tileAndWiden(values);
  FusedSplit split;
  split.heads = HeadSplit::of(knobs, heads, segment);
  auto tile = [&](int64_t features,
                  const std::optional<FusedWidth> &width) -> HeadTile {
    int64_t vec = width ? width->vec : 1;
    return {vec, split.heads.segment,
            static_cast<int64_t>(llvm::divideCeil(features, segment * vec))};
  };
  split.scores = tile(scoreTile, scores);
  split.values = tile(valueTile, values);
  return split;
}

int64_t widestVector(HostEmitter &host, const Knobs &knobs, const Width &width,
                     ArrayRef<Buffer> operands,
                     SmallVectorImpl<Value> &conditions) {
  SmallVector<Buffer, 0> given;
  for (const Buffer &operand : operands)
    if (operand)
      given.push_back(operand);
  int64_t vec = vectorWidth(knobs, width, /*perHead=*/true, given);
  if (vec > 1)
    conditions.push_back(vectorsFit(host, vec, width, /*perHead=*/true, given));
  return vec;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

ScoreLanes::ScoreLanes(Body &body, const ScoreOperands &ops,
                       const HeadTile &tile,
                       const KernelBuilder::Param &features, View q, View k,
                       View vec, Value row, Value head, Value segmentLane)
    : body(body), e(body.e), ops(ops), tile(tile), features(features), q(q),
      k(k), vec(vec), row(row), head(head), segmentLane(segmentLane),
      acc(accumulatorType(q.element)), hasHeads(ops.q.rank() == 3),
      isResident(tile.holds(features.getFixed())) {
  if (ops.kind == Score::gat) {
    number = e.widen(e.load(body.at(q, {row, head}), q.element), acc);
  } else if (isResident) {
    resident = tileAt(e.i64(0));
    for (const HeadColumn &column : resident.columns)
      bases.push_back(address(k, e.i64(0), column.number));
  }
}

Value ScoreLanes::address(const View &view, Value row, Value column) {
  if (hasHeads)
    return body.at(view, {row, head, column});
  return body.at(view, {row, column});
}

ScoreLanes::Tile ScoreLanes::tileAt(Value start) {
  Tile result;
  result.columns = headColumns(body, tile, features, start, segmentLane);
  auto load = [&](const View &view, Value where) {
    return e.widen(e.load(where, view.element, tile.vec, view.alignment), acc);
  };
  for (const HeadColumn &column : result.columns) {
    result.q.push_back(load(q, address(q, row, column.number)));
    if (vec)
      result.factors.push_back(load(vec, body.at(vec, {head, column.number})));
  }
  return result;
}

ScoreLanes::Rows ScoreLanes::load(ArrayRef<Value> columns) {
  Rows rows;
  if (ops.kind == Score::gat || !isResident)
    return rows;
  for (Value column : columns) {
    Value offset = body.offset(k, {column});
    SmallVector<Value> elements;
    for (Value base : bases)
      elements.push_back(e.load(e.at(base, k.element, offset), k.element,
                                tile.vec, k.alignment));
    rows.push_back(elements);
  }
  return rows;
}

SmallVector<Value> ScoreLanes::add(const Tile &at, const Rows &rows,
                                   ValueRange sums) {
  SmallVector<Value> next = llvm::to_vector_of<Value>(sums);
  for (size_t i = 0; i < at.columns.size(); ++i) {
    SmallVector<Value> left, right;
    for (ArrayRef<Value> elements : rows) {
      Value wide = e.widen(elements[i], acc);
      left.push_back(vec ? at.factors[i] : at.q[i]);
      right.push_back(vec ? leakyRelu(e, e.add(at.q[i], wide), ops.slope)
                          : wide);
    }
    SmallVector<Value> more = e.dotColumns(left, right, next);
    // Not by a zero in q: k may hold an infinity.
    Value inside = at.columns[i].inside;
    for (auto [sum, old] : llvm::zip_equal(more, next))
      old = inside ? e.select(inside, sum, old) : sum;
  }
  return next;
}

SmallVector<Value> ScoreLanes::sums(ArrayRef<Value> columns, const Rows &rows) {
  SmallVector<Value> zeros(columns.size(), e.constant(0.0, acc));
  if (isResident)
    return add(resident, rows, zeros);
  return e.forLoop(e.i64(0), body(features), tile.columns(), zeros,
                   [&](Value start, ValueRange carried) {
                     Tile at = tileAt(start);
                     Rows loaded;
                     for (Value edgeColumn : columns) {
                       SmallVector<Value> elements;
                       for (const HeadColumn &column : at.columns)
                         elements.push_back(
                             e.load(address(k, edgeColumn, column.number),
                                    k.element, tile.vec, k.alignment));
                       loaded.push_back(elements);
                     }
                     return add(at, loaded, carried);
                   });
}

Value ScoreLanes::sumOfNumbers(Value column) {
  Value other = e.load(body.at(k, {column, head}), k.element);
  return e.add(number, e.widen(other, acc));
}

} // namespace mlir::autosage::device
