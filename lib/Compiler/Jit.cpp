//===- Jit.cpp - LLVM IR to machine code in this process ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel has an LLJIT of its own: it costs a millisecond and makes the
// lifetime of code that of its handle.
//
//===----------------------------------------------------------------------===//

#include "Jit.h"

#include "autosage/Core/Artifact.h"
#include "autosage/Runtime/Runtime.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace autosage;
using namespace autosage::compiler;
namespace orc = llvm::orc;

static Error fail(std::string_view step, llvm::Error error) {
  return Error{std::string(step) + ": " + llvm::toString(std::move(error))};
}

/// Adds `void entry(ptr args)`, which loads each argument through `args[i]` and
/// calls the C interface of `main`: callers need not know its signature.
static Result<size_t> addPackedEntry(llvm::Module &module) {
  llvm::Function *callee = module.getFunction("_mlir_ciface_main");
  if (!callee)
    return Error{"expects a function main with llvm.emit_c_interface"};
  if (!callee->getReturnType()->isVoidTy())
    return Error{"expects main to return nothing"};
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> b(context);
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
  auto *entry = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                       artifactEntry, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "", entry));
  llvm::SmallVector<llvm::Value *> args;
  for (auto [i, param] : llvm::enumerate(callee->getFunctionType()->params())) {
    llvm::Value *slot = b.CreateConstGEP1_64(b.getPtrTy(), entry->getArg(0), i);
    llvm::Value *address = b.CreateLoad(b.getPtrTy(), slot);
    // A descriptor is passed by its address, anything else by value.
    args.push_back(param->isPointerTy() ? address
                                        : b.CreateLoad(param, address));
  }
  b.CreateCall(callee, args);
  b.CreateRetVoid();
  return args.size();
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cgam;
  llvm::ModuleAnalysisManager mam;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, mam);
}

Result<size_t> compiler::optimiseForMachine(llvm::Module &module,
                                            llvm::TargetMachine &machine,
                                            std::string *ir) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  Result<size_t> count = addPackedEntry(module);
  if (!count)
    return count;
  optimise(module, machine);
  if (ir) {
    llvm::raw_string_ostream stream(*ir);
    module.print(stream, nullptr);
  }
  return count;
}

namespace {
struct LljitCode final : JitCode {
  std::unique_ptr<orc::LLJIT> jit;

  LljitCode(std::unique_ptr<orc::LLJIT> jit, orc::ExecutorAddr address,
            size_t count)
      : jit(std::move(jit)) {
    entry = address.toPtr<void (*)(void **)>();
    arguments = count;
  }
};
} // namespace

/// Lets kernels call the runtime that this library links, `symbols`, what the
/// process has, and libm also where the process did not load it globally (a
/// plugin opened with RTLD_LOCAL).
static llvm::Error addSymbols(orc::LLJIT &jit, llvm::ArrayRef<JitSymbol> more) {
  orc::SymbolMap symbols;
  auto add = [&](const char *name, orc::ExecutorAddr address) {
    symbols[jit.mangleAndIntern(name)] = {address,
                                          llvm::JITSymbolFlags::Exported |
                                              llvm::JITSymbolFlags::Callable};
  };
  add("autosage_parallel_for",
      orc::ExecutorAddr::fromPtr(&autosage_parallel_for));
  for (const JitSymbol &symbol : more)
    add(symbol.name, orc::ExecutorAddr::fromPtr(symbol.address));
  if (llvm::Error error = jit.getMainJITDylib().define(
          orc::absoluteSymbols(std::move(symbols))))
    return error;
  char prefix = jit.getDataLayout().getGlobalPrefix();
  auto process =
      orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process)
    return process.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*process));
  auto libm = orc::DynamicLibrarySearchGenerator::Load("libm.so.6", prefix);
  if (libm)
    jit.getMainJITDylib().addGenerator(std::move(*libm));
  else
    llvm::consumeError(libm.takeError());
  return llvm::Error::success();
}

Result<std::unique_ptr<JitCode>>
compiler::jitCompile(std::unique_ptr<llvm::LLVMContext> context,
                     std::unique_ptr<llvm::Module> module, CpuTarget target,
                     llvm::ArrayRef<JitSymbol> symbols, std::string *ir) {
  auto machine = target.builder.createTargetMachine();
  if (!machine)
    return fail("target of this machine", machine.takeError());
  Result<size_t> count = optimiseForMachine(*module, **machine, ir);
  if (!count)
    return Error{count.error()};

  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(target.builder))
                 .create();
  if (!jit)
    return fail("just-in-time compiler", jit.takeError());
  if (llvm::Error error = addSymbols(**jit, symbols))
    return fail("symbols of the process", std::move(error));
  if (llvm::Error error = (*jit)->addIRModule(
          orc::ThreadSafeModule(std::move(module), std::move(context))))
    return fail("machine code", std::move(error));
  auto address = (*jit)->lookup(artifactEntry);
  if (!address)
    return fail("machine code", address.takeError());
  return std::unique_ptr<JitCode>(
      std::make_unique<LljitCode>(std::move(*jit), *address, *count));
}
