//===- AutosageToGPU.cpp - autosage ops to GPU kernels --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: hands the operands of each op on buffers to its emitter, and
// explains what it has to leave.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/AutosageToGPU/AutosageToGPU.h"

#include "ChooseVersion.h"
#include "Kernels.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "convert-autosage-to-gpu"

namespace mlir::autosage {
#define GEN_PASS_DEF_CONVERTAUTOSAGETOGPU
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

/// Slope of the leaky ReLU where the op has none (the op's documentation).
static constexpr double kDefaultSlope = 0.2;

//===----------------------------------------------------------------------===//
// What an op needs to be taken
//===----------------------------------------------------------------------===//

static ::autosage::Schedule scheduleOf(SparseOpInterface op) {
  if (ScheduleAttr schedule = op.getScheduleAttribute())
    return schedule.getSchedule();
  return {"row_group", {}};
}

/// Emits why `op` cannot be lowered.
static LogicalResult verifyIsReady(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes()))) {
    if (isa<PatternType>(type))
      return op->emitOpError("expects component arrays, got ")
             << type
             << "; autosage-expand-pattern and bufferization come first";
    if (isa<TensorType>(type))
      return op->emitOpError("expects buffers, got ")
             << type << "; bufferization comes first";
  }
  if (auto sparse = dyn_cast<SparseOpInterface>(op))
    if (::autosage::Status status = ::autosage::verifyForTarget(
            scheduleOf(sparse), ::autosage::Target::nvptx, sparse.getProblem());
        !status)
      return op->emitOpError() << status.error();
  return success();
}

//===----------------------------------------------------------------------===//
// Emitting
//===----------------------------------------------------------------------===//

template <typename OpT> static device::Csr csrOf(OpT op) {
  OperandRange arrays = op.getArrays();
  LayoutAttr layout =
      cast<SparseOpInterface>(op.getOperation()).getPatternLayout();
  if (layout.isCsr())
    return {arrays[0], arrays[1], Value(), arrays.back(), 0};
  return {arrays[0], arrays[1], arrays[2], arrays.back(), layout.getChunk()};
}

static void emit(device::HostEmitter &host, device::KernelModule &kernels,
                 SpmmOp op) {
  device::emitSpmm(host, kernels, csrOf(op), op.getValues(), op.getX(),
                   op.getOuts()[0], toCore(op.getReduction()),
                   op.getTranspose(), op.getAccumulate(), scheduleOf(op));
}

static double valueOr(std::optional<APFloat> value, double otherwise) {
  if (!value)
    return otherwise;
  bool losesInfo;
  value->convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return value->convertToDouble();
}

static void emit(device::HostEmitter &host, device::KernelModule &kernels,
                 SddmmOp op) {
  device::emitSddmm(host, kernels, csrOf(op), op.getValues(), op.getQ(),
                    op.getK(), op.getOuts()[0], toCore(op.getCombine()),
                    valueOr(op.getScale(), 1.0), scheduleOf(op));
}

static void emit(device::HostEmitter &host, device::KernelModule &kernels,
                 RowSoftmaxOp op) {
  device::emitRowSoftmax(host, kernels, csrOf(op), op.getValues(),
                         op.getOuts()[0], valueOr(op.getScale(), 1.0),
                         scheduleOf(op));
}

static void emit(device::HostEmitter &host, device::KernelModule &kernels,
                 AttentionOp op) {
  OperandRange outs = op.getOuts();
  device::AttentionOperands operands{op.getValues(),
                                     op.getQ(),
                                     op.getK(),
                                     op.getV(),
                                     op.getVec(),
                                     outs[0],
                                     outs.size() > 1 ? outs[1] : Value()};
  device::emitAttention(host, kernels, csrOf(op), operands,
                        toCore(op.getScore()), valueOr(op.getScale(), 1.0),
                        valueOr(op.getNegativeSlope(), kDefaultSlope),
                        scheduleOf(op));
}

/// Adds what both walks have.
template <typename OpT>
static void emitWalk(device::HostEmitter &host, device::KernelModule &kernels,
                     OpT op, device::WalkOperands operands) {
  operands.bias = op.getValues();
  operands.q = op.getQ();
  operands.k = op.getK();
  operands.v = op.getV();
  operands.vec = op.getVec();
  operands.lse = op.getLse();
  operands.dO = op.getDO();
  operands.dScores = op.getOuts()[0];
  device::emitBackwardWalk(host, kernels, csrOf(op), operands,
                           toCore(op.getScore()), valueOr(op.getScale(), 1.0),
                           valueOr(op.getNegativeSlope(), kDefaultSlope),
                           scheduleOf(op));
}

static void emit(device::HostEmitter &host, device::KernelModule &kernels,
                 AttentionBackwardQOp op) {
  device::WalkOperands operands;
  operands.o = op.getO();
  operands.delta = op.getOuts()[1];
  operands.vecParts = op.getVecParts();
  operands.dLogits = op.getDLogits();
  emitWalk(host, kernels, op, operands);
}

