//===- BundledOpt.cpp - the optimizer driver of the bundle ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the bundle libAutosageCompiler.so holds the one copy of LLVM and MLIR, so
// that the driver is part of it. It knows the dialects and passes that the
// pipelines need; what it does not name, the linker leaves out.
//
//===----------------------------------------------------------------------===//

#include "Plugins.h"

#include "autosage/Pipelines/Pipelines.h"
#include "autosage/Services/Services.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/WithColor.h"

extern "C" __attribute__((visibility("default"))) int
autosage_opt_main(int argc, char **argv) {
  // A plugin would bring a second MLIR, whose types are not those of this one.
  if (!autosage::opt::findPlugins(argc, argv).empty()) {
    llvm::WithColor::error(llvm::errs(), "autosage-opt")
        << "expects no plugin in a build that contains MLIR\n";
    return 1;
  }
  mlir::DialectRegistry registry;
  mlir::autosage::registerAutosagePipelineDialects(registry);
  mlir::autosage::registerAutosagePipelinePasses();
  mlir::autosage::registerAutosagePasses();
  mlir::autosage::registerFileServices();
  mlir::autosage::registerProbeService();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "AutoSAGE optimizer driver\n", registry));
}
