//===- Jit.cpp - LLVM IR to machine code in this process ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each module has an LLJIT of its own: it costs a millisecond and makes the
// lifetime of code that of its handles.
//
//===----------------------------------------------------------------------===//

#include "Jit.h"

#include "DeviceTarget.h"

#include "autosage/Core/Artifact.h"
#include "autosage/Runtime/Device.h"
#include "autosage/Runtime/Runtime.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace autosage;
using namespace autosage::compiler;
namespace orc = llvm::orc;

static Error fail(std::string_view step, llvm::Error error) {
  return Error{std::string(step) + ": " + llvm::toString(std::move(error))};
}

static std::string entryName(const std::string &function) {
  return function == "main" ? artifactEntry : "autosage_packed_" + function;
}

/// Adds `void entry(ptr args)`, which loads each argument through `args[i]` and
/// calls the C interface of `function`: callers need not know its signature.
static Result<size_t> addPackedEntry(llvm::Module &module,
                                     const std::string &function) {
  llvm::Function *callee = module.getFunction("_mlir_ciface_" + function);
  if (!callee)
    return Error{"expects a function " + function +
                 " with llvm.emit_c_interface"};
  if (!callee->getReturnType()->isVoidTy())
    return Error{"expects " + function + " to return nothing"};
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> b(context);
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
  auto *entry = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                       entryName(function), module);
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

static constexpr const char *imagesName = "autosage_gpu_images";

/// Makes the images of GPU modules, which are internal, known under a name: a
/// list of their addresses that a null ends.
static void addImageList(llvm::Module &module) {
  auto *pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::SmallVector<llvm::Constant *> images;
  for (llvm::GlobalVariable &global : module.globals())
    if (global.getName().starts_with("autosage_image_") &&
        global.hasInitializer())
      images.push_back(&global);
  images.push_back(llvm::ConstantPointerNull::get(pointer));
  auto *type = llvm::ArrayType::get(pointer, images.size());
  new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantArray::get(type, images), imagesName);
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine,
                     JitEffort effort) {
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
  if (effort == JitEffort::kernels) {
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
        .run(module, mam);
    return;
  }
  // Descriptors that are built to be taken apart go away: the fast instruction
  // selector hands values of structs over to the slow one.
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.run(module, mam);
}

Result<std::vector<size_t>>
compiler::optimiseForMachine(llvm::Module &module, llvm::TargetMachine &machine,
                             llvm::ArrayRef<std::string> functions,
                             JitEffort effort) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  std::vector<size_t> counts;
  for (const std::string &function : functions) {
    Result<size_t> count = addPackedEntry(module, function);
    if (!count)
      return Error{count.error()};
    counts.push_back(*count);
  }
  optimise(module, machine, effort);
  return counts;
}

namespace {
/// Machine code, and what was loaded for it.
struct JitModule {
  std::unique_ptr<orc::LLJIT> jit;
  void (*unloadImage)(autosage_image *) = nullptr;
  autosage_image *const *images = nullptr; // ended by a null

  JitModule() = default;
  JitModule(const JitModule &) = delete;
  JitModule &operator=(const JitModule &) = delete;
  ~JitModule() {
    // The images are globals of the code, and go with it.
    for (; unloadImage && images && *images; ++images)
      unloadImage(*images);
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
  add("autosage_choose_version_host",
      orc::ExecutorAddr::fromPtr(&autosage_choose_version_host));
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

Result<std::vector<JitCode>>
compiler::jitCompile(std::unique_ptr<llvm::LLVMContext> context,
                     std::unique_ptr<llvm::Module> module, CpuTarget target,
                     llvm::ArrayRef<std::string> functions, JitEffort effort,
                     const DeviceTarget *device, std::string *ir) {
  if (effort == JitEffort::launches)
    target.builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto machine = target.builder.createTargetMachine();
  if (!machine)
    return fail("target of this machine", machine.takeError());
  addImageList(*module);
  Result<std::vector<size_t>> counts =
      optimiseForMachine(*module, **machine, functions, effort);
  if (!counts)
    return Error{counts.error()};
  std::vector<JitCode> codes;
  for (size_t count : *counts)
    codes.push_back({nullptr, nullptr, count});
  if (ir) {
    llvm::raw_string_ostream stream(*ir);
    module->print(stream, nullptr);
  }

  auto created = orc::LLJITBuilder()
                     .setJITTargetMachineBuilder(std::move(target.builder))
                     .create();
  if (!created)
    return fail("just-in-time compiler", created.takeError());
  auto owner = std::make_shared<JitModule>();
  owner->jit = std::move(*created);
  orc::LLJIT *jit = owner->jit.get();
  if (llvm::Error error =
          addSymbols(*jit, device ? llvm::ArrayRef(device->symbols)
                                  : llvm::ArrayRef<JitSymbol>()))
    return fail("symbols of the process", std::move(error));
  if (llvm::Error error = jit->addIRModule(
          orc::ThreadSafeModule(std::move(module), std::move(context))))
    return fail("machine code", std::move(error));
  if (device) {
    auto images = jit->lookup(imagesName);
    if (!images)
      return fail("images of GPU modules", images.takeError());
    owner->images = images->toPtr<autosage_image *const *>();
    owner->unloadImage = device->api->image_unload;
  }
  for (auto [code, function] : llvm::zip_equal(codes, functions)) {
    auto address = jit->lookup(entryName(function));
    if (!address)
      return fail("machine code", address.takeError());
    code.entry = address->toPtr<void (*)(void **)>();
    code.module = owner;
  }
  return std::move(codes);
}
