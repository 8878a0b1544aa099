//===- Emitter.h - building blocks of the GPU kernels -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the bodies of kernels have in common: arithmetic in few letters, loads
// that become 16-byte read-only ones, loops over edges with several of them in
// flight, and exchanges between the lanes of a sub-warp. A kernel written with
// these reads as its algorithm.
//
// Dialects: gpu, arith, scf and vector, and LLVM or NVVM where these do not
// reach the same machine code (measured): memory goes through `!llvm.ptr<1>`
// arguments with noalias and readonly (memrefs lose both, or the leading
// dimension's constness), fma is the LLVM intrinsic (math.fma may become a call
// of libdevice), shuffles are `nvvm.shfl.sync` with a mask of the sub-warp
// (gpu.shuffle of less than a warp gets a wrong mask).
//
// A value of `n` columns is a scalar where n is 1, else a vector.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_EMITTER_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_EMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::autosage::device {

inline constexpr int64_t kWarp = 32;

/// f64 for f64, else f32.
FloatType accumulatorType(Type element);
/// Bytes of an integer or floating-point element.
int64_t sizeOf(Type element);

class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}

  OpBuilder &b;
  Location loc;

  //===--------------------------------------------------------------------===//
  // Integers; both operands have one type
  //===--------------------------------------------------------------------===//

  Value integer(int64_t value, Type type);
  Value i32(int64_t value) { return integer(value, b.getI32Type()); }
  Value i64(int64_t value) { return integer(value, b.getI64Type()); }
  /// No signed overflow in the three.
  Value addI(Value lhs, Value rhs);
  Value addI(Value lhs, int64_t rhs);
  Value subI(Value lhs, Value rhs);
  Value mulI(Value lhs, Value rhs);
  Value mulI(Value lhs, int64_t rhs);
  /// Of values that are not negative, so that powers of two become shifts.
  Value divI(Value lhs, Value rhs);
  Value divI(Value lhs, int64_t rhs);
  Value remI(Value lhs, Value rhs);
  Value remI(Value lhs, int64_t rhs);
  Value minI(Value lhs, Value rhs);
  Value maxI(Value lhs, Value rhs);
  Value lessThan(Value lhs, Value rhs);
  Value isZero(Value value);
  Value andB(Value lhs, Value rhs);
  /// Sign extension or truncation.
  Value toI64(Value value);
  Value toI32(Value value);
  Value toInteger(Value value, Type type);
  /// An i64 as a floating-point number.
  Value toFloat(Value value, FloatType type);

  //===--------------------------------------------------------------------===//
  // Floating point
  //===--------------------------------------------------------------------===//

  /// `element`, or a vector of it.
  static Type columnsType(Type element, int64_t columns);
  Value constant(double value, Type type);
  /// A scalar in every column.
  Value spread(Value scalar, int64_t columns);
  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value div(Value lhs, Value rhs);
  Value fma(Value lhs, Value rhs, Value sum);
  /// NaN when one is NaN.
  Value maxF(Value lhs, Value rhs);
  Value minF(Value lhs, Value rhs);
  Value select(Value condition, Value lhs, Value rhs);
  /// e^value. f32: 2^(value * log2 e) by the unit for it, 2 ulp near 0 and a
  /// relative error of about |value| * 2^-24 beyond, a scalar; f64: a
  /// polynomial, 1 ulp.
  Value exp(Value value);
  /// The natural logarithm of a scalar that is at least 1 or NaN. f32: by the
  /// unit for log2, to 2^-22 absolute; f64: a polynomial, 1 ulp.
  Value log(Value value);
  Value cmpF(arith::CmpFPredicate predicate, Value lhs, Value rhs);
  /// To `acc` and to the element type of memory.
  Value widen(Value value, FloatType acc);
  Value narrow(Value value, Type element);
  /// To each sum the products of all columns of its operands, scalars: one fma
  /// a column, in order. Sums take turns, so that the loads behind all of them
  /// come before the first product.
  SmallVector<Value> dotColumns(ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                                ArrayRef<Value> sums);
  /// The sum (or maximum) of the columns of one lane, in a fixed order.
  Value sumColumns(Value value);
  Value maxColumns(Value value);

  //===--------------------------------------------------------------------===//
  // Memory. Pointers are of address space 1 or 3.
  //===--------------------------------------------------------------------===//

  /// The address of `pointer[index]`.
  Value at(Value pointer, Type element, Value index);
  /// `columns` elements from an address aligned to `alignment` bytes; 0 stands
  /// for that of an element.
  Value load(Value address, Type element, int64_t columns = 1,
             int64_t alignment = 0);
  void store(Value value, Value address, int64_t alignment = 0);

  //===--------------------------------------------------------------------===//
  // Threads
  //===--------------------------------------------------------------------===//

  /// i32 and i64: a block number may pass 2^31 once it is scaled.
  Value threadX();
  Value blockX();
  Value blockY();
  void barrier();
  /// i32 with bit n set where lane n of the warp has `condition`. All lanes of
  /// the warp take part.
  Value ballot(Value condition);
  /// `value` of the lane whose number differs in `distance`. All lanes of the
  /// warp take part; f32, f64, i32 and i64.
  Value shuffleXor(Value value, int64_t distance);
  /// The same for the lanes of a sub-warp in `mask` alone, i32.
  Value shuffleXor(Value value, int64_t distance, Value mask);
  /// `value` of lane `lane` of the calling thread's segment of `lanes`, all of
  /// which are in `mask`.
  Value shuffleFrom(Value value, int64_t lane, int64_t lanes, Value mask);
  /// The lanes of the calling thread's group of `lanes` as a mask, i32.
  Value groupMask(int64_t lanes);
  /// Sum or maximum over the group of `lanes`, in all of them and with the same
  /// bits; only that group need take part. `apart`: over those lanes alone
  /// whose numbers agree modulo it.
  Value sumLanes(Value value, int64_t lanes, int64_t apart = 1);
  Value maxLanes(Value value, int64_t lanes, int64_t apart = 1);
  /// Sums of several values over each segment of `lanes` lanes, shared out
  /// among them: with v values, lane l of a segment gets those from l * v /
  /// lanes on, v / lanes of them, but at least one (then neighbours have the
  /// same). Takes about as many shuffles as there are values. Both numbers are
  /// powers of two; `mask` is that of shuffleXor, `lane` an i32.
  SmallVector<Value> sumLanesShared(ArrayRef<Value> values, int64_t lanes,
                                    Value lane, Value mask);

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  using Body = function_ref<SmallVector<Value>(Value iv, ValueRange carried)>;

  /// A loop that no later stage unrolls again.
  SmallVector<Value> forLoop(Value lo, Value hi, int64_t step, ValueRange init,
                             Body body);
  void forLoop(Value lo, Value hi, int64_t step,
               function_ref<void(Value iv)> body);
  void ifThen(Value condition, function_ref<void()> body);
  void ifElse(Value condition, function_ref<void()> body,
              function_ref<void()> otherwise);
  /// The results of `body` where the condition holds, else `otherwise`.
  SmallVector<Value> ifThen(Value condition, ValueRange otherwise,
                            function_ref<SmallVector<Value>()> body);

  /// Edges that are in flight together.
  struct EdgeGroup {
    SmallVector<Value> edges; // all of them legal to read
    /// i1 each: off where the edge lies behind the end and repeats the last
    /// one. Empty where all are real. The first is always real.
    SmallVector<Value> active;
    /// `next` where the edge is real, else `old`.
    Value keep(Emitter &e, size_t edge, Value next, Value old) const;
  };
  /// Folds the edges [begin, end) in groups of `unroll`, the last one clamped,
  /// so that its loads are in flight together too. `body` should load all that
  /// it needs before it computes.
  SmallVector<Value> foldEdges(
      Value begin, Value end, int64_t unroll, ValueRange init,
      function_ref<SmallVector<Value>(const EdgeGroup &, ValueRange carried)>
          body);

private:
  enum class Shuffle { flip, from };
  Value shuffle(Value value, Shuffle kind, int64_t operand, int64_t clamp,
                Value mask);
  Value exp32(Value value);
  Value exp64(Value value);
  Value log64(Value value);
  Value foldColumns(Value value, function_ref<Value(Value, Value)> combine);
  Value foldLanes(Value value, int64_t lanes, int64_t apart,
                  function_ref<Value(Value, Value)> combine);
};

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_EMITTER_H
