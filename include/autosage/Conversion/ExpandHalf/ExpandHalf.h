//===- ExpandHalf.h - 16-bit floats by integer operations -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_EXPANDHALF_EXPANDHALF_H
#define AUTOSAGE_CONVERSION_EXPANDHALF_EXPANDHALF_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_AUTOSAGEEXPANDHALF
#include "autosage/Conversion/Passes.h.inc"

/// Adds the patterns that replace `arith.extf` from bf16 and `arith.truncf` of
/// f32 to bf16, with `f16` those of f16 too, on scalars and vectors; and
/// those that make masked loads and stores of either, in the LLVM dialect, move
/// integers.
void populateExpandHalfPatterns(RewritePatternSet &patterns, bool f16);

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_EXPANDHALF_EXPANDHALF_H
