//===- Passes.td - transforms of the autosage dialect ------*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TRANSFORMS_PASSES
#define AUTOSAGE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def AutosageSelectSchedule : Pass<"autosage-select-schedule"> {
  let summary = "Choose a schedule for every op that has none";
  let description = [{
    Writes `#autosage.schedule` and `#autosage.decision` on every compute op
    without a schedule. An op that carries a schedule is left alone, so the pass
    is idempotent and a user's choice wins.

    `oracle=estimate` follows a documented rule over the element type, the width
    and, where known, the statistics (docs/scheduling.md); it measures nothing.
    Each choice is explained by a remark of category `autosage`.

    Before:
    ```mlir
    %y = autosage.spmm sum %p, %x outs(%y0) : ...
    ```
    After:
    ```mlir
    %y = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, grain = 64, tile = 64, vec = 16>
        decision<estimate, rule = cpu_row_parallel> : ...
    ```
  }];
  let options = [
    Option<"oracle", "oracle", "std::string", "\"estimate\"",
           "Who decides: estimate">,
    Option<"target", "target", "std::string", "\"cpu\"",
           "What the op runs on: cpu, simt or nvptx[:CHIP]">,
    Option<"vectorBits", "vector-bits", "int64_t", "512",
           "Width of a vector register of the cpu target in bits: 128, 256 or 512">];
}

def AutosageVerifySchedule : Pass<"autosage-verify-schedule"> {
  let summary = "Reject schedules that the target cannot run";
  let description = [{
    Checks the schedule of every compute op against the limits of the target;
    the diagnostic names the limit and the number that exceeds it.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "What the op runs on: cpu, simt or nvptx[:CHIP]">];
}

def AutosageExpandPattern : Pass<"autosage-expand-pattern", "mlir::ModuleOp"> {
  let summary = "Replace patterns by their component arrays";
  let description = [{
    Replaces every value of type `!autosage.pattern` by its component arrays and
    its number of columns: through functions and calls, scf and cf control flow,
    and select. Compute ops then carry the arrays in `on(...)`, with the layout
    and the statistics of the pattern; `transpose` and `prepare` become
    `build_transpose` and `build_tasks`.

    Runs on tensors, before bufferization: a pattern that survives would hide
    reads of its arrays, so that an in-place write could move before the op that
    reads them. One that cannot be replaced is an error.

    Before:
    ```mlir
    %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
    %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
    ```
    After:
    ```mlir
    %y = autosage.spmm sum on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index), %x outs(%y0) : tensor<?x64xf32> -> tensor<?x64xf32>
    ```
  }];
  let dependentDialects = ["mlir::autosage::AutosageDialect",
    "mlir::arith::ArithDialect", "mlir::tensor::TensorDialect"];
}

def AutosageFuseAttention : Pass<"autosage-fuse-attention"> {
  let summary = "Make one attention of sddmm, row_softmax and spmm";
  let description = [{
    Takes `sddmm dot` or `sddmm add`, scale, bias and leaky ReLU, `row_softmax`
    and `spmm sum` on one pattern, with or without heads, for the `attention`
    that they compute. What lies between product and softmax may be elementwise
    ops of arith on tensors and linalg ops: factors, one tensor of numbers for
    edges that is added (the bias), a leaky ReLU of `sddmm add` as a comparison
    and a select, or as a maximum.

    Ops stay as they are where an intermediate has another use, where the result
    would be another one, or where their schedules differ: a remark of category
    `autosage` says why. The forms agree to rounding; of a row whose logits are
    all -inf attention gives zeros, where a sum of zeros times infinities or NaN
    in v is NaN.

    Runs on tensors, before bufferization.

    Before:
    ```mlir
    %s = autosage.sddmm dot %p, %q, %k outs(%s0) {scale = 0.125 : f32} : ...
    %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%s) : ...
    %y = autosage.spmm sum %p[%w : tensor<?xf32>], %v outs(%y0) : ...
    ```
    After:
    ```mlir
    %y = autosage.attention dot %p, %q, %k, %v outs(%y0) {scale = 0.125 : f64} : ...
    ```
  }];
}

def AutosageDecomposeAttention : Pass<"autosage-decompose-attention"> {
  let summary = "Make sddmm, row_softmax and spmm of each attention";
  let description = [{
    The inverse of `autosage-fuse-attention`: scores `dot` and `gat` become
    `sddmm`, bias and leaky ReLU a `linalg.generic`. Scores and weights take the
    element type of the operands. Attention with the score `gatv2` or with a
    log-sum-exp stays: no other op has them. A remark says so.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
    "mlir::tensor::TensorDialect"];
}

#endif // AUTOSAGE_TRANSFORMS_PASSES
