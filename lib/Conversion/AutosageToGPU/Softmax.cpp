//===- Softmax.cpp - softmax over the edges of a row ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group of lanes for a row and some of its heads. What fits the group's
// registers is read once; a longer row is read twice: once for the maximum and
// the sum of exponentials together (the sum is rescaled when the maximum
// grows), once to write.
//
// A row that was cut takes two more launches: its pieces leave maximum and sum
// in a workspace, a second kernel merges these in a fixed order, a third one
// writes the pieces.
//
// Its corner cases (docs/semantics.md, rule 3) are kept here: a row without a
// logit above -inf has maximum -inf; subtracting that would turn its zeros into
// NaN.
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

namespace mlir::autosage::device {

Value negativeInfinity(Emitter &e, Type type) {
  return e.constant(-std::numeric_limits<double>::infinity(), type);
}

//===----------------------------------------------------------------------===//
// SoftmaxStats
//===----------------------------------------------------------------------===//

SoftmaxStats SoftmaxStats::none(Emitter &e, FloatType acc) {
  return {negativeInfinity(e, acc), e.constant(0.0, acc)};
}

Value SoftmaxStats::isDead(Emitter &e) const {
  return e.cmpF(arith::CmpFPredicate::OEQ, max,
                negativeInfinity(e, max.getType()));
}

Value SoftmaxStats::shiftOf(Emitter &e, Value max) {
  Value isDead = SoftmaxStats{max, Value()}.isDead(e);
  return e.select(isDead, e.constant(0.0, max.getType()), max);
}

Value SoftmaxStats::factor(Emitter &e) const {
  Type type = sum.getType();
  return e.select(isDead(e), e.constant(0.0, type),
                  e.div(e.constant(1.0, type), sum));
}

Value SoftmaxStats::logSumExp(Emitter &e) const {
  // The logarithm is one of numbers from 1 on.
  Value some = e.select(isDead(e), e.constant(1.0, sum.getType()), sum);
  return e.add(max, e.log(some));
}

namespace {
using Stats = SoftmaxStats;

class SoftmaxEmitter {
public:
  SoftmaxEmitter(HostEmitter &host, KernelModule &kernels, Rows &rows,
                 SoftmaxOperands operands, const Knobs &knobs);

  void run();

private:
  using Body = KernelBuilder::Body;
  using View = KernelBuilder::View;
  using Param = KernelBuilder::Param;

  /// Of whole rows all there is to do; of pieces of cut rows the statistics.
  void launchRows(bool aligned);
  void launchMerge();
  void launchCutPieces(bool aligned);

  void declareCommon(KernelBuilder &kernel);
  SmallVector<View> declareLses(KernelBuilder &kernel);

  Value negInf(Emitter &e) { return negativeInfinity(e, acc); }
  Value zero(Emitter &e) { return e.constant(0.0, acc); }
  /// The statistics of both.
  Stats combine(Emitter &e, const Stats &lhs, const Stats &rhs);
  /// Over the lanes of a group that have the same head, in all of them.
  Stats mergeLanes(Emitter &e, const Stats &stats, int64_t lanes);

  /// The logits of a lane's edges; -inf behind the end.
  SmallVector<Value> loadLogits(Body &body, const View &logits,
                                const EdgeLanes::Items &items, Value head);
  Stats readPiece(Body &body, const View &logits, EdgeLanes &lane, Value begin,
                  Value end);
  void writePiece(Body &body, const View &logits, const View &out,
                  EdgeLanes &lane, Value begin, Value end, Value shift,
                  Value factor);
  void storeItems(Body &body, const View &out, const EdgeLanes::Items &items,
                  Value head, ArrayRef<Value> powers, Value factor);
  void storeLses(Body &body, ArrayRef<View> lses, Value row, Value head,
                 const Stats &stats);

