//===- AttentionBackward.cpp - gradients of attention on the GPU ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two walks of attention's gradients (docs/gradients.md), which are one
// kernel: a segment of lanes takes a piece of a row and a head, holds the row's
// own two vectors and the sums of gradients in registers, and walks the edges
// in groups of `unroll`:
//
// 1. columns, biases and both rows that an edge gathers are loaded;
// 2. partial sums of the scores, and of do . v, are exchanged so that each ends
//    in one lane, or a few that have the same one, which makes the weight and
//    the gradient of the logit of it once;
// 3. these are spread to the segment, for the rows that are there already.
//
// Walking queries, a row's own vectors are q and do, k and v are gathered;
// walking keys, on the transposed pattern, it is the other way round, and the
// log-sum-exp is that of the edge. Pieces of a cut row leave their sums in a
// workspace; a second kernel adds these up in a fixed order.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "ScoreLanes.h"
#include "Softmax.h"

using ::autosage::Score;

namespace mlir::autosage::device {

namespace {
/// One of the walks.
class WalkEmitter {
public:
  WalkEmitter(HostEmitter &host, KernelModule &kernels, Rows &rows,
              const WalkOperands &operands, Score score, double scale,
              double slope, const Knobs &knobs);

  void run();

private:
  using Body = KernelBuilder::Body;
  using View = KernelBuilder::View;
  using Param = KernelBuilder::Param;

  /// Vectors that the kernels may use.
  struct Form {
    int64_t scoreVec = 1, valueVec = 1;
    bool aligned() const { return scoreVec > 1 || valueVec > 1; }
  };
  void launchAll(const Form &form);
  void launchPieces(const Form &form);
  Extent tilesOf(const HeadTile &tile, const Extent &features);

  bool isGat() const { return scores.kind == Score::gat; }

