//===- Host.cpp - buffers, runtime calls and scratch on the host ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the host code around launches consists of.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::autosage::device {

Extent HostEmitter::extent(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return fixed(*constant);
  if (isa<IndexType>(value.getType()))
    value = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
  return {std::nullopt, value};
}

Extent HostEmitter::product(const Extent &lhs, const Extent &rhs) {
  if (lhs.fixed && rhs.fixed)
    return fixed(*lhs.fixed * *rhs.fixed);
  return {std::nullopt, mulI(lhs.host, rhs.host)};
}

Value HostEmitter::ceilDiv(Value lhs, Value rhs) {
  return divI(addI(lhs, addI(rhs, -1)), rhs);
}

Extent HostEmitter::tilesOf(const Extent &extent, int64_t size) {
  if (extent.fixed)
    return fixed(llvm::divideCeil(*extent.fixed, size));
  return {std::nullopt, ceilDiv(extent.host, i64(size))};
}

Buffer HostEmitter::buffer(Value memref) {
  if (!memref)
    return {};
  auto type = cast<MemRefType>(memref.getType());
  Buffer buffer;
  buffer.memref = memref;
  buffer.element = type.getElementType();
  if (isa<IndexType>(buffer.element))
    buffer.element = b.getI64Type();
  Value aligned =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  buffer.address = arith::IndexCastOp::create(b, loc, b.getI64Type(), aligned);

  int64_t offset;
  SmallVector<int64_t> strides;
  [[maybe_unused]] LogicalResult isStrided =
      type.getStridesAndOffset(strides, offset);
  assert(succeeded(isStrided) && "the verifier rejects other layouts");
  bool needsMetadata =
      offset != 0 || !type.hasStaticShape() ||
      llvm::any_of(strides, [](int64_t s) { return ShapedType::isDynamic(s); });
  memref::ExtractStridedMetadataOp metadata;
  if (needsMetadata)
    metadata = memref::ExtractStridedMetadataOp::create(b, loc, memref);
  auto number = [&](int64_t known, auto dynamic) {
    return ShapedType::isDynamic(known) ? extent(dynamic()) : fixed(known);
  };
  for (int64_t i = 0; i < type.getRank(); ++i) {
    buffer.sizes.push_back(
        number(type.getDimSize(i), [&] { return metadata.getSizes()[i]; }));
    buffer.strides.push_back(
        number(strides[i], [&] { return metadata.getStrides()[i]; }));
  }
  if (offset != 0) {
    Extent start = number(offset, [&] { return metadata.getOffset(); });
    buffer.address =
        addI(buffer.address, mulI(start.host, sizeOf(buffer.element)));
  }
  return buffer;
}

Value HostEmitter::alloc(Value count, Type element) {
  Value size = arith::IndexCastOp::create(b, loc, b.getIndexType(), count);
  return memref::AllocOp::create(
      b, loc, MemRefType::get({ShapedType::kDynamic}, element), size);
}

void HostEmitter::free(Value memref) {
  memref::DeallocOp::create(b, loc, memref);
}

/// Whether the first element is known to lie at a multiple of `bytes`.
static bool isKnownAligned(Value memref, int64_t bytes) {
  while (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  if (!llvm::cast<MemRefType>(memref.getType()).getLayout().isIdentity())
    return false;
  // What gives out device memory aligns it to more than vectors need.
  if (memref.getDefiningOp<memref::AllocOp>())
    return true;
  auto assumed = memref.getDefiningOp<memref::AssumeAlignmentOp>();
  return assumed && assumed.getAlignment() % bytes == 0;
}

Value HostEmitter::isAligned(const Buffer &buffer, int64_t bytes) {
  if (isKnownAligned(buffer.memref, bytes))
    return {};
  Value low =
      b.createOrFold<arith::AndIOp>(loc, buffer.address, i64(bytes - 1));
  return isZero(low);
}

Value HostEmitter::isMultiple(const Extent &extent, int64_t factor) {
  if (factor == 1 || (extent.fixed && *extent.fixed % factor == 0))
    return {};
  return isZero(remI(extent.host, factor));
}

Value HostEmitter::allOf(ArrayRef<Value> conditions) {
  Value all;
  for (Value condition : conditions)
    if (condition)
      all = all ? andB(all, condition) : condition;
  return all;
}

void HostEmitter::choose(Value condition, function_ref<void()> body,
                         function_ref<void()> otherwise) {
  if (!condition)
    return body();
  ifElse(condition, body, otherwise);
}

Value HostEmitter::call(StringRef function, Type result, ValueRange operands) {
  SmallVector<Value> arguments;
  for (Value operand : operands)
    arguments.push_back(isa<IndexType>(operand.getType()) ? extent(operand).host
                                                          : operand);
  TypeRange results = result ? TypeRange(result) : TypeRange();
  auto type = b.getFunctionType(ValueRange(arguments).getTypes(), results);
  auto module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(function)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    func::FuncOp::create(b, loc, function, type).setPrivate();
  }
  auto call = func::CallOp::create(b, loc, function, results, arguments);
  return result ? call.getResult(0) : Value();
}

Value HostEmitter::pointer(const Buffer &buffer) {
  return LLVM::IntToPtrOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()), buffer.address);
}

} // namespace mlir::autosage::device
