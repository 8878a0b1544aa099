//===- Emitter.h - building blocks of the CPU kernels -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels have in common: index and float arithmetic in few letters,
// loops as closures, element access that widens to the type of accumulation,
// and the cutting of a row of features into vectors. A kernel written with
// these reads like the loop nest that it emits.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_EMITTER_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_EMITTER_H

#include "Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::autosage::cpu {

/// f64 where an operand is f64, else f32. Null operands are passed over.
FloatType accumulatorType(ArrayRef<Value> operands);

/// Whether vectors can be loaded along the last dimension of all operands.
/// Null operands are passed over.
bool haveUnitInnerStride(ArrayRef<Value> operands);

/// Whether a buffer has one dimension, of stride 1.
bool isContiguous(Value memref);

/// The knobs that the operands permit: one lane without unit inner strides, and
/// a tile of whole vectors.
Knobs adjustKnobs(Knobs knobs, ArrayRef<Value> vectorOperands);

/// Columns [col, col + width) of a row of features, or of the edges of a row.
/// Lanes where `mask` (may be null) is off lie behind the end.
struct Lanes {
  Value col;
  int64_t width;
  Value mask;
};

class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, FloatType acc)
      : b(builder), loc(loc), acc(acc) {}

  OpBuilder &b;
  Location loc;
  FloatType acc; // every floating-point value below has this element type

  //===--------------------------------------------------------------------===//
  // Index arithmetic
  //===--------------------------------------------------------------------===//

  Value idx(int64_t value);
  Value addI(Value lhs, Value rhs);
  Value addI(Value lhs, int64_t rhs);
  Value mulI(Value lhs, Value rhs);
  /// lhs / rhs, rounded up or down; expects lhs >= 0, rhs > 0 and no overflow.
  Value ceilDiv(Value lhs, Value rhs);
  Value floorDiv(Value lhs, Value rhs);
  Value subI(Value lhs, Value rhs);
  Value minI(Value lhs, Value rhs);
  Value maxI(Value lhs, Value rhs);
  Value cmpI(arith::CmpIPredicate predicate, Value lhs, Value rhs);
  /// value rounded down to a multiple of `factor`; expects value >= 0.
  Value roundDown(Value value, int64_t factor);
  /// The size of a dimension, as a constant where it is static.
  Value dim(Value memref, int64_t dimension);
  /// The number of rows that an array of row positions describes.
  Value rowsOf(Value rowptr);
  /// A buffer on the heap; dimensions have constant sizes where known.
  Value alloc(ValueRange sizes, Type element);
  void dealloc(Value memref);
  /// An element of an integer array, as an index.
  Value loadIndex(Value memref, ValueRange indices);
  void storeIndex(Value value, Value memref, ValueRange indices);

  //===--------------------------------------------------------------------===//
  // Floating point, scalars and vectors alike
  //===--------------------------------------------------------------------===//

  VectorType vectorType(int64_t width) const;
  /// A constant of the type of `like`, or a scalar.
  Value constant(double value, Type type);
  Value scalar(double value) { return constant(value, acc); }
  Value splat(double value, int64_t width) {
    return constant(value, vectorType(width));
  }
  Value negInf(Type type);
  /// One a vector.
  SmallVector<Value> zeros(ArrayRef<Lanes> tile);
  Value broadcast(Value scalar, int64_t width);
  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value div(Value lhs, Value rhs);
  /// lhs * rhs + sum on vectors.
  Value fma(Value lhs, Value rhs, Value sum);
  /// The larger of two values; NaN when one is NaN.
  Value maxF(Value lhs, Value rhs);
  Value minF(Value lhs, Value rhs);
  Value exp(Value value);
  Value log(Value value);
  Value select(Value condition, Value lhs, Value rhs);
  Value cmpF(arith::CmpFPredicate predicate, Value lhs, Value rhs);
  Value leakyRelu(Value value, double slope);
  /// `factor` times the derivative of leakyRelu at `value`, 1 at 0.
  Value leakyReluSlope(Value value, Value factor, double slope);
  /// Multiplies by a constant unless that is 1.
  Value scaleBy(Value value, double scale);
  /// The sum of the lanes; their order is left to the target.
  Value sumLanes(Value vector);
  /// The sums of several vectors, whose number is a power of two, as a vector;
  /// in an order of lanes that depends on neither the target nor the number.
  Value sumLanesInOrder(ArrayRef<Value> vectors);
  Value maxLanes(Value vector);
  Value indexToFloat(Value index);

  //===--------------------------------------------------------------------===//
  // Element access. Loads widen to `acc`, stores narrow.
  //===--------------------------------------------------------------------===//

  Value load(Value memref, ValueRange indices);
  void store(Value value, Value memref, ValueRange indices);
  /// Elements `lanes` of the last dimension at `outer` in the dimensions
  /// before; zeros in masked-off lanes.
  Value load(Value memref, ValueRange outer, const Lanes &lanes);
  void store(Value value, Value memref, ValueRange outer, const Lanes &lanes);
  /// Asks for the lines of `lanes`, which are consecutive.
  void prefetch(Value memref, ValueRange outer, ArrayRef<Lanes> lanes);

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  using Body = function_ref<SmallVector<Value>(Value iv, ValueRange carried)>;

  void forLoop(Value lo, Value hi, int64_t step,
               function_ref<void(Value iv)> body) {
    forLoop(lo, hi, idx(step), body);
  }
  void forLoop(Value lo, Value hi, Value step,
               function_ref<void(Value iv)> body);
  SmallVector<Value> forLoop(Value lo, Value hi, int64_t step, ValueRange init,
                             Body body);
  using EdgesBody = function_ref<SmallVector<Value>(ArrayRef<Value> edges,
                                                    ValueRange carried)>;
  /// `body` for `unroll` consecutive edges at a time, then for single ones.
  SmallVector<Value> forEdges(Value begin, Value end, int64_t unroll,
                              ValueRange init, EdgesBody body);
  void ifThen(Value condition, function_ref<void()> body);
  void ifElse(Value condition, function_ref<void()> body,
              function_ref<void()> otherwise);
  /// The results of `body` where the condition holds, else `otherwise`.
  SmallVector<Value> ifThen(Value condition, ValueRange otherwise,
                            function_ref<SmallVector<Value>()> body);
  /// The largest number of parallel iterations that the work pays for, `width`
  /// elements an edge or row; at least 1. It depends on the problem alone.
  Value iterationsWorthwhile(Value edges, Value rows, Value width);
  /// `body` for blocks [lo, hi) of `step` of [0, count), in parallel.
  void parallelFor(Value count, Value step,
                   function_ref<void(Value lo, Value hi)> body);
  /// Once with a null head where `heads` is null, else for every head.
  void forHeads(Value heads, function_ref<void(Value head)> body);

  /// Folds [lo, hi) in vectors of `width`: whole ones, then a masked rest.
  Value foldLanes(Value lo, Value hi, int64_t width, Value init,
                  function_ref<Value(const Lanes &, Value carried)> body);

  /// The largest number of edges of the rows [lo, hi).
  Value largestDegree(Value rowptr, Value lo, Value hi);

