//===- FuseAttention.cpp - sddmm, softmax and spmm to attention -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From each sum of weighted rows back through a softmax to a sampled product.
// What lies between softmax and product is read as a formula: elementwise ops
// on tensors and linalg ops alike are evaluated to a normal form, `factor *
// score + bias` with an optional leaky ReLU, or found to be something else.
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEFUSEATTENTION
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

static double numberOf(const std::optional<APFloat> &value, double otherwise) {
  if (!value)
    return otherwise;
  APFloat number = *value;
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

template <typename LhsT, typename RhsT>
static bool haveOnePattern(LhsT lhs, RhsT rhs) {
  auto left = cast<SparseOpInterface>(lhs.getOperation());
  auto right = cast<SparseOpInterface>(rhs.getOperation());
  return lhs.getPattern() == rhs.getPattern() &&
         llvm::equal(lhs.getArrays(), rhs.getArrays()) &&
         left.getPatternLayout() == right.getPatternLayout();
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

namespace {
/// What a tensor holds for an edge, or a number in the body of a linalg op.
struct Form {
  enum Kind {
    other,    // nothing that is known
    constant, // `factor`
    edges,    // an element of `tensor`
    score     // factor * score + bias, the score through a leaky ReLU
  } kind = other;
  double factor = 1.0;
  Value tensor;     // of edges
  SddmmOp source;   // of a score
  double slope = 1; // 1: no leaky ReLU
  Value bias;       // may be null
};

class FormulaReader {
public:
  explicit FormulaReader(RowSoftmaxOp softmax) : softmax(softmax) {}

  Form read(Value value) { return read(value, Environment()); }

  /// Ops whose results become part of the fused one.
  llvm::SetVector<Operation *> ops;
  /// The first reason why a formula that begins with a product is not one of
  /// attention.
  std::string why;
  bool hasProduct = false;

private:
  using Environment = llvm::DenseMap<Value, Form>;

  Form read(Value value, const Environment &known);
  Form readProduct(SddmmOp op);
  Form readLinalg(linalg::LinalgOp op);
  Form readBinary(Operation *op, const Environment &known);
  /// A leaky ReLU of `inner`, whose other branch is `scaled`.
  Form readLeaky(Value inner, Value scaled, bool isMaximum,
                 const Environment &known);
  Form readSelect(arith::SelectOp op, const Environment &known);
  Form refuse(const Twine &reason) {
    if (why.empty())
      why = reason.str();
    return {};
  }

  RowSoftmaxOp softmax;
};
} // namespace

static std::optional<double> constantOf(Value value) {
  FloatAttr number;
  if (matchPattern(value, m_Constant(&number)))
    return numberOf(number.getValue(), 0);
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
      isa<FloatType>(elements.getElementType()))
    return numberOf(elements.getSplatValue<APFloat>(), 0);
  return std::nullopt;
}

Form FormulaReader::read(Value value, const Environment &known) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Form form;
  if (std::optional<double> number = constantOf(value)) {
    form.kind = Form::constant;
    form.factor = *number;
    return form;
  }
  bool isTensor = isa<RankedTensorType>(value.getType());
  if (Operation *op = value.getDefiningOp()) {
    if (auto product = dyn_cast<SddmmOp>(op))
      return readProduct(product);
    if (isa<arith::AddFOp, arith::MulFOp, arith::DivFOp, arith::MaximumFOp>(op))
      form = readBinary(op, known);
    else if (auto select = dyn_cast<arith::SelectOp>(op))
      form = readSelect(select, known);
    else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      form = readLinalg(linalgOp);
    else
      // Something is made of scores that attention does not do.
      hasProduct |= llvm::any_of(op->getOperands(), [](Value operand) {
        return operand.getDefiningOp<SddmmOp>() != nullptr;
      });
    if (form.kind == Form::score && isTensor)
      ops.insert(op);
  }
  if (form.kind == Form::other && isTensor) {
    form.kind = Form::edges;
    form.tensor = value;
  }
  return form;
}

Form FormulaReader::readProduct(SddmmOp op) {
  hasProduct = true;
  if (!haveOnePattern(op, softmax))
    return refuse("product and softmax have different patterns");
  if (op.getValues())
    return refuse("the product is scaled by edge values");
  ops.insert(op);
  Form form;
  form.kind = Form::score;
  form.source = op;
  form.factor = numberOf(op.getScale(), 1.0);
  return form;
}

Form FormulaReader::readLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return {};
  Environment known;
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    AffineMap map = op.getMatchingIndexingMap(input);
    Form form = read(input->get());
    if (isa<RankedTensorType>(input->get().getType()) && !map.isIdentity() &&
        form.kind != Form::constant) {
      // A number of an edge for all heads: (edge, head) -> (edge [, 0]).
      bool isBroadcast =
          map.getNumResults() >= 1 &&
          map.getResult(0) == getAffineDimExpr(0, op->getContext()) &&
          llvm::all_of(map.getResults().drop_front(),
                       [](AffineExpr e) { return e == 0; });
      form = Form();
      if (isBroadcast) {
        form.kind = Form::edges;
        form.tensor = input->get();
      }
    }
    known[argument] = form;
  }
  for (OpOperand &init : op.getDpsInitsMutable())
    known[op.getMatchingBlockArgument(&init)] = Form();
  return read(op.getBlock()->getTerminator()->getOperand(0), known);
}

