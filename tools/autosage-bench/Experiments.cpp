//===- Experiments.cpp - those of the AutoSAGE paper ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Experiments.h"

#include "../autosage-run/Timing.h"
#include "Attention.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::bench;
using run::Clock;
using run::millisecondsSince;

/// Those of a plan that decides as if it were the first.
static Options fresh(const Trial &trial) {
  Options o = trial.options;
  o.cache = trial.freshPath();
  o.oracle = o.target == Target::simt ? AUTOSAGE_ORACLE_ESTIMATE
                                      : AUTOSAGE_ORACLE_PROBE;
  return o;
}

static void addDecided(const Trial &trial, const Options &o,
                       std::vector<Field> setting) {
  Record record{"", cellOf(trial.workload), std::move(setting), {}};
  record.cell.decided = decide(trial.workload, o);
  if (const auto &guardrail = record.cell.decided->choice.guardrail)
    record.extra.push_back({"kept_baseline", guardrail->keptBaseline});
  trial.report(std::move(record));
}

//===----------------------------------------------------------------------===//
// Chosen against cuSPARSE
//===----------------------------------------------------------------------===//

static void runChosen(const Trial &trial) {
  Record record{"", cellOf(trial.workload), {}, {}};
  record.cell.decided = decide(trial.workload, fresh(trial));
  record.cell.vendor = measureVendors(trial.workload, trial.options);
  trial.report(std::move(record));
}

//===----------------------------------------------------------------------===//
// Hub split
//===----------------------------------------------------------------------===//

/// A family whose tasks end at `chunk` entries, and the same with whole rows.
static std::pair<Schedule, Schedule> splitAndWhole(const Options &o,
                                                   const InputStats &stats) {
  Schedule split, whole;
  if (o.target == Target::cpu) {
    split.family = "nnz_parallel";
    whole.family = "row_parallel";
    return {split, whole};
  }
  // The chunk that the rule takes for skewed graphs.
  int64_t chunk = 64;
  while (chunk < 1024 && static_cast<double>(chunk) < 8 * stats.mean)
    chunk *= 2;
  constexpr int64_t longest = 65536; // which cuts rows above 98304
  split.family = whole.family = "row_tasks";
  split.knobs["chunk"] = chunk;
  whole.knobs["chunk"] = longest;
  return {split, whole};
}

static void runHubSplit(const Trial &trial) {
  Workload &w = trial.workload;
  auto [split, whole] = splitAndWhole(trial.options, w.graph.stats);
  Record record{"", cellOf(w), {}, {}};
  std::vector<Measurement> times =
      measureSchedules(w, trial.options, {split, whole});
  const Schedule *schedules[] = {&split, &whole};
  const char *names[] = {"split", "whole"};
  for (size_t i = 0; i < times.size(); ++i) {
    Measurement &m = times[i];
    judge(w, m);
    std::string name = names[i];
    record.extra.push_back({name + "_schedule", schedules[i]->str()});
    record.extra.push_back(
        {name + "_ms", number(m.failure.empty() ? m.medianMs : NAN)});
    record.cell.ours.push_back(
        {*schedules[i], m,
         estimate(trial.options.facts, w.spec, w.graph.stats, *schedules[i]),
         -1});
  }
  bool both = times[0].failure.empty() && times[1].failure.empty();
  record.extra.push_back(
      {"whole_over_split",
       number(both ? times[1].medianMs / times[0].medianMs : NAN)});
  if (const Candidate *found = best(record.cell.ours))
    record.cell.again = found->measurement;
  record.cell.vendor = measureVendors(w, trial.options);
  trial.report(std::move(record));
}

//===----------------------------------------------------------------------===//
// What the oracle is told
//===----------------------------------------------------------------------===//

static void runGuardrail(const Trial &trial) {
  for (double alpha : {0.95, 0.98}) {
    Options o = fresh(trial);
    o.guardrailAlpha = alpha;
    addDecided(trial, o, {{"alpha", alpha}});
  }
}

static void runProbe(const Trial &trial) {
  // 0: as much as the budget allows.
  for (double fraction : {0.0, 0.01, 0.03, 0.1, 1.0})
    for (int64_t k : {1, 3, 6}) {
      Options o = fresh(trial);
      o.probeFraction = fraction;
      o.probeK = static_cast<uint32_t>(k);
      addDecided(trial, o, {{"fraction", fraction}, {"k", k}});
    }
}

