//===- Constants.cpp - constant tensors in device memory ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization would make them memory of the host, which no kernel may read.
// A constant of one value is written by linalg.fill; any other is copied out of
// the GPU module that holds it, by a kernel, so that the host waits for
// nothing.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"

#include "Payload.h"
#include "autosage/Conversion/DenseToGPU/DenseToGPU.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#define DEBUG_TYPE "autosage-constants-to-device"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGECONSTANTSTODEVICE
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

//===----------------------------------------------------------------------===//
// Before bufferization
//===----------------------------------------------------------------------===//

namespace {
struct AutosageConstantsToDevicePass final
    : public mlir::autosage::impl::AutosageConstantsToDeviceBase<
          AutosageConstantsToDevicePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<arith::ConstantOp> constants;
    getOperation()->walk([&](arith::ConstantOp constant) {
      if (isa<RankedTensorType>(constant.getType()))
        constants.push_back(constant);
    });
    for (arith::ConstantOp constant : constants)
      place(constant);
  }

  void place(arith::ConstantOp constant) {
    Location loc = constant.getLoc();
    OpBuilder builder(constant);
    builder.setInsertionPointAfter(constant);
    auto type = cast<RankedTensorType>(constant.getType());
    ++numPlaced;
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue())) {
      Value value = arith::ConstantOp::create(
          builder, loc, cast<TypedAttr>(splat.getSplatValue<Attribute>()));
      Value empty = tensor::EmptyOp::create(builder, loc, type, ValueRange());
      Value filled =
          linalg::FillOp::create(builder, loc, value, empty).getResult(0);
      constant.replaceAllUsesWith(filled);
      constant.erase();
      return;
    }
    auto copy = bufferization::AllocTensorOp::create(
        builder, loc, type, /*dynamicSizes=*/ValueRange(),
        /*copy=*/constant.getResult());
    constant.getResult().replaceAllUsesExcept(copy.getResult(), copy);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// After bufferization
//===----------------------------------------------------------------------===//

/// One element after the other, as LLVM's arrays hold them; null where they are
/// not known.
static DenseElementsAttr flatElements(memref::GlobalOp global) {
  auto elements =
      dyn_cast_or_null<DenseElementsAttr>(global.getConstantInitValue());
  if (!elements || !dense::isElement(elements.getElementType()))
    return {};
  DenseElementsAttr flat = elements.reshape(RankedTensorType::get(
      {elements.getNumElements()}, elements.getElementType()));
  if (!isa<IndexType>(flat.getElementType()))
    return flat;
  return flat.bitcast(IntegerType::get(global.getContext(), 64));
}

LogicalResult dense::lowerConstantCopy(device::KernelModule &kernels,
                                       memref::CopyOp copy,
                                       SymbolTableCollection &symbols) {
  auto source = copy.getSource().getDefiningOp<memref::GetGlobalOp>();
  if (!source)
    return success();
  auto global = symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
      source, source.getNameAttr());
  if (!global || !global.getConstant())
    return success();
  DenseElementsAttr elements = flatElements(global);
  auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
  if (!elements || !target || !target.getLayout().isIdentity())
    return copy.emitOpError("expects a constant of numbers and a contiguous "
                            "buffer for it, got ")
           << copy.getSource().getType() << " and "
           << copy.getTarget().getType();

  OpBuilder builder(copy);
  device::HostEmitter host(builder, copy.getLoc());
  device::KernelBuilder kernel(host, kernels, "constant");
  // Equal attributes are one.
  kernel.distinguish("data", static_cast<int64_t>(reinterpret_cast<intptr_t>(
                                 elements.getAsOpaquePointer())));
  Type element = elements.getElementType();
  int64_t count = elements.getNumElements();
  device::Buffer buffer = host.buffer(copy.getTarget());
  buffer.sizes = {host.fixed(count)};
  buffer.strides = {host.fixed(1)};
  device::KernelBuilder::View out =
      kernel.view(buffer, device::Access::write,
                  std::max<int64_t>(1, device::sizeOf(element)));
  device::Geometry geometry;
  geometry.threads = 256;
  geometry.blocksX = host.i64(llvm::divideCeil(count, geometry.threads));
  geometry.blocksY = host.fixed(1);
  kernel.launch(geometry, [&](device::KernelBuilder::Body &body) {
    device::Emitter &e = body.e;
    Value at =
        e.addI(e.mulI(body.blockX, geometry.threads), e.toI64(e.threadX()));
    e.ifThen(e.lessThan(at, e.i64(count)), [&] {
      Value from = e.at(body.constant(elements), element, at);
      storeAt(body, out, at, e.load(from, element));
    });
  });
  copy.erase();
  if (source->use_empty())
    source.erase();
  if (global.isPrivate() &&
      SymbolTable::symbolKnownUseEmpty(global, global->getParentOp()))
    global.erase();
  return success();
}
