//===- AutosageToRuntime.cpp - autosage ops to runtime calls --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: takes ops with a `vendor` schedule, on the host also choices among
// versions, and leaves the others to the conversions that make kernels.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/AutosageToRuntime/AutosageToRuntime.h"

#include "../AutosageToGPU/ChooseVersion.h"
#include "VendorCall.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#define DEBUG_TYPE "convert-autosage-to-runtime"

namespace mlir::autosage {
#define GEN_PASS_DEF_CONVERTAUTOSAGETORUNTIME
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

static const char familyName[] = "vendor";

namespace {
struct ConvertAutosageToRuntimePass final
    : public mlir::autosage::impl::ConvertAutosageToRuntimeBase<
          ConvertAutosageToRuntimePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<SparseOpInterface> ops;
    getOperation().walk([&](SparseOpInterface op) {
      if (op.hasKernel())
        ops.push_back(op);
    });
    bool anyFailed = false;
    if (hostVersions)
      getOperation().walk([&](ChooseVersionOp op) { choose(op); });
    for (SparseOpInterface op : ops)
      anyFailed |= failed(convert(op));
    if (anyFailed)
      signalPassFailure();
  }

  /// On tensors it is left: what comes next explains.
  void choose(ChooseVersionOp op) {
    if (!llvm::none_of(op->getOperandTypes(),
                       llvm::IsaPred<PatternType, TensorType>))
      return;
    OpBuilder builder(op);
    device::HostEmitter host(builder, op.getLoc());
    device::emitChooseVersion(host, op, "autosage_choose_version_host");
    op.erase();
    ++numCalls;
  }

  LogicalResult convert(SparseOpInterface op) {
    ScheduleAttr written = op.getScheduleAttribute();
    if (!written && !unscheduled)
      return success();
    ::autosage::Schedule schedule =
        written ? written.getSchedule() : ::autosage::Schedule{familyName, {}};
    if (schedule.family != familyName)
      return success();
    bool onBuffers = llvm::all_of(op->getOperandTypes(), [](Type type) {
      return !isa<PatternType, TensorType>(type);
    });
    ::autosage::Status status =
        onBuffers ? vendor::verify(op, schedule) : ::autosage::Status();
    // What is left without a schedule has a lowering elsewhere.
    if (!written && (!onBuffers || !status))
      return success();
    if (!onBuffers)
      return op->emitOpError("expects buffers for a call of the runtime; "
                             "autosage-expand-pattern and bufferization come "
                             "first");
    if (!status)
      return op->emitOpError() << status.error();
    if (auto spmm = dyn_cast<SpmmOp>(op.getOperation()))
      vendor::emit(spmm, schedule);
    else
      vendor::emit(cast<SddmmOp>(op.getOperation()), schedule);
    op->erase();
    ++numCalls;
    return success();
  }
};
} // namespace
