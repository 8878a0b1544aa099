//===- Emitter.cpp - building blocks of the GPU kernels -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic, memory, threads and loops of the kernel bodies. What exp is
// made of is in Math.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::autosage::device {

FloatType accumulatorType(Type element) {
  if (element.isF64())
    return cast<FloatType>(element);
  return Float32Type::get(element.getContext());
}

int64_t sizeOf(Type element) {
  return isa<IndexType>(element) ? 8 : element.getIntOrFloatBitWidth() / 8;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static constexpr auto nsw = arith::IntegerOverflowFlags::nsw;

Value Emitter::integer(int64_t value, Type type) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

Value Emitter::addI(Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(loc, lhs, rhs, nsw);
}

Value Emitter::addI(Value lhs, int64_t rhs) {
  return rhs == 0 ? lhs : addI(lhs, integer(rhs, lhs.getType()));
}

Value Emitter::subI(Value lhs, Value rhs) {
  return b.createOrFold<arith::SubIOp>(loc, lhs, rhs, nsw);
}

Value Emitter::mulI(Value lhs, Value rhs) {
  return b.createOrFold<arith::MulIOp>(loc, lhs, rhs, nsw);
}

Value Emitter::mulI(Value lhs, int64_t rhs) {
  return rhs == 1 ? lhs : mulI(lhs, integer(rhs, lhs.getType()));
}

Value Emitter::divI(Value lhs, Value rhs) {
  return b.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
}

Value Emitter::divI(Value lhs, int64_t rhs) {
  return rhs == 1 ? lhs : divI(lhs, integer(rhs, lhs.getType()));
}

Value Emitter::remI(Value lhs, Value rhs) {
  return b.createOrFold<arith::RemUIOp>(loc, lhs, rhs);
}

Value Emitter::remI(Value lhs, int64_t rhs) {
  return remI(lhs, integer(rhs, lhs.getType()));
}

Value Emitter::minI(Value lhs, Value rhs) {
  return b.createOrFold<arith::MinSIOp>(loc, lhs, rhs);
}

Value Emitter::maxI(Value lhs, Value rhs) {
  return b.createOrFold<arith::MaxSIOp>(loc, lhs, rhs);
}

Value Emitter::lessThan(Value lhs, Value rhs) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, lhs,
                                       rhs);
}

Value Emitter::isZero(Value value) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, value,
                                       integer(0, value.getType()));
}

Value Emitter::andB(Value lhs, Value rhs) {
  return b.createOrFold<arith::AndIOp>(loc, lhs, rhs);
}

Value Emitter::toInteger(Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from < to)
    return b.createOrFold<arith::ExtSIOp>(loc, type, value);
  return b.createOrFold<arith::TruncIOp>(loc, type, value);
}

Value Emitter::toI64(Value value) { return toInteger(value, b.getI64Type()); }
Value Emitter::toI32(Value value) { return toInteger(value, b.getI32Type()); }

