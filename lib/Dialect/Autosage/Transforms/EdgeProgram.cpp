//===- EdgeProgram.cpp - ops on the edges of one pattern ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bodies of linalg ops read tensors at indices of their own by tensor.extract;
// on a GPU each is a kernel with a thread for a point, on the CPU a loop nest.
//
//===----------------------------------------------------------------------===//

#include "EdgeProgram.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace mlir::autosage;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Type mlir::autosage::accumulatorOf(Type element) {
  return element.getIntOrFloatBitWidth() < 32
             ? Float32Type::get(element.getContext())
             : element;
}

Type mlir::autosage::elementOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

Value mlir::autosage::number(EdgeBuilder &b, Type type, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}

Value mlir::autosage::toType(EdgeBuilder &b, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(b, type, value);
  if (from > to)
    return arith::TruncFOp::create(b, type, value);
  return value;
}

Value mlir::autosage::toIndex(EdgeBuilder &b, Value value) {
  if (value.getType().isIndex())
    return value;
  return arith::IndexCastOp::create(b, b.getIndexType(), value);
}

static Value compare(EdgeBuilder &b, arith::CmpFPredicate predicate,
                     Value value, double to) {
  return arith::CmpFOp::create(b, predicate, value,
                               number(b, value.getType(), to));
}

Value mlir::autosage::isMinusInfinity(EdgeBuilder &b, Value value) {
  return compare(b, arith::CmpFPredicate::OEQ, value,
                 -std::numeric_limits<double>::infinity());
}

Value mlir::autosage::isZero(EdgeBuilder &b, Value value) {
  return compare(b, arith::CmpFPredicate::OEQ, value, 0);
}

Value mlir::autosage::leakyReluSlope(EdgeBuilder &b, Value value,
                                     double slope) {
  return arith::SelectOp::create(
      b, compare(b, arith::CmpFPredicate::OGE, value, 0),
      number(b, value.getType(), 1), number(b, value.getType(), slope));
}

Value mlir::autosage::leakyRelu(EdgeBuilder &b, Value value, double slope) {
  return arith::MulFOp::create(b, value, leakyReluSlope(b, value, slope));
}

Value mlir::autosage::extract(EdgeBuilder &b, Value tensor,
                              ValueRange indices) {
  return tensor::ExtractOp::create(b, tensor, indices);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value mlir::autosage::empty(EdgeBuilder &b, ArrayRef<OpFoldResult> sizes,
                            Type element) {
  return tensor::EmptyOp::create(b, sizes, element);
}

Value mlir::autosage::filled(EdgeBuilder &b, ArrayRef<OpFoldResult> sizes,
                             Type element, double value) {
  return linalg::FillOp::create(b, number(b, element, value),
                                empty(b, sizes, element))
      .getResult(0);
}

/// {0}, {1, 2} for n x F, {0, 1} for n.
static SmallVector<ReassociationIndices> headGroups(int64_t rank) {
  if (rank == 1)
    return {{0, 1}};
  return {{0}, {1, 2}};
}

Value mlir::autosage::withHeads(EdgeBuilder &b, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + 1, 1);
  return tensor::ExpandShapeOp::create(b, type.clone(shape), tensor,
                                       headGroups(type.getRank()));
}

Value mlir::autosage::dropHeads(EdgeBuilder &b, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return tensor::CollapseShapeOp::create(b, tensor,
                                         headGroups(type.getRank() - 1));
}

SmallVector<Value> mlir::autosage::forEachPoint(EdgeBuilder &b,
                                                ValueRange inputs,
                                                ValueRange outputs,
                                                PointBody body) {
  auto type = cast<RankedTensorType>(outputs.front().getType());
  auto rank = static_cast<unsigned>(type.getRank());
  SmallVector<AffineMap> maps;
  for (Value input : inputs) {
    auto inputType = cast<RankedTensorType>(input.getType());
    SmallVector<AffineExpr> indices;
    for (int64_t dim = 0; dim < inputType.getRank(); ++dim)
      indices.push_back(inputType.getDimSize(dim) == 1 &&
                                type.getDimSize(dim) != 1 && dim > 0
                            ? b.getAffineConstantExpr(0)
                            : b.getAffineDimExpr(dim));
    maps.push_back(AffineMap::get(rank, 0, indices, b.getContext()));
  }
  maps.append(outputs.size(), b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      b, outputs.getTypes(), inputs, outputs, maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange elements) {
        EdgeBuilder at(loc, inner);
        linalg::YieldOp::create(at, body(at, elements));
      });
  return llvm::to_vector_of<Value>(op.getResults());
}

Value mlir::autosage::pointIndex(EdgeBuilder &b, unsigned dim) {
  return linalg::IndexOp::create(b, dim);
}

Value mlir::autosage::castInto(EdgeBuilder &b, Value tensor, Value out) {
  return forEachPoint(b, tensor, out, [&](EdgeBuilder &b, ValueRange elements) {
    return SmallVector<Value>{toType(b, elements[0], elementOf(out))};
  })[0];
}

