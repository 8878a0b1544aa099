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

def AutosageExpandExp : Pass<"autosage-expand-exp"> {
  let summary = "Approximate math.exp by arithmetic, within 1 ulp";
  let description = [{
    Replaces `math.exp` of f32 and f64, scalars and vectors alike, by arithmetic
    that every target has vector instructions for. Without it a vector becomes
    one call of libm a lane.

    The result is less than one unit in the last place from the exact value for
    every argument, results that are not normal numbers included, and the same for a
    scalar as for a lane of a vector. exp(-inf) is 0, exp(inf) is inf, a
    NaN gives a NaN.

    ```mlir
    %y = math.exp %x : vector<16xf32>
    ```

    becomes

    ```mlir
    %n = ... round(%x / ln 2) ...
    %r = ... %x - %n * ln 2, with ln 2 in two parts ...
    %p = ... a polynomial in %r ...
    %y = ... %p * 2^%n, the power of two in two factors ...
    ```

    Other element types stay as they are.
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "Exponentials replaced">];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def AutosageExpandCopy : Pass<"autosage-expand-copy"> {
  let summary = "Turn copies between buffers with gaps into linalg";
  let description = [{
    Replaces each `memref.copy` of which a side is not contiguous, as slices of
    tensors give, by a `linalg.generic`. What is left to LLVM would become a call of
    `memrefCopy` in MLIR's runner library. Copies of one range of memory stay.

    ```mlir
    memref.copy %x, %y
        : memref<?x4xf32> to memref<?x4xf32, strided<[7, 1], offset: 3>>
    ```

    becomes

    ```mlir
    linalg.generic {indexing_maps = [#identity, #identity],
                    iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<?x4xf32>)
        outs(%y : memref<?x4xf32, strided<[7, 1], offset: 3>>) {
    ^bb0(%from: f32, %to: f32):
      linalg.yield %from : f32
    }
    ```
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "Copies replaced">];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

def AutosageDenseToParallel : Pass<"autosage-dense-to-parallel"> {
  let summary = "Turn dense ops on buffers into parallel loops";
  let description = [{
    Turns `linalg` ops whose first loop is parallel into loops, the first of them
    cut into an `scf.parallel` over runs of iterations that are worth a thread
    (docs/threads.md). Each element is computed as before, so that bits depend on
    nothing but the op. Ops that are small as far as their sizes are known, and
    those with a reduction outermost, stay.

    Before:
    ```mlir
    linalg.generic {... ["parallel", "parallel"]} ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>) { ... }
    ```
    After:
    ```mlir
    %grain = ... // 65536 over the work of a row
    scf.parallel (%i) = (%c0) to (%rows) step (%grain) {
      %last = ... // min(%i + %grain, %rows)
      scf.for %row = %i to %last step %c1 {
        scf.for %column = %c0 to %columns step %c1 { ... }
      }
    }
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::memref::MemRefDialect",
    "mlir::scf::SCFDialect", "mlir::affine::AffineDialect"];
  let statistics = [
    Statistic<"numCut", "num-cut", "Ops turned into parallel loops">];
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

def AutosageExpandHalf : Pass<"autosage-expand-half"> {
  let summary = "Convert bf16 and f16 by integer operations";
  let description = [{
    Replaces `arith.extf` from bf16 and `arith.truncf` of f32 to bf16, with
    `f16` those of f16 too, on scalars and vectors, by integer operations
    without branches. Results are exact: rounding is to nearest with ties to
    even, infinities, denormals and signed zeros are kept, NaN stays NaN and
    becomes quiet.

    What is left to LLVM becomes, where the target has no instruction for it, a
    call of a library for every element (`__truncsfbf2`, `__extendhfsf2`,
    `__truncsfhf2`). x86-64 has instructions for f16 with F16C; those for
    bf16 of AVX512_BF16 take denormals for zero and are not used.

    ```mlir
    %w = arith.extf %x : bf16 to f32
    ```

    becomes

    ```mlir
    %i = arith.bitcast %x : bf16 to i16
    %j = arith.extui %i : i16 to i32
    %k = arith.shli %j, %c16 : i32
    %w = arith.bitcast %k : i32 to f32
    ```

    `llvm.intr.masked.load` and `llvm.intr.masked.store` of vectors of bf16 and f16
    move vectors of i16 instead: LLVM converts masked bf16 to f32 and back where
    the target lacks the instruction. So the pass comes best after
    `convert-vector-to-llvm` and before `convert-arith-to-llvm`.

    Conversions of other types stay, `arith.truncf` of f64 among them, which
    would be rounded twice.
  }];
  let options = [
    Option<"f16", "f16", "bool", /*default=*/"false",
           "Expand conversions of f16 too, for a target without F16C">];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect"];
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

def ConvertAutosageToRuntime : Pass<"convert-autosage-to-runtime",
                                    "mlir::ModuleOp"> {
  let summary = "Lower autosage ops with a vendor schedule to runtime calls";
  let description = [{
    Turns every `spmm` and `sddmm` on memrefs of device memory whose schedule is
    of the family `vendor` into a call of `autosage_vendor_spmm` or
    `autosage_vendor_sddmm` (include/autosage/Runtime/Vendor.h): addresses,
    sizes, strides, types, algorithm and flags. On a GPU that is cuSPARSE, or
    the host where there is none; on simt plain loops. Other ops are left for
    `convert-autosage-to-gpu`, so that both kinds mix in a module.

    ```mlir
    autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
        outs(%y) schedule<vendor> : memref<?x64xf32>, memref<?x64xf32>
    ```

    becomes

    ```mlir
    call @autosage_vendor_spmm(%rp_address, %ci_address, %null, %x_address,
        %y_address, %rows, %n, %nnz, %c64, %c64, %c64, %four, %four, %f32, %f32,
        %three, %flags) : (...) -> ()
    ```

    What cuSPARSE cannot do under the contract of docs/semantics.md is an error
    with the reason (docs/cusparse.md lists them): other reductions than `sum`,
    edge values for each head, index types that differ, operands whose rows are
    not dense.

    With `host-versions`, for programs of the CPU, `choose_version` on memrefs
    becomes a call of `autosage_choose_version_host`
    (include/autosage/Runtime/Device.h).
  }];
  let options = [
    Option<"unscheduled", "unscheduled", "bool", /*default=*/"false",
           "Take ops without a schedule as well, those that cuSPARSE can do">,
    Option<"hostVersions", "host-versions", "bool", /*default=*/"false",
           "Turn choices of versions into calls as well, of patterns in memory of the host">];
  let statistics = [
    Statistic<"numCalls", "calls", "Ops turned into calls">];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::func::FuncDialect",
    "mlir::LLVM::LLVMDialect", "mlir::memref::MemRefDialect",
    "mlir::scf::SCFDialect"];
}

def AutosageConstantsToDevice : Pass<"autosage-constants-to-device"> {
  let summary = "Give constant tensors memory of the device";
  let description = [{
    Constant tensors would become memory of the host, which kernels may not read.
    Before bufferization, this pass makes of one that holds a single value a
    `linalg.fill`, and of any other a copy of its own:

    ```mlir
    %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %s = arith.constant dense<0.0> : tensor<64xf32>
    ```

    becomes

    ```mlir
    %host = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %c = bufferization.alloc_tensor() copy(%host) : tensor<2xf32>
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<64xf32>
    %s = linalg.fill ins(%zero : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
    ```

    After bufferization `autosage-dense-to-gpu` turns the copy into a kernel, with
    the numbers in the GPU module.
  }];
  let statistics = [
    Statistic<"numPlaced", "placed", "Constants in device memory">];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::bufferization::BufferizationDialect",
    "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def AutosageDenseToGPU : Pass<"autosage-dense-to-gpu", "mlir::ModuleOp"> {
  let summary = "Lower dense ops on device memory to GPU kernels and launches";
  let description = [{
    Turns every op of linalg on memrefs of device memory into a kernel and host
    code that launches it: what stands between `autosage` ops in a program
    (products with weights, bias, activations, fills, broadcasts).

    A thread takes one point of the parallel loops, neighbours in the last index of the
    first output, and runs the loops of reductions in order, with the sums in
    registers: results are the same in every run. A sum over all of a tensor is
    so the work of one thread; a product is not tiled. Sizes and strides may be
    anything, zero too; where types have them, they are constants of the kernel.

    ```mlir
    linalg.matmul ins(%x, %w : memref<?x16xf32>, memref<16x8xf32>)
                  outs(%y : memref<?x8xf32>)
    ```

    becomes

    ```mlir
    %points = ... rows of %y * 8 ...
    gpu.launch_func @autosage_dense::@matmul blocks in (%points / 256, 1, 1)
        threads in (256, 1, 1) args(... pointers, rows, %points ...)
    ```

    A `memref.copy` from a constant of the module becomes a kernel that writes it.

    The bodies of the ops may use numbers from outside and `linalg.index`, and
    read buffers by index. Kernels are functions of one `gpu.module`, equal ones
    once. The pass comes after bufferization.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90\"",
           "Chip that the kernels are for">,
    Option<"maxGridX", "max-grid-x", "int64_t", "2147483647",
           "Blocks of one launch; larger grids take several">];
  let statistics = [
    Statistic<"numKernels", "kernels", "Ops turned into launches">];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::func::FuncDialect", "mlir::gpu::GPUDialect",
    "mlir::linalg::LinalgDialect", "mlir::LLVM::LLVMDialect",
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
    that reads or writes elements itself is an error. Static buffers of index or i1
    are left alone where it does, the helpers that buffer deallocation makes.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::memref::MemRefDialect"];
}

#endif // AUTOSAGE_CONVERSION_PASSES
