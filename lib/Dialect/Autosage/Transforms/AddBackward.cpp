//===- AddBackward.cpp - functions of gradients ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reverse mode over one block: ops from the last to the first, each adds to the
// gradients of its operands. Gradients of one value are added in the order in
// which they come, so that a program's bits do not depend on anything else.
//
//===----------------------------------------------------------------------===//

#include "EdgeProgram.h"
#include "autosage/Dialect/Autosage/Transforms/Gradients.h"
#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEADDBACKWARD
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

/// Whether values of the type have gradients.
static bool hasGradient(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

namespace {
class Differentiation {
public:
  explicit Differentiation(func::FuncOp forward) : forward(forward) {}

  FailureOr<func::FuncOp> run();

private:
  LogicalResult verify();
  void addLogSumExp();
  /// Adds to the gradients of what `op` reads.
  LogicalResult visit(Operation *op);
  void add(Value value, Value gradient);
  Value gradientOf(Value value) { return gradients.lookup(value); }
  Value zeros(Value like);

  func::FuncOp forward, function;
  std::optional<EdgeBuilder> b;
  DenseMap<Value, Value> gradients;
};
} // namespace

LogicalResult Differentiation::verify() {
  if (!llvm::hasSingleElement(forward.getBody()))
    return forward.emitOpError("expects one block to differentiate, got ")
           << forward.getBody().getBlocks().size();
  auto results = forward.getResultTypes();
  if (results.empty() || !llvm::all_of(results, hasGradient))
    return forward.emitOpError("expects tensors of floats as results to "
                               "differentiate, got ")
           << forward.getFunctionType();
  return success();
}

/// Gradients of attention read it.
void Differentiation::addLogSumExp() {
  SmallVector<AttentionOp> ops;
  for (auto op : function.getBody().front().getOps<AttentionOp>())
    if (op->getNumResults() == 1)
      ops.push_back(op);
  for (AttentionOp op : ops) {
    b->setInsertionPoint(op);
    Value out = op.getOuts()[0];
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(*b, op.getLoc(), out);
    sizes.pop_back();
    Value lse = empty(*b, sizes, accumulatorOf(elementOf(op.getQ())));
    auto both = AttentionOp::create(
        *b, TypeRange{out.getType(), lse.getType()}, op.getScore(),
        op.getPattern(), op.getArrays(), op.getValues(), op.getQ(), op.getK(),
        op.getV(), op.getVec(), ValueRange{out, lse}, op.getScaleAttr(),
        op.getNegativeSlopeAttr(), op.getLayoutAttr(), op.getStatsAttr(),
        op.getScheduleAttr(), op.getDecisionAttr());
    op->getResult(0).replaceAllUsesWith(both->getResult(0));
    op.erase();
  }
}

void Differentiation::add(Value value, Value gradient) {
  if (!value || !gradient)
    return;
  Value &sum = gradients[value];
  if (!sum) {
    sum = gradient;
    return;
  }
  Value out =
      empty(*b, tensor::getMixedSizes(*b, b->getLoc(), sum), elementOf(sum));
  sum = forEachPoint(*b, {sum, gradient}, out,
                     [&](EdgeBuilder &b, ValueRange elements) {
                       return SmallVector<Value>{
                           arith::AddFOp::create(b, elements[0], elements[1])};
                     })[0];
  if (sum.getType() != value.getType())
    sum = tensor::CastOp::create(*b, value.getType(), sum);
}

Value Differentiation::zeros(Value like) {
  Value filledWithZeros = filled(
      *b, tensor::getMixedSizes(*b, b->getLoc(), like), elementOf(like), 0);
  if (filledWithZeros.getType() == like.getType())
    return filledWithZeros;
  return tensor::CastOp::create(*b, like.getType(), filledWithZeros);
}

LogicalResult Differentiation::visit(Operation *op) {
  SmallVector<Value> given;
  for (Value result : op->getResults())
    given.push_back(gradientOf(result));
  if (llvm::none_of(given, [](Value value) { return !!value; }))
    return success();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](SpmmOp spmm) {
        SpmmGradients found = buildSpmmGradients(*b, spmm, given[0]);
        add(spmm.getX(), found.x);
        add(spmm.getValues(), found.values);
        if (found.outs)
          add(spmm.getOuts()[0], found.outs);
        return success();
      })
      .Case([&](SddmmOp sddmm) {
        SddmmGradients found = buildSddmmGradients(*b, sddmm, given[0]);
        add(sddmm.getQ(), found.q);
        add(sddmm.getK(), found.k);
        add(sddmm.getValues(), found.values);
        return success();
      })
      .Case([&](RowSoftmaxOp softmax) {
        add(softmax.getValues(),
            buildRowSoftmaxGradient(*b, softmax, given[0]));
        return success();
      })
      .Case([&](AttentionOp attention) -> LogicalResult {
        if (given[1])
          return attention.emitOpError(
              "expects no gradient of the log-sum-exp, got one");
        AttentionGradients found =
            buildAttentionGradients(*b, attention, given[0]);
        add(attention.getQ(), found.q);
        add(attention.getK(), found.k);
        add(attention.getV(), found.v);
        add(attention.getVec(), found.vec);
        add(attention.getValues(), found.bias);
        return success();
      })
      .Case<tensor::EmptyOp, linalg::FillOp, arith::ConstantOp>(
          [](Operation *) { return success(); })
      .Default([](Operation *other) {
        return other->emitOpError(
            "expects ops of autosage between arguments and results, got one "
            "whose gradient is not known");
      });
}