  HostEmitter &host;
  KernelModule &kernels;
  Rows &rows;
  Knobs knobs;
  bool ofQueries;
  ScoreOperands scores; // q: the row's own, k: gathered; with biases
  ScoreOperands values; // the row's own of do and v, and the gathered one
  Buffer edges, o, lse, delta, dScores, dValues, vecParts, dLogits;
  Width width; // of the values
  Extent scoreFeatures;
  FloatType acc;
  /// A sum of gradients: where it goes, and pieces of cut rows (slots x heads x
  /// features) before.
  struct Output {
    Buffer out, partials;
  };
  std::vector<Output> outputs;
};
} // namespace

WalkEmitter::WalkEmitter(HostEmitter &host, KernelModule &kernels, Rows &rows,
                         const WalkOperands &operands, Score score,
                         double scale, double slope, const Knobs &knobs)
    : host(host), kernels(kernels), rows(rows), knobs(knobs),
      ofQueries(static_cast<bool>(operands.o)),
      edges(host.buffer(operands.edges)), o(host.buffer(operands.o)),
      lse(host.buffer(operands.lse)), delta(host.buffer(operands.delta)),
      dScores(host.buffer(operands.dScores)),
      dValues(host.buffer(operands.dValues)),
      vecParts(host.buffer(operands.vecParts)),
      dLogits(host.buffer(operands.dLogits)), scoreFeatures(host.fixed(1)) {
  Buffer q = host.buffer(operands.q), k = host.buffer(operands.k);
  Buffer v = host.buffer(operands.v), dO = host.buffer(operands.dO);
  acc = accumulatorType(q.element);
  scores.kind = score;
  scores.q = ofQueries ? q : k;
  scores.k = ofQueries ? k : q;
  scores.vec = host.buffer(operands.vec);
  scores.biases = perEdge(host, host.buffer(operands.bias));
  scores.scale = scale;
  if (score != Score::dot)
    scores.slope = slope;
  values.kind = Score::dot;
  values.q = ofQueries ? dO : v;
  values.k = ofQueries ? v : dO;
  width = Width::of(host, v, dO);
  if (!isGat())
    scoreFeatures = Width::of(host, q, k).features;
  for (const Buffer &out : {dScores, vecParts, dValues})
    if (out)
      outputs.push_back({out, Buffer()});
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

Extent WalkEmitter::tilesOf(const HeadTile &tile, const Extent &features) {
  if (features.fixed)
    return host.fixed(std::max<int64_t>(
        1, llvm::divideCeil(*features.fixed, tile.columns())));
  Value count = host.ceilDiv(features.host, host.i64(tile.columns()));
  return {std::nullopt, host.maxI(count, host.i64(1))};
}

namespace {
/// In the body: a sum of gradients over features.
struct Sum {
  enum Term {
    product, // factor * row
    slopes,  // factor * leaky_relu'(own + row)
    leaky    // factor * leaky_relu(own + row)
  } term;
  bool byWeight; // the factor is the weight of an edge, else its gradient
  HeadTile tile;
  const KernelBuilder::Param *features;
  KernelBuilder::View own, other; // own: of the leaky ReLU
  KernelBuilder::View outView, partialsView;
  /// Of one block: the row of the scores' or of the values' product.
  ScoreLanes *lanes = nullptr;
  SmallVector<HeadColumn> columns;
  SmallVector<Value> ownElements, bases;
  Value isMine; // whether the block has features of it; null: it has
  size_t first; // of its places among what the walk carries
};
} // namespace

/// The slope of the leaky ReLU at each column of `value`.
static Value slopeAt(Emitter &e, Value value, double slope) {
  Type type = value.getType();
  Value isPositive =
      e.cmpF(arith::CmpFPredicate::OGE, value, e.constant(0.0, type));
  return e.select(isPositive, e.constant(1.0, type), e.constant(slope, type));
}

void WalkEmitter::launchPieces(const Form &form) {
  std::optional<FusedWidth> ofScores;
  if (!isGat())
    ofScores = {scoreFeatures, form.scoreVec};
  FusedSplit split = FusedSplit::of(knobs, width.heads, ofScores,
                                    FusedWidth{width.features, form.valueVec});
  int64_t unroll = knobs.unroll, segment = split.heads.segment;
  std::string name = "attention_backward_";
  KernelBuilder kernel(host, kernels,
                       name + (ofQueries ? "q_" : "kv_") +
                           std::string(toString(scores.kind)));
  rows.declare(kernel, form.aligned());
  Param heads = kernel.scalar(width.heads);
  Param features = kernel.scalar(scoreFeatures);
  Param valueFeatures = kernel.scalar(width.features);
  auto view = [&](const Buffer &buffer, Access access, int64_t vec) {
    return kernel.view(buffer, access,
                       buffer ? vectorAlignment(buffer.element, vec) : 0);
  };
  View colind = kernel.view(rows.colind(), Access::read);
  View places = kernel.view(edges, Access::read);
  View biases = kernel.view(scores.biases, Access::read);
  View ownScores = view(scores.q, Access::read, form.scoreVec);
  View otherScores = view(scores.k, Access::read, form.scoreVec);
  View vec = view(scores.vec, Access::read, form.scoreVec);
  View ownValues = view(values.q, Access::read, form.valueVec);
  View otherValues = view(values.k, Access::read, form.valueVec);
  View outs = view(o, Access::read, form.valueVec);
  View lses = kernel.view(lse, Access::read);
  View deltas = kernel.view(delta, ofQueries ? Access::write : Access::read);
  View logitGradients = kernel.view(dLogits, Access::write);

  std::vector<Sum> sums;
  View numbers, partialNumbers; // of gat
  for (const Output &output : outputs) {
    bool isValues = output.out.memref == dValues.memref;
    int64_t outVec = isValues ? form.valueVec : form.scoreVec;
    View outView = view(output.out, Access::write, outVec);
    View partials =
        kernel.view(output.partials, Access::write,
                    output.partials ? vectorAlignment(acc, outVec) : 0);
    if (isGat() && !isValues) {
      numbers = outView;
      partialNumbers = partials;
      continue;
    }
    Sum sum;
    sum.byWeight = isValues;
    sum.term = isValues || scores.kind == Score::dot ? Sum::product
               : output.out.memref == vecParts.memref ? Sum::leaky
                                                      : Sum::slopes;
    sum.tile = isValues ? split.values : split.scores;
    sum.features = isValues ? &valueFeatures : &features;
    sum.other = isValues ? otherValues : otherScores;
    sum.own = isValues ? View() : ownScores;
    sum.outView = outView;
    sum.partialsView = partials;
    sums.push_back(sum);
  }

  distinguishScores(kernel, scores);
  for (auto [fact, number] :
       {std::pair<StringRef, int64_t>{"rank", values.q.rank()},
        {"unroll", unroll},
        {"segment", segment},
        {"score_vec", form.scoreVec},
        {"score_vectors", split.scores.vectors},
        {"value_vec", form.valueVec},
        {"value_vectors", split.values.vectors},
        {"chunk", rows.mayCut() ? rows.getChunk() : 0}})
    kernel.distinguish(fact, number);

  // Tiles of features are blocks of their own, which score for themselves.
  Extent tiles = tilesOf(split.values, width.features);
  if (ofQueries)
    tiles = host.fixed(1);
  if (!isGat()) {
    Extent scoreTiles = tilesOf(split.scores, scoreFeatures);
    if (tiles.fixed && scoreTiles.fixed)
      tiles = host.fixed(std::max(*tiles.fixed, *scoreTiles.fixed));
    else
      tiles = {std::nullopt, host.maxI(tiles.host, scoreTiles.host)};
  }
  Param tilesParam = kernel.scalar(tiles);
  // Edges of a group whose scores end in one lane, and lanes that have one.
  int64_t shared = std::max<int64_t>(1, unroll / segment);
  int64_t lanesPerEdge = std::max<int64_t>(1, segment / unroll);

  rows.launch(
      kernel, knobs, split.heads.lanes(),
      host.product(split.heads.tiles(host, width.heads), tiles),
      [&](Body &body, const Piece &piece, Value laneNumber) {
        Emitter &e = body.e;
        Value headTile = body.blockY, tileNumber;
        if (!tilesParam.is(1)) {
          tileNumber = e.remI(body.blockY, body(tilesParam));
          headTile = e.divI(body.blockY, body(tilesParam));
        }
        Value mask = e.groupMask(segment);
        Value lane = e.remI(laneNumber, segment);
        HeadSplit::Lane who =
            split.heads.laneOf(body, headTile, laneNumber, heads);
        Value head = who.head, isHead = who.isHead;
        ScoreLanes scoreLanes(body, scores, split.scores, features, ownScores,
                              otherScores, vec, piece.row, head, lane);
        ScoreLanes valueLanes(body, values, split.values, valueFeatures,
                              ownValues, otherValues, View(), piece.row, head,
                              lane);
        auto number = [&](const View &view, Value row) {
          return e.widen(e.load(body.at(view, {row, head}), view.element), acc);
        };
        auto isMasked = [&](Value log) {
          return e.cmpF(arith::CmpFPredicate::OEQ, log,
                        negativeInfinity(e, acc));
        };
        Value zero = e.constant(0.0, acc);
        // One lane, of one block, for what there is once a head.
        Value isFirst = both(e, e.isZero(lane), isHead);
        if (tileNumber)
          isFirst = e.andB(isFirst, e.isZero(tileNumber));

        // A row's own statistics, which pieces of it compute each for itself.
        Value rowLse, rowDelta, isDead;
        if (ofQueries) {
          rowLse = number(lses, piece.row);
          isDead = isMasked(rowLse);
          auto product = [&](const ScoreLanes::Tile &tile, Value sum) {
            for (auto [column, own] :
                 llvm::zip_equal(tile.columns, tile.q)) {
              Value element = e.widen(
                  e.load(valueLanes.address(outs, piece.row, column.number),
                         outs.element, form.valueVec, outs.alignment),
                  acc);
              Value next = e.dotColumns({own}, {element}, {sum})[0];
              sum = column.inside ? e.select(column.inside, next, sum) : next;
            }
            return sum;
          };
          Value sum;
          if (const ScoreLanes::Tile *tile = valueLanes.residentTile())
            sum = product(*tile, zero);
          else
            sum = e.forLoop(e.i64(0), body(valueFeatures),
                            split.values.columns(), zero,
                            [&](Value start, ValueRange carried)
                                -> SmallVector<Value> {
                              return {product(valueLanes.tileAt(start),
                                              carried[0])};
                            })[0];
          rowDelta = e.select(isDead, zero, e.sumLanes(sum, segment));
          Value writes = isFirst;
          if (piece.split)
            writes =
                e.andB(writes, e.lessThan(piece.split, e.i64(2)));
          e.ifThen(writes, [&] {
            e.store(rowDelta, body.at(deltas, {piece.row, head}));
          });
        }

        SmallVector<Value> init;
        if (numbers)
          init.push_back(zero);
        for (Sum &sum : sums) {
          ScoreLanes &lanes = sum.byWeight ? valueLanes : scoreLanes;
          const ScoreLanes::Tile *resident = lanes.residentTile();
          sum.first = init.size();
          sum.lanes = nullptr;
          sum.ownElements.clear();
          sum.bases.clear();
          sum.isMine = Value();
          if (resident && !tileNumber) {
            sum.lanes = &lanes;
            sum.columns = resident->columns;
            sum.ownElements = resident->q;
          } else {
            // Tiles of several sums need not be as many.
            Value start = e.i64(0);
            if (resident)
              sum.isMine = e.isZero(tileNumber);
            else if (tileNumber)
              start = e.mulI(tileNumber, sum.tile.columns());
            if (!sum.isMine)
              sum.isMine = e.lessThan(start, body(*sum.features));
            sum.columns =
                headColumns(body, sum.tile, *sum.features, start, lane);
            for (HeadColumn &column : sum.columns)
              column.inside = both(e, column.inside, sum.isMine);
          }
          Type type = Emitter::columnsType(acc, sum.tile.vec);
          for (HeadColumn &column : sum.columns) {
            if (!sum.lanes) {
              sum.bases.push_back(
                  lanes.address(sum.other, e.i64(0), column.number));
              if (sum.term != Sum::product)
                sum.ownElements.push_back(e.ifThen(
                    sum.isMine, e.constant(0.0, type),
                    [&]() -> SmallVector<Value> {
                      Value address = lanes.address(sum.own, piece.row,
                                                    column.number);
                      return {e.widen(e.load(address, sum.own.element,
                                             sum.tile.vec, sum.own.alignment),
                                      acc)};
                    })[0]);
            }
            init.push_back(e.constant(0.0, type));
          }
        }

        // The first edge of a group whose score ends in this lane.
        Value place = e.mulI(e.divI(lane, lanesPerEdge), shared);
        auto step = [&](const Emitter::EdgeGroup &group, ValueRange carried) {
          // All loads of the group before the first use.
          SmallVector<Value> edgeColumns, mine, mineColumns, active;
          for (Value edge : group.edges)
            edgeColumns.push_back(e.toI64(
                e.load(body.at(colind, {e.toI64(edge)}), colind.element)));
          SmallVector<ScoreExtras> extras;
          SmallVector<Value> logs, products;
          Value first = e.toI64(group.edges[0]);
          for (int64_t i = 0; i < shared; ++i) {
            Value offset = e.toI64(e.addI(place, i));
            if (!group.active.empty()) {
              // The last group: fewer edges than there is room for.
              Value rest = e.subI(e.toI64(piece.end), first);
              active.push_back(e.lessThan(offset, rest));
              offset = e.minI(offset, e.addI(rest, -1));
            }
            mine.push_back(e.addI(first, offset));
            if (!ofQueries || isGat())
              mineColumns.push_back(e.toI64(
                  e.load(body.at(colind, {mine[i]}), colind.element)));
            Value biasPlace = mine[i];
            if (places)
              biasPlace = e.toI64(
                  e.load(body.at(places, {mine[i]}), places.element));
            extras.push_back(
                loadScoreExtras(body, View(), biases, biasPlace, head));
            logs.push_back(ofQueries ? rowLse : number(lses, mineColumns[i]));
            products.push_back(ofQueries ? rowDelta
                                         : number(deltas, mineColumns[i]));
          }
          ScoreLanes::Rows scoreRows = scoreLanes.load(edgeColumns);
          ScoreLanes::Rows valueRows = valueLanes.load(edgeColumns);

          SmallVector<Value> raw;
          if (isGat()) {
            for (Value column : mineColumns)
              raw.push_back(scoreLanes.sumOfNumbers(column));
          } else {
            raw = e.sumLanesShared(scoreLanes.sums(edgeColumns, scoreRows),
                                   segment, lane, mask);
          }
          SmallVector<Value> dWeights = e.sumLanesShared(
              valueLanes.sums(edgeColumns, valueRows), segment, lane, mask);

          // Weights and gradients of scores; a weight below 0 says that the
          // edge adds nothing.
          SmallVector<Value> weights, gradients;
          for (auto [i, score] : llvm::enumerate(raw)) {
            Value logit =
                isGat() ? leakyRelu(e, score, scores.slope) : score;
            logit = finishScore(e, scores, logit, extras[i]);
            Value isOff = ofQueries ? isDead : isMasked(logs[i]);
            Value weight = e.exp(e.sub(logit, logs[i]));
            Value gradient =
                e.mul(weight, e.sub(dWeights[i], products[i]));
            Value isNothing =
                e.cmpF(arith::CmpFPredicate::OEQ, weight, zero);
            isNothing = arith::OrIOp::create(e.b, e.loc, isNothing, isOff);
            gradient = e.select(isNothing, zero, gradient);
            if (logitGradients) {
              // One of the lanes that have the edge.
              Value writes = isHead;
              if (lanesPerEdge > 1)
                writes =
                    both(e, writes, e.isZero(e.remI(lane, lanesPerEdge)));
              if (!active.empty())
                writes = both(e, writes, active[i]);
              if (tileNumber)
                writes = both(e, writes, e.isZero(tileNumber));
              Value address = body.at(logitGradients, {mine[i], head});
              storeIf(e, writes, gradient, address);
            }
            if (scores.scale != 1.0)
              gradient = e.mul(gradient, e.constant(scores.scale, acc));
            if (isGat())
              gradient = e.mul(gradient, slopeAt(e, score, scores.slope));
            if (!ofQueries)
              weight = e.select(isOff, e.constant(-1.0, acc), weight);
            weights.push_back(weight);
            gradients.push_back(gradient);
          }

          SmallVector<Value> result = llvm::to_vector_of<Value>(carried);
          if (numbers)
            for (auto [i, gradient] : llvm::enumerate(gradients)) {
              Value next = e.add(result[0], gradient);
              result[0] =
                  active.empty() ? next : e.select(active[i], next, result[0]);
            }
          for (size_t edge = 0; edge < edgeColumns.size(); ++edge) {
            auto at = static_cast<int64_t>(edge);
            auto spread = [&](ArrayRef<Value> shares) {
              Value share = shares[at % shared];
              if (segment == 1)
                return share;
              return e.shuffleFrom(share, at / shared * lanesPerEdge, segment,
                                   mask);
            };
            Value weight, gradient, isOff;
            if (!ofQueries) {
              weight = spread(weights);
              isOff = e.cmpF(arith::CmpFPredicate::OLT, weight, zero);
            }
            if (!isGat())
              gradient = spread(gradients);
            for (Sum &sum : sums) {
              auto addTo = [&](ArrayRef<Value> elements) {
                SmallVector<Value> next;
                for (size_t i = 0; i < sum.columns.size(); ++i) {
                  Value old = result[sum.first + i];
                  Value factor = e.spread(sum.byWeight ? weight : gradient,
                                          sum.tile.vec);
                  Value element = e.widen(elements[i], acc);
                  if (sum.term != Sum::product) {
                    Value both = e.add(sum.ownElements[i], element);
                    element = sum.term == Sum::slopes
                                  ? slopeAt(e, both, scores.slope)
                                  : leakyRelu(e, both, scores.slope);
                  }
                  Value added = e.fma(factor, element, old);
                  if (isOff)
                    added = e.select(isOff, old, added);
                  next.push_back(group.keep(e, edge, added, old));
                }
                return next;
              };
              SmallVector<Value> next;
              if (sum.lanes) {
                const ScoreLanes::Rows &known =
                    sum.byWeight ? valueRows : scoreRows;
                next = addTo(known[edge]);
              } else {
                SmallVector<Value> old(
                    ArrayRef(result).slice(sum.first, sum.columns.size()));
                Value offset = body.offset(sum.other, {edgeColumns[edge]});
                next = e.ifThen(sum.isMine, old, [&] {
                  SmallVector<Value> elements;
                  for (Value base : sum.bases)
                    elements.push_back(
                        e.load(e.at(base, sum.other.element, offset),
                               sum.other.element, sum.tile.vec,
                               sum.other.alignment));
                  return addTo(elements);
                });
              }
              std::copy(next.begin(), next.end(), result.begin() + sum.first);
            }
          }
          return result;
        };
        SmallVector<Value> totals =
            e.foldEdges(piece.begin, piece.end, unroll, init, step);

        // Masked rows are 0 whatever was summed up.
        auto alive = [&](Value value) {
          if (!isDead)
            return value;
          return e.select(isDead, e.constant(0.0, value.getType()), value);
        };
        if (numbers)
          totals[0] = alive(e.sumLanes(totals[0], segment, lanesPerEdge));
        for (Sum &sum : sums)
          for (auto [i, column] : llvm::enumerate(sum.columns)) {
            Value &total = totals[sum.first + i];
            if (sum.term == Sum::slopes) {
              Value factor;
              if (sum.lanes) {
                factor = sum.lanes->residentTile()->factors[i];
              } else {
                factor = e.ifThen(
                    sum.isMine, e.constant(0.0, total.getType()),
                    [&, number = column.number]() -> SmallVector<Value> {
                      return {e.widen(e.load(body.at(vec, {head, number}),
                                             vec.element, sum.tile.vec,
                                             vec.alignment),
                                      acc)};
                    })[0];
              }
              total = e.mul(total, factor);
            }
            total = alive(total);
          }
        auto storeAll = [&](Value row, bool isPartial) {
          for (Sum &sum : sums) {
            const View &to = isPartial ? sum.partialsView : sum.outView;
            for (auto [i, column] : llvm::enumerate(sum.columns)) {
              SmallVector<Value> where = {row, column.number};
              if (isPartial || values.q.rank() == 3)
                where.insert(where.begin() + 1, head);
              Value value = e.narrow(totals[sum.first + i], to.element);
              auto store = [&] {
                e.store(value, body.at(to, where), to.alignment);
              };
              if (Value isReal = both(e, column.inside, isHead))
                e.ifThen(isReal, store);
              else
                store();
            }
          }
          if (!numbers)
            return;
          const View &to = isPartial ? partialNumbers : numbers;
          e.ifThen(isFirst, [&] {
            e.store(e.narrow(totals[0], to.element), body.at(to, {row, head}));
          });
        };
        if (!piece.split)
          return storeAll(piece.row, /*isPartial=*/false);
        e.ifElse(
            e.isZero(piece.split),
            [&] { storeAll(piece.row, /*isPartial=*/false); },
            [&] {
              storeAll(rows.slot(e, piece.begin, piece.split),
                       /*isPartial=*/true);
            });
      });
}

//===----------------------------------------------------------------------===//
// The host side
//===----------------------------------------------------------------------===//

void WalkEmitter::launchAll(const Form &form) {
  launchPieces(form);
  if (!rows.mayCut())
    return;
  host.ifThen(rows.anyCut(), [&] {
    for (const Output &output : outputs)
      emitPieceSums(host, kernels, rows, output.partials, output.out, knobs);
  });
}

void WalkEmitter::run() {
  if (rows.mayCut()) {
    // Nothing where no row is cut.
    Value slots = host.select(rows.anyCut(), rows.numSlots(), host.i64(0));
    for (Output &output : outputs) {
      SmallVector<Extent> inner;
      bool isNumber = output.out.rank() == 2 && isGat() &&
                      output.out.memref == dScores.memref;
      Extent features = isNumber ? host.fixed(1)
                        : output.out.memref == dValues.memref
                            ? width.features
                            : scoreFeatures;
      Extent columns = host.product(width.heads, features);
      Value memory = host.alloc(host.mulI(slots, columns.host), acc);
      output.partials = host.buffer(memory);
      output.partials.sizes = {{std::nullopt, slots}, width.heads, features};
      output.partials.strides = {columns, features, host.fixed(1)};
    }
  }

  SmallVector<Value> conditions;
  Form widest;
  auto widen = [&](int64_t &vec, const Width &of, ArrayRef<Buffer> all) {
    SmallVector<Buffer> operands;
    for (const Buffer &operand : all)
      if (operand)
        operands.push_back(operand);
    vec = vectorWidth(knobs, of, /*perHead=*/true, operands);
    if (vec > 1)
      conditions.push_back(
          vectorsFit(host, vec, of, /*perHead=*/true, operands));
  };
  if (!isGat())
    widen(widest.scoreVec, Width::of(host, scores.q, scores.k),
          {scores.q, scores.k, scores.vec, dScores, vecParts});
  widen(widest.valueVec, width, {values.q, values.k, o, dValues});
  if (widest.aligned()) {
    conditions.push_back(rows.isAligned());
    host.choose(
        host.allOf(conditions), [&] { launchAll(widest); },
        [&] { launchAll(Form()); });
  } else {
    launchAll(Form());
  }
  for (const Output &output : outputs)
    if (output.partials)
      host.free(output.partials.memref);
}

void emitBackwardWalk(HostEmitter &host, KernelModule &kernels, const Csr &csr,
                      const WalkOperands &operands, Score score, double scale,
                      double slope, const ::autosage::Schedule &schedule) {
  Rows rows(host, csr, numRowsOf(host, csr), schedule);
  WalkEmitter(host, kernels, rows, operands, score, scale, slope,
              Knobs::of(schedule))
      .run();
  rows.end();
}

} // namespace mlir::autosage::device