Form FormulaReader::readBinary(Operation *op, const Environment &known) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (isa<arith::MaximumFOp>(op)) {
    Form form = readLeaky(lhs, rhs, /*isMaximum=*/true, known);
    return form.kind == Form::score
               ? form
               : readLeaky(rhs, lhs, /*isMaximum=*/true, known);
  }
  Form left = read(lhs, known), right = read(rhs, known);
  if (right.kind == Form::score && !isa<arith::DivFOp>(op))
    std::swap(left, right);
  if (left.kind != Form::score)
    return {};
  if (isa<arith::AddFOp>(op)) {
    if (right.kind != Form::edges)
      return refuse("what is added to scores is no number of an edge");
    if (left.bias)
      return refuse("two tensors are added to scores");
    left.bias = right.tensor;
    return left;
  }
  if (right.kind != Form::constant)
    return refuse("scores are multiplied by what is no constant");
  if (left.bias && right.factor != 1.0)
    return refuse("the scale is one of scores and bias together");
  left.factor = isa<arith::DivFOp>(op) ? left.factor / right.factor
                                       : left.factor * right.factor;
  return left;
}

Form FormulaReader::readLeaky(Value inner, Value scaled, bool isMaximum,
                              const Environment &known) {
  auto product = scaled.getDefiningOp<arith::MulFOp>();
  if (!product)
    return {};
  Value other;
  if (product.getLhs() == inner)
    other = product.getRhs();
  else if (product.getRhs() == inner)
    other = product.getLhs();
  else
    return {};
  Form slope = read(other, known);
  Form form = read(inner, known);
  if (slope.kind != Form::constant || form.kind != Form::score)
    return {};
  if (isMaximum && !(slope.factor >= 0 && slope.factor <= 1))
    return refuse("a maximum is a leaky ReLU with a slope from 0 to 1 alone");
  if (form.source.getCombine() != Combine::Add)
    return refuse("a leaky ReLU of dot products is no score of attention");
  if (form.bias)
    return refuse("a leaky ReLU of scores and bias is no score of attention");
  if (form.slope != 1.0)
    return refuse("there are two leaky ReLUs");
  // It passes a positive factor on.
  if (!(form.factor > 0))
    return refuse("scores are multiplied by what is not positive before the "
                  "leaky ReLU");
  if (isa<RankedTensorType>(inner.getType()))
    ops.insert(product);
  form.slope = slope.factor;
  return form;
}

Form FormulaReader::readSelect(arith::SelectOp op, const Environment &known) {
  using Predicate = arith::CmpFPredicate;
  auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return {};
  Form zero = read(compare.getRhs(), known);
  if (zero.kind != Form::constant || zero.factor != 0)
    return {};
  bool isGreater = llvm::is_contained(
      {Predicate::OGT, Predicate::OGE, Predicate::UGT, Predicate::UGE},
      compare.getPredicate());
  bool isLess = llvm::is_contained(
      {Predicate::OLT, Predicate::OLE, Predicate::ULT, Predicate::ULE},
      compare.getPredicate());
  Value inner = isGreater ? op.getTrueValue() : op.getFalseValue();
  Value scaled = isGreater ? op.getFalseValue() : op.getTrueValue();
  if ((!isGreater && !isLess) || compare.getLhs() != inner)
    return {};
  Form form = readLeaky(inner, scaled, /*isMaximum=*/false, known);
  if (form.kind == Form::score && isa<RankedTensorType>(inner.getType()))
    ops.insert(compare);
  return form;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
/// A sum of weighted rows with a softmax behind it.
class Candidate {
public:
  Candidate(SpmmOp spmm, RowSoftmaxOp softmax)
      : spmm(spmm), softmax(softmax), reader(softmax),
        form(reader.read(softmax.getValues())) {}

  /// Whether a product lies behind the softmax.
  bool isOne() const { return reader.hasProduct; }
  /// Why it cannot be fused; empty where it can.
  std::string whyNot();
  void fuse();

private:
  std::string whyNotByUses();
  std::string whyNotByTypes();
  std::string whyNotBySchedules();

  SpmmOp spmm;
  RowSoftmaxOp softmax;
  FormulaReader reader;
  Form form;
};
} // namespace

