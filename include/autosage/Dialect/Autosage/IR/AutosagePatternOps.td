//===- AutosagePatternOps.td - making and describing patterns *- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_PATTERN_OPS_TD
#define AUTOSAGE_PATTERN_OPS_TD

include "autosage/Dialect/Autosage/IR/AutosageBase.td"

// Pattern-valued ops exist before expansion only; bufferizing one is an error.
class Autosage_PatternValueOp<string mnemonic, list<Trait> traits = []>
    : Autosage_Op<mnemonic, !listconcat([Pure], traits)> {
}

def Autosage_PatternOp : Autosage_PatternValueOp<"pattern"> {
  let summary = "pattern from explicit CSR arrays";
  let description = [{
    The pattern whose entries of row `i` are `colind[rowptr[i]] ...
    colind[rowptr[i + 1] - 1]`, of `n_cols` columns. The arrays must hold a
    valid pattern: `rowptr` starts at 0, never decreases and ends at the number
    of entries; columns lie in `[0, n_cols)`. Duplicate and unsorted columns are
    legal. Otherwise the behaviour is undefined: entry points check.

    Constraints:
    - (C1) `rowptr` and `colind` are rank-1 tensors of i32, i64 or index, of the
      element types that the pattern type names.
    - (C2) `rowptr` has one entry more than the pattern has rows.
    - (C3) A constant `n_cols` is not negative and agrees with static columns.
    - (C4) `stats` agree with static sizes.
    - (C5) The layout of the result is `csr`.

    Example:
    ```mlir
    func.func @pattern(%rowptr: tensor<5xi32>, %colind: tensor<9xi32>) -> !autosage.pattern<4x?, i32, i32> {
      %n_cols = arith.constant 4 : index
      %p = autosage.pattern %rowptr, %colind, %n_cols stats<nnz = 9, rows = 4>
         : tensor<5xi32>, tensor<9xi32> -> <4x?, i32, i32>
      return %p : !autosage.pattern<4x?, i32, i32>
    }
    ```
  }];
  let arguments = (ins Autosage_IndexTensor1D:$rowptr, Autosage_IndexTensor1D:$colind,
                       Index:$n_cols, OptionalAttr<Autosage_StatsAttr>:$stats);
  let results = (outs Autosage_PatternType:$pattern);
  let assemblyFormat = [{
    $rowptr `,` $colind `,` $n_cols (`stats` `` $stats^)? `` custom<Attributes>(attr-dict)
    `:` type($rowptr) `,` type($colind) `->` type($pattern)
  }];
  let hasVerifier = 1;
}

