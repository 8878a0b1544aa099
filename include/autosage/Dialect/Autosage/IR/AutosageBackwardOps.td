//===- AutosageBackwardOps.td - the two walks of fused gradients *- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What autosage-expand-backward makes of a fused attention_backward: one walk
// over the edges of each query, one over those of each key.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_BACKWARD_OPS_TD
#define AUTOSAGE_BACKWARD_OPS_TD

include "autosage/Dialect/Autosage/IR/AutosageComputeOps.td"

def Autosage_AttentionBackwardQOp : Autosage_ComputeOp<"attention_backward_q"> {
  let summary = "gradients of attention in its queries, in one walk";
  let description = [{
    For every row `i` of the pattern, its edges `e = (i, j)` and every head, with
    the logits computed anew, letters as in `autosage.attention_backward`:

    - `delta[i] = d_o[i] . o[i]`;
    - `p = exp(logit - lse[i])` and `ds = p * (d_o[i] . v[j] - delta[i])`, 0 where
      `p` is 0;
    - `dq[i]` sums `scale * ds` times the derivative of the score in q.

    A row whose log-sum-exp is -inf has gradients and a delta of 0.

    Outputs are dq and delta, for `gatv2` each row's part of the gradient of vec,
    and last, where they are wanted, the gradients of logits `ds` of every edge.

    Shapes: those of `autosage.attention_backward`; delta is `rows` or rows x H,
    parts of vec's gradient have the shape of q, gradients of logits are `nnz`,
    or `nnz` x H with heads.
  }] # sharedConstraints # [{
    Constraints:
    - (C1) 2 outputs, 3 for `gatv2`, and one more or not; ranks as in
      `autosage.attention_backward`.
    - (C2) `q`, `o`, `lse`, `d_o` and the outputs but the last have as many rows
      as the pattern.
    - (C3) `k` and `v` have as many rows as the pattern has columns.
    - (C4) Heads, inner sizes, `vec`, bias and element types of inputs are as in
      `autosage.attention_backward`.
    - (C5) dq has the shape of q, and its element type or f32 where that is f16
      or bf16; delta has the shape of `lse`, parts of vec's gradient that of q;
      both and the gradients of logits are f32 where the inputs are f16 or bf16,
      else of their type.

    Example:
    ```mlir
    func.func @backward_q(%p: !autosage.pattern<?x?, i32, i32>, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>,
                          %v: tensor<?x16xf32>, %o: tensor<?x16xf32>, %lse: tensor<?xf32>,
                          %do: tensor<?x16xf32>, %dq0: tensor<?x8xf32>, %delta0: tensor<?xf32>)
        -> (tensor<?x8xf32>, tensor<?xf32>) {
      %dq, %delta = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %lse, %do)
          outs(%dq0, %delta0) {scale = 0.125 : f32}
          : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32>,
            tensor<?x16xf32>, tensor<?xf32>, tensor<?x16xf32> -> tensor<?x8xf32>, tensor<?xf32>
      return %dq, %delta : tensor<?x8xf32>, tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins Autosage_ScoreAttr:$score,
    Optional<Autosage_PatternType>:$pattern, Variadic<Autosage_Component>:$arrays,
    Optional<Autosage_Dense>:$values, Autosage_Dense:$q, Autosage_Dense:$k, Autosage_Dense:$v,
    Optional<Autosage_Dense>:$vec, Autosage_Dense:$o, Autosage_Dense:$lse, Autosage_Dense:$d_o,
    Variadic<Autosage_Dense>:$outs,
    OptionalAttr<Autosage_ScaleAttr>:$scale, OptionalAttr<Autosage_ScaleAttr>:$negative_slope,
    OptionalAttr<Autosage_LayoutAttr>:$layout, OptionalAttr<Autosage_StatsAttr>:$stats,
    OptionalAttr<Autosage_ScheduleAttr>:$schedule, OptionalAttr<Autosage_DecisionAttr>:$decision);
  let results = (outs Variadic<RankedTensorOf<Autosage_Elements>>:$results);
  let assemblyFormat = [{
    `` $score (`on` `(` $arrays^ `:` type($arrays) `)`) : ($pattern)?
    (`` `[` $values^ `:` type($values) `]`)? `,` $q `,` $k `,` $v
    (`vec` `(` $vec^ `:` type($vec) `)`)? `from` `(` $o `,` $lse `,` $d_o `)`
    `outs` `(` $outs `)` (`layout` `` $layout^)? (`stats` `` $stats^)?
    (`schedule` `` $schedule^)? (`decision` `` $decision^)? `` custom<Attributes>(attr-dict)
    `:` custom<OperandTypes>(ref($pattern), type($pattern), type($q), type($k), type($v),
                             type($o), type($lse), type($d_o), type($outs), type($results))
  }];
  let extraClassDeclaration = sharedDeclaration # [{
    /// Parts of vec's gradient, and the gradients of logits; null where they are
    /// no outputs.
    ::mlir::Value getVecParts();
    ::mlir::Value getDLogits();
  }];
  let hasCanonicalizer = 1;
}

def Autosage_AttentionBackwardKVOp : Autosage_ComputeOp<"attention_backward_kv"> {
  let summary = "gradients of attention in its keys and values, in one walk";
  let description = [{
    The pattern is the transposed one: its rows are those of `k` and `v`, its
    columns those of `q`. For every row `j`, its edges `e = (j, i)` and every
    head, with `p` and `ds` as in `autosage.attention_backward_q`: `dv[j]` sums `p
    * d_o[i]`, `dk[j]` sums `scale * ds` times the derivative of the score in k.
    An edge to a row whose log-sum-exp is -inf adds nothing, whatever that row's
    q and `d_o` hold.

    The bias has the order of the pattern that was transposed, `edges` says where
    in it the entries are (the permutation that `autosage.transpose` gives); it
    has the order of this pattern where there are no `edges`.

    Outputs are dk and dv.

    Shapes: those of `autosage.attention_backward`; `delta` is that of `lse`.
  }] # sharedConstraints # [{
    Constraints:
    - (C1) 2 outputs; ranks as in `autosage.attention_backward`.
    - (C2) `q`, `lse`, `delta` and `d_o` have as many rows as the pattern has
      columns.
    - (C3) `k`, `v` and the outputs have as many rows as the pattern.
    - (C4) Heads, inner sizes, `vec`, bias and element types of inputs are as in
      `autosage.attention_backward`; `delta` is of `lse`'s shape, and f32 where
      the inputs are f16 or bf16, else of their type.
    - (C5) A gradient has the shape of its operand, and its element type or f32
      where that is f16 or bf16.
    - (C6) `edges` is of rank 1 with `nnz` entries, and given only beside a bias.

    Example:
    ```mlir
    func.func @backward_kv(%p: !autosage.pattern<?x?, i32, i32>, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>,
                           %v: tensor<?x16xf32>, %b: tensor<?xf32>, %lse: tensor<?xf32>,
                           %delta: tensor<?xf32>, %do: tensor<?x16xf32>, %dk0: tensor<?x8xf32>,
                           %dv0: tensor<?x16xf32>) -> (tensor<?x8xf32>, tensor<?x16xf32>) {
      %t, %perm = autosage.transpose %p : !autosage.pattern<?x?, i32, i32>
      %dk, %dv = autosage.attention_backward_kv dot %t[%b : tensor<?xf32>] edges(%perm : tensor<?xi32>),
          %q, %k, %v from(%lse, %delta, %do) outs(%dk0, %dv0) {scale = 0.125 : f32}
          : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32>,
            tensor<?xf32>, tensor<?xf32>, tensor<?x16xf32> -> tensor<?x8xf32>, tensor<?x16xf32>
      return %dk, %dv : tensor<?x8xf32>, tensor<?x16xf32>
    }
    ```
  }];
  let arguments = (ins Autosage_ScoreAttr:$score,
    Optional<Autosage_PatternType>:$pattern, Variadic<Autosage_Component>:$arrays,
    Optional<Autosage_Dense>:$values, Optional<Autosage_IndexBuffer>:$edges,
    Autosage_Dense:$q, Autosage_Dense:$k, Autosage_Dense:$v,
    Optional<Autosage_Dense>:$vec, Autosage_Dense:$lse, Autosage_Dense:$delta,
    Autosage_Dense:$d_o, Variadic<Autosage_Dense>:$outs,
    OptionalAttr<Autosage_ScaleAttr>:$scale, OptionalAttr<Autosage_ScaleAttr>:$negative_slope,
    OptionalAttr<Autosage_LayoutAttr>:$layout, OptionalAttr<Autosage_StatsAttr>:$stats,
    OptionalAttr<Autosage_ScheduleAttr>:$schedule, OptionalAttr<Autosage_DecisionAttr>:$decision);
  let results = (outs Variadic<RankedTensorOf<Autosage_Elements>>:$results);
  let assemblyFormat = [{
    `` $score (`on` `(` $arrays^ `:` type($arrays) `)`) : ($pattern)?
    (`` `[` $values^ `:` type($values) `]`)? (`edges` `(` $edges^ `:` type($edges) `)`)?
    `,` $q `,` $k `,` $v
    (`vec` `(` $vec^ `:` type($vec) `)`)? `from` `(` $lse `,` $delta `,` $d_o `)`
    `outs` `(` $outs `)` (`layout` `` $layout^)? (`stats` `` $stats^)?
    (`schedule` `` $schedule^)? (`decision` `` $decision^)? `` custom<Attributes>(attr-dict)
    `:` custom<OperandTypes>(ref($pattern), type($pattern), type($q), type($k), type($v),
                             type($lse), type($delta), type($d_o), type($outs), type($results))
  }];
  let hasCanonicalizer = 1;
}

#endif // AUTOSAGE_BACKWARD_OPS_TD
