//===- AutosagePatternOps.cpp - making and describing patterns ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutosageVerify.h"
#include "autosage/Core/Kernel.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::autosage;

//===----------------------------------------------------------------------===//
// Statistics of a pattern value
//===----------------------------------------------------------------------===//

StatsAttr mlir::autosage::lookUpStats(Value pattern) {
  // What is nearest to the use wins.
  StatsAttr stats;
  auto add = [&](StatsAttr found) {
    if (found)
      stats = stats ? found.mergedWith(stats) : found;
  };
  while (pattern) {
    if (auto argument = dyn_cast<BlockArgument>(pattern)) {
      auto function =
          dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
      if (function && argument.getOwner()->isEntryBlock())
        add(function.getArgAttrOfType<StatsAttr>(
            argument.getArgNumber(), AutosageDialect::kStatsArgAttrName));
      break;
    }
    Operation *op = pattern.getDefiningOp();
    if (auto source = dyn_cast<PatternOp>(op)) {
      add(source.getStatsAttr());
      break;
    }
    if (auto assume = dyn_cast<AssumeStatsOp>(op)) {
      add(assume.getStats());
      pattern = assume.getPattern();
    } else if (auto prepare = dyn_cast<PrepareOp>(op)) {
      pattern = prepare.getPattern();
    } else {
      break;
    }
  }
  return stats;
}

//===----------------------------------------------------------------------===//
// PatternOp
//===----------------------------------------------------------------------===//

LogicalResult PatternOp::verify() {
  PatternType type = getPattern().getType();
  // pattern_c1
  for (auto [name, got, expected] :
       {std::tuple("rowptr", getRowptr().getType().getElementType(),
                   type.getPositionType()),
        std::tuple("colind", getColind().getType().getElementType(),
                   type.getCoordinateType())})
    if (got != expected)
      return emitOpError("expects ")
             << name << " to have element type " << expected << ", got " << got;
  // pattern_c2
  int64_t positions = getRowptr().getType().getDimSize(0);
  if (positions == 0)
    return emitOpError("expects rowptr to have at least 1 entry, got 0");
  if (!ShapedType::isDynamic(type.getRows()) &&
      differs(positions, type.getRows() + 1))
    return emitOpError("expects rowptr to have ")
           << type.getRows() + 1 << " entries for " << type.getRows()
           << " rows, got " << positions;
  // pattern_c3
  if (std::optional<int64_t> cols = getConstantIntValue(getNCols())) {
    if (*cols < 0)
      return emitOpError("expects n_cols to be at least 0, got ") << *cols;
    if (differs(*cols, type.getCols()))
      return emitOpError("expects n_cols to be ")
             << type.getCols() << ", got " << *cols;
  }
  // pattern_c5
  if (!type.getLayout().isCsr())
    return emitOpError("expects a pattern of layout csr, got ") << type;
  // pattern_c4
  PatternSizes sizes{type.getRows(), type.getCols(),
                     getColind().getType().getDimSize(0)};
  if (!ShapedType::isDynamic(positions))
    sizes.rows = positions - 1;
  return verifyStats(*this, getStatsAttr(), sizes);
}

//===----------------------------------------------------------------------===//
// PatternOfOp
//===----------------------------------------------------------------------===//

/// The integer type of a position or coordinate of `width` bits; narrow ones
/// are zero-extended, 0 is index.
static Type indexTypeOfWidth(MLIRContext *context, unsigned width) {
  if (width == 0)
    return IndexType::get(context);
  return IntegerType::get(context, width <= 32 ? 32 : 64);
}

/// The type of an inferred pattern. A tensor's sizes, and the columns of a
/// pattern that is transposed, may be more than a pattern's rows: null after an
/// error then.
static PatternType inferredPattern(std::optional<Location> location,
                                   StringRef op, int64_t rows, int64_t cols,
                                   Type position, Type coordinate) {
  MLIRContext *context = position.getContext();
  Location where = location.value_or(UnknownLoc::get(context));
  return PatternType::getChecked(
      [&] { return mlir::emitError(where) << "'" << op << "' op "; }, context,
      rows, cols, position, coordinate, LayoutAttr::getCsr(context));
}

