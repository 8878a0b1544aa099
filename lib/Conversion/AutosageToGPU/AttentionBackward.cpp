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
#include "WalkLane.h"

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

  /// Vectors that the kernels may use.
  struct Form {
    int64_t scoreVec = 1, valueVec = 1;
    bool aligned() const { return scoreVec > 1 || valueVec > 1; }
  };
  void launchAll(const Form &form);
  void launchPieces(const Form &form);
  Extent tilesOf(const FusedSplit &split);

  bool isGat() const { return scores.kind == Score::gat; }

  HostEmitter &host;
  KernelModule &kernels;
  Rows &rows;
  Knobs knobs;
  bool ofQueries;
  ScoreOperands scores; // q: the row's own, k: gathered; with biases
  ScoreOperands values; // the row's own of do and v, and the gathered one
  Buffer edges, o, lse, delta, dLogits;
  Width width; // of the values
  Extent scoreFeatures;
  FloatType acc;
  /// A sum of gradients: where it goes, and pieces of cut rows (slots x heads x
  /// features) before.
  struct Output {
    enum Kind { dScores, vecParts, dValues } kind;
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
  for (auto [kind, out] : {std::pair(Output::dScores, operands.dScores),
                           {Output::vecParts, operands.vecParts},
                           {Output::dValues, operands.dValues}})
    if (out)
      outputs.push_back({kind, host.buffer(out), Buffer()});
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Tiles of what is summed up are blocks of their own, which score for
/// themselves.
Extent WalkEmitter::tilesOf(const FusedSplit &split) {
  Extent tiles = host.fixed(1);
  auto cover = [&](const HeadTile &tile, const Extent &features) {
    Extent count = host.tilesOf(features, tile.columns());
    if (tiles.fixed && count.fixed)
      tiles = host.fixed(std::max(*tiles.fixed, *count.fixed));
    else
      tiles = {std::nullopt, host.maxI(tiles.host, count.host)};
  };
  if (!isGat())
    cover(split.scores, scoreFeatures);
  if (!ofQueries)
    cover(split.values, width.features);
  return tiles;
}

void WalkEmitter::launchPieces(const Form &form) {
  std::optional<FusedWidth> ofScores;
  if (!isGat())
    ofScores = {scoreFeatures, form.scoreVec};
  FusedSplit split = FusedSplit::of(knobs, width.heads, ofScores,
                                    FusedWidth{width.features, form.valueVec});
  KernelBuilder kernel(host, kernels,
                       std::string("attention_backward_") +
                           (ofQueries ? "q_" : "kv_") +
                           std::string(toString(scores.kind)));
  rows.declare(kernel, form.aligned());
  WalkKernel walk(ofQueries, scores, values, split, knobs.unroll, acc);
  walk.heads = kernel.scalar(width.heads);
  walk.features = kernel.scalar(scoreFeatures);
  walk.valueFeatures = kernel.scalar(width.features);
  auto view = [&](const Buffer &buffer, Access access, int64_t vec = 1) {
    return kernel.view(buffer, access,
                       buffer ? vectorAlignment(buffer.element, vec) : 0);
  };
  walk.colind = view(rows.colind(), Access::read);
  walk.edges = view(edges, Access::read);
  walk.biases = view(scores.biases, Access::read);
  walk.ownScores = view(scores.q, Access::read, form.scoreVec);
  walk.otherScores = view(scores.k, Access::read, form.scoreVec);
  walk.vec = view(scores.vec, Access::read, form.scoreVec);
  walk.ownValues = view(values.q, Access::read, form.valueVec);
  walk.otherValues = view(values.k, Access::read, form.valueVec);
  walk.o = view(o, Access::read, form.valueVec);
  walk.lse = view(lse, Access::read);
  walk.delta = view(delta, ofQueries ? Access::write : Access::read);
  walk.dLogits = view(dLogits, Access::write);
  for (const Output &output : outputs) {
    bool isValues = output.kind == Output::dValues;
    int64_t vec = isValues ? form.valueVec : form.scoreVec;
    WalkSum sum;
    sum.out = view(output.out, Access::write, vec);
    sum.partials = view(output.partials, Access::write, vec);
    if (output.kind == Output::dScores && isGat()) {
      walk.numbers = sum.out;
      walk.partialNumbers = sum.partials;
      continue;
    }
    sum.byWeight = isValues;
    if (scores.kind == Score::gatv2 && !isValues)
      sum.term =
          output.kind == Output::vecParts ? WalkSum::leaky : WalkSum::slopes;
    walk.sums.push_back(sum);
  }
  distinguishScores(kernel, scores);
  for (auto [fact, number] :
       {std::pair<StringRef, int64_t>{"rank", values.q.rank()},
        {"unroll", knobs.unroll},
        {"segment", walk.segment()},
        {"score_vec", form.scoreVec},
        {"score_vectors", split.scores.vectors},
        {"value_vec", form.valueVec},
        {"value_vectors", split.values.vectors},
        {"chunk", rows.mayCut() ? rows.getChunk() : 0}})
    kernel.distinguish(fact, number);

  Extent tiles = tilesOf(split);
  walk.tiles = kernel.scalar(tiles);
  rows.launch(kernel, knobs, split.heads.lanes(),
              host.product(split.heads.tiles(host, width.heads), tiles),
              [&](Body &body, const Piece &piece, Value lane) {
                WalkLane(body, walk, piece, lane).run(rows);
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
  if (rows.mayCut())
    for (Output &output : outputs)
      // Numbers of gat are features of one column.
      output.partials = rows.allocSlots(
          width.heads,
          output.kind == Output::dValues ? width.features : scoreFeatures, acc);

  SmallVector<Value> conditions;
  Form widest;
  SmallVector<Buffer, 0> ofScores = {scores.q, scores.k, scores.vec};
  SmallVector<Buffer, 0> ofValues = {values.q, values.k, o};
  for (const Output &output : outputs)
    (output.kind == Output::dValues ? ofValues : ofScores)
        .push_back(output.out);
  if (!isGat())
    widest.scoreVec = widestVector(
        host, knobs, Width::of(host, scores.q, scores.k), ofScores, conditions);
  widest.valueVec = widestVector(host, knobs, width, ofValues, conditions);
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
