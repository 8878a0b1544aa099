//===- AutosageComputeOps.td - spmm, sddmm, softmax, attention *- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_COMPUTE_OPS_TD
#define AUTOSAGE_COMPUTE_OPS_TD

include "autosage/Dialect/Autosage/IR/AutosageBase.td"

// Constraints (S1) to (S7) hold for every compute op and are checked in one
// place, lib/Dialect/Autosage/IR/AutosageVerify.cpp.
class Autosage_ComputeOp<string mnemonic>
    : Autosage_DestinationOp<mnemonic, [
        AttrSizedOperandSegments,
        DeclareOpInterfaceMethods<Autosage_SparseOpInterface>]> {
  defvar sharedConstraints = [{
    Constraints of every compute op:
    - (S1) The op has either a pattern or component arrays: as many as the
      layout has, then the number of columns as `index`.
    - (S2) All arrays and dense operands are tensors, or all are buffers; a
      pattern needs tensors.
    - (S3) `rowptr`, `colind` are of rank 1, `tasks` is n x 4; element types are
      i32, i64 or index; as buffers they are contiguous.
    - (S4) No output is an input or another output (`row_softmax` may write onto
      its logits).
    - (S5) Statistics agree with static sizes.
    - (S6) `layout` is written on arrays only.
    - (S7) Buffers are strided: their layout is no general affine map.
  }];
  code sharedDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
  let extraClassDeclaration = sharedDeclaration;
}

def Autosage_SpmmOp : Autosage_ComputeOp<"spmm"> {
  let summary = "sparse times dense matrix product, with a choice of reduction";
  let description = [{
    `y[i, h, :] = reduce over edges e = (i, j) of w[e, h] * x[j, h, :]`, where
    the reduction is `sum`, `mean` (the sum over the number of edges), `max` or
    `min` (NaN propagates). Without edge values each counts as 1. A row without
    edges gives 0. With `transpose` the edges are read backwards: `y[j] = reduce
    over (i, j) of w * x[i]`. With `accumulate` the result is added to `outs`.

    Shapes: `x` is n x F, or n x H x F with heads; `y` likewise. Edge values are
    `nnz`, `nnz x 1` (both for all heads) or `nnz x H`.
  }] # sharedConstraints # [{
    Constraints:
    - (C1) `x` and `outs` have one rank, 2 or 3, and one output.
    - (C2) `outs` has as many rows as the pattern has rows (columns where
      transposed).
    - (C3) `x` has as many rows as the pattern has columns (rows where
      transposed).
    - (C4) `x` and `outs` have the same heads and features.
    - (C5) Edge values have `nnz` entries, and 1 or H heads.
    - (C6) Edge values have the element type of `x`; `outs` has it too, or is
      f32 where `x` is f16 or bf16.
    - (C7) `accumulate` goes with `sum` and `mean` only.

    Example:
    ```mlir
    func.func @spmm(%p: !autosage.pattern<?x?, i32, i32>, %w: tensor<?xf32>,
                    %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
      %y = autosage.spmm mean %p[%w : tensor<?xf32>], %x outs(%y0) schedule<row_parallel, vec = 16>
         : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
      return %y : tensor<?x64xf32>
    }
    func.func @spmm_buffers(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
                            %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
      autosage.spmm mean on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %x
          outs(%y) : memref<?x64xf32>, memref<?x64xf32>
      return
    }
    ```
  }];
  let arguments = (ins Autosage_ReductionAttr:$reduction,
    Optional<Autosage_PatternType>:$pattern, Variadic<Autosage_Component>:$arrays,
    Optional<Autosage_Dense>:$values, Autosage_Dense:$x, Variadic<Autosage_Dense>:$outs,
    UnitAttr:$transpose, UnitAttr:$accumulate,
    OptionalAttr<Autosage_LayoutAttr>:$layout, OptionalAttr<Autosage_StatsAttr>:$stats,
    OptionalAttr<Autosage_ScheduleAttr>:$schedule, OptionalAttr<Autosage_DecisionAttr>:$decision);
  let results = (outs Variadic<RankedTensorOf<Autosage_Elements>>:$results);
  let assemblyFormat = [{
    `` $reduction (`on` `(` $arrays^ `:` type($arrays) `)`) : ($pattern)?
    (`` `[` $values^ `:` type($values) `]`)? `,` $x `outs` `(` $outs `)`
    (`layout` `` $layout^)? (`stats` `` $stats^)? (`schedule` `` $schedule^)?
    (`decision` `` $decision^)? `` custom<Attributes>(attr-dict)
    `:` custom<OperandTypes>(ref($pattern), type($pattern), type($x), type($outs), type($results))
  }];
  let hasCanonicalizer = 1;
}

