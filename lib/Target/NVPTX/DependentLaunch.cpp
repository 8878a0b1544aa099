//===- DependentLaunch.cpp - kernels that start while others end ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/GpuChip.h"
#include "autosage/Target/NVPTX/Serialize.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEDEPENDENTLAUNCH
#include "autosage/Target/NVPTX/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;

/// PTX ISA, "griddepcontrol".
static constexpr int32_t firstCapability = 90;

static constexpr unsigned globalSpace = 1;

static bool canLaunchEarly(gpu::GPUModuleOp module) {
  for (Attribute target : module.getTargetsAttr().getValue()) {
    auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target);
    if (!nvvm)
      return false;
    ::autosage::Result<::autosage::GpuChip> chip =
        ::autosage::findGpuChip(nvvm.getChip());
    if (!chip || chip->computeCapability < firstCapability)
      return false;
  }
  return true;
}

namespace {
class DependentLaunch
    : public mlir::autosage::impl::AutosageDependentLaunchBase<
          DependentLaunch> {
public:
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (!module.getTargetsAttr() || !canLaunchEarly(module))
      return;
    OpBuilder b(module);
    bool hasKernels = false;
    for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
      if (!kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
        continue;
      hasKernels = true;
      b.setInsertionPointToStart(&kernel.getBody().front());
      for (auto kind : {NVVM::GridDepActionKind::launch_dependents,
                        NVVM::GridDepActionKind::wait})
        NVVM::GriddepcontrolOp::create(b, kernel.getLoc(), kind);
    }
    if (!hasKernels)
      return;
    b.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(b, module.getLoc(), b.getI32Type(),
                           /*isConstant=*/true, LLVM::Linkage::External,
                           "autosage_dependent_launch", b.getI32IntegerAttr(1),
                           /*alignment=*/4, globalSpace);
  }
};
} // namespace
