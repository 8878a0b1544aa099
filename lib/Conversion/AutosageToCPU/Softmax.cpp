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

//===----------------------------------------------------------------------===//
// Cut rows
//===----------------------------------------------------------------------===//

Value allocPieceStats(Emitter &e, const Partition &partition, Value heads) {
  Value slots = partition.slots();
  if (!slots)
    return nullptr;
  return e.alloc({slots, e.idx(2), heads ? heads : e.idx(1)}, e.acc);
}

static SmallVector<Value> statIndices(Emitter &e, Value slot, int64_t which,
                                      Value head) {
  return {slot, e.idx(which), head ? head : e.idx(0)};
}

void storePieceStats(Emitter &e, Value stats, Value slot, Value head, Value max,
                     Value sum) {
  e.store(max, stats, statIndices(e, slot, 0, head));
  e.store(sum, stats, statIndices(e, slot, 1, head));
}

std::pair<Value, Value> loadPieceStats(Emitter &e, Value stats, Value slot,
                                       Value head) {
  return {e.load(stats, statIndices(e, slot, 0, head)),
          e.load(stats, statIndices(e, slot, 1, head))};
}

Value pieceWeight(Emitter &e, Value stats, Value slot, Value head,
                  Value shift) {
  Value max = e.load(stats, statIndices(e, slot, 0, head));
  return e.exp(e.sub(max, shift));
}

MergedRow::MergedRow(Emitter &e, const CutRow &row, Value stats, Value head)
    : max(e, row.foldSlots(
                 e, e.negInf(e.acc), [&](Value slot, ValueRange carried) {
                   Value m = e.load(stats, statIndices(e, slot, 0, head));
                   return SmallVector<Value>{e.maxF(carried[0], m)};
                 })[0]) {
  sum = row.foldSlots(e, e.scalar(0.0), [&](Value slot, ValueRange carried) {
    Value weight = pieceWeight(e, stats, slot, head, max.shift);
    Value part = e.load(stats, statIndices(e, slot, 1, head));
    return SmallVector<Value>{e.add(carried[0], e.mul(weight, part))};
  })[0];
}

//===----------------------------------------------------------------------===//
// Row softmax
//===----------------------------------------------------------------------===//

namespace {
/// The values of one row or piece, in vectors along the edges or, `lanes` of
/// them at a time, along the heads.
class SoftmaxEmitter {
public:
  SoftmaxEmitter(Emitter &e, Value s, Value out, double scale, int64_t vec)
      : e(e), s(s), out(out), scale(scale), vec(vec) {}

  /// Maximum and sum of exponentials; these go to `powers` unless that is null.
  std::pair<RowMax, Value> reduce(const Piece &piece, const Lanes *lanes,
                                  Value powers) const;
  /// out = factor * power, with the powers in `powers`, or computed anew.
  void scalePowers(const Piece &piece, const Lanes *lanes, Value powers,
                   Value shift, Value factor) const;

private:
  Value logits(Value edge, const Lanes &heads) const {
    return e.scaleBy(e.load(s, edge, heads), scale);
  }

  Emitter &e;
  Value s, out;
  double scale;
  int64_t vec;
};
} // namespace

std::pair<RowMax, Value> SoftmaxEmitter::reduce(const Piece &piece,
                                                const Lanes *lanes,
                                                Value powers) const {
  if (!lanes) {
    RowMax max(e, emitLogitMax(e, s, piece.begin, piece.end, vec, scale));
    Value sum =
        emitExpSum(e, s, powers, piece.begin, piece.end, vec, scale, max.shift);
    return {max, sum};
  }
  Type type = e.vectorType(lanes->width);
  RowMax max(e, e.forLoop(piece.begin, piece.end, 1, e.negInf(type),
                          [&](Value edge, ValueRange m) {
                            return SmallVector<Value>{
                                e.maxF(m[0], logits(edge, *lanes))};
                          })[0]);
  Value sum = e.forLoop(piece.begin, piece.end, 1, e.constant(0.0, type),
                        [&](Value edge, ValueRange sum) {
                          Value power =
                              e.exp(e.sub(logits(edge, *lanes), max.shift));
                          if (powers)
                            e.store(power, powers, edge, *lanes);
                          return SmallVector<Value>{e.add(sum[0], power)};
                        })[0];
  return {max, sum};
}

