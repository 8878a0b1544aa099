//===- SimtPipeline.cpp - GPU modules and their host to the emulator ------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part inside of gpu.module is that of the NVPTX target: what runs on the
// CPU is what a GPU would get.
//
//===----------------------------------------------------------------------===//

#include "autosage/Pipelines/Pipelines.h"

#include "autosage/Conversion/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::autosage::buildAutosageSimtPipeline(
    OpPassManager &pm, const AutosageSimtPipelineOptions &options) {
  OpPassManager &gpu = pm.nest<gpu::GPUModuleOp>();
  gpu.addPass(createSCFToControlFlowPass());
  gpu.addPass(createCanonicalizerPass());
  gpu.addPass(createCSEPass());
  gpu.addPass(createConvertGpuOpsToNVVMOps());
  gpu.addPass(createConvertMathToLLVMPass());
  gpu.addPass(createConvertVectorToLLVMPass());
  gpu.addPass(createArithToLLVMConversionPass());
  gpu.addPass(createConvertIndexToLLVMPass());

  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createGpuToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());

  ConvertNVVMToSimtOptions simt;
  simt.checks = options.checks;
  pm.addPass(createConvertNVVMToSimt(simt));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mlir::autosage::buildAutosageToSimtPipeline(
    OpPassManager &pm, const AutosageSimtPipelineOptions &options) {
  AutosageNVVMPipelineOptions gpu;
  gpu.versions = options.versions;
  buildAutosageToGPUPipeline(pm, gpu);
  buildGPUToNVVMPipeline(pm);
  ConvertNVVMToSimtOptions simt;
  simt.checks = options.checks;
  pm.addPass(createConvertNVVMToSimt(simt));
  pm.addPass(createAutosageLaunchToRuntime());
  buildLoopsToLLVMPipeline(pm);
}
