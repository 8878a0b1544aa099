//===- ExpandBackward.cpp - attention_backward as ops with kernels --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights come from the log-sum-exp, as in FlashAttention's backward pass (Dao
// et al., 2022). Fused, there are two walks, over the edges of each query and
// over those of each key, and no numbers of edges in memory; composed, there is
// a step for each thing to compute, with such numbers between. Formulae, bytes
// and errors: docs/gradients.md.
//
//===----------------------------------------------------------------------===//

#include "EdgeProgram.h"
#include "autosage/Dialect/Autosage/Transforms/Gradients.h"
#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEEXPANDBACKWARD
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

/// Rows whose parts of dvec one point adds up: few enough for a short chain of
/// additions, many enough that the parts are few.
static constexpr int64_t kRowsPerPart = 256;

namespace {
/// The expansion of one op.
class AttentionBackward {
public:
  AttentionBackward(EdgeBuilder &b, AttentionBackwardOp op)
      : b(b), op(op), edges(b, op, op.getScheduleAttr()),
        hasHeads(rank(op.getV()) == 3), isGat(op.getScore() == Score::Gat) {
    if (!op.getTransposed().empty())
      edges.giveTransposed(op.getTransposed());
    type = accumulatorOf(elementOf(op.getQ()));
    scale = op.getScale() ? op.getScaleAttr().getValueAsDouble() : 1.0;
    if (op.getNegativeSlope())
      slope = op.getNegativeSlopeAttr().getValueAsDouble();
  }

  SmallVector<Value> run(bool composed) {
    return composed || !isFused() ? runComposed() : runFused();
  }

private:
  bool isFused() {
    ScheduleAttr schedule = op.getScheduleAttr();
    if (!schedule)
      return true;
    const auto &knobs = schedule.getSchedule().knobs;
    auto knob = knobs.find("attention");
    return knob == knobs.end() ||
           std::get<std::string>(knob->second) != "composed";
  }
  SmallVector<Value> runFused();
  SmallVector<Value> runComposed();

  static int64_t rank(Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getRank();
  }
  /// With a dimension for heads.
  Value full(Value tensor) { return hasHeads ? tensor : withHeads(b, tensor); }
  Value wide(Value tensor) { return castElements(b, full(tensor), type); }

  Value maskedAt(EdgeBuilder &b, Value value, Value lse);
  Value withoutMaskedRows(Value tensor);
  Value rowDots();
  Value scores();
  void weigh();
  void queryAndKey(Value turned);
  Value productGradient(bool ofKeys, Value numbers, Value out);
  Value vectorGradient(bool ofKeys, Value numbers, Value out, Value *vecParts);
  void sumVecParts(Value parts);
  Value biasGradient();
  /// A sum in the type of accumulation that ends in `out`.
  Value finish(Value sum, Value out, bool ofRows);
  /// Where such a sum is written first.
  Value placeOf(Value out) {
    if (elementOf(out) == type)
      return out;
    return empty(b, tensor::getMixedSizes(b, b.getLoc(), out), type);
  }

  EdgeBuilder &b;
  AttentionBackwardOp op;
  EdgeProgram edges;
  bool hasHeads, isGat;
  Type type;
  double scale, slope = 0.2;

  Value lse, dO;                // rows x H, and masked; composed
  Value weights, ds, biasTerms; // nnz x H: p, scale * ds, ds
  Value dq, dk, dvec;
};
} // namespace

/// 0 in rows and heads without weight.
Value AttentionBackward::maskedAt(EdgeBuilder &b, Value value, Value lse) {
  return arith::SelectOp::create(b, isMinusInfinity(b, lse),
                                 number(b, value.getType(), 0), value);
}

/// A copy in the type of accumulation.
Value AttentionBackward::withoutMaskedRows(Value tensor) {
  Value out = empty(b, tensor::getMixedSizes(b, b.getLoc(), tensor), type);
  return forEachPoint(
      b, {tensor, lse}, out, [&](EdgeBuilder &b, ValueRange elements) {
        return SmallVector<Value>{
            maskedAt(b, toType(b, elements[0], type), elements[1])};
      })[0];
}