static void runOverhead(const Trial &trial) {
  // 0: 50 ms or five runs of the baseline.
  for (double budget : {0.0, 10.0, 100.0}) {
    Options o = fresh(trial);
    o.probeBudgetMs = budget;
    addDecided(trial, o, {{"budget_ms", budget}});
  }
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

static void runAttention(const Trial &trial) {
  Workload &w = trial.workload;
  const Options &o = trial.options;
  Record record{"", cellOf(w), {}, {}};
  record.cell.decided = decide(w, fresh(trial));
  auto add = [&](const std::string &name, Measurement m) {
    judge(w, m);
    record.extra.push_back(
        {name, number(m.failure.empty() ? m.medianMs : NAN)});
    if (!m.failure.empty())
      record.extra.push_back({name + "_failure", m.failure});
  };
  Result<Schedule> rule = context(o)
                              ? parseSchedule(ruleSchedule(w, *context(o), o))
                              : Error{context(o).error()};
  if (rule) {
    std::vector<Schedule> both = {*rule, *rule};
    both[0].knobs["attention"] = std::string("fused");
    both[1].knobs["attention"] = std::string("composed");
    std::vector<Measurement> times = measureSchedules(w, o, both);
    add("fused_ms", times[0]);
    add("composed_ms", times[1]);
  }
  AttentionForms forms;
  forms.composites = measureComposites(w, o);
  if (const Composite *found = forms.bestComposite())
    add("three_plans_ms", found->measurement);
  else if (!forms.composites.empty())
    add("three_plans_ms", forms.composites.front().measurement);
  trial.report(std::move(record));
}

//===----------------------------------------------------------------------===//
// First run and replay
//===----------------------------------------------------------------------===//

/// A plan, what making it took, and whether its decision is the one before.
namespace {
struct Made {
  std::optional<runtime::PlanHandle> plan;
  std::string failure;
  run::Choice choice;
  double ms = 0;
  autosage_plan_times times = {};
};
} // namespace

static Made make(Workload &w, runtime::ContextHandle &context, const Options &o,
                 uint32_t oracle) {
  Made made;
  auto start = Clock::now();
  Result<runtime::PlanHandle> plan = makePlan(w, context, o, "", oracle);
  made.ms = millisecondsSince(start);
  if (!plan) {
    made.failure = plan.error();
    return made;
  }
  Result<run::Choice> choice = run::parseChoice(plan->decision());
  if (!choice) {
    made.failure = choice.error();
    return made;
  }
  made.choice = std::move(*choice);
  made.times = plan->times();
  made.plan = std::move(*plan);
  return made;
}

static bool isReplayOf(const Made &again, const Made &first) {
  return again.failure.empty() && again.choice.decidedBy == "cache" &&
         again.choice.schedule == first.choice.schedule;
}

/// Plans in one context and in another, which finds the decision in the file
/// and the kernels in the folder of the first.
static void runReplay(const Trial &trial) {
  Workload &w = trial.workload;
  Options o = fresh(trial);
  std::string kernels = trial.freshPath();
  Record record{"", cellOf(w), {}, {}};
  Decided &decided = record.cell.decided.emplace();
  auto done = [&](const std::string &failure) {
    decided.failure = failure;
    trial.report(std::move(record));
  };
  Result<runtime::ContextHandle> context = makeContext(o, kernels);
  if (!context)
    return done(context.error());
  Made first = make(w, *context, o, *o.oracle);
  if (!first.plan)
    return done(first.failure);
  decided.choice = first.choice;
  decided.json = first.plan->decision();
  decided.compileMs = first.times.compile_ms;
  decided.probeMs = first.times.probe_ms;
  decided.decideMs = first.times.decide_ms;
  record.extra.push_back({"first_plan_ms", first.ms});

  double againMs = NAN, againUs = NAN;
  for (int i = 0; i < 5; ++i) {
    Made again = make(w, *context, o, AUTOSAGE_ORACLE_REPLAY);
    if (!isReplayOf(again, first)) {
      againMs = againUs = NAN;
      break;
    }
    againMs = std::fmin(againMs, again.ms);
    againUs = std::fmin(againUs, 1000 * again.times.decide_ms);
  }
  decided.replayUs = std::isfinite(againUs) ? againUs : -1;
  record.extra.push_back({"replay_plan_ms", number(againMs)});

  Result<runtime::ContextHandle> other = makeContext(o, kernels);
  if (!other)
    return done(other.error());
  Made cold = make(w, *other, o, AUTOSAGE_ORACLE_REPLAY);
  bool same = isReplayOf(cold, first);
  record.extra.push_back({"new_context_plan_ms", number(same ? cold.ms : NAN)});
  record.extra.push_back({"new_context_decide_us",
                          number(same ? 1000 * cold.times.decide_ms : NAN)});
  record.extra.push_back(
      {"new_context_compile_ms", number(same ? cold.times.compile_ms : NAN)});
  autosage_operands operands = runtime::toC(w.operands());
  decided.chosen = measure(w, o, [&] { return first.plan->run(operands); });
  judge(w, decided.chosen);
  trial.report(std::move(record));
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

static bool isProduct(OpKind op) {
  return op == OpKind::spmm || op == OpKind::sddmm;
}

/// Of the four inputs of the paper's tables.
static bool inTables(const std::string &graph) {
  return graph == "reddit" || graph == "products" || graph == "erdos_renyi" ||
         graph == "hub_skew";
}

const std::vector<Experiment> &bench::allExperiments() {
  static const std::vector<Experiment> all = {
      {"reddit", "Reddit: what the oracle chooses, and cuSPARSE", true,
       [](const std::string &graph, OpKind op, bool) {
         return graph == "reddit" && isProduct(op);
       },
       runChosen},
      {"products", "OGBN-Products: what the oracle chooses, and cuSPARSE", true,
       [](const std::string &graph, OpKind op, bool) {
         return graph == "products" && isProduct(op);
       },
       runChosen},
      {"erdos-renyi", "Erdős–Rényi: what the oracle chooses, and cuSPARSE",
       true,
       [](const std::string &graph, OpKind op, bool) {
         return graph == "erdos_renyi" && isProduct(op);
       },
       runChosen},
      {"hub-skew", "Hub skew: what the oracle chooses, and cuSPARSE", true,
       [](const std::string &graph, OpKind op, bool) {
         return (graph == "hub_skew" || graph == "hub_rows") && isProduct(op);
       },
       runChosen},
      {"hub-split", "Hub split on and off", true,
       [](const std::string &graph, OpKind op, bool) {
         return isProduct(op) &&
                (graph == "reddit" || graph.rfind("hub_", 0) == 0 ||
                 graph.rfind("one_hub", 0) == 0);
       },
       runHubSplit},
      {"guardrail", "Guardrail of 0.95 and 0.98", false,
       [](const std::string &graph, OpKind op, bool) {
         return inTables(graph) && op == OpKind::spmm;
       },
       runGuardrail},
      {"probe", "Fraction and number of candidates of a probe", false,
       [](const std::string &graph, OpKind op, bool first) {
         return inTables(graph) && graph != "products" && op == OpKind::spmm &&
                first;
       },
       runProbe},
      {"overhead", "What a probe takes, in runs of the baseline", false,
       [](const std::string &graph, OpKind op, bool first) {
         return inTables(graph) && isProduct(op) && first;
       },
       runOverhead},
      {"attention", "CSR attention", true,
       [](const std::string &graph, OpKind op, bool) {
         return inTables(graph) && op == OpKind::attention;
       },
       runAttention},
      {"replay", "First run and cached replay", false,
       [](const std::string &graph, OpKind op, bool first) {
         return inTables(graph) && op != OpKind::row_softmax && first;
       },
       runReplay},
  };
  return all;
}

const Experiment *bench::findExperiment(const std::string &name) {
  for (const Experiment &experiment : allExperiments())
    if (experiment.name == name)
      return &experiment;
  return nullptr;
}

std::string bench::experimentNames() {
  std::string names;
  for (const Experiment &experiment : allExperiments())
    names += (names.empty() ? "" : ", ") + experiment.name;
  return names;
}
