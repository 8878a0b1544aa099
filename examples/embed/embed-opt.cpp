//===- embed-opt.cpp - an optimizer driver outside the project ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What another compiler adds to its own tool: the dialect, the pipelines, and
// a pass that looks at autosage operations.
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/IR/Autosage.h"
#include "autosage/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace {
/// Names the reduction of every SpMM in a remark.
struct ReportSpMM final : mlir::PassWrapper<ReportSpMM, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReportSpMM)

  llvm::StringRef getArgument() const override { return "embed-report-spmm"; }

  void runOnOperation() override {
    getOperation()->walk([](mlir::autosage::SpmmOp op) {
      op.emitRemark() << "SpMM with reduction "
                      << mlir::autosage::stringifyReduction(op.getReduction());
    });
  }
};
} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::autosage::registerAutosagePipelineDialects(registry);
  mlir::autosage::registerAutosagePipelinePasses();
  mlir::autosage::registerAutosagePasses();
  mlir::PassRegistration<ReportSpMM>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "A driver with autosage\n", registry));
}
