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
#include "Score.h"
#include "Softmax.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using ::autosage::Score;

namespace mlir::autosage::cpu {

/// out[row, head, tile] = factor * sum over edges of weight * v[col, head,
/// tile].
static void emitWeightedSum(Emitter &e, Value colind, Value v, Value out,
                            Value weights, ArrayRef<Lanes> tile, Value row,
                            Value head, Value begin, Value end, Value factor,
                            Value dead) {
  SmallVector<Value> init;
  for (const Lanes &lanes : tile)
    init.push_back(e.splat(0.0, lanes.width));
  SmallVector<Value> sums =
      e.forLoop(begin, end, 1, init, [&](Value edge, ValueRange carried) {
        Value col = e.loadIndex(colind, edge);
        Value weight = e.load(weights, e.subI(edge, begin));
        SmallVector<Value> next;
        for (auto [lanes, sum] : llvm::zip_equal(tile, carried))
          next.push_back(e.fma(e.broadcast(weight, lanes.width),
                               e.load(v, rowIndices(col, head), lanes), sum));
        return next;
      });
  for (auto [lanes, sum] : llvm::zip_equal(tile, sums)) {
    Value result = e.mul(sum, e.broadcast(factor, lanes.width));
    // Not by the factor alone: 0 times an infinity of v would be NaN.
    result = e.select(dead, e.splat(0.0, lanes.width), result);
    e.store(result, out, rowIndices(row, head), lanes);
  }
}

void emitAttention(OpBuilder &builder, Location loc, CsrOperands csr,
                   AttentionOperands operands, Score score, double scale,
                   double slope, Knobs knobs) {
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
  e.parallelRows(
      csr.rowptr, csr.colind, width, knobs.grain, [&](Value lo, Value hi) {
        Value weights = memref::AllocOp::create(
            builder, loc, MemRefType::get({ShapedType::kDynamic}, e.acc),
            ValueRange{e.largestDegree(csr.rowptr, lo, hi)});
        ScoreEmitter scores(e, score, q, k, vec, slope, scoreKnobs);
        FeatureSplit valueSplit(e, valueFeatures, valueKnobs);
        e.forLoop(lo, hi, 1, [&](Value row) {
          Value begin = e.loadIndex(csr.rowptr, row);
          Value end = e.loadIndex(csr.rowptr, e.addI(row, 1));
          Value degree = e.subI(end, begin);
          e.forHeads(heads, [&](Value head) {
            biases.setHead(e, head);
            scores.setRow(row, head);
            e.forLoop(begin, end, 1, [&](Value edge) {
              Value col = e.loadIndex(csr.colind, edge);
              Value logit = e.scaleBy(scores.score(col), scale);
              if (biases)
                logit = e.add(logit, biases.load(e, edge));
              e.store(logit, weights, e.subI(edge, begin));
            });
            Value zero = e.idx(0);
            RowMax max(e,
                       emitLogitMax(e, weights, zero, degree, knobs.vec, 1.0));
            Value sum = emitExpSum(e, weights, weights, zero, degree, knobs.vec,
                                   1.0, max.shift);
            Value factor = e.div(e.scalar(1.0), sum);
            valueSplit.forTiles([&](ArrayRef<Lanes> tile) {
              emitWeightedSum(e, csr.colind, v, out, weights, tile, row, head,
                              begin, end, factor, max.dead);
            });
            // log(0) is -inf, but a polynomial need not know it.
            if (lse)
              e.store(e.select(max.dead, e.negInf(e.acc),
                               e.add(max.max, e.log(sum))),
                      lse, rowIndices(row, head));
          });
        });
        memref::DeallocOp::create(builder, loc, weights);
      });
}

} // namespace mlir::autosage::cpu
