//===- Score.cpp - one number for every edge and head ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores over features (dot, gatv2): a group of lanes walks the edges of a row
// with its columns of q in registers, several rows of k in flight. The lanes'
// parts of several edges are summed up together, each exchange halving what a
// lane has to carry on, and end shared out among the lanes, which store them
// side by side.
//
// Scores of two numbers (gat, and SDDMM's add): a lane for every edge and head.
//
//===----------------------------------------------------------------------===//

#include "Score.h"

#include "llvm/Support/MathExtras.h"

using ::autosage::Score;

namespace mlir::autosage::device {

/// Columns of k that a lane may hold for all edges in flight: with as many of q
/// for one edge they leave room for addresses.
static constexpr int64_t kColumnsInFlight = 64;

namespace {
/// How heads and features of a row are shared out among a group.
struct DotSplit {
  HeadTile tile;
  HeadSplit heads;
  /// Whether q stays in registers: the features of a head fit one tile.
  bool resident;

  static DotSplit of(const Knobs &knobs, const Width &width, int64_t vec);
};

class ScoreEmitter {
public:
  ScoreEmitter(HostEmitter &host, KernelModule &kernels, Rows &rows,
               ScoreOperands operands, const Knobs &knobs)
      : host(host), kernels(kernels), rows(rows), ops(std::move(operands)),
        knobs(knobs), acc(accumulatorType(ops.q.element)) {}

  void run();

private:
  using Body = KernelBuilder::Body;
  using View = KernelBuilder::View;

  void launchOverFeatures(const Width &width, int64_t vec);
  void launchOfNumbers(bool aligned);

  /// What every score kernel reads besides q and k, and writes.
  struct Edges {
    View colind, weights, biases, out;
  };
  Edges declareEdges(KernelBuilder &kernel);
  std::string name() const;

  /// What is stored for a score.
  Value finish(Emitter &e, Value score, const ScoreExtras &extras) {
    return e.narrow(finishScore(e, ops, score, extras), ops.out.element);
  }