Value Emitter::toFloat(Value value, FloatType type) {
  return arith::SIToFPOp::create(b, loc, type, value);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

Type Emitter::columnsType(Type element, int64_t columns) {
  return columns == 1 ? element : VectorType::get(columns, element);
}

Value Emitter::constant(double value, Type type) {
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  TypedAttr attribute = b.getFloatAttr(element, value);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return arith::ConstantOp::create(b, loc, attribute);
}

Value Emitter::spread(Value scalar, int64_t columns) {
  if (columns == 1)
    return scalar;
  return vector::BroadcastOp::create(
      b, loc, VectorType::get(columns, scalar.getType()), scalar);
}

Value Emitter::add(Value lhs, Value rhs) {
  return arith::AddFOp::create(b, loc, lhs, rhs);
}
Value Emitter::sub(Value lhs, Value rhs) {
  return arith::SubFOp::create(b, loc, lhs, rhs);
}
Value Emitter::mul(Value lhs, Value rhs) {
  return arith::MulFOp::create(b, loc, lhs, rhs);
}
Value Emitter::div(Value lhs, Value rhs) {
  return arith::DivFOp::create(b, loc, lhs, rhs);
}
Value Emitter::fma(Value lhs, Value rhs, Value sum) {
  return LLVM::FMAOp::create(b, loc, lhs, rhs, sum);
}
Value Emitter::maxF(Value lhs, Value rhs) {
  return arith::MaximumFOp::create(b, loc, lhs, rhs);
}
Value Emitter::minF(Value lhs, Value rhs) {
  return arith::MinimumFOp::create(b, loc, lhs, rhs);
}
Value Emitter::select(Value condition, Value lhs, Value rhs) {
  return arith::SelectOp::create(b, loc, condition, lhs, rhs);
}
Value Emitter::cmpF(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpFOp::create(b, loc, predicate, lhs, rhs);
}

static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

Value Emitter::widen(Value value, FloatType acc) {
  if (getElementTypeOrSelf(value.getType()) == acc)
    return value;
  return arith::ExtFOp::create(b, loc, withElement(value.getType(), acc),
                               value);
}

Value Emitter::narrow(Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  return arith::TruncFOp::create(b, loc, withElement(value.getType(), element),
                                 value);
}

Value Emitter::foldColumns(Value value,
                           function_ref<Value(Value, Value)> combine) {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector)
    return value;
  Value result;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    Value column = vector::ExtractOp::create(b, loc, value, i);
    result = result ? combine(result, column) : column;
  }
  return result;
}

SmallVector<Value> Emitter::dotColumns(ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                                       ArrayRef<Value> sums) {
  SmallVector<Value> next(sums);
  auto vector = dyn_cast<VectorType>(lhs[0].getType());
  for (int64_t i = 0, n = vector ? vector.getNumElements() : 1; i < n; ++i) {
    auto column = [&](Value value) -> Value {
      if (!vector)
        return value;
      return vector::ExtractOp::create(b, loc, value, i);
    };
    for (size_t sum = 0; sum < next.size(); ++sum)
      next[sum] = fma(column(lhs[sum]), column(rhs[sum]), next[sum]);
  }
  return next;
}

Value Emitter::sumColumns(Value value) {
  return foldColumns(value, [&](Value l, Value r) { return add(l, r); });
}

