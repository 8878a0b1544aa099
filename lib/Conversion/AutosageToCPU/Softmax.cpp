//===- Softmax.cpp - row softmax on the CPU -------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row softmax in three walks over a row: maximum, exponentials and their sum,
// division. With one value an edge the vectors run along the edges; with
// several heads along the heads, which are contiguous.
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"

namespace mlir::autosage::cpu {

RowMax::RowMax(Emitter &e, Value max) : max(max) {
  Type type = max.getType();
  dead = e.cmpF(arith::CmpFPredicate::OEQ, max, e.negInf(type));
  shift = e.select(dead, e.constant(0.0, type), max);
}

Value loadLogits(Emitter &e, Value buffer, const Lanes &lanes, double scale) {
  Value logits = e.scaleBy(e.load(buffer, {}, lanes), scale);
  if (!lanes.mask)
    return logits;
  return e.select(lanes.mask, logits, e.negInf(logits.getType()));
}

Value emitLogitMax(Emitter &e, Value buffer, Value lo, Value hi, int64_t width,
                   double scale) {
  Value init = e.negInf(e.vectorType(width));
  Value max =
      e.foldLanes(lo, hi, width, init, [&](const Lanes &lanes, Value m) {
        return e.maxF(m, loadLogits(e, buffer, lanes, scale));
      });
  return e.maxLanes(max);
}

Value emitExpSum(Emitter &e, Value buffer, Value out, Value lo, Value hi,
                 int64_t width, double scale, Value shift) {
  Value shifts = e.broadcast(shift, width);
  Value sum = e.foldLanes(
      lo, hi, width, e.splat(0.0, width), [&](const Lanes &lanes, Value sum) {
        Value power = e.exp(e.sub(loadLogits(e, buffer, lanes, scale), shifts));
        if (out)
          e.store(power, out, {}, lanes);
        return e.add(sum, power);
      });
  return e.sumLanes(sum);
}

/// One value an edge.
static void emitEdgeVectors(Emitter &e, Value s, Value out, Value begin,
                            Value end, double scale, bool keepPowers,
                            int64_t width) {
  RowMax max(e, emitLogitMax(e, s, begin, end, width, scale));
  Value sum = emitExpSum(e, s, keepPowers ? out : nullptr, begin, end, width,
                         scale, max.shift);
  Value factor = e.select(max.dead, e.scalar(0.0), e.div(e.scalar(1.0), sum));
  Value factors = e.broadcast(factor, width);
  Value shifts = e.broadcast(max.shift, width);
  // The fold carries nothing of use; it only cuts the range.
  e.foldLanes(begin, end, width, factors, [&](const Lanes &lanes, Value same) {
    Value power = keepPowers
                      ? e.load(out, {}, lanes)
                      : e.exp(e.sub(loadLogits(e, s, lanes, scale), shifts));
    e.store(e.mul(power, factors), out, {}, lanes);
    return same;
  });
}

/// Several heads: `lanes` of them at a time.
static void emitHeadVectors(Emitter &e, Value s, Value out, Value begin,
                            Value end, double scale, bool keepPowers,
                            const Lanes &lanes) {
  Type type = e.vectorType(lanes.width);
  auto logits = [&](Value edge) {
    return e.scaleBy(e.load(s, edge, lanes), scale);
  };
  RowMax max(
      e,
      e.forLoop(begin, end, 1, e.negInf(type), [&](Value edge, ValueRange m) {
        return SmallVector<Value>{e.maxF(m[0], logits(edge))};
      })[0]);
  auto power = [&](Value edge) {
    return e.exp(e.sub(logits(edge), max.shift));
  };
  Value sum = e.forLoop(begin, end, 1, e.constant(0.0, type),
                        [&](Value edge, ValueRange sum) {
                          Value p = power(edge);
                          if (keepPowers)
                            e.store(p, out, edge, lanes);
                          return SmallVector<Value>{e.add(sum[0], p)};
                        })[0];
  Value factor = e.select(max.dead, e.constant(0.0, type),
                          e.div(e.constant(1.0, type), sum));
  e.forLoop(begin, end, 1, [&](Value edge) {
    Value p = keepPowers ? e.load(out, edge, lanes) : power(edge);
    e.store(e.mul(p, factor), out, edge, lanes);
  });
}

void emitRowSoftmax(OpBuilder &builder, Location loc, CsrOperands csr, Value s,
                    Value out, double scale, Knobs knobs) {
  Emitter e(builder, loc, accumulatorType({s, out}));
  knobs = adjustKnobs(knobs, {s, out});
  auto outType = cast<MemRefType>(out.getType());
  // Powers are parked in `out` unless that would round them.
  bool keepPowers = outType.getElementType() == e.acc;
  Value heads = outType.getRank() == 2 ? e.dim(out, 1) : nullptr;

  Value width = e.idx(kSoftmaxWidth);
  if (heads)
    width = e.mulI(heads, width);
  e.parallelRows(
      csr.rowptr, csr.colind, width, knobs.grain, [&](Value lo, Value hi) {
        std::optional<FeatureSplit> split;
        if (heads)
          split.emplace(e, heads, Knobs{knobs.vec, knobs.vec, knobs.grain});
        e.forLoop(lo, hi, 1, [&](Value row) {
          Value begin = e.loadIndex(csr.rowptr, row);
          Value end = e.loadIndex(csr.rowptr, e.addI(row, 1));
          if (!split)
            return emitEdgeVectors(e, s, out, begin, end, scale, keepPowers,
                                   knobs.vec);
          split->forTiles([&](ArrayRef<Lanes> tile) {
            emitHeadVectors(e, s, out, begin, end, scale, keepPowers, tile[0]);
          });
        });
      });
}

} // namespace mlir::autosage::cpu