std::string Candidate::whyNot() {
  if (form.kind != Form::score)
    return reader.why.empty()
               ? "what lies between product and softmax is not scale, bias or "
                 "leaky ReLU"
               : reader.why;
  if (!haveOnePattern(softmax, spmm))
    return "softmax and sum have different patterns";
  if (spmm.getReduction() != Reduction::Sum)
    return "rows of v are not summed up";
  if (spmm.getTranspose())
    return "the sum is transposed";
  if (spmm.getAccumulate())
    return "the sum is added to its output";
  double scale = numberOf(softmax.getScale(), 1.0);
  if (form.bias && scale != 1.0)
    return "the scale is one of scores and bias together";
  for (auto check : {&Candidate::whyNotByUses, &Candidate::whyNotByTypes,
                     &Candidate::whyNotBySchedules})
    if (std::string reason = (this->*check)(); !reason.empty())
      return reason;
  return "";
}

std::string Candidate::whyNotByUses() {
  llvm::SetVector<Operation *> all = reader.ops;
  all.insert(softmax);
  for (Operation *op : all) {
    for (Operation *user : op->getUsers())
      if (user != spmm.getOperation() && !all.contains(user))
        return op->getName().getStringRef().str() + " has another use";
    if (op->getBlock() != spmm->getBlock())
      return op->getName().getStringRef().str() + " is in another block";
  }
  if (spmm.getX() == spmm.getValues() ||
      llvm::is_contained(spmm.getOuts(), spmm.getValues()))
    return "the weights are another operand of the sum, too";
  return "";
}

std::string Candidate::whyNotByTypes() {
  auto q = cast<RankedTensorType>(form.source.getQ().getType());
  auto v = cast<RankedTensorType>(spmm.getX().getType());
  auto out = cast<RankedTensorType>(spmm.getOuts()[0].getType());
  Type element = q.getElementType();
  auto narrow = [](Type type) { return type.isF16() || type.isBF16(); };
  if (v.getElementType() != element)
    return "q, k and v have different element types";
  if (out.getElementType() != element &&
      !(narrow(element) && out.getElementType().isF32()))
    return "attention has no such type of output";
  if (form.bias &&
      cast<RankedTensorType>(form.bias.getType()).getElementType() != element)
    return "the bias has another element type than q, k and v";
  bool isDot = form.source.getCombine() == Combine::Dot;
  if (isDot ? q.getRank() != v.getRank() : v.getRank() != 3)
    return "scores and v do not have the same heads";
  return "";
}

std::string Candidate::whyNotBySchedules() {
  ScheduleAttr schedule = spmm.getScheduleAttr();
  if (softmax.getScheduleAttr() != schedule ||
      form.source.getScheduleAttr() != schedule)
    return "the ops have different schedules";
  if (schedule && schedule.getSchedule().family == "vendor")
    return "there is no vendor kernel for attention";
  return "";
}

void Candidate::fuse() {
  OpBuilder b(spmm);
  SddmmOp source = form.source;
  bool isDot = source.getCombine() == Combine::Dot;
  double scale = form.factor * numberOf(softmax.getScale(), 1.0);
  auto number = [&](double value) { return b.getF64FloatAttr(value); };
  // Without a leaky ReLU gat's has slope 1.
  auto attention = AttentionOp::create(
      b, spmm.getLoc(), spmm->getResultTypes(), isDot ? Score::Dot : Score::Gat,
      spmm.getPattern(), spmm.getArrays(), form.bias, source.getQ(),
      source.getK(), spmm.getX(), Value(), spmm.getOuts(),
      scale == 1.0 ? FloatAttr() : number(scale),
      isDot ? FloatAttr() : number(form.slope), spmm.getLayoutAttr(),
      spmm.getStatsAttr(), spmm.getScheduleAttr(), spmm.getDecisionAttr());
  remark::passed(
      spmm.getLoc(),
      remark::RemarkOpts::name("AttentionFused").category("autosage"))
      << remark::add("autosage.sddmm, autosage.row_softmax and autosage.spmm "
                     "are one autosage.attention");
  spmm->replaceAllUsesWith(attention);
  spmm->erase();
  softmax->erase();
  // Each op has been read after its operands.
  while (!reader.ops.empty()) {
    auto unused = llvm::find_if(reader.ops,
                                [](Operation *op) { return op->use_empty(); });
    Operation *op = *unused;
    reader.ops.remove(op);
    op->erase();
  }
}

namespace {
struct AutosageFuseAttentionPass final
    : public mlir::autosage::impl::AutosageFuseAttentionBase<
          AutosageFuseAttentionPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<SpmmOp> sums;
    getOperation()->walk([&](SpmmOp op) {
      if (op.getValues() && op->getNumResults() == 1)
        sums.push_back(op);
    });
    for (SpmmOp spmm : sums) {
      auto softmax = spmm.getValues().getDefiningOp<RowSoftmaxOp>();
      if (!softmax)
        continue;
      Candidate candidate(spmm, softmax);
      if (!candidate.isOne())
        continue;
      std::string reason = candidate.whyNot();
      if (reason.empty()) {
        candidate.fuse();
        continue;
      }
      remark::missed(
          spmm.getLoc(),
          remark::RemarkOpts::name("AttentionNotFused").category("autosage"))
          << remark::reason("{0}", reason);
    }
  }
};
} // namespace
