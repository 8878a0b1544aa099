//===- Gradients.cpp - gradients of sparse ops as IR ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/Transforms/Gradients.h"

#include "EdgeProgram.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::autosage;

static bool isMissingHeads(Value tensor, int64_t fullRank) {
  return cast<RankedTensorType>(tensor.getType()).getRank() < fullRank;
}

/// n x H x F in `element`.
static Value rowsOf(EdgeBuilder &b, Value tensor, Type element) {
  return castElements(
      b, isMissingHeads(tensor, 3) ? withHeads(b, tensor) : tensor, element);
}

/// nnz x H in `element`.
static Value edgesOf(EdgeBuilder &b, Value tensor, Type element) {
  return castElements(
      b, isMissingHeads(tensor, 2) ? withHeads(b, tensor) : tensor, element);
}

static Value emptyLike(EdgeBuilder &b, Value tensor, Type element) {
  return empty(b, tensor::getMixedSizes(b, b.getLoc(), tensor), element);
}

/// `gradient` with the element type and the rank of `operand`.
static Value likeOperand(EdgeBuilder &b, Value gradient, Value operand) {
  auto type = cast<RankedTensorType>(operand.getType());
  Value result = castElements(b, gradient, type.getElementType());
  if (type.getRank() < cast<RankedTensorType>(result.getType()).getRank())
    result = dropHeads(b, result);
  if (result.getType() != type)
    result = tensor::CastOp::create(b, type, result);
  return result;
}

/// The gradient of edge values from one number for each edge and head.
static Value likeEdgeValues(EdgeBuilder &b, Value gradient, Value values) {
  auto type = cast<RankedTensorType>(values.getType());
  bool isShared = type.getRank() == 1 || type.getDimSize(1) == 1;
  auto perHead = cast<RankedTensorType>(gradient.getType());
  if (isShared && perHead.getDimSize(1) != 1) {
    OpFoldResult nnz = tensor::getMixedSize(b, b.getLoc(), gradient, 0);
    gradient = sumOfHeads(
        b, gradient,
        empty(b, {nnz, b.getIndexAttr(1)}, perHead.getElementType()));
  }
  return likeOperand(b, gradient, values);
}

/// `gradient * scale * values`, where there are any, in place.
static Value scaled(EdgeBuilder &b, Value gradient, FloatAttr scale,
                    Value values) {
  bool scales = scale && scale.getValueAsDouble() != 1.0;
  if (!scales && !values)
    return gradient;
  Value out = emptyLike(b, gradient, elementOf(gradient));
  SmallVector<Value> inputs = {gradient};
  if (values)
    inputs.push_back(values);
  return forEachPoint(b, inputs, out, [&](EdgeBuilder &b, ValueRange elements) {
    Value value = elements[0], factor;
    if (scales)
      factor = number(b, value.getType(), scale.getValueAsDouble());
    if (values)
      factor = scales
                   ? arith::MulFOp::create(b, factor, elements[1]).getResult()
                   : elements[1];
    return SmallVector<Value>{arith::MulFOp::create(b, value, factor)};
  })[0];
}

//===----------------------------------------------------------------------===//
// spmm
//===----------------------------------------------------------------------===//

namespace {
class SpmmBackward {
public:
  SpmmBackward(EdgeBuilder &b, SpmmOp op, Value given)
      : b(b), op(op), edges(b, op) {
    Type element = elementOf(op.getX());
    // What is summed has to be exact: a mean is not in f16.
    bool isWide =
        op.getReduction() != Reduction::Sum || elementOf(given) != element;
    type = isWide ? accumulatorOf(element) : element;
    x = rowsOf(b, op.getX(), type);
    dy = rowsOf(b, given, type);
    if (op.getValues())
      values = edgesOf(b, op.getValues(), type);
  }

  SpmmGradients run();

private:
  /// dy over the number of edges of its row.
  void divideByEdges();
  void sums(Value &dx, Value &dw);
  Value argEdges();
  void picks(Value &dx, Value &dw);
  Value valueAt(EdgeBuilder &b, Value edge, Value head);

  EdgeBuilder &b;
  SpmmOp op;
  EdgeProgram edges;
  Type type;
  Value x, dy, values;
};
} // namespace

