//===- autosage-lsp-server.cpp - language server for editors --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Pipelines/Pipelines.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::autosage::registerAutosageDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
