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
    ops as its schedule attribute says (family `row_parallel`; without a
    schedule, the family's defaults). The pass chooses nothing by itself.

    Rows are spread over the iterations of an `scf.parallel`; each output
    element is written by one iteration, in a fixed order of edges, so results
    do not depend on the number of threads. f16, bf16 and f32 accumulate in
    f32, f64 in f64.

    An autosage op on tensors or on a pattern that is left is an error:
    `autosage-expand-pattern` and bufferization come first.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::math::MathDialect",
    "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect",
    "mlir::vector::VectorDialect"];
}

#endif // AUTOSAGE_CONVERSION_PASSES
