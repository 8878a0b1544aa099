//===- AttentionBackward.cpp - gradients of graph attention on the CPU ----===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both walks over the edges of attention's gradients: those of each query, and
// those of each key over the transposed pattern. A row and head goes through
// its edges in groups: scores and products with do to scratch buffers, from
// them in vectors weights and the gradients of logits, from those the sums.
// Edges to masked rows are left out when a group of a key is collected, so that
// nothing that they refer to is read.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Partition.h"
#include "Score.h"
#include "Softmax.h"

using ::autosage::Score;

namespace mlir::autosage::cpu {

/// Edges of a group: their numbers, and many of the rows that they gather
/// twice, stay in the first-level cache. 16 to 128 were measured to be the
/// same.
static constexpr int64_t kGroupEdges = 64;

namespace {
/// What the weight of an edge is multiplied by in a sum.
enum class Term {
  row,        // the gathered row
  slope,      // gatv2: vec times leaky_relu' of the sum of both rows
  activation, // gatv2: leaky_relu of the sum of both rows
  one,        // gat, whose weights have the slope in them
};

/// out[row, head] = the sum over edges of weight * term.
struct Sum {
  Sum(Emitter &e, Term term, bool ofWeights, Value out, Value gathered)
      : term(term), ofWeights(ofWeights), out(out), gathered(gathered),
        width(term == Term::one
                  ? e.idx(1)
                  : ScoreEmitter::width(e, Score::dot, out, gathered)) {}

  Term term;
  bool ofWeights; // of softmax's weights, not of the gradients of scores
  Value out, gathered, width;
  Knobs knobs{1, 1};
  Value partials; // of cut rows
  // In a block: the cut of a row, and what earlier groups have left.
  std::optional<FeatureSplit> split;
  Value before;
};

/// Some edges of a row, as many as the buffers hold.
struct Group {
  EdgeColumns columns;
  Value first, count;
  Value isLater, isLast;
};

class BackwardEmitter {
public:
  BackwardEmitter(OpBuilder &builder, Location loc, CsrOperands csr,
                  AttentionBackwardOperands operands, bool ofKeys, Score score,
                  double scale, double slope, Knobs knobs,
                  Partition &partition);
  void emit();

private:
  Value bufferOf(Type element) {
    return e.alloc({e.idx(kGroupEdges)}, element);
  }
  void openBlock();
  void closeBlock();
  /// What the row has of its own; the edges that take part in anything.
  Piece openQuery(const Piece &piece, Value head);
  /// The edges [begin, end) of a key whose queries are not masked; their
  /// number.
  Value collect(Value begin, Value end, Value head);
  void emitPiece(const Piece &piece, Value head);
  /// Scores, biases and products with do, to the buffers.
  void emitProducts(const Group &group, Value head);
  /// Softmax's weights and the gradients of scores, in place of these; their
  /// sum, one in each lane.
  Value emitWeights(const Group &group, Value head);
  SmallVector<Value> emitSum(const Sum &sum, const Group &group,
                             ArrayRef<Lanes> tile, Value row, Value head,
                             Value total, ValueRange init);
  void forTiles(const Sum &sum, function_ref<void(ArrayRef<Lanes>)> body);
  void finish(const Sum &sum, ArrayRef<Lanes> tile, Value row, Value head,
              ValueRange values);
  void mergeCutRows();

  Emitter e;
  CsrOperands csr;
  AttentionBackwardOperands operands;
  bool ofKeys;
  Score score;
  double scale, slope;
  Knobs knobs;
  Partition &partition;
  EdgeScalars biases;
  EdgeColumns columns;
  // Of the row's own end of an edge, and of the other.
  Value own, other, ownValues, otherValues;
  Value heads; // null without
  SmallVector<Sum, 2> sums;