/// Row by row do . o, which is the sum of weight * dp over the edges.
Value AttentionBackward::rowDots() {
  Value o = full(op.getO());
  Value out = empty(b, tensor::getMixedSizes(b, b.getLoc(), lse), type);
  Value width = tensor::DimOp::create(b, o, 2);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return forEachPoint(b, {}, out, [&](EdgeBuilder &b, ValueRange) {
    Value row = pointIndex(b, 0), head = pointIndex(b, 1);
    return SmallVector<Value>{
        sumOver(b, zero, width, type, [&](EdgeBuilder &b, Value f) -> Value {
          Value x = extract(b, dO, {row, head, f});
          Value y = toType(b, extract(b, o, {row, head, f}), type);
          return arith::MulFOp::create(b, x, y);
        })};
  })[0];
}

/// What the logits are made of: scale * q . k, q + k, or the score of gatv2.
Value AttentionBackward::scores() {
  if (op.getScore() == Score::Dot)
    return edges.sddmm(Combine::Dot, full(op.getQ()), full(op.getK()),
                       op.getScaleAttr());
  if (isGat)
    return edges.sddmm(Combine::Add, op.getQ(), op.getK());
  Value q = full(op.getQ()), k = full(op.getK()), vec = op.getVec();
  EdgeProgram::Arrays arrays = edges.arrays(/*transposed=*/false);
  Value width = tensor::DimOp::create(b, q, 2);
  Value out =
      empty(b, {edges.nnz(), tensor::getMixedSize(b, b.getLoc(), q, 1)}, type);
  return forEachPoint(b, {}, out, [&](EdgeBuilder &b, ValueRange) {
    Value edge = pointIndex(b, 0), head = pointIndex(b, 1);
    Value row = edges.rowOfEdge(b, edge);
    Value column = toIndex(b, extract(b, arrays.colind, edge));
    Value zero = arith::ConstantIndexOp::create(b, 0);
    return SmallVector<Value>{
        sumOver(b, zero, width, type, [&](EdgeBuilder &b, Value f) -> Value {
          auto read = [&](Value tensor, ValueRange indices) {
            return toType(b, extract(b, tensor, indices), type);
          };
          Value t = arith::AddFOp::create(b, read(q, {row, head, f}),
                                          read(k, {column, head, f}));
          return arith::MulFOp::create(b, read(vec, {head, f}),
                                       leakyRelu(b, t, slope));
        })};
  })[0];
}

/// Weights and the gradients of logits, of scores and of biases.
void AttentionBackward::weigh() {
  Value score = scores();
  Value dp = edges.sddmm(Combine::Dot, dO, wide(op.getV()));
  SmallVector<Value> inputs = {edges.rowsToEdges(lse),
                               edges.rowsToEdges(rowDots())};
  Value bias = op.getValues();
  if (bias && rank(bias) == 1)
    bias = withHeads(b, bias);
  if (bias)
    inputs.push_back(bias);
  SmallVector<Value> outputs = {score, dp};
  bool wantsBias = static_cast<bool>(op.getDbias());
  if (wantsBias)
    outputs.push_back(
        empty(b, tensor::getMixedSizes(b, b.getLoc(), score), type));

  auto results = forEachPoint(
      b, inputs, outputs, [&](EdgeBuilder &b, ValueRange elements) {
        Value lse = elements[0], delta = elements[1];
        ValueRange before = elements.drop_front(inputs.size());
        Value score = before[0], dp = before[1];
        Value logit = isGat ? leakyRelu(b, score, slope) : score;
        // The scale of a dot product is in it.
        Value scaled = number(b, type, scale);
        if (op.getScore() != Score::Dot && scale != 1.0)
          logit = arith::MulFOp::create(b, logit, scaled);
        if (bias)
          logit = arith::AddFOp::create(b, logit, toType(b, elements[2], type));
        Value zero = number(b, type, 0);
        Value weight = math::ExpOp::create(
            b, arith::SubFOp::create(b, logit, lse).getResult());
        weight = maskedAt(b, weight, lse);
        Value ds = arith::MulFOp::create(b, weight,
                                         arith::SubFOp::create(b, dp, delta));
        ds = arith::SelectOp::create(b, isZero(b, weight), zero, ds);
        Value toScore = ds;
        if (scale != 1.0)
          toScore = arith::MulFOp::create(b, toScore, scaled);
        if (isGat)
          toScore = arith::MulFOp::create(b, toScore,
                                          leakyReluSlope(b, score, slope));
        SmallVector<Value> after = {weight, toScore};
        if (wantsBias)
          after.push_back(ds);
        return after;
      });
  weights = results[0];
  ds = results[1];
  if (wantsBias)
    biasTerms = results[2];
}

