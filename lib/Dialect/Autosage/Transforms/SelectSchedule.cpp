//===- SelectSchedule.cpp - choose a schedule for every op ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of authority: what is written, a stored decision, a probe, the
// estimate, a rule. Selection writes attributes and preparations, and lowers
// nothing.
//
//===----------------------------------------------------------------------===//

#include "ConstantArray.h"
#include "ScheduleChoice.h"

#include "autosage/Dialect/Autosage/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <set>

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGESELECTSCHEDULE
#include "autosage/Dialect/Autosage/Transforms/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;
using ::autosage::InputStats;
using ::autosage::Target;

//===----------------------------------------------------------------------===//
// Patterns that a probe can run on
//===----------------------------------------------------------------------===//

/// The pattern value without what only describes or prepares it; null where the
/// op has arrays.
static Value barePattern(SparseOpInterface op) {
  Value pattern = op.getPatternValue();
  while (pattern) {
    Operation *maker = pattern.getDefiningOp();
    if (!isa_and_present<AssumeStatsOp, PrepareOp>(maker))
      break;
    pattern = maker->getOperand(0);
  }
  return pattern;
}

static bool isTransposed(SparseOpInterface op) {
  Value pattern = barePattern(op);
  return pattern && pattern.getDefiningOp<TransposeOp>();
}

/// The pattern, where it is made of constants.
static std::optional<::autosage::Csr> constantPattern(SparseOpInterface op) {
  Value rowptr, colind, cols;
  if (Value pattern = barePattern(op)) {
    auto source = pattern.getDefiningOp<PatternOp>();
    if (!source)
      return std::nullopt;
    rowptr = source.getRowptr();
    colind = source.getColind();
    cols = source.getNCols();
  } else {
    OperandRange arrays = op.getPatternArrays();
    rowptr = arrays[0];
    colind = arrays[1];
    cols = arrays.back();
  }
  auto positions = constantArray(rowptr), columns = constantArray(colind);
  std::optional<int64_t> width = getConstantIntValue(cols);
  if (!positions || !columns || !width || positions->size() == 0)
    return std::nullopt;
  ::autosage::Csr csr;
  csr.rows = positions->size() - 1;
  csr.cols = *width;
  csr.rowptr = std::move(*positions);
  csr.colind = std::move(*columns);
  if (!::autosage::validate(csr.view()))
    return std::nullopt;
  return csr;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct AutosageSelectSchedulePass final
    : public mlir::autosage::impl::AutosageSelectScheduleBase<
          AutosageSelectSchedulePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(readOptions()))
      return signalPassFailure();
    SmallVector<SparseOpInterface> ops;
    getOperation()->walk([&](SparseOpInterface op) {
      if (op.hasKernel() && !op.getScheduleAttribute())
        ops.push_back(op);
    });
    for (SparseOpInterface op : ops)
      select(op);
  }

  LogicalResult readOptions();
  void select(SparseOpInterface op);
  ScheduleChoice choose(SparseOpInterface op, const InputStats &stats);
  std::optional<ScheduleChoice> replay(SparseOpInterface op,
                                       const InputStats &stats);
  std::optional<ScheduleChoice> probe(SparseOpInterface op, InputStats &stats);
  ScheduleQuestion question(SparseOpInterface op, const InputStats &stats);
  ScheduleChoice fallBack(SparseOpInterface op, const InputStats &stats,
                          const std::string &why);
  void write(SparseOpInterface op, const ScheduleChoice &choice,
             const std::optional<InputStats> &stats);
  void explainVersions(SparseOpInterface op,
                       ArrayRef<::autosage::Schedule> versions);
  /// Once for all ops that have the same reason.
  void warn(SparseOpInterface op, const std::string &why) {
    if (warned.insert(why).second)
      op->emitWarning(why);
  }

  ChoiceSettings settings;
  std::shared_ptr<const ::autosage::Csr> file; // of the option graph
  std::set<std::string> warned;
};
} // namespace

