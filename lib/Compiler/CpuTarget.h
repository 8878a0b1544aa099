//===- CpuTarget.h - the CPU that kernels are compiled for ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This machine's CPU, or a lesser one that the caller names, and what the
// pipeline has to know of it.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_COMPILER_CPUTARGET_H
#define AUTOSAGE_LIB_COMPILER_CPUTARGET_H

#include "autosage/Compiler/Compiler.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"

namespace autosage::compiler {

struct CpuTarget {
  llvm::orc::JITTargetMachineBuilder builder;
  /// Of the vector registers that LLVM prefers for this CPU.
  int64_t vectorBits = 128;
  /// Whether f16 converts to and from f32 without a library.
  bool convertsF16 = false;
};

/// Fails where LLVM does not know the CPU or a feature, and where this machine
/// could not run the code.
Result<CpuTarget> cpuTargetOf(const CompileOptions &options);

} // namespace autosage::compiler

#endif // AUTOSAGE_LIB_COMPILER_CPUTARGET_H
