//===- DenseToParallel.cpp - dense ops to parallel loops ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside sparse kernels on several threads, dense ops on one would soon be most
// of a program's time. A point of a parallel dimension is computed by one
// iteration, in the order of the loops, so that results do not depend on how
// they are cut.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/DenseToParallel/DenseToParallel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "autosage-dense-to-parallel"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEDENSETOPARALLEL
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;

/// Units of work of an iteration, as of the sparse kernels (docs/threads.md).
static constexpr int64_t kUnitsPerIteration = 1 << 16;

/// A point of all loops, in features of an SpMM: a load, an operation and a
/// store and more, a loop in the body for one of some dozen steps.
static int64_t unitsOfPoint(linalg::LinalgOp op) {
  int64_t units = 0;
  op->getRegion(0).walk(
      [&](Operation *inner) { units += inner->getNumRegions() > 0 ? 64 : 1; });
  return units;
}

/// The first loop is parallel, and every output has an element of its own for
/// each of its points.
static bool isParallel(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumLoops() == 0 ||
      op.getIteratorTypesArray().front() != utils::IteratorType::parallel)
    return false;
  AffineExpr first = getAffineDimExpr(0, op.getContext());
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &out) {
    return llvm::is_contained(op.getMatchingIndexingMap(&out).getResults(),
                              first);
  });
}

/// Too small for two iterations, as far as sizes are known.
static bool isSmall(linalg::LinalgOp op, int64_t units) {
  for (int64_t size : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(size))
      return false;
    if (size == 0)
      return true;
    units =
        size > 2 * kUnitsPerIteration ? 2 * kUnitsPerIteration : units * size;
    if (units >= 2 * kUnitsPerIteration)
      return false;
  }
  return true;
}

/// How many iterations of the first loop make `kUnitsPerIteration`.
static Value grainOf(OpBuilder &b, Location loc, ArrayRef<scf::ForOp> loops,
                     int64_t units) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value each = number(units);
  for (scf::ForOp loop : loops.drop_front()) {
    // At most what makes an iteration of one point, and no overflow.
    Value size = arith::MinSIOp::create(b, loc, loop.getUpperBound(),
                                        number(kUnitsPerIteration));
    each = arith::MulIOp::create(b, loc, each, size);
    each = arith::MinSIOp::create(b, loc, each, number(kUnitsPerIteration));
  }
  each = arith::MaxSIOp::create(b, loc, each, number(1));
  return arith::DivSIOp::create(b, loc, number(kUnitsPerIteration), each);
}

/// Runs of `grain` iterations of `loop`, side by side.
static void cut(OpBuilder &b, scf::ForOp loop, Value grain) {
  Location loc = loop.getLoc();
  Value end = loop.getUpperBound();
  auto outer =
      scf::ParallelOp::create(b, loc, loop.getLowerBound(), end, grain);
  b.setInsertionPointToStart(outer.getBody());
  Value begin = outer.getInductionVars()[0];
  Value next = arith::AddIOp::create(b, loc, begin, grain);
  Value last = arith::MinSIOp::create(b, loc, next, end);
  loop->moveBefore(outer.getBody()->getTerminator());
  loop.setLowerBound(begin);
  loop.setUpperBound(last);
}

namespace {
struct AutosageDenseToParallelPass final
    : public mlir::autosage::impl::AutosageDenseToParallelBase<
          AutosageDenseToParallelPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      int64_t units = unitsOfPoint(op);
      if (isParallel(op) && !isSmall(op, units) && failed(convert(op, units)))
        return signalPassFailure();
    }
  }

  LogicalResult convert(linalg::LinalgOp op, int64_t units) {
    IRRewriter rewriter(op);
    FailureOr<linalg::LinalgLoops> made = linalg::linalgOpToLoops(rewriter, op);
    if (failed(made) || made->empty())
      return op.emitOpError("expects an op that becomes loops");
    SmallVector<scf::ForOp> loops;
    for (Operation *loop : *made)
      loops.push_back(cast<scf::ForOp>(loop));
    rewriter.setInsertionPoint(loops.front());
    Value grain = grainOf(rewriter, op.getLoc(), loops, units);
    cut(rewriter, loops.front(), grain);
    rewriter.eraseOp(op);
    ++numCut;
    return success();
  }
};
} // namespace
