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

def ConvertNVVMToSimt : Pass<"convert-nvvm-to-simt", "mlir::ModuleOp"> {
  let summary = "Turn GPU modules into code for the CPU, one call a GPU thread";
  let description = [{
    Takes each `gpu.module` after its lowering to the LLVM and NVVM dialects, as
    the NVPTX backend would, and moves its functions into the enclosing module
    as functions of the host. The emulator (include/autosage/Emulation/Simt.h)
    calls an entry of the kernel for each thread of a grid:

    - `nvvm` ops and `llvm.nvvm.*` intrinsics become calls of the emulator,
      `__nv_*` calls those of the C library;
    - variables in shared memory become addresses that the emulator gives;
    - pointers lose their address space;
    - each access to memory is preceded by a call that checks it.

    A module `@m` gives a table of its kernels and the image `@autosage_image_m`
    (`autosage_image` of include/autosage/Runtime/Device.h), which takes the
    place of a declaration of that name. `gpu.launch_func` becomes a call of
    `autosage_launch_kernel`.

    ```mlir
    gpu.module @m {
      llvm.func @k(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
        %i = nvvm.read.ptx.sreg.tid.x : i32
        %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
        nvvm.barrier0
        ...
    ```

    becomes

    ```mlir
    llvm.func internal @m_k(%x: !llvm.ptr) {
      %i = llvm.call @autosage_simt_register(%tid_x) : (i32) -> i32
      %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.call @autosage_simt_barrier(%site) {convergent} : (!llvm.ptr) -> ()
      ...
    llvm.func internal @m_k_entry(%args: !llvm.ptr) { ... llvm.call @m_k ... }
    ```

    What cannot be emulated (inline PTX, clusters, asynchronous barriers, wgmma)
    is an error at the op. docs/simt.md says more.
  }];
  let options = [
    Option<"checks", "checks", "std::string", /*default=*/"\"bounds,race,uninit\"",
           "Checks of each access, as a list: bounds (with alignment), race, "
           "uninit (reads of unwritten shared memory); all or none">];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels turned into host code">,
    Statistic<"numChecks", "checked", "Accesses with a check">];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

#endif // AUTOSAGE_CONVERSION_PASSES
