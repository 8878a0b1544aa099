//===- SelectSchedule.cpp - choose a schedule for every op ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Selection writes attributes and lowers nothing. The rule itself is Core's.
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGESELECTSCHEDULE
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

namespace {
struct AutosageSelectSchedulePass final
    : public mlir::autosage::impl::AutosageSelectScheduleBase<
          AutosageSelectSchedulePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyOptions()))
      return signalPassFailure();
    getOperation()->walk([&](SparseOpInterface op) {
      if (!op.getScheduleAttribute())
        estimate(op);
    });
  }

  LogicalResult verifyOptions() {
    Operation *op = getOperation();
    if (oracle != "estimate")
      return op->emitError("expects oracle to be estimate, got '")
             << oracle << "'";
    // A chip may follow the target's name: nvptx:sm_90.
    parsedTarget =
        ::autosage::parseTarget(StringRef(target).split(':').first.str());
    if (!parsedTarget)
      return op->emitError("expects target to be cpu, simt or nvptx, got '")
             << target << "'";
    if (vectorBits != 128 && vectorBits != 256 && vectorBits != 512)
      return op->emitError("expects vector-bits to be 128, 256 or 512, got ")
             << int64_t(vectorBits);
    return success();
  }

  void estimate(SparseOpInterface op) {
    ::autosage::Problem problem = op.getProblem();
    bool cpu = *parsedTarget == ::autosage::Target::cpu;
    ::autosage::Schedule schedule =
        cpu ? ::autosage::estimateCpuSchedule(problem, vectorBits)
            : ::autosage::estimateGpuSchedule(problem);
    Builder b(&getContext());
    NamedAttrList facts;
    facts.append("rule",
                 b.getStringAttr((cpu ? "cpu_" : "gpu_") + schedule.family));
    if (cpu)
      facts.append("vector_bits", b.getI64IntegerAttr(vectorBits));
    facts.append("statistics",
                 b.getStringAttr(problem.stats ? "known" : "unknown"));
    op.setDecision(ScheduleAttr::get(&getContext(), schedule),
                   DecisionAttr::get(&getContext(), DecidedBy::Estimate,
                                     facts.getDictionary(&getContext())));
    auto remark = remark::passed(
        op.getLoc(),
        remark::RemarkOpts::name("ScheduleSelected").category("autosage"));
    remark << remark::add("{0} runs with {1}",
                          op->getName().getStringRef().str(), schedule.str())
           << remark::metric("DecidedBy", "estimate")
           << remark::metric("ElementType",
                             std::string(::autosage::toString(problem.dtype)));
    if (cpu)
      remark << remark::metric("VectorBits", int64_t(vectorBits));
    if (problem.features)
      remark << remark::metric("Features", *problem.features);
    if (problem.stats)
      remark << remark::metric("Rows", problem.stats->rows)
             << remark::metric("Nonzeros", problem.stats->nnz);
  }

  std::optional<::autosage::Target> parsedTarget;
};
} // namespace