  HostEmitter &host;
  KernelModule &kernels;
  Rows &rows;
  ScoreOperands ops;
  Knobs knobs;
  FloatType acc;
};
} // namespace

//===----------------------------------------------------------------------===//
// What all scores share
//===----------------------------------------------------------------------===//

void distinguishScores(KernelBuilder &kernel, const ScoreOperands &operands) {
  kernel.distinguish(toString(operands.kind));
  kernel.distinguish("scale " +
                     std::to_string(llvm::bit_cast<uint64_t>(operands.scale)));
  kernel.distinguish("slope " +
                     std::to_string(llvm::bit_cast<uint64_t>(operands.slope)));
}

Value leakyRelu(Emitter &e, Value value, double slope) {
  if (slope == 1.0)
    return value;
  Type type = value.getType();
  Value isPositive =
      e.cmpF(arith::CmpFPredicate::OGE, value, e.constant(0.0, type));
  return e.select(isPositive, value, e.mul(value, e.constant(slope, type)));
}

ScoreExtras loadScoreExtras(KernelBuilder::Body &body,
                            const KernelBuilder::View &weights,
                            const KernelBuilder::View &biases, Value edge,
                            Value head) {
  auto number = [&](const KernelBuilder::View &view) -> Value {
    if (!view)
      return {};
    return body.e.load(body.at(view, {edge, head}), view.element);
  };
  return {number(weights), number(biases)};
}

Value finishScore(Emitter &e, const ScoreOperands &operands, Value score,
                  const ScoreExtras &extras) {
  auto acc = cast<FloatType>(score.getType());
  if (operands.scale != 1.0)
    score = e.mul(score, e.constant(operands.scale, acc));
  if (extras.weight)
    score = e.mul(e.widen(extras.weight, acc), score);
  if (extras.bias)
    score = e.add(score, e.widen(extras.bias, acc));
  return score;
}

std::string ScoreEmitter::name() const {
  return "score_" + std::string(toString(ops.kind));
}

ScoreEmitter::Edges ScoreEmitter::declareEdges(KernelBuilder &kernel) {
  distinguishScores(kernel, ops);
  kernel.distinguish("unroll", knobs.unroll);
  Edges edges;
  edges.colind = kernel.view(rows.colind(), Access::read);
  edges.weights = kernel.view(ops.weights, Access::read);
  edges.biases = kernel.view(ops.biases, Access::read);
  edges.out = kernel.view(ops.out, Access::write);
  return edges;
}

//===----------------------------------------------------------------------===//
// Scores over features
//===----------------------------------------------------------------------===//

DotSplit DotSplit::of(const Knobs &knobs, const Width &width, int64_t vec) {
  DotSplit split;
  int64_t most = knobs.lanes ? knobs.lanes : kWarp;
  std::optional<int64_t> features = width.features.fixed;
  // Most features that a lane of q and unroll lanes of k have room for.
  int64_t vectorsThatFit =
      std::max<int64_t>(1, kColumnsInFlight / (knobs.unroll * vec));
  int64_t tile = knobs.tile ? knobs.tile : most * vec * vectorsThatFit;
  if (!features && !knobs.tile)
    tile = most * vec;
  if (features) {
    // Several tiles are of about one size.
    int64_t number = llvm::divideCeil(*features, tile);
    tile = number == 0 ? 1 : llvm::divideCeil(*features, number);
  }
  int64_t segment =
      std::min<int64_t>(most, llvm::PowerOf2Ceil(llvm::divideCeil(tile, vec)));
  split.heads = HeadSplit::of(knobs, width.heads, segment);
  split.tile = {vec, split.heads.segment,
                static_cast<int64_t>(llvm::divideCeil(tile, segment * vec))};
  split.resident = split.tile.holds(features);
  return split;
}

void ScoreEmitter::launchOverFeatures(const Width &width, int64_t vec) {
  DotSplit split = DotSplit::of(knobs, width, vec);
  KernelBuilder kernel(host, kernels, name());
  rows.declare(kernel, vec > 1);
  KernelBuilder::Param features = kernel.scalar(width.features);
  KernelBuilder::Param heads = kernel.scalar(width.heads);
  auto input = [&](const Buffer &buffer) {
    return kernel.view(buffer, Access::read,
                       buffer ? vectorAlignment(buffer.element, vec) : 0);
  };
  View qView = input(ops.q), kView = input(ops.k), vecView = input(ops.vec);
  Edges edges = declareEdges(kernel);
  bool hasHeads = ops.q.rank() == 3;
  kernel.distinguish("rank", ops.q.rank());
  kernel.distinguish("vec", vec);
  kernel.distinguish("segment", split.tile.segment);
  kernel.distinguish("vectors", split.tile.vectors);
  int64_t unroll = knobs.unroll;
  // Edges that a lane ends up with.
  int64_t shared = std::max<int64_t>(1, unroll / split.tile.segment);
  int64_t lanesPerEdge = std::max<int64_t>(1, split.tile.segment / unroll);

  rows.launch(
      kernel, knobs, split.heads.lanes(), split.heads.tiles(host, width.heads),
      [&](Body &body, const Piece &piece, Value lane) {
        Emitter &e = body.e;
        Value mask = e.groupMask(split.heads.lanes());
        Value segmentLane = e.remI(lane, split.tile.segment);
        HeadSplit::Lane who =
            split.heads.laneOf(body, body.blockY, lane, heads);
        Value head = who.head, isHead = who.isHead;

        auto columnsOf = [&](Value start) {
          return headColumns(body, split.tile, features, start, segmentLane);
        };
        auto address = [&](const View &view, Value row, Value column) {
          if (hasHeads)
            return body.at(view, {row, head, column});
          return body.at(view, {row, column});
        };
        auto loadWide = [&](const View &view, Value where) {
          return e.widen(e.load(where, view.element, vec, view.alignment), acc);
        };
        auto loadRow = [&](const View &view, Value row,
                           ArrayRef<HeadColumn> columns) {
          SmallVector<Value> elements;
          for (const HeadColumn &column : columns)
            elements.push_back(
                loadWide(view, address(view, row, column.number)));
          return elements;
        };
        auto loadVec = [&](ArrayRef<HeadColumn> columns) {
          SmallVector<Value> elements;
          if (vecView)
            for (const HeadColumn &column : columns)
              elements.push_back(
                  loadWide(vecView, body.at(vecView, {head, column.number})));
          return elements;
        };

        // Adds the lane's part of a tile to the sums of the edges in flight.
        auto addTile = [&](ArrayRef<HeadColumn> columns, ArrayRef<Value> q,
                           ArrayRef<Value> factors, ArrayRef<Value> edgeColumns,
                           ValueRange sums) {
          SmallVector<SmallVector<Value>> elements;
          for (Value column : edgeColumns) {
            SmallVector<Value> row;
            for (const HeadColumn &place : columns)
              row.push_back(e.load(address(kView, column, place.number),
                                   kView.element, vec, kView.alignment));
            elements.push_back(row);
          }
          SmallVector<Value> next = llvm::to_vector_of<Value>(sums);
          for (size_t i = 0; i < columns.size(); ++i) {
            SmallVector<Value> left, right;
            for (ArrayRef<Value> row : elements) {
              Value wide = e.widen(row[i], acc);
              left.push_back(vecView ? factors[i] : q[i]);
              right.push_back(
                  vecView ? leakyRelu(e, e.add(q[i], wide), ops.slope) : wide);
            }
            SmallVector<Value> more = e.dotColumns(left, right, next);
            // Not by a zero in q: k may hold an infinity.
            Value inside = columns[i].inside;
            for (auto [sum, old] : llvm::zip_equal(more, next))
              old = inside ? e.select(inside, sum, old) : sum;
          }
          return next;
        };

        SmallVector<HeadColumn> columns;
        SmallVector<Value> q, factors;
        if (split.resident) {
          columns = columnsOf(e.i64(0));
          q = loadRow(qView, piece.row, columns);
          factors = loadVec(columns);
        }
        // The first of the edges that the lane ends up with, in a group of
        // edges.
        Value place = e.mulI(e.divI(segmentLane, lanesPerEdge), shared);
        e.foldEdges(
            piece.begin, piece.end, unroll, ValueRange(),
            [&](const Emitter::EdgeGroup &group, ValueRange) {
              SmallVector<Value> edgeColumns, mine, stores;
              SmallVector<ScoreExtras> extras;
              for (Value edge : group.edges)
                edgeColumns.push_back(
                    e.toI64(e.load(body.at(edges.colind, {e.toI64(edge)}),
                                   edges.colind.element)));
              for (int64_t i = 0; i < shared; ++i) {
                Value offset = e.toI64(e.addI(place, i));
                Value first = e.toI64(group.edges[0]), condition = isHead;
                if (!group.active.empty()) {
                  // The last group: fewer edges than there is room for.
                  Value rest = e.subI(e.toI64(piece.end), first);
                  Value active = e.lessThan(offset, rest);
                  condition = condition ? e.andB(condition, active) : active;
                  offset = e.minI(offset, e.addI(rest, -1));
                }
                if (lanesPerEdge > 1) {
                  Value isFirst = e.isZero(e.remI(segmentLane, lanesPerEdge));
                  condition = condition ? e.andB(condition, isFirst) : isFirst;
                }
                mine.push_back(e.addI(first, offset));
                stores.push_back(condition);
                extras.push_back(loadScoreExtras(body, edges.weights,
                                                 edges.biases, mine[i], head));
              }
              SmallVector<Value> sums(group.edges.size(), e.constant(0.0, acc));
              if (split.resident)
                sums = addTile(columns, q, factors, edgeColumns, sums);
              else
                sums = e.forLoop(
                    e.i64(0), body(features), split.tile.columns(), sums,
                    [&](Value start, ValueRange carried) {
                      SmallVector<HeadColumn> tile = columnsOf(start);
                      return addTile(tile, loadRow(qView, piece.row, tile),
                                     loadVec(tile), edgeColumns, carried);
                    });
              sums =
                  e.sumLanesShared(sums, split.tile.segment, segmentLane, mask);
              for (auto [i, sum] : llvm::enumerate(sums))
                storeIf(e, stores[i], finish(e, sum, extras[i]),
                        body.at(edges.out, {mine[i], head}));
              return SmallVector<Value>();
            });
      });
}

//===----------------------------------------------------------------------===//
// Scores of two numbers
//===----------------------------------------------------------------------===//

void ScoreEmitter::launchOfNumbers(bool aligned) {
  KernelBuilder kernel(host, kernels, name());
  rows.declare(kernel, aligned);
  Extent numHeads = ops.q.sizes[1].fixed ? ops.q.sizes[1] : ops.k.sizes[1];
  EdgeSplit split = EdgeSplit::of(knobs, numHeads);
  KernelBuilder::Param heads = kernel.scalar(numHeads);
  View q = kernel.view(ops.q, Access::read);
  View k = kernel.view(ops.k, Access::read);
  Edges edges = declareEdges(kernel);
  kernel.distinguish("heads", split.heads);

  rows.launch(
      kernel, knobs, split.lanes, split.tiles(host, numHeads),
      [&](Body &body, const Piece &piece, Value laneNumber) {
        Emitter &e = body.e;
        EdgeLanes lane(body, split, heads, laneNumber);
        Value begin = e.toI64(piece.begin), end = e.toI64(piece.end);
        lane.fold(
            begin, end, knobs.unroll, ValueRange(),
            [&](const EdgeLanes::Items &items, ValueRange) {
              Value left = e.widen(
                  e.load(body.at(q, {piece.row, lane.head}), q.element), acc);
              SmallVector<Value> columns, elements;
              SmallVector<ScoreExtras> extras;
              for (Value edge : items.edges)
                columns.push_back(e.toI64(e.load(body.at(edges.colind, {edge}),
                                                 edges.colind.element)));
              for (Value column : columns)
                elements.push_back(
                    e.load(body.at(k, {column, lane.head}), k.element));
              for (Value edge : items.edges)
                extras.push_back(loadScoreExtras(
                    body, edges.weights, edges.biases, edge, lane.head));
              for (auto [i, element] : llvm::enumerate(elements)) {
                Value score =
                    leakyRelu(e, e.add(left, e.widen(element, acc)), ops.slope);
                storeIf(e, items.active[i], finish(e, score, extras[i]),
                        body.at(edges.out, {items.edges[i], lane.head}));
              }
              return SmallVector<Value>();
            });
      });
}

//===----------------------------------------------------------------------===//
// The host side
//===----------------------------------------------------------------------===//

void ScoreEmitter::run() {
  ops.weights = perEdge(host, ops.weights);
  ops.biases = perEdge(host, ops.biases);
  if (ops.kind == Score::gat) {
    return host.choose(
        rows.isAligned(), [&] { launchOfNumbers(true); },
        [&] { launchOfNumbers(false); });
  }
  Width width = Width::of(host, ops.q, ops.k);
  SmallVector<Buffer> inputs = {ops.q, ops.k};
  if (ops.vec)
    inputs.push_back(ops.vec);
  int64_t vec = vectorWidth(knobs, width, /*perHead=*/true, inputs);
  if (vec == 1)
    return launchOverFeatures(width, 1);
  Value fit =
      host.allOf({vectorsFit(host, vec, width, /*perHead=*/true, inputs),
                  rows.isAligned()});
  host.choose(
      fit, [&] { launchOverFeatures(width, vec); },
      [&] { launchOverFeatures(width, 1); });
}

void emitScores(HostEmitter &host, KernelModule &kernels, Rows &rows,
                ScoreOperands operands, const Knobs &knobs) {
  ScoreEmitter(host, kernels, rows, std::move(operands), knobs).run();
}

} // namespace mlir::autosage::device
