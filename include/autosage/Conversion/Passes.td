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
