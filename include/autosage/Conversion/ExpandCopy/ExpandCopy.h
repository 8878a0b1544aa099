//===- ExpandCopy.h - copies with gaps as loops -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies that no call of memcpy does, as ops of linalg, which every target has
// a lowering for.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_EXPANDCOPY_EXPANDCOPY_H
#define AUTOSAGE_CONVERSION_EXPANDCOPY_EXPANDCOPY_H

#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_AUTOSAGEEXPANDCOPY
#include "autosage/Conversion/Passes.h.inc"

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_EXPANDCOPY_EXPANDCOPY_H
