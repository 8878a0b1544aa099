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

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace autosage::compiler {

/// Machine code that lives as long as this object.
class JitCode {
public:
  virtual ~JitCode() = default;
  void call(void **args) const { entry(args); }
  size_t argumentCount() const { return arguments; }

protected:
  void (*entry)(void **) = nullptr;
  size_t arguments = 0;
};

/// A function that code may call, besides those of the process.
struct JitSymbol {
  const char *name;
  void *address;
};

/// Adds `artifactEntry` to the module, which calls its `main`, and optimises it
/// for the machine; the number of arguments. `ir` receives the text when it is
/// not null.
Result<size_t> optimiseForMachine(llvm::Module &module,
                                  llvm::TargetMachine &machine,
                                  std::string *ir);

/// Position-independent code of `module`, as the bytes of a relocatable object.
struct ObjectCode {
  std::string bytes;
  size_t arguments = 0;
};
Result<ObjectCode> objectCompile(llvm::Module &module, CpuTarget target);

/// Optimises `module` and makes its `_mlir_ciface_main` callable. `ir` receives
/// the text of the optimised module when it is not null.
Result<std::unique_ptr<JitCode>>
jitCompile(std::unique_ptr<llvm::LLVMContext> context,
           std::unique_ptr<llvm::Module> module, CpuTarget target,
           llvm::ArrayRef<JitSymbol> symbols, std::string *ir);

} // namespace autosage::compiler

#endif // AUTOSAGE_LIB_COMPILER_JIT_H
