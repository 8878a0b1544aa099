//===- LowerModule.h - MLIR text through a pipeline to code -----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_COMPILER_LOWERMODULE_H
#define AUTOSAGE_LIB_COMPILER_LOWERMODULE_H

#include "KernelImpl.h"

#include "autosage/Target/NVPTX/Serialize.h"

#include "mlir/Pass/PassManager.h"

#include <functional>

namespace autosage::compiler {

/// A function of a module, and the kernel that it becomes.
struct KernelEntry {
  std::string function;
  CompiledKernel::Impl *impl;
};

/// How modules are lowered for a target.
struct LoweringTarget {
  Target target = Target::cpu;
  /// What runs the kernels of a GPU; null on the CPU.
  const DeviceTarget *device = nullptr;
  JitEffort effort = JitEffort::kernels;
  /// Equal for equal pipelines, beside what they take from the CPU target.
  std::string key;
  /// Fills a pipeline, which adds to the times whenever it runs.
  std::function<void(mlir::OpPassManager &, const CpuTarget &,
                     mlir::autosage::SerializationTimes &)>
      buildPipeline;
};

/// A module of LLVM IR that is still to be optimised, and for what.
struct LoweredModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  CpuTarget target;
  /// Of all kernels together, up to here.
  CompileTimes times;
};

/// Parses `text`, lowers it and fills the kernels of `entries` but for their
/// code: selections and the text of the module.
Result<LoweredModule> lowerToLLVM(const std::string &text,
                                  const std::string &name,
                                  const CompileOptions &options,
                                  const LoweringTarget &lowering,
                                  llvm::ArrayRef<KernelEntry> entries);

/// Parses `text`, lowers it and fills the kernels of `entries`: code,
/// selections, times and texts. A single entry owns the whole module. On
/// failure they have no code.
Status lowerModule(const std::string &text, const std::string &name,
                   const CompileOptions &options,
                   const LoweringTarget &lowering,
                   llvm::ArrayRef<KernelEntry> entries);

} // namespace autosage::compiler

#endif // AUTOSAGE_LIB_COMPILER_LOWERMODULE_H
