//===- DenseToGPU.cpp - dense ops to GPU kernels --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: takes linalg ops on buffers, and copies between buffers of which one
// is not contiguous, for which the runtime has no call.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/DenseToGPU/DenseToGPU.h"

#include "Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define DEBUG_TYPE "autosage-dense-to-gpu"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEDENSETOGPU
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

/// Whether elements lie one after the other for sure, from any offset on.
static bool isContiguous(MemRefType type) {
  if (type.getLayout().isIdentity())
    return true;
  int64_t offset, plainOffset;
  SmallVector<int64_t> strides, plainStrides;
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  return type.hasStaticShape() &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         succeeded(plain.getStridesAndOffset(plainStrides, plainOffset)) &&
         strides == plainStrides;
}

/// Whether the runtime has no call for the copy.
static bool isStrided(memref::CopyOp copy) {
  return llvm::any_of(copy->getOperandTypes(), [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return memref && !isContiguous(memref);
  });
}

namespace {
struct AutosageDenseToGPUPass final
    : public mlir::autosage::impl::AutosageDenseToGPUBase<
          AutosageDenseToGPUPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Attribute target = device::targetOfChip(module, chip);
    if (!target)
      return signalPassFailure();
    if (maxGridX < 1) {
      module.emitError("expects max-grid-x to be at least 1, got ")
          << int64_t(maxGridX);
      return signalPassFailure();
    }
    device::KernelModule kernels(module, "autosage_dense", target,
                                 {maxGridX, 65535});
    // Functions of the host; bodies of GPU modules are not.
    SmallVector<Operation *> ops;
    for (auto function : module.getOps<FunctionOpInterface>())
      function->walk([&](Operation *op) { ops.push_back(op); });
    bool anyFailed = false;
    for (Operation *op : ops) {
      if (auto copy = dyn_cast<memref::CopyOp>(op))
        convert(copy, kernels);
      else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        anyFailed |= failed(convert(
            linalgOp, kernels, linalgOp->getName().stripDialect().str()));
    }
    if (anyFailed)
      signalPassFailure();
  }

  LogicalResult convert(linalg::LinalgOp op, device::KernelModule &kernels,
                        StringRef name) {
    if (failed(dense::verify(op)))
      return failure();
    dense::emit(kernels, op, name);
    op->erase();
    ++numKernels;
    return success();
  }

  void convert(memref::CopyOp copy, device::KernelModule &kernels) {
    if (!isStrided(copy))
      return;
    OpBuilder builder(copy);
    linalg::LinalgOp op = linalg::makeMemRefCopyOp(
        builder, copy.getLoc(), copy.getSource(), copy.getTarget());
    copy->erase();
    [[maybe_unused]] LogicalResult always = convert(op, kernels, "copy");
    assert(succeeded(always) && "elements of linalg.generic are numbers");
  }
};
} // namespace