Value mlir::autosage::castElements(EdgeBuilder &b, Value tensor, Type element) {
  if (elementOf(tensor) == element)
    return tensor;
  return castInto(
      b, tensor,
      empty(b, tensor::getMixedSizes(b, b.getLoc(), tensor), element));
}

Value mlir::autosage::sumOver(EdgeBuilder &b, Value begin, Value end, Type type,
                              SumTerm term) {
  Value one = arith::ConstantIndexOp::create(b, 1);
  return scf::ForOp::create(
             b, begin, end, one, number(b, type, 0),
             [&](OpBuilder &inner, Location loc, Value index, ValueRange sum) {
               EdgeBuilder at(loc, inner);
               Value next = arith::AddFOp::create(at, sum[0], term(at, index));
               scf::YieldOp::create(at, next);
             })
      .getResult(0);
}

Value mlir::autosage::sumOfHeads(EdgeBuilder &b, Value tensor, Value out) {
  Value heads = tensor::DimOp::create(b, tensor, 1);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return forEachPoint(b, {}, out, [&](EdgeBuilder &b, ValueRange) {
    Value edge = pointIndex(b, 0);
    Value sum = sumOver(b, zero, heads, elementOf(tensor),
                        [&](EdgeBuilder &b, Value head) {
                          return extract(b, tensor, {edge, head});
                        });
    return SmallVector<Value>{toType(b, sum, elementOf(out))};
  })[0];
}

//===----------------------------------------------------------------------===//
// Sparse ops
//===----------------------------------------------------------------------===//

EdgeProgram::EdgeProgram(EdgeBuilder &b, SparseOpInterface op,
                         ScheduleAttr schedule)
    : b(b), pattern(op.getPatternValue()), stats(op.getStatistics()),
      schedule(schedule) {
  if (pattern)
    return;
  OperandRange arrays = op.getPatternArrays();
  auto rowptr = cast<RankedTensorType>(arrays[0].getType());
  auto colind = cast<RankedTensorType>(arrays[1].getType());
  int64_t rows =
      rowptr.isDynamicDim(0) ? ShapedType::kDynamic : rowptr.getDimSize(0) - 1;
  auto type =
      PatternType::get(rows, ShapedType::kDynamic, rowptr.getElementType(),
                       colind.getElementType());
  pattern = PatternOp::create(b, type, arrays[0], arrays[1], arrays.back(),
                              StatsAttr());
}

OpFoldResult EdgeProgram::sizeOf(DimKind kind) {
  auto type = cast<PatternType>(pattern.getType());
  int64_t fixed = kind == DimKind::Rows   ? type.getRows()
                  : kind == DimKind::Cols ? type.getCols()
                                          : ShapedType::kDynamic;
  if (!ShapedType::isDynamic(fixed))
    return b.getIndexAttr(fixed);
  return DimOp::create(b, kind, pattern).getResult();
}

void EdgeProgram::transpose() {
  if (transposed)
    return;
  auto op = TransposeOp::create(b, pattern);
  transposed = op.getTransposed();
  perm = op.getPermutation();
}

Value EdgeProgram::patternValue(bool ofTransposed) {
  if (!ofTransposed)
    return pattern;
  transpose();
  return transposed;
}

void EdgeProgram::giveTransposed(ValueRange arrays) {
  auto given = cast<PatternType>(pattern.getType());
  auto elementOf = [](Value array) {
    return cast<RankedTensorType>(array.getType()).getElementType();
  };
  auto type = PatternType::get(given.getCols(), given.getRows(),
                               elementOf(arrays[0]), elementOf(arrays[1]));
  transposed = PatternOp::create(
      b, type, arrays[0], arrays[1],
      getValueOrCreateConstantIndexOp(b, b.getLoc(), rows()), StatsAttr());
  perm = arrays[2];
}

EdgeProgram::Arrays EdgeProgram::arrays(bool ofTransposed) {
  Arrays &arrays = known[ofTransposed];
  if (!arrays.rowptr) {
    if (ofTransposed)
      transpose();
    auto op = ArraysOfOp::create(b, ofTransposed ? transposed : pattern);
    arrays = {op.getRowptr(), op.getColind()};
    if (!ofTransposed)
      numRows = getValueOrCreateConstantIndexOp(b, b.getLoc(), rows());
  }
  return arrays;
}

Value EdgeProgram::permutation() {
  transpose();
  return perm;
}

Value EdgeProgram::sddmm(Combine combine, Value q, Value k, FloatAttr scale) {
  Value out = empty(b, {nnz(), tensor::getMixedSize(b, b.getLoc(), q, 1)},
                    accumulatorOf(elementOf(q)));
  return SddmmOp::create(b, TypeRange(out.getType()), combine, pattern,
                         ValueRange(), Value(), q, k, out, scale, LayoutAttr(),
                         stats, schedule, DecisionAttr())
      ->getResult(0);
}

