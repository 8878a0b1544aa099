//===- AutosageToCPU.cpp - autosage ops to CPU vector loops ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns that hand the operands of an op on buffers to its kernel emitter,
// and the pass that applies them and explains what it had to leave.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/AutosageToCPU/AutosageToCPU.h"

#include "Kernels.h"
#include "Partition.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#define DEBUG_TYPE "convert-autosage-to-cpu"

namespace mlir::autosage {
#define GEN_PASS_DEF_CONVERTAUTOSAGETOCPU
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

/// Slope of the leaky ReLU where the op has none (the op's documentation).
static constexpr double kDefaultSlope = 0.2;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

static bool isOnBuffers(Operation *op) {
  auto isBufferOrIndex = [](Type type) {
    return isa<MemRefType, IndexType>(type);
  };
  return llvm::all_of(op->getOperandTypes(), isBufferOrIndex) &&
         llvm::all_of(op->getResultTypes(), isBufferOrIndex);
}

static ::autosage::Schedule scheduleOf(SparseOpInterface op) {
  if (ScheduleAttr schedule = op.getScheduleAttribute())
    return schedule.getSchedule();
  return {"row_parallel", {}};
}

static double valueOr(std::optional<APFloat> value, double otherwise) {
  if (!value)
    return otherwise;
  bool losesInfo;
  value->convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return value->convertToDouble();
}

namespace {
/// Lowers an op on buffers as its schedule says; how is `emit`'s.
template <typename OpT> struct KernelPattern : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const final {
    if (!isOnBuffers(op))
      return rewriter.notifyMatchFailure(op, "expects buffers");
    ::autosage::Schedule schedule = scheduleOf(op);
    if (!::autosage::verifyForTarget(schedule, ::autosage::Target::cpu,
                                     SparseOpInterface(op).getProblem()))
      return rewriter.notifyMatchFailure(op, "expects a schedule for the cpu");
    std::unique_ptr<cpu::Partition> partition = cpu::makePartition(schedule);
    if (!partition)
      return rewriter.notifyMatchFailure(op,
                                         "expects a family with a lowering");
    cpu::Knobs knobs{schedule.get("vec"), schedule.get("tile"),
                     schedule.get("unroll"), schedule.get("prefetch")};
    OperandRange arrays = op.getArrays();
    // Layouts add arrays behind rowptr and colind; rows need none of them.
    emit(op, {arrays[0], arrays[1], arrays.back()}, knobs, *partition,
         rewriter);
    rewriter.eraseOp(op);
    return success();
  }

  virtual void emit(OpT op, cpu::CsrOperands csr, cpu::Knobs knobs,
                    cpu::Partition &partition,
                    PatternRewriter &rewriter) const = 0;
};

/// What both walks of the gradients of attention read.
template <typename OpT> cpu::AttentionBackwardOperands operandsOf(OpT op) {
  cpu::AttentionBackwardOperands operands{};
  operands.bias = op.getValues();
  operands.q = op.getQ();
  operands.k = op.getK();
  operands.v = op.getV();
  operands.vec = op.getVec();
  operands.lse = op.getLse();
  operands.dO = op.getDO();
  return operands;
}

struct ConvertSpmm final : KernelPattern<SpmmOp> {
  using KernelPattern::KernelPattern;
  void emit(SpmmOp op, cpu::CsrOperands csr, cpu::Knobs knobs,
            cpu::Partition &partition,
            PatternRewriter &rewriter) const override {
    cpu::emitSpmm(rewriter, op.getLoc(), csr, op.getValues(), op.getX(),
                  op.getOuts()[0], toCore(op.getReduction()), op.getTranspose(),
                  op.getAccumulate(), knobs, partition);
  }
};

struct ConvertSddmm final : KernelPattern<SddmmOp> {
  using KernelPattern::KernelPattern;
  void emit(SddmmOp op, cpu::CsrOperands csr, cpu::Knobs knobs,
            cpu::Partition &partition,
            PatternRewriter &rewriter) const override {
    cpu::emitSddmm(rewriter, op.getLoc(), csr, op.getValues(), op.getQ(),
                   op.getK(), op.getOuts()[0], toCore(op.getCombine()),
                   valueOr(op.getScale(), 1.0), knobs, partition);
  }
};

struct ConvertRowSoftmax final : KernelPattern<RowSoftmaxOp> {
  using KernelPattern::KernelPattern;
  void emit(RowSoftmaxOp op, cpu::CsrOperands csr, cpu::Knobs knobs,
            cpu::Partition &partition,
            PatternRewriter &rewriter) const override {
    cpu::emitRowSoftmax(rewriter, op.getLoc(), csr, op.getValues(),
                        op.getOuts()[0], valueOr(op.getScale(), 1.0), knobs,
                        partition);
  }
};

struct ConvertAttention final : KernelPattern<AttentionOp> {
  using KernelPattern::KernelPattern;
  void emit(AttentionOp op, cpu::CsrOperands csr, cpu::Knobs knobs,
            cpu::Partition &partition,
            PatternRewriter &rewriter) const override {
    OperandRange outs = op.getOuts();
    cpu::AttentionOperands operands{op.getValues(),
                                    op.getQ(),
                                    op.getK(),
                                    op.getV(),
                                    op.getVec(),
                                    outs[0],
                                    outs.size() > 1 ? outs[1] : Value()};
    cpu::emitAttention(rewriter, op.getLoc(), csr, operands,
                       toCore(op.getScore()), valueOr(op.getScale(), 1.0),
                       valueOr(op.getNegativeSlope(), kDefaultSlope),
                       scheduleOf(op).getWord("attention") == "fused", knobs,
                       partition);
  }
};

struct ConvertAttentionBackwardQ final : KernelPattern<AttentionBackwardQOp> {
  using KernelPattern::KernelPattern;
  void emit(AttentionBackwardQOp op, cpu::CsrOperands csr, cpu::Knobs knobs,
            cpu::Partition &partition,
            PatternRewriter &rewriter) const override {
    cpu::AttentionBackwardOperands operands = operandsOf(op);
    operands.o = op.getO();
    operands.dq = op.getOuts()[0];
    operands.outDelta = op.getOuts()[1];
    operands.outVecParts = op.getVecParts();
    operands.outLogits = op.getDLogits();
    cpu::emitAttentionBackwardQ(
        rewriter, op.getLoc(), csr, operands, toCore(op.getScore()),
        valueOr(op.getScale(), 1.0),
        valueOr(op.getNegativeSlope(), kDefaultSlope), knobs, partition);
  }
};

struct ConvertAttentionBackwardKV final : KernelPattern<AttentionBackwardKVOp> {
  using KernelPattern::KernelPattern;
  void emit(AttentionBackwardKVOp op, cpu::CsrOperands csr, cpu::Knobs knobs,
            cpu::Partition &partition,
            PatternRewriter &rewriter) const override {
    cpu::AttentionBackwardOperands operands = operandsOf(op);
    operands.edges = op.getEdges();
    operands.delta = op.getDelta();
    operands.dk = op.getOuts()[0];
    operands.dv = op.getOuts()[1];
    cpu::emitAttentionBackwardKV(
        rewriter, op.getLoc(), csr, operands, toCore(op.getScore()),
        valueOr(op.getScale(), 1.0),
        valueOr(op.getNegativeSlope(), kDefaultSlope), knobs, partition);
  }
};

struct ConvertBuildTranspose final : OpRewritePattern<BuildTransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BuildTransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (!isOnBuffers(op))
      return rewriter.notifyMatchFailure(op, "expects buffers");
    OperandRange outs = op.getOuts();
    cpu::emitBuildTranspose(rewriter, op.getLoc(), op.getRowptr(),
                            op.getColind(), op.getNCols(), outs[0], outs[1],
                            outs[2]);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertCountTasks final : OpRewritePattern<CountTasksOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CountTasksOp op,
                                PatternRewriter &rewriter) const override {
    if (!isOnBuffers(op))
      return rewriter.notifyMatchFailure(op, "expects buffers");
    rewriter.replaceOp(op, cpu::emitCountTasks(rewriter, op.getLoc(),
                                               op.getRowptr(), op.getChunk()));
    return success();
  }
};