LogicalResult PatternOfOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> location,
                                            ValueRange operands, DictionaryAttr,
                                            OpaqueProperties, RegionRange,
                                            SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(operands[0].getType());
  auto encoding = sparse_tensor::getSparseTensorEncoding(type);
  // pattern_of_c1
  if (type.getRank() != 2 || !encoding)
    return emitOptionalError(location,
                             "'autosage.pattern_of' op expects a "
                             "matrix with a sparse_tensor encoding, "
                             "got ",
                             type);
  // pattern_of_c3
  if (!toCoreDType(type.getElementType()))
    return emitOptionalError(location,
                             "'autosage.pattern_of' op expects "
                             "element type f16, bf16, f32 or f64, got ",
                             type.getElementType());
  PatternType pattern = inferredPattern(
      location, getOperationName(), type.getDimSize(0), type.getDimSize(1),
      indexTypeOfWidth(context, encoding.getPosWidth()),
      indexTypeOfWidth(context, encoding.getCrdWidth()));
  if (!pattern)
    return failure();
  inferred.push_back(pattern);
  inferred.push_back(
      RankedTensorType::get({ShapedType::kDynamic}, type.getElementType()));
  return success();
}

LogicalResult PatternOfOp::verify() {
  auto encoding = sparse_tensor::getSparseTensorEncoding(getTensor().getType());
  // pattern_of_c2
  auto levels = encoding.getLvlTypes();
  if (levels.size() == 2 && encoding.isIdentity() &&
      sparse_tensor::isDenseLT(levels[0]) &&
      sparse_tensor::isCompressedLT(levels[1]))
    return success();
  return emitOpError("expects a row-compressed encoding, (d0, d1) -> (d0 : "
                     "dense, d1 : compressed), got ")
         << encoding;
}

//===----------------------------------------------------------------------===//
// AssumeStatsOp
//===----------------------------------------------------------------------===//

LogicalResult AssumeStatsOp::verify() {
  // assume_stats_c1
  PatternType type = getPattern().getType();
  return verifyStats(*this, getStats(),
                     {type.getRows(), type.getCols(), ShapedType::kDynamic});
}

namespace {
/// Statistics of an explicit pattern move into the op that makes it, and two
/// assumptions in a row become one. What is nearest to the use wins.
struct FoldAssumedStats final : OpRewritePattern<AssumeStatsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssumeStatsOp op,
                                PatternRewriter &rewriter) const override {
    if (auto source = op.getPattern().getDefiningOp<PatternOp>()) {
      // Statistics hold for the value, wherever it is used.
      StatsAttr stats = source.getStatsAttr();
      rewriter.modifyOpInPlace(source, [&] {
        source.setStatsAttr(stats ? stats.mergedWith(op.getStats())
                                  : op.getStats());
      });
      rewriter.replaceOp(op, source.getPattern());
      return success();
    }
    auto inner = op.getPattern().getDefiningOp<AssumeStatsOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "pattern comes from elsewhere");
    rewriter.modifyOpInPlace(op, [&] {
      op.setStatsAttr(inner.getStats().mergedWith(op.getStats()));
      op.getPatternMutable().assign(inner.getPattern());
    });
    return success();
  }
};
} // namespace

void AssumeStatsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<FoldAssumedStats>(context);
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

/// The pattern's type, for inferReturnTypes: the parser asks for results before
/// it verifies operands, whose type the text may give as any. Null after an
/// error, in the verifier's words.
static PatternType patternTypeOf(Type type, StringRef op,
                                 std::optional<Location> location) {
  auto pattern = dyn_cast<PatternType>(type);
  if (!pattern)
    (void)emitOptionalError(location, "'", op,
                            "' op operand #0 must be where the nonzeros of a "
                            "matrix are, but got ",
                            type);
  return pattern;
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> location,
                                            ValueRange operands, DictionaryAttr,
                                            OpaqueProperties, RegionRange,
                                            SmallVectorImpl<Type> &inferred) {
  PatternType type =
      patternTypeOf(operands[0].getType(), getOperationName(), location);
  if (!type)
    return failure();
  PatternType transposed = inferredPattern(
      location, getOperationName(), type.getCols(), type.getRows(),
      type.getPositionType(), type.getCoordinateType());
  if (!transposed)
    return failure();
  inferred.push_back(transposed);
  inferred.push_back(
      RankedTensorType::get({ShapedType::kDynamic}, type.getPositionType()));
  return success();
}

