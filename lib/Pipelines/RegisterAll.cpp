//===- RegisterAll.cpp - the dialect beside all of upstream ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/IR/Autosage.h"
#include "autosage/Dialect/Autosage/TransformOps/AutosageTransformOps.h"
#include "autosage/Pipelines/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

void mlir::autosage::registerAutosageDialects(DialectRegistry &registry) {
  registry.insert<AutosageDialect>();
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerTransformExtension(registry);
}
