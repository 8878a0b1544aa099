//===- Sddmm.cpp - sampled dense dense matrix product on the CPU ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SDDMM. For `dot` the row of q stays in registers over the edges
// of a row where its width is known and small. `add` has one operation an
// edge and head and is bound by memory: it stays scalar.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Partition.h"
#include "Score.h"

using ::autosage::Combine;
using ::autosage::Score;

namespace mlir::autosage::cpu {

void emitSddmm(OpBuilder &builder, Location loc, CsrOperands csr, Value values,
               Value q, Value k, Value out, Combine combine, double scale,
               Knobs knobs, Partition &partition) {
  Emitter e(builder, loc, accumulatorType({q, k, out}));
  EdgeScalars weights(values);
  knobs = adjustKnobs(knobs, combine == Combine::dot ? ArrayRef<Value>{q, k}
                                                     : ArrayRef<Value>{});
  auto outType = cast<MemRefType>(out.getType());
  Value heads = outType.getRank() == 2 ? e.dim(out, 1) : nullptr;

  // add is gat's score without the leaky ReLU, that is with slope 1.
  Score score = combine == Combine::dot ? Score::dot : Score::gat;
  Value width = ScoreEmitter::width(e, score, q, k);
  if (heads)
    width = e.mulI(heads, width);
  bool asVectors = isContiguous(out) && weights.areContiguous();
  EdgeColumns columns(e, csr.colind, knobs.prefetch);
  // Each edge has an output of its own: cut rows need no merging.
  partition.begin(e, csr.rowptr, csr.colind, width);
  partition.forBlocks(e, [&](const Block &block) {
    ScoreEmitter scores(e, score, q, k, /*vec=*/nullptr, /*slope=*/1.0, knobs);
    block.forPieces(e, [&](const Piece &piece) {
      e.forHeads(heads, [&](Value head) {
        weights.setHead(e, head);
        scores.setRow(piece.row, head);
        forScores(e, scores, columns, piece, knobs.unroll, asVectors,
                  [&](const Lanes &edges, Value score) {
                    Value result = e.scaleBy(score, scale);
                    bool single = edges.width == 1;
                    if (weights)
                      result = e.mul(single ? weights.load(e, edges.col)
                                            : weights.load(e, edges),
                                     result);
                    if (single)
                      e.store(result, out, rowIndices(edges.col, head));
                    else
                      e.store(result, out, {}, edges);
                  });
      });
    });
  });
  partition.end(e);
}

} // namespace mlir::autosage::cpu