void SpmmBackward::divideByEdges() {
  Value rowptr = edges.arrays(op.getTranspose()).rowptr;
  dy = forEachPoint(
      b, dy, emptyLike(b, dy, type), [&](EdgeBuilder &b, ValueRange elements) {
        Value one = arith::ConstantIndexOp::create(b, 1);
        Value row = pointIndex(b, 0);
        Value next = arith::AddIOp::create(b, row, one);
        Value begin = toIndex(b, extract(b, rowptr, row));
        Value end = toIndex(b, extract(b, rowptr, next));
        Value count = arith::SubIOp::create(b, end, begin);
        count = arith::IndexCastOp::create(b, b.getI64Type(), count);
        count = arith::SIToFPOp::create(b, type, count);
        // Nothing reads what a row without edges has.
        return SmallVector<Value>{arith::DivFOp::create(b, elements[0], count)};
      })[0];
}

void SpmmBackward::sums(Value &dx, Value &dw) {
  bool backwards = !op.getTranspose();
  Value own = values;
  if (own && backwards)
    own = edges.permuted(own)[0];
  dx = edges.sumOverRows(backwards, own, dy, emptyLike(b, x, type));
  if (values)
    dw = op.getTranspose() ? edges.sddmm(Combine::Dot, x, dy)
                           : edges.sddmm(Combine::Dot, dy, x);
}

Value SpmmBackward::valueAt(EdgeBuilder &b, Value edge, Value head) {
  auto shape = cast<RankedTensorType>(values.getType()).getShape();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return extract(b, values, {edge, shape[1] == 1 ? zero : head});
}

/// For each element of the result, the first edge of its row whose message it
/// is; -1 where there is none.
Value SpmmBackward::argEdges() {
  bool transposed = op.getTranspose();
  EdgeProgram::Arrays arrays = edges.arrays(transposed);
  Value y = op->getResult(0);
  if (isMissingHeads(y, 3))
    y = withHeads(b, y);
  Type element = elementOf(y);
  return forEachPoint(
      b, y, emptyLike(b, y, b.getI64Type()),
      [&](EdgeBuilder &b, ValueRange elements) {
        Value row = pointIndex(b, 0), head = pointIndex(b, 1);
        Value f = pointIndex(b, 2), best = elements[0];
        Value one = arith::ConstantIndexOp::create(b, 1);
        Value none = arith::ConstantOp::create(b, b.getI64IntegerAttr(-1));
        Value next = arith::AddIOp::create(b, row, one);
        Value begin = toIndex(b, extract(b, arrays.rowptr, row));
        Value end = toIndex(b, extract(b, arrays.rowptr, next));
        auto isNan = [](EdgeBuilder &b, Value value) -> Value {
          return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value,
                                       value);
        };
        // From the last edge to the first, so that the first one stays.
        Value last = arith::SubIOp::create(b, end, one);
        auto loop = scf::ForOp::create(
            b, begin, end, one, none,
            [&](OpBuilder &inner, Location loc, Value step, ValueRange found) {
              EdgeBuilder at(loc, inner);
              Value place = arith::SubIOp::create(
                  at, arith::AddIOp::create(at, begin, last), step);
              Value edge = edges.edgeAt(at, transposed, place);
              Value column = toIndex(at, extract(at, arrays.colind, place));
              Value message = extract(at, x, {column, head, f});
              if (values)
                message =
                    arith::MulFOp::create(at, valueAt(at, edge, head), message);
              message = toType(at, message, element);
              Value isEqual = arith::CmpFOp::create(
                  at, arith::CmpFPredicate::OEQ, message, best);
              Value areNan = arith::AndIOp::create(at, isNan(at, message),
                                                   isNan(at, best));
              Value matches = arith::OrIOp::create(at, isEqual, areNan);
              Value number =
                  arith::IndexCastOp::create(at, at.getI64Type(), edge);
              scf::YieldOp::create(at, Value(arith::SelectOp::create(
                                           at, matches, number, found[0])));
            });
        return SmallVector<Value>{loop.getResult(0)};
      })[0];
}

