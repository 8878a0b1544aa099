//===- KernelImpl.h - what a compiled kernel holds --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by Compile.cpp, which makes kernels, and Kernel.cpp, which runs them.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_COMPILER_KERNELIMPL_H
#define AUTOSAGE_LIB_COMPILER_KERNELIMPL_H

#include "DeviceTarget.h"
#include "Jit.h"

#include "autosage/Core/KernelArguments.h"

namespace autosage::compiler {

struct CompiledKernel::Impl {
  JitCode code;
  std::vector<Selection> selections;
  CompileTimes times;
  std::string mlir, llvmIr;
  /// Absent for kernels that were compiled from text.
  std::optional<KernelSpec> spec;
  std::vector<Argument> arguments;
  /// What runs the kernels of a GPU target; null on the CPU.
  const DeviceTarget *device = nullptr;
};

} // namespace autosage::compiler

#endif // AUTOSAGE_LIB_COMPILER_KERNELIMPL_H
