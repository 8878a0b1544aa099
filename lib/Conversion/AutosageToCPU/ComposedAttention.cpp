//===- ComposedAttention.cpp - attention in three walks over all edges ----===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Logits of all edges, their softmax, weighted sums: what sddmm, row_softmax
// and spmm do one after the other, with a number of the type of accumulation
// for every head and edge in memory.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

namespace mlir::autosage::cpu {

void AttentionEmitter::emitComposed() {
  begin();
  Value zero = e.idx(0), one = e.idx(1);
  Value edges = e.dim(csr.colind, 0), rows = e.rowsOf(csr.rowptr);
  // One head after the other, so that vectors run along the edges of a row.
  Value weights = e.alloc({e.mulI(edges, heads ? heads : one)}, e.acc);
  // Of whole rows, as `stats` has them of pieces.
  Value rowStats = e.alloc({rows, e.idx(2), heads ? heads : one}, e.acc);
  auto placeOf = [&](const Piece &piece, Value head) {
    return e.addI(e.mulI(head ? head : zero, edges), piece.begin);
  };
  auto forPiecesAndHeads = [&](const Block &block,
                               function_ref<void(const Piece &, Value)> body) {
    block.forPieces(e, [&](const Piece &piece) {
      e.forHeads(heads, [&](Value head) { body(piece, head); });
    });
  };

  partition.forBlocks(e, [&](const Block &block) {
    ScoreEmitter scores = makeScores();
    forPiecesAndHeads(block, [&](const Piece &piece, Value head) {
      biases.setHead(e, head);
      scores.setRow(piece.row, head);
      emitLogits(scores, piece, weights, placeOf(piece, head));
    });
  });

  partition.forBlocks(e, [&](const Block &block) {
    forPiecesAndHeads(block, [&](const Piece &piece, Value head) {
      Value lo = placeOf(piece, head);
      Value hi = e.addI(lo, e.subI(piece.end, piece.begin));
      RowMax max(e, emitLogitMax(e, weights, lo, hi, knobs.vec, 1.0));
      Value sum =
          emitExpSum(e, weights, weights, lo, hi, knobs.vec, 1.0, max.shift);
      forPiece(
          e, piece,
          [&] { storePieceStats(e, stats, piece.slot, head, max.max, sum); },
          [&] {
            storePieceStats(e, rowStats, piece.row, head, max.max, sum);
            emitLogSumExp(piece.row, head, max, sum);
          });
    });
  });

  partition.forBlocks(e, [&](const Block &block) {
    FeatureSplit split(e, valueFeatures, valueKnobs);
    forPiecesAndHeads(block, [&](const Piece &piece, Value head) {
      Value place = placeOf(piece, head);
      split.forTiles([&](ArrayRef<Lanes> tile) {
        SmallVector<Value> sums =
            emitWeightedSum(weights, place, tile, piece, head, e.zeros(tile),
                            /*prefetches=*/true);
        forPiece(
            e, piece,
            [&] { storePartial(e, partials, piece.slot, head, tile, sums); },
            [&] {
              auto [max, sum] = loadPieceStats(e, rowStats, piece.row, head);
              emitOutput(tile, piece.row, head, sums, e.div(e.scalar(1.0), sum),
                         RowMax(e, max).dead);
            });
      });
    });
  });
  mergeCutRows();
  e.dealloc(rowStats);
  e.dealloc(weights);
  end();
}

} // namespace mlir::autosage::cpu
