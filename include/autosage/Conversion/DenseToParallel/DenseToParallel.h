//===- DenseToParallel.h - dense ops to parallel loops ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_DENSETOPARALLEL_DENSETOPARALLEL_H
#define AUTOSAGE_CONVERSION_DENSETOPARALLEL_DENSETOPARALLEL_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_AUTOSAGEDENSETOPARALLEL
#include "autosage/Conversion/Passes.h.inc"

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_DENSETOPARALLEL_DENSETOPARALLEL_H