LogicalResult AutosageSelectSchedulePass::readOptions() {
  Operation *op = getOperation();
  warned.clear();
  if (oracle != "estimate" && oracle != "probe" && oracle != "replay")
    return op->emitError("expects oracle to be estimate, probe or replay, "
                         "got '")
           << oracle << "'";
  // A chip may follow the target's name: nvptx:sm_90.
  auto [name, chip] = StringRef(target).split(':');
  std::optional<Target> parsed = ::autosage::parseTarget(name.str());
  if (!parsed)
    return op->emitError("expects target to be cpu, simt or nvptx, got '")
           << target << "'";
  if (vectorBits != 128 && vectorBits != 256 && vectorBits != 512)
    return op->emitError("expects vector-bits to be 128, 256 or 512, got ")
           << int64_t(vectorBits);
  for (auto [option, value, most] :
       {std::tuple("threads", int64_t(threads), int64_t{65536}),
        std::tuple("expected-calls", int64_t(expectedCalls), INT64_MAX),
        std::tuple("versions", int64_t(versions), int64_t{8}),
        std::tuple("probe-k", int64_t(probeK), int64_t{64})}) {
    bool mayBeZero =
        StringRef(option) == "threads" || StringRef(option) == "expected-calls";
    if (value < (mayBeZero ? 0 : 1) || value > most)
      return op->emitError("expects ")
             << option << " to be " << (mayBeZero ? 0 : 1)
             << (most == INT64_MAX ? " or more" : " to " + std::to_string(most))
             << ", got " << value;
  }
  if (!(guardrail > 0 && guardrail <= 1))
    return op->emitError("expects guardrail to be above 0 and at most 1, got ")
           << double(guardrail);
  if (!(budget >= 0))
    return op->emitError("expects budget to be 0 or more milliseconds, got ")
           << double(budget);
  settings.target = *parsed;
  settings.vectorBits = vectorBits;
  settings.expectedCalls = expectedCalls;
  if (*parsed == Target::cpu) {
    settings.facts =
        ::autosage::serverCpuFacts(threads ? int64_t(threads) : 8, vectorBits);
  } else {
    settings.chip = chip.empty() ? "sm_90" : chip.str();
    auto facts = ::autosage::gpuFacts(settings.chip);
    if (!facts)
      return op->emitError() << facts.error();
    settings.facts = *facts;
  }
  if (graph.empty() || file)
    return success();
  if (!passServices().readGraph)
    return op->emitError("expects a tool that reads graph files for graph, "
                         "got '")
           << graph << "'";
  auto read = passServices().readGraph(graph);
  if (!read)
    return op->emitError() << read.error();
  file = *read;
  return success();
}

ScheduleQuestion AutosageSelectSchedulePass::question(SparseOpInterface op,
                                                      const InputStats &stats) {
  ScheduleQuestion q;
  q.target = settings.target;
  q.chip = settings.chip;
  q.spec = kernelSpecOf(op);
  q.stats = stats;
  q.expectedCalls = expectedCalls;
  q.cache = cache;
  return q;
}

ScheduleChoice AutosageSelectSchedulePass::fallBack(SparseOpInterface op,
                                                    const InputStats &stats,
                                                    const std::string &why) {
  ScheduleChoice choice = chooseByEstimate(op, stats, settings);
  choice.by = DecidedBy::Fallback;
  choice.add("reason", why);
  return choice;
}

std::optional<ScheduleChoice>
AutosageSelectSchedulePass::replay(SparseOpInterface op,
                                   const InputStats &stats) {
  if (!passServices().replay) {
    warn(op, "expects a tool with a store of decisions for oracle=replay; the "
             "estimate decides");
    return fallBack(op, stats, "replay: there is no store");
  }
  if (op.getProblem().fusedOnly)
    return fallBack(op, stats,
                    "replay: nothing is decided for one walk of gradients");
  auto found = passServices().replay(question(op, stats));
  if (!found) {
    warn(op, found.error() + "; the estimate decides");
    return fallBack(op, stats, "replay: " + found.error());
  }
  if (!*found)
    return fallBack(op, stats, "replay: nothing was decided for this input");
  if (::autosage::Status status = ::autosage::verifyForTarget(
          (*found)->schedule, settings.target, op.getProblem());
      !status)
    return fallBack(op, stats, "replay: " + status.error());
  return chooseByAnswer(**found);
}

std::optional<ScheduleChoice>
AutosageSelectSchedulePass::probe(SparseOpInterface op, InputStats &stats) {
  auto refuse = [&](const std::string &why) -> std::optional<ScheduleChoice> {
    warn(op, "nothing is measured: " + why + "; the estimate decides");
    return std::nullopt;
  };
  if (!passServices().probe)
    return refuse("this tool has no runtime");
  // Nor would the forward pass, whose spec it has, tell its time.
  if (op.getProblem().fusedOnly)
    return refuse("no plan runs one walk of attention's gradients");
  if (settings.target == Target::simt)
    return refuse("times of the emulator say nothing about a GPU");
  std::optional<::autosage::Csr> constant = constantPattern(op);
  if (!constant && !file)
    return refuse("the pattern is no constant and no graph is given");
  // The file's graph is the operand's; a replay would find nothing either.
  if (!constant && isTransposed(op) && !completeStatsOf(op))
    return refuse("the pattern is a transposed one without statistics");
  ::autosage::CsrView pattern = constant ? constant->view() : file->view();
  InputStats measured = ::autosage::computeStats(pattern);
  // A file is another graph than the one that the statistics are of.
  if (!constant && stats.rows != 0 &&
      (stats.rows != measured.rows || stats.nnz != measured.nnz))
    return refuse("the graph has " + std::to_string(measured.rows) +
                  " rows and " + std::to_string(measured.nnz) +
                  " entries, the pattern " + std::to_string(stats.rows) +
                  " and " + std::to_string(stats.nnz));
  stats = measured;
  ProbeOptions options;
  options.guardrail = guardrail;
  options.budgetMs = budget;
  options.probeK = probeK;
  options.vectorBits = vectorBits;
  auto answer = passServices().probe(question(op, stats), pattern, options);
  if (!answer)
    return refuse(answer.error());
  return chooseByAnswer(*answer);
}

