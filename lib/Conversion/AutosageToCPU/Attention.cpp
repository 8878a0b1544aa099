//===- Attention.cpp - graph attention on the CPU -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fused attention in two walks over the edges of a row and head, with the
// weights of the row in a scratch buffer between them: logits, then the rows
// of v. An online softmax would need no buffer but two exponentials an edge,
// one after another; it was measured to take 2 to 4 times as long.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Partition.h"
#include "Score.h"
#include "Softmax.h"

using ::autosage::Score;

namespace mlir::autosage::cpu {

/// The sum over the edges of a piece of weight * v[col, head, tile].
static SmallVector<Value> emitWeightedSum(Emitter &e,
                                          const EdgeColumns &columns,
                                          int64_t unroll, Value v,
                                          Value weights, ArrayRef<Lanes> tile,
                                          const Piece &piece, Value head) {
  SmallVector<Value> init;
  for (const Lanes &lanes : tile)
    init.push_back(e.splat(0.0, lanes.width));
  return e.forEdges(
      piece.begin, piece.end, unroll, init,
      [&](ArrayRef<Value> edges, ValueRange carried) {
        SmallVector<Value> sums(carried);
        for (Value edge : edges) {
          Value col = columns.load(e, edge);
          Value weight = e.load(weights, e.subI(edge, piece.begin));
          columns.prefetch(e, edge, v, head, tile);
          for (auto [lanes, sum] : llvm::zip_equal(tile, sums))
            sum = e.fma(e.broadcast(weight, lanes.width),
                        e.load(v, rowIndices(col, head), lanes), sum);
        }
        return sums;
      });
}

/// The same over the pieces of a row, from what they have left.
static SmallVector<Value> mergeWeightedSums(Emitter &e, const CutRow &row,
                                            Value partials, Value stats,
                                            ArrayRef<Lanes> tile, Value head,
                                            Value shift) {
  SmallVector<Value> init;
  for (const Lanes &lanes : tile)
    init.push_back(e.splat(0.0, lanes.width));
  return row.foldSlots(e, init, [&](Value slot, ValueRange carried) {
    Value weight = pieceWeight(e, stats, slot, head, shift);
    SmallVector<Value> next;
    for (auto [lanes, sum] : llvm::zip_equal(tile, carried))
      next.push_back(e.fma(e.broadcast(weight, lanes.width),
                           e.load(partials, rowIndices(slot, head), lanes),
                           sum));
    return next;
  });
}

/// out[row, head, tile] = factor * sums, 0 where the row is dead.
static void emitOutput(Emitter &e, Value out, ArrayRef<Lanes> tile, Value row,
                       Value head, ValueRange sums, Value factor, Value dead) {
  for (auto [lanes, sum] : llvm::zip_equal(tile, sums)) {
    Value result = e.mul(sum, e.broadcast(factor, lanes.width));
    // Not by the factor alone: 0 times an infinity of v would be NaN.
    result = e.select(dead, e.splat(0.0, lanes.width), result);
    e.store(result, out, rowIndices(row, head), lanes);
  }
}

/// lse[row, head] = max + log(sum).
static void emitLogSumExp(Emitter &e, Value lse, Value row, Value head,
                          const RowMax &max, Value sum) {
  // log(0) is -inf, but a polynomial need not know it.
  if (lse)
    e.store(e.select(max.dead, e.negInf(e.acc), e.add(max.max, e.log(sum))),
            lse, rowIndices(row, head));
}

void emitAttention(OpBuilder &builder, Location loc, CsrOperands csr,
                   AttentionOperands operands, Score score, double scale,
                   double slope, Knobs knobs, Partition &partition) {
  Value q = operands.q, k = operands.k, v = operands.v, vec = operands.vec;
  Value out = operands.out, lse = operands.lse;
  Emitter e(builder, loc, accumulatorType({q, k, v, out, lse}));
  EdgeScalars biases(operands.bias);
  Knobs scoreKnobs = score == Score::gat ? adjustKnobs(knobs, {})
                                         : adjustKnobs(knobs, {q, k, vec});
  Knobs valueKnobs = adjustKnobs(knobs, {v, out});
  auto outType = cast<MemRefType>(out.getType());
  int64_t last = outType.getRank() - 1;
  auto sizeOf = [&](int64_t dimension) {
    return e.dim(outType.isDynamicDim(dimension) ? v : out, dimension);
  };
  Value heads = last == 2 ? sizeOf(1) : nullptr;
  Value valueFeatures = sizeOf(last);

  Value width =
      e.addI(e.addI(ScoreEmitter::width(e, score, q, k), valueFeatures),
             kSoftmaxWidth);
  if (heads)
    width = e.mulI(heads, width);
  EdgeColumns columns(e, csr.colind, knobs.prefetch);
  partition.begin(e, csr.rowptr, csr.colind, width);
  Value partials = allocPartials(e, partition, heads, valueFeatures);
  Value stats = allocPieceStats(e, partition, heads);
  partition.forBlocks(e, [&](const Block &block) {
    Value weights = e.alloc(block.longestPiece(e), e.acc);
    ScoreEmitter scores(e, score, q, k, vec, slope, scoreKnobs);
    FeatureSplit valueSplit(e, valueFeatures, valueKnobs);
    block.forPieces(e, [&](const Piece &piece) {
      Value degree = e.subI(piece.end, piece.begin);
      e.forHeads(heads, [&](Value head) {
        biases.setHead(e, head);
        scores.setRow(piece.row, head);
        forScores(e, scores, columns, piece, knobs.unroll,
                  biases.areContiguous(), [&](const Lanes &edges, Value score) {
                    Value logit = e.scaleBy(score, scale);
                    bool single = edges.width == 1;
                    if (biases)
                      logit = e.add(logit, single ? biases.load(e, edges.col)
                                                  : biases.load(e, edges));
                    Value place = e.subI(edges.col, piece.begin);
                    if (single)
                      e.store(logit, weights, place);
                    else
                      e.store(logit, weights, {},
                              {place, edges.width, nullptr});
                  });
        Value zero = e.idx(0);
        RowMax max(e, emitLogitMax(e, weights, zero, degree, knobs.vec, 1.0));
        Value sum = emitExpSum(e, weights, weights, zero, degree, knobs.vec,
                               1.0, max.shift);
        Value factor = e.div(e.scalar(1.0), sum);
        valueSplit.forTiles([&](ArrayRef<Lanes> tile) {
          SmallVector<Value> sums = emitWeightedSum(e, columns, knobs.unroll, v,
                                                    weights, tile, piece, head);
          forPiece(
              e, piece,
              [&] { storePartial(e, partials, piece.slot, head, tile, sums); },
              [&] {
                emitOutput(e, out, tile, piece.row, head, sums, factor,
                           max.dead);
              });
        });
        forPiece(
            e, piece,
            [&] { storePieceStats(e, stats, piece.slot, head, max.max, sum); },
            [&] { emitLogSumExp(e, lse, piece.row, head, max, sum); });
      });
    });
    e.dealloc(weights);
  });
  partition.forCutRows(e, [&](const CutRow &row) {
    FeatureSplit valueSplit(e, valueFeatures, valueKnobs);
    e.forHeads(heads, [&](Value head) {
      MergedRow merged(e, row, stats, head);
      Value factor = e.div(e.scalar(1.0), merged.sum);
      valueSplit.forTiles([&](ArrayRef<Lanes> tile) {
        SmallVector<Value> sums = mergeWeightedSums(
            e, row, partials, stats, tile, head, merged.max.shift);
        emitOutput(e, out, tile, row.row, head, sums, factor, merged.max.dead);
      });
      emitLogSumExp(e, lse, row.row, head, merged.max, merged.sum);
    });
  });
  for (Value buffer : {partials, stats})
    if (buffer)
      e.dealloc(buffer);
  partition.end(e);
}

} // namespace mlir::autosage::cpu
