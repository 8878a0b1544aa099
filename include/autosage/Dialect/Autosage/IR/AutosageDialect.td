//===- AutosageDialect.td - the autosage dialect -----------*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_DIALECT_TD
#define AUTOSAGE_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/DialectBase.td"

def Autosage_Dialect : Dialect {
  let name = "autosage";
  let cppNamespace = "::mlir::autosage";
  let summary = "Sparse aggregation on graphs: SpMM, SDDMM, row softmax, attention";
  let description = [{
    The ops of this dialect state what is computed and nothing of how it runs.
    The *pattern*, which says where the nonzeros are, is a value of its own;
    edge values are ordinary tensors with one entry (or one entry a head) for
    each stored nonzero, in stored order.

    There are two stages and one op set. On tensors, compute ops take a pattern
    value. `autosage-expand-pattern` replaces it by its component arrays, given
    in `on(...)`; from then on the ops are ordinary destination-style ops on
    tensors, which bufferize, and on memrefs, which lower. How an op runs is
    written by the selection pass, or by hand, as a `schedule<...>` attribute.

    The meaning of every op in every corner case is fixed in
    `docs/semantics.md`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
    /// Discardable attribute of a function argument that holds its statistics.
    static constexpr ::llvm::StringLiteral kStatsArgAttrName = "autosage.stats";
  }];
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
}

#endif // AUTOSAGE_DIALECT_TD
