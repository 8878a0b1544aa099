//===- AutosageComputeOps.cpp - spmm, sddmm, softmax, attention -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutosageAsm.h"
#include "AutosageVerify.h"
#include "DestinationOp.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::autosage;

//===----------------------------------------------------------------------===//
// Lists of types; one overload for each number of dense operands
//===----------------------------------------------------------------------===//

using OptionalOperand = std::optional<OpAsmParser::UnresolvedOperand>;

static ParseResult parseOperandTypes(OpAsmParser &parser,
                                     const OptionalOperand &pattern,
                                     Type &patternType,
                                     SmallVectorImpl<Type> &outs,
                                     SmallVectorImpl<Type> &results) {
  return parseTypeList(parser, pattern.has_value(), patternType, {}, outs,
                       results);
}
static ParseResult parseOperandTypes(OpAsmParser &parser,
                                     const OptionalOperand &pattern,
                                     Type &patternType, Type &a,
                                     SmallVectorImpl<Type> &outs,
                                     SmallVectorImpl<Type> &results) {
  return parseTypeList(parser, pattern.has_value(), patternType, {&a}, outs,
                       results);
}
static ParseResult parseOperandTypes(OpAsmParser &parser,
                                     const OptionalOperand &pattern,
                                     Type &patternType, Type &a, Type &b,
                                     SmallVectorImpl<Type> &outs,
                                     SmallVectorImpl<Type> &results) {
  return parseTypeList(parser, pattern.has_value(), patternType, {&a, &b}, outs,
                       results);
}
static ParseResult parseOperandTypes(OpAsmParser &parser,
                                     const OptionalOperand &pattern,
                                     Type &patternType, Type &a, Type &b,
                                     Type &c, SmallVectorImpl<Type> &outs,
                                     SmallVectorImpl<Type> &results) {
  return parseTypeList(parser, pattern.has_value(), patternType, {&a, &b, &c},
                       outs, results);
}

static ParseResult parseOperandTypes(OpAsmParser &parser,
                                     const OptionalOperand &pattern,
                                     Type &patternType, Type &a, Type &b,
                                     Type &c, Type &d, Type &e, Type &f,
                                     SmallVectorImpl<Type> &outs,
                                     SmallVectorImpl<Type> &results) {
  return parseTypeList(parser, pattern.has_value(), patternType,
                       {&a, &b, &c, &d, &e, &f}, outs, results);
}

static void printOperandTypes(OpAsmPrinter &printer, Operation *, Value,
                              Type pattern, TypeRange outs, TypeRange results) {
  printTypeList(printer, pattern, {}, outs, results);
}
static void printOperandTypes(OpAsmPrinter &printer, Operation *, Value,
                              Type pattern, Type a, TypeRange outs,
                              TypeRange results) {
  printTypeList(printer, pattern, {a}, outs, results);
}
static void printOperandTypes(OpAsmPrinter &printer, Operation *, Value,
                              Type pattern, Type a, Type b, TypeRange outs,
                              TypeRange results) {
  printTypeList(printer, pattern, {a, b}, outs, results);
}
static void printOperandTypes(OpAsmPrinter &printer, Operation *, Value,
                              Type pattern, Type a, Type b, Type c,
                              TypeRange outs, TypeRange results) {
  printTypeList(printer, pattern, {a, b, c}, outs, results);
}

static void printOperandTypes(OpAsmPrinter &printer, Operation *, Value,
                              Type pattern, Type a, Type b, Type c, Type d,
                              Type e, Type f, TypeRange outs,
                              TypeRange results) {
  printTypeList(printer, pattern, {a, b, c, d, e, f}, outs, results);
}

static ParseResult parseResultTypes(OpAsmParser &parser,
                                    SmallVectorImpl<Type> &outs,
                                    SmallVectorImpl<Type> &results) {
  Type none;
  return parseTypeList(parser, /*hasPattern=*/false, none, {}, outs, results);
}
static void printResultTypes(OpAsmPrinter &printer, Operation *, TypeRange outs,
                             TypeRange results) {
  printTypeList(printer, {}, {}, outs, results);
}

