//===- ExpandExp.h - the exponential function as arithmetic -----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_EXPANDEXP_EXPANDEXP_H
#define AUTOSAGE_CONVERSION_EXPANDEXP_EXPANDEXP_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_AUTOSAGEEXPANDEXP
#include "autosage/Conversion/Passes.h.inc"

/// The pattern of autosage-expand-exp.
void populateExpandExpPatterns(RewritePatternSet &patterns);

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_EXPANDEXP_EXPANDEXP_H