  HostEmitter &host;
  KernelModule &kernels;
  Rows &rows;
  SoftmaxOperands ops;
  Knobs knobs;
  FloatType acc;
  Extent numHeads;
  EdgeSplit split;
  /// slots x {maximum, sum} x heads, of cut rows; merged, the first slot of a
  /// row holds {shift, factor}.
  Buffer workspace;
};
} // namespace

SoftmaxEmitter::SoftmaxEmitter(HostEmitter &host, KernelModule &kernels,
                               Rows &rows, SoftmaxOperands operands,
                               const Knobs &knobs)
    : host(host), kernels(kernels), rows(rows), ops(std::move(operands)),
      knobs(knobs), acc(accumulatorType(ops.logits.element)),
      numHeads(host.fixed(1)) {
  if (ops.out.rank() == 2)
    numHeads = ops.out.sizes[1].fixed ? ops.out.sizes[1] : ops.logits.sizes[1];
  split = EdgeSplit::of(knobs, numHeads);
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

Stats SoftmaxEmitter::combine(Emitter &e, const Stats &lhs, const Stats &rhs) {
  Value max = e.maxF(lhs.max, rhs.max);
  Value shift = Stats::shiftOf(e, max);
  Value left = e.mul(lhs.sum, e.exp(e.sub(lhs.max, shift)));
  return {max, e.fma(rhs.sum, e.exp(e.sub(rhs.max, shift)), left)};
}

Stats SoftmaxEmitter::mergeLanes(Emitter &e, const Stats &stats,
                                 int64_t lanes) {
  if (lanes == split.heads)
    return stats;
  Value max = e.maxLanes(stats.max, lanes, split.heads);
  Value factor = e.exp(e.sub(stats.max, Stats::shiftOf(e, max)));
  return {max, e.sumLanes(e.mul(stats.sum, factor), lanes, split.heads)};
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

SmallVector<Value> SoftmaxEmitter::loadLogits(Body &body, const View &logits,
                                              const EdgeLanes::Items &items,
                                              Value head) {
  Emitter &e = body.e;
  SmallVector<Value> values;
  for (Value edge : items.edges)
    values.push_back(e.load(body.at(logits, {edge, head}), logits.element));
  for (auto [i, value] : llvm::enumerate(values)) {
    value = e.widen(value, acc);
    if (ops.scale != 1.0)
      value = e.mul(value, e.constant(ops.scale, acc));
    value = items.keep(e, i, value, negInf(e));
  }
  return values;
}

/// Values less `shift`, exponentiated; and added to `sum`.
static Value exponentiate(Emitter &e, MutableArrayRef<Value> values,
                          Value shift, Value sum) {
  for (Value &value : values) {
    value = e.exp(e.sub(value, shift));
    sum = e.add(sum, value);
  }
  return sum;
}

static Value maxOf(Emitter &e, ArrayRef<Value> values, Value max) {
  for (Value value : values)
    max = e.maxF(max, value);
  return max;
}

Stats SoftmaxEmitter::readPiece(Body &body, const View &logits, EdgeLanes &lane,
                                Value begin, Value end) {
  Emitter &e = body.e;
  Stats init = Stats::none(e, acc);
  SmallVector<Value> result = lane.fold(
      begin, end, knobs.unroll, {init.max, init.sum},
      [&](const EdgeLanes::Items &items,
          ValueRange carried) -> SmallVector<Value> {
        SmallVector<Value> values = loadLogits(body, logits, items, lane.head);
        Value max = maxOf(e, values, carried[0]);
        Value shift = Stats::shiftOf(e, max);
        Value old = e.mul(carried[1], e.exp(e.sub(carried[0], shift)));
        return {max, exponentiate(e, values, shift, old)};
      });
  return mergeLanes(e, {result[0], result[1]}, split.lanes);
}

void SoftmaxEmitter::storeItems(Body &body, const View &out,
                                const EdgeLanes::Items &items, Value head,
                                ArrayRef<Value> powers, Value factor) {
  Emitter &e = body.e;
  for (auto [i, power] : llvm::enumerate(powers))
    storeIf(e, items.active[i], e.narrow(e.mul(power, factor), out.element),
            body.at(out, {items.edges[i], head}));
}

void SoftmaxEmitter::writePiece(Body &body, const View &logits, const View &out,
                                EdgeLanes &lane, Value begin, Value end,
                                Value shift, Value factor) {
  Emitter &e = body.e;
  lane.fold(begin, end, knobs.unroll, ValueRange(),
            [&](const EdgeLanes::Items &items, ValueRange) {
              SmallVector<Value> values =
                  loadLogits(body, logits, items, lane.head);
              exponentiate(e, values, shift, zero(e));
              storeItems(body, out, items, lane.head, values, factor);
              return SmallVector<Value>();
            });
}

void SoftmaxEmitter::storeLses(Body &body, ArrayRef<View> lses, Value row,
                               Value head, const Stats &stats) {
  if (lses.empty())
    return;
  Emitter &e = body.e;
  Value lse = stats.logSumExp(e);
  for (const View &view : lses)
    e.store(e.narrow(lse, view.element), body.at(view, {row, head}));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void SoftmaxEmitter::declareCommon(KernelBuilder &kernel) {
  kernel.distinguish("scale " +
                     std::to_string(llvm::bit_cast<uint64_t>(ops.scale)));
  kernel.distinguish("unroll", knobs.unroll);
  kernel.distinguish("heads", split.heads);
  if (rows.mayCut())
    kernel.distinguish("chunk", rows.getChunk());
}

SmallVector<KernelBuilder::View>
SoftmaxEmitter::declareLses(KernelBuilder &kernel) {
  kernel.distinguish("lses", ops.lses.size());
  SmallVector<View> views;
  for (const Buffer &lse : ops.lses)
    views.push_back(kernel.view(lse, Access::write));
  return views;
}

void SoftmaxEmitter::launchRows(bool aligned) {
  KernelBuilder kernel(host, kernels, "row_softmax");
  rows.declare(kernel, aligned);
  Param heads = kernel.scalar(numHeads);
  View logits = kernel.view(ops.logits, Access::aliased);
  View out = kernel.view(ops.out, Access::aliased);
  SmallVector<View> lses = declareLses(kernel);
  View stats = kernel.view(workspace, Access::write);
  declareCommon(kernel);

  rows.launch(
      kernel, knobs, split.lanes, split.tiles(host, numHeads),
      [&](Body &body, const Piece &piece, Value laneNumber) {
        Emitter &e = body.e;
        EdgeLanes lane(body, split, heads, laneNumber);
        Value begin = e.toI64(piece.begin), end = e.toI64(piece.end);
        auto finish = [&](const Stats &stats) {
          if (!lses.empty())
            e.ifThen(lane.isLeader(), [&] {
              storeLses(body, lses, piece.row, lane.head, stats);
            });
        };
        auto ofShortRow = [&] {
          SmallVector<Value> absent(knobs.unroll, negInf(e));
          SmallVector<Value> values =
              lane.take(begin, end, knobs.unroll, absent,
                        [&](const EdgeLanes::Items &items, ValueRange) {
                          return loadLogits(body, logits, items, lane.head);
                        });
          Value max =
              e.maxLanes(maxOf(e, values, negInf(e)), split.lanes, split.heads);
          Value sum = exponentiate(e, values, Stats::shiftOf(e, max), zero(e));
          Stats stats = {max, e.sumLanes(sum, split.lanes, split.heads)};
          Value factor = stats.factor(e);
          lane.take(begin, end, knobs.unroll, ValueRange(),
                    [&](const EdgeLanes::Items &items, ValueRange) {
                      storeItems(body, out, items, lane.head, values, factor);
                      return SmallVector<Value>();
                    });
          finish(stats);
        };
        auto ofLongRow = [&] {
          Stats stats = readPiece(body, logits, lane, begin, end);
          writePiece(body, logits, out, lane, begin, end, stats.shift(e),
                     stats.factor(e));
          finish(stats);
        };
        auto ofRow = [&] {
          Value longest = e.i64(split.edges() * knobs.unroll);
          e.ifElse(e.lessThan(longest, e.subI(end, begin)), ofLongRow,
                   ofShortRow);
        };
        if (!piece.split)
          return ofRow();
        e.ifElse(e.isZero(piece.split), ofRow, [&] {
          Stats result = readPiece(body, logits, lane, begin, end);
          e.ifThen(lane.isLeader(), [&] {
            Value slot = rows.slot(e, piece.begin, piece.split);
            e.store(result.max, body.at(stats, {slot, e.i64(0), lane.head}));
            e.store(result.sum, body.at(stats, {slot, e.i64(1), lane.head}));
          });
        });
      });
}

/// All threads of a block share out the pieces of a row; first the lanes of a
/// warp merge what they have, then one warp what the warps have.
void SoftmaxEmitter::launchMerge() {
  KernelBuilder kernel(host, kernels, "row_softmax_merge");
  Param heads = kernel.scalar(numHeads);
  SmallVector<View> lses = declareLses(kernel);
  View stats = kernel.view(workspace, Access::readWrite);
  declareCommon(kernel);
  constexpr int64_t warps = Rows::kMergeThreads / kWarp;

  rows.launchCutRows(
      kernel, split.tiles(host, numHeads),
      [&](Body &body, const Rows::CutRow &cut, Value thread) {
        Emitter &e = body.e;
        // The whole block is one group here.
        EdgeSplit block = split;
        block.lanes = Rows::kMergeThreads;
        EdgeLanes lane(body, block, heads, thread);
        Stats init = Stats::none(e, acc);
        SmallVector<Value> folded = lane.fold(
            e.i64(0), cut.pieces, 1, {init.max, init.sum},
            [&](const EdgeLanes::Items &items,
                ValueRange carried) -> SmallVector<Value> {
              Value slot = e.addI(cut.firstSlot, items.edges[0]);
              auto number = [&](int64_t which) {
                return e.load(body.at(stats, {slot, e.i64(which), lane.head}),
                              acc);
              };
              Stats sum =
                  combine(e, {carried[0], carried[1]}, {number(0), number(1)});
              return {sum.max, sum.sum};
            });
        Stats ofWarp = mergeLanes(e, {folded[0], folded[1]}, kWarp);

        // A place for each warp and head of the group.
        Value maxima = body.shared(acc, warps * split.heads);
        Value sums = body.shared(acc, warps * split.heads);
        Value warp = e.divI(thread, kWarp), warpLane = e.remI(thread, kWarp);
        e.ifThen(e.lessThan(warpLane, e.i32(split.heads)), [&] {
          Value place = e.addI(e.mulI(warp, split.heads), warpLane);
          e.store(ofWarp.max, e.at(maxima, acc, place));
          e.store(ofWarp.sum, e.at(sums, acc, place));
        });
        e.barrier();
        e.ifThen(lane.isLeader(), [&] {
          Stats total = Stats::none(e, acc);
          for (int64_t other = 0; other < warps; ++other) {
            Value place = e.addI(thread, other * split.heads);
            total = combine(e, total,
                            {e.load(e.at(maxima, acc, place), acc),
                             e.load(e.at(sums, acc, place), acc)});
          }
          e.store(total.shift(e),
                  body.at(stats, {cut.firstSlot, e.i64(0), lane.head}));
          e.store(total.factor(e),
                  body.at(stats, {cut.firstSlot, e.i64(1), lane.head}));
          storeLses(body, lses, cut.row, lane.head, total);
        });
        // Before the next row overwrites what was exchanged.
        e.barrier();
      });
}

void SoftmaxEmitter::launchCutPieces(bool aligned) {
  KernelBuilder kernel(host, kernels, "row_softmax_pieces");
  rows.declare(kernel, aligned);
  Param heads = kernel.scalar(numHeads);
  View logits = kernel.view(ops.logits, Access::aliased);
  View out = kernel.view(ops.out, Access::aliased);
  View stats = kernel.view(workspace, Access::read);
  declareCommon(kernel);

  rows.launch(
      kernel, knobs, split.lanes, split.tiles(host, numHeads),
      [&](Body &body, const Piece &piece, Value laneNumber) {
        Emitter &e = body.e;
        e.ifThen(e.lessThan(e.i64(0), piece.split), [&] {
          EdgeLanes lane(body, split, heads, laneNumber);
          Value slot = e.addI(rows.slot(e, piece.begin, piece.split),
                              e.subI(e.i64(1), piece.split));
          SmallVector<Value> merged =
              lane.ifHead({zero(e), zero(e)}, [&]() -> SmallVector<Value> {
                auto number = [&](int64_t which) {
                  return e.load(body.at(stats, {slot, e.i64(which), lane.head}),
                                acc);
                };
                return {number(0), number(1)};
              });
          writePiece(body, logits, out, lane, e.toI64(piece.begin),
                     e.toI64(piece.end), merged[0], merged[1]);
        });
      });
}

//===----------------------------------------------------------------------===//
// The host side
//===----------------------------------------------------------------------===//

void SoftmaxEmitter::run() {
  if (rows.mayCut())
    workspace = rows.allocSlots(host.fixed(2), numHeads, acc);
  auto launchBoth = [&](function_ref<void(bool aligned)> launch) {
    host.choose(
        rows.isAligned(), [&] { launch(true); }, [&] { launch(false); });
  };
  launchBoth([&](bool aligned) { launchRows(aligned); });
  if (!workspace)
    return;
  host.ifThen(rows.anyCut(), [&] {
    launchMerge();
    launchBoth([&](bool aligned) { launchCutPieces(aligned); });
  });
  host.free(workspace.memref);
}

void emitSoftmax(HostEmitter &host, KernelModule &kernels, Rows &rows,
                 SoftmaxOperands operands, const Knobs &knobs) {
  SoftmaxEmitter(host, kernels, rows, std::move(operands), knobs).run();
}

} // namespace mlir::autosage::device
