//===- ExpandPattern.cpp - patterns to component arrays -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A 1:N type conversion. It runs on tensors: bufferization must see every read
// of rowptr and colind, which an opaque pattern value would hide.
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEEXPANDPATTERN
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

namespace {

/// The converted components of a pattern value, by name.
struct Components {
  explicit Components(ValueRange values)
      : values(values), rowptr(values[0]), colind(values[1]),
        numCols(values.back()) {}

  Value rows(OpBuilder &b, Location loc) const {
    Value positions = tensor::DimOp::create(b, loc, rowptr, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    return arith::SubIOp::create(b, loc, positions, one);
  }
  Value nnz(OpBuilder &b, Location loc) const {
    return tensor::DimOp::create(b, loc, colind, 0);
  }

  ValueRange values;
  Value rowptr, colind, numCols;
};

Value castTo(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(b, loc, type, value);
}

//===----------------------------------------------------------------------===//
// Ops that make or describe patterns
//===----------------------------------------------------------------------===//

struct ExpandPatternOp final : OpConversionPattern<PatternOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PatternOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types = op.getPattern().getType().getComponentTypes();
    Location loc = op.getLoc();
    SmallVector<Value> values = {
        castTo(rewriter, loc, adaptor.getRowptr().front(), types[0]),
        castTo(rewriter, loc, adaptor.getColind().front(), types[1]),
        adaptor.getNCols().front()};
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct ExpandAssumeStats final : OpConversionPattern<AssumeStatsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AssumeStatsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getPattern()});
    return success();
  }
};

struct ExpandDim final : OpConversionPattern<DimOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Components pattern(adaptor.getPattern());
    switch (op.getKind()) {
    case DimKind::Rows:
      rewriter.replaceOp(op, pattern.rows(rewriter, op.getLoc()));
      break;
    case DimKind::Cols:
      rewriter.replaceOp(op, pattern.numCols);
      break;
    case DimKind::Nnz:
      rewriter.replaceOp(op, pattern.nnz(rewriter, op.getLoc()));
      break;
    }
    return success();
  }
};

struct ExpandTranspose final : OpConversionPattern<TransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TransposeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Components pattern(adaptor.getPattern());
    SmallVector<Type> types = op.getTransposed().getType().getComponentTypes();
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    Value positions =
        arith::AddIOp::create(rewriter, loc, pattern.numCols, one);
    Value nnz = pattern.nnz(rewriter, loc);
    auto empty = [&](Type type, Value size) -> Value {
      auto tensorType = cast<RankedTensorType>(type);
      SmallVector<Value> sizes;
      if (tensorType.isDynamicDim(0))
        sizes.push_back(size);
      return tensor::EmptyOp::create(rewriter, loc, tensorType, sizes);
    };
    SmallVector<Value> outs = {empty(types[0], positions), empty(types[1], nnz),
                               empty(op.getPermutation().getType(), nnz)};
    auto built = BuildTransposeOp::create(
        rewriter, loc, ValueRange(outs).getTypes(), pattern.rowptr,
        pattern.colind, pattern.numCols, outs);
    SmallVector<Value> transposed = {built.getResult(0), built.getResult(1),
                                     pattern.rows(rewriter, loc)};
    rewriter.replaceOpWithMultiple(
        op, {ValueRange(transposed), ValueRange(built.getResult(2))});
    return success();
  }
};

struct ExpandArraysOf final : OpConversionPattern<ArraysOfOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ArraysOfOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Components pattern(adaptor.getPattern());
    rewriter.replaceOp(op, {pattern.rowptr, pattern.colind});
    return success();
  }
};

struct ExpandPrepare final : OpConversionPattern<PrepareOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PrepareOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getPattern().getType().getLayout() == op.getLayout()) {
      rewriter.replaceOpWithMultiple(op, {adaptor.getPattern()});
      return success();
    }
    if (op.getLayout().getKind() != LayoutKind::Tasks)
      return rewriter.notifyMatchFailure(op, "no expansion of this layout");
    Location loc = op.getLoc();
    Components pattern(adaptor.getPattern());
    Value condition =
        op.getCondition() ? adaptor.getCondition().front() : Value();
    IntegerAttr chunk = rewriter.getI64IntegerAttr(op.getLayout().getChunk());
    Value count = onlyIf(rewriter, loc, condition,
                         [&](OpBuilder &b, bool makes) -> Value {
                           if (!makes)
                             return arith::ConstantIndexOp::create(b, loc, 0);
                           return CountTasksOp::create(b, loc, b.getIndexType(),
                                                       pattern.rowptr, chunk);
                         });
    auto type = RankedTensorType::get(
        {ShapedType::kDynamic, 4}, op.getPattern().getType().getPositionType());
    Value empty = tensor::EmptyOp::create(rewriter, loc, type, count);
    Value tasks = onlyIf(
        rewriter, loc, condition, [&](OpBuilder &b, bool makes) -> Value {
          if (!makes)
            return empty;
          return BuildTasksOp::create(
                     b, loc, TypeRange(type), op.getLayout().getOrder(),
                     static_cast<uint64_t>(op.getLayout().getChunk()),
                     pattern.rowptr, pattern.colind, pattern.numCols,
                     ValueRange(empty))
              .getResult(0);
        });
    SmallVector<Value> values = {pattern.rowptr, pattern.colind, tasks,
                                 pattern.numCols};
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }

private:
  /// What `build` makes where the condition holds, else what it gives for that;
  /// without a condition it always holds.
  static Value onlyIf(OpBuilder &b, Location loc, Value condition,
                      function_ref<Value(OpBuilder &, bool)> build) {
    if (!condition)
      return build(b, true);
    auto branch = [&](bool makes) {
      return [&build, makes](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, build(b, makes));
      };
    };
    return scf::IfOp::create(b, loc, condition, branch(true), branch(false))
        .getResult(0);
  }
};

struct ExpandChooseVersion final : OpConversionPattern<ChooseVersionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ChooseVersionOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getPattern())
      return rewriter.notifyMatchFailure(op, "has component arrays already");
    rewriter.replaceOpWithNewOp<ChooseVersionOp>(
        op, Value(), adaptor.getPattern(), op.getKernelAttr(),
        op.getVersionsAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Ops that use patterns
//===----------------------------------------------------------------------===//

/// In every compute op the pattern is operand segment 0, the arrays segment 1.
struct ExpandSparseOp final : OpInterfaceConversionPattern<SparseOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult
  matchAndRewrite(SparseOpInterface op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getPatternValue())
      return rewriter.notifyMatchFailure(op, "has component arrays already");
    OperationState state(op.getLoc(), op->getName());
    for (ValueRange values : operands)
      state.addOperands(values);
    SmallVector<Type> resultTypes;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(),
                                                resultTypes)))
      return failure();
    state.addTypes(resultTypes);

    NamedAttrList attributes(op->getAttrs());
    StringRef segmentsName = "operandSegmentSizes";
    SmallVector<int32_t> segments(
        cast<DenseI32ArrayAttr>(attributes.get(segmentsName)).asArrayRef());
    segments[0] = 0;
    segments[1] = operands.front().size();
    attributes.set(segmentsName, rewriter.getDenseI32ArrayAttr(segments));
    LayoutAttr layout = op.getPatternLayout();
    if (!layout.isCsr())
      attributes.set("layout", layout);
    state.addAttributes(attributes);
    rewriter.replaceOp(op, rewriter.create(state)->getResults());
    return success();
  }
};

/// `arith.select` of a pattern selects every component.
struct ExpandSelect final : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<PatternType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "selects no pattern");
    SmallVector<Value> selected;
    for (auto [ifTrue, ifFalse] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      selected.push_back(arith::SelectOp::create(rewriter, op.getLoc(),
                                                 adaptor.getCondition().front(),
                                                 ifTrue, ifFalse));
    rewriter.replaceOpWithMultiple(op, {selected});
    return success();
  }
};