void SpmmBackward::picks(Value &dx, Value &dw) {
  bool backwards = !op.getTranspose();
  // The body reads the permutation where it walks the transposed pattern.
  if (!backwards)
    edges.permutation();
  Value args = argEdges();
  edges.arrays(backwards);
  /// `value` where the edge is the one that the result came from.
  auto where = [&](EdgeBuilder &b, Value to, Value edge, Value head, Value f,
                   Value value) -> Value {
    Value arg = extract(b, args, {to, head, f});
    Value own = arith::IndexCastOp::create(b, b.getI64Type(), edge);
    Value isArg = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, arg, own);
    return arith::SelectOp::create(b, isArg, value,
                                   number(b, value.getType(), 0));
  };
  dx = forEachPoint(
      b, {}, emptyLike(b, x, type), [&](EdgeBuilder &b, ValueRange) {
        Value row = pointIndex(b, 0), head = pointIndex(b, 1);
        Value f = pointIndex(b, 2);
        return edges.sumInBody(
            b, backwards, row, type,
            [&](EdgeBuilder &b, Value place, Value to) {
              Value edge = edges.edgeAt(b, backwards, place);
              Value term = extract(b, dy, {to, head, f});
              if (values)
                term = arith::MulFOp::create(b, valueAt(b, edge, head), term);
              return SmallVector<Value>{where(b, to, edge, head, f, term)};
            });
      })[0];
  if (!values)
    return;
  EdgeProgram::Arrays arrays = edges.arrays(false);
  Value width = tensor::DimOp::create(b, x, 2);
  Value out =
      empty(b, {edges.nnz(), tensor::getMixedSize(b, b.getLoc(), x, 1)}, type);
  dw = forEachPoint(b, {}, out, [&](EdgeBuilder &b, ValueRange) {
    Value edge = pointIndex(b, 0), head = pointIndex(b, 1);
    Value row = edges.rowOfEdge(b, edge);
    Value column = toIndex(b, extract(b, arrays.colind, edge));
    Value to = backwards ? row : column, from = backwards ? column : row;
    Value zero = arith::ConstantIndexOp::create(b, 0);
    return SmallVector<Value>{
        sumOver(b, zero, width, type, [&](EdgeBuilder &b, Value f) {
          Value term = arith::MulFOp::create(b, extract(b, x, {from, head, f}),
                                             extract(b, dy, {to, head, f}));
          return where(b, to, edge, head, f, term);
        })};
  })[0];
}

SpmmGradients SpmmBackward::run() {
  Reduction reduction = op.getReduction();
  Value dx, dw;
  if (reduction == Reduction::Mean)
    divideByEdges();
  if (reduction == Reduction::Sum || reduction == Reduction::Mean)
    sums(dx, dw);
  else
    picks(dx, dw);
  SpmmGradients gradients;
  gradients.x = likeOperand(b, dx, op.getX());
  if (dw)
    gradients.values = likeEdgeValues(b, dw, op.getValues());
  return gradients;
}

SpmmGradients mlir::autosage::buildSpmmGradients(OpBuilder &builder, SpmmOp op,
                                                 Value dy) {
  EdgeBuilder b(op.getLoc(), builder);
  SpmmGradients gradients = SpmmBackward(b, op, dy).run();
  if (op.getAccumulate())
    gradients.outs = dy;
  return gradients;
}

//===----------------------------------------------------------------------===//
// sddmm
//===----------------------------------------------------------------------===//

SddmmGradients mlir::autosage::buildSddmmGradients(OpBuilder &builder,
                                                   SddmmOp op, Value given) {
  EdgeBuilder b(op.getLoc(), builder);
  EdgeProgram edges(b, op);
  bool adds = op.getCombine() == Combine::Add;
  Type type = accumulatorOf(elementOf(op.getQ()));
  Value ds = edgesOf(b, given, type), values;
  if (op.getValues())
    values = edgesOf(b, op.getValues(), type);
  Value own = scaled(b, ds, op.getScaleAttr(), values);
  Value turned = edges.permuted(own)[0];

  SddmmGradients gradients;
  if (adds) {
    auto sum = [&](bool transposed, Value numbers, Value operand) {
      SmallVector<OpFoldResult> sizes =
          tensor::getMixedSizes(b, b.getLoc(), operand);
      sizes.push_back(b.getIndexAttr(1));
      Value sum = edges.sumOfEdges(transposed, numbers, empty(b, sizes, type));
      SmallVector<ReassociationIndices> groups = {{0}, {1, 2}};
      return likeOperand(b, tensor::CollapseShapeOp::create(b, sum, groups),
                         operand);
    };
    gradients.q = sum(false, own, op.getQ());
    gradients.k = sum(true, turned, op.getK());
  } else {
    Value q = rowsOf(b, op.getQ(), type), k = rowsOf(b, op.getK(), type);
    gradients.q = likeOperand(
        b, edges.sumOverRows(false, own, k, emptyLike(b, q, type)), op.getQ());
    gradients.k = likeOperand(
        b, edges.sumOverRows(true, turned, q, emptyLike(b, k, type)),
        op.getK());
  }
  if (values) {
    Value q = op.getQ(), k = op.getK();
    if (!adds) {
      q = rowsOf(b, q, elementOf(q));
      k = rowsOf(b, k, elementOf(k));
    }
    Value combined = edges.sddmm(op.getCombine(), q, k, op.getScaleAttr());
    gradients.values =
        likeEdgeValues(b, scaled(b, combined, FloatAttr(), ds), op.getValues());
  }
  return gradients;
}

