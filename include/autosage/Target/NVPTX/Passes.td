//===- Passes.td - out of MLIR for NVIDIA GPUs -*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TARGET_NVPTX_PASSES
#define AUTOSAGE_TARGET_NVPTX_PASSES

include "mlir/Pass/PassBase.td"

def AutosageModuleToBinary : Pass<"autosage-module-to-binary", "mlir::ModuleOp"> {
  let summary = "Turn gpu.modules into gpu.binary with PTX or machine code";
  let description = [{
    Translates each `gpu.module` to LLVM IR and PTX for its `#nvvm.target`, and
    assembles it. As upstream's `gpu-module-to-binary`, but for two things: the
    assembler runs in this process where nvJitLink is there, which takes half
    the time, and the format `auto` gives what can be had: a cubin where there is
    an assembler, else PTX, which the driver finishes at run time.

    Formats: `auto`, `llvm` (bitcode), `isa` (PTX), `bin` (cubin), `fatbin`
    (cubin and PTX). The toolkit is found by AUTOSAGE_CUDA_TOOLKIT, CUDA_HOME,
    CUDA_PATH, CUDA_ROOT or a ptxas on the PATH.

    Errors: a module without a target, an unknown chip, an explicit `bin` or
    `fatbin` without an assembler, what the assembler says.
  }];
  let options = [
    Option<"format", "format", "std::string", "\"auto\"",
           "auto, llvm, isa, bin or fatbin">];
  let dependentDialects = ["mlir::gpu::GPUDialect", "mlir::NVVM::NVVMDialect"];
}

def AutosageDependentLaunch
    : Pass<"autosage-dependent-launch", "mlir::gpu::GPUModuleOp"> {
  let summary = "Let kernels start while the one before them ends";
  let description = [{
    Programmatic dependent launch (CUDA C++ programming guide, "Programmatic
    Dependent Launch and Synchronization"): each kernel of a `gpu.module` for
    sm_90 or later lets the next one of the stream start, and waits for the end
    of the one before it, all of whose stores it then sees, before it does
    anything else. That takes effect where the launch allows it, which the
    runtime does for modules that hold the constant `autosage_dependent_launch`:
    this pass makes it. Launched in another way, kernels run as before.

    Expects kernels as `llvm.func`; does nothing for chips before sm_90.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::NVVM::NVVMDialect"];
}

#endif // AUTOSAGE_TARGET_NVPTX_PASSES