void AutosageSelectSchedulePass::select(SparseOpInterface op) {
  std::optional<InputStats> stats = completeStatsOf(op);
  if (oracle == "probe") {
    InputStats known = stats.value_or(InputStats());
    if (std::optional<ScheduleChoice> choice = probe(op, known))
      return write(op, *choice, known);
  }
  if (stats) {
    std::optional<ScheduleChoice> replayed;
    if (oracle == "replay")
      replayed = replay(op, *stats);
    return write(op,
                 replayed ? *replayed : chooseByEstimate(op, *stats, settings),
                 stats);
  }
  bool onTensors =
      llvm::none_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>);
  bool isPlain = op.getPatternLayout().isCsr();
  if (versions > 1 && onTensors && isPlain) {
    std::vector<::autosage::Schedule> several =
        chooseVersions(op, settings, versions);
    if (several.size() > 1) {
      explainVersions(op, several);
      ++numVersioned;
      return emitVersions(op, several);
    }
  }
  write(op, chooseByRule(op, settings), stats);
}

void AutosageSelectSchedulePass::write(SparseOpInterface op,
                                       const ScheduleChoice &choice,
                                       const std::optional<InputStats> &stats) {
  Builder b(&getContext());
  NamedAttrList facts;
  for (const auto &[name, fact] : choice.facts) {
    if (const auto *number = std::get_if<int64_t>(&fact))
      facts.append(name, b.getI64IntegerAttr(*number));
    else if (const auto *real = std::get_if<double>(&fact))
      facts.append(name, b.getF64FloatAttr(*real));
    else
      facts.append(name, b.getStringAttr(std::get<std::string>(fact)));
  }
  op.setDecision(ScheduleAttr::get(&getContext(), choice.schedule),
                 DecisionAttr::get(&getContext(), choice.by,
                                   facts.getDictionary(&getContext())));
  ++numSelected;
  {
    auto remark = remark::passed(
        op.getLoc(),
        remark::RemarkOpts::name("ScheduleSelected").category("autosage"));
    remark << remark::add("{0} runs with {1}",
                          op->getName().getStringRef().str(),
                          choice.schedule.str())
           << remark::metric("DecidedBy", stringifyDecidedBy(choice.by))
           << remark::metric("ElementType", std::string(::autosage::toString(
                                                op.getProblem().dtype)));
    for (const auto &[name, fact] : choice.facts) {
      if (const auto *number = std::get_if<int64_t>(&fact))
        remark << remark::metric(name, *number);
      else if (const auto *real = std::get_if<double>(&fact))
        remark << remark::metric(name, *real);
      else
        remark << remark::metric(name, std::get<std::string>(fact));
    }
    if (std::optional<int64_t> features = op.getProblem().features)
      remark << remark::metric("Features", *features);
    if (stats)
      remark << remark::metric("Rows", stats->rows)
             << remark::metric("Nonzeros", stats->nnz)
             << remark::metric("LongestRow", stats->max);
  }
  Value pattern = op.getPatternValue();
  LayoutAttr layout = layoutFor(op, choice.schedule);
  if (!pattern || !layout || !op.getPatternLayout().isCsr())
    return;
  OpBuilder builder(op);
  op->setOperand(
      0, PrepareOp::create(builder, op.getLoc(), pattern, Value(), layout));
  ++numPrepared;
}

void AutosageSelectSchedulePass::explainVersions(
    SparseOpInterface op, ArrayRef<::autosage::Schedule> several) {
  auto remark = remark::passed(
      op.getLoc(),
      remark::RemarkOpts::name("VersionsMade").category("autosage"));
  std::string texts;
  for (const ::autosage::Schedule &schedule : several)
    texts += (texts.empty() ? "" : "; ") + schedule.str();
  remark << remark::add("{0} runs with one of {1}, which the pattern decides",
                        op->getName().getStringRef().str(), texts)
         << remark::metric("Versions", static_cast<int64_t>(several.size()));
}
