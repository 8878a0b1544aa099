//===- Candidates.cpp - who takes part in a race --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"

#include "autosage/Core/Estimate.h"

using namespace autosage;
using namespace autosage::runtime;

Schedule runtime::ruleOf(Target target, const Problem &problem,
                         int64_t vectorBits) {
  if (target != Target::cpu)
    return estimateGpuSchedule(problem);
  return estimateCpuSchedule(problem,
                             vectorBits ? vectorBits : machineVectorBits());
}

oracle::BaselineEntry runtime::plainBaseline(Target target,
                                             const Problem &problem,
                                             int64_t vectorBits) {
  Schedule rule = ruleOf(target, problem, vectorBits);
  if (isAttention(problem.op)) {
    // What there is without a fused kernel, whose registers it does not need.
    rule.knobs["attention"] = std::string("composed");
    rule.knobs.erase("min_blocks");
    return {"composed", rule};
  }
  if (target != Target::cpu)
    return {"rule", rule};
  if (rule.family != "row_parallel") {
    // Without the skew that made it take another family.
    Problem even = problem;
    even.stats->max = 0;
    even.stats->hubFraction = 0;
    rule = ruleOf(target, even, vectorBits);
  }
  return {"row_parallel", rule};
}

std::vector<oracle::RaceEntry> runtime::candidatesOf(const DeviceFacts &facts,
                                                     const KernelSpec &bound,
                                                     const InputStats &stats,
                                                     int64_t expectedCalls,
                                                     const Schedule &baseline) {
  int64_t calls = expectedCalls > 0 ? expectedCalls : oracle::assumedCalls;
  std::vector<oracle::RaceEntry> entries;
  for (RankedSchedule &ranked : rankCandidates(
           facts, bound, stats, static_cast<double>(calls), &baseline))
    // The library is a baseline, where it can take part.
    if (ranked.schedule.family != "vendor")
      entries.push_back({std::move(ranked.schedule), ranked.estimate.ms});
  return entries;
}