Value EdgeProgram::rowsToEdges(Value rowValues) {
  OpFoldResult heads = tensor::getMixedSize(b, b.getLoc(), rowValues, 1);
  Value zeros = filled(b, {cols(), heads}, elementOf(rowValues), 0);
  return sddmm(Combine::Add, rowValues, zeros);
}

Value EdgeProgram::sumOverRows(bool ofTransposed, Value values, Value x,
                               Value out) {
  if (ofTransposed)
    transpose();
  return SpmmOp::create(b, TypeRange(out.getType()), Reduction::Sum,
                        ofTransposed ? transposed : pattern, ValueRange(),
                        values, x, out, /*transpose=*/false,
                        /*accumulate=*/false, LayoutAttr(),
                        ofTransposed ? StatsAttr() : stats, schedule,
                        DecisionAttr())
      ->getResult(0);
}

Value EdgeProgram::sumOfEdges(bool ofTransposed, Value values, Value out) {
  OpFoldResult heads = tensor::getMixedSize(b, b.getLoc(), values, 1);
  Value ones =
      filled(b, {ofTransposed ? rows() : cols(), heads, b.getIndexAttr(1)},
             elementOf(values), 1);
  return sumOverRows(ofTransposed, values, ones, out);
}

SmallVector<Value> EdgeProgram::permuted(ValueRange edgeValues) {
  Value order = permutation();
  SmallVector<Value> outs;
  for (Value values : edgeValues)
    outs.push_back(empty(b, tensor::getMixedSizes(b, b.getLoc(), values),
                         elementOf(values)));
  return forEachPoint(b, order, outs, [&](EdgeBuilder &b, ValueRange elements) {
    Value edge = toIndex(b, elements[0]), head = pointIndex(b, 1);
    SmallVector<Value> results;
    for (Value values : edgeValues)
      results.push_back(extract(b, values, {edge, head}));
    return results;
  });
}

//===----------------------------------------------------------------------===//
// In bodies
//===----------------------------------------------------------------------===//

SmallVector<Value> EdgeProgram::sumInBody(EdgeBuilder &b, bool ofTransposed,
                                          Value row, TypeRange types,
                                          EdgeTerms edge) {
  const Arrays &arrays = known[ofTransposed];
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value next = arith::AddIOp::create(b, row, one);
  Value begin = toIndex(b, extract(b, arrays.rowptr, row));
  Value end = toIndex(b, extract(b, arrays.rowptr, next));
  SmallVector<Value> zeros;
  for (Type type : types)
    zeros.push_back(number(b, type, 0));
  auto loop = scf::ForOp::create(
      b, begin, end, one, zeros,
      [&](OpBuilder &inner, Location loc, Value place, ValueRange sums) {
        EdgeBuilder at(loc, inner);
        Value column = toIndex(at, extract(at, arrays.colind, place));
        SmallVector<Value> next;
        for (auto [sum, term] : llvm::zip_equal(sums, edge(at, place, column)))
          next.push_back(arith::AddFOp::create(at, sum, term));
        scf::YieldOp::create(at, next);
      });
  return llvm::to_vector_of<Value>(loop.getResults());
}

Value EdgeProgram::rowOfEdge(EdgeBuilder &b, Value edge) {
  // The last row that begins at or before the edge: empty rows in front of it
  // begin there too.
  Value rowptr = known[false].rowptr;
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto loop = scf::WhileOp::create(
      b, TypeRange{b.getIndexType(), b.getIndexType()},
      ValueRange{zero, numRows},
      [&](OpBuilder &inner, Location loc, ValueRange bounds) {
        EdgeBuilder at(loc, inner);
        Value next = arith::AddIOp::create(at, bounds[0], one);
        Value isOpen = arith::CmpIOp::create(at, arith::CmpIPredicate::slt,
                                             next, bounds[1]);
        scf::ConditionOp::create(at, isOpen, bounds);
      },
      [&](OpBuilder &inner, Location loc, ValueRange bounds) {
        EdgeBuilder at(loc, inner);
        Value sum = arith::AddIOp::create(at, bounds[0], bounds[1]);
        Value middle = arith::ShRUIOp::create(at, sum, one);
        Value begin = toIndex(at, extract(at, rowptr, middle));
        Value isAfter =
            arith::CmpIOp::create(at, arith::CmpIPredicate::sgt, begin, edge);
        Value newLow = arith::SelectOp::create(at, isAfter, bounds[0], middle);
        Value newHigh = arith::SelectOp::create(at, isAfter, middle, bounds[1]);
        scf::YieldOp::create(at, ValueRange{newLow, newHigh});
      });
  return loop.getResult(0);
}

Value EdgeProgram::edgeAt(EdgeBuilder &b, bool ofTransposed, Value place) {
  return ofTransposed ? toIndex(b, extract(b, perm, place)) : place;
}
