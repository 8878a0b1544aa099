//===- Pipelines.h - named pass pipelines -----------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_PIPELINES_PIPELINES_H
#define AUTOSAGE_PIPELINES_PIPELINES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::autosage {

/// Options of `autosage-cpu-pipeline`.
struct AutosageCPUPipelineOptions
    : PassPipelineOptions<AutosageCPUPipelineOptions> {
  Option<int64_t> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Width of a vector register of the target in bits: 128, "
                     "256 or 512"),
      llvm::cl::init(512)};
};

/// From autosage on tensors (or buffers) to buffers and loops: selection,
/// expansion, bufferization, `convert-autosage-to-cpu`.
void buildAutosageToLoopsPipeline(OpPassManager &pm,
                                  const AutosageCPUPipelineOptions &options);

/// From there to the LLVM dialect.
void buildLoopsToLLVMPipeline(OpPassManager &pm);

/// `autosage-cpu-pipeline`: both, in order.
void buildAutosageCPUPipeline(OpPassManager &pm,
                              const AutosageCPUPipelineOptions &options);

/// Registers the passes of the project and its pipelines.
void registerAutosagePasses();

/// Registers the dialect and every dialect and interface implementation that
/// the pipelines need.
void registerAutosageDialects(DialectRegistry &registry);

} // namespace mlir::autosage

#endif // AUTOSAGE_PIPELINES_PIPELINES_H
