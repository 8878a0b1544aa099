//===- OutlineParallel.h - parallel loops to the runtime --------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_OUTLINEPARALLEL_OUTLINEPARALLEL_H
#define AUTOSAGE_CONVERSION_OUTLINEPARALLEL_OUTLINEPARALLEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_AUTOSAGEOUTLINEPARALLEL
#include "autosage/Conversion/Passes.h.inc"

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_OUTLINEPARALLEL_OUTLINEPARALLEL_H
