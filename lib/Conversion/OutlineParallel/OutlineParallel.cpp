//===- OutlineParallel.cpp - parallel loops to calls of the runtime -------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The upstream way, convert-scf-to-openmp, ends in calls of __kmpc_* functions
// that only LLVM's OpenMP runtime has; kernels would bring that runtime into
// every process. Here the loop body becomes a function of a range, and whose
// threads call it is left to the runtime library.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/OutlineParallel/OutlineParallel.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

#define DEBUG_TYPE "autosage-outline-parallel"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEOUTLINEPARALLEL
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;

/// The entry of the runtime (include/autosage/Runtime/Runtime.h).
static constexpr llvm::StringLiteral kRuntimeEntry = "autosage_parallel_for";

namespace {
/// What a loop uses from outside. Constants are made anew in the body, where
/// they can be folded; the rest travels in a struct on the caller's stack.
struct Captures {
  SmallVector<Operation *> constants;
  SmallVector<Value> values;
  SmallVector<Type> types; // of the values in LLVM
};

class Outliner {
public:
  explicit Outliner(ModuleOp module)
      : module(module), symbols(module),
        options(module.getContext(), DataLayout(module)),
        types(module.getContext(), options), b(module.getContext()) {}

  /// Whether the runtime's entry can be called: a symbol of that name is
  /// absent or declares it.
  LogicalResult checkEntry();
  /// Leaves loops that it cannot outline as they are.
  LogicalResult outline(scf::ParallelOp loop);

private:
  FailureOr<Captures> capture(scf::ParallelOp loop);
  func::FuncOp makeBody(scf::ParallelOp loop, const Captures &captures);
  Value packContext(scf::ParallelOp loop, const Captures &captures);
  void emitCall(scf::ParallelOp loop, func::FuncOp body, Value context);
  Value fieldAddress(Location loc, const Captures &captures, Value context,
                     int32_t field);
  Value toIndex(Location loc, Value value);

  FunctionType entryType();
  FunctionType bodyType();
  LLVM::LLVMPointerType pointer() {
    return LLVM::LLVMPointerType::get(b.getContext());
  }

  ModuleOp module;
  SymbolTable symbols;
  LowerToLLVMOptions options;
  LLVMTypeConverter types;
  OpBuilder b;
};
} // namespace

FunctionType Outliner::entryType() {
  return b.getFunctionType({b.getI64Type(), pointer(), pointer()}, {});
}

FunctionType Outliner::bodyType() {
  return b.getFunctionType({pointer(), b.getI64Type(), b.getI64Type()}, {});
}

Value Outliner::toIndex(Location loc, Value value) {
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
}

LogicalResult Outliner::checkEntry() {
  Operation *symbol = symbols.lookup(kRuntimeEntry);
  if (!symbol)
    return success();
  auto function = dyn_cast<func::FuncOp>(symbol);
  if (function && function.isDeclaration() &&
      function.getFunctionType() == entryType())
    return success();
  return symbol->emitOpError("expects the symbol ")
         << kRuntimeEntry << " to declare a func.func of type " << entryType();
}

FailureOr<Captures> Outliner::capture(scf::ParallelOp loop) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  used.insert(loop.getLowerBound()[0]);
  used.insert(loop.getStep()[0]);
  Captures captures;
  for (Value value : used) {
    if (matchPattern(value, m_Constant())) {
      captures.constants.push_back(value.getDefiningOp());
      continue;
    }
    Type type = types.convertType(value.getType());
    if (!type || !LLVM::isCompatibleType(type))
      return failure();
    captures.values.push_back(value);
    captures.types.push_back(type);
  }
  return captures;
}

Value Outliner::fieldAddress(Location loc, const Captures &captures,
                             Value context, int32_t field) {
  auto structType =
      LLVM::LLVMStructType::getLiteral(b.getContext(), captures.types);
  return LLVM::GEPOp::create(b, loc, pointer(), structType, context,
                             ArrayRef<LLVM::GEPArg>{0, field},
                             LLVM::GEPNoWrapFlags::inbounds);
}