void SoftmaxEmitter::scalePowers(const Piece &piece, const Lanes *lanes,
                                 Value powers, Value shift,
                                 Value factor) const {
  if (!lanes) {
    Value factors = e.broadcast(factor, vec);
    Value shifts = e.broadcast(shift, vec);
    // The fold carries nothing of use; it only cuts the range.
    e.foldLanes(
        piece.begin, piece.end, vec, factors,
        [&](const Lanes &edges, Value same) {
          Value power =
              powers ? e.load(powers, {}, edges)
                     : e.exp(e.sub(loadLogits(e, s, edges, scale), shifts));
          e.store(e.mul(power, factors), out, {}, edges);
          return same;
        });
    return;
  }
  e.forLoop(piece.begin, piece.end, 1, [&](Value edge) {
    Value power = powers ? e.load(powers, edge, *lanes)
                         : e.exp(e.sub(logits(edge, *lanes), shift));
    e.store(e.mul(power, factor), out, edge, *lanes);
  });
}

void emitRowSoftmax(OpBuilder &builder, Location loc, CsrOperands csr, Value s,
                    Value out, double scale, Knobs knobs,
                    Partition &partition) {
  Emitter e(builder, loc, accumulatorType({s, out}));
  knobs = adjustKnobs(knobs, {s, out});
  auto outType = cast<MemRefType>(out.getType());
  // Powers are parked in `out` unless that would round them.
  Value powers = outType.getElementType() == e.acc ? out : nullptr;
  Value heads = outType.getRank() == 2 ? e.dim(out, 1) : nullptr;
  Value width = e.idx(kSoftmaxWidth);
  SoftmaxEmitter softmax(e, s, out, scale, knobs.vec);

  // `body` for all values of an edge, or for the heads in groups.
  auto forLanes = [&](std::optional<FeatureSplit> &split,
                      function_ref<void(const Lanes *)> body) {
    if (!split)
      return body(nullptr);
    split->forTiles([&](ArrayRef<Lanes> tile) { body(&tile[0]); });
  };
  auto makeSplit = [&](std::optional<FeatureSplit> &split) {
    if (heads)
      split.emplace(e, heads, Knobs{knobs.vec, knobs.vec});
  };
  auto stat = [&](Value stats, Value slot, int64_t which, const Lanes *lanes) {
    if (!lanes)
      return e.load(stats, statIndices(e, slot, which, nullptr));
    return e.load(stats, {slot, e.idx(which)}, *lanes);
  };

  partition.begin(e, csr.rowptr, csr.colind,
                  heads ? e.mulI(heads, width) : width);
  Value stats = allocPieceStats(e, partition, heads);
  partition.forBlocks(e, [&](const Block &block) {
    std::optional<FeatureSplit> split;
    makeSplit(split);
    block.forPieces(e, [&](const Piece &piece) {
      forLanes(split, [&](const Lanes *lanes) {
        auto ofPiece = [&] {
          // What `out` holds may be the input of another walk over the piece.
          auto [max, sum] = softmax.reduce(piece, lanes, nullptr);
          if (!lanes)
            return storePieceStats(e, stats, piece.slot, nullptr, max.max, sum);
          e.store(max.max, stats, {piece.slot, e.idx(0)}, *lanes);
          e.store(sum, stats, {piece.slot, e.idx(1)}, *lanes);
        };
        auto ofRow = [&] {
          auto [max, sum] = softmax.reduce(piece, lanes, powers);
          Type type = sum.getType();
          Value factor = e.select(max.dead, e.constant(0.0, type),
                                  e.div(e.constant(1.0, type), sum));
          softmax.scalePowers(piece, lanes, powers, max.shift, factor);
        };
        forPiece(e, piece, ofPiece, ofRow);
      });
    });
  });
  if (!stats)
    return partition.end(e);

  // Each piece gets the row's shift and factor instead of its own numbers.
  partition.forCutRows(e, [&](const CutRow &row) {
    e.forHeads(heads, [&](Value head) {
      MergedRow merged(e, row, stats, head);
      Value factor = e.select(merged.max.dead, e.scalar(0.0),
                              e.div(e.scalar(1.0), merged.sum));
      row.forSlots(e, [&](Value slot) {
        storePieceStats(e, stats, slot, head, merged.max.shift, factor);
      });
    });
  });
  partition.forBlocks(e, [&](const Block &block) {
    std::optional<FeatureSplit> split;
    makeSplit(split);
    block.forCutPieces(e, [&](const Piece &piece) {
      forLanes(split, [&](const Lanes *lanes) {
        softmax.scalePowers(piece, lanes, nullptr,
                            stat(stats, piece.slot, 0, lanes),
                            stat(stats, piece.slot, 1, lanes));
      });
    });
  });
  e.dealloc(stats);
  partition.end(e);
}

} // namespace mlir::autosage::cpu