def Autosage_PatternOfOp : Autosage_PatternValueOp<"pattern_of", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "pattern and values of a sparse_tensor";
  let description = [{
    Splits a row-compressed `sparse_tensor` matrix into its pattern and its
    values, in stored order. Positions and coordinates keep their width; 8- and
    16-bit ones are zero-extended to i32; width 0 is index.

    Constraints:
    - (C1) The operand is a matrix with a `sparse_tensor` encoding.
    - (C2) The encoding is row-compressed: levels (dense, compressed) in the
      order of the dimensions.
    - (C3) The element type is f16, bf16, f32 or f64.

    Example:
    ```mlir
    #CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32}>
    func.func @pattern_of(%A: tensor<4x4xf32, #CSR>) -> tensor<?xf32> {
      %p, %v = autosage.pattern_of %A : tensor<4x4xf32, #CSR>
      return %v : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$tensor);
  let results = (outs Autosage_PatternType:$pattern, TensorRankOf<[AnyFloat], [1]>:$values);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Autosage_AssumeStatsOp : Autosage_PatternValueOp<"assume_stats", [
    AllTypesMatch<["pattern", "result"]>]> {
  let summary = "the same pattern, with statistics attached";
  let description = [{
    Returns its operand and states statistics of it. Keeps what a function
    argument's attribute said once the function has been inlined.

    Constraints:
    - (C1) `stats` agree with static sizes.

    Example:
    ```mlir
    func.func @assume_stats(%p: !autosage.pattern<?x?, i32, i32>) -> !autosage.pattern<?x?, i32, i32> {
      %q = autosage.assume_stats %p stats<nnz = 10556, rows = 2708> : !autosage.pattern<?x?, i32, i32>
      return %q : !autosage.pattern<?x?, i32, i32>
    }
    ```
  }];
  let arguments = (ins Autosage_PatternType:$pattern, Autosage_StatsAttr:$stats);
  let results = (outs Autosage_PatternType:$result);
  let assemblyFormat = "$pattern `stats` `` $stats `` custom<Attributes>(attr-dict) `:` qualified(type($pattern))";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Autosage_TransposeOp : Autosage_PatternValueOp<"transpose", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "transposed pattern and edge permutation";
  let description = [{
    The pattern of the transposed matrix, and for each of its entries the
    position of that entry in the operand: `values_t[e] = values[perm[e]]`. The
    entries of a transposed row are in the order of the operand. The result has
    layout `csr` and the operand's index types.

    Constraints:
    - (C1) A static number of rows fits the coordinate type.

    Example:
    ```mlir
    func.func @transpose(%p: !autosage.pattern<?x8, i32, i32>) -> !autosage.pattern<8x?, i32, i32> {
      %t, %perm = autosage.transpose %p : !autosage.pattern<?x8, i32, i32>
      return %t : !autosage.pattern<8x?, i32, i32>
    }
    ```
  }];
  let arguments = (ins Autosage_PatternType:$pattern);
  let results = (outs Autosage_PatternType:$transposed, Autosage_IndexTensor1D:$permutation);
  let assemblyFormat = "$pattern attr-dict `:` qualified(type($pattern))";
  let hasVerifier = 1;
}

def Autosage_PrepareOp : Autosage_PatternValueOp<"prepare", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "the same pattern with what a schedule needs beyond CSR";
  let description = [{
    Adds the component arrays of `layout` to the pattern. Pure, so that common
    subexpression elimination and loop-invariant code motion leave one outside
    a loop. What it computes is given at `autosage.build_tasks`.

    With a condition the arrays are made only where it is true; elsewhere they
    are empty, and no op may compute on the result: of several versions of an
    op, one runs (`autosage.choose_version`).

    Constraints:
    - (C1) The operand's layout is `csr` or `layout` itself.

    Example:
    ```mlir
    func.func @prepare(%p: !autosage.pattern<?x?, i32, i32>) -> !autosage.pattern<?x?, i32, i32, tasks<512, length>> {
      %q = autosage.prepare %p layout<tasks<512, length>> : !autosage.pattern<?x?, i32, i32>
      return %q : !autosage.pattern<?x?, i32, i32, tasks<512, length>>
    }
    ```
  }];
  let arguments = (ins Autosage_PatternType:$pattern, Optional<I1>:$condition,
                       Autosage_LayoutAttr:$layout);
  let results = (outs Autosage_PatternType:$prepared);
  let assemblyFormat = [{
    $pattern `layout` `` $layout (`when` `(` $condition^ `)`)? `` custom<Attributes>(attr-dict)
    `:` qualified(type($pattern))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Autosage_ChooseVersionOp : Autosage_LookingOp<"choose_version", [AttrSizedOperandSegments]> {
  let summary = "number of the version of an op that suits a pattern";
  let description = [{
    Which of `versions`, counted from 0, runs `kernel` on this pattern: what the
    oracle's store remembers for it, else the cheapest by the model of costs.
    The runtime looks at the pattern once; what it found is remembered under the
    addresses and sizes of the arrays. While the device's stream is captured,
    where the pattern cannot be looked at, the answer is 0, and so it is where
    `convert-autosage-to-cpu` lowers the op itself, without the runtime.

    Any answer is correct, only not as fast: the versions compute the same.
    `kernel` is the op in the words of `textOf(KernelSpec)`.

    Constraints:
    - (C1) The op has either a pattern or the arrays of layout `csr`: rowptr,
      colind and the number of columns.
    - (C2) `versions` are two schedules or more.
    - (C3) `kernel` is the text of a kernel.
    - (C4) Arrays are of rank 1, and contiguous as buffers.

    Example:
    ```mlir
    func.func @choose_version(%p: !autosage.pattern<?x?, i32, i32>) -> index {
      %v = autosage.choose_version %p : !autosage.pattern<?x?, i32, i32>
        for "op=spmm reduction=sum combine=dot score=dot features=64 value_features=-1 heads=0 dtype=f32 f32_out=0 rowptr=i32 colind=i32 edges=none transpose=0 accumulate=0 scale=0x1p+0 negative_slope=0x1.999999999999ap-3 lse=0 composed=0 strided=0 aligned=0 schedule=[]"
        of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks, chunk = 128>]
      return %v : index
    }
    ```
  }];
  let arguments = (ins Optional<Autosage_PatternType>:$pattern,
                       Variadic<Autosage_Component>:$arrays,
                       StrAttr:$kernel, ArrayAttr:$versions);
  let results = (outs Index:$version);
  let assemblyFormat = [{
    (`on` `(` $arrays^ `:` type($arrays) `)`) : ($pattern `:` qualified(type($pattern)))?
    `for` $kernel `of` $versions attr-dict
  }];
}

def Autosage_DimOp : Autosage_PatternValueOp<"dim"> {
  let summary = "number of rows, columns or nonzeros of a pattern";
  let description = [{
    Example:
    ```mlir
    func.func @dim(%p: !autosage.pattern<?x?, i32, i32>) -> index {
      %nnz = autosage.dim nnz %p : !autosage.pattern<?x?, i32, i32>
      return %nnz : index
    }
    ```
  }];
  let arguments = (ins Autosage_DimKindAttr:$kind, Autosage_PatternType:$pattern);
  let results = (outs Index:$result);
  let assemblyFormat = "`` $kind $pattern `` custom<Attributes>(attr-dict) `:` qualified(type($pattern))";
  let hasFolder = 1;
}

def Autosage_ArraysOfOp : Autosage_PatternValueOp<"arrays_of", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "rowptr and colind of a pattern";
  let description = [{
    The inverse of `autosage.pattern`, for loops over edges that no op of the
    dialect has. What a layout adds is left out.

    Example:
    ```mlir
    func.func @arrays_of(%p: !autosage.pattern<4x?, i32, i64>) -> (tensor<5xi32>, tensor<?xi64>) {
      %rowptr, %colind = autosage.arrays_of %p : !autosage.pattern<4x?, i32, i64>
      return %rowptr, %colind : tensor<5xi32>, tensor<?xi64>
    }
    ```
  }];
  let arguments = (ins Autosage_PatternType:$pattern);
  let results = (outs Autosage_IndexTensor1D:$rowptr, Autosage_IndexTensor1D:$colind);
  let assemblyFormat = "$pattern attr-dict `:` qualified(type($pattern))";
}

//===----------------------------------------------------------------------===//
// The same on arrays: what expansion turns transpose and prepare into.
//===----------------------------------------------------------------------===//

def Autosage_BuildTransposeOp : Autosage_DestinationOp<"build_transpose"> {
  let summary = "arrays of the transposed pattern";
  let description = [{
    `autosage.transpose` after expansion: writes rowptr (cols + 1), colind (nnz)
    and the edge permutation (nnz) of the transposed pattern.

    Constraints:
    - (C1) All arrays are tensors, or all are buffers, of rank 1.
    - (C2) `rowptr` and outs 0 and 2 have one element type, `colind` and outs 1
      another.
    - (C3) outs 1 and 2 have as many entries as `colind`.
    - (C4) No output is an input or another output.
    - (C5) Buffers are contiguous.

    Example:
    ```mlir
    func.func @build_transpose(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
                               %trp: memref<?xi32>, %tci: memref<?xi32>, %perm: memref<?xi32>) {
      autosage.build_transpose on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)
          outs(%trp, %tci, %perm) : memref<?xi32>, memref<?xi32>, memref<?xi32>
      return
    }
    ```
  }];
  let arguments = (ins Autosage_IndexBuffer:$rowptr, Autosage_IndexBuffer:$colind,
                       Index:$n_cols, Variadic<Autosage_IndexBuffer>:$outs);
  let results = (outs Variadic<RankedTensorOf<Autosage_Indices>>:$results);
  let assemblyFormat = [{
    `on` `(` $rowptr `,` $colind `,` $n_cols `:` type($rowptr) `,` type($colind) `,` `index` `)`
    `outs` `(` $outs `)` attr-dict `:` custom<ResultTypes>(type($outs), type($results))
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
}

def Autosage_CountTasksOp : Autosage_LookingOp<"count_tasks"> {
  let summary = "number of tasks of a task list";
  let description = [{
    How many tasks `autosage.build_tasks` makes of `rowptr` and `chunk`: one for
    a row of at most one and a half chunks (empty rows too), else
    `ceil(length / chunk)`.

    Constraints:
    - (C1) `chunk` is at least 1.
    - (C2) A buffer is contiguous.

    Example:
    ```mlir
    func.func @count_tasks(%rp: tensor<?xi32>) -> index {
      %n = autosage.count_tasks %rp {chunk = 512 : i64} : tensor<?xi32>
      return %n : index
    }
    ```
  }];
  let arguments = (ins Autosage_IndexBuffer:$rowptr, I64Attr:$chunk);
  let results = (outs Index:$count);
  let assemblyFormat = "$rowptr attr-dict `:` type($rowptr)";
}

def Autosage_BuildTasksOp : Autosage_DestinationOp<"build_tasks"> {
  let summary = "task list of a pattern";
  let description = [{
    `autosage.prepare` with layout `tasks<chunk, order>` after expansion: writes
    one line {row, begin, end, split} a task. A row of length `L` is one task
    (`split` = 0) where `2 L <= 3 chunk`, and is else cut into `ceil(L / chunk)`
    pieces with `split` = 1, 2, ... The lines are in row order (`stored`), or by
    falling length, ties by where in its row a piece begins, in 256ths, and in row
    order (`length`), or with rows that share columns near each other (`locality`;
    `colind` is read for it).

    Constraints:
    - (C1) All arrays are tensors, or all are buffers; `rowptr` and `colind` of
      rank 1, outs of shape n x 4.
    - (C2) outs has the element type of `rowptr`.
    - (C3) `chunk` is at least 1.
    - (C4) Buffers are contiguous.

    Example:
    ```mlir
    func.func @build_tasks(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %tasks: memref<?x4xi32>) {
      autosage.build_tasks length on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)
          outs(%tasks) {chunk = 512 : i64} : memref<?x4xi32>
      return
    }
    ```
  }];
  let arguments = (ins Autosage_TaskOrderAttr:$order, I64Attr:$chunk,
                       Autosage_IndexBuffer:$rowptr, Autosage_IndexBuffer:$colind,
                       Index:$n_cols, Variadic<Autosage_IndexBuffer>:$outs);
  let results = (outs Variadic<RankedTensorOf<Autosage_Indices>>:$results);
  let assemblyFormat = [{
    `` $order `on` `(` $rowptr `,` $colind `,` $n_cols `:` type($rowptr) `,` type($colind) `,` `index` `)`
    `outs` `(` $outs `)` `` custom<Attributes>(attr-dict) `:` custom<ResultTypes>(type($outs), type($results))
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
}

#endif // AUTOSAGE_PATTERN_OPS_TD