#define GET_OP_CLASSES
#include "autosage/Dialect/Autosage/IR/AutosageOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Canonicalisation that several ops share
//===----------------------------------------------------------------------===//

/// Whether every element of `value` is `number`.
static bool isSplatOf(Value value, double number) {
  if (!value)
    return false;
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return elements.isSplat() &&
           elements.getSplatValue<APFloat>().isExactlyValue(number);
  auto fill = value.getDefiningOp<linalg::FillOp>();
  FloatAttr filled;
  return fill && matchPattern(fill.getInputs()[0], m_Constant(&filled)) &&
         filled.getValue().isExactlyValue(number);
}

namespace {
/// An op that overwrites its output does not need it filled first.
template <typename OpTy> struct DropFillOfOuts final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (mlir::autosage::detail::readsOuts(op))
      return rewriter.notifyMatchFailure(op, "outs is read");
    bool changed = false;
    for (OpOperand &out : op.getDpsInitsMutable()) {
      auto fill = out.get().template getDefiningOp<linalg::FillOp>();
      if (!fill || !fill.hasPureTensorSemantics())
        continue;
      rewriter.modifyOpInPlace(op, [&] { out.set(fill.getOutputs()[0]); });
      changed = true;
    }
    return success(changed);
  }
};

/// A factor of 1 is no factor.
template <typename OpTy> struct DropUnitScale final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!op.getScale() || !op.getScale()->isExactlyValue(1.0))
      return rewriter.notifyMatchFailure(op, "scale is absent or not 1");
    rewriter.modifyOpInPlace(op, [&] { op.removeScaleAttr(); });
    return success();
  }
};

/// Edge values that change nothing: 1 as a factor, 0 as a bias. The results are
/// the same bits, for every edge is multiplied or added to exactly.
template <typename OpTy>
struct DropNeutralValues final : OpRewritePattern<OpTy> {
  DropNeutralValues(MLIRContext *context, double neutral)
      : OpRewritePattern<OpTy>(context), neutral(neutral) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!isSplatOf(op.getValues(), neutral))
      return rewriter.notifyMatchFailure(op, "edge values are not neutral");
    rewriter.modifyOpInPlace(op, [&] { op.getValuesMutable().clear(); });
    return success();
  }

  double neutral;
};
} // namespace

void SpmmOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropFillOfOuts<SpmmOp>>(context);
  patterns.add<DropNeutralValues<SpmmOp>>(context, 1.0);
}

void SddmmOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<DropFillOfOuts<SddmmOp>, DropUnitScale<SddmmOp>>(context);
  patterns.add<DropNeutralValues<SddmmOp>>(context, 1.0);
}

void RowSoftmaxOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<DropFillOfOuts<RowSoftmaxOp>, DropUnitScale<RowSoftmaxOp>>(
      context);
}

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<DropFillOfOuts<AttentionOp>, DropUnitScale<AttentionOp>>(
      context);
  patterns.add<DropNeutralValues<AttentionOp>>(context, 0.0);
}

void AttentionBackwardOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropFillOfOuts<AttentionBackwardOp>,
               DropUnitScale<AttentionBackwardOp>>(context);
}

void AttentionBackwardQOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropFillOfOuts<AttentionBackwardQOp>,
               DropUnitScale<AttentionBackwardQOp>>(context);
  patterns.add<DropNeutralValues<AttentionBackwardQOp>>(context, 0.0);
}

void AttentionBackwardKVOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropFillOfOuts<AttentionBackwardKVOp>,
               DropUnitScale<AttentionBackwardKVOp>>(context);
}

//===----------------------------------------------------------------------===//
// Gradients of attention
//===----------------------------------------------------------------------===//

bool AttentionBackwardOp::hasKernel() { return false; }

Value AttentionBackwardOp::getDvec() {
  return getScore() == Score::Gatv2 ? getOuts()[3] : Value();
}
Value AttentionBackwardOp::getDbias() {
  size_t before = getScore() == Score::Gatv2 ? 4 : 3;
  return getOuts().size() > before ? getOuts()[before] : Value();
}

