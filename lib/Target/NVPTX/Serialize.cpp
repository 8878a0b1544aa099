//===- Serialize.cpp - from gpu.module to PTX and machine code ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Target/NVPTX/Serialize.h"

#include "autosage/Core/GpuChip.h"
#include "autosage/Target/NVPTX/Assembler.h"

#include "mlir/Target/LLVM/ModuleToObject.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <chrono>

using namespace mlir;
using namespace mlir::autosage;
using ::autosage::findGpuChip;
using ::autosage::GpuChip;
using ::autosage::Result;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

std::optional<ObjectFormat> mlir::autosage::parseObjectFormat(StringRef text) {
  return llvm::StringSwitch<std::optional<ObjectFormat>>(text)
      .Case("auto", ObjectFormat::automatic)
      .Case("llvm", ObjectFormat::llvm)
      .Case("isa", ObjectFormat::isa)
      .Case("bin", ObjectFormat::bin)
      .Case("fatbin", ObjectFormat::fatbin)
      .Default(std::nullopt);
}

NVVM::NVVMTargetAttr mlir::autosage::nvvmTarget(MLIRContext *context,
                                                StringRef chip) {
  Result<GpuChip> known = findGpuChip(chip.str());
  std::string features =
      known ? "+ptx" + std::to_string(known->ptxVersion) : std::string();
  return NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3,
                                   "nvptx64-nvidia-cuda", chip, features);
}

/// What the driver or the PTX compiler defines.
static bool isDeviceBuiltin(StringRef name) {
  return name == "vprintf" || name == "malloc" || name == "free" ||
         name == "__assertfail";
}

namespace {
/// LLVM IR and then what `format` asks for: bitcode or PTX.
class Serializer : public LLVM::ModuleToObject {
public:
  Serializer(gpu::GPUModuleOp module, NVVM::NVVMTargetAttr target, bool bitcode)
      : ModuleToObject(*module, target.getTriple(), target.getChip(),
                       target.getFeatures(), target.getO()),
        bitcode(bitcode) {}

private:
  /// libdevice, where a function of it is called.
  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &llvmModule) override {
    SmallVector<std::unique_ptr<llvm::Module>> files;
    auto called = llvm::find_if(llvmModule, [](llvm::Function &function) {
      return function.isDeclaration() &&
             function.getName().starts_with("__nv_");
    });
    if (called == llvmModule.end())
      return files;
    std::string path = findLibdevice();
    if (path.empty()) {
      module.emitError() << "expects libdevice for '" << called->getName()
                         << "', got none; set AUTOSAGE_CUDA_TOOLKIT or "
                            "CUDA_HOME to a CUDA toolkit";
      return std::nullopt;
    }
    if (std::unique_ptr<llvm::Module> file =
            loadBitcodeFile(llvmModule.getContext(), path))
      files.push_back(std::move(file));
    else
      return std::nullopt;
    return files;
  }

  void handleModulePostLink(llvm::Module &llvmModule) override {
    for (llvm::Function &function : llvmModule)
      if (function.isDeclaration() && !function.isIntrinsic() &&
          !isDeviceBuiltin(function.getName())) {
        module.emitError() << "expects the module to define '"
                           << function.getName() << "', got a declaration";
        incomplete = true;
      }
  }

  FailureOr<SmallVector<char, 0>>
  moduleToObject(llvm::Module &llvmModule) override {
    if (incomplete)
      return failure();
    if (bitcode)
      return ModuleToObject::moduleToObject(llvmModule);
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return failure();
    auto emitError = [&] { return module.emitError(); };
    FailureOr<SmallString<0>> text =
        translateModuleToISA(llvmModule, **machine, emitError);
    if (failed(text))
      return failure();
    return SmallVector<char, 0>(text->begin(), text->end());
  }

  bool bitcode;
  bool incomplete = false;
};
} // namespace

static double millisecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - begin)
      .count();
}

FailureOr<SerializedModule> mlir::autosage::serializeModule(
    gpu::GPUModuleOp module, NVVM::NVVMTargetAttr target, ObjectFormat format) {
  static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;

  Result<GpuChip> chip = findGpuChip(target.getChip().str());
  if (!chip)
    return module.emitError() << chip.error();
  if (failed(verifySharedMemory(module, *chip)))
    return failure();

  PtxAssembler *assembler = nullptr;
  if (format != ObjectFormat::llvm && format != ObjectFormat::isa) {
    Result<PtxAssembler *> found = findAssembler();
    if (found)
      assembler = *found;
    else if (format != ObjectFormat::automatic)
      return module.emitError() << found.error() << ", or use format=isa";
  }

  SerializedModule result;
  auto begin = std::chrono::steady_clock::now();
  std::optional<SmallVector<char, 0>> object =
      Serializer(module, target, format == ObjectFormat::llvm).run();
  if (!object)
    return failure();
  result.ptxMs = millisecondsSince(begin);
  result.object.assign(object->begin(), object->end());
  if (format == ObjectFormat::llvm || !assembler) {
    result.format =
        format == ObjectFormat::llvm ? ObjectFormat::llvm : ObjectFormat::isa;
    return result;
  }

  begin = std::chrono::steady_clock::now();
  Result<std::string> cubin =
      assembler->assemble(result.object, target.getChip());
  if (!cubin)
    return module.emitError() << cubin.error();
  result.format = ObjectFormat::bin;
  if (format == ObjectFormat::fatbin) {
    Result<std::string> packed =
        makeFatbin(*cubin, result.object, target.getChip());
    if (!packed)
      return module.emitError() << packed.error() << ", or use format=bin";
    cubin = std::move(packed);
    result.format = ObjectFormat::fatbin;
  }
  result.object = std::move(*cubin);
  result.assembleMs = millisecondsSince(begin);
  return result;
}
