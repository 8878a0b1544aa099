//===- Emitter.cpp - building blocks of the CPU kernels -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic, element access and loops of the kernel emitters.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

namespace mlir::autosage::cpu {

/// What a prefetch brings, on every target of today.
static constexpr int64_t kLineBytes = 64;

FloatType accumulatorType(ArrayRef<Value> operands) {
  MLIRContext *context = nullptr;
  for (Value operand : operands) {
    if (!operand)
      continue;
    context = operand.getContext();
    if (cast<MemRefType>(operand.getType()).getElementType().isF64())
      return Float64Type::get(context);
  }
  assert(context && "expects an operand");
  return Float32Type::get(context);
}

bool isContiguous(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return type.getRank() == 1 && type.isLastDimUnitStride();
}

bool haveUnitInnerStride(ArrayRef<Value> operands) {
  return llvm::all_of(operands, [](Value operand) {
    return !operand ||
           cast<MemRefType>(operand.getType()).isLastDimUnitStride();
  });
}

Knobs adjustKnobs(Knobs knobs, ArrayRef<Value> vectorOperands) {
  // Four scalar accumulators still share one walk over the edges.
  if (!haveUnitInnerStride(vectorOperands))
    return {1, 4, knobs.unroll, knobs.prefetch};
  knobs.tile = std::max(knobs.tile - knobs.tile % knobs.vec, knobs.vec);
  return knobs;
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value Emitter::idx(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value Emitter::addI(Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

Value Emitter::addI(Value lhs, int64_t rhs) {
  return rhs == 0 ? lhs : addI(lhs, idx(rhs));
}

Value Emitter::mulI(Value lhs, Value rhs) {
  return b.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

Value Emitter::floorDiv(Value lhs, Value rhs) {
  // Unsigned, so that a power of two becomes a shift.
  return b.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
}

Value Emitter::ceilDiv(Value lhs, Value rhs) {
  return floorDiv(addI(lhs, addI(rhs, -1)), rhs);
}

Value Emitter::subI(Value lhs, Value rhs) {
  return b.createOrFold<arith::SubIOp>(loc, lhs, rhs);
}

Value Emitter::minI(Value lhs, Value rhs) {
  return arith::MinSIOp::create(b, loc, lhs, rhs);
}

Value Emitter::maxI(Value lhs, Value rhs) {
  return arith::MaxSIOp::create(b, loc, lhs, rhs);
}

Value Emitter::cmpI(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
}

Value Emitter::roundDown(Value value, int64_t factor) {
  if (factor == 1)
    return value;
  // Unsigned, so that a power of two becomes a mask.
  Value rest = b.createOrFold<arith::RemUIOp>(loc, value, idx(factor));
  return subI(value, rest);
}

Value Emitter::dim(Value memref, int64_t dimension) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(dimension))
    return idx(type.getDimSize(dimension));
  return memref::DimOp::create(b, loc, memref, dimension);
}

Value Emitter::rowsOf(Value rowptr) { return addI(dim(rowptr, 0), -1); }

Value Emitter::alloc(ValueRange sizes, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (Value size : sizes) {
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    if (shape.back() == ShapedType::kDynamic)
      dynamic.push_back(size);
  }
  return memref::AllocOp::create(b, loc, MemRefType::get(shape, element),
                                 dynamic);
}

void Emitter::dealloc(Value memref) {
  memref::DeallocOp::create(b, loc, memref);
}

Value Emitter::loadIndex(Value memref, ValueRange indices) {
  Value value = memref::LoadOp::create(b, loc, memref, indices);
  if (value.getType().isIndex())
    return value;
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
}

void Emitter::storeIndex(Value value, Value memref, ValueRange indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (!element.isIndex())
    value = arith::IndexCastOp::create(b, loc, element, value);
  memref::StoreOp::create(b, loc, value, memref, indices);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

VectorType Emitter::vectorType(int64_t width) const {
  return VectorType::get({width}, acc);
}

Value Emitter::constant(double value, Type type) {
  TypedAttr attr = b.getFloatAttr(acc, value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(b, loc, attr);
}

Value Emitter::negInf(Type type) {
  return constant(-std::numeric_limits<double>::infinity(), type);
}

SmallVector<Value> Emitter::zeros(ArrayRef<Lanes> tile) {
  return llvm::map_to_vector(
      tile, [&](const Lanes &lanes) { return splat(0.0, lanes.width); });
}

Value Emitter::broadcast(Value scalar, int64_t width) {
  return vector::BroadcastOp::create(b, loc, vectorType(width), scalar);
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
  return vector::FMAOp::create(b, loc, lhs, rhs, sum);
}

Value Emitter::maxF(Value lhs, Value rhs) {
  return arith::MaximumFOp::create(b, loc, lhs, rhs);
}

Value Emitter::minF(Value lhs, Value rhs) {
  return arith::MinimumFOp::create(b, loc, lhs, rhs);
}

Value Emitter::exp(Value value) { return math::ExpOp::create(b, loc, value); }

Value Emitter::log(Value value) { return math::LogOp::create(b, loc, value); }

Value Emitter::select(Value condition, Value lhs, Value rhs) {
  return arith::SelectOp::create(b, loc, condition, lhs, rhs);
}

Value Emitter::cmpF(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpFOp::create(b, loc, predicate, lhs, rhs);
}

Value Emitter::leakyRelu(Value value, double slope) {
  Type type = value.getType();
  Value positive = cmpF(arith::CmpFPredicate::OGT, value, constant(0.0, type));
  return select(positive, value, mul(value, constant(slope, type)));
}

Value Emitter::leakyReluSlope(Value value, Value factor, double slope) {
  Value positive =
      cmpF(arith::CmpFPredicate::OGE, value, constant(0.0, value.getType()));
  return select(positive, factor,
                mul(factor, constant(slope, factor.getType())));
}

Value Emitter::scaleBy(Value value, double scale) {
  return scale == 1.0 ? value : mul(value, constant(scale, value.getType()));
}

/// Lanes `from`, as numbered in `a` and then `b`.
static Value shuffle(Emitter &e, Value a, Value b, ArrayRef<int64_t> from) {
  return vector::ShuffleOp::create(e.b, e.loc, a, b, from);
}

Value Emitter::sumLanesInOrder(ArrayRef<Value> vectors) {
  SmallVector<Value> rest(vectors);
  int64_t width = cast<VectorType>(rest[0].getType()).getNumElements();
  // Every vector is halved by adding its upper half to its lower one. As long
  // as there are two vectors, the halves of both share one addition.
  int64_t groups = 1; // vectors whose lanes share a vector, in equal parts
  for (int64_t part = width; part > 1; part /= 2) {
    int64_t lanes = cast<VectorType>(rest[0].getType()).getNumElements();
    bool paired = rest.size() > 1;
    // Lower halves of the parts of one or two vectors, and upper ones.
    SmallVector<int64_t> lower;
    for (int64_t base = 0; base < (paired ? 2 * lanes : lanes); base += part)
      for (int64_t lane = 0; lane < part / 2; ++lane)
        lower.push_back(base + lane);
    SmallVector<int64_t> upper = llvm::map_to_vector(
        lower, [&](int64_t lane) { return lane + part / 2; });
    SmallVector<Value> next;
    for (size_t i = 0; i < rest.size(); i += paired ? 2 : 1) {
      Value other = paired ? rest[i + 1] : rest[i];
      next.push_back(add(shuffle(*this, rest[i], other, lower),
                         shuffle(*this, rest[i], other, upper)));
    }
    rest = std::move(next);
    groups *= paired ? 2 : 1;
  }
  // More vectors than lanes: what is left is full of sums.
  for (; rest.size() > 1; groups *= 2) {
    auto all = llvm::to_vector(llvm::seq<int64_t>(2 * groups));
    SmallVector<Value> next;
    for (size_t i = 0; i < rest.size(); i += 2)
      next.push_back(shuffle(*this, rest[i], rest[i + 1], all));
    rest = std::move(next);
  }
  return rest[0];
}

Value Emitter::sumLanes(Value vector) {
  if (cast<VectorType>(vector.getType()).getNumElements() == 1)
    return vector::ExtractOp::create(b, loc, vector, 0);
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD, vector,
                                     arith::FastMathFlags::reassoc);
}

Value Emitter::maxLanes(Value vector) {
  if (cast<VectorType>(vector.getType()).getNumElements() == 1)
    return vector::ExtractOp::create(b, loc, vector, 0);
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXIMUMF,
                                     vector);
}

Value Emitter::indexToFloat(Value index) {
  Value integer = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  return arith::SIToFPOp::create(b, loc, acc, integer);
}

//===----------------------------------------------------------------------===//
// Element access
//===----------------------------------------------------------------------===//

Value Emitter::widen(Value value) {
  Type type = value.getType();
  if (getElementTypeOrSelf(type) == acc)
    return value;
  Type wide = acc;
  if (auto vector = dyn_cast<VectorType>(type))
    wide = vector.clone(acc);
  return arith::ExtFOp::create(b, loc, wide, value);
}

Value Emitter::narrow(Value value, Type element) {
  if (element == acc)
    return value;
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(element);
  return arith::TruncFOp::create(b, loc, type, value);
}

Value Emitter::load(Value memref, ValueRange indices) {
  return widen(memref::LoadOp::create(b, loc, memref, indices));
}

void Emitter::store(Value value, Value memref, ValueRange indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  memref::StoreOp::create(b, loc, narrow(value, element), memref, indices);
}

/// Operands need not be aligned beyond their elements (docs/semantics.md, rule
/// 8). Spelled out, because lowerings of vector accesses can be told to assume
/// the alignment of the whole vector.
static llvm::MaybeAlign elementAlignment(Type element) {
  return llvm::MaybeAlign(element.getIntOrFloatBitWidth() / 8);
}

Value Emitter::load(Value memref, ValueRange outer, const Lanes &lanes) {
  SmallVector<Value> indices(outer);
  indices.push_back(lanes.col);
  if (lanes.width == 1)
    return broadcast(load(memref, indices), 1);
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto type = VectorType::get({lanes.width}, element);
  if (!lanes.mask)
    return widen(vector::LoadOp::create(b, loc, type, memref, indices,
                                        /*nontemporal=*/false,
                                        elementAlignment(element)));
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return widen(vector::MaskedLoadOp::create(b, loc, type, memref, indices,
                                            lanes.mask, zero,
                                            elementAlignment(element)));
}

void Emitter::store(Value value, Value memref, ValueRange outer,
                    const Lanes &lanes) {
  SmallVector<Value> indices(outer);
  indices.push_back(lanes.col);
  if (lanes.width == 1) {
    store(vector::ExtractOp::create(b, loc, value, 0).getResult(), memref,
          indices);
    return;
  }
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  value = narrow(value, element);
  if (!lanes.mask)
    vector::StoreOp::create(b, loc, value, memref, indices,
                            /*nontemporal=*/false, elementAlignment(element));
  else
    vector::MaskedStoreOp::create(b, loc, memref, indices, lanes.mask, value,
                                  elementAlignment(element));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void Emitter::forLoop(Value lo, Value hi, Value step,
                      function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(b, loc, lo, hi, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

SmallVector<Value> Emitter::forLoop(Value lo, Value hi, int64_t step,
                                    ValueRange init, Body body) {
  auto loop = scf::ForOp::create(b, loc, lo, hi, idx(step), init);
  OpBuilder::InsertionGuard guard(b);
  // Without carried values the loop comes with its terminator.
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> yielded =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!init.empty())
    scf::YieldOp::create(b, loc, yielded);
  return loop.getResults();
}

SmallVector<Value> Emitter::forEdges(Value begin, Value end, int64_t unroll,
                                     ValueRange init, EdgesBody body) {
  auto pass = [&](int64_t edges) {
    return [&body, edges, this](Value first, ValueRange carried) {
      SmallVector<Value> numbers;
      for (int64_t i = 0; i < edges; ++i)
        numbers.push_back(addI(first, i));
      return body(numbers, carried);
    };
  };
  if (unroll == 1)
    return forLoop(begin, end, 1, init, pass(1));
  Value rest = addI(begin, roundDown(subI(end, begin), unroll));
  SmallVector<Value> carried = forLoop(begin, rest, unroll, init, pass(unroll));
  return forLoop(rest, end, 1, carried, pass(1));
}

void Emitter::prefetch(Value memref, ValueRange outer, ArrayRef<Lanes> lanes) {
  // One for each line that `lanes` would begin if the first began one.
  int64_t elementBytes =
      cast<MemRefType>(memref.getType()).getElementTypeBitWidth() / 8;
  int64_t offset = 0, nextLine = 0;
  for (const Lanes &part : lanes) {
    int64_t end = offset + part.width * elementBytes;
    for (; nextLine < end; nextLine += kLineBytes) {
      SmallVector<Value> indices(outer);
      indices.push_back(addI(part.col, (nextLine - offset) / elementBytes));
      memref::PrefetchOp::create(b, loc, memref, indices, /*isWrite=*/false,
                                 /*localityHint=*/3, /*isDataCache=*/true);
    }
    offset = end;
  }
}

void Emitter::ifThen(Value condition, function_ref<void()> body) {
  auto op = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  body();
}

void Emitter::ifElse(Value condition, function_ref<void()> body,
                     function_ref<void()> otherwise) {
  auto op = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  body();
  b.setInsertionPointToStart(op.elseBlock());
  otherwise();
}

SmallVector<Value> Emitter::ifThen(Value condition, ValueRange otherwise,
                                   function_ref<SmallVector<Value>()> body) {
  auto op = scf::IfOp::create(b, loc, otherwise.getTypes(), condition,
                              /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  scf::YieldOp::create(b, loc, body());
  b.setInsertionPointToStart(op.elseBlock());
  scf::YieldOp::create(b, loc, otherwise);
  return op.getResults();
}

/// Elements (an edge or a row, times its width) that are worth an iteration of
/// their own: five to ten microseconds, where handing one to a thread takes one
/// when the threads are awake. docs/threads.md has the measurement.
static constexpr int64_t kElementsPerIteration = 1 << 16;
/// What an edge costs before its first element: indices and loop.
static constexpr int64_t kEdgeElements = 8;

Value Emitter::iterationsWorthwhile(Value edges, Value rows, Value width) {
  Value elements = mulI(addI(edges, rows), addI(width, kEdgeElements));
  return maxI(floorDiv(elements, idx(kElementsPerIteration)), idx(1));
}

void Emitter::parallelFor(Value count, Value step,
                          function_ref<void(Value, Value)> body) {
  auto loop = scf::ParallelOp::create(b, loc, ValueRange{idx(0)},
                                      ValueRange{count}, ValueRange{step});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value lo = loop.getInductionVars()[0];
  body(lo, minI(addI(lo, step), count));
}

void Emitter::forHeads(Value heads, function_ref<void(Value)> body) {
  if (!heads)
    return body(nullptr);
  if (getConstantIntValue(heads) == 1)
    return body(idx(0));
  forLoop(idx(0), heads, 1, body);
}

Value Emitter::foldLanes(Value lo, Value hi, int64_t width, Value init,
                         function_ref<Value(const Lanes &, Value)> body) {
  Value end = addI(lo, roundDown(subI(hi, lo), width));
  Value folded = forLoop(lo, end, width, init, [&](Value iv, ValueRange sum) {
    return SmallVector<Value>{body({iv, width, nullptr}, sum[0])};
  })[0];
  if (width == 1)
    return folded;
  Value some = cmpI(arith::CmpIPredicate::slt, end, hi);
  return ifThen(some, folded, [&] {
    Value mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get({width}, b.getI1Type()),
        ValueRange{subI(hi, end)});
    return SmallVector<Value>{body({end, width, mask}, folded)};
  })[0];
}

Value Emitter::largestDegree(Value rowptr, Value lo, Value hi) {
  return forLoop(lo, hi, 1, idx(0), [&](Value row, ValueRange largest) {
    Value begin = loadIndex(rowptr, row);
    Value end = loadIndex(rowptr, addI(row, 1));
    return SmallVector<Value>{maxI(largest[0], subI(end, begin))};
  })[0];
}

SmallVector<Value> rowIndices(Value row, Value head) {
  SmallVector<Value> indices{row};
  if (head)
    indices.push_back(head);
  return indices;
}

//===----------------------------------------------------------------------===//
// EdgeScalars
//===----------------------------------------------------------------------===//

void EdgeScalars::setHead(Emitter &e, Value head) {
  column = nullptr;
  if (!memref)
    return;
  auto type = cast<MemRefType>(memref.getType());
  if (type.getRank() == 1)
    return;
  if (!head || type.getDimSize(1) == 1) {
    column = e.idx(0);
  } else if (!type.isDynamicDim(1)) {
    column = head;
  } else {
    Value single = e.cmpI(arith::CmpIPredicate::eq, e.dim(memref, 1), e.idx(1));
    column = e.select(single, e.idx(0), head);
  }
}

Value EdgeScalars::load(Emitter &e, const Lanes &edges) const {
  return e.load(memref, {}, edges);
}

Value EdgeScalars::load(Emitter &e, Value edge) const {
  return e.load(memref, rowIndices(edge, column));
}

//===----------------------------------------------------------------------===//
// EdgeColumns
//===----------------------------------------------------------------------===//

EdgeColumns::EdgeColumns(Emitter &e, Value colind, int64_t ahead)
    : colind(colind), ahead(ahead) {
  if (ahead)
    lastEdge = e.addI(e.dim(colind, 0), -1);
}

EdgeColumns EdgeColumns::countedFrom(Value first, Value copy) const {
  EdgeColumns columns = *this;
  columns.first = first;
  columns.copy = copy;
  return columns;
}

Value EdgeColumns::load(Emitter &e, Value edge) const {
  if (copy)
    return e.loadIndex(copy, edge);
  return e.loadIndex(colind, first ? e.addI(first, edge) : edge);
}

void EdgeColumns::prefetch(Emitter &e, Value edge, Value memref, Value head,
                           ArrayRef<Lanes> lanes) const {
  if (!ahead)
    return;
  if (first)
    edge = e.addI(first, edge);
  // Over the end of a row, because rows may be shorter than the distance.
  Value col = e.loadIndex(colind, e.minI(e.addI(edge, ahead), lastEdge));
  e.prefetch(memref, rowIndices(col, head), lanes);
}

} // namespace mlir::autosage::cpu
