//===- KernelSpecOf.cpp - an op as the oracle's kernel --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/IR/KernelSpecOf.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::autosage;
using ::autosage::EdgeValues;
using ::autosage::InputStats;
using ::autosage::KernelSpec;

static int64_t sizeOf(int64_t size) {
  return ShapedType::isDynamic(size) ? ::autosage::dynamic : size;
}

static ShapedType typeOf(Value value) {
  return cast<ShapedType>(value.getType());
}

static int64_t widthOf(Value value) {
  return sizeOf(typeOf(value).getShape().back());
}

/// Heads of an operand of rank 3; 0: it has no such dimension.
static int64_t headsOf(Value value) {
  ShapedType type = typeOf(value);
  return type.getRank() == 3 ? sizeOf(type.getDimSize(1)) : 0;
}

/// Of edge values, which are nnz, nnz x 1 or nnz x heads.
static EdgeValues edgeValuesOf(Value values) {
  if (!values)
    return EdgeValues::none;
  ShapedType type = typeOf(values);
  if (type.getRank() == 1)
    return EdgeValues::perEdge;
  return type.getDimSize(1) == 1 ? EdgeValues::column : EdgeValues::perHead;
}

static ::autosage::IndexType indexTypeOf(Type type) {
  return type.isInteger(32) ? ::autosage::IndexType::i32
                            : ::autosage::IndexType::i64;
}

static double toDouble(const std::optional<APFloat> &value, double otherwise) {
  if (!value)
    return otherwise;
  APFloat wide = *value;
  bool losesInfo;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return wide.convertToDouble();
}

static void fill(KernelSpec &spec, SpmmOp op) {
  spec.op = ::autosage::OpKind::spmm;
  spec.reduction = toCore(op.getReduction());
  spec.features = widthOf(op.getX());
  spec.heads = headsOf(op.getX());
  spec.edgeValues = edgeValuesOf(op.getValues());
  spec.transpose = op.getTranspose();
  spec.accumulate = op.getAccumulate();
}

static void fill(KernelSpec &spec, SddmmOp op) {
  spec.op = ::autosage::OpKind::sddmm;
  spec.combine = op.getCombine() == Combine::Dot ? ::autosage::Combine::dot
                                                 : ::autosage::Combine::add;
  spec.edgeValues = edgeValuesOf(op.getValues());
  spec.scale = toDouble(op.getScale(), 1.0);
  if (op.getCombine() == Combine::Add) {
    // q is rows x heads.
    spec.features = 1;
    spec.heads = widthOf(op.getQ());
    return;
  }
  spec.features = widthOf(op.getQ());
  spec.heads = headsOf(op.getQ());
}

static void fill(KernelSpec &spec, RowSoftmaxOp op) {
  spec.op = ::autosage::OpKind::row_softmax;
  ShapedType type = typeOf(op.getValues());
  spec.heads = type.getRank() == 2 ? sizeOf(type.getDimSize(1)) : 0;
  spec.edgeValues =
      type.getRank() == 2 ? EdgeValues::perHead : EdgeValues::perEdge;
  spec.scale = toDouble(op.getScale(), 1.0);
}

template <typename OpTy> static void fillAttention(KernelSpec &spec, OpTy op) {
  spec.op = ::autosage::OpKind::attention;
  spec.score = toCore(op.getScore());
  spec.heads = headsOf(op.getV());
  spec.edgeValues = edgeValuesOf(op.getValues());
  spec.scale = toDouble(op.getScale(), 1.0);
  spec.negativeSlope = toDouble(op.getNegativeSlope(), spec.negativeSlope);
  // The q and k of gat have no width of their own.
  spec.features = widthOf(op.getScore() == Score::Gat ? op.getV() : op.getQ());
  if (op.getScore() != Score::Gat && widthOf(op.getV()) != spec.features)
    spec.valueFeatures = widthOf(op.getV());
}

static void fill(KernelSpec &spec, AttentionOp op) {
  fillAttention(spec, op);
  spec.lse = op.getOuts().size() == 2;
}

static void fill(KernelSpec &spec, AttentionBackwardOp op) {
  fillAttention(spec, op);
  spec.op = ::autosage::OpKind::attention_backward;
  spec.biasGradient = static_cast<bool>(op.getDbias());
}

