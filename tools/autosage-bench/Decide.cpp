//===- Decide.cpp - what plans decide -------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decide.h"

#include "Search.h"

#include "autosage/Core/KernelSpecC.h"

#include <algorithm>
#include <tuple>

using namespace autosage;
using namespace autosage::bench;

/// Of a plan that is asked again, whose least time counts.
static constexpr int replays = 5;

Result<runtime::PlanHandle> bench::makePlan(Workload &workload,
                                            runtime::ContextHandle &context,
                                            const Options &o,
                                            const std::string &schedule,
                                            uint32_t oracle) {
  autosage_kernel_spec spec = writeSpec(workload.spec, schedule);
  Operands operands = workload.operands();
  autosage_operands c = runtime::toC(operands);
  autosage_pattern pattern = runtime::patternOf(operands.a);
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  // The host has looked at it; the rule needs the statistics that come with it.
  options.validate = schedule.empty() && oracle == AUTOSAGE_ORACLE_RULE;
  // Else no algorithm of cuSPARSE's SpMM would be there to be beaten.
  options.deterministic = 0;
  options.oracle = oracle;
  options.decision_cache = o.cache.c_str();
  options.probe_k = o.probeK;
  options.probe_budget_ms = o.probeBudgetMs;
  options.probe_fraction = o.probeFraction;
  options.guardrail_alpha = o.guardrailAlpha;
  options.expected_calls = static_cast<int64_t>(o.expectedCalls);
  return context.plan(spec, pattern, c, nullptr, &options);
}

std::string bench::ruleSchedule(Workload &workload,
                                runtime::ContextHandle &context,
                                const Options &o) {
  Result<runtime::PlanHandle> plan =
      makePlan(workload, context, o, "", AUTOSAGE_ORACLE_RULE);
  Result<run::Choice> choice =
      plan ? run::parseChoice(plan->decision()) : Error{plan.error()};
  return choice ? choice->schedule : "";
}

Decided bench::decide(Workload &workload, const Options &o) {
  Decided decided;
  if (!bench::context(o)) {
    decided.failure = bench::context(o).error();
    return decided;
  }
  runtime::ContextHandle &context = *bench::context(o);
  Result<runtime::PlanHandle> plan =
      makePlan(workload, context, o, "", *o.oracle);
  if (!plan) {
    decided.failure = plan.error();
    return decided;
  }
  decided.json = plan->decision();
  Result<run::Choice> choice = run::parseChoice(decided.json);
  if (!choice) {
    decided.failure = choice.error();
    return decided;
  }
  decided.choice = std::move(*choice);
  autosage_plan_times times = plan->times();
  decided.compileMs = times.compile_ms;
  decided.probeMs = times.probe_ms;
  decided.decideMs = times.decide_ms;
  // Estimates for the emulator are not stored.
  for (int i = 0; i < replays && o.target != Target::simt; ++i) {
    Result<runtime::PlanHandle> again =
        makePlan(workload, context, o, "", AUTOSAGE_ORACLE_REPLAY);
    Result<run::Choice> same =
        again ? run::parseChoice(again->decision()) : Error{again.error()};
    if (!same || same->decidedBy != "cache" ||
        same->schedule != decided.choice.schedule) {
      decided.replayUs = -1;
      break;
    }
    double us = 1000 * again->times().decide_ms;
    decided.replayUs = i == 0 ? us : std::min(decided.replayUs, us);
  }
  // Where nothing was measured, a GPU's is cuSPARSE all the same.
  if (decided.choice.baseline)
    decided.baselineSchedule = decided.choice.baseline->schedule;
  else if (o.target == Target::nvptx)
    decided.baselineSchedule = "vendor";
  else if (o.alwaysBaseline)
    decided.baselineSchedule = ruleSchedule(workload, context, o);
  autosage_operands operands = runtime::toC(workload.operands());
  auto run = [&] { return plan->run(operands); };
  std::optional<Result<runtime::PlanHandle>> baseline;
  if (!decided.baselineSchedule.empty())
    baseline = makePlan(workload, context, o, decided.baselineSchedule,
                        AUTOSAGE_ORACLE_RULE);
  if (!baseline || !*baseline) {
    if (baseline)
      decided.baseline.failure = baseline->error();
    decided.chosen = measure(workload, o, run);
  } else {
    std::tie(decided.chosen, decided.baseline) = measurePair(
        workload, o, run, [&] { return (*baseline)->run(operands); });
  }
  for (Measurement *m : {&decided.chosen, &decided.baseline})
    judge(workload, *m);
  decided.chosen.prepareMs = times.prepare_ms;
  decided.chosen.workspaceBytes = plan->workspaceBytes();
  return decided;
}
