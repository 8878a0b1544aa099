//===- AutosageVerify.cpp - checks that several ops share -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutosageVerify.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::autosage;

//===----------------------------------------------------------------------===//
// Single checks
//===----------------------------------------------------------------------===//

LogicalResult mlir::autosage::verifySize(Operation *op, NamedOperand operand,
                                         unsigned dim, int64_t expected,
                                         StringRef what) {
  int64_t got = shapedType(operand.value).getDimSize(dim);
  if (differs(got, expected))
    return op->emitOpError("expects ")
           << operand.name << " to have " << expected << ' ' << what << ", got "
           << got;
  return success();
}

LogicalResult mlir::autosage::verifyRank(Operation *op, NamedOperand operand,
                                         ArrayRef<int64_t> ranks) {
  int64_t rank = shapedType(operand.value).getRank();
  if (llvm::is_contained(ranks, rank))
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects ")
                            << operand.name << " to have rank ";
  llvm::interleave(ranks, diag, " or ");
  return diag << ", got " << rank;
}

LogicalResult mlir::autosage::verifyEdgeValues(Operation *op,
                                               NamedOperand operand,
                                               int64_t nnz, int64_t heads) {
  if (failed(verifyRank(op, operand, {1, 2})) ||
      failed(verifySize(op, operand, 0, nnz, "entries for the nonzeros")))
    return failure();
  ShapedType type = shapedType(operand.value);
  if (type.getRank() == 1 || type.getDimSize(1) == 1 ||
      !differs(type.getDimSize(1), heads))
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects ")
                            << operand.name << " to have 1 ";
  if (heads == 1)
    diag << "head";
  else
    diag << "or " << heads << " heads";
  return diag << ", got " << type.getDimSize(1);
}

LogicalResult
mlir::autosage::verifySameElementType(Operation *op,
                                      ArrayRef<NamedOperand> operands) {
  NamedOperand first;
  for (NamedOperand operand : operands) {
    if (!operand.value)
      continue;
    if (!first.value) {
      first = operand;
      continue;
    }
    Type expected = shapedType(first.value).getElementType();
    Type got = shapedType(operand.value).getElementType();
    if (got != expected)
      return op->emitOpError("expects ")
             << operand.name << " to have the element type of " << first.name
             << ", " << expected << ", got " << got;
  }
  return success();
}

LogicalResult mlir::autosage::verifyOutputElementType(Operation *op,
                                                      NamedOperand output,
                                                      Type input) {
  Type got = shapedType(output.value).getElementType();
  bool narrow = input.isF16() || input.isBF16();
  if (got == input || (narrow && got.isF32()))
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects ")
                            << output.name << " to have element type " << input;
  if (narrow)
    diag << " or f32";
  return diag << ", got " << got;
}

LogicalResult mlir::autosage::verifyNumOutputs(Operation *op, ValueRange outs,
                                               size_t min, size_t max) {
  if (outs.size() >= min && outs.size() <= max)
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects ") << min;
  if (max != min)
    diag << " or " << max;
  return diag << (max == 1 ? " output" : " outputs") << ", got " << outs.size();
}

LogicalResult mlir::autosage::verifyStats(Operation *op, StatsAttr stats,
                                          const PatternSizes &sizes) {
  if (!stats)
    return success();
  for (auto [key, size] :
       {std::pair("rows", sizes.rows), std::pair("cols", sizes.cols),
        std::pair("nnz", sizes.nnz)})
    if (std::optional<int64_t> count = stats.getCount(key))
      if (differs(*count, size))
        return op->emitOpError("expects statistic '")
               << key << "' to be " << size << ", got " << *count;
  return success();
}

LogicalResult mlir::autosage::verifyContiguous(Operation *op,
                                               NamedOperand operand) {
  auto type = dyn_cast<MemRefType>(operand.value.getType());
  if (!type)
    return success();
  SmallVector<int64_t> strides;
  int64_t offset;
  int64_t expected = 1;
  bool contiguous = succeeded(type.getStridesAndOffset(strides, offset));
  for (int64_t dim = type.getRank() - 1; contiguous && dim >= 0; --dim) {
    // The outermost size does not enter a stride, so it may be dynamic.
    contiguous = strides[dim] == expected;
    if (dim > 0)
      expected *= type.getDimSize(dim);
  }
  if (contiguous)
    return success();
  return op->emitOpError("expects ")
         << operand.name << " to be contiguous, got " << type;
}

LogicalResult mlir::autosage::verifyNoAlias(Operation *op,
                                            ArrayRef<NamedOperand> inputs,
                                            ValueRange outs,
                                            StringRef mayAlias) {
  for (auto [index, out] : llvm::enumerate(outs)) {
    if (!isa<MemRefType>(out.getType()))
      continue;
    for (NamedOperand input : inputs)
      if (input.value == out && input.name != mayAlias)
        return op->emitOpError("expects outs not to overlap ")
               << input.name << ", got the same buffer for both";
    for (Value other : outs.take_front(index))
      if (other == out)
        return op->emitOpError(
            "expects outputs not to overlap each other, got the same buffer "
            "twice");
  }
  return success();
}