FailureOr<func::FuncOp> Differentiation::run() {
  if (failed(verify()))
    return failure();
  OpBuilder builder(forward);
  builder.setInsertionPointAfter(forward);
  function = cast<func::FuncOp>(builder.clone(*forward));
  function.setName((forward.getName() + "_backward").str());
  b.emplace(forward.getLoc(), builder);
  addLogSumExp();

  Block &block = function.getBody().front();
  Operation *terminator = block.getTerminator();
  b->setInsertionPoint(terminator);
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  SmallVector<BlockArgument> inputs(block.getArguments());
  SmallVector<Value> results(terminator->getOperands());
  for (Value result : results)
    add(result, block.addArgument(result.getType(), function.getLoc()));
  for (Operation *op : llvm::reverse(ops))
    if (failed(visit(op))) {
      function.erase();
      return failure();
    }

  SmallVector<Value> returned;
  for (BlockArgument input : inputs)
    if (hasGradient(input.getType())) {
      Value gradient = gradientOf(input);
      returned.push_back(gradient ? gradient : zeros(input));
    }
  func::ReturnOp::create(*b, returned);
  terminator->erase();
  SmallVector<DictionaryAttr> attributes;
  function.getAllArgAttrs(attributes);
  function.setType(b->getFunctionType(block.getArgumentTypes(),
                                      ValueRange(returned).getTypes()));
  attributes.append(results.size(), b->getDictionaryAttr({}));
  function.setAllArgAttrs(attributes);
  function.removeResAttrsAttr();
  return function;
}

namespace {
struct AutosageAddBackwardPass final
    : public mlir::autosage::impl::AutosageAddBackwardBase<
          AutosageAddBackwardPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<func::FuncOp> named;
    for (const std::string &name : functions) {
      auto function = symbols.lookup<func::FuncOp>(name);
      if (!function || function.isExternal()) {
        module.emitError("expects a function '")
            << name << "' to differentiate, got none";
        return signalPassFailure();
      }
      named.push_back(function);
    }
    if (functions.empty())
      for (auto function : module.getOps<func::FuncOp>())
        if (!function.isExternal())
          named.push_back(function);
    for (func::FuncOp function : named) {
      if (failed(add(function, symbols)))
        return signalPassFailure();
      ++numAdded;
    }
  }

  static LogicalResult add(func::FuncOp function, SymbolTable &symbols) {
    std::string name = (function.getName() + "_backward").str();
    Operation *known = symbols.lookup(name);
    auto declared = dyn_cast_if_present<func::FuncOp>(known);
    if (known && !(declared && declared.isExternal()))
      return function.emitOpError("expects the name '")
             << name << "' to be free or declared, got a definition";
    FailureOr<func::FuncOp> added = Differentiation(function).run();
    if (failed(added))
      return failure();
    if (!declared)
      return success();
    FunctionType type = added->getFunctionType();
    if (declared.getFunctionType() != type) {
      InFlightDiagnostic diag = declared.emitOpError("expects the type ")
                                << type << ", got "
                                << declared.getFunctionType();
      added->erase();
      return diag;
    }
    added->setVisibility(declared.getVisibility());
    declared.erase();
    return success();
  }
};
} // namespace