LogicalResult TransposeOp::verify() {
  // transpose_c1
  PatternType type = getPattern().getType();
  if (type.getCoordinateType().isSignlessInteger(32) &&
      !ShapedType::isDynamic(type.getRows()) &&
      type.getRows() > int64_t{1} << 31)
    return emitOpError("expects rows to fit coordinates of type i32, got ")
           << type.getRows();
  return success();
}

LogicalResult
TransposeOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  // The pattern is no shaped value; the interface wants one entry a result.
  shapes.emplace_back();
  shapes.push_back(
      {OpFoldResult(DimOp::create(builder, getLoc(), DimKind::Nnz, getPattern())
                        .getResult())});
  return success();
}

//===----------------------------------------------------------------------===//
// ArraysOfOp
//===----------------------------------------------------------------------===//

LogicalResult ArraysOfOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> location,
                                           ValueRange operands, DictionaryAttr,
                                           OpaqueProperties, RegionRange,
                                           SmallVectorImpl<Type> &inferred) {
  PatternType type =
      patternTypeOf(operands[0].getType(), getOperationName(), location);
  if (!type)
    return failure();
  SmallVector<Type> components = type.getComponentTypes();
  inferred.append(components.begin(), components.begin() + 2);
  return success();
}

//===----------------------------------------------------------------------===//
// PrepareOp
//===----------------------------------------------------------------------===//

LogicalResult PrepareOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &inferred) {
  PrepareOp::Adaptor adaptor(operands, attributes, properties, regions);
  PatternType type =
      patternTypeOf(operands[0].getType(), getOperationName(), location);
  if (!type)
    return failure();
  inferred.push_back(type.withLayout(adaptor.getLayout()));
  return success();
}

LogicalResult PrepareOp::verify() {
  // prepare_c1
  LayoutAttr layout = getPattern().getType().getLayout();
  if (!layout.isCsr() && layout != getLayout())
    return emitOpError("expects a pattern of layout csr or ")
           << getLayout() << ", got " << getPattern().getType();
  return success();
}

OpFoldResult PrepareOp::fold(FoldAdaptor) {
  if (getPattern().getType().getLayout() == getLayout())
    return getPattern();
  return {};
}

//===----------------------------------------------------------------------===//
// ChooseVersionOp
//===----------------------------------------------------------------------===//

LogicalResult ChooseVersionOp::verify() {
  // choose_version_c1
  auto isArray = [](Value value) { return isa<ShapedType>(value.getType()); };
  bool areArrays = getArrays().size() == 3 && isArray(getArrays()[0]) &&
                   isArray(getArrays()[1]) && !isArray(getArrays()[2]);
  if (getPattern() ? !getArrays().empty() : !areArrays)
    return emitOpError("expects a pattern, or rowptr, colind and the number of "
                       "columns, got ")
           << (getPattern() ? "a pattern and " : "") << getArrays().size()
           << " arrays";
  if (!getPattern()) {
    NamedOperand rowptr{"rowptr", getArrays()[0]},
        colind{"colind", getArrays()[1]};
    if (failed(verifyOneLevel(*this, {rowptr, colind})))
      return failure();
    // choose_version_c4
    for (NamedOperand array : {rowptr, colind}) {
      if (failed(verifyRank(*this, array, {1})) ||
          failed(verifyContiguous(*this, array)))
        return failure();
    }
  } else if (!getPattern().getType().getLayout().isCsr()) {
    return emitOpError("expects a pattern of layout csr, got ")
           << getPattern().getType();
  }
  // choose_version_c2
  if (getVersions().size() < 2)
    return emitOpError("expects at least 2 versions, got ")
           << getVersions().size();
  for (Attribute version : getVersions())
    if (!isa<ScheduleAttr>(version))
      return emitOpError("expects versions to be schedules, got ") << version;
  // choose_version_c3
  auto spec = ::autosage::parseKernelText(getKernel().str());
  if (!spec)
    return emitOpError() << spec.error();
  return success();
}

//===----------------------------------------------------------------------===//
// DimOp
//===----------------------------------------------------------------------===//