//===----------------------------------------------------------------------===//
// Gradients of q, k and vec
//===----------------------------------------------------------------------===//

Value AttentionBackward::finish(Value sum, Value out, bool ofRows) {
  bool isPlaced = elementOf(out) == type;
  if (!ofRows)
    return isPlaced ? sum : castInto(b, sum, out);
  // In place where it can be: the sum is in `out` already.
  return forEachPoint(
      b, isPlaced ? ValueRange(lse) : ValueRange{lse, sum},
      isPlaced ? sum : out, [&](EdgeBuilder &b, ValueRange elements) {
        return SmallVector<Value>{
            toType(b, maskedAt(b, elements[1], elements[0]), elementOf(out))};
      })[0];
}

/// Sums of ds * k, or of ds * q, where masked rows are left out.
Value AttentionBackward::productGradient(bool ofKeys, Value numbers,
                                         Value out) {
  Value other = ofKeys ? full(op.getQ()) : wide(op.getK());
  if (ofKeys)
    other = withoutMaskedRows(other);
  Value sum = edges.sumOverRows(ofKeys, numbers, other, placeOf(out));
  return finish(sum, out, /*ofRows=*/!ofKeys);
}

/// Sums of ds * vec * leaky_relu'(q + k); and of ds * leaky_relu(q + k), a
/// row's part of the gradient of vec.
Value AttentionBackward::vectorGradient(bool ofKeys, Value numbers, Value out,
                                        Value *vecParts) {
  Value q = full(op.getQ()), k = full(op.getK()), vec = op.getVec();
  edges.arrays(ofKeys);
  SmallVector<Value> outputs = {out};
  if (vecParts)
    outputs.push_back(
        empty(b, tensor::getMixedSizes(b, b.getLoc(), out), type));
  auto results = forEachPoint(b, {}, outputs, [&](EdgeBuilder &b, ValueRange) {
    Value row = pointIndex(b, 0), head = pointIndex(b, 1);
    Value f = pointIndex(b, 2);
    auto read = [&](EdgeBuilder &b, Value tensor, Value at) {
      return toType(b, extract(b, tensor, {at, head, f}), type);
    };
    Value own = read(b, ofKeys ? k : q, row);
    Value vector = toType(b, extract(b, vec, {head, f}), type);
    SmallVector<Type> types(outputs.size(), type);
    SmallVector<Value> sums = edges.sumInBody(
        b, ofKeys, row, types, [&](EdgeBuilder &b, Value place, Value column) {
          Value other = read(b, ofKeys ? q : k, column);
          Value t = arith::AddFOp::create(b, own, other);
          Value g = extract(b, numbers, {place, head});
          Value term =
              arith::MulFOp::create(b, arith::MulFOp::create(b, g, vector),
                                    leakyReluSlope(b, t, slope));
          if (ofKeys)
            term = maskedAt(b, term, extract(b, lse, {column, head}));
          SmallVector<Value> terms = {term};
          if (vecParts)
            terms.push_back(
                arith::MulFOp::create(b, g, leakyRelu(b, t, slope)));
          return terms;
        });
    if (!ofKeys)
      for (Value &sum : sums)
        sum = maskedAt(b, sum, extract(b, lse, {row, head}));
    sums[0] = toType(b, sums[0], elementOf(out));
    return sums;
  });
  if (vecParts)
    *vecParts = results[1];
  return results[0];
}