LogicalResult mlir::autosage::verifyOneLevel(Operation *op,
                                             ArrayRef<NamedOperand> operands) {
  NamedOperand first;
  for (NamedOperand operand : operands) {
    if (!operand.value || !isa<ShapedType>(operand.value.getType()))
      continue;
    if (!first.value) {
      first = operand;
      continue;
    }
    bool firstIsTensor = isa<TensorType>(first.value.getType());
    if (firstIsTensor != isa<TensorType>(operand.value.getType()))
      return op->emitOpError("expects ")
             << operand.name << " to be a "
             << (firstIsTensor ? "tensor" : "buffer") << " as " << first.name
             << " is, got " << operand.value.getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// (S1) to (S7)
//===----------------------------------------------------------------------===//

/// Checks the component arrays and reads the sizes off them.
static FailureOr<PatternSizes>
verifyArrays(Operation *op, LayoutAttr layout, OperandRange arrays,
             SmallVectorImpl<NamedOperand> &out) {
  // sparse_s1
  unsigned numArrays = layout.getNumArrays();
  if (arrays.size() != numArrays + 1 || !arrays.back().getType().isIndex())
    return op->emitOpError("expects ")
           << numArrays << " arrays and the number of columns as index for "
           << "layout " << stringifyLayoutKind(layout.getKind()) << ", got "
           << arrays.getTypes();
  static constexpr llvm::StringLiteral names[] = {"rowptr", "colind", "tasks"};
  for (unsigned i = 0; i < numArrays; ++i) {
    NamedOperand array{names[i], arrays[i]};
    // sparse_s3
    auto type = dyn_cast<ShapedType>(array.value.getType());
    if (!type)
      return op->emitOpError("expects ")
             << array.name << " to be an array, got " << array.value.getType();
    if (failed(verifyRank(op, array, {i == 2 ? 2 : 1})) ||
        failed(verifyContiguous(op, array)))
      return failure();
    if (i == 2 && type.getDimSize(1) != 4)
      return op->emitOpError("expects tasks to have 4 columns, got ") << type;
    out.push_back(array);
  }
  if (numArrays == 3 && failed(verifySameElementType(op, {out[0], out[2]})))
    return failure();
  PatternSizes sizes;
  int64_t positions = shapedType(arrays[0]).getDimSize(0);
  if (!ShapedType::isDynamic(positions)) {
    if (positions < 1)
      return op->emitOpError("expects rowptr to have at least 1 entry, got ")
             << positions;
    sizes.rows = positions - 1;
  }
  sizes.nnz = shapedType(arrays[1]).getDimSize(0);
  return sizes;
}

FailureOr<PatternSizes>
mlir::autosage::verifySparseOp(Operation *op, ArrayRef<NamedOperand> dense,
                               ValueRange outs, StringRef mayAlias) {
  auto sparse = cast<SparseOpInterface>(op);
  Value pattern = sparse.getPatternValue();
  OperandRange arrays = sparse.getPatternArrays();
  auto layout = op->getAttrOfType<LayoutAttr>("layout");
  PatternSizes sizes;
  SmallVector<NamedOperand> operands;
  // sparse_s1
  if (!pattern && arrays.empty())
    return op->emitOpError(
        "expects a pattern or component arrays, got neither");
  if (pattern && !arrays.empty())
    return op->emitOpError("expects a pattern or component arrays, got both");
  if (pattern) {
    // sparse_s6
    if (layout)
      return op->emitOpError("expects no layout beside a pattern, whose type "
                             "has one, got ")
             << layout;
    auto type = cast<PatternType>(pattern.getType());
    sizes.rows = type.getRows();
    sizes.cols = type.getCols();
    if (auto source = pattern.getDefiningOp<PatternOp>())
      sizes.nnz = source.getColind().getType().getDimSize(0);
  } else {
    FailureOr<PatternSizes> found =
        verifyArrays(op, sparse.getPatternLayout(), arrays, operands);
    if (failed(found))
      return failure();
    sizes = *found;
  }
  for (NamedOperand operand : dense)
    if (operand.value)
      operands.push_back(operand);
  SmallVector<NamedOperand> all(operands);
  for (Value out : outs)
    all.push_back({"outs", out});
  // sparse_s7
  for (NamedOperand operand : all) {
    auto type = dyn_cast<MemRefType>(operand.value.getType());
    if (type && !type.isStrided())
      return op->emitOpError("expects ")
             << operand.name << " to be a strided buffer, got " << type;
  }
  // sparse_s2
  if (failed(verifyOneLevel(op, all)))
    return failure();
  if (pattern)
    for (NamedOperand operand : all)
      if (!isa<TensorType>(operand.value.getType()))
        return op->emitOpError("expects ")
               << operand.name << " to be a tensor beside a pattern, got "
               << operand.value.getType();
  // sparse_s4
  if (failed(verifyNoAlias(op, operands, outs, mayAlias)))
    return failure();
  // sparse_s5
  if (failed(verifyStats(op, sparse.getStatistics(), sizes)))
    return failure();
  return sizes;
}
