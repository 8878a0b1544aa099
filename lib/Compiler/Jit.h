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

/// A compiled function. It shares its machine code with the other functions of
/// its module, which lives as long as one of them.
struct JitCode {
  std::shared_ptr<const void> module;
  void (*entry)(void **) = nullptr;
  size_t arguments = 0;
};

/// A function that code may call, besides those of the process.
struct JitSymbol {
  const char *name;
  void *address;
};

struct DeviceTarget;

/// What the code is for: kernels run long, the host code that launches them is
/// short and waited for.
enum class JitEffort { kernels, launches };

/// Adds an entry (Core/Artifact.h for `main`) to the module for each of its
/// `functions` and optimises it for the machine; their numbers of arguments.
Result<std::vector<size_t>>
optimiseForMachine(llvm::Module &module, llvm::TargetMachine &machine,
                   llvm::ArrayRef<std::string> functions, JitEffort effort);

/// Position-independent code of `module`, as the bytes of a relocatable object.
struct ObjectCode {
  std::string bytes;
  size_t arguments = 0;
};
Result<ObjectCode> objectCompile(llvm::Module &module, CpuTarget target,
                                 JitEffort effort);

/// Optimises `module` and makes its `functions` (`_mlir_ciface_<name>`)
/// callable, in order. `device` runs the kernels that the module launches; null
/// on the CPU. `ir` receives the text of the optimised module when it
/// is not null.
Result<std::vector<JitCode>>
jitCompile(std::unique_ptr<llvm::LLVMContext> context,
           std::unique_ptr<llvm::Module> module, CpuTarget target,
           llvm::ArrayRef<std::string> functions, JitEffort effort,
           const DeviceTarget *device, std::string *ir);

} // namespace autosage::compiler

#endif // AUTOSAGE_LIB_COMPILER_JIT_H
