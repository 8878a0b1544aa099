//===- AutosageTypes.td - the pattern type -----------------*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TYPES_TD
#define AUTOSAGE_TYPES_TD

include "autosage/Dialect/Autosage/IR/AutosageAttrs.td"

def Autosage_PatternType : TypeDef<Autosage_Dialect, "Pattern"> {
  let mnemonic = "pattern";
  let summary = "where the nonzeros of a matrix are";
  let description = [{
    `!autosage.pattern<RxC, pos, crd [, layout]>`: R rows and C columns (static
    or `?`), the integer types of positions (rowptr) and coordinates (colind),
    and the storage layout, `csr` where none is given.

    A pattern is a value on the tensor level only: it has no address, and
    `autosage-expand-pattern` replaces it by its arrays before bufferization.

    Constraints:
    - (C1) Sizes are not negative, and one more than the rows is still an i64:
      `rowptr` has as many entries.
    - (C2) Positions and coordinates are i32, i64 or index.

    Example: `!autosage.pattern<?x2708, i64, i32>`,
    `!autosage.pattern<?x?, i32, i32, tasks<512, length>>`
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$cols, "::mlir::Type":$positionType,
                        "::mlir::Type":$coordinateType, "LayoutAttr":$layout);
  let assemblyFormat = [{
    `<` custom<PatternBody>($rows, $cols, $positionType, $coordinateType, $layout) `>`
  }];
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "int64_t":$rows, "int64_t":$cols,
        "::mlir::Type":$positionType, "::mlir::Type":$coordinateType), [{
      return $_get(positionType.getContext(), rows, cols, positionType,
                   coordinateType, LayoutAttr::getCsr(positionType.getContext()));
    }]>];
  let extraClassDeclaration = [{
    /// The types of the component arrays as tensors, then index for the number
    /// of columns.
    ::llvm::SmallVector<::mlir::Type> getComponentTypes() const;
    PatternType withLayout(LayoutAttr layout) const;
  }];
}

#endif // AUTOSAGE_TYPES_TD
