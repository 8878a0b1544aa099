//===- NVVMPipeline.cpp - autosage to NVIDIA kernels ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/Passes.h"
#include "autosage/Dialect/Autosage/Transforms/Passes.h"
#include "autosage/Pipelines/Pipelines.h"
#include "autosage/Target/NVPTX/Serialize.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::autosage::buildAutosageToGPUPipeline(
    OpPassManager &pm, const AutosageNVVMPipelineOptions &options) {
  pm.addNestedPass<func::FuncOp>(createAutosageExpandBackward());
  AutosageSelectScheduleOptions select;
  select.target = "nvptx:" + options.chip.getValue();
  select.versions = options.versions;
  pm.addNestedPass<func::FuncOp>(createAutosageSelectSchedule(select));
  // While preparations are values: after expansion they allocate.
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createAutosageHoistPreparation());
  AutosageVerifyScheduleOptions verify;
  verify.target = select.target;
  pm.addNestedPass<func::FuncOp>(createAutosageVerifySchedule(verify));
  pm.addPass(createAutosageExpandPattern());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  // Not before: statistics are read off patterns that are constants.
  pm.addPass(createAutosageConstantsToDevice());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  bufferization::buildBufferDeallocationPipeline(
      pm, bufferization::BufferDeallocationPipelineOptions());

  pm.addPass(createConvertAutosageToRuntime());
  ConvertAutosageToGPUOptions convert;
  convert.chip = options.chip;
  pm.addPass(createConvertAutosageToGPU(convert));
  // Clones that buffer deallocation made become device memory and copies.
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createAutosageExpandCopy());
  AutosageDenseToGPUOptions dense;
  dense.chip = options.chip;
  pm.addPass(createAutosageDenseToGPU(dense));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mlir::autosage::buildGPUToNVVMPipeline(OpPassManager &pm) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createSCFToControlFlowPass());
  // Else exponentials are calls of libdevice, which may not be there.
  kernels.addPass(createAutosageExpandExp());
  kernels.addPass(createConvertGpuOpsToNVVMOps());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
}

void mlir::autosage::buildAutosageNVVMPipeline(
    OpPassManager &pm, const AutosageNVVMPipelineOptions &options,
    SerializationTimes *times) {
  buildAutosageToGPUPipeline(pm, options);
  buildGPUToNVVMPipeline(pm);
  pm.addNestedPass<gpu::GPUModuleOp>(createAutosageDependentLaunch());
  AutosageModuleToBinaryOptions binary;
  binary.format = options.format;
  pm.addPass(createAutosageModuleToBinary(binary, times));
  if (!options.lowerHost)
    return;
  pm.addPass(createAutosageLaunchToRuntime());
  buildLoopsToLLVMPipeline(pm);
}
