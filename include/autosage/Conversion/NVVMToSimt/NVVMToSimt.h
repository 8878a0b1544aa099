//===- NVVMToSimt.h - GPU modules to code for the emulator ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_NVVMTOSIMT_NVVMTOSIMT_H
#define AUTOSAGE_CONVERSION_NVVMTOSIMT_NVVMTOSIMT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_CONVERTNVVMTOSIMT
#include "autosage/Conversion/Passes.h.inc"

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_NVVMTOSIMT_NVVMTOSIMT_H
