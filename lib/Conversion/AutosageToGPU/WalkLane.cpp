//===- WalkLane.cpp - one lane's part in a walk of gradients --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WalkLane.h"

#include "Softmax.h"

namespace mlir::autosage::device {

/// The slope of the leaky ReLU at each column of `value`.
static Value slopeAt(Emitter &e, Value value, double slope) {
  Type type = value.getType();
  Value isPositive =
      e.cmpF(arith::CmpFPredicate::OGE, value, e.constant(0.0, type));
  return e.select(isPositive, e.constant(1.0, type), e.constant(slope, type));
}

//===----------------------------------------------------------------------===//
// What belongs to the row
//===----------------------------------------------------------------------===//

WalkLane::WalkLane(Body &body, const WalkKernel &kernel, const Piece &piece,
                   Value laneNumber)
    : body(body), e(body.e), kernel(kernel), piece(piece), acc(kernel.acc),
      zero(e.constant(0.0, acc)) {
  Value headTile = body.blockY;
  if (!kernel.tiles.is(1)) {
    tileNumber = e.remI(body.blockY, body(kernel.tiles));
    headTile = e.divI(body.blockY, body(kernel.tiles));
  }
  mask = e.groupMask(kernel.segment());
  lane = e.remI(laneNumber, kernel.segment());
  HeadSplit::Lane who =
      kernel.split.heads.laneOf(body, headTile, laneNumber, kernel.heads);
  head = who.head;
  isHead = who.isHead;
  isFirst = both(e, e.isZero(lane), isHead);
  if (tileNumber)
    isFirst = e.andB(isFirst, e.isZero(tileNumber));
  scoreLanes.emplace(body, kernel.scores, kernel.split.scores, kernel.features,
                     kernel.ownScores, kernel.otherScores, kernel.vec,
                     piece.row, head, lane);
  valueLanes.emplace(body, kernel.values, kernel.split.values,
                     kernel.valueFeatures, kernel.ownValues, kernel.otherValues,
                     View(), piece.row, head, lane);
}

Value WalkLane::number(const View &view, Value row) {
  return e.widen(e.load(body.at(view, {row, head}), view.element), acc);
}

Value WalkLane::isMasked(Value log) {
  return e.cmpF(arith::CmpFPredicate::OEQ, log, negativeInfinity(e, acc));
}

/// Masked rows are 0 whatever was summed up.
Value WalkLane::alive(Value value) {
  if (!isDead)
    return value;
  return e.select(isDead, e.constant(0.0, value.getType()), value);
}

/// The log-sum-exp, and do . o, which each piece of a row computes for itself
/// and the first one stores.
void WalkLane::readRow() {
  rowLse = number(kernel.lse, piece.row);
  isDead = isMasked(rowLse);
  int64_t vec = kernel.split.values.vec;
  auto product = [&](const ScoreLanes::Tile &tile, Value sum) {
    for (auto [column, own] : llvm::zip_equal(tile.columns, tile.q)) {
      Value address = valueLanes->address(kernel.o, piece.row, column.number);
      Value element = e.widen(
          e.load(address, kernel.o.element, vec, kernel.o.alignment), acc);
      Value next = e.dotColumns({own}, {element}, {sum})[0];
      sum = column.inside ? e.select(column.inside, next, sum) : next;
    }
    return sum;
  };
  Value sum;
  if (const ScoreLanes::Tile *tile = valueLanes->residentTile())
    sum = product(*tile, zero);
  else
    sum = e.forLoop(e.i64(0), body(kernel.valueFeatures),
                    kernel.split.values.columns(), zero,
                    [&](Value start, ValueRange carried) {
                      return SmallVector<Value>{
                          product(valueLanes->tileAt(start), carried[0])};
                    })[0];
  rowDelta = alive(e.sumLanes(sum, kernel.segment()));
  Value writes = isFirst;
  if (piece.split)
    writes = e.andB(writes, e.lessThan(piece.split, e.i64(2)));
  e.ifThen(writes, [&] {
    e.store(rowDelta, body.at(kernel.delta, {piece.row, head}));
  });
}

/// A vector of the block's features of a sum; 0 where it has none.
Value WalkLane::loadElement(const Sum &sum, const View &view, Value address) {
  Type type = Emitter::columnsType(acc, sum.tile.vec);
  return e.ifThen(sum.isMine, e.constant(0.0, type), [&] {
    Value element = e.load(address, view.element, sum.tile.vec, view.alignment);
    return SmallVector<Value>{e.widen(element, acc)};
  })[0];
}

WalkLane::Sum WalkLane::makeSum(const WalkSum &what) {
  bool byWeight = what.byWeight;
  ScoreLanes &lanes = byWeight ? *valueLanes : *scoreLanes;
  Sum sum{what,
          lanes,
          byWeight ? kernel.split.values : kernel.split.scores,
          byWeight ? kernel.valueFeatures : kernel.features,
          byWeight ? kernel.ownValues : kernel.ownScores,
          byWeight ? kernel.otherValues : kernel.otherScores,
          /*isResident=*/false,
          {},
          {},
          {},
          Value(),
          totals.size()};
  const ScoreLanes::Tile *resident = lanes.residentTile();
  if (resident && !tileNumber) {
    sum.isResident = true;
    sum.columns = resident->columns;
    sum.ownElements = resident->q;
    return sum;
  }
  // Tiles of several sums need not be as many.
  Value start = e.i64(0);
  if (resident && tileNumber) {
    sum.isMine = e.isZero(tileNumber);
  } else {
    if (tileNumber)
      start = e.mulI(tileNumber, sum.tile.columns());
    sum.isMine = e.lessThan(start, body(sum.features));
  }
  sum.columns = headColumns(body, sum.tile, sum.features, start, lane);
  for (HeadColumn &column : sum.columns) {
    column.inside = both(e, column.inside, sum.isMine);
    sum.bases.push_back(lanes.address(sum.other, e.i64(0), column.number));
    if (what.term != WalkSum::product)
      sum.ownElements.push_back(loadElement(
          sum, sum.own, lanes.address(sum.own, piece.row, column.number)));
  }
  return sum;
}

void WalkLane::beginSums() {
  if (kernel.numbers)
    totals.push_back(zero);
  for (const WalkSum &what : kernel.sums) {
    sums.push_back(makeSum(what));
    Type type = Emitter::columnsType(acc, sums.back().tile.vec);
    totals.append(sums.back().columns.size(), e.constant(0.0, type));
  }
  if (kernel.countsEdges())
    totals.push_back(isTrue(false));
}

Value WalkLane::isTrue(bool value) {
  return arith::ConstantOp::create(e.b, e.loc, e.b.getBoolAttr(value));
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

/// All loads of the group, before the first use.
WalkLane::Group WalkLane::load(const Emitter::EdgeGroup &group) {
  Group at;
  auto columnOf = [&](Value edge) {
    return e.toI64(
        e.load(body.at(kernel.colind, {edge}), kernel.colind.element));
  };
  for (Value edge : group.edges)
    at.columns.push_back(columnOf(e.toI64(edge)));
  Value first = e.toI64(group.edges[0]);
  Value place = e.mulI(e.divI(lane, kernel.lanesPerEdge()), kernel.shared());
  for (int64_t i = 0; i < kernel.shared(); ++i) {
    Value offset = e.toI64(e.addI(place, i));
    if (!group.active.empty()) {
      // The last group: fewer edges than there is room for.
      Value rest = e.subI(e.toI64(piece.end), first);
      at.active.push_back(e.lessThan(offset, rest));
      offset = e.minI(offset, e.addI(rest, -1));
    }
    Value edge = e.addI(first, offset), biasPlace = edge;
    at.edges.push_back(edge);
    if (!kernel.ofQueries || kernel.isGat())
      at.edgeColumns.push_back(columnOf(edge));
    if (kernel.edges)
      biasPlace =
          e.toI64(e.load(body.at(kernel.edges, {edge}), kernel.edges.element));
    at.extras.push_back(
        loadScoreExtras(body, View(), kernel.biases, biasPlace, head));
    bool ofRow = kernel.ofQueries;
    at.logs.push_back(ofRow ? rowLse : number(kernel.lse, at.edgeColumns[i]));
    at.deltas.push_back(ofRow ? rowDelta
                              : number(kernel.delta, at.edgeColumns[i]));
  }
  at.scoreRows = scoreLanes->load(at.columns);
  at.valueRows = valueLanes->load(at.columns);
  return at;
}

/// By one of the lanes that have the edge.
void WalkLane::storeLogitGradient(const Group &at, size_t i, Value gradient) {
  if (!kernel.dLogits)
    return;
  Value writes = isHead;
  if (kernel.lanesPerEdge() > 1)
    writes = both(e, writes, e.isZero(e.remI(lane, kernel.lanesPerEdge())));
  if (!at.active.empty())
    writes = both(e, writes, at.active[i]);
  if (tileNumber)
    writes = both(e, writes, e.isZero(tileNumber));
  storeIf(e, writes, gradient, body.at(kernel.dLogits, {at.edges[i], head}));
}

/// Weights and gradients of scores. A weight below 0 says that the edge adds
/// nothing, not even 0 times an infinity.
void WalkLane::weigh(Group &at) {
  const ScoreOperands &scores = kernel.scores;
  int64_t segment = kernel.segment();
  SmallVector<Value> raw;
  if (kernel.isGat()) {
    for (Value column : at.edgeColumns)
      raw.push_back(scoreLanes->sumOfNumbers(column));
  } else {
    raw = e.sumLanesShared(scoreLanes->sums(at.columns, at.scoreRows), segment,
                           lane, mask);
  }
  SmallVector<Value> dWeights = e.sumLanesShared(
      valueLanes->sums(at.columns, at.valueRows), segment, lane, mask);
  for (auto [i, score] : llvm::enumerate(raw)) {
    Value logit = kernel.isGat() ? leakyRelu(e, score, scores.slope) : score;
    logit = finishScore(e, scores, logit, at.extras[i]);
    Value isOff = kernel.ofQueries ? isDead : isMasked(at.logs[i]);
    Value weight = e.exp(e.sub(logit, at.logs[i]));
    Value isNothing = arith::OrIOp::create(
        e.b, e.loc, e.cmpF(arith::CmpFPredicate::OEQ, weight, zero), isOff);
    Value gradient = e.select(isNothing, zero,
                              e.mul(weight, e.sub(dWeights[i], at.deltas[i])));
    storeLogitGradient(at, i, gradient);
    if (scores.scale != 1.0)
      gradient = e.mul(gradient, e.constant(scores.scale, acc));
    if (kernel.isGat())
      gradient = e.mul(gradient, slopeAt(e, score, scores.slope));
    if (!kernel.ofQueries)
      weight = e.select(isOff, e.constant(-1.0, acc), weight);
    at.weights.push_back(weight);
    at.gradients.push_back(gradient);
  }
}

/// The number that an edge has in one of the lanes, in all of them.
Value WalkLane::spread(ArrayRef<Value> shares, size_t edge) {
  auto number = static_cast<int64_t>(edge);
  Value share = shares[number % kernel.shared()];
  if (kernel.segment() == 1)
    return share;
  return e.shuffleFrom(share, number / kernel.shared() * kernel.lanesPerEdge(),
                       kernel.segment(), mask);
}

SmallVector<Value> WalkLane::add(const Sum &sum,
                                 const Emitter::EdgeGroup &group, size_t edge,
                                 Value factor, Value isOff,
                                 ArrayRef<Value> elements,
                                 ArrayRef<Value> old) {
  SmallVector<Value> next;
  factor = e.spread(factor, sum.tile.vec);
  double slope = kernel.scores.slope;
  for (size_t i = 0; i < old.size(); ++i) {
    Value element = e.widen(elements[i], acc);
    if (sum.what.term != WalkSum::product) {
      Value ends = e.add(sum.ownElements[i], element);
      element = sum.what.term == WalkSum::slopes ? slopeAt(e, ends, slope)
                                                 : leakyRelu(e, ends, slope);
    }
    Value added = e.fma(factor, element, old[i]);
    if (isOff)
      added = e.select(isOff, old[i], added);
    next.push_back(group.keep(e, edge, added, old[i]));
  }
  return next;
}

SmallVector<Value> WalkLane::step(const Emitter::EdgeGroup &group,
                                  ValueRange carried) {
  Group at = load(group);
  weigh(at);
  SmallVector<Value> result = llvm::to_vector_of<Value>(carried);
  if (kernel.numbers)
    for (auto [i, gradient] : llvm::enumerate(at.gradients)) {
      Value next = e.add(result[0], gradient);
      result[0] =
          at.active.empty() ? next : e.select(at.active[i], next, result[0]);
    }
  for (size_t edge = 0; edge < at.columns.size(); ++edge) {
    Value weight, gradient, isOff;
    if (!kernel.ofQueries) {
      weight = spread(at.weights, edge);
      isOff = e.cmpF(arith::CmpFPredicate::OLT, weight, zero);
    }
    if (!kernel.isGat())
      gradient = spread(at.gradients, edge);
    if (kernel.countsEdges()) {
      Value any = result.back();
      result.back() =
          group.keep(e, edge, e.select(isOff, any, isTrue(true)), any);
    }
    for (Sum &sum : sums) {
      Value factor = sum.what.byWeight ? weight : gradient;
      SmallVector<Value> old(
          ArrayRef(result).slice(sum.first, sum.columns.size()));
      SmallVector<Value> next;
      if (sum.isResident) {
        const auto &rows = sum.what.byWeight ? at.valueRows : at.scoreRows;
        next = add(sum, group, edge, factor, isOff, rows[edge], old);
      } else {
        Value offset = body.offset(sum.other, {at.columns[edge]});
        next = e.ifThen(sum.isMine, old, [&] {
          SmallVector<Value> elements;
          for (Value base : sum.bases)
            elements.push_back(e.load(e.at(base, sum.other.element, offset),
                                      sum.other.element, sum.tile.vec,
                                      sum.other.alignment));
          return add(sum, group, edge, factor, isOff, elements, old);
        });
      }
      std::copy(next.begin(), next.end(), result.begin() + sum.first);
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The end of the piece
//===----------------------------------------------------------------------===//

void WalkLane::finish() {
  if (kernel.numbers)
    totals[0] =
        alive(e.sumLanes(totals[0], kernel.segment(), kernel.lanesPerEdge()));
  for (Sum &sum : sums)
    for (auto [i, column] : llvm::enumerate(sum.columns)) {
      Value &total = totals[sum.first + i];
      if (sum.what.term == WalkSum::slopes) {
        Value factor =
            sum.isResident
                ? sum.lanes.residentTile()->factors[i]
                : loadElement(sum, kernel.vec,
                              body.at(kernel.vec, {head, column.number}));
        Value product = e.mul(total, factor);
        // A sum of nothing is 0, whatever vec is.
        total = kernel.countsEdges() ? e.select(totals.back(), product, total)
                                     : product;
      }
      total = alive(total);
    }
}

void WalkLane::store(Value row, bool isPartial) {
  for (const Sum &sum : sums) {
    const View &to = isPartial ? sum.what.partials : sum.what.out;
    for (auto [i, column] : llvm::enumerate(sum.columns)) {
      SmallVector<Value> where = {row, column.number};
      if (isPartial || kernel.values.q.rank() == 3)
        where.insert(where.begin() + 1, head);
      Value value = e.narrow(totals[sum.first + i], to.element);
      Value address = body.at(to, where);
      if (Value isReal = both(e, column.inside, isHead))
        e.ifThen(isReal, [&] { e.store(value, address, to.alignment); });
      else
        e.store(value, address, to.alignment);
    }
  }
  if (!kernel.numbers)
    return;
  const View &to = isPartial ? kernel.partialNumbers : kernel.numbers;
  e.ifThen(isFirst, [&] {
    e.store(e.narrow(totals[0], to.element), body.at(to, {row, head}));
  });
}

void WalkLane::run(const Rows &rows) {
  if (kernel.ofQueries)
    readRow();
  beginSums();
  totals =
      e.foldEdges(piece.begin, piece.end, kernel.unroll, totals,
                  [&](const Emitter::EdgeGroup &group, ValueRange carried) {
                    return step(group, carried);
                  });
  finish();
  if (!piece.split)
    return store(piece.row, /*isPartial=*/false);
  e.ifElse(
      e.isZero(piece.split), [&] { store(piece.row, /*isPartial=*/false); },
      [&] {
        store(rows.slot(e, piece.begin, piece.split), /*isPartial=*/true);
      });
}

} // namespace mlir::autosage::device
