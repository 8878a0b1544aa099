//===- HoistPreparation.cpp - what loops share, once ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loop-invariant code motion but for empty tensors: one that has left its loop
// is one buffer for all iterations, and what they yield has to be copied.
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEHOISTPREPARATION
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;

namespace {
struct AutosageHoistPreparationPass final
    : public mlir::autosage::impl::AutosageHoistPreparationBase<
          AutosageHoistPreparationPass> {
  using Base::Base;

  void runOnOperation() override {
    // Inner loops first: what leaves them may leave the outer ones.
    getOperation()->walk([&](LoopLikeOpInterface loop) {
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) {
            return loop.isDefinedOutsideOfLoop(value);
          },
          [&](Operation *op, Region *) {
            return !isa<tensor::EmptyOp>(op) && isMemoryEffectFree(op) &&
                   isSpeculatable(op);
          },
          [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
    });
  }
};
} // namespace
