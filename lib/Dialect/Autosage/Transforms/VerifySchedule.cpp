//===- VerifySchedule.cpp - reject what the target cannot run -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEVERIFYSCHEDULE
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

namespace {
struct AutosageVerifySchedulePass final
    : public mlir::autosage::impl::AutosageVerifyScheduleBase<
          AutosageVerifySchedulePass> {
  using Base::Base;

  void runOnOperation() override {
    // A chip may follow the target's name: nvptx:sm_90.
    std::optional<::autosage::Target> parsed =
        ::autosage::parseTarget(StringRef(target).split(':').first.str());
    if (!parsed) {
      getOperation()->emitError("expects target to be cpu, simt or nvptx, "
                                "got '")
          << target << "'";
      return signalPassFailure();
    }
    bool anyFailed = false;
    getOperation()->walk([&](SparseOpInterface op) {
      ScheduleAttr schedule = op.getScheduleAttribute();
      if (!schedule)
        return;
      ::autosage::Status status = ::autosage::verifyForTarget(
          schedule.getSchedule(), *parsed, op.getProblem());
      if (status)
        return;
      op->emitOpError() << status.error();
      anyFailed = true;
    });
    if (anyFailed)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
