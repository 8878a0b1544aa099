//===- VerifySchedule.cpp - reject what the target cannot run -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/GpuChip.h"
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
    auto [name, chipName] = StringRef(target).split(':');
    std::optional<::autosage::Target> parsed =
        ::autosage::parseTarget(name.str());
    if (!parsed) {
      getOperation()->emitError("expects target to be cpu, simt or nvptx, "
                                "got '")
          << target << "'";
      return signalPassFailure();
    }
    // Without a chip only what all have in common is checked.
    std::optional<::autosage::GpuChip> chip;
    if (!chipName.empty() && *parsed != ::autosage::Target::cpu) {
      auto found = ::autosage::findGpuChip(chipName.str());
      if (!found) {
        getOperation()->emitError() << found.error();
        return signalPassFailure();
      }
      chip = *found;
    }
    bool anyFailed = false;
    getOperation()->walk([&](SparseOpInterface op) {
      ScheduleAttr schedule = op.getScheduleAttribute();
      if (!schedule)
        return;
      ::autosage::Status status = ::autosage::verifyForTarget(
          schedule.getSchedule(), *parsed, op.getProblem());
      if (status && chip)
        status = ::autosage::verifyForChip(schedule.getSchedule(), *chip);
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