KernelSpec mlir::autosage::kernelSpecOf(SparseOpInterface op) {
  KernelSpec spec;
  llvm::TypeSwitch<Operation *>(op.getOperation())
      .Case<SpmmOp, SddmmOp, RowSoftmaxOp, AttentionOp, AttentionBackwardOp>(
          [&](auto known) { fill(spec, known); })
      // Walks over as many edges as that attention has.
      .Case<AttentionBackwardQOp, AttentionBackwardKVOp>(
          [&](auto walk) { fillAttention(spec, walk); });
  auto outs = cast<DestinationStyleOpInterface>(op.getOperation());
  Type out = typeOf(outs.getDpsInitOperand(0)->get()).getElementType();
  Type in = out;
  for (OpOperand *operand : outs.getDpsInputOperands())
    if (auto type = dyn_cast<ShapedType>(operand->get().getType()))
      if (toCoreDType(type.getElementType()))
        in = type.getElementType();
  // What attention gave may be wider than its operands.
  llvm::TypeSwitch<Operation *>(op.getOperation())
      .Case<AttentionBackwardOp, AttentionBackwardQOp, AttentionBackwardKVOp>(
          [&](auto gradients) {
            in = typeOf(gradients.getQ()).getElementType();
          });
  spec.dtype = toCoreDType(in).value_or(::autosage::DType::f32);
  spec.f32Out = in != out;
  if (Value pattern = op.getPatternValue()) {
    auto type = cast<PatternType>(pattern.getType());
    spec.rowptrType = indexTypeOf(type.getPositionType());
    spec.colindType = indexTypeOf(type.getCoordinateType());
  } else {
    OperandRange arrays = op.getPatternArrays();
    spec.rowptrType = indexTypeOf(typeOf(arrays[0]).getElementType());
    spec.colindType = indexTypeOf(typeOf(arrays[1]).getElementType());
  }
  return spec;
}

/// The op's own statistics and those of its pattern; null where there are none.
static StatsAttr statsOf(SparseOpInterface op) {
  StatsAttr stats = op.getStatistics();
  if (Value pattern = op.getPatternValue())
    if (StatsAttr known = lookUpStats(pattern))
      stats = stats ? known.mergedWith(stats) : known;
  return stats;
}

::autosage::Problem mlir::autosage::problemOf(Operation *sparseOp) {
  auto op = cast<SparseOpInterface>(sparseOp);
  KernelSpec spec = kernelSpecOf(op);
  if (StatsAttr stats = statsOf(op))
    spec.stats = stats.getInputStats();
  ::autosage::Problem problem = ::autosage::problemOf(spec);
  problem.fusedOnly =
      isa<AttentionBackwardQOp, AttentionBackwardKVOp>(sparseOp);
  // A spec without v's width means that of q and k; here it is not known.
  if (auto attention = dyn_cast<AttentionOp>(sparseOp))
    if (widthOf(attention.getV()) == ::autosage::dynamic)
      problem.features.reset();
  return problem;
}

std::optional<InputStats>
mlir::autosage::completeStatsOf(SparseOpInterface op) {
  StatsAttr attribute = statsOf(op);
  Value pattern = op.getPatternValue();
  if (!attribute)
    return std::nullopt;
  std::optional<InputStats> stats = attribute.getInputStats();
  if (!stats)
    return std::nullopt;
  auto has = [&](StringRef key) {
    return attribute.getEntries().contains(key);
  };
  if (!has("cols")) {
    int64_t cols = pattern ? cast<PatternType>(pattern.getType()).getCols()
                           : ShapedType::kDynamic;
    stats->cols = ShapedType::isDynamic(cols) ? stats->rows : cols;
  }
  // Each quantile is at least the one below it.
  auto typical = std::min<int64_t>(
      static_cast<int64_t>(std::lround(std::min(stats->mean, 1e18))),
      stats->max);
  if (!has("p50"))
    stats->p50 = typical;
  if (!has("p90"))
    stats->p90 = std::max(typical, stats->p50);
  if (!has("p99"))
    stats->p99 = stats->p90;
  if (!has("p999"))
    stats->p999 = stats->p99;
  // An operand's row is used once in a window.
  if (!has("locality"))
    stats->locality = stats->nnz > 0 ? 1 : 0;
  return stats;
}
