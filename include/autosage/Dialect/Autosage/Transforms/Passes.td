//===- Passes.td - transforms of the autosage dialect ------*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TRANSFORMS_PASSES
#define AUTOSAGE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def AutosageAnnotateStats : Pass<"autosage-annotate-stats", "mlir::ModuleOp"> {
  let summary = "Fill in what is known of the statistics of patterns";
  let description = [{
    Writes `#autosage.stats` (docs/statistics.md) from three sources:

    - `autosage.pattern` ops whose arrays are constants: all statistics; those
      whose positions alone are constant: what the lengths of rows say.
      Constants that are no pattern are left alone, with a warning.
    - Attributes `autosage.stats` of function arguments: an
      `autosage.assume_stats` in the function carries them on, since the
      attribute is lost where the function is inlined.
    - `graph=FILE`, a graph in any form of docs/formats.md: its statistics go to
      every `autosage.pattern`, every result of `autosage.pattern_of` and every
      argument of a defined function whose static sizes, and whose statistics as
      far as they are written, agree with the file. None is an error.

    Entries that are written already stay as they are. Statistics are part of
    the op that carries them: CSE merges ops with equal ones only, inlining and
    canonicalization keep them.

    Before:
    ```mlir
    func.func @f(%p: !autosage.pattern<?x?, i32, i32> {autosage.stats = #autosage.stats<nnz = 9, rows = 4>}, ...)
      %y = autosage.spmm sum %p, %x outs(%y0) : ...
    ```
    After:
    ```mlir
      %q = autosage.assume_stats %p stats<nnz = 9, rows = 4> : !autosage.pattern<?x?, i32, i32>
      %y = autosage.spmm sum %q, %x outs(%y0) : ...
    ```
  }];
  let options = [
    Option<"graph", "graph", "std::string", "\"\"",
           "File of the graph that patterns of its size are">];
  let statistics = [
    Statistic<"numConstants", "num-constants",
              "Number of patterns made of constants">,
    Statistic<"numArguments", "num-arguments",
              "Number of function arguments with statistics">,
    Statistic<"numFromFile", "num-from-file",
              "Number of patterns that have the file's statistics">];
}