/// H x F of rows x H x F, in two steps: one chain of additions over all rows
/// would be slow, and off by more.
void AttentionBackward::sumVecParts(Value parts) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  auto sumUp = [&](Value tensor, Value out, unsigned innerDim,
                   function_ref<std::pair<Value, Value>(EdgeBuilder &)> range) {
    return forEachPoint(b, {}, out, [&](EdgeBuilder &b, ValueRange) {
      auto [begin, end] = range(b);
      Value head = pointIndex(b, innerDim), f = pointIndex(b, innerDim + 1);
      Value sum = sumOver(b, begin, end, type, [&](EdgeBuilder &b, Value i) {
        return extract(b, tensor, {i, head, f});
      });
      return SmallVector<Value>{toType(b, sum, elementOf(out))};
    })[0];
  };
  Value rows = tensor::DimOp::create(b, parts, 0);
  Value each = arith::ConstantIndexOp::create(b, kRowsPerPart);
  Value count = arith::CeilDivSIOp::create(b, rows, each);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), parts);
  sizes[0] = count;
  Value some = sumUp(parts, empty(b, sizes, type), 1, [&](EdgeBuilder &b) {
    Value begin = arith::MulIOp::create(b, pointIndex(b, 0), each);
    Value end = arith::AddIOp::create(b, begin, each);
    end = arith::MinSIOp::create(b, end, rows);
    return std::pair(begin, end);
  });
  dvec = sumUp(some, op.getDvec(), 0,
               [&](EdgeBuilder &) { return std::pair(zero, count); });
}

/// `turned` is ds in the order of the transposed pattern.
void AttentionBackward::queryAndKey(Value turned) {
  Value outQ = op.getOuts()[0], outK = op.getOuts()[1];
  if (isGat) {
    // One number a row: a feature of its own.
    auto sum = [&](bool ofKeys, Value numbers, Value out) {
      auto shape =
          llvm::to_vector(cast<RankedTensorType>(out.getType()).getShape());
      shape.push_back(1);
      auto widened = RankedTensorType::get(shape, elementOf(out));
      SmallVector<ReassociationIndices> groups = {{0}, {1, 2}};
      Value place =
          placeOf(tensor::ExpandShapeOp::create(b, widened, out, groups));
      Value sum = edges.sumOfEdges(ofKeys, numbers, place);
      sum = tensor::CollapseShapeOp::create(b, sum, groups);
      return elementOf(out) == type ? sum : castInto(b, sum, out);
    };
    dq = sum(false, ds, outQ);
    dk = sum(true, turned, outK);
    return;
  }
  bool isDot = op.getScore() == Score::Dot;
  Value parts;
  dq = isDot ? productGradient(false, ds, full(outQ))
             : vectorGradient(false, ds, full(outQ), &parts);
  dk = isDot ? productGradient(true, turned, full(outK))
             : vectorGradient(true, turned, full(outK), nullptr);
  if (parts)
    sumVecParts(parts);
  if (!hasHeads) {
    dq = dropHeads(b, dq);
    dk = dropHeads(b, dk);
  }
}

Value AttentionBackward::biasGradient() {
  Value out = op.getDbias();
  auto outType = cast<RankedTensorType>(out.getType());
  bool isFlat = outType.getRank() == 1;
  Value place = isFlat ? withHeads(b, out) : out;
  auto placeType = cast<RankedTensorType>(place.getType());
  Value sum = placeType.getDimSize(1) == 1 ? sumOfHeads(b, biasTerms, place)
                                           : castInto(b, biasTerms, place);
  return isFlat ? dropHeads(b, sum) : sum;
}

