//===- Passes.td - conversions out of the autosage dialect -*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_PASSES
#define AUTOSAGE_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertAutosageToCPU : Pass<"convert-autosage-to-cpu"> {
  let summary = "Lower autosage ops on buffers to vector loops for the CPU";
  let description = [{
    Turns every autosage op on memrefs into scf, vector, arith, math and memref
    ops as its schedule attribute says (families `row_parallel` and
    `nnz_parallel`; without a schedule, the defaults of `row_parallel`). The pass chooses nothing by itself.

    The work is spread over the iterations of an `scf.parallel`, of which a small
    problem has one. Each output element is written by one iteration, in a fixed
    order of edges; rows that `nnz_parallel` cuts are merged in a fixed order by
    a second loop. Results do not depend on the number of threads. f16, bf16 and f32 accumulate in
    f32, f64 in f64.

    An autosage op on tensors or on a pattern that is left is an error:
    `autosage-expand-pattern` and bufferization come first.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::math::MathDialect",
    "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect",
    "mlir::vector::VectorDialect"];
}

def ConvertAutosageToGPU : Pass<"convert-autosage-to-gpu", "mlir::ModuleOp"> {
  let summary = "Lower autosage ops on buffers to GPU kernels and launches";
  let description = [{
    Turns every autosage op on memrefs of device memory into host code and
    kernels, as its schedule attribute says (families `row_group` and
    `row_tasks`; without a schedule, the defaults of `row_group`). The pass
    chooses nothing by itself.

    All kernels of a module are functions of one `gpu.module`, equal ones once.
    The host code takes the buffers apart (address, sizes, strides), tests
    whether they are aligned for wide loads and launches the version with them
    or the one for any alignment. A grid that is larger than the device's is
    launched in pieces. What prepares a pattern (task lists, transposed arrays)
    becomes a call of the runtime (include/autosage/Runtime/Device.h); scratch
    memory is `memref.alloc`, which `autosage-launch-to-runtime` makes device
    memory.

    Each output element is written by one thread, in a fixed order of edges;
    rows that `row_tasks` cuts are merged in a fixed order by a second kernel.
    f16, bf16 and f32 accumulate in f32, f64 in f64.

    docs/gpu-kernels.md shows what is emitted.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90\"",
           "Chip that the kernels are for">,
    Option<"maxGridX", "max-grid-x", "int64_t", "2147483647",
           "Blocks of one launch along x; larger grids take several">,
    Option<"maxGridY", "max-grid-y", "int64_t", "65535",
           "Blocks of one launch along y; larger grids take several">];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::func::FuncDialect",
    "mlir::gpu::GPUDialect", "mlir::LLVM::LLVMDialect",
    "mlir::memref::MemRefDialect", "mlir::NVVM::NVVMDialect",
    "mlir::scf::SCFDialect", "mlir::vector::VectorDialect"];
}

def AutosageLaunchToRuntime : Pass<"autosage-launch-to-runtime",
                                   "mlir::ModuleOp"> {
  let summary = "Turn launches and device memory into calls of the runtime";
  let description = [{
    Makes of each `gpu.launch_func` a call of `autosage_launch_kernel`
    (include/autosage/Runtime/Device.h), of each `gpu.binary @m` a global
    `autosage_image` named `@autosage_image_m`. A launch of a module for which
    there is such a global already uses that.

    Memory of the functions' code is device memory: `memref.alloc`,
    `memref.dealloc` and `memref.copy` become calls of the runtime too. Code
    that reads or writes elements itself is an error. Small static buffers of
    index or i1 are left alone, the helpers that buffer deallocation makes.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::memref::MemRefDialect"];
}

def AutosageOutlineParallel : Pass<"autosage-outline-parallel",
                                   "mlir::ModuleOp"> {
  let summary = "Turn parallel loops into calls of the runtime";
  let description = [{
    Makes a function of the body of each `scf.parallel` and replaces the loop by
    a call of `autosage_parallel_for` (include/autosage/Runtime/Runtime.h),
    which runs ranges of iterations in the threads that it has. What the body
    uses from outside travels in a struct on the caller's stack; constants are
    made anew in the body.

    ```mlir
    func.func @f(%m: memref<?xf32>, %n: index) {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      scf.parallel (%i) = (%c0) to (%n) step (%c8) { ... use of %m ... }
      return
    }
    ```

    becomes

    ```mlir
    func.func private @f_parallel(%context: !llvm.ptr, %begin: i64, %end: i64)
        attributes {llvm.linkage = #llvm.linkage<internal>} {
      %m = ... load of the descriptor from %context ...
      scf.for %k = %begin to %end step %c1 {
        %i = %c0 + %k * %c8
        ... use of %m ...
      }
      return
    }
    func.func @f(%m: memref<?xf32>, %n: index) {
      ... store of %m into %context ...
      %count = ceil((%n - %c0) / %c8)
      call @autosage_parallel_for(%count, @f_parallel, %context)
      return
    }
    ```

    Loops of one dimension without reductions in functions of the module are
    taken, the outermost of a nest. Others stay as they are, as does a loop that
    uses values of types that LLVM does not have (tensors).
  }];
  let statistics = [
    Statistic<"numOutlined", "outlined", "Loops turned into calls">,
    Statistic<"numLeft", "left", "Loops left as they are">];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::func::FuncDialect",
    "mlir::LLVM::LLVMDialect", "mlir::scf::SCFDialect"];
}

#endif // AUTOSAGE_CONVERSION_PASSES
