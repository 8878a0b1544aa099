//===- Register.cpp - registration of passes and pipelines ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/Passes.h"
#include "autosage/Dialect/Autosage/Transforms/Passes.h"
#include "autosage/Pipelines/Pipelines.h"
#include "autosage/Target/NVPTX/Serialize.h"

using namespace mlir;

void mlir::autosage::registerAutosagePasses() {
  registerAutosageTransformsPasses();
  registerAutosageConversionPasses();
  registerAutosageTargetNVPTXPasses();
  PassPipelineRegistration<AutosageCPUPipelineOptions>(
      "autosage-cpu-pipeline",
      "From autosage on tensors to LLVM IR for the CPU: select a schedule, "
      "expand patterns, bufferize, lower",
      buildAutosageCPUPipeline);
  PassPipelineRegistration<AutosageSimtPipelineOptions>(
      "autosage-simt-pipeline",
      "From modules with GPU kernels to LLVM IR that runs them on the CPU, "
      "thread by thread, with checks",
      buildAutosageSimtPipeline);
  PassPipelineRegistration<AutosageSimtPipelineOptions>(
      "autosage-to-simt-pipeline",
      "From autosage on tensors to LLVM IR that runs the GPU kernels on the "
      "CPU, thread by thread, with checks",
      buildAutosageToSimtPipeline);
  PassPipelineRegistration<AutosageNVVMPipelineOptions>(
      "autosage-nvvm-pipeline",
      "From autosage on tensors to NVIDIA kernels in a gpu.binary and host "
      "code "
      "that calls the runtime: expand patterns, bufferize, lower",
      [](OpPassManager &pm, const AutosageNVVMPipelineOptions &options) {
        buildAutosageNVVMPipeline(pm, options);
      });
}
