//===- FusedAttention.cpp - graph attention in one pass on the GPU --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention without scores in memory (docs/attention.md). A segment of lanes
// takes a piece of a row and a head. It holds q and the unnormalised output in
// registers, beside the maximum of the logits seen so far and the sum of their
// exponentials, and walks the edges in groups of `unroll`:
//
// 1. columns, biases, rows of k and rows of v of the group are loaded;
// 2. the scores' partial sums are exchanged so that each score ends in one
//    lane, or a few that have the same one: it is finished and exponentiated
//    once, not once a lane;
// 3. the maximum is renewed once for the group, what was summed up before is
//    rescaled, and each weight is spread to the segment for its row of v.
//
// Pieces of a cut row leave maximum, sum and output in a workspace, which a
// second kernel merges in a fixed order.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "ScoreLanes.h"
#include "Softmax.h"

using ::autosage::Score;

namespace mlir::autosage::device {

namespace {
class FusedEmitter {
public:
  FusedEmitter(HostEmitter &host, KernelModule &kernels, Rows &rows,
               ScoreOperands scores, Buffer v, Buffer out, Buffer lse,
               const Knobs &knobs);

  void run();

private:
  using Body = KernelBuilder::Body;
  using View = KernelBuilder::View;
  using Param = KernelBuilder::Param;
  using Stats = SoftmaxStats;

  /// Vectors that the kernels may use. Without values, v has no features and
  /// the log-sum-exp is all there is.
  struct Form {
    int64_t scoreVec = 1, valueVec = 1;
    bool hasValues = true;
    bool aligned() const { return scoreVec > 1 || valueVec > 1; }
  };

  void launchAll(const Form &form);
  void launchPieces(const Form &form);
  void launchMerge(const Form &form);

  FusedSplit splitOf(const Form &form);
  /// Stores to an output and to the log-sum-exp.
  void storeOutput(Body &body, const View &view, ArrayRef<Value> place,
                   Value isInside, int64_t vec, Value sum, const Stats &stats);