Value AttentionBackwardQOp::getVecParts() {
  return getScore() == Score::Gatv2 ? getOuts()[2] : Value();
}
Value AttentionBackwardQOp::getDLogits() {
  size_t before = getScore() == Score::Gatv2 ? 3 : 2;
  return getOuts().size() > before ? getOuts()[before] : Value();
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Heads of an operand of rank 2 (one) or 3.
static int64_t headsOf(Value value) {
  ShapedType type = shapedType(value);
  return type.getRank() == 3 ? type.getDimSize(1) : 1;
}

static int64_t widthOf(Value value) {
  ShapedType type = shapedType(value);
  return type.getDimSize(type.getRank() - 1);
}

static int64_t rankOf(Value value) { return shapedType(value).getRank(); }

/// `operand` has the heads and the width of `like`, at the same rank.
static LogicalResult verifySameInner(Operation *op, NamedOperand operand,
                                     NamedOperand like) {
  if (failed(verifyRank(op, operand, {rankOf(like.value)})))
    return failure();
  unsigned rank = rankOf(operand.value);
  if (rank == 3 &&
      failed(verifySize(op, operand, 1, headsOf(like.value), "heads")))
    return failure();
  int64_t got = widthOf(operand.value), expected = widthOf(like.value);
  if (differs(got, expected))
    return op->emitOpError("expects ")
           << operand.name << " to have the inner size of " << like.name << ", "
           << expected << ", got " << got;
  return success();
}

LogicalResult SpmmOp::verify() {
  NamedOperand values{"values", getValues()}, x{"x", getX()};
  FailureOr<PatternSizes> sizes = verifySparseOp(*this, {values, x}, getOuts());
  if (failed(sizes))
    return failure();
  // spmm_c1
  if (failed(verifyNumOutputs(*this, getOuts(), 1, 1)) ||
      failed(verifyRank(*this, x, {2, 3})))
    return failure();
  NamedOperand out{"outs", getOuts()[0]};
  if (failed(verifyRank(*this, out, {rankOf(x.value)})))
    return failure();
  // spmm_c2, spmm_c3
  int64_t outRows = getTranspose() ? sizes->cols : sizes->rows;
  int64_t xRows = getTranspose() ? sizes->rows : sizes->cols;
  if (failed(verifySize(*this, out, 0, outRows, "rows")) ||
      failed(verifySize(*this, x, 0, xRows, "rows")))
    return failure();
  // spmm_c4
  if (rankOf(x.value) == 3 &&
      failed(verifySize(*this, out, 1, headsOf(x.value), "heads")))
    return failure();
  if (failed(verifySize(*this, out, rankOf(x.value) - 1, widthOf(x.value),
                        "features")))
    return failure();
  // spmm_c5
  if (getValues() &&
      failed(verifyEdgeValues(*this, values, sizes->nnz, headsOf(x.value))))
    return failure();
  // spmm_c6
  if (failed(verifySameElementType(*this, {x, values})) ||
      failed(verifyOutputElementType(*this, out,
                                     shapedType(x.value).getElementType())))
    return failure();
  // spmm_c7
  if (getAccumulate() && getReduction() != Reduction::Sum &&
      getReduction() != Reduction::Mean)
    return emitOpError("expects sum or mean with accumulate, got ")
           << stringifyReduction(getReduction());
  return success();
}

LogicalResult SddmmOp::verify() {
  NamedOperand values{"values", getValues()}, q{"q", getQ()}, k{"k", getK()};
  FailureOr<PatternSizes> sizes =
      verifySparseOp(*this, {values, q, k}, getOuts());
  if (failed(sizes))
    return failure();
  bool isDot = getCombine() == Combine::Dot;
  // sddmm_c1
  if (failed(verifyNumOutputs(*this, getOuts(), 1, 1)) ||
      failed(isDot ? verifyRank(*this, q, {2, 3})
                   : verifyRank(*this, q, {2})) ||
      failed(verifyRank(*this, k, {rankOf(q.value)})))
    return failure();
  NamedOperand out{"outs", getOuts()[0]};
  if (failed(verifyRank(*this, out, {isDot ? rankOf(q.value) - 1 : 2})))
    return failure();
  // sddmm_c2, sddmm_c3
  if (failed(verifySize(*this, q, 0, sizes->rows, "rows")) ||
      failed(verifySize(*this, k, 0, sizes->cols, "rows")))
    return failure();
  // sddmm_c4
  if (failed(verifySameInner(*this, k, q)))
    return failure();
  // sddmm_c5
  int64_t heads = isDot ? headsOf(q.value) : widthOf(q.value);
  if (failed(verifySize(*this, out, 0, sizes->nnz, "entries for the nonzeros")))
    return failure();
  if (rankOf(out.value) == 2 &&
      failed(verifySize(*this, out, 1, heads, "heads")))
    return failure();
  // sddmm_c6
  if (getValues() && failed(verifyEdgeValues(*this, values, sizes->nnz, heads)))
    return failure();
  // sddmm_c7
  if (failed(verifySameElementType(*this, {q, k, values})))
    return failure();
  return verifyOutputElementType(*this, out,
                                 shapedType(q.value).getElementType());
}

LogicalResult RowSoftmaxOp::verify() {
  NamedOperand logits{"logits", getValues()};
  FailureOr<PatternSizes> sizes =
      verifySparseOp(*this, {logits}, getOuts(), /*mayAlias=*/"logits");
  if (failed(sizes))
    return failure();
  // row_softmax_c1
  if (!getValues())
    return emitOpError("expects logits in brackets, got none");
  if (failed(verifyNumOutputs(*this, getOuts(), 1, 1)) ||
      failed(verifyRank(*this, logits, {1, 2})))
    return failure();
  NamedOperand out{"outs", getOuts()[0]};
  if (failed(verifyRank(*this, out, {rankOf(logits.value)})))
    return failure();
  for (int64_t dim = 0; dim < rankOf(logits.value); ++dim)
    if (failed(verifySize(*this, out, dim,
                          shapedType(logits.value).getDimSize(dim),
                          dim == 0 ? "entries" : "heads")))
      return failure();
  // row_softmax_c2
  if (failed(
          verifySize(*this, logits, 0, sizes->nnz, "entries for the nonzeros")))
    return failure();
  // row_softmax_c3
  return verifyOutputElementType(*this, out,
                                 shapedType(logits.value).getElementType());
}

/// What attention and its gradients ask of vec and bias.
template <typename OpTy>
static LogicalResult verifyVecAndBias(OpTy op, int64_t heads, int64_t nnz) {
  NamedOperand vec{"vec", op.getVec()}, bias{"bias", op.getValues()};
  // attention_c5, attention_backward_c5
  bool isGatv2 = op.getScore() == Score::Gatv2;
  if (isGatv2 != static_cast<bool>(op.getVec()))
    return op.emitOpError("expects vec for gatv2 and for no other score, got ")
           << stringifyScore(op.getScore())
           << (op.getVec() ? " with" : " without") << " vec";
  if (isGatv2 &&
      (failed(verifyRank(op, vec, {2})) ||
       failed(verifySize(op, vec, 0, heads, "heads")) ||
       failed(verifySize(op, vec, 1, widthOf(op.getQ()), "features"))))
    return failure();
  // attention_c6, attention_backward_c6
  if (op.getValues() && failed(verifyEdgeValues(op, bias, nnz, heads)))
    return failure();
  // attention_c7, attention_backward_c7
  return verifySameElementType(
      op, {{"q", op.getQ()}, {"k", op.getK()}, {"v", op.getV()}, bias, vec});
}

/// What attention and its gradients ask of the heads and widths of q and k.
template <typename OpTy>
static LogicalResult verifyQueryHeads(OpTy op, int64_t heads) {
  NamedOperand q{"q", op.getQ()};
  if (failed(verifySameInner(op, {"k", op.getK()}, q)))
    return failure();
  if (op.getScore() == Score::Gat || rankOf(q.value) == 3)
    return verifySize(op, q, 1, heads, "heads");
  return success();
}

LogicalResult AttentionOp::verify() {
  NamedOperand bias{"bias", getValues()}, q{"q", getQ()}, k{"k", getK()},
      v{"v", getV()}, vec{"vec", getVec()};
  FailureOr<PatternSizes> sizes =
      verifySparseOp(*this, {bias, q, k, v, vec}, getOuts());
  if (failed(sizes))
    return failure();
  bool isGat = getScore() == Score::Gat;
  // attention_c1
  if (failed(verifyNumOutputs(*this, getOuts(), 1, 2)) ||
      failed(isGat ? verifyRank(*this, v, {3})
                   : verifyRank(*this, v, {2, 3})) ||
      failed(verifyRank(*this, q, {isGat ? 2 : rankOf(v.value)})))
    return failure();
  NamedOperand out{"outs", getOuts()[0]};
  if (failed(verifyRank(*this, out, {rankOf(v.value)})))
    return failure();
  // attention_c2, attention_c3
  if (failed(verifySize(*this, q, 0, sizes->rows, "rows")) ||
      failed(verifySize(*this, out, 0, sizes->rows, "rows")) ||
      failed(verifySize(*this, k, 0, sizes->cols, "rows")) ||
      failed(verifySize(*this, v, 0, sizes->cols, "rows")))
    return failure();
  // attention_c4
  int64_t heads = headsOf(v.value);
  if (failed(verifyQueryHeads(*this, heads)) ||
      failed(verifySameInner(*this, out, v)) ||
      failed(verifyVecAndBias(*this, heads, sizes->nnz)))
    return failure();
  Type element = shapedType(q.value).getElementType();
  if (failed(verifyOutputElementType(*this, out, element)))
    return failure();
  if (getOuts().size() == 1)
    return success();
  // attention_c8
  NamedOperand lse{"log-sum-exp", getOuts()[1]};
  if (failed(verifyRank(*this, lse, {rankOf(out.value) - 1})) ||
      failed(verifySize(*this, lse, 0, shapedType(out.value).getDimSize(0),
                        "rows")) ||
      failed(verifySize(*this, lse, 0, sizes->rows, "rows")))
    return failure();
  if (rankOf(lse.value) == 2 &&
      failed(verifySize(*this, lse, 1, heads, "heads")))
    return failure();
  return verifyOutputElementType(*this, lse, element);
}

/// Every size of a gradient is that of its operand.
static LogicalResult verifyGradient(Operation *op, NamedOperand gradient,
                                    NamedOperand operand) {
  if (failed(verifyRank(op, gradient, {rankOf(operand.value)})))
    return failure();
  ArrayRef<int64_t> got = shapedType(gradient.value).getShape();
  ArrayRef<int64_t> expected = shapedType(operand.value).getShape();
  for (auto [a, b] : llvm::zip_equal(got, expected))
    if (differs(a, b))
      return op->emitOpError("expects ")
             << gradient.name << " to have the sizes of " << operand.name
             << ", " << operand.value.getType() << ", got "
             << gradient.value.getType();
  return success();
}

/// Every operand has `rows` rows.
static LogicalResult verifyRows(Operation *op, ArrayRef<NamedOperand> operands,
                                int64_t rows) {
  for (NamedOperand operand : operands)
    if (failed(verifySize(op, operand, 0, rows, "rows")))
      return failure();
  return success();
}

// attention_backward_c10
static LogicalResult verifyTransposed(AttentionBackwardOp op,
                                      const PatternSizes &sizes) {
  OperandRange arrays = op.getTransposed();
  if (arrays.empty())
    return success();
  if (arrays.size() != 3)
    return op.emitOpError("expects positions, coordinates and permutation for "
                          "transposed, got ")
           << arrays.size() << (arrays.size() == 1 ? " array" : " arrays");
  NamedOperand named[] = {{"transposed positions", arrays[0]},
                          {"transposed coordinates", arrays[1]},
                          {"transposed permutation", arrays[2]}};
  for (NamedOperand array : named)
    if (failed(verifyRank(op, array, {1})))
      return failure();
  int64_t cols = sizes.cols;
  if (!ShapedType::isDynamic(cols) &&
      failed(verifySize(op, named[0], 0, cols + 1, "entries")))
    return failure();
  for (NamedOperand array : {named[1], named[2]})
    if (failed(verifySize(op, array, 0, sizes.nnz, "entries")))
      return failure();
  return success();
}

/// What all gradients ask of ranks and inner sizes. `ofRows` have one number a
/// row and head.
template <typename OpTy>
static LogicalResult verifyWalk(OpTy op, NamedOperand dO,
                                ArrayRef<NamedOperand> ofRows, int64_t nnz) {
  NamedOperand q{"q", op.getQ()}, v{"v", op.getV()};
  bool isGat = op.getScore() == Score::Gat;
  if (failed(isGat ? verifyRank(op, v, {3}) : verifyRank(op, v, {2, 3})) ||
      failed(verifyRank(op, q, {isGat ? 2 : rankOf(v.value)})))
    return failure();
  int64_t heads = headsOf(v.value);
  for (NamedOperand operand : ofRows) {
    if (failed(verifyRank(op, operand, {rankOf(v.value) - 1})))
      return failure();
    if (rankOf(operand.value) == 2 &&
        failed(verifySize(op, operand, 1, heads, "heads")))
      return failure();
  }
  if (failed(verifyQueryHeads(op, heads)) ||
      failed(verifySameInner(op, dO, v)) ||
      failed(verifyVecAndBias(op, heads, nnz)))
    return failure();
  return verifyOutputElementType(op, dO, shapedType(q.value).getElementType());
}

LogicalResult AttentionBackwardOp::verify() {
  NamedOperand bias{"bias", getValues()}, q{"q", getQ()}, k{"k", getK()},
      v{"v", getV()}, vec{"vec", getVec()}, o{"o", getO()},
      lse{"lse", getLse()}, dO{"d_o", getDO()};
  SmallVector<NamedOperand> inputs = {bias, q, k, v, vec, o, lse, dO};
  for (Value array : getTransposed())
    inputs.push_back({"transposed", array});
  FailureOr<PatternSizes> sizes = verifySparseOp(*this, inputs, getOuts());
  if (failed(sizes))
    return failure();
  // attention_backward_c1
  size_t outputs = getScore() == Score::Gatv2 ? 4 : 3;
  if (failed(verifyNumOutputs(*this, getOuts(), outputs,
                              outputs + (getValues() ? 1 : 0))))
    return failure();
  // attention_backward_c4, attention_backward_c8
  if (failed(verifyWalk(*this, dO, {lse}, sizes->nnz)) ||
      failed(verifySameInner(*this, o, v)))
    return failure();
  // attention_backward_c2, attention_backward_c3
  if (failed(verifyRows(*this, {q, o, lse, dO}, sizes->rows)) ||
      failed(verifyRows(*this, {k, v}, sizes->cols)))
    return failure();
  SmallVector<std::pair<NamedOperand, NamedOperand>> gradients = {
      {{"dq", getOuts()[0]}, q},
      {{"dk", getOuts()[1]}, k},
      {{"dv", getOuts()[2]}, v}};
  if (Value dvec = getDvec())
    gradients.push_back({{"dvec", dvec}, vec});
  if (Value dbias = getDbias())
    gradients.push_back({{"dbias", dbias}, bias});
  // attention_backward_c7
  Type element = shapedType(q.value).getElementType();
  for (NamedOperand operand : {o, lse})
    if (failed(verifyOutputElementType(*this, operand, element)))
      return failure();
  for (auto &[gradient, operand] : gradients)
    // attention_backward_c9
    if (failed(verifyOutputElementType(*this, gradient, element)) ||
        failed(verifyGradient(*this, gradient, operand)))
      return failure();
  return verifyTransposed(*this, *sizes);
}

/// f32 where the inputs are f16 or bf16, else their type.
static LogicalResult verifyAccumulator(Operation *op, NamedOperand operand,
                                       Type input) {
  Type expected = input.getIntOrFloatBitWidth() < 32
                      ? Float32Type::get(input.getContext())
                      : input;
  Type got = shapedType(operand.value).getElementType();
  if (got == expected)
    return success();
  return op->emitOpError("expects ") << operand.name << " to have element type "
                                     << expected << ", got " << got;
}

LogicalResult AttentionBackwardQOp::verify() {
  NamedOperand bias{"bias", getValues()}, q{"q", getQ()}, k{"k", getK()},
      v{"v", getV()}, vec{"vec", getVec()}, o{"o", getO()},
      lse{"lse", getLse()}, dO{"d_o", getDO()};
  FailureOr<PatternSizes> sizes =
      verifySparseOp(*this, {bias, q, k, v, vec, o, lse, dO}, getOuts());
  if (failed(sizes))
    return failure();
  // attention_backward_q_c1
  size_t outputs = getScore() == Score::Gatv2 ? 3 : 2;
  if (failed(verifyNumOutputs(*this, getOuts(), outputs, outputs + 1)))
    return failure();
  NamedOperand dq{"dq", getOuts()[0]}, delta{"delta", getOuts()[1]};
  // attention_backward_q_c4
  if (failed(verifyWalk(*this, dO, {lse, delta}, sizes->nnz)) ||
      failed(verifySameInner(*this, o, v)))
    return failure();
  // attention_backward_q_c2, attention_backward_q_c3
  if (failed(verifyRows(*this, {q, o, lse, dO, dq, delta}, sizes->rows)) ||
      failed(verifyRows(*this, {k, v}, sizes->cols)))
    return failure();
  // attention_backward_q_c5
  Type element = shapedType(q.value).getElementType();
  for (NamedOperand operand : {o, lse, dq})
    if (failed(verifyOutputElementType(*this, operand, element)))
      return failure();
  if (failed(verifyGradient(*this, dq, q)) ||
      failed(verifyAccumulator(*this, delta, element)))
    return failure();
  if (NamedOperand parts{"vec parts", getVecParts()}; parts.value)
    if (failed(verifyAccumulator(*this, parts, element)) ||
        failed(verifyGradient(*this, parts, q)))
      return failure();
  NamedOperand ds{"gradients of logits", getDLogits()};
  if (!ds.value)
    return success();
  if (failed(verifyRank(*this, ds, {rankOf(v.value) - 1})) ||
      failed(verifySize(*this, ds, 0, sizes->nnz, "entries for the nonzeros")))
    return failure();
  if (rankOf(ds.value) == 2 &&
      failed(verifySize(*this, ds, 1, headsOf(v.value), "heads")))
    return failure();
  return verifyAccumulator(*this, ds, element);
}

LogicalResult AttentionBackwardKVOp::verify() {
  NamedOperand bias{"bias", getValues()}, edges{"edges", getEdges()},
      q{"q", getQ()}, k{"k", getK()}, v{"v", getV()}, vec{"vec", getVec()},
      lse{"lse", getLse()}, delta{"delta", getDelta()}, dO{"d_o", getDO()};
  FailureOr<PatternSizes> sizes = verifySparseOp(
      *this, {bias, edges, q, k, v, vec, lse, delta, dO}, getOuts());
  if (failed(sizes))
    return failure();
  // attention_backward_kv_c1
  if (failed(verifyNumOutputs(*this, getOuts(), 2, 2)))
    return failure();
  NamedOperand dk{"dk", getOuts()[0]}, dv{"dv", getOuts()[1]};
  // attention_backward_kv_c4
  if (failed(verifyWalk(*this, dO, {lse, delta}, sizes->nnz)))
    return failure();
  // attention_backward_kv_c2, attention_backward_kv_c3
  if (failed(verifyRows(*this, {q, lse, delta, dO}, sizes->cols)) ||
      failed(verifyRows(*this, {k, v, dk, dv}, sizes->rows)))
    return failure();
  Type element = shapedType(q.value).getElementType();
  if (failed(verifyOutputElementType(*this, lse, element)) ||
      failed(verifyAccumulator(*this, delta, element)))
    return failure();
  // attention_backward_kv_c5
  for (auto [gradient, operand] : {std::pair(dk, k), std::pair(dv, v)})
    if (failed(verifyOutputElementType(*this, gradient, element)) ||
        failed(verifyGradient(*this, gradient, operand)))
      return failure();
  // attention_backward_kv_c6
  if (!edges.value)
    return success();
  if (!bias.value)
    return emitOpError("expects edges only beside a bias, got no bias");
  if (failed(verifyRank(*this, edges, {1})))
    return failure();
  return verifySize(*this, edges, 0, sizes->nnz, "entries for the nonzeros");
}