SmallVector<Value> AttentionBackward::runComposed() {
  lse = op.getLse();
  if (!hasHeads)
    lse = withHeads(b, lse);
  lse = castElements(b, lse, type);
  dO = withoutMaskedRows(full(op.getDO()));
  weigh();
  SmallVector<Value> turned = edges.permuted({ds, weights});
  queryAndKey(turned[0]);

  Value outV = full(op.getOuts()[2]);
  Value dv = finish(
      edges.sumOverRows(/*transposed=*/true, turned[1], dO, placeOf(outV)),
      outV, /*ofRows=*/false);
  SmallVector<Value> results = {dq, dk, hasHeads ? dv : dropHeads(b, dv)};
  if (dvec)
    results.push_back(dvec);
  if (biasTerms)
    results.push_back(biasGradient());
  return results;
}

//===----------------------------------------------------------------------===//
// In two walks
//===----------------------------------------------------------------------===//

SmallVector<Value> AttentionBackward::runFused() {
  auto emptyLike = [&](Value tensor) {
    return empty(b, tensor::getMixedSizes(b, b.getLoc(), tensor), type);
  };
  ScheduleAttr schedule = op.getScheduleAttr();
  OperandRange outs = op.getOuts();
  SmallVector<Value> ofQueries = {outs[0], emptyLike(op.getLse())};
  if (op.getVec())
    ofQueries.push_back(emptyLike(op.getQ()));
  Value dbias = op.getDbias();
  if (dbias) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), op.getLse());
    sizes[0] = edges.nnz();
    Value dLogits = empty(b, sizes, type);
    // Of one type they are the gradient of the bias, unless heads share it.
    ofQueries.push_back(dbias.getType() == dLogits.getType() ? dbias : dLogits);
  }
  auto walk = AttentionBackwardQOp::create(
      b, ValueRange(ofQueries).getTypes(), op.getScore(),
      edges.patternValue(/*ofTransposed=*/false), ValueRange(), op.getValues(),
      op.getQ(), op.getK(), op.getV(), op.getVec(), op.getO(), op.getLse(),
      op.getDO(), ofQueries, op.getScaleAttr(), op.getNegativeSlopeAttr(),
      LayoutAttr(), op.getStatsAttr(), schedule, DecisionAttr());
  Value bias = op.getValues();
  auto back = AttentionBackwardKVOp::create(
      b, ValueRange{outs[1], outs[2]}.getTypes(), op.getScore(),
      edges.patternValue(/*ofTransposed=*/true), ValueRange(), bias,
      bias ? edges.permutation() : Value(), op.getQ(), op.getK(), op.getV(),
      op.getVec(), op.getLse(), walk->getResult(1), op.getDO(),
      ValueRange{outs[1], outs[2]}, op.getScaleAttr(),
      op.getNegativeSlopeAttr(), LayoutAttr(), StatsAttr(), schedule,
      DecisionAttr());
  SmallVector<Value> results = {walk->getResult(0), back->getResult(0),
                                back->getResult(1)};
  if (op.getVec()) {
    sumVecParts(full(walk->getResult(2)));
    results.push_back(dvec);
  }
  if (dbias) {
    Value dLogits = walk->getResults().back();
    bool isThere = ofQueries.back() == dbias;
    biasTerms = hasHeads ? dLogits : withHeads(b, dLogits);
    results.push_back(isThere ? dLogits : biasGradient());
  }
  return results;
}

SmallVector<Value>
mlir::autosage::expandAttentionBackward(OpBuilder &builder,
                                        AttentionBackwardOp op, bool composed) {
  EdgeBuilder b(op.getLoc(), builder);
  return AttentionBackward(b, op).run(composed);
}

namespace {
struct AutosageExpandBackwardPass final
    : public mlir::autosage::impl::AutosageExpandBackwardBase<
          AutosageExpandBackwardPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<AttentionBackwardOp> ops;
    getOperation()->walk([&](AttentionBackwardOp op) {
      // On buffers it has no results.
      if (op->getNumResults() > 0)
        ops.push_back(op);
    });
    for (AttentionBackwardOp op : ops) {
      OpBuilder builder(op);
      op->replaceAllUsesWith(expandAttentionBackward(builder, op, composed));
      op->erase();
      ++numExpanded;
    }
  }
};
} // namespace
