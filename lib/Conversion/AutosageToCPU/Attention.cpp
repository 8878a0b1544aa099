//===- Attention.cpp - graph attention on the CPU -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fused attention: one walk over the edges of a row and head in groups, with an
// online softmax (Milakov and Gimelshein, 2018; FlashAttention, Dao et al.,
// 2022) from group to group. An online softmax of single edges takes two
// exponentials an edge, one after another, and was measured to take 2 to 4
// times as long; of groups it takes one more each, and exponentials are in
// vectors.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

using ::autosage::Score;

namespace mlir::autosage::cpu {

/// Edges of a group: their logits stay in the first-level cache with some rows
/// of v, and most rows of most graphs are one group, which rescales nothing.
static constexpr int64_t kGroupEdges = 128;

AttentionEmitter::AttentionEmitter(OpBuilder &builder, Location loc,
                                   CsrOperands csr, AttentionOperands operands,
                                   Score score, double scale, double slope,
                                   Knobs knobs, Partition &partition)
    : e(builder, loc,
        accumulatorType(
            {operands.q, operands.k, operands.v, operands.out, operands.lse})),
      csr(csr), operands(operands), score(score), scale(scale), slope(slope),
      knobs(knobs),
      scoreKnobs(
          score == Score::gat
              ? adjustKnobs(knobs, {})
              : adjustKnobs(knobs, {operands.q, operands.k, operands.vec})),
      valueKnobs(adjustKnobs(knobs, {operands.v, operands.out})),
      partition(partition), biases(operands.bias),
      columns(e, csr.colind, knobs.prefetch) {
  auto outType = cast<MemRefType>(operands.out.getType());
  int64_t last = outType.getRank() - 1;
  auto sizeOf = [&](int64_t dimension) {
    return e.dim(outType.isDynamicDim(dimension) ? operands.v : operands.out,
                 dimension);
  };
  heads = last == 2 ? sizeOf(1) : nullptr;
  valueFeatures = sizeOf(last);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

void AttentionEmitter::begin() {
  Value scoreWidth = ScoreEmitter::width(e, score, operands.q, operands.k);
  Value width = e.addI(e.addI(scoreWidth, valueFeatures), kSoftmaxWidth);
  if (heads)
    width = e.mulI(heads, width);
  partition.begin(e, csr.rowptr, csr.colind, width);
  partials = allocPartials(e, partition, heads, valueFeatures);
  stats = allocPieceStats(e, partition, heads);
}

void AttentionEmitter::end() {
  for (Value buffer : {partials, stats})
    if (buffer)
      e.dealloc(buffer);
  partition.end(e);
}

void AttentionEmitter::emitLogits(ScoreEmitter &scores, const Piece &piece,
                                  Value buffer, Value place,
                                  const FeatureSplit *values) {
  forScores(e, scores, columns, piece, knobs.unroll, biases.areContiguous(),
            [&](const Lanes &edges, Value score) {
              if (values)
                for (int64_t i = 0; i < edges.width; ++i)
                  values->forPrefetch([&](ArrayRef<Lanes> lanes) {
                    columns.prefetch(e, e.addI(edges.col, i), operands.v,
                                     scores.currentHead(), lanes);
                  });
              Value logit = e.scaleBy(score, scale);
              bool single = edges.width == 1;
              if (biases)
                logit = e.add(logit, single ? biases.load(e, edges.col)
                                            : biases.load(e, edges));
              Value at = e.addI(place, e.subI(edges.col, piece.begin));
              if (single)
                e.store(logit, buffer, at);
              else
                e.store(logit, buffer, {}, {at, edges.width, nullptr});
            });
}

SmallVector<Value> AttentionEmitter::emitWeightedSum(
    Value buffer, Value place, ArrayRef<Lanes> tile, const Piece &piece,
    Value head, ValueRange init, bool prefetches) {
  return e.forEdges(
      piece.begin, piece.end, knobs.unroll, init,
      [&](ArrayRef<Value> edges, ValueRange carried) {
        SmallVector<Value> sums(carried);
        for (Value edge : edges) {
          Value col = columns.load(e, edge);
          Value weight =
              e.load(buffer, e.addI(place, e.subI(edge, piece.begin)));
          if (prefetches)
            columns.prefetch(e, edge, operands.v, head, tile);
          for (auto [lanes, sum] : llvm::zip_equal(tile, sums))
            sum = e.fma(e.broadcast(weight, lanes.width),
                        e.load(operands.v, rowIndices(col, head), lanes), sum);
        }
        return sums;
      });
}

void AttentionEmitter::emitOutput(ArrayRef<Lanes> tile, Value row, Value head,
                                  ValueRange sums, Value factor, Value dead) {
  for (auto [lanes, sum] : llvm::zip_equal(tile, sums)) {
    Value result = e.mul(sum, e.broadcast(factor, lanes.width));
    // Not by the factor alone: 0 times an infinity of v would be NaN.
    result = e.select(dead, e.splat(0.0, lanes.width), result);
    e.store(result, operands.out, rowIndices(row, head), lanes);
  }
}

void AttentionEmitter::emitLogSumExp(Value row, Value head, const RowMax &max,
                                     Value sum) {
  // log(0) is -inf, but a polynomial need not know it.
  if (operands.lse)
    e.store(e.select(max.dead, e.negInf(e.acc), e.add(max.max, e.log(sum))),
            operands.lse, rowIndices(row, head));
}

void AttentionEmitter::mergeCutRows() {
  partition.forCutRows(e, [&](const CutRow &row) {
    FeatureSplit split(e, valueFeatures, valueKnobs);
    e.forHeads(heads, [&](Value head) {
      MergedRow merged(e, row, stats, head);
      Value factor = e.div(e.scalar(1.0), merged.sum);
      split.forTiles([&](ArrayRef<Lanes> tile) {
        SmallVector<Value> sums = row.foldSlots(
            e, e.zeros(tile), [&](Value slot, ValueRange carried) {
              Value weight =
                  pieceWeight(e, stats, slot, head, merged.max.shift);
              SmallVector<Value> next;
              for (auto [lanes, sum] : llvm::zip_equal(tile, carried))
                next.push_back(e.fma(
                    e.broadcast(weight, lanes.width),
                    e.load(partials, rowIndices(slot, head), lanes), sum));
              return next;
            });
        emitOutput(tile, row.row, head, sums, factor, merged.max.dead);
      });
      emitLogSumExp(row.row, head, merged.max, merged.sum);
    });
  });
}

//===----------------------------------------------------------------------===//
// Fused
//===----------------------------------------------------------------------===//

void AttentionEmitter::emitFused() {
  begin();
  partition.forBlocks(e, [&](const Block &block) {
    Value logits = e.alloc({e.idx(kGroupEdges)}, e.acc);
    // Of the groups before, for tiles that a walk over a group ends.
    Value before = e.alloc({valueFeatures}, e.acc);
    ScoreEmitter scores = makeScores();
    FeatureSplit split(e, valueFeatures, valueKnobs);
    Value zero = e.idx(0);
    auto emitRow = [&](const Piece &piece, Value head) {
      biases.setHead(e, head);
      scores.setRow(piece.row, head);
      // A row without edges is a group too, of none.
      Value stop = e.maxI(piece.end, e.addI(piece.begin, 1));
      auto emitGroup = [&](Value begin, ValueRange carried) {
        Piece group = piece;
        group.begin = begin;
        group.end = e.minI(e.addI(begin, kGroupEdges), piece.end);
        emitLogits(scores, group, logits, zero,
                   knobs.prefetch ? &split : nullptr);
        Value edges = e.subI(group.end, group.begin);
        Value largest = emitLogitMax(e, logits, zero, edges, knobs.vec, 1.0);
        RowMax max(e, e.maxF(carried[0], largest));
        Value part = emitExpSum(e, logits, logits, zero, edges, knobs.vec, 1.0,
                                max.shift);
        Value isLater = e.cmpI(arith::CmpIPredicate::sgt, begin, piece.begin);
        SmallVector<Value> scaled =
            e.ifThen(isLater, {e.scalar(1.0), carried[1]}, [&] {
              Value factor = e.exp(e.sub(carried[0], max.shift));
              return SmallVector<Value>{factor, e.mul(carried[1], factor)};
            });
        Value sum = e.add(scaled[1], part);
        Value factor = e.div(e.scalar(1.0), sum);
        Value isLast = e.cmpI(arith::CmpIPredicate::sge, group.end, piece.end);
        split.forTiles([&](ArrayRef<Lanes> tile) {
          SmallVector<Value> init = e.ifThen(isLater, e.zeros(tile), [&] {
            return llvm::map_to_vector(tile, [&](const Lanes &lanes) {
              return e.mul(e.load(before, {}, lanes),
                           e.broadcast(scaled[0], lanes.width));
            });
          });
          SmallVector<Value> sums =
              emitWeightedSum(logits, zero, tile, group, head, init,
                              /*prefetches=*/false);
          e.ifElse(
              isLast,
              [&] {
                forPiece(
                    e, piece,
                    [&] {
                      storePartial(e, partials, piece.slot, head, tile, sums);
                    },
                    [&] {
                      emitOutput(tile, piece.row, head, sums, factor, max.dead);
                    });
              },
              [&] {
                for (auto [lanes, sum] : llvm::zip_equal(tile, sums))
                  e.store(sum, before, {}, lanes);
              });
        });
        return SmallVector<Value>{max.max, sum};
      };
      SmallVector<Value> last =
          e.forLoop(piece.begin, stop, kGroupEdges,
                    {e.negInf(e.acc), e.scalar(0.0)}, emitGroup);
      forPiece(
          e, piece,
          [&] {
            storePieceStats(e, stats, piece.slot, head, last[0], last[1]);
          },
          [&] {
            if (operands.lse)
              emitLogSumExp(piece.row, head, RowMax(e, last[0]), last[1]);
          });
    };
    block.forPieces(e, [&](const Piece &piece) {
      e.forHeads(heads, [&](Value head) { emitRow(piece, head); });
    });
    e.dealloc(before);
    e.dealloc(logits);
  });
  mergeCutRows();
  end();
}

void emitAttention(OpBuilder &builder, Location loc, CsrOperands csr,
                   AttentionOperands operands, Score score, double scale,
                   double slope, bool fused, Knobs knobs,
                   Partition &partition) {
  AttentionEmitter attention(builder, loc, csr, operands, score, scale, slope,
                             knobs, partition);
  if (fused)
    attention.emitFused();
  else
    attention.emitComposed();
}

} // namespace mlir::autosage::cpu
