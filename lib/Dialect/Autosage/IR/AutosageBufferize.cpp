//===- AutosageBufferize.cpp - effects, shapes, bufferization -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After expansion the ops are ordinary destination-style ops, so one
// implementation serves them all.
//
//===----------------------------------------------------------------------===//

#include "AutosageVerify.h"
#include "DestinationOp.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::autosage;

bool mlir::autosage::detail::readsOuts(DestinationStyleOpInterface op) {
  auto spmm = dyn_cast<SpmmOp>(op.getOperation());
  return spmm && spmm.getAccumulate();
}

void mlir::autosage::detail::getEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isInit = op.isDpsInit(&operand);
    if (!isInit || readsOuts(op))
      effects.emplace_back(MemoryEffects::Read::get(), &operand, /*stage=*/0,
                           /*effectOnFullRegion=*/true,
                           SideEffects::DefaultResource::get());
    if (isInit)
      effects.emplace_back(MemoryEffects::Write::get(), &operand, /*stage=*/1,
                           /*effectOnFullRegion=*/true,
                           SideEffects::DefaultResource::get());
  }
}

LogicalResult
mlir::autosage::detail::reifyResultShapes(DestinationStyleOpInterface op,
                                          OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  for (OpResult result : op->getResults())
    shapes.push_back(tensor::getMixedSizes(builder, op.getLoc(),
                                           op.getTiedOpOperand(result)->get()));
  return success();
}

bool mlir::autosage::detail::accessesElementwise(
    DestinationStyleOpInterface op, ArrayRef<OpOperand *> operands) {
  auto softmax = dyn_cast<RowSoftmaxOp>(op.getOperation());
  if (!softmax)
    return false;
  return llvm::all_of(operands, [&](OpOperand *operand) {
    return op.isDpsInit(operand) || operand->get() == softmax.getValues();
  });
}

//===----------------------------------------------------------------------===//
// Bufferization
//===----------------------------------------------------------------------===//

/// Positions and coordinates are read by kernels as plain arrays.
static bool needsContiguous(MemRefType type) {
  return type.getElementType().isIntOrIndex();
}

static bool isContiguous(MemRefType type) {
  return type.areTrailingDimsContiguous(type.getRank());
}

/// A contiguous buffer of the shape of `buffer`.
static FailureOr<Value>
allocateContiguous(Value buffer, Location loc, RewriterBase &rewriter,
                   const bufferization::BufferizationOptions &options) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(rewriter, loc, buffer, dim));
  return options.createAlloc(
      rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
      sizes);
}

/// A pattern as a value would hide reads of its arrays.
static LogicalResult checkExpanded(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<PatternType>))
    return op->emitOpError("expects component arrays in bufferization, got a "
                           "pattern; run autosage-expand-pattern first");
  return success();
}

LogicalResult mlir::autosage::detail::bufferizeDestinationOp(
    DestinationStyleOpInterface op, RewriterBase &rewriter,
    const bufferization::BufferizationOptions &options,
    bufferization::BufferizationState &state) {
  if (op.hasPureBufferSemantics())
    return success();
  if (failed(checkExpanded(op)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  OperationState newOp(loc, op->getName());
  SmallVector<Value> results;
  SmallPtrSet<Value, 4> written;
  SmallVector<std::pair<Value, Value>> copiesBack;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType())) {
      newOp.operands.push_back(operand.get());
      continue;
    }
    FailureOr<Value> buffer =
        bufferization::getBuffer(rewriter, operand.get(), options, state);
    if (failed(buffer))
      return failure();
    bool isInit = op.isDpsInit(&operand);
    // One empty tensor may stand for two outputs of which nothing reads one.
    if (isInit && !written.insert(operand.get()).second) {
      buffer = allocateContiguous(*buffer, loc, rewriter, options);
      if (failed(buffer))
        return failure();
    }
    if (isInit)
      results.push_back(*buffer);
    auto type = cast<MemRefType>(buffer->getType());
    if (needsContiguous(type) && !isContiguous(type)) {
      FailureOr<Value> copy =
          allocateContiguous(*buffer, loc, rewriter, options);
      if (failed(copy))
        return failure();
      if (isInit)
        copiesBack.push_back({*copy, *buffer});
      else if (failed(options.createMemCpy(rewriter, loc, *buffer, *copy)))
        return failure();
      buffer = copy;
    }
    newOp.operands.push_back(*buffer);
  }
  newOp.addAttributes(op->getAttrs());
  rewriter.create(newOp);
  for (auto [from, to] : copiesBack)
    if (failed(options.createMemCpy(rewriter, loc, from, to)))
      return failure();
  bufferization::replaceOpWithBufferizedValues(rewriter, op, results);
  return success();
}

LogicalResult mlir::autosage::detail::foldMemRefCasts(Operation *op) {
  bool changed = false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto cast = operand.get().getDefiningOp<memref::CastOp>();
    if (!cast || !memref::CastOp::canFoldIntoConsumerOp(cast))
      continue;
    operand.set(cast.getSource());
    changed = true;
  }
  return success(changed);
}

//===----------------------------------------------------------------------===//
// Ops that only look: arrays in, a number out
//===----------------------------------------------------------------------===//

void mlir::autosage::detail::getEffectsOfLooking(
    Operation *op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &array : op->getOpOperands())
    if (isa<MemRefType>(array.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &array,
                           SideEffects::DefaultResource::get());
}

bool mlir::autosage::detail::looksAtBuffers(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>);
}

LogicalResult mlir::autosage::detail::bufferizeLookingOp(
    Operation *op, RewriterBase &rewriter,
    const bufferization::BufferizationOptions &options,
    bufferization::BufferizationState &state) {
  if (failed(checkExpanded(op)))
    return failure();
  OperationState newOp(op->getLoc(), op->getName());
  for (Value array : op->getOperands()) {
    if (!isa<TensorType>(array.getType())) {
      newOp.operands.push_back(array);
      continue;
    }
    FailureOr<Value> buffer =
        bufferization::getBuffer(rewriter, array, options, state);
    if (failed(buffer))
      return failure();
    if (!isContiguous(cast<MemRefType>(buffer->getType()))) {
      FailureOr<Value> copy =
          allocateContiguous(*buffer, op->getLoc(), rewriter, options);
      if (failed(copy) ||
          failed(options.createMemCpy(rewriter, op->getLoc(), *buffer, *copy)))
        return failure();
      buffer = copy;
    }
    newOp.operands.push_back(*buffer);
  }
  newOp.addTypes(op->getResultTypes());
  newOp.addAttributes(op->getAttrs());
  bufferization::replaceOpWithBufferizedValues(
      rewriter, op, rewriter.create(newOp)->getResults());
  return success();
}
