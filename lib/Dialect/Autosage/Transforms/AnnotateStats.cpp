//===- AnnotateStats.cpp - statistics of patterns -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three sources: constants in the IR, attributes of function arguments, and a
// file. What is written in the IR already wins, entry by entry.
//
//===----------------------------------------------------------------------===//

#include "ConstantArray.h"

#include "autosage/Dialect/Autosage/Transforms/PassServices.h"
#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEANNOTATESTATS
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;
using ::autosage::Csr;
using ::autosage::CsrView;
using ::autosage::InputStats;

PassServices &mlir::autosage::passServices() {
  static PassServices services;
  return services;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Keeps what positions alone say: no column was looked at.
static StatsAttr withoutColumns(MLIRContext *context, const InputStats &stats,
                                bool knowsCols) {
  NamedAttrList entries(StatsAttr::get(context, stats).getEntries());
  entries.erase("locality");
  entries.erase("fingerprint");
  if (!knowsCols)
    entries.erase("cols");
  return StatsAttr::get(context, entries.getDictionary(context));
}

/// The statistics that the constants behind the op tell; null where there are
/// none, or they are no pattern.
static StatsAttr statsOfConstants(PatternOp op) {
  std::optional<::autosage::IndexArray> rowptr = constantArray(op.getRowptr());
  if (!rowptr || rowptr->size() == 0)
    return {};
  std::optional<::autosage::IndexArray> colind = constantArray(op.getColind());
  std::optional<int64_t> cols = getConstantIntValue(op.getNCols());
  CsrView csr;
  csr.rows = rowptr->size() - 1;
  csr.rowptr = rowptr->view();
  if (!colind || !cols) {
    // As many entries as the positions say, with columns that any pattern has.
    int64_t nnz = (*rowptr)[csr.rows];
    int64_t size = op.getColind().getType().getDimSize(0);
    if (!ShapedType::isDynamic(size) && size != nnz) {
      op->emitWarning("constants are no pattern: expects rowptr to end with ")
          << size << ", got " << nnz;
      return {};
    }
    for (int64_t i = 0; i < csr.rows; ++i)
      if ((*rowptr)[i] > (*rowptr)[i + 1])
        return {};
    if ((*rowptr)[0] != 0)
      return {};
    csr.cols = cols.value_or(0);
    csr.colind = {nullptr, nnz, ::autosage::IndexType::i64};
    return withoutColumns(op.getContext(), ::autosage::computeDegreeStats(csr),
                          cols.has_value());
  }
  csr.cols = *cols;
  csr.colind = colind->view();
  if (::autosage::Status status = ::autosage::validate(csr); !status) {
    op->emitWarning("constants are no pattern: ") << status.error();
    return {};
  }
  return StatsAttr::get(op.getContext(), ::autosage::computeStats(csr));
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Whether a graph of these sizes may be the pattern, by its type and by what
/// is written of it.
static bool mayBe(PatternType type, StatsAttr known, const InputStats &graph) {
  auto agrees = [](int64_t is, int64_t size) {
    return ShapedType::isDynamic(is) || is == size;
  };
  if (!agrees(type.getRows(), graph.rows) ||
      !agrees(type.getCols(), graph.cols))
    return false;
  if (!known)
    return true;
  for (auto [key, size] :
       {std::pair("rows", graph.rows), std::pair("cols", graph.cols),
        std::pair("nnz", graph.nnz)})
    if (known.getCount(key).value_or(size) != size)
      return false;
  auto fingerprint = known.getEntries().getAs<StringAttr>("fingerprint");
  return !fingerprint || fingerprint.getValue() == graph.fingerprint.str();
}

namespace {
struct AutosageAnnotateStatsPass final
    : public mlir::autosage::impl::AutosageAnnotateStatsBase<
          AutosageAnnotateStatsPass> {
  using Base::Base;

  void runOnOperation() override {
    foundPlace = false;
    if (!graph.empty() && failed(readFile()))
      return signalPassFailure();
    SmallVector<PatternOp> made;
    SmallVector<PatternOfOp> taken;
    SmallVector<FunctionOpInterface> functions;
    getOperation().walk([&](Operation *op) {
      if (auto pattern = dyn_cast<PatternOp>(op))
        made.push_back(pattern);
      else if (auto source = dyn_cast<PatternOfOp>(op))
        taken.push_back(source);
      else if (auto function = dyn_cast<FunctionOpInterface>(op))
        functions.push_back(function);
    });
    for (PatternOp op : made)
      annotate(op);
    for (PatternOfOp op : taken)
      if (file)
        annotateResult(op);
    for (FunctionOpInterface function : functions)
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (isa<PatternType>(function.getArgumentTypes()[i]))
          annotateArgument(function, i);
    if (file && !foundPlace) {
      getOperation().emitError("expects a pattern that may be '")
          << graph << "', of " << file->rows << " rows, " << file->cols
          << " columns and " << file->nnz << " entries, got none";
      signalPassFailure();
    }
  }

  LogicalResult readFile() {
    if (!passServices().readGraph)
      return getOperation().emitError("expects a tool that reads graph files "
                                      "for graph, got '")
             << graph << "'";
    auto read = passServices().readGraph(graph);
    if (!read)
      return getOperation().emitError() << read.error();
    file = ::autosage::computeStats((*read)->view());
    fileStats = StatsAttr::get(&getContext(), *file);
    return success();
  }

  void annotate(PatternOp op) {
    StatsAttr written = op.getStatsAttr();
    StatsAttr found = statsOfConstants(op);
    if (found)
      ++numConstants;
    if (file && mayBe(op.getPattern().getType(),
                      merged(sizesOf(op), merged(found, written)), *file)) {
      found = merged(found, fileStats);
      ++numFromFile;
      foundPlace = true;
    }
    if (!found)
      return;
    StatsAttr all = merged(found, written);
    if (all == written)
      return;
    op.setStatsAttr(all);
    explain(op.getLoc(), all);
  }

  /// What the types of the arrays say.
  static StatsAttr sizesOf(PatternOp op) {
    Builder b(op.getContext());
    NamedAttrList entries;
    int64_t positions = op.getRowptr().getType().getDimSize(0);
    int64_t nnz = op.getColind().getType().getDimSize(0);
    if (!ShapedType::isDynamic(positions))
      entries.append("rows", b.getI64IntegerAttr(positions - 1));
    if (!ShapedType::isDynamic(nnz))
      entries.append("nnz", b.getI64IntegerAttr(nnz));
    if (std::optional<int64_t> cols = getConstantIntValue(op.getNCols()))
      entries.append("cols", b.getI64IntegerAttr(*cols));
    return StatsAttr::get(op.getContext(),
                          entries.getDictionary(op.getContext()));
  }

  void annotateResult(PatternOfOp op) {
    if (!mayBe(op.getPattern().getType(), {}, *file))
      return;
    ++numFromFile;
    foundPlace = true;
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    assume(b, op.getPattern(), fileStats);
  }

  void annotateArgument(FunctionOpInterface function, unsigned i) {
    StringRef name = AutosageDialect::kStatsArgAttrName;
    auto written = function.getArgAttrOfType<StatsAttr>(i, name);
    StatsAttr all = written;
    auto type = cast<PatternType>(function.getArgumentTypes()[i]);
    if (file && !function.isExternal() && mayBe(type, written, *file)) {
      all = merged(fileStats, written);
      ++numFromFile;
      foundPlace = true;
      if (all != written)
        function.setArgAttr(i, name, all);
    }
    if (!all || function.isExternal())
      return;
    ++numArguments;
    // The attribute is lost where the function is inlined, the op is not.
    OpBuilder b(function->getContext());
    Block &entry = function.getFunctionBody().front();
    b.setInsertionPointToStart(&entry);
    assume(b, entry.getArgument(i), all);
  }

  void assume(OpBuilder &b, Value pattern, StatsAttr stats) {
    if (pattern.hasOneUse())
      if (auto there = dyn_cast<AssumeStatsOp>(*pattern.getUsers().begin())) {
        StatsAttr both = merged(stats, there.getStats());
        if (both == there.getStats())
          return;
        there.setStatsAttr(both);
        explain(there.getLoc(), both);
        return;
      }
    if (pattern.use_empty())
      return;
    auto op = AssumeStatsOp::create(b, pattern.getLoc(), pattern, stats);
    pattern.replaceAllUsesExcept(op.getResult(), op);
    explain(op.getLoc(), stats);
  }

  /// Entries of both; those of `stronger` win. Either may be null.
  static StatsAttr merged(StatsAttr weaker, StatsAttr stronger) {
    if (!weaker || !stronger)
      return weaker ? weaker : stronger;
    return weaker.mergedWith(stronger);
  }

  void explain(Location loc, StatsAttr stats) {
    auto remark = remark::analysis(
        loc, remark::RemarkOpts::name("StatisticsKnown").category("autosage"));
    remark << remark::add("the pattern's statistics are known");
    for (StringRef key : {"rows", "cols", "nnz", "max"})
      if (std::optional<int64_t> count = stats.getCount(key))
        remark << remark::metric(key, *count);
  }

  bool foundPlace = false; // for the file's statistics
  std::optional<InputStats> file;
  StatsAttr fileStats;
};
} // namespace