Value Emitter::maxColumns(Value value) {
  return foldColumns(value, [&](Value l, Value r) { return maxF(l, r); });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value Emitter::at(Value pointer, Type element, Value index) {
  return LLVM::GEPOp::create(b, loc, pointer.getType(), element, pointer,
                             ArrayRef<LLVM::GEPArg>{index},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value Emitter::load(Value address, Type element, int64_t columns,
                    int64_t alignment) {
  return LLVM::LoadOp::create(b, loc, columnsType(element, columns), address,
                              alignment ? alignment : sizeOf(element));
}

void Emitter::store(Value value, Value address, int64_t alignment) {
  int64_t natural = sizeOf(getElementTypeOrSelf(value.getType()));
  LLVM::StoreOp::create(b, loc, value, address,
                        alignment ? alignment : natural);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Value Emitter::threadX() {
  Value index = mlir::gpu::ThreadIdOp::create(b, loc, mlir::gpu::Dimension::x);
  return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
}

Value Emitter::blockX() {
  Value index = mlir::gpu::BlockIdOp::create(b, loc, mlir::gpu::Dimension::x);
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
}

Value Emitter::blockY() {
  Value index = mlir::gpu::BlockIdOp::create(b, loc, mlir::gpu::Dimension::y);
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
}

void Emitter::barrier() { mlir::gpu::BarrierOp::create(b, loc); }

Value Emitter::ballot(Value condition) {
  return NVVM::VoteSyncOp::create(b, loc, b.getI32Type(), i32(-1), condition,
                                  NVVM::VoteSyncKind::ballot);
}

Value Emitter::groupMask(int64_t lanes) {
  if (lanes == kWarp)
    return i32(-1);
  // The group's lowest lane in its warp; a block starts at a warp's lane 0.
  Value lane = remI(threadX(), kWarp);
  Value lowest = subI(lane, remI(lane, lanes));
  Value mask = i32((int64_t(1) << lanes) - 1);
  return b.createOrFold<arith::ShLIOp>(loc, mask, lowest);
}

Value Emitter::shuffle(Value value, Shuffle kind, int64_t operand,
                       int64_t clamp, Value mask) {
  Type type = value.getType();
  Type i32Type = b.getI32Type();
  // 64-bit values travel in two halves.
  if (type.getIntOrFloatBitWidth() == 64) {
    Type i64Type = b.getI64Type();
    Value bits = isa<FloatType>(type)
                     ? arith::BitcastOp::create(b, loc, i64Type, value)
                     : value;
    Value low = arith::TruncIOp::create(b, loc, i32Type, bits);
    Value high = arith::TruncIOp::create(
        b, loc, i32Type, arith::ShRUIOp::create(b, loc, bits, i64(32)));
    low = shuffle(low, kind, operand, clamp, mask);
    high = shuffle(high, kind, operand, clamp, mask);
    Value upper = arith::ShLIOp::create(
        b, loc, arith::ExtUIOp::create(b, loc, i64Type, high), i64(32));
    bits = arith::OrIOp::create(
        b, loc, arith::ExtUIOp::create(b, loc, i64Type, low), upper);
    return isa<FloatType>(type) ? arith::BitcastOp::create(b, loc, type, bits)
                                : bits;
  }
  return NVVM::ShflOp::create(
      b, loc, type, mask, value, i32(operand), i32(clamp),
      kind == Shuffle::flip ? NVVM::ShflKind::bfly : NVVM::ShflKind::idx,
      UnitAttr());
}

Value Emitter::shuffleXor(Value value, int64_t distance, Value mask) {
  // A distance below the group's size never leaves the group, so that the
  // clamp may be the whole warp's.
  return shuffle(value, Shuffle::flip, distance, kWarp - 1, mask);
}

Value Emitter::shuffleXor(Value value, int64_t distance) {
  return shuffleXor(value, distance, i32(-1));
}

Value Emitter::shuffleFrom(Value value, int64_t lane, int64_t lanes,
                           Value mask) {
  // The upper bits are those of the lane number that name the segment.
  int64_t clamp = (kWarp - lanes) << 8 | (kWarp - 1);
  return shuffle(value, Shuffle::from, lane, clamp, mask);
}

Value Emitter::foldLanes(Value value, int64_t lanes, int64_t apart,
                         function_ref<Value(Value, Value)> combine) {
  if (lanes == apart)
    return value;
  Value mask = groupMask(lanes);
  // Partners compute with swapped operands: equal bits, since the operations
  // commute.
  for (int64_t distance = lanes / 2; distance >= apart; distance /= 2)
    value = combine(value, shuffleXor(value, distance, mask));
  return value;
}

Value Emitter::sumLanes(Value value, int64_t lanes, int64_t apart) {
  return foldLanes(value, lanes, apart,
                   [&](Value l, Value r) { return add(l, r); });
}

Value Emitter::maxLanes(Value value, int64_t lanes, int64_t apart) {
  return foldLanes(value, lanes, apart,
                   [&](Value l, Value r) { return maxF(l, r); });
}

SmallVector<Value> Emitter::sumLanesShared(ArrayRef<Value> values,
                                           int64_t lanes, Value lane,
                                           Value mask) {
  SmallVector<Value> mine(values);
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2) {
    size_t half = mine.size() / 2;
    if (half == 0) {
      mine[0] = add(mine[0], shuffleXor(mine[0], distance, mask));
      continue;
    }
    // Partners split the values: each gives away the half that it drops.
    Value bit = b.createOrFold<arith::AndIOp>(loc, lane, i32(distance));
    Value keepsLow = isZero(bit);
    for (size_t i = 0; i < half; ++i) {
      Value kept = select(keepsLow, mine[i], mine[half + i]);
      Value given = select(keepsLow, mine[half + i], mine[i]);
      mine[i] = add(kept, shuffleXor(given, distance, mask));
    }
    mine.resize(half);
  }
  return mine;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

SmallVector<Value> Emitter::forLoop(Value lo, Value hi, int64_t step,
                                    ValueRange init, Body body) {
  Value stride = integer(step, lo.getType());
  auto loop = scf::ForOp::create(
      b, loc, lo, hi, stride, init,
      [&](OpBuilder &, Location, Value iv, ValueRange carried) {
        scf::YieldOp::create(b, loc, body(iv, carried));
      });
  // Both LLVM and ptxas would unroll on top of what is unrolled here. The
  // attribute has to have just this name on scf.for.
  auto unroll = LLVM::LoopUnrollAttr::get(
      b.getContext(), /*disable=*/b.getBoolAttr(true), {}, {}, {}, {}, {}, {});
  auto annotation =
      LLVM::LoopAnnotationAttr::get(b.getContext(), {}, {}, {}, unroll, {}, {},
                                    {}, {}, {}, {}, {}, {}, {}, {}, {});
  loop->setAttr("loop_annotation", annotation);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void Emitter::forLoop(Value lo, Value hi, int64_t step,
                      function_ref<void(Value iv)> body) {
  forLoop(lo, hi, step, ValueRange(), [&](Value iv, ValueRange) {
    body(iv);
    return SmallVector<Value>();
  });
}

void Emitter::ifThen(Value condition, function_ref<void()> body) {
  scf::IfOp::create(b, loc, condition, [&](OpBuilder &, Location) {
    body();
    scf::YieldOp::create(b, loc);
  });
}

void Emitter::ifElse(Value condition, function_ref<void()> body,
                     function_ref<void()> otherwise) {
  scf::IfOp::create(
      b, loc, condition,
      [&](OpBuilder &, Location) {
        body();
        scf::YieldOp::create(b, loc);
      },
      [&](OpBuilder &, Location) {
        otherwise();
        scf::YieldOp::create(b, loc);
      });
}

SmallVector<Value> Emitter::ifThen(Value condition, ValueRange otherwise,
                                   function_ref<SmallVector<Value>()> body) {
  auto branch = scf::IfOp::create(
      b, loc, condition,
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, body()); },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, loc, otherwise); });
  return llvm::to_vector_of<Value>(branch.getResults());
}

Value Emitter::EdgeGroup::keep(Emitter &e, size_t edge, Value next,
                               Value old) const {
  if (active.empty() || edge == 0)
    return next;
  return e.select(active[edge], next, old);
}

SmallVector<Value> Emitter::foldEdges(
    Value begin, Value end, int64_t unroll, ValueRange init,
    function_ref<SmallVector<Value>(const EdgeGroup &, ValueRange)> body) {
  Type type = begin.getType();
  Value length = subI(end, begin);
  Value rest = remI(length, unroll);
  Value whole = subI(end, rest);
  SmallVector<Value> sums =
      forLoop(begin, whole, unroll, init, [&](Value first, ValueRange carried) {
        EdgeGroup group;
        for (int64_t i = 0; i < unroll; ++i)
          group.edges.push_back(addI(first, i));
        return body(group, carried);
      });
  if (unroll == 1)
    return sums;
  Value zero = integer(0, type);
  return ifThen(lessThan(zero, rest), sums, [&] {
    EdgeGroup group;
    Value last = addI(rest, -1);
    for (int64_t i = 0; i < unroll; ++i) {
      // Offsets are compared, not edges: an edge past the last could overflow.
      Value offset = integer(i, type);
      group.edges.push_back(addI(whole, minI(offset, last)));
      group.active.push_back(lessThan(offset, rest));
    }
    return body(group, sums);
  });
}

} // namespace mlir::autosage::device
