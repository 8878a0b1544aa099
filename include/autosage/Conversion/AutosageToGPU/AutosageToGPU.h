//===- AutosageToGPU.h - autosage ops to GPU kernels ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering of autosage ops on buffers to kernels in a gpu.module and host
// code that launches them. It obeys the schedule attribute and chooses nothing.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_AUTOSAGETOGPU_AUTOSAGETOGPU_H
#define AUTOSAGE_CONVERSION_AUTOSAGETOGPU_AUTOSAGETOGPU_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_CONVERTAUTOSAGETOGPU
#include "autosage/Conversion/Passes.h.inc"

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_AUTOSAGETOGPU_AUTOSAGETOGPU_H
