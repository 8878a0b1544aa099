//===- DenseToGPU.h - dense ops beside autosage on a GPU --------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering of linalg ops and strided copies on device memory to kernels, so
// that a program of sparse and dense ops runs on a GPU from end to end.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_DENSETOGPU_DENSETOGPU_H
#define AUTOSAGE_CONVERSION_DENSETOGPU_DENSETOGPU_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_AUTOSAGECONSTANTSTODEVICE
#define GEN_PASS_DECL_AUTOSAGEDENSETOGPU
#include "autosage/Conversion/Passes.h.inc"

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_DENSETOGPU_DENSETOGPU_H
