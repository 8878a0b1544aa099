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

#endif // AUTOSAGE_TARGET_NVPTX_PASSES
