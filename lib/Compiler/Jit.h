//===- Jit.h - LLVM IR to machine code in this process ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last step of compilation for the CPU. It is built on ORC's LLJIT alone:
// MLIR's ExecutionEngine is not part of libMLIR.so, and needs its runner
// libraries.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_COMPILER_JIT_H
#define AUTOSAGE_LIB_COMPILER_JIT_H

#include "CpuTarget.h"

#include "autosage/Runtime/Device.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace autosage::compiler {

/// Machine code that lives as long as this object.
class JitCode {
public:
  virtual ~JitCode() = default;
  void call(void **args) const { entry(args); }
  size_t argumentCount() const { return arguments; }
  /// The GPU modules among the module's globals.
  llvm::ArrayRef<autosage_image *> gpuImages() const { return images; }

protected:
  void (*entry)(void **) = nullptr;
  size_t arguments = 0;
  llvm::SmallVector<autosage_image *> images;
};

/// A function that code may call, besides those of the process.
struct JitSymbol {
  const char *name;
  void *address;
};

/// Optimises `module` and makes its `_mlir_ciface_main` callable. `ir` receives
/// the text of the optimised module when it is not null.
Result<std::unique_ptr<JitCode>>
jitCompile(std::unique_ptr<llvm::LLVMContext> context,
           std::unique_ptr<llvm::Module> module, CpuTarget target,
           llvm::ArrayRef<JitSymbol> symbols, std::string *ir);

} // namespace autosage::compiler

#endif // AUTOSAGE_LIB_COMPILER_JIT_H