static void emit(device::HostEmitter &host, device::KernelModule &kernels,
                 AttentionBackwardKVOp op) {
  device::WalkOperands operands;
  operands.edges = op.getEdges();
  operands.delta = op.getDelta();
  operands.dValues = op.getOuts()[1];
  emitWalk(host, kernels, op, operands);
}

static void emit(device::HostEmitter &host, device::KernelModule &,
                 BuildTransposeOp op) {
  device::Buffer rowptr = host.buffer(op.getRowptr());
  device::Buffer colind = host.buffer(op.getColind());
  SmallVector<Value> operands = {host.pointer(rowptr),
                                 host.pointer(colind),
                                 host.addI(rowptr.sizes[0].host, -1),
                                 host.extent(op.getNCols()).host,
                                 colind.sizes[0].host,
                                 host.i32(device::sizeOf(rowptr.element)),
                                 host.i32(device::sizeOf(colind.element)),
                                 host.i32(device::sizeOf(colind.element))};
  for (Value out : op.getOuts())
    operands.push_back(host.pointer(host.buffer(out)));
  host.call("autosage_build_transpose", Type(), operands);
}

static void emit(device::HostEmitter &host, device::KernelModule &,
                 CountTasksOp op) {
  device::Buffer rowptr = host.buffer(op.getRowptr());
  Value count = host.call(
      "autosage_count_tasks", host.b.getI64Type(),
      {host.pointer(rowptr), host.addI(rowptr.sizes[0].host, -1),
       host.i32(device::sizeOf(rowptr.element)), host.i64(op.getChunk())});
  op.replaceAllUsesWith(
      arith::IndexCastOp::create(host.b, host.loc, host.b.getIndexType(), count)
          .getResult());
}

static void emit(device::HostEmitter &host, device::KernelModule &,
                 BuildTasksOp op) {
  device::Buffer rowptr = host.buffer(op.getRowptr());
  device::Buffer colind = host.buffer(op.getColind());
  device::Buffer tasks = host.buffer(op.getOuts()[0]);
  host.call("autosage_build_tasks", Type(),
            {host.pointer(rowptr), host.pointer(colind),
             host.addI(rowptr.sizes[0].host, -1),
             host.extent(op.getNCols()).host, colind.sizes[0].host,
             host.i32(device::sizeOf(rowptr.element)),
             host.i32(device::sizeOf(colind.element)), host.i64(op.getChunk()),
             host.i32(static_cast<int64_t>(toCore(op.getOrder()))),
             host.pointer(tasks), tasks.sizes[0].host});
}

static void emit(device::HostEmitter &host, device::KernelModule &,
                 ChooseVersionOp op) {
  device::emitChooseVersion(host, op, "autosage_choose_version");
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertAutosageToGPUPass final
    : public mlir::autosage::impl::ConvertAutosageToGPUBase<
          ConvertAutosageToGPUPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Attribute target = device::targetOfChip(module, chip);
    if (!target)
      return signalPassFailure();
    if (maxGridX < 1 || maxGridY < 1) {
      module.emitError("expects max-grid-x and max-grid-y to be at least 1, "
                       "got ")
          << int64_t(maxGridX) << " and " << int64_t(maxGridY);
      return signalPassFailure();
    }
    device::KernelModule kernels(module, "autosage_kernels", target,
                                 {maxGridX, maxGridY});

    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa_and_present<AutosageDialect>(op->getDialect()))
        ops.push_back(op);
    });
    bool anyFailed = false;
    for (Operation *op : ops)
      if (failed(convert(op, kernels)))
        anyFailed = true;
    // A function may pass a pattern on without an op of the dialect.
    module.walk([&](Block *block) {
      for (BlockArgument argument : block->getArguments())
        if (isa<PatternType>(argument.getType())) {
          emitError(argument.getLoc(), "expects component arrays, got ")
              << argument.getType() << "; autosage-expand-pattern comes first";
          anyFailed = true;
        }
    });
    if (anyFailed)
      signalPassFailure();
  }

  LogicalResult convert(Operation *op, device::KernelModule &kernels) {
    if (failed(verifyIsReady(op)))
      return failure();
    OpBuilder builder(op);
    device::HostEmitter host(builder, op->getLoc());
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case<SpmmOp, SddmmOp, RowSoftmaxOp, AttentionOp, AttentionBackwardQOp,
              AttentionBackwardKVOp, BuildTransposeOp, CountTasksOp,
              BuildTasksOp, ChooseVersionOp>([&](auto known) {
          emit(host, kernels, known);
          known.erase();
          return success();
        })
        .Case<AttentionBackwardOp>([](Operation *other) {
          return other->emitOpError(
              "expects an op that has kernels, got one that others are made of "
              "on tensors; autosage-expand-backward comes first");
        })
        .Default([](Operation *other) {
          return other->emitOpError("expects an op with a lowering to the gpu");
        });
  }
};
} // namespace