def Autosage_SddmmOp : Autosage_ComputeOp<"sddmm"> {
  let summary = "dense times dense product, sampled at the edges";
  let description = [{
    For every edge `e = (i, j)`: `dot` gives `s[e, h] = scale * w[e, h] * (q[i, h,
    :] . k[j, h, :])`, `add` gives `s[e, h] = scale * w[e, h] * (q[i, h] + k[j,
    h])`. `scale` is 1 where it is not given, `w` too. Results keep the order of
    the edges.

    Shapes: for `dot`, `q` is rows x F, or rows x H x F, `k` is cols x F or cols
    x H x F, outs `nnz` or `nnz x H`; for `add`, `q` is rows x H, `k` cols x H,
    outs `nnz x H`.
  }] # sharedConstraints # [{
    Constraints:
    - (C1) `q` and `k` have one rank, 2 or 3 (2 for `add`), outs one less for
      `dot` and the same for `add`; one output.
    - (C2) `q` has as many rows as the pattern.
    - (C3) `k` has as many rows as the pattern has columns.
    - (C4) `q` and `k` have the same heads and inner size.
    - (C5) outs has `nnz` entries and H heads.
    - (C6) Edge values have `nnz` entries, and 1 or H heads.
    - (C7) `q`, `k` and edge values have one element type; outs has it too, or is
      f32 where they are f16 or bf16.

    Example:
    ```mlir
    func.func @sddmm(%p: !autosage.pattern<?x?, i32, i32>, %q: tensor<?x64xf32>,
                     %k: tensor<?x64xf32>, %s0: tensor<?xf32>) -> tensor<?xf32> {
      %s = autosage.sddmm dot %p, %q, %k outs(%s0) {scale = 0.125 : f32}
         : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?xf32>
      return %s : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins Autosage_CombineAttr:$combine,
    Optional<Autosage_PatternType>:$pattern, Variadic<Autosage_Component>:$arrays,
    Optional<Autosage_Dense>:$values, Autosage_Dense:$q, Autosage_Dense:$k,
    Variadic<Autosage_Dense>:$outs, OptionalAttr<Autosage_ScaleAttr>:$scale,
    OptionalAttr<Autosage_LayoutAttr>:$layout, OptionalAttr<Autosage_StatsAttr>:$stats,
    OptionalAttr<Autosage_ScheduleAttr>:$schedule, OptionalAttr<Autosage_DecisionAttr>:$decision);
  let results = (outs Variadic<RankedTensorOf<Autosage_Elements>>:$results);
  let assemblyFormat = [{
    `` $combine (`on` `(` $arrays^ `:` type($arrays) `)`) : ($pattern)?
    (`` `[` $values^ `:` type($values) `]`)? `,` $q `,` $k `outs` `(` $outs `)`
    (`layout` `` $layout^)? (`stats` `` $stats^)? (`schedule` `` $schedule^)?
    (`decision` `` $decision^)? `` custom<Attributes>(attr-dict)
    `:` custom<OperandTypes>(ref($pattern), type($pattern), type($q), type($k),
                             type($outs), type($results))
  }];
  let hasCanonicalizer = 1;
}

def Autosage_RowSoftmaxOp : Autosage_ComputeOp<"row_softmax"> {
  let summary = "softmax over the edges of each row";
  let description = [{
    `a[e, h] = exp(scale * s[e, h] - m) / sum over the row of exp(scale * s - m)`,
    with `m` the row's maximum; `scale` is 1 where it is not given. Positions
    that are not stored act as -inf. A row whose logits are all -inf gives
    zeros; NaN and +inf stay inside their row. On buffers, the output may be
    exactly the logits.

    Shapes: logits and outs are `nnz` or `nnz x H`.
  }] # sharedConstraints # [{
    Constraints:
    - (C1) Logits are given; they and outs have one shape, of rank 1 or 2; one
      output.
    - (C2) Logits have `nnz` entries.
    - (C3) Logits and outs have one element type, or outs is f32 where logits
      are f16 or bf16.

    Example:
    ```mlir
    func.func @row_softmax(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?xf32>,
                           %a0: tensor<?xf32>) -> tensor<?xf32> {
      %a = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%a0)
         : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
      return %a : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins
    Optional<Autosage_PatternType>:$pattern, Variadic<Autosage_Component>:$arrays,
    Optional<Autosage_Dense>:$values, Variadic<Autosage_Dense>:$outs,
    OptionalAttr<Autosage_ScaleAttr>:$scale,
    OptionalAttr<Autosage_LayoutAttr>:$layout, OptionalAttr<Autosage_StatsAttr>:$stats,
    OptionalAttr<Autosage_ScheduleAttr>:$schedule, OptionalAttr<Autosage_DecisionAttr>:$decision);
  let results = (outs Variadic<RankedTensorOf<Autosage_Elements>>:$results);
  let assemblyFormat = [{
    (`on` `(` $arrays^ `:` type($arrays) `)`) : ($pattern)?
    (`` `[` $values^ `:` type($values) `]`)? `outs` `(` $outs `)`
    (`layout` `` $layout^)? (`stats` `` $stats^)? (`schedule` `` $schedule^)?
    (`decision` `` $decision^)? `` custom<Attributes>(attr-dict)
    `:` custom<OperandTypes>(ref($pattern), type($pattern), type($outs), type($results))
  }];
  let hasCanonicalizer = 1;
}

