//===- Passes.h - transforms of the autosage dialect ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMS_PASSES_H
#define AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMS_PASSES_H

#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::autosage {

#define GEN_PASS_DECL
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"

/// Adds the patterns that replace pattern values by their component arrays in
/// the ops of the dialect. `converter` must hold the conversion of
/// `addPatternTypeConversion`.
void populateExpandPatternPatterns(const TypeConverter &converter,
                                   RewritePatternSet &patterns);

/// Adds the 1:N conversion of `!autosage.pattern` to its component types.
void addPatternTypeConversion(TypeConverter &converter);

} // namespace mlir::autosage

#endif // AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMS_PASSES_H
