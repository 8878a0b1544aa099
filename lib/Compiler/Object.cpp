//===- Object.cpp - LLVM IR to a relocatable object -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime keeps: it places the object in memory by itself
// (lib/Runtime/Kernel/ObjectImage.cpp), so that no linker is needed, neither
// here nor there.
//
//===----------------------------------------------------------------------===//

#include "Jit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace autosage;
using namespace autosage::compiler;

Result<ObjectCode> compiler::objectCompile(llvm::Module &module,
                                           CpuTarget target, JitEffort effort) {
  if (effort == JitEffort::launches)
    target.builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  target.builder.setRelocationModel(llvm::Reloc::PIC_);
  target.builder.setCodeModel(llvm::CodeModel::Small);
  auto machine = target.builder.createTargetMachine();
  if (!machine)
    return Error{"target of this machine: " +
                 llvm::toString(machine.takeError())};
  Result<std::vector<size_t>> counts =
      optimiseForMachine(module, **machine, {"main"}, effort);
  if (!counts)
    return Error{counts.error()};
  // Nothing unwinds through kernels; the tables would only take room.
  for (llvm::Function &function : module) {
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.setUWTableKind(llvm::UWTableKind::None);
  }
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return Error{"expects a machine that LLVM writes objects for"};
  passes.run(module);
  return ObjectCode{bytes.str().str(), counts->front()};
}