def Autosage_AttentionOp : Autosage_ComputeOp<"attention"> {
  let summary = "attention over the edges of a pattern";
  let description = [{
    With `logit[e, h] = scale * score(i, j, h) + bias[e, h]` for every edge
    `e = (i, j)`: `o[i, h, :] = sum over the row of softmax(logit)[e, h] * v[j, h,
    :]`. Scores:

    - `dot`: `q[i, h, :] . k[j, h, :]`;
    - `gat`: `leaky_relu(q[i, h] + k[j, h])`;
    - `gatv2`: `vec[h, :] . leaky_relu(q[i, h, :] + k[j, h, :])`.

    The leaky ReLU has slope `negative_slope` (0.2 where it is not given) below
    zero; `scale` is 1 and `bias` 0 where not given. A row without edges, or
    with no logit above -inf, gives 0. The optional second output is the natural
    logarithm of the sum of the exponentials of the logits, -inf for such rows.

    Shapes: `q` is rows x F or rows x H x F, `k` cols x F or cols x H x F (for
    `gat`, `q` is rows x H, `k` cols x H and `v` cols x H x Dv); `v` is cols x Dv
    or cols x H x Dv, the output rows x Dv or rows x H x Dv, log-sum-exp `rows`
    or rows x H; `vec` is H x F (1 x F without heads); bias is `nnz`, `nnz x 1`
    or `nnz x H`.
  }] # sharedConstraints # [{
    Constraints:
    - (C1) One output, or two with log-sum-exp; `v` and the output have one
      rank, 2 or 3; `q` and `k` have it too, or 2 for `gat`, whose `v` has rank
      3.
    - (C2) `q` and the outputs have as many rows as the pattern.
    - (C3) `k` and `v` have as many rows as the pattern has columns.
    - (C4) `q` and `k` have the same heads and inner size; `v` and the outputs
      have the same heads, `v` and the output the same width.
    - (C5) `vec` is given for `gatv2` and for nothing else, and is H x F.
    - (C6) Bias has `nnz` entries, and 1 or H heads.
    - (C7) Inputs have one element type; outputs have it too, or are f32 where it
      is f16 or bf16.
    - (C8) log-sum-exp has rank one less than the output.

    Example:
    ```mlir
    func.func @attention(%p: !autosage.pattern<?x?, i32, i32>, %q: tensor<?x2x8xf32>,
                         %k: tensor<?x2x8xf32>, %v: tensor<?x2x16xf32>, %a: tensor<2x8xf32>,
                         %b: tensor<?xf32>, %o0: tensor<?x2x16xf32>, %l0: tensor<?x2xf32>)
        -> (tensor<?x2x16xf32>, tensor<?x2xf32>) {
      %o, %l = autosage.attention gatv2 %p[%b : tensor<?xf32>], %q, %k, %v vec(%a : tensor<2x8xf32>)
          outs(%o0, %l0) {scale = 0.125 : f32}
          : !autosage.pattern<?x?, i32, i32>, tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x16xf32>
          -> tensor<?x2x16xf32>, tensor<?x2xf32>
      return %o, %l : tensor<?x2x16xf32>, tensor<?x2xf32>
    }
    ```
  }];
  let arguments = (ins Autosage_ScoreAttr:$score,
    Optional<Autosage_PatternType>:$pattern, Variadic<Autosage_Component>:$arrays,
    Optional<Autosage_Dense>:$values, Autosage_Dense:$q, Autosage_Dense:$k, Autosage_Dense:$v,
    Optional<Autosage_Dense>:$vec, Variadic<Autosage_Dense>:$outs,
    OptionalAttr<Autosage_ScaleAttr>:$scale, OptionalAttr<Autosage_ScaleAttr>:$negative_slope,
    OptionalAttr<Autosage_LayoutAttr>:$layout, OptionalAttr<Autosage_StatsAttr>:$stats,
    OptionalAttr<Autosage_ScheduleAttr>:$schedule, OptionalAttr<Autosage_DecisionAttr>:$decision);
  let results = (outs Variadic<RankedTensorOf<Autosage_Elements>>:$results);
  let assemblyFormat = [{
    `` $score (`on` `(` $arrays^ `:` type($arrays) `)`) : ($pattern)?
    (`` `[` $values^ `:` type($values) `]`)? `,` $q `,` $k `,` $v
    (`vec` `(` $vec^ `:` type($vec) `)`)? `outs` `(` $outs `)`
    (`layout` `` $layout^)? (`stats` `` $stats^)? (`schedule` `` $schedule^)?
    (`decision` `` $decision^)? `` custom<Attributes>(attr-dict)
    `:` custom<OperandTypes>(ref($pattern), type($pattern), type($q), type($k), type($v),
                             type($outs), type($results))
  }];
  let hasCanonicalizer = 1;
}