OpFoldResult DimOp::fold(FoldAdaptor) {
  PatternType type = getPattern().getType();
  Builder b(getContext());
  if (getKind() == DimKind::Rows && !ShapedType::isDynamic(type.getRows()))
    return b.getIndexAttr(type.getRows());
  if (getKind() == DimKind::Cols && !ShapedType::isDynamic(type.getCols()))
    return b.getIndexAttr(type.getCols());
  Operation *source = getPattern().getDefiningOp();
  // Preparation and assumptions change no size.
  if (isa_and_present<AssumeStatsOp, PrepareOp>(source)) {
    getPatternMutable().assign(source->getOperand(0));
    return getResult();
  }
  if (auto transpose = dyn_cast_if_present<TransposeOp>(source)) {
    DimKind kind = getKind() == DimKind::Rows   ? DimKind::Cols
                   : getKind() == DimKind::Cols ? DimKind::Rows
                                                : DimKind::Nnz;
    setKind(kind);
    getPatternMutable().assign(transpose.getPattern());
    return getResult();
  }
  auto pattern = dyn_cast_if_present<PatternOp>(source);
  if (!pattern)
    return {};
  if (getKind() == DimKind::Cols)
    return pattern.getNCols();
  int64_t positions = pattern.getRowptr().getType().getDimSize(0);
  if (getKind() == DimKind::Rows && !ShapedType::isDynamic(positions))
    return b.getIndexAttr(positions - 1);
  int64_t nnz = pattern.getColind().getType().getDimSize(0);
  if (getKind() == DimKind::Nnz && !ShapedType::isDynamic(nnz))
    return b.getIndexAttr(nnz);
  return {};
}

//===----------------------------------------------------------------------===//
// BuildTransposeOp, CountTasksOp, BuildTasksOp
//===----------------------------------------------------------------------===//

LogicalResult BuildTransposeOp::verify() {
  if (failed(verifyNumOutputs(*this, getOuts(), 3, 3)))
    return failure();
  NamedOperand rowptr{"rowptr", getRowptr()}, colind{"colind", getColind()};
  NamedOperand outs[] = {{"outs 0", getOuts()[0]},
                         {"outs 1", getOuts()[1]},
                         {"outs 2", getOuts()[2]}};
  SmallVector<NamedOperand> all = {rowptr, colind, outs[0], outs[1], outs[2]};
  // build_transpose_c1
  if (failed(verifyOneLevel(*this, all)))
    return failure();
  for (NamedOperand operand : all)
    if (failed(verifyRank(*this, operand, {1})) ||
        // build_transpose_c5
        failed(verifyContiguous(*this, operand)))
      return failure();
  // build_transpose_c2
  if (failed(verifySameElementType(*this, {rowptr, outs[0], outs[2]})) ||
      failed(verifySameElementType(*this, {colind, outs[1]})))
    return failure();
  // build_transpose_c3
  int64_t nnz = shapedType(getColind()).getDimSize(0);
  for (NamedOperand out : {outs[1], outs[2]})
    if (failed(verifySize(*this, out, 0, nnz, "entries for the nonzeros")))
      return failure();
  // build_transpose_c4
  return verifyNoAlias(*this, {rowptr, colind}, getOuts());
}

LogicalResult CountTasksOp::verify() {
  // count_tasks_c1
  if (getChunkAttr().getInt() < 1)
    return emitOpError("expects chunk to be at least 1, got ")
           << getChunkAttr().getInt();
  NamedOperand rowptr{"rowptr", getRowptr()};
  // count_tasks_c2
  if (failed(verifyRank(*this, rowptr, {1})))
    return failure();
  return verifyContiguous(*this, rowptr);
}

LogicalResult BuildTasksOp::verify() {
  if (failed(verifyNumOutputs(*this, getOuts(), 1, 1)))
    return failure();
  NamedOperand rowptr{"rowptr", getRowptr()}, colind{"colind", getColind()};
  NamedOperand out{"outs", getOuts()[0]};
  // build_tasks_c1
  if (failed(verifyOneLevel(*this, {rowptr, colind, out})) ||
      failed(verifyRank(*this, rowptr, {1})) ||
      failed(verifyRank(*this, colind, {1})) ||
      failed(verifyRank(*this, out, {2})))
    return failure();
  if (shapedType(out.value).getDimSize(1) != 4)
    return emitOpError("expects outs to have 4 columns, got ")
           << out.value.getType();
  // build_tasks_c2
  if (failed(verifySameElementType(*this, {rowptr, out})))
    return failure();
  // build_tasks_c3
  if (getChunkAttr().getInt() < 1)
    return emitOpError("expects chunk to be at least 1, got ")
           << getChunkAttr().getInt();
  // build_tasks_c4
  for (NamedOperand operand : {rowptr, colind, out})
    if (failed(verifyContiguous(*this, operand)))
      return failure();
  return success();
}
