//===- Decide.h - what plans decide -----------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_DECIDE_H
#define AUTOSAGE_TOOLS_BENCH_DECIDE_H

#include "../autosage-run/Choice.h"
#include "Measure.h"

namespace autosage::bench {

/// What a plan decided for a cell, what that took, and its runs beside those of
/// what it had to beat.
struct Decided {
  std::string failure; // where there is no plan
  run::Choice choice;
  std::string json; // the decision as the plan says it
  double compileMs = 0, probeMs = 0, decideMs = 0;
  /// Asking once more; below 0 where the answer was another one.
  double replayUs = -1;
  std::string baselineSchedule; // empty: none
  Measurement chosen, baseline;

  double ratio() const { return chosen.medianMs / baseline.medianMs; }
};

/// A plan with the schedule of the caller's, or by the oracle
/// (AUTOSAGE_ORACLE_*) on the terms of the options.
Result<runtime::PlanHandle>
makePlan(Workload &workload, runtime::ContextHandle &context,
         const Options &options, const std::string &schedule, uint32_t oracle);

/// What the rule takes for the graph; empty where it makes no plan.
std::string ruleSchedule(Workload &workload, runtime::ContextHandle &context,
                         const Options &options);

Decided decide(Workload &workload, const Options &options);

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_DECIDE_H