/// `scf.execute_region` that yields a pattern yields every component.
struct ExpandExecuteRegion final : OpConversionPattern<scf::ExecuteRegionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(scf::ExecuteRegionOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    SmallVector<size_t> counts;
    for (Type type : op.getResultTypes()) {
      size_t before = types.size();
      if (failed(getTypeConverter()->convertType(type, types)))
        return failure();
      counts.push_back(types.size() - before);
    }
    auto expanded = scf::ExecuteRegionOp::create(rewriter, op.getLoc(), types);
    expanded->setAttrs(op->getAttrs());
    rewriter.inlineRegionBefore(op.getRegion(), expanded.getRegion(),
                                expanded.getRegion().end());
    SmallVector<ValueRange> results;
    ValueRange all = expanded->getResults();
    for (size_t count : counts) {
      results.push_back(all.take_front(count));
      all = all.drop_front(count);
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

bool mentionsPattern(Type type) {
  return type.walk([](PatternType) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// No operand, result, signature or argument of an entry block is a pattern.
/// Other blocks are converted with the branches that lead to them.
bool isFreeOfPatterns(Operation *op) {
  auto free = [](auto types) { return llvm::none_of(types, mentionsPattern); };
  if (!free(op->getOperandTypes()) || !free(op->getResultTypes()))
    return false;
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    if (mentionsPattern(function.getFunctionType()))
      return false;
  return llvm::all_of(op->getRegions(), [&](Region &region) {
    return region.empty() || free(region.front().getArgumentTypes());
  });
}

/// A switch that yields tensors as a chain of `scf.if`: bufferization of LLVM
/// 22 does not know that what a case yields is what the switch gives, and so
/// misses writes between.
void replaceSwitch(scf::IndexSwitchOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto take = [](Region &from, Region &to) { to.takeBody(from); };
  scf::IfOp outermost;
  Region *place = nullptr; // of the next `scf.if`
  for (auto [number, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
    if (place)
      b.setInsertionPointToEnd(b.createBlock(place));
    Value value = arith::ConstantIndexOp::create(b, loc, number);
    Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                     op.getArg(), value);
    auto branch = scf::IfOp::create(b, loc, op.getResultTypes(), is,
                                    /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
    if (place)
      scf::YieldOp::create(b, loc, branch.getResults());
    else
      outermost = branch;
    take(region, branch.getThenRegion());
    place = &branch.getElseRegion();
  }
  take(op.getDefaultRegion(), *place);
  op.replaceAllUsesWith(outermost.getResults());
  op.erase();
}

struct AutosageExpandPatternPass final
    : public mlir::autosage::impl::AutosageExpandPatternBase<
          AutosageExpandPatternPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Which op made a pattern is lost in the conversion, so what is known of it
    // moves to the ops that use it first.
    bool failedEarly = false;
    module.walk([&](Operation *op) {
      if (auto source = dyn_cast<PatternOfOp>(op)) {
        source.emitOpError("expects sparse tensors to be lowered before "
                           "expansion, got ")
            << source.getTensor().getType();
        failedEarly = true;
      }
      auto sparse = dyn_cast<SparseOpInterface>(op);
      if (!sparse || !sparse.getPatternValue())
        return;
      StatsAttr known = lookUpStats(sparse.getPatternValue());
      if (!known)
        return;
      StatsAttr own = sparse.getStatistics();
      sparse.setStatistics(own ? known.mergedWith(own) : known);
    });
    // The arrays that an argument turns into carry no statistics.
    module.walk([](FunctionOpInterface function) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        function.removeArgAttr(i, AutosageDialect::kStatsArgAttrName);
    });
    if (failedEarly)
      return signalPassFailure();
    SmallVector<scf::IndexSwitchOp> switches;
    module.walk([&](scf::IndexSwitchOp op) {
      if (!op.getCases().empty() &&
          llvm::any_of(op.getResultTypes(),
                       llvm::IsaPred<TensorType, PatternType>))
        switches.push_back(op);
    });
    // Inner ones come first.
    for (scf::IndexSwitchOp op : switches)
      replaceSwitch(op);

    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    addPatternTypeConversion(converter);
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    populateExpandPatternPatterns(converter, patterns);
    populateAnyFunctionOpInterfaceTypeConversionPattern(patterns, converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversions(converter, patterns);
    cf::populateCFStructuralTypeConversions(converter, patterns);

    // `scf.yield` and `scf.condition` follow their parent, which is converted
    // first.
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal(isFreeOfPatterns);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    if (failed(verifyNoneLeft(module)))
      signalPassFailure();
  }

  /// Blocks that no branch reaches keep their arguments.
  static LogicalResult verifyNoneLeft(ModuleOp module) {
    WalkResult result = module.walk([](Block *block) {
      for (BlockArgument argument : block->getArguments())
        if (mentionsPattern(argument.getType())) {
          emitError(argument.getLoc(),
                    "expects no pattern after expansion, got "
                    "a block argument of type ")
              << argument.getType();
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace

void mlir::autosage::addPatternTypeConversion(TypeConverter &converter) {
  converter.addConversion(
      [](PatternType type, SmallVectorImpl<Type> &types) -> LogicalResult {
        types.append(type.getComponentTypes());
        return success();
      });
}

void mlir::autosage::populateExpandPatternPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ExpandPatternOp, ExpandAssumeStats, ExpandDim, ExpandTranspose,
               ExpandArraysOf, ExpandPrepare, ExpandChooseVersion,
               ExpandSparseOp, ExpandSelect, ExpandExecuteRegion>(
      converter, patterns.getContext());
}