def Autosage_AttentionBackwardOp : Autosage_DestinationOp<"attention_backward", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<Autosage_SparseOpInterface, ["hasKernel"]>]> {
  let summary = "gradients of attention";
  let description = [{
    Gradients of `autosage.attention` in its operands, given what it read, what
    it gave (`o` and the log-sum-exp) and the gradient of `o`. For every edge
    `e = (i, j)` and head, with the logits computed anew:

    - `p = exp(logit - lse[i])`, the weight of the edge;
    - `ds = p * (d_o[i] . v[j] - d_o[i] . o[i])`, the gradient of the logit, 0
      where `p` is 0;
    - `dv[j]` sums `p * d_o[i]`, `dq[i]` and `dk[j]` sum `scale * ds` times the
      derivatives of the score, `dvec` those in `vec`; `dbias[e] = ds`, summed
      over the heads that share a bias. The leaky ReLU has slope 1 at 0.

    A row whose log-sum-exp is -inf takes part in nothing: it has gradients of
    0, whatever `d_o` is. The log-sum-exp itself has no gradient.

    Outputs are dq, dk, dv, for `gatv2` dvec, and last, where a bias is given
    and its gradient is wanted, dbias.

    No kernel computes the op: `autosage-expand-backward` makes others of it, on
    tensors, which have its schedule where it has one. With `attention = fused`,
    the default, these are `autosage.attention_backward_q` and
    `autosage.attention_backward_kv`, with `attention = composed` one for each
    step. They need the transposed pattern and its edge permutation, which
    `transposed` may give; else they are made (`autosage.transpose`).

    Shapes: those of `autosage.attention`; `o` and `d_o` are rows x Dv or rows x
    H x Dv, `lse` is `rows` or rows x H; a gradient has the shape of its operand.

    As for every compute op, (S1) to (S7) hold. Constraints:
    - (C1) 3 outputs, 4 for `gatv2`, and one more or not with a bias; `v`, `o`
      and `d_o` have one rank, 2 or 3; `q` and `k` have it too, or 2 for `gat`,
      whose `v` has rank 3.
    - (C2) `q`, `o`, `lse` and `d_o` have as many rows as the pattern.
    - (C3) `k` and `v` have as many rows as the pattern has columns.
    - (C4) `q` and `k` have the same heads and inner size; `o`, `d_o` and `v`
      too; `q` has the heads of `v`.
    - (C5) `vec` is given for `gatv2` and for nothing else, and is H x F.
    - (C6) Bias has `nnz` entries, and 1 or H heads.
    - (C7) Inputs have one element type; `o`, `lse`, `d_o` and outputs have it
      too, or are f32 where it is f16 or bf16.
    - (C8) `lse` has rank one less than `o`, and its heads.
    - (C9) A gradient has the sizes of its operand.
    - (C10) `transposed` has positions, coordinates and permutation of the
      transposed pattern, of rank 1: `cols + 1`, `nnz` and `nnz` entries.

    Example:
    ```mlir
    func.func @attention_backward(%p: !autosage.pattern<?x?, i32, i32>, %q: tensor<?x2x8xf32>,
                                  %k: tensor<?x2x8xf32>, %v: tensor<?x2x16xf32>, %o: tensor<?x2x16xf32>,
                                  %lse: tensor<?x2xf32>, %do: tensor<?x2x16xf32>, %dq0: tensor<?x2x8xf32>,
                                  %dk0: tensor<?x2x8xf32>, %dv0: tensor<?x2x16xf32>)
        -> (tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x16xf32>) {
      %dq, %dk, %dv = autosage.attention_backward dot %p, %q, %k, %v from(%o, %lse, %do)
          outs(%dq0, %dk0, %dv0) {scale = 0.125 : f32}
          : !autosage.pattern<?x?, i32, i32>, tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x16xf32>,
            tensor<?x2x16xf32>, tensor<?x2xf32>, tensor<?x2x16xf32>
          -> tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x16xf32>
      return %dq, %dk, %dv : tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x16xf32>
    }
    ```
  }];
  let arguments = (ins Autosage_ScoreAttr:$score,
    Optional<Autosage_PatternType>:$pattern, Variadic<Autosage_Component>:$arrays,
    Optional<Autosage_Dense>:$values, Autosage_Dense:$q, Autosage_Dense:$k, Autosage_Dense:$v,
    Optional<Autosage_Dense>:$vec, Autosage_Dense:$o, Autosage_Dense:$lse, Autosage_Dense:$d_o,
    Variadic<Autosage_IndexBuffer>:$transposed, Variadic<Autosage_Dense>:$outs,
    OptionalAttr<Autosage_ScaleAttr>:$scale, OptionalAttr<Autosage_ScaleAttr>:$negative_slope,
    OptionalAttr<Autosage_LayoutAttr>:$layout, OptionalAttr<Autosage_StatsAttr>:$stats,
    OptionalAttr<Autosage_ScheduleAttr>:$schedule, OptionalAttr<Autosage_DecisionAttr>:$decision);
  let results = (outs Variadic<RankedTensorOf<Autosage_Elements>>:$results);
  let assemblyFormat = [{
    `` $score (`on` `(` $arrays^ `:` type($arrays) `)`) : ($pattern)?
    (`` `[` $values^ `:` type($values) `]`)? `,` $q `,` $k `,` $v
    (`vec` `(` $vec^ `:` type($vec) `)`)? `from` `(` $o `,` $lse `,` $d_o `)`
    (`transposed` `(` $transposed^ `:` type($transposed) `)`)? `outs` `(` $outs `)`
    (`layout` `` $layout^)? (`stats` `` $stats^)? (`schedule` `` $schedule^)?
    (`decision` `` $decision^)? `` custom<Attributes>(attr-dict)
    `:` custom<OperandTypes>(ref($pattern), type($pattern), type($q), type($k), type($v),
                             type($o), type($lse), type($d_o), type($outs), type($results))
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
    /// The gradients of vec and bias; null where they are no outputs.
    ::mlir::Value getDvec();
    ::mlir::Value getDbias();
  }];
  let hasCanonicalizer = 1;
}

#endif // AUTOSAGE_COMPUTE_OPS_TD
