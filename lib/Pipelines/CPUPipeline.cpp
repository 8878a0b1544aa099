//===- CPUPipeline.cpp - autosage to LLVM for the CPU ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Pipelines/Pipelines.h"

#include "autosage/Conversion/Passes.h"
#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::autosage::buildAutosageToLoopsPipeline(
    OpPassManager &pm, const AutosageCPUPipelineOptions &options) {
  pm.addNestedPass<func::FuncOp>(createAutosageExpandBackward());
  AutosageSelectScheduleOptions select;
  select.target = "cpu";
  select.vectorBits = options.vectorBits;
  select.versions = options.versions;
  pm.addNestedPass<func::FuncOp>(createAutosageSelectSchedule(select));
  if (options.versions > 1) {
    pm.addPass(createCSEPass());
    pm.addNestedPass<func::FuncOp>(createAutosageHoistPreparation());
  }
  pm.addNestedPass<func::FuncOp>(createAutosageVerifySchedule());
  pm.addPass(createAutosageExpandPattern());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  // A loop of layers carries a new buffer from one iteration to the next.
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  bufferization::buildBufferDeallocationPipeline(
      pm, bufferization::BufferDeallocationPipelineOptions());

  if (options.versions > 1) {
    ConvertAutosageToRuntimeOptions calls;
    calls.hostVersions = true;
    pm.addPass(createConvertAutosageToRuntime(calls));
  }
  pm.addNestedPass<func::FuncOp>(createConvertAutosageToCPU());
  if (options.parallel) {
    pm.addNestedPass<func::FuncOp>(createAutosageDenseToParallel());
    pm.addPass(createAutosageOutlineParallel());
  }
}

void mlir::autosage::buildLoopsToLLVMPipeline(OpPassManager &pm,
                                              bool expandF16) {
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createAutosageExpandCopy());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createAutosageExpandExp());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createAutosageExpandHalf(AutosageExpandHalfOptions{expandF16}));
  pm.addPass(createConvertMathToLLVMPass());
  // What the LLVM dialect has no intrinsic for becomes a call into libm.
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Several of these passes merge equal blocks on the way. What they would
  // merge in the result is merged here, so that the pipeline changes nothing in
  // its own output.
  GreedyRewriteConfig mergeBlocks;
  mergeBlocks.setUseTopDownTraversal().setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Aggressive);
  pm.addPass(createCanonicalizerPass(mergeBlocks));
}

void mlir::autosage::buildAutosageCPUPipeline(
    OpPassManager &pm, const AutosageCPUPipelineOptions &options) {
  buildAutosageToLoopsPipeline(pm, options);
  buildLoopsToLLVMPipeline(pm, options.expandF16);
}