  HostEmitter &host;
  KernelModule &kernels;
  Rows &rows;
  ScoreOperands ops; // without weights and output
  Buffer v, out, lse;
  Knobs knobs;
  Width width; // of v and the output
  Extent scoreFeatures;
  FloatType acc;
  /// Of cut pieces: slots x heads x features, and slots x {maximum, sum} x
  /// heads.
  Buffer partials, statistics;
};
} // namespace

FusedEmitter::FusedEmitter(HostEmitter &host, KernelModule &kernels, Rows &rows,
                           ScoreOperands scores, Buffer v, Buffer out,
                           Buffer lse, const Knobs &knobs)
    : host(host), kernels(kernels), rows(rows), ops(std::move(scores)), v(v),
      out(out), lse(lse), knobs(knobs), width(Width::of(host, v, out)),
      scoreFeatures(host.fixed(1)), acc(accumulatorType(v.element)) {
  ops.biases = perEdge(host, ops.biases);
  if (ops.kind != Score::gat)
    scoreFeatures = Width::of(host, ops.q, ops.k).features;
}

FusedSplit FusedEmitter::splitOf(const Form &form) {
  std::optional<FusedWidth> scores, values;
  if (ops.kind != Score::gat)
    scores = {scoreFeatures, form.scoreVec};
  if (form.hasValues)
    values = {width.features, form.valueVec};
  return FusedSplit::of(knobs, width.heads, scores, values);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void FusedEmitter::storeOutput(Body &body, const View &view,
                               ArrayRef<Value> place, Value isInside,
                               int64_t vec, Value sum, const Stats &stats) {
  Emitter &e = body.e;
  Value result = e.mul(sum, e.spread(stats.factor(e), vec));
  // Not by the factor alone: 0 times an infinity of v would be NaN.
  result = e.select(stats.isDead(e), e.constant(0.0, result.getType()), result);
  auto store = [&] {
    e.store(e.narrow(result, view.element), body.at(view, place),
            view.alignment);
  };
  if (isInside)
    e.ifThen(isInside, store);
  else
    store();
}

void FusedEmitter::launchPieces(const Form &form) {
  FusedSplit split = splitOf(form);
  bool isGat = ops.kind == Score::gat, hasValues = form.hasValues;
  bool hasHeads = v.rank() == 3;
  int64_t unroll = knobs.unroll, segment = split.heads.segment;
  KernelBuilder kernel(host, kernels,
                       "attention_" + std::string(toString(ops.kind)));
  rows.declare(kernel, form.aligned());
  Param heads = kernel.scalar(width.heads);
  Param features = kernel.scalar(scoreFeatures);
  Param valueFeatures = kernel.scalar(width.features);
  auto view = [&](const Buffer &buffer, int64_t vec) {
    return kernel.view(buffer, Access::read,
                       buffer ? vectorAlignment(buffer.element, vec) : 0);
  };
  View colind = kernel.view(rows.colind(), Access::read);
  View biases = kernel.view(ops.biases, Access::read);
  View q = view(ops.q, form.scoreVec), k = view(ops.k, form.scoreVec);
  View vec = view(ops.vec, form.scoreVec);
  View input = view(hasValues ? v : Buffer(), form.valueVec);
  View output = kernel.view(hasValues ? out : Buffer(), Access::write,
                            vectorAlignment(out.element, form.valueVec));
  View lses = kernel.view(lse, Access::write);
  View parts = kernel.view(hasValues ? partials : Buffer(), Access::write,
                           vectorAlignment(acc, form.valueVec));
  View stats = kernel.view(statistics, Access::write);
  distinguishScores(kernel, ops);
  for (auto [name, number] : {std::pair<StringRef, int64_t>{"rank", v.rank()},
                              {"unroll", unroll},
                              {"segment", segment},
                              {"score_vec", form.scoreVec},
                              {"score_vectors", split.scores.vectors},
                              {"value_vec", form.valueVec},
                              {"value_vectors", split.values.vectors},
                              {"chunk", rows.mayCut() ? rows.getChunk() : 0}})
    kernel.distinguish(name, number);

  // Tiles of v's features are blocks of their own, which score for themselves.
  Extent valueTiles = host.fixed(1);
  if (hasValues && !split.values.holds(width.features.fixed))
    valueTiles = host.tilesOf(width.features, split.values.columns());
  Param tilesParam = kernel.scalar(valueTiles);
  // Edges of a group whose scores end in one lane, and lanes that have one.
  int64_t shared = std::max<int64_t>(1, unroll / segment);
  int64_t lanesPerEdge = std::max<int64_t>(1, segment / unroll);

  rows.launch(
      kernel, knobs, split.heads.lanes(),
      host.product(split.heads.tiles(host, width.heads), valueTiles),
      [&](Body &body, const Piece &piece, Value laneNumber) {
        Emitter &e = body.e;
        Value headTile = body.blockY, valueTile;
        if (!tilesParam.is(1)) {
          valueTile = e.remI(body.blockY, body(tilesParam));
          headTile = e.divI(body.blockY, body(tilesParam));
        }
        Value mask = e.groupMask(segment);
        Value lane = e.remI(laneNumber, segment);
        HeadSplit::Lane who =
            split.heads.laneOf(body, headTile, laneNumber, heads);
        Value head = who.head, isHead = who.isHead;
        ScoreLanes scores(body, ops, split.scores, features, q, k, vec,
                          piece.row, head, lane);
        auto indices = [&](Value first, Value column) {
          SmallVector<Value> all = {first, column};
          if (hasHeads)
            all.insert(all.begin() + 1, head);
          return all;
        };

        SmallVector<HeadColumn> columns;
        SmallVector<Value> bases, init;
        Stats none = Stats::none(e, acc);
        init = {none.max, none.sum};
        if (hasValues) {
          Value start =
              valueTile ? e.mulI(valueTile, split.values.columns()) : e.i64(0);
          columns = headColumns(body, split.values, valueFeatures, start, lane);
        }
        for (const HeadColumn &column : columns) {
          bases.push_back(body.at(input, indices(e.i64(0), column.number)));
          init.push_back(
              e.constant(0.0, Emitter::columnsType(acc, form.valueVec)));
        }

        // The first edge of a group whose score ends in this lane.
        Value place = e.mulI(e.divI(lane, lanesPerEdge), shared);
        auto step = [&](const Emitter::EdgeGroup &group, ValueRange carried) {
          // All loads of the group before the first use.
          SmallVector<Value> edgeColumns, mine, active;
          for (Value edge : group.edges)
            edgeColumns.push_back(e.toI64(
                e.load(body.at(colind, {e.toI64(edge)}), colind.element)));
          SmallVector<ScoreExtras> extras;
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
            extras.push_back(
                loadScoreExtras(body, View(), biases, mine[i], head));
          }
          ScoreLanes::Rows keys = scores.load(edgeColumns);
          SmallVector<SmallVector<Value>> values(group.edges.size());
          for (auto [edge, column] : llvm::enumerate(edgeColumns)) {
            if (bases.empty())
              break;
            Value offset = body.offset(input, {column});
            for (Value base : bases)
              values[edge].push_back(e.load(e.at(base, input.element, offset),
                                            input.element, form.valueVec,
                                            input.alignment));
          }

          SmallVector<Value> logits;
          if (isGat) {
            for (Value edge : mine)
              logits.push_back(leakyRelu(
                  e,
                  scores.sumOfNumbers(
                      e.toI64(e.load(body.at(colind, {edge}), colind.element))),
                  ops.slope));
          } else {
            logits = e.sumLanesShared(scores.sums(edgeColumns, keys), segment,
                                      lane, mask);
          }
          Value top;
          for (auto [i, logit] : llvm::enumerate(logits)) {
            logit = finishScore(e, ops, logit, extras[i]);
            if (!active.empty())
              logit = e.select(active[i], logit, none.max);
            top = top ? e.maxF(top, logit) : logit;
          }

          Stats next;
          next.max = e.maxF(carried[0], e.maxLanes(top, segment, lanesPerEdge));
          Value shift = next.shift(e);
          Value fade = e.exp(e.sub(carried[0], shift));
          next.sum = e.mul(carried[1], fade);
          SmallVector<Value> weights;
          for (Value logit : logits) {
            weights.push_back(e.exp(e.sub(logit, shift)));
            next.sum = e.add(next.sum, weights.back());
          }
          SmallVector<Value> result = {next.max, next.sum};
          for (size_t i = 0; i < columns.size(); ++i)
            result.push_back(
                e.mul(carried[2 + i], e.spread(fade, form.valueVec)));
          for (auto [edge, elements] : llvm::enumerate(values)) {
            if (elements.empty())
              break;
            auto number = static_cast<int64_t>(edge);
            Value weight = weights[number % shared];
            if (segment > 1)
              weight = e.shuffleFrom(weight, number / shared * lanesPerEdge,
                                     segment, mask);
            weight = e.spread(weight, form.valueVec);
            for (auto [i, element] : llvm::enumerate(elements)) {
              Value &sum = result[2 + i];
              sum = group.keep(e, edge,
                               e.fma(weight, e.widen(element, acc), sum), sum);
            }
          }
          return result;
        };
        SmallVector<Value> sums =
            e.foldEdges(piece.begin, piece.end, unroll, init, step);
        Stats total = {sums[0], e.sumLanes(sums[1], segment, lanesPerEdge)};

        // One lane for what there is once a head.
        auto isLeader = [&] {
          Value isFirst = both(e, e.isZero(lane), isHead);
          return valueTile ? e.andB(isFirst, e.isZero(valueTile)) : isFirst;
        };
        auto finish = [&] {
          for (auto [i, column] : llvm::enumerate(columns))
            storeOutput(body, output, indices(piece.row, column.number),
                        both(e, column.inside, isHead), form.valueVec,
                        sums[2 + i], total);
          if (lses)
            e.ifThen(isLeader(), [&] {
              e.store(e.narrow(total.logSumExp(e), lses.element),
                      body.at(lses, {piece.row, head}));
            });
        };
        if (!piece.split)
          return finish();
        e.ifElse(e.isZero(piece.split), finish, [&] {
          Value slot = rows.slot(e, piece.begin, piece.split);
          for (auto [i, column] : llvm::enumerate(columns)) {
            Value sum = sums[2 + i];
            Value address = body.at(parts, {slot, head, column.number});
            auto store = [&] { e.store(sum, address, parts.alignment); };
            if (Value isReal = both(e, column.inside, isHead))
              e.ifThen(isReal, store);
            else
              store();
          }
          e.ifThen(isLeader(), [&] {
            e.store(total.max, body.at(stats, {slot, e.i64(0), head}));
            e.store(total.sum, body.at(stats, {slot, e.i64(1), head}));
          });
        });
      });
}

/// Groups of a block merge the pieces of a row between them, group g those with
/// number g, g + groups, ...; then the first group merges what the groups have,
/// in their order.
void FusedEmitter::launchMerge(const Form &form) {
  bool hasValues = form.hasValues, hasHeads = v.rank() == 3;
  Width columns = width;
  if (!hasValues)
    columns = {width.heads, host.fixed(1), width.heads};
  int64_t vec = form.valueVec;
  Split split = Split::of(knobs, columns, vec);
  KernelBuilder kernel(host, kernels, "attention_merge");
  WidthParams widthParams(kernel, columns);
  View output = kernel.view(hasValues ? out : Buffer(), Access::write,
                            vectorAlignment(out.element, vec));
  View lses = kernel.view(lse, Access::write);
  View parts = kernel.view(hasValues ? partials : Buffer(), Access::read,
                           vectorAlignment(acc, vec));
  View stats = kernel.view(statistics, Access::read);
  kernel.distinguish("rank", v.rank());
  kernel.distinguish("vec", vec);
  kernel.distinguish("vectors", split.vectors);
  kernel.distinguish("lanes", split.lanes);
  kernel.distinguish("exact", split.exact);
  int64_t groups = Rows::kMergeThreads / split.lanes;

  rows.launchCutRows(
      kernel, host.tilesOf(columns.columns, split.tile()),
      [&](Body &body, const Rows::CutRow &cut, Value thread) {
        Emitter &e = body.e;
        Value group = e.toI64(e.divI(thread, split.lanes));
        LaneColumns lane(body, split, widthParams, e.remI(thread, split.lanes));
        // One place a thread; groups lie `lanes` places apart.
        Type vectorType = Emitter::columnsType(acc, vec);
        int64_t alignment = vectorAlignment(acc, vec);
        Value maxima = body.shared(acc, Rows::kMergeThreads);
        Value totals = body.shared(acc, Rows::kMergeThreads);
        Value sums =
            hasValues ? body.shared(vectorType, Rows::kMergeThreads) : Value();
        // Maximum, sum and, with values, output.
        using State = SmallVector<Value>;
        auto merge = [&](ValueRange lhs, ValueRange rhs) {
          Value max = e.maxF(lhs[0], rhs[0]);
          Value shift = Stats::shiftOf(e, max);
          Value left = e.exp(e.sub(lhs[0], shift));
          Value right = e.exp(e.sub(rhs[0], shift));
          State merged = {max, e.fma(rhs[1], right, e.mul(lhs[1], left))};
          if (hasValues)
            merged.push_back(e.fma(rhs[2], e.spread(right, vec),
                                   e.mul(lhs[2], e.spread(left, vec))));
          return merged;
        };
        auto load = [&](Value place) {
          State state = {e.load(e.at(maxima, acc, place), acc),
                         e.load(e.at(totals, acc, place), acc)};
          if (hasValues)
            state.push_back(
                e.load(e.at(sums, vectorType, place), acc, vec, alignment));
          return state;
        };
        for (int64_t i = 0; i < lane.size(); ++i) {
          Value head = lane.head(i);
          Value column = lane.column(i), feature = column;
          if (hasHeads)
            feature =
                hasValues
                    ? e.subI(column, e.mulI(head, body(widthParams.features)))
                    : e.i64(0);
          Stats none = Stats::none(e, acc);
          State init = {none.max, none.sum};
          if (hasValues)
            init.push_back(e.constant(0.0, vectorType));
          State mine = e.forLoop(
              group, cut.pieces, groups, init,
              [&](Value piece, ValueRange carried) {
                Value slot = e.addI(cut.firstSlot, piece);
                auto number = [&](int64_t which) {
                  return e.load(body.at(stats, {slot, e.i64(which), head}),
                                acc);
                };
                State next = {number(0), number(1)};
                if (hasValues)
                  next.push_back(e.load(body.at(parts, {slot, head, feature}),
                                        acc, vec, parts.alignment));
                return merge(carried, next);
              });
          Value place = e.toI64(thread);
          e.store(mine[0], e.at(maxima, acc, place));
          e.store(mine[1], e.at(totals, acc, place));
          if (hasValues)
            e.store(mine[2], e.at(sums, vectorType, place), alignment);
          e.barrier();
          e.ifThen(e.isZero(group), [&] {
            State total = mine;
            // Groups without a piece hold the state of no logits.
            for (int64_t other = 1; other < groups; ++other)
              total = merge(total, load(e.addI(place, other * split.lanes)));
            Stats merged = {total[0], total[1]};
            if (hasValues) {
              SmallVector<Value> where = {cut.row, feature};
              if (hasHeads)
                where.insert(where.begin() + 1, head);
              storeOutput(body, output, where, lane.isInside(i), vec, total[2],
                          merged);
            }
            if (lses) {
              Value isFirst = both(e, e.isZero(feature), lane.isInside(i));
              e.ifThen(isFirst, [&] {
                e.store(e.narrow(merged.logSumExp(e), lses.element),
                        body.at(lses, {cut.row, head}));
              });
            }
          });
          // Before the next vector or row overwrites what was exchanged.
          e.barrier();
        }
      });
}

//===----------------------------------------------------------------------===//
// The host side
//===----------------------------------------------------------------------===//

void FusedEmitter::launchAll(const Form &form) {
  launchPieces(form);
  if (rows.mayCut())
    host.ifThen(rows.anyCut(), [&] { launchMerge(form); });
}

void FusedEmitter::run() {
  if (rows.mayCut()) {
    partials = rows.allocSlots(width.heads, width.features, acc);
    statistics = rows.allocSlots(host.fixed(2), width.heads, acc);
  }

  SmallVector<Value> conditions;
  Form widest;
  if (ops.kind != Score::gat)
    widest.scoreVec = widestVector(host, knobs, Width::of(host, ops.q, ops.k),
                                   {ops.q, ops.k, ops.vec}, conditions);
  widest.valueVec = widestVector(host, knobs, width, {v, out}, conditions);
  auto launch = [&] {
    if (!widest.aligned())
      return launchAll(Form());
    conditions.push_back(rows.isAligned());
    host.choose(
        host.allOf(conditions), [&] { launchAll(widest); },
        [&] { launchAll(Form()); });
  };
  Form noValues;
  noValues.hasValues = false;
  const Extent &features = width.features;
  if (features.is(0)) {
    if (lse)
      launchAll(noValues);
  } else if (lse && !features.fixed) {
    host.ifElse(
        host.isZero(features.host), [&] { launchAll(noValues); }, launch);
  } else {
    launch();
  }
  for (const Buffer &buffer : {partials, statistics})
    if (buffer)
      host.free(buffer.memref);
}

void emitFusedAttention(HostEmitter &host, KernelModule &kernels, Rows &rows,
                        ScoreOperands scores, Buffer v, Buffer out, Buffer lse,
                        const Knobs &knobs) {
  FusedEmitter(host, kernels, rows, std::move(scores), v, out, lse, knobs)
      .run();
}

} // namespace mlir::autosage::device
