//===- AutosageToCPU.h - autosage ops to CPU vector loops -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering of autosage ops on buffers to scf, vector, arith, math and
// memref. It obeys the schedule attribute and chooses nothing.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_AUTOSAGETOCPU_AUTOSAGETOCPU_H
#define AUTOSAGE_CONVERSION_AUTOSAGETOCPU_AUTOSAGETOCPU_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_CONVERTAUTOSAGETOCPU
#include "autosage/Conversion/Passes.h.inc"

/// Adds the patterns that lower every autosage op on buffers whose schedule is
/// absent (`row_parallel` then) or of a family for the CPU. Each replaces its
/// op as a whole, so one walk over the ops applies them all.
void populateAutosageToCPUPatterns(RewritePatternSet &patterns);

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_AUTOSAGETOCPU_AUTOSAGETOCPU_H
