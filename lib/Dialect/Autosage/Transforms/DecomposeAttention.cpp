//===- DecomposeAttention.cpp - attention to sddmm, softmax and spmm ------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inverse of FuseAttention.cpp: three ops with a tensor of a number for
// every edge and head between them, and a linalg op for what no op of the
// dialect does.
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEDECOMPOSEATTENTION
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

/// The op's default.
static constexpr double kDefaultSlope = 0.2;

static double numberOf(FloatAttr value, double otherwise) {
  return value ? value.getValueAsDouble() : otherwise;
}

/// Why an op has no such form; empty where it has.
static StringRef whyNot(AttentionOp op) {
  if (op.getScore() == Score::Gatv2)
    return "no sampled product has the score gatv2";
  if (op.getOuts().size() > 1)
    return "no softmax gives the log-sum-exp";
  return "";
}

/// An empty tensor of a number for every edge and head of `op`.
static Value emptyScores(OpBuilder &b, AttentionOp op) {
  Location loc = op.getLoc();
  auto v = cast<RankedTensorType>(op.getV().getType());
  SmallVector<OpFoldResult> sizes;
  if (Value pattern = op.getPattern())
    sizes.push_back(DimOp::create(b, loc, DimKind::Nnz, pattern).getResult());
  else
    sizes.push_back(tensor::getMixedSize(b, loc, op.getArrays()[1], 0));
  if (v.getRank() == 3)
    sizes.push_back(tensor::getMixedSize(b, loc, op.getV(), 1));
  return tensor::EmptyOp::create(b, loc, sizes, v.getElementType());
}

/// scale * leaky_relu(scores) + bias, in place.
static Value finishScores(OpBuilder &b, Location loc, Value scores,
                          std::optional<double> slope, double scale,
                          Value bias) {
  auto type = cast<RankedTensorType>(scores.getType());
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<Value> inputs = {scores};
  SmallVector<AffineMap> maps = {identity};
  if (bias) {
    // One for all heads where it has fewer dimensions, or one column.
    auto biasType = cast<RankedTensorType>(bias.getType());
    SmallVector<AffineExpr> indices;
    for (int64_t i = 0; i < biasType.getRank(); ++i)
      indices.push_back(i == 1 && biasType.getDimSize(1) == 1
                            ? b.getAffineConstantExpr(0)
                            : b.getAffineDimExpr(i));
    inputs.push_back(bias);
    maps.push_back(AffineMap::get(type.getRank(), 0, indices, b.getContext()));
  }
  maps.push_back(identity);
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, inputs, scores, maps, loops,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               Value value = arguments[0];
               auto number = [&](double value) -> Value {
                 return arith::ConstantOp::create(
                     b, loc, b.getFloatAttr(type.getElementType(), value));
               };
               if (slope) {
                 Value isPositive = arith::CmpFOp::create(
                     b, loc, arith::CmpFPredicate::OGE, value, number(0));
                 Value less =
                     arith::MulFOp::create(b, loc, value, number(*slope));
                 value =
                     arith::SelectOp::create(b, loc, isPositive, value, less);
               }
               if (scale != 1.0)
                 value = arith::MulFOp::create(b, loc, value, number(scale));
               if (bias)
                 value = arith::AddFOp::create(b, loc, value, arguments[1]);
               linalg::YieldOp::create(b, loc, value);
             })
      .getResult(0);
}

static void decompose(AttentionOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value pattern = op.getPattern(), bias = op.getValues();
  OperandRange arrays = op.getArrays();
  bool isDot = op.getScore() == Score::Dot;
  double scale = numberOf(op.getScaleAttr(), 1.0);
  double slope = numberOf(op.getNegativeSlopeAttr(), kDefaultSlope);
  LayoutAttr layout = op.getLayoutAttr();
  StatsAttr stats = op.getStatsAttr();
  ScheduleAttr schedule = op.getScheduleAttr();
  DecisionAttr decision = op.getDecisionAttr();

  Value empty = emptyScores(b, op);
  Type type = empty.getType();
  Value scores = SddmmOp::create(b, loc, TypeRange(type),
                                 isDot ? Combine::Dot : Combine::Add, pattern,
                                 arrays, Value(), op.getQ(), op.getK(), empty,
                                 isDot ? op.getScaleAttr() : FloatAttr(),
                                 layout, stats, schedule, decision)
                     ->getResult(0);
  // A dot product has its scale.
  std::optional<double> leaky;
  if (!isDot && slope != 1.0)
    leaky = slope;
  double rest = isDot ? 1.0 : scale;
  if (leaky || rest != 1.0 || bias)
    scores = finishScores(b, loc, scores, leaky, rest, bias);
  Value weights = RowSoftmaxOp::create(b, loc, TypeRange(type), pattern, arrays,
                                       scores, scores, FloatAttr(), layout,
                                       stats, schedule, decision)
                      ->getResult(0);
  auto result =
      SpmmOp::create(b, loc, op->getResultTypes(), Reduction::Sum, pattern,
                     arrays, weights, op.getV(), op.getOuts(),
                     /*transpose=*/false, /*accumulate=*/false, layout, stats,
                     schedule, decision);
  op->replaceAllUsesWith(result);
  op->erase();
}

namespace {
struct AutosageDecomposeAttentionPass final
    : public mlir::autosage::impl::AutosageDecomposeAttentionBase<
          AutosageDecomposeAttentionPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) {
      if (op->getNumResults() > 0)
        ops.push_back(op);
    });
    for (AttentionOp op : ops) {
      if (StringRef reason = whyNot(op); !reason.empty()) {
        remark::missed(op.getLoc(),
                       remark::RemarkOpts::name("AttentionNotDecomposed")
                           .category("autosage"))
            << remark::reason("{0}", reason.str());
        continue;
      }
      decompose(op);
    }
  }
};
} // namespace
