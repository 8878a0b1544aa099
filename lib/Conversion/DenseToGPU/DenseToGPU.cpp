//===- DenseToGPU.cpp - dense ops to GPU kernels --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: takes the linalg ops of the host's functions, and copies of
// constants.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/DenseToGPU/DenseToGPU.h"

#include "Constants.h"
#include "Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
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
    SmallVector<linalg::LinalgOp> ops;
    SmallVector<memref::CopyOp> copies;
    for (auto function : module.getOps<FunctionOpInterface>())
      function->walk([&](Operation *op) {
        if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
          ops.push_back(linalgOp);
        else if (auto copy = dyn_cast<memref::CopyOp>(op))
          copies.push_back(copy);
      });
    bool anyFailed = false;
    SymbolTableCollection symbols;
    for (memref::CopyOp copy : copies)
      anyFailed |= failed(dense::lowerConstantCopy(kernels, copy, symbols));
    for (linalg::LinalgOp op : ops)
      anyFailed |= failed(convert(op, kernels));
    if (anyFailed)
      signalPassFailure();
  }

  LogicalResult convert(linalg::LinalgOp op, device::KernelModule &kernels) {
    if (failed(dense::verify(op)))
      return failure();
    dense::emit(kernels, op);
    op->erase();
    ++numKernels;
    return success();
  }
};
} // namespace
