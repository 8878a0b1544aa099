//===- AutosageTransformOps.h - schedules by scripts ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMOPS_AUTOSAGETRANSFORMOPS_H
#define AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMOPS_AUTOSAGETRANSFORMOPS_H

#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

#define GET_OP_CLASSES
#include "autosage/Dialect/Autosage/TransformOps/AutosageTransformOps.h.inc"

namespace mlir::autosage {

/// `transform.autosage.*` for the transform dialect of the registry.
void registerTransformExtension(DialectRegistry &registry);

} // namespace mlir::autosage

#endif // AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMOPS_AUTOSAGETRANSFORMOPS_H
