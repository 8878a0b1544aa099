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

struct SerializationTimes;

/// Options of `autosage-cpu-pipeline`.
struct AutosageCPUPipelineOptions
    : PassPipelineOptions<AutosageCPUPipelineOptions> {
  Option<int64_t> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Width of a vector register of the target in bits: 128, "
                     "256 or 512"),
      llvm::cl::init(512)};
  /// Off by default: the result then needs no library but libm.
  Option<bool> parallel{
      *this, "parallel",
      llvm::cl::desc("Run parallel loops in threads: call "
                     "autosage_parallel_for of libAutosageRuntime"),
      llvm::cl::init(false)};
  /// With several the result needs libAutosageRuntime.
  Option<int64_t> versions{
      *this, "versions",
      llvm::cl::desc(
          "Most versions of an op of whose pattern nothing is known; "
          "which one runs is decided when the program runs, by "
          "autosage_choose_version_host of libAutosageRuntime (1 to 8)"),
      llvm::cl::init(1)};
  Option<bool> expandF16{
      *this, "expand-f16",
      llvm::cl::desc("Convert f16 by integer operations, for a target without "
                     "instructions for it (x86-64 before F16C)"),
      llvm::cl::init(false)};
};

/// From autosage on tensors (or buffers) to buffers and loops: selection,
/// expansion, bufferization, `convert-autosage-to-cpu`, and with `parallel`
/// `autosage-outline-parallel`.
void buildAutosageToLoopsPipeline(OpPassManager &pm,
                                  const AutosageCPUPipelineOptions &options);

/// From there to the LLVM dialect, by way of `autosage-expand-half`.
void buildLoopsToLLVMPipeline(OpPassManager &pm, bool expandF16 = false);

/// `autosage-cpu-pipeline`: both, in order.
void buildAutosageCPUPipeline(OpPassManager &pm,
                              const AutosageCPUPipelineOptions &options);

/// Options of `autosage-nvvm-pipeline`.
struct AutosageNVVMPipelineOptions
    : PassPipelineOptions<AutosageNVVMPipelineOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("Chip that the kernels are for"),
                           llvm::cl::init("sm_90")};
  Option<std::string> format{
      *this, "format",
      llvm::cl::desc("What kernels become: llvm (bitcode), isa (PTX), bin "
                     "(cubin), fatbin, or auto: bin where nvJitLink or ptxas "
                     "is found, else isa"),
      llvm::cl::init("auto")};
  Option<int64_t> versions{
      *this, "versions",
      llvm::cl::desc(
          "Most versions of an op of whose pattern nothing is known; "
          "which one runs is decided when the program runs (1 to "
          "8)"),
      llvm::cl::init(1)};
  Option<bool> lowerHost{
      *this, "lower-host",
      llvm::cl::desc("Lower host code to the LLVM dialect too; launches become "
                     "calls of libAutosageRuntime"),
      llvm::cl::init(false)};
};

/// From autosage on tensors (or buffers of device memory) to host code on
/// buffers with `gpu.launch_func`, and kernels in a gpu.module: expansion,
/// bufferization, `convert-autosage-to-gpu`.
void buildAutosageToGPUPipeline(OpPassManager &pm,
                                const AutosageNVVMPipelineOptions &options);

/// The contents of gpu.modules to the LLVM and NVVM dialects.
void buildGPUToNVVMPipeline(OpPassManager &pm);

/// `autosage-nvvm-pipeline`: both, and kernels to `gpu.binary`. With
/// `lower-host` also launches to calls of include/autosage/Runtime/Device.h and
/// host code to the LLVM dialect. What serialization takes is added to `times`.
void buildAutosageNVVMPipeline(OpPassManager &pm,
                               const AutosageNVVMPipelineOptions &options,
                               SerializationTimes *times = nullptr);

/// Options of `autosage-simt-pipeline`.
struct AutosageSimtPipelineOptions
    : PassPipelineOptions<AutosageSimtPipelineOptions> {
  Option<int64_t> versions{
      *this, "versions",
      llvm::cl::desc(
          "autosage-to-simt-pipeline: as for autosage-nvvm-pipeline"),
      llvm::cl::init(1)};
  Option<std::string> checks{
      *this, "checks",
      llvm::cl::desc("Checks of each access of a kernel, as a list: bounds, "
                     "race, uninit; all or none"),
      llvm::cl::init("bounds,race,uninit")};
};

/// `autosage-simt-pipeline`: a module with GPU modules (of gpu or llvm
/// functions) and host code, to the LLVM dialect with calls of the emulator.
void buildAutosageSimtPipeline(OpPassManager &pm,
                               const AutosageSimtPipelineOptions &options);

/// `autosage-to-simt-pipeline`: from autosage on tensors, by way of the kernels
/// that autosage-nvvm-pipeline makes, to the LLVM dialect with calls of the
/// emulator. Device memory is memory of the emulator.
void buildAutosageToSimtPipeline(OpPassManager &pm,
                                 const AutosageSimtPipelineOptions &options);

/// Registers the passes of the project and its pipelines.
void registerAutosagePasses();

/// Registers, beside them, the upstream passes that the pipelines consist of.
void registerAutosagePipelinePasses();

/// Registers the dialect and those dialects and interface implementations that
/// the pipelines need: enough for a tool that only compiles.
void registerAutosagePipelineDialects(DialectRegistry &registry);

/// These and what the pipelines for the GPU need: apart, since the CPU's would
/// start more slowly with them.
void registerAutosageGPUPipelineDialects(DialectRegistry &registry);

/// Registers the dialect beside all upstream dialects and extensions.
void registerAutosageDialects(DialectRegistry &registry);

} // namespace mlir::autosage

#endif // AUTOSAGE_PIPELINES_PIPELINES_H