func::FuncOp Outliner::makeBody(scf::ParallelOp loop,
                                const Captures &captures) {
  Location loc = loop.getLoc();
  auto parent = loop->getParentOfType<func::FuncOp>();
  auto body = func::FuncOp::create(loc, (parent.getName() + "_parallel").str(),
                                   bodyType());
  body.setPrivate();
  body->setAttr("llvm.linkage", LLVM::LinkageAttr::get(
                                    b.getContext(), LLVM::Linkage::Internal));
  symbols.insert(body, parent->getIterator()); // makes the name unique
  Block *entry = body.addEntryBlock();
  Value context = entry->getArgument(0);
  b.setInsertionPointToStart(entry);

  IRMapping map;
  for (Operation *constant : captures.constants)
    b.clone(*constant, map);
  for (auto [field, value] : llvm::enumerate(captures.values)) {
    Value address = fieldAddress(loc, captures, context, field);
    Value loaded = LLVM::LoadOp::create(b, loc, captures.types[field], address);
    if (loaded.getType() != value.getType())
      loaded =
          UnrealizedConversionCastOp::create(b, loc, value.getType(), loaded)
              .getResult(0);
    map.map(value, loaded);
  }

  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto range = scf::ForOp::create(b, loc, toIndex(loc, entry->getArgument(1)),
                                  toIndex(loc, entry->getArgument(2)), one);
  b.setInsertionPointToStart(range.getBody());
  Value offset = arith::MulIOp::create(b, loc, range.getInductionVar(),
                                       map.lookup(loop.getStep()[0]));
  map.map(
      loop.getInductionVars()[0],
      arith::AddIOp::create(b, loc, map.lookup(loop.getLowerBound()[0]), offset)
          .getResult());
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, map);
  b.setInsertionPointToEnd(entry);
  func::ReturnOp::create(b, loc);
  return body;
}

Value Outliner::packContext(scf::ParallelOp loop, const Captures &captures) {
  Location loc = loop.getLoc();
  if (captures.values.empty()) {
    b.setInsertionPoint(loop);
    return LLVM::ZeroOp::create(b, loc, pointer());
  }
  // In the entry block, so that a loop around this one takes the space once.
  auto parent = loop->getParentOfType<func::FuncOp>();
  b.setInsertionPointToStart(&parent.getBody().front());
  auto structType =
      LLVM::LLVMStructType::getLiteral(b.getContext(), captures.types);
  Value one = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
  Value context = LLVM::AllocaOp::create(b, loc, pointer(), structType, one);

  b.setInsertionPoint(loop);
  for (auto [field, value] : llvm::enumerate(captures.values)) {
    Type type = captures.types[field];
    Value stored = value;
    if (value.getType() != type)
      stored =
          UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
    LLVM::StoreOp::create(b, loc, stored,
                          fieldAddress(loc, captures, context, field));
  }
  return context;
}

void Outliner::emitCall(scf::ParallelOp loop, func::FuncOp body,
                        Value context) {
  Location loc = loop.getLoc();
  auto entry = symbols.lookup<func::FuncOp>(kRuntimeEntry);
  if (!entry) {
    entry = func::FuncOp::create(module.getLoc(), kRuntimeEntry, entryType());
    entry.setPrivate();
    symbols.insert(entry, module.getBody()->begin());
  }
  // ceil((upper - lower) / step); a step is positive, and what is not positive
  // here runs nothing there.
  Value step = loop.getStep()[0];
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value extent = arith::SubIOp::create(b, loc, loop.getUpperBound()[0],
                                       loop.getLowerBound()[0]);
  Value rounded = arith::AddIOp::create(
      b, loc, extent, arith::SubIOp::create(b, loc, step, one));
  Value count = arith::IndexCastOp::create(
      b, loc, b.getI64Type(), arith::DivSIOp::create(b, loc, rounded, step));
  Value function = func::ConstantOp::create(b, loc, bodyType(),
                                            FlatSymbolRefAttr::get(body));
  Value address =
      UnrealizedConversionCastOp::create(b, loc, pointer(), function)
          .getResult(0);
  func::CallOp::create(b, loc, entry, ValueRange{count, address, context});
}

LogicalResult Outliner::outline(scf::ParallelOp loop) {
  if (loop.getNumLoops() != 1 || loop.getNumReductions() != 0)
    return failure();
  FailureOr<Captures> captures = capture(loop);
  if (failed(captures))
    return failure();
  func::FuncOp body = makeBody(loop, *captures);
  Value context = packContext(loop, *captures);
  emitCall(loop, body, context);
  loop.erase();
  return success();
}

namespace {
struct OutlineParallelPass final
    : public mlir::autosage::impl::AutosageOutlineParallelBase<
          OutlineParallelPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    for (auto function : getOperation().getOps<func::FuncOp>())
      // Loops inside of an outlined one run in its iterations.
      function.walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
        loops.push_back(loop);
        return WalkResult::skip();
      });
    if (loops.empty())
      return;

    Outliner outliner(getOperation());
    if (failed(outliner.checkEntry()))
      return signalPassFailure();
    for (scf::ParallelOp loop : loops)
      succeeded(outliner.outline(loop)) ? ++numOutlined : ++numLeft;
  }
};
} // namespace
