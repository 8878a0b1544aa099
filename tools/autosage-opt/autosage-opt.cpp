//===- autosage-opt.cpp - the optimizer driver ----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plugins.h"

#include "autosage/Pipelines/Pipelines.h"
#include "autosage/Services/Services.h"

#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  if (!autosage::opt::checkPlugins(autosage::opt::findPlugins(argc, argv)))
    return 1;
  mlir::DialectRegistry registry;
  mlir::autosage::registerAutosageDialects(registry);
  mlir::registerAllPasses();
  mlir::autosage::registerAutosagePasses();
  mlir::autosage::registerFileServices();
  mlir::autosage::registerProbeService();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "AutoSAGE optimizer driver\n", registry));
}
