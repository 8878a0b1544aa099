//===- Candidates.cpp - who takes part in a race --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"

#include "autosage/Core/DeviceFacts.h"

#include <algorithm>

using namespace autosage;
using namespace autosage::runtime;

Problem runtime::problemOf(const KernelSpec &bound,
                           const std::optional<InputStats> &stats) {
  Problem problem;
  problem.op = bound.op;
  problem.dtype = bound.dtype;
  if (bound.features != dynamic)
    problem.features = bound.features;
  problem.heads = bound.heads > 0 ? bound.heads : 1;
  problem.stats = stats;
  return problem;
}

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
  if (target != Target::cpu)
    return {"rule", ruleOf(target, problem, vectorBits)};
  Schedule rule = ruleOf(target, problem, vectorBits);
  if (rule.family != "row_parallel") {
    // Without the skew that made it take another family.
    Problem even = problem;
    even.stats->max = 0;
    even.stats->hubFraction = 0;
    rule = ruleOf(target, even, vectorBits);
  }
  return {"row_parallel", rule};
}

namespace {
/// Schedules in the order in which they were added, each once.
class List {
public:
  List(Target target, const Problem &problem)
      : target(target), problem(problem) {}
  void add(const Schedule &schedule) {
    if (!verifySchedule(schedule) ||
        !verifyForTarget(schedule, target, problem))
      return;
    std::string text = schedule.str();
    for (const oracle::RaceEntry &entry : entries)
      if (entry.schedule.str() == text)
        return;
    entries.push_back({schedule, 0});
  }
  /// With other values of some knobs.
  void vary(Schedule schedule, const KnobMap &knobs) {
    for (const auto &[name, value] : knobs)
      schedule.knobs[name] = value;
    add(schedule);
  }
  std::vector<oracle::RaceEntry> entries;

private:
  const Target target;
  const Problem &problem;
};
} // namespace

static void addCpu(List &list, const Schedule &rule, const Schedule &plain) {
  list.add(rule);
  Schedule other = rule;
  if (rule.family == "row_parallel") {
    other.family = "nnz_parallel";
    other.knobs.erase("grain");
  } else {
    other = plain;
  }
  list.add(other);
  int64_t prefetch = rule.get("prefetch");
  list.vary(rule, {{"prefetch", prefetch ? int64_t{0} : int64_t{8}}});
  int64_t tile = rule.get("tile"), vec = rule.get("vec");
  if (tile > vec)
    list.vary(rule, {{"tile", std::max(tile / 2 / vec * vec, vec)}});
  list.vary(rule,
            {{"unroll", rule.get("unroll") > 1 ? int64_t{1} : int64_t{2}}});
  if (vec > 4)
    list.vary(rule, {{"vec", vec / 2}});
}

static void addGpu(List &list, const Schedule &rule, int64_t expectedCalls) {
  list.add(rule);
  Schedule tasks = rule, group = rule;
  tasks.family = "row_tasks";
  group.family = "row_group";
  for (const char *knob : {"chunk", "order"})
    group.knobs.erase(knob);
  list.add(rule.family == "row_tasks" ? group : tasks);
  bool repays = expectedCalls == 0 || expectedCalls >= 10;
  if (repays)
    list.vary(tasks, {{"order", std::string("locality")}});
  for (int64_t chunk : {128, 256, 512})
    list.vary(tasks, {{"chunk", chunk}});
  if (repays)
    list.vary(tasks, {{"order", std::string("length")}});
}

std::vector<oracle::RaceEntry> runtime::candidatesOf(Target target,
                                                     const KernelSpec &bound,
                                                     const InputStats &stats,
                                                     int64_t expectedCalls,
                                                     int64_t vectorBits) {
  Problem problem = problemOf(bound, stats);
  List list(target, problem);
  Schedule rule = ruleOf(target, problem, vectorBits);
  if (target == Target::cpu)
    addCpu(list, rule, plainBaseline(target, problem, vectorBits).schedule);
  else
    addGpu(list, rule, expectedCalls);
  return std::move(list.entries);
}