private:
  Value widen(Value value);
  Value narrow(Value value, Type element);
};

/// `row` or `row, head`.
SmallVector<Value> rowIndices(Value row, Value head);

/// Per-edge scalars of shape nnz, nnz x 1 or nnz x H; or none.
class EdgeScalars {
public:
  EdgeScalars(Value memref) : memref(memref) {}
  /// Whether several edges can be loaded as a vector.
  bool areContiguous() const { return !memref || isContiguous(memref); }
  Value load(Emitter &e, const Lanes &edges) const;
  explicit operator bool() const { return static_cast<bool>(memref); }
  /// To be called once per head, outside of the loop over edges.
  void setHead(Emitter &e, Value head);
  Value load(Emitter &e, Value edge) const;

private:
  Value memref;
  Value column;
};

/// Columns of edges, and of those that will be gathered from a while later.
class EdgeColumns {
public:
  /// `ahead` edges later; 0: nothing is prefetched.
  EdgeColumns(Emitter &e, Value colind, int64_t ahead);
  /// The columns of edges that are counted from `first` on; where they are
  /// loaded from `copy`, which may leave some out, only prefetches count so.
  EdgeColumns countedFrom(Value first, Value copy = nullptr) const;
  Value load(Emitter &e, Value edge) const;
  /// Asks for `lanes` of the row that the edge `ahead` later will gather.
  void prefetch(Emitter &e, Value edge, Value memref, Value head,
                ArrayRef<Lanes> lanes) const;

private:
  Value colind;
  int64_t ahead;
  Value lastEdge;
  Value first, copy; // null: 0, none
};

/// How the features of a row are cut into vectors. Built inside the parallel
/// body, so that no vector is live into it.
class FeatureSplit {
public:
  /// `size` is the extent, a constant where it is statically known.
  FeatureSplit(Emitter &e, Value size, Knobs knobs);

  /// Calls `body` for each group of vectors that one walk over the edges
  /// handles together.
  void forTiles(function_ref<void(ArrayRef<Lanes>)> body) const;

  /// The vectors of a row, all of one width, when they are few enough for a
  /// whole row to stay in registers; else empty.
  ArrayRef<Lanes> registerLanes() const { return inRegisters; }

  /// Vectors that one of the size `reduce` goes through, for prefetching.
  void forPrefetch(function_ref<void(ArrayRef<Lanes>)> body) const;

  /// A vector whose lanes add up to the sum over all features of `term(lanes,
  /// sum, number)`, which returns `sum`
  /// (null: 0) plus its products; `number` is the position in registerLanes, or
  /// -1 where that is empty.
  Value reduce(
      function_ref<Value(const Lanes &, Value sum, int64_t number)> term) const;

private:
  /// Vectors that cover [base, base + rest). The last one may be masked; it is
  /// narrowed to the next power of two unless `wholeTail`.
  SmallVector<Lanes> cover(Value base, int64_t rest, bool wholeTail) const;

  Emitter &e;
  Value size;
  std::optional<int64_t> fixed;
  Knobs knobs;
  Value tiledEnd, vectorEnd, tailMask; // the last two for dynamic sizes only
  SmallVector<Lanes> inRegisters;
};

} // namespace mlir::autosage::cpu

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_EMITTER_H