  // In a block. Scores become weights and products the gradients of scores.
  std::optional<ScoreEmitter> scores, products, deltas;
  Value scoreBuffer, productBuffer, biasBuffer, logitBuffer;
  Value colBuffer, lseBuffer, deltaBuffer; // of keys
  Value rowLse, rowDelta;                  // of a query
};
} // namespace

BackwardEmitter::BackwardEmitter(OpBuilder &builder, Location loc,
                                 CsrOperands csr,
                                 AttentionBackwardOperands operands,
                                 bool ofKeys, Score score, double scale,
                                 double slope, Knobs knobs,
                                 Partition &partition)
    : e(builder, loc,
        accumulatorType(
            {operands.q, operands.k, operands.v, operands.dO, operands.lse})),
      csr(csr), operands(operands), ofKeys(ofKeys), score(score), scale(scale),
      slope(slope), knobs(knobs), partition(partition), biases(operands.bias),
      columns(e, csr.colind, knobs.prefetch),
      own(ofKeys ? operands.k : operands.q),
      other(ofKeys ? operands.q : operands.k),
      ownValues(ofKeys ? operands.v : operands.dO),
      otherValues(ofKeys ? operands.dO : operands.v) {
  auto type = cast<MemRefType>(operands.v.getType());
  if (type.getRank() == 3)
    heads = e.dim(type.isDynamicDim(1) ? operands.dO : operands.v, 1);
  Term term = score == Score::dot   ? Term::row
              : score == Score::gat ? Term::one
                                    : Term::slope;
  sums.emplace_back(e, term, /*ofWeights=*/false,
                    ofKeys ? operands.dk : operands.dq, other);
  if (ofKeys)
    sums.emplace_back(e, Term::row, /*ofWeights=*/true, operands.dv,
                      operands.dO);
  if (operands.outVecParts)
    sums.emplace_back(e, Term::activation, /*ofWeights=*/false,
                      operands.outVecParts, other);
  for (Sum &sum : sums) {
    SmallVector<Value> vectors = {sum.out, sum.gathered};
    if (sum.term != Term::row)
      vectors.append({own, operands.vec});
    sum.knobs = sum.term == Term::one ? knobs : adjustKnobs(knobs, vectors);
  }
}

void BackwardEmitter::emit() {
  Value width =
      e.addI(ScoreEmitter::width(e, score, own, other),
             ScoreEmitter::width(e, Score::dot, ownValues, otherValues));
  width = e.addI(width, kSoftmaxWidth);
  for (const Sum &sum : sums)
    width = e.addI(width, sum.width);
  if (heads)
    width = e.mulI(heads, width);
  partition.begin(e, csr.rowptr, csr.colind, width);
  for (Sum &sum : sums)
    sum.partials = allocPartials(e, partition, heads, sum.width);
  partition.forBlocks(e, [&](const Block &block) {
    openBlock();
    block.forPieces(e, [&](const Piece &piece) {
      e.forHeads(heads, [&](Value head) { emitPiece(piece, head); });
    });
    closeBlock();
  });
  mergeCutRows();
  for (const Sum &sum : sums)
    if (sum.partials)
      e.dealloc(sum.partials);
  partition.end(e);
}

//===----------------------------------------------------------------------===//
// Blocks and rows
//===----------------------------------------------------------------------===//

void BackwardEmitter::openBlock() {
  scoreBuffer = bufferOf(e.acc);
  productBuffer = bufferOf(e.acc);
  if (biases)
    biasBuffer = bufferOf(e.acc);
  // Several heads lie between the numbers of two edges.
  if (operands.outLogits && !isContiguous(operands.outLogits))
    logitBuffer = bufferOf(e.acc);
  if (ofKeys) {
    colBuffer = bufferOf(e.b.getIndexType());
    lseBuffer = bufferOf(e.acc);
    deltaBuffer = bufferOf(e.acc);
  }
  // The logits of gat are computed from the sums, whose sign counts too.
  bool isGat = score == Score::gat;
  scores.emplace(e, score, own, other, operands.vec, isGat ? 1.0 : slope,
                 isGat ? knobs
                       : adjustKnobs(knobs, {own, other, operands.vec}));
  products.emplace(e, Score::dot, ownValues, otherValues, /*vec=*/nullptr,
                   /*slope=*/1.0, adjustKnobs(knobs, {ownValues, otherValues}));
  if (!ofKeys)
    deltas.emplace(e, Score::dot, operands.dO, operands.o, /*vec=*/nullptr,
                   /*slope=*/1.0,
                   adjustKnobs(knobs, {operands.dO, operands.o}));
  for (Sum &sum : sums) {
    sum.before = e.alloc({sum.width}, e.acc);
    if (sum.term != Term::one)
      sum.split.emplace(e, sum.width, sum.knobs);
  }
}

void BackwardEmitter::closeBlock() {
  for (Sum &sum : sums)
    e.dealloc(sum.before);
  for (Value buffer : {scoreBuffer, productBuffer, biasBuffer, logitBuffer,
                       colBuffer, lseBuffer, deltaBuffer})
    if (buffer)
      e.dealloc(buffer);
}

Piece BackwardEmitter::openQuery(const Piece &piece, Value head) {
  SmallVector<Value> row = rowIndices(piece.row, head);
  rowLse = e.load(operands.lse, row);
  Value dead = e.cmpF(arith::CmpFPredicate::OEQ, rowLse, e.negInf(e.acc));
  deltas->setRow(piece.row, head);
  rowDelta = e.select(dead, e.scalar(0.0), deltas->score(piece.row));
  auto store = [&] { e.store(rowDelta, operands.outDelta, row); };
  forPiece(
      e, piece,
      [&] {
        Value begin = e.loadIndex(csr.rowptr, piece.row);
        e.ifThen(e.cmpI(arith::CmpIPredicate::eq, piece.begin, begin), store);
      },
      store);
  if (operands.outLogits)
    e.ifThen(dead, [&] {
      e.forLoop(piece.begin, piece.end, 1, [&](Value edge) {
        e.store(e.scalar(0.0), operands.outLogits, rowIndices(edge, head));
      });
    });
  // As if it had no edges.
  Piece live = piece;
  live.end = e.select(dead, piece.begin, piece.end);
  return live;
}

Value BackwardEmitter::collect(Value begin, Value end, Value head) {
  return e.forLoop(begin, end, 1, e.idx(0), [&](Value edge, ValueRange count) {
    Value place = count[0];
    Value col = columns.load(e, edge);
    Value lse = e.load(operands.lse, rowIndices(col, head));
    e.storeIndex(col, colBuffer, place);
    e.store(lse, lseBuffer, place);
    e.store(e.load(operands.delta, rowIndices(col, head)), deltaBuffer, place);
    if (biases) {
      Value at = operands.edges ? e.loadIndex(operands.edges, edge) : edge;
      e.store(biases.load(e, at), biasBuffer, place);
    }
    // The next edge takes the place of one that is masked.
    Value dead = e.cmpF(arith::CmpFPredicate::OEQ, lse, e.negInf(e.acc));
    return SmallVector<Value>{e.select(dead, place, e.addI(place, 1))};
  })[0];
}

void BackwardEmitter::emitPiece(const Piece &piece, Value head) {
  biases.setHead(e, head);
  scores->setRow(piece.row, head);
  products->setRow(piece.row, head);
  Piece live = ofKeys ? piece : openQuery(piece, head);
  // A row without edges is a group too, of none.
  Value stop = e.maxI(live.end, e.addI(live.begin, 1));
  e.forLoop(live.begin, stop, kGroupEdges, [&](Value begin) {
    Value end = e.minI(e.addI(begin, kGroupEdges), live.end);
    Value count = ofKeys ? collect(begin, end, head) : e.subI(end, begin);
    Group group{columns.countedFrom(begin, colBuffer), begin, count,
                e.cmpI(arith::CmpIPredicate::sgt, begin, live.begin),
                e.cmpI(arith::CmpIPredicate::sge, end, live.end)};
    emitProducts(group, head);
    Value total = emitWeights(group, head);
    for (const Sum &sum : sums)
      forTiles(sum, [&](ArrayRef<Lanes> tile) {
        SmallVector<Value> init = e.ifThen(group.isLater, e.zeros(tile), [&] {
          return llvm::map_to_vector(tile, [&](const Lanes &lanes) {
            return e.load(sum.before, {}, lanes);
          });
        });
        SmallVector<Value> values =
            emitSum(sum, group, tile, piece.row, head, total, init);
        e.ifElse(
            group.isLast,
            [&] {
              forPiece(
                  e, piece,
                  [&] {
                    storePartial(e, sum.partials, piece.slot, head, tile,
                                 values);
                  },
                  [&] { finish(sum, tile, piece.row, head, values); });
            },
            [&] {
              for (auto [lanes, value] : llvm::zip_equal(tile, values))
                e.store(value, sum.before, {}, lanes);
            });
      });
  });
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void BackwardEmitter::emitProducts(const Group &group, Value head) {
  Piece all{nullptr, e.idx(0), group.count, nullptr, nullptr};
  // Both in one loop: twice as many rows are on their way at once.
  forScores(
      e, {&*scores, &*products}, group.columns, all, knobs.unroll,
      /*asVectors=*/true, [&](const Lanes &edges, ArrayRef<Value> values) {
        for (auto [buffer, value] :
             llvm::zip_equal(ArrayRef{scoreBuffer, productBuffer}, values))
          if (edges.width == 1)
            e.store(value, buffer, edges.col);
          else
            e.store(value, buffer, {}, edges);
      });
  // Those of a key were collected.
  if (biases && !ofKeys)
    e.forLoop(all.begin, all.end, 1, [&](Value edge) {
      e.store(biases.load(e, e.addI(group.first, edge)), biasBuffer, edge);
    });
}

Value BackwardEmitter::emitWeights(const Group &group, Value head) {
  Value zero = e.idx(0);
  Value none = e.splat(0.0, knobs.vec);
  Value total = e.foldLanes(
      zero, group.count, knobs.vec, none,
      [&](const Lanes &edges, Value total) -> Value {
        auto ofEdges = [&](Value buffer, Value ofRow) {
          return buffer ? e.load(buffer, {}, edges)
                        : e.broadcast(ofRow, knobs.vec);
        };
        Value s = e.load(scoreBuffer, {}, edges);
        bool isGat = score == Score::gat;
        Value logit = e.scaleBy(isGat ? e.leakyRelu(s, slope) : s, scale);
        if (biases)
          logit = e.add(logit, e.load(biasBuffer, {}, edges));
        Value weight = e.exp(e.sub(logit, ofEdges(lseBuffer, rowLse)));
        Value ds = e.mul(weight, e.sub(e.load(productBuffer, {}, edges),
                                       ofEdges(deltaBuffer, rowDelta)));
        // Not 0 times an infinity.
        Value isZero = e.cmpF(arith::CmpFPredicate::OEQ, weight, none);
        ds = e.select(isZero, none, ds);
        if (logitBuffer)
          e.store(ds, logitBuffer, {}, edges);
        else if (operands.outLogits)
          e.store(ds, operands.outLogits, {},
                  {e.addI(group.first, edges.col), edges.width, edges.mask});
        ds = e.scaleBy(ds, scale);
        if (isGat)
          ds = e.mul(ds, e.leakyReluSlope(s, e.splat(1.0, knobs.vec), slope));
        e.store(ds, productBuffer, {}, edges);
        if (ofKeys)
          e.store(weight, scoreBuffer, {}, edges);
        if (!isGat)
          return total;
        return e.add(total, edges.mask ? e.select(edges.mask, ds, none) : ds);
      });
  if (logitBuffer)
    e.forLoop(zero, group.count, 1, [&](Value edge) {
      e.store(e.load(logitBuffer, edge), operands.outLogits,
              rowIndices(e.addI(group.first, edge), head));
    });
  return total;
}

SmallVector<Value> BackwardEmitter::emitSum(const Sum &sum, const Group &group,
                                            ArrayRef<Lanes> tile, Value row,
                                            Value head, Value total,
                                            ValueRange init) {
  if (sum.term == Term::one)
    return {e.add(init[0], e.broadcast(e.sumLanes(total), 1))};
  SmallVector<Value> ownLanes, vecLanes;
  for (const Lanes &lanes : tile) {
    if (sum.term != Term::row)
      ownLanes.push_back(e.load(own, rowIndices(row, head), lanes));
    if (sum.term == Term::slope)
      vecLanes.push_back(e.load(operands.vec, head ? head : e.idx(0), lanes));
  }
  auto termOf = [&](size_t i, Value gathered) {
    if (sum.term == Term::row)
      return gathered;
    Value both = e.add(ownLanes[i], gathered);
    return sum.term == Term::slope ? e.leakyReluSlope(both, vecLanes[i], slope)
                                   : e.leakyRelu(both, slope);
  };
  Value weights = sum.ofWeights ? scoreBuffer : productBuffer;
  return e.forEdges(e.idx(0), group.count, knobs.unroll, init,
                    [&](ArrayRef<Value> edges, ValueRange carried) {
                      SmallVector<Value> values(carried);
                      for (Value edge : edges) {
                        Value col = group.columns.load(e, edge);
                        Value weight = e.load(weights, edge);
                        for (auto [i, lanes] : llvm::enumerate(tile)) {
                          Value gathered = e.load(sum.gathered,
                                                  rowIndices(col, head), lanes);
                          values[i] = e.fma(e.broadcast(weight, lanes.width),
                                            termOf(i, gathered), values[i]);
                        }
                      }
                      return values;
                    });
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void BackwardEmitter::forTiles(const Sum &sum,
                               function_ref<void(ArrayRef<Lanes>)> body) {
  if (sum.split)
    sum.split->forTiles(body);
  else
    body(Lanes{e.idx(0), 1, nullptr});
}

void BackwardEmitter::finish(const Sum &sum, ArrayRef<Lanes> tile, Value row,
                             Value head, ValueRange values) {
  SmallVector<Value> outer = rowIndices(row, head);
  if (sum.term == Term::one)
    return e.store(e.sumLanes(values[0]), sum.out, outer);
  for (auto [lanes, value] : llvm::zip_equal(tile, values))
    e.store(value, sum.out, outer, lanes);
}

void BackwardEmitter::mergeCutRows() {
  partition.forCutRows(e, [&](const CutRow &row) {
    for (Sum &sum : sums)
      if (sum.term != Term::one)
        sum.split.emplace(e, sum.width, sum.knobs);
    e.forHeads(heads, [&](Value head) {
      for (const Sum &sum : sums)
        forTiles(sum, [&](ArrayRef<Lanes> tile) {
          SmallVector<Value> values = row.foldSlots(
              e, e.zeros(tile), [&](Value slot, ValueRange carried) {
                SmallVector<Value> next;
                for (auto [lanes, value] : llvm::zip_equal(tile, carried))
                  next.push_back(
                      e.add(value, e.load(sum.partials, rowIndices(slot, head),
                                          lanes)));
                return next;
              });
          finish(sum, tile, row.row, head, values);
        });
    });
  });
}

void emitAttentionBackwardQ(OpBuilder &builder, Location loc, CsrOperands csr,
                            AttentionBackwardOperands operands, Score score,
                            double scale, double slope, Knobs knobs,
                            Partition &partition) {
  BackwardEmitter(builder, loc, csr, operands, /*ofKeys=*/false, score, scale,
                  slope, knobs, partition)
      .emit();
}

void emitAttentionBackwardKV(OpBuilder &builder, Location loc, CsrOperands csr,
                             AttentionBackwardOperands operands, Score score,
                             double scale, double slope, Knobs knobs,
                             Partition &partition) {
  BackwardEmitter(builder, loc, csr, operands, /*ofKeys=*/true, score, scale,
                  slope, knobs, partition)
      .emit();
}

} // namespace mlir::autosage::cpu