/// Where convert-autosage-to-runtime made no call of it, which would need the
/// runtime: the first is as right as any.
struct ConvertChooseVersion final : OpRewritePattern<ChooseVersionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ChooseVersionOp op,
                                PatternRewriter &rewriter) const override {
    if (!isOnBuffers(op))
      return rewriter.notifyMatchFailure(op, "expects buffers");
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, 0);
    return success();
  }
};

struct ConvertBuildTasks final : OpRewritePattern<BuildTasksOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BuildTasksOp op,
                                PatternRewriter &rewriter) const override {
    if (!isOnBuffers(op))
      return rewriter.notifyMatchFailure(op, "expects buffers");
    if (failed(cpu::emitBuildTasks(rewriter, op.getLoc(), op.getRowptr(),
                                   op.getChunk(), toCore(op.getOrder()),
                                   op.getOuts()[0])))
      return rewriter.notifyMatchFailure(op, "expects order stored or length");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void mlir::autosage::populateAutosageToCPUPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ConvertSpmm, ConvertSddmm, ConvertRowSoftmax, ConvertAttention,
               ConvertAttentionBackwardQ, ConvertAttentionBackwardKV,
               ConvertBuildTranspose, ConvertCountTasks, ConvertBuildTasks,
               ConvertChooseVersion>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Says why no pattern took `op`.
static void explainLeftover(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes()))) {
    if (isa<PatternType>(type)) {
      op->emitOpError("expects component arrays, got ")
          << type << "; autosage-expand-pattern and bufferization come first";
      return;
    }
    if (isa<TensorType>(type)) {
      op->emitOpError("expects buffers, got ")
          << type << "; bufferization comes first";
      return;
    }
  }
  if (auto sparse = dyn_cast<SparseOpInterface>(op)) {
    if (!sparse.hasKernel()) {
      op->emitOpError("expects an op that has kernels, got one that others are "
                      "made of on tensors; autosage-expand-backward comes "
                      "first");
      return;
    }
    ::autosage::Status status = ::autosage::verifyForTarget(
        scheduleOf(sparse), ::autosage::Target::cpu, sparse.getProblem());
    if (!status) {
      op->emitOpError() << status.error();
      return;
    }
  }
  if (auto tasks = dyn_cast<BuildTasksOp>(op)) {
    op->emitOpError("expects order stored or length on cpu, got ")
        << stringifyTaskOrder(tasks.getOrder());
    return;
  }
  op->emitOpError("expects an op with a lowering to the cpu");
}

namespace {
struct ConvertAutosageToCPUPass final
    : public mlir::autosage::impl::ConvertAutosageToCPUBase<
          ConvertAutosageToCPUPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateAutosageToCPUPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    walkAndApplyPatterns(getOperation(), patterns);

    bool anyLeft = false;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_present<AutosageDialect>(op->getDialect())) {
        explainLeftover(op);
        anyLeft = true;
      }
    });
    // A function may pass a pattern on without an op of the dialect.
    getOperation()->walk([&](Block *block) {
      for (BlockArgument argument : block->getArguments())
        if (isa<PatternType>(argument.getType())) {
          emitError(argument.getLoc(), "expects component arrays, got ")
              << argument.getType() << "; autosage-expand-pattern comes first";
          anyLeft = true;
        }
    });
    if (anyLeft)
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
