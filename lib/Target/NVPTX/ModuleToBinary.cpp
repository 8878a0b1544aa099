//===- ModuleToBinary.cpp - gpu.modules to gpu.binary ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Target/NVPTX/Serialize.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEMODULETOBINARY
#include "autosage/Target/NVPTX/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

static gpu::CompilationTarget toCompilationTarget(ObjectFormat format) {
  switch (format) {
  case ObjectFormat::llvm:
    return gpu::CompilationTarget::Offload;
  case ObjectFormat::automatic:
  case ObjectFormat::isa:
    return gpu::CompilationTarget::Assembly;
  case ObjectFormat::bin:
    return gpu::CompilationTarget::Binary;
  case ObjectFormat::fatbin:
    return gpu::CompilationTarget::Fatbin;
  }
  llvm_unreachable("unknown format");
}

namespace {
class ModuleToBinary
    : public mlir::autosage::impl::AutosageModuleToBinaryBase<ModuleToBinary> {
public:
  using AutosageModuleToBinaryBase::AutosageModuleToBinaryBase;
  ModuleToBinary(const AutosageModuleToBinaryOptions &options,
                 SerializationTimes *times)
      : AutosageModuleToBinaryBase(options), times(times) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    AutosageModuleToBinaryBase::getDependentDialects(registry);
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
  }

  LogicalResult initialize(MLIRContext *) override {
    parsed = parseObjectFormat(format);
    return success();
  }

  void runOnOperation() override {
    if (!parsed) {
      getOperation().emitError()
          << "expects format to be auto, llvm, isa, bin or fatbin, got '"
          << format << "'";
      return signalPassFailure();
    }
    SmallVector<gpu::GPUModuleOp> modules(
        getOperation().getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp module : modules)
      if (failed(replace(module)))
        return signalPassFailure();
  }

private:
  LogicalResult replace(gpu::GPUModuleOp module);

  std::optional<ObjectFormat> parsed;
  SerializationTimes *times = nullptr;
};
} // namespace

std::unique_ptr<Pass> mlir::autosage::createAutosageModuleToBinary(
    const AutosageModuleToBinaryOptions &options, SerializationTimes *times) {
  return std::make_unique<ModuleToBinary>(options, times);
}

LogicalResult ModuleToBinary::replace(gpu::GPUModuleOp module) {
  ArrayAttr targets = module.getTargetsAttr();
  if (!targets || targets.empty())
    return module.emitError("expects a target (#nvvm.target), got a GPU module "
                            "that has no target");
  SmallVector<Attribute> objects;
  for (Attribute attribute : targets) {
    auto target = dyn_cast<NVVM::NVVMTargetAttr>(attribute);
    if (!target)
      return module.emitError("expects targets to be #nvvm.target, got ")
             << attribute;
    FailureOr<SerializedModule> result =
        serializeModule(module, target, *parsed);
    if (failed(result))
      return failure();
    if (times) {
      times->ptxMs += result->ptxMs;
      times->assembleMs += result->assembleMs;
    }
    MLIRContext *context = &getContext();
    objects.push_back(gpu::ObjectAttr::get(
        context, target, toCompilationTarget(result->format),
        StringAttr::get(context, result->object), /*properties=*/nullptr,
        /*kernels=*/nullptr));
  }
  OpBuilder builder(module);
  gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                        /*offloadingHandler=*/nullptr,
                        builder.getArrayAttr(objects));
  module.erase();
  return success();
}
