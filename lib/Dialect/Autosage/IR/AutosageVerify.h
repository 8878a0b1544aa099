//===- AutosageVerify.h - checks that several ops share ---------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One wording for each kind of error, and the constraints (S1) to (S7) that
// every compute op has.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_DIALECT_IR_AUTOSAGEVERIFY_H
#define AUTOSAGE_LIB_DIALECT_IR_AUTOSAGEVERIFY_H

#include "autosage/Dialect/Autosage/IR/Autosage.h"

namespace mlir::autosage {

/// A dense operand with the name that messages use.
struct NamedOperand {
  StringRef name;
  Value value;
};

/// What is statically known of the pattern of an op; `ShapedType::kDynamic`
/// where it is not.
struct PatternSizes {
  int64_t rows = ShapedType::kDynamic;
  int64_t cols = ShapedType::kDynamic;
  int64_t nnz = ShapedType::kDynamic;
};

inline ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

/// Both sizes are known and differ.
inline bool differs(int64_t a, int64_t b) {
  return !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b;
}

/// Checks (S1) to (S7) and returns the sizes. `dense` are the inputs other than
/// the arrays; `mayAlias` is the one input that an output may equal.
FailureOr<PatternSizes> verifySparseOp(Operation *op,
                                       ArrayRef<NamedOperand> dense,
                                       ValueRange outs,
                                       StringRef mayAlias = "");

/// `expects NAME to have EXPECTED WHAT, got N`.
LogicalResult verifySize(Operation *op, NamedOperand operand, unsigned dim,
                         int64_t expected, StringRef what);

/// `expects NAME to have rank A or B, got N`.
LogicalResult verifyRank(Operation *op, NamedOperand operand,
                         ArrayRef<int64_t> ranks);

/// Edge values: `nnz`, `nnz x 1` or `nnz x H`.
LogicalResult verifyEdgeValues(Operation *op, NamedOperand operand, int64_t nnz,
                               int64_t heads);

/// All operands have the element type of the first.
LogicalResult verifySameElementType(Operation *op,
                                    ArrayRef<NamedOperand> operands);

/// The output has `input`, or f32 where that is f16 or bf16.
LogicalResult verifyOutputElementType(Operation *op, NamedOperand output,
                                      Type input);

/// The number of outputs lies in [min, max].
LogicalResult verifyNumOutputs(Operation *op, ValueRange outs, size_t min,
                               size_t max);

/// Known statistics agree with known sizes.
LogicalResult verifyStats(Operation *op, StatsAttr stats,
                          const PatternSizes &sizes);

/// Contiguous where it is a buffer: a permutation of strides 1, dims.
LogicalResult verifyContiguous(Operation *op, NamedOperand operand);

/// No output is an input (but `mayAlias`) or another output.
LogicalResult verifyNoAlias(Operation *op, ArrayRef<NamedOperand> inputs,
                            ValueRange outs, StringRef mayAlias = "");

/// All are tensors, or all are buffers.
LogicalResult verifyOneLevel(Operation *op, ArrayRef<NamedOperand> operands);

} // namespace mlir::autosage

#endif // AUTOSAGE_LIB_DIALECT_IR_AUTOSAGEVERIFY_H