def AutosageSelectSchedule : Pass<"autosage-select-schedule"> {
  let summary = "Choose a schedule for every op that has none";
  let description = [{
    Writes `#autosage.schedule` and `#autosage.decision` on every compute op
    without a schedule. An op that carries a schedule is left alone, so the pass
    is idempotent and a user's choice wins. Statistics are those of the op and
    of the pattern behind it.

    | `oracle` | who decides |
    |---|---|
    | `estimate` | the model of costs (docs/estimate.md), with the facts of the target's chip; for `cpu` those of a usual server |
    | `replay` | the decision in `cache` for the same call, fingerprint, target and chip, else the estimate, as `fallback` |
    | `probe` | a stored probe, else a race on this machine where the pattern is a constant or `graph` names it; else the estimate, with a warning |

    Where the choice is `row_tasks` and the op has a pattern value, its task list
    becomes an `autosage.prepare` before the op, which CSE and loop-invariant
    code motion share and hoist. Where nothing is known of the pattern, a rule
    over types and widths decides (docs/scheduling.md); with `versions` above 1
    the op becomes an `scf.index_switch` over that many
    versions behind an `autosage.choose_version`, which looks at the pattern
    when the program runs.

    `estimate` and `replay` give the same for the same input. Each choice is
    explained by a remark of category `autosage`, with the numbers of the
    decision.

    Before:
    ```mlir
    %y = autosage.spmm sum %p, %x outs(%y0) : ...
    ```
    After:
    ```mlir
    %t = autosage.prepare %p layout<tasks<256, stored>> : ...
    %y = autosage.spmm sum %t, %x outs(%y0) schedule<row_tasks, chunk = 256>
        decision<estimate, device = "H100 SXM", estimate_ms = 1.07e-02, ...> : ...
    ```
  }];
  let dependentDialects = ["mlir::autosage::AutosageDialect",
    "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
  let options = [
    Option<"oracle", "oracle", "std::string", "\"estimate\"",
           "Who decides: estimate, probe or replay">,
    Option<"target", "target", "std::string", "\"cpu\"",
           "What the op runs on: cpu, simt or nvptx[:CHIP]">,
    Option<"vectorBits", "vector-bits", "int64_t", "512",
           "Width of a vector register of the cpu target in bits: 128, 256 or 512">,
    Option<"threads", "threads", "int64_t", "0",
           "Threads of the cpu target; 0: 8">,
    Option<"expectedCalls", "expected-calls", "int64_t", "0",
           "How often the op will run on its pattern; 0: not stated">,
    Option<"cache", "cache", "std::string", "\"\"",
           "File of decisions for replay and probe; empty: the default place">,
    Option<"graph", "graph", "std::string", "\"\"",
           "File of the graph that probe measures on">,
    Option<"guardrail", "guardrail", "double", "0.98",
           "The probe's winner takes at most this part of the baseline's time">,
    Option<"budget", "budget", "double", "0",
           "Milliseconds that a probe may take; 0: as docs/oracle.md says">,
    Option<"probeK", "probe-k", "int64_t", "3",
           "Candidates that are probed">,
    Option<"versions", "versions", "int64_t", "1",
           "Most versions of an op of whose pattern nothing is known: 1 to 8">];
  let statistics = [
    Statistic<"numSelected", "num-selected", "Number of schedules chosen">,
    Statistic<"numPrepared", "num-prepared", "Number of preparations inserted">,
    Statistic<"numVersioned", "num-versioned", "Number of ops that became several versions">];
}

def AutosageVerifySchedule : Pass<"autosage-verify-schedule"> {
  let summary = "Reject schedules that the target cannot run";
  let description = [{
    Checks the schedule of every compute op against the limits of the target:
    families that run there, values that a lane or a loop holds in registers, and
    where a chip is named how often blocks fit its multiprocessors. The
    diagnostic names the limit and the number that exceeds it. Shared memory of
    a kernel is checked where it is known, when the kernel is serialized.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "What the op runs on: cpu, simt or nvptx[:CHIP]">];
}

def AutosageHoistPreparation : Pass<"autosage-hoist-preparation"> {
  let summary = "Move what a pattern needs once out of loops";
  let description = [{
    Moves pure ops whose operands do not change in a loop before it: chosen
    versions, prepared and transposed patterns, and what they are made of. As
    upstream's loop-invariant code motion, but that `tensor.empty` stays: outside
    it would be one buffer for all iterations, and what they yield a copy. To be
    run before `autosage-expand-pattern`, while preparations are values.

    Before:
    ```mlir
    scf.for ... {
      %t = autosage.prepare %p layout<tasks<256, stored>> : ...
      %e = tensor.empty(%n) : tensor<?x64xf32>
      %y = autosage.spmm sum %t, %x outs(%e) : ...
    }
    ```
    After:
    ```mlir
    %t = autosage.prepare %p layout<tasks<256, stored>> : ...
    scf.for ... {
      %e = tensor.empty(%n) : tensor<?x64xf32>
      %y = autosage.spmm sum %t, %x outs(%e) : ...
    }
    ```
  }];
}

def AutosageExpandPattern : Pass<"autosage-expand-pattern", "mlir::ModuleOp"> {
  let summary = "Replace patterns by their component arrays";
  let description = [{
    Replaces every value of type `!autosage.pattern` by its component arrays and
    its number of columns: through functions and calls, scf and cf control flow,
    and select. Compute ops then carry the arrays in `on(...)`, with the layout
    and the statistics of the pattern; `transpose` and `prepare` become
    `build_transpose` and `build_tasks`.

    `scf.index_switch` ops that yield tensors become chains of `scf.if`, which
    bufferization understands.

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
    "mlir::arith::ArithDialect", "mlir::scf::SCFDialect",
    "mlir::tensor::TensorDialect"];
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

def AutosageExpandBackward : Pass<"autosage-expand-backward"> {
  let summary = "Make ops that have kernels of each attention_backward";
  let description = [{
    Fused, which is the schedule's `attention` where the op has one and the
    default else, an op becomes two walks, over the edges of queries and, on the
    transposed pattern, over those of keys; nothing is kept of edges but what the
    gradient of the bias is.

    Composed, weights and gradients of logits are numbers for every edge and head, in f32
    where the operands are f16 or bf16, else in their type: `sddmm`, then an
    elementwise `linalg.generic` with the log-sum-exp. Gradients of q sum over
    the rows of the pattern; those of k and v over the rows of the transposed
    pattern, to whose order numbers of edges are brought by its permutation. So
    there are no atomics, and one program gives the same bits each time. The
    gradients of `gatv2` compute the leaky ReLU anew for every edge and feature,
    in loops over the edges of a row.

    Part of both pipelines, in front of `autosage-select-schedule`. Runs on
    tensors. docs/gradients.md has the formulae.

    The ops have the schedule of what they are made of.

    Before:
    ```mlir
    %dq, %dk, %dv = autosage.attention_backward dot %p, %q, %k, %v from(%o, %lse, %do) outs(...) : ...
    ```
    After:
    ```mlir
    %dq, %delta = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %lse, %do) outs(...) : ...
    %t, %perm = autosage.transpose %p : ...
    %dk, %dv = autosage.attention_backward_kv dot %t, %q, %k, %v from(%lse, %delta, %do) outs(...) : ...
    ```
    or, composed:
    ```mlir
    %s = autosage.sddmm dot %p, %q, %k outs(%s0) : ...
    %l = autosage.sddmm add %p, %lse, %zeros outs(%l0) : ...
    %dp = autosage.sddmm dot %p, %do, %v outs(%dp0) : ...
    %w, %ds = linalg.generic ... // exp(s - l), w * (dp - delta)
    %dq = autosage.spmm sum %p[%ds : ...], %k outs(...) : ...
    %t, %perm = autosage.transpose %p : ...
    %dst, %wt = linalg.generic ... // ds[perm], w[perm]
    %dk = autosage.spmm sum %t[%dst : ...], %q outs(...) : ...
    %dv = autosage.spmm sum %t[%wt : ...], %do outs(...) : ...
    ```
  }];
  let dependentDialects = ["mlir::autosage::AutosageDialect", "mlir::arith::ArithDialect",
    "mlir::linalg::LinalgDialect", "mlir::math::MathDialect", "mlir::scf::SCFDialect",
    "mlir::tensor::TensorDialect"];
  let options = [Option<"composed", "composed", "bool", "false",
    "In steps, whatever a schedule says: for targets without kernels of the two walks">];
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "Number of ops expanded">];
}

def AutosageAddBackward : Pass<"autosage-add-backward", "mlir::ModuleOp"> {
  let summary = "Add a function of gradients to functions of sparse ops";
  let description = [{
    For every function that `functions` names, all of the module where it is
    empty, adds `NAME_backward`: its arguments are those of the function and the
    gradients of its results, its results the gradients of the arguments that
    are tensors of floats, in their order and type. What gradients need of the
    function's own results is computed anew. A declaration of that name, so that
    other functions can call it, is replaced.

    The function is one block of the ops of this dialect on tensors. What they
    write to (`tensor.empty`, `linalg.fill`, arguments) has no gradient but where
    `accumulate` adds to it. The gradient of an argument that no result depends
    on is 0.

    Before:
    ```mlir
    func.func @f(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> { ... }
    ```
    After:
    ```mlir
    func.func @f(%p: ..., %x: tensor<?x8xf32>) -> tensor<?x8xf32> { ... }
    func.func @f_backward(%p: ..., %x: tensor<?x8xf32>, %dy: tensor<?x8xf32>) -> tensor<?x8xf32> { ... }
    ```
  }];
  let dependentDialects = ["mlir::autosage::AutosageDialect", "mlir::arith::ArithDialect",
    "mlir::linalg::LinalgDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
  let options = [
    ListOption<"functions", "functions", "std::string",
               "Names of the functions; all where none is given">];
  let statistics = [
    Statistic<"numAdded", "num-added", "Number of functions added">];
}

#endif // AUTOSAGE_TRANSFORMS_PASSES