//===----------------------------------------------------------------------===//
// row_softmax
//===----------------------------------------------------------------------===//

Value mlir::autosage::buildRowSoftmaxGradient(OpBuilder &builder,
                                              RowSoftmaxOp op, Value given) {
  EdgeBuilder b(op.getLoc(), builder);
  EdgeProgram edges(b, op);
  Type type = accumulatorOf(elementOf(op.getValues()));
  Value weights = edgesOf(b, op->getResult(0), type);
  Value da = edgesOf(b, given, type);
  // An edge without weight takes part in nothing.
  auto weighed = [](EdgeBuilder &b, Value weight, Value value) -> Value {
    Value product = arith::MulFOp::create(b, weight, value);
    return arith::SelectOp::create(b, isZero(b, weight),
                                   number(b, weight.getType(), 0), product);
  };
  Value products = forEachPoint(b, {weights, da}, emptyLike(b, da, type),
                                [&](EdgeBuilder &b, ValueRange elements) {
                                  return SmallVector<Value>{
                                      weighed(b, elements[0], elements[1])};
                                })[0];
  OpFoldResult heads = tensor::getMixedSize(b, b.getLoc(), da, 1);
  Value means = edges.sumOfEdges(
      false, products,
      empty(b, {edges.rows(), heads, b.getIndexAttr(1)}, type));
  SmallVector<ReassociationIndices> groups = {{0}, {1, 2}};
  means = edges.rowsToEdges(tensor::CollapseShapeOp::create(b, means, groups));
  double scale = op.getScale() ? op.getScaleAttr().getValueAsDouble() : 1.0;
  Value ds = forEachPoint(
      b, {weights, da}, means, [&](EdgeBuilder &b, ValueRange elements) {
        Value difference = arith::SubFOp::create(b, elements[1], elements[2]);
        if (scale != 1.0)
          difference =
              arith::MulFOp::create(b, difference, number(b, type, scale));
        return SmallVector<Value>{weighed(b, elements[0], difference)};
      })[0];
  return likeOperand(b, ds, op.getValues());
}

//===----------------------------------------------------------------------===//
// attention
//===----------------------------------------------------------------------===//

AttentionGradients mlir::autosage::buildAttentionGradients(OpBuilder &builder,
                                                           AttentionOp op,
                                                           Value dO) {
  EdgeBuilder b(op.getLoc(), builder);
  SmallVector<Value> outs;
  for (Value operand :
       {op.getQ(), op.getK(), op.getV(), op.getVec(), op.getValues()})
    if (operand)
      outs.push_back(emptyLike(b, operand, elementOf(operand)));
  auto backward = AttentionBackwardOp::create(
      b, ValueRange(outs).getTypes(), op.getScore(), op.getPattern(),
      op.getArrays(), op.getValues(), op.getQ(), op.getK(), op.getV(),
      op.getVec(), op->getResult(0), op->getResult(1), dO,
      /*transposed=*/ValueRange(), outs, op.getScaleAttr(),
      op.getNegativeSlopeAttr(), op.getLayoutAttr(), op.getStatsAttr(),
      ScheduleAttr(), DecisionAttr());
  ResultRange results = backward->getResults();
  AttentionGradients gradients{results[0], results[1], results[2], Value(),
                               Value()};
  size_t next = 3;
  if (op.getVec())
    gradients.vec = results[next++];
  if (op.getValues())
    gradients.bias = results[next];
  for (auto [gradient, operand] : {std::pair(&gradients.q, op.getQ()),
                                   {&gradients.k, op.getK()},
                                   {&gradients.v, op.getV()},
                                   {&gradients.vec, op.getVec()},
                                   {&gradients.bias, op.getValues()}})
    if (*gradient)
      *gradient = likeOperand(b, *gradient, operand);
  return gradients;
}
