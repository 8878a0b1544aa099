//===- EdgeProgram.h - ops on the edges of one pattern ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What gradients are written with: the ops of the dialect on a pattern and on
// its transpose, elementwise ops on the numbers between, and loops over the
// edges of a row where no op of the dialect fits. All on tensors; operands have
// a dimension for heads throughout: n x H x F, edges and rows n x H.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_DIALECT_TRANSFORMS_EDGEPROGRAM_H
#define AUTOSAGE_LIB_DIALECT_TRANSFORMS_EDGEPROGRAM_H

#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::autosage {

using EdgeBuilder = ImplicitLocOpBuilder;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// f32 for f16 and bf16, else the type itself.
Type accumulatorOf(Type element);
Type elementOf(Value tensor);

Value number(EdgeBuilder &b, Type type, double value);
/// Widened, rounded, or as it is.
Value toType(EdgeBuilder &b, Value value, Type type);
Value toIndex(EdgeBuilder &b, Value value);
Value isMinusInfinity(EdgeBuilder &b, Value value);
Value isZero(EdgeBuilder &b, Value value);
/// `value` where it is not below 0, else `slope` times it; and the derivative.
Value leakyRelu(EdgeBuilder &b, Value value, double slope);
Value leakyReluSlope(EdgeBuilder &b, Value value, double slope);
/// An element of a tensor that a body reads at an index of its own.
Value extract(EdgeBuilder &b, Value tensor, ValueRange indices);

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value empty(EdgeBuilder &b, ArrayRef<OpFoldResult> sizes, Type element);
Value filled(EdgeBuilder &b, ArrayRef<OpFoldResult> sizes, Type element,
             double value);
/// n as n x 1, n x F as n x 1 x F: one head.
Value withHeads(EdgeBuilder &b, Value tensor);
/// The inverse.
Value dropHeads(EdgeBuilder &b, Value tensor);

/// One point of parallel loops over the outputs: the elements of `inputs`
/// there, then those of the outputs; returns what the outputs become. Inputs of
/// lower rank have the leading dimensions, and one where a size is 1 and the
/// output's is not that of all.
using PointBody =
    function_ref<SmallVector<Value>(EdgeBuilder &b, ValueRange elements)>;
SmallVector<Value> forEachPoint(EdgeBuilder &b, ValueRange inputs,
                                ValueRange outputs, PointBody body);
/// The index of the point in a dimension, in a body.
Value pointIndex(EdgeBuilder &b, unsigned dim);

/// In a body: the sum of `term` over [begin, end), from 0.
using SumTerm = function_ref<Value(EdgeBuilder &b, Value index)>;
Value sumOver(EdgeBuilder &b, Value begin, Value end, Type type, SumTerm term);

/// All elements in type `element`; the tensor itself where it is so already.
Value castElements(EdgeBuilder &b, Value tensor, Type element);
/// The same, written to `out`.
Value castInto(EdgeBuilder &b, Value tensor, Value out);
/// n x H to n x 1, summed, written to `out`.
Value sumOfHeads(EdgeBuilder &b, Value tensor, Value out);

//===----------------------------------------------------------------------===//
// Sparse ops
//===----------------------------------------------------------------------===//

class EdgeProgram {
public:
  /// On the pattern of `op`, which is on tensors. All ops have `schedule`.
  EdgeProgram(EdgeBuilder &b, SparseOpInterface op, ScheduleAttr schedule = {});

  struct Arrays {
    Value rowptr, colind;
  };

  /// The pattern, or its transpose.
  Value patternValue(bool ofTransposed);
  OpFoldResult rows() { return sizeOf(DimKind::Rows); }
  OpFoldResult cols() { return sizeOf(DimKind::Cols); }
  OpFoldResult nnz() { return sizeOf(DimKind::Nnz); }
  /// Made in front of what comes next, once; so not inside of a body first.
  Arrays arrays(bool transposed);
  /// Positions, coordinates and permutation of the transpose, which is not made
  /// then.
  void giveTransposed(ValueRange arrays);
  /// Which edge of the pattern each edge of its transpose is.
  Value permutation();

  /// nnz x H, in the type of accumulation.
  Value sddmm(Combine combine, Value q, Value k, FloatAttr scale = {});
  /// The number of an edge's row (columns x H of zeros serve for the other
  /// end).
  Value rowsToEdges(Value rowValues);
  /// Sums of `values * x` over the rows of the pattern or of its transpose;
  /// values may be null, and are in the order of what is walked.
  Value sumOverRows(bool transposed, Value values, Value x, Value out);
  /// Sums of numbers of edges, n x H x 1.
  Value sumOfEdges(bool transposed, Value values, Value out);
  /// Numbers of edges in the order of the transposed pattern.
  SmallVector<Value> permuted(ValueRange edgeValues);

  /// In a body: the sum over the edges of row `row`, from 0. `edge` gives the
  /// terms of an edge at a place of what is walked and its column.
  using EdgeTerms = function_ref<SmallVector<Value>(EdgeBuilder &b, Value place,
                                                    Value column)>;
  SmallVector<Value> sumInBody(EdgeBuilder &b, bool transposed, Value row,
                               TypeRange types, EdgeTerms edge);
  /// In a body: the row of an edge, by bisection of rowptr.
  Value rowOfEdge(EdgeBuilder &b, Value edge);
  /// In a body: the number that an edge at a place of what is walked has in the
  /// pattern.
  Value edgeAt(EdgeBuilder &b, bool transposed, Value place);

private:
  OpFoldResult sizeOf(DimKind kind);
  void transpose();

  EdgeBuilder &b;
  Value pattern, transposed, perm;
  StatsAttr stats; // of ops on the pattern, where it is no value of its own
  ScheduleAttr schedule;
  Arrays known[2];
  Value numRows; // beside the pattern's own arrays
};

} // namespace mlir::autosage

#endif // AUTOSAGE_LIB_DIALECT_TRANSFORMS_EDGEPROGRAM_H
