//===- ScheduleChoice.cpp - what selection decides for an op --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models and rules are Core's: this asks them in the words of the IR.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoice.h"

#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include <cstdio>
#include <cstdlib>

using namespace mlir;
using namespace mlir::autosage;
using ::autosage::InputStats;
using ::autosage::KernelSpec;
using ::autosage::RankedSchedule;
using ::autosage::Schedule;
using ::autosage::Target;

/// Width per head that a kernel of unknown width is estimated for.
static constexpr int64_t assumedFeatures = 64;
/// Calls of a caller that says nothing, as plans have it.
static constexpr int64_t assumedCalls = 1000;

/// To four digits: what a model says further on is noise.
static double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return std::strtod(text, nullptr);
}

ScheduleChoice mlir::autosage::chooseByRule(SparseOpInterface op,
                                            const ChoiceSettings &settings) {
  ::autosage::Problem problem = op.getProblem();
  problem.stats.reset();
  bool cpu = settings.target == Target::cpu;
  ScheduleChoice choice;
  choice.schedule =
      cpu ? ::autosage::estimateCpuSchedule(problem, settings.vectorBits)
          : ::autosage::estimateGpuSchedule(problem);
  choice.add("rule", (cpu ? "cpu_" : "gpu_") + choice.schedule.family);
  if (cpu)
    choice.add("vector_bits", settings.vectorBits);
  choice.add("statistics", std::string("unknown"));
  return choice;
}

/// Fills widths that only the run will tell; whether there were any.
static bool fillWidths(KernelSpec &spec) {
  bool open = false;
  if (spec.features == ::autosage::dynamic &&
      spec.op != ::autosage::OpKind::row_softmax) {
    spec.features = assumedFeatures;
    open = true;
  }
  if (spec.heads == ::autosage::dynamic) {
    spec.heads = 1;
    open = true;
  }
  return open;
}

/// Ranked candidates that the op's target runs, but for the vendor's: what its
/// library takes is a guess that only a measurement settles.
static std::vector<RankedSchedule> rank(SparseOpInterface op,
                                        const KernelSpec &spec,
                                        const InputStats &stats,
                                        const ChoiceSettings &settings) {
  int64_t calls =
      settings.expectedCalls > 0 ? settings.expectedCalls : assumedCalls;
  ::autosage::Problem problem = op.getProblem();
  std::vector<RankedSchedule> taken;
  for (RankedSchedule &candidate : ::autosage::rankCandidates(
           settings.facts, spec, stats, static_cast<double>(calls)))
    if (candidate.schedule.family != "vendor" &&
        ::autosage::verifyForTarget(candidate.schedule, settings.target,
                                    problem))
      taken.push_back(std::move(candidate));
  return taken;
}

ScheduleChoice
mlir::autosage::chooseByEstimate(SparseOpInterface op, const InputStats &stats,
                                 const ChoiceSettings &settings) {
  KernelSpec spec = kernelSpecOf(op);
  bool open = fillWidths(spec);
  std::vector<RankedSchedule> ranked = rank(op, spec, stats, settings);
  if (ranked.empty())
    return chooseByRule(op, settings);
  ScheduleChoice choice;
  choice.schedule = ranked.front().schedule;
  choice.add("device", settings.facts.name);
  choice.add("estimate_ms", rounded(ranked.front().estimate.ms));
  choice.add("cost_ms", rounded(ranked.front().costMs));
  if (ranked.size() > 1) {
    choice.add("second", ranked[1].schedule.str());
    choice.add("second_cost_ms", rounded(ranked[1].costMs));
  }
  choice.add("candidates", static_cast<int64_t>(ranked.size()));
  if (settings.target == Target::cpu) {
    choice.add("threads", settings.facts.threads);
    choice.add("vector_bits", settings.vectorBits);
  }
  if (open)
    choice.add("assumed_features", spec.features);
  choice.add("statistics", std::string("known"));
  return choice;
}

ScheduleChoice mlir::autosage::chooseByAnswer(const ScheduleAnswer &answer) {
  ScheduleChoice choice;
  choice.schedule = answer.schedule;
  choice.by = static_cast<DecidedBy>(answer.decidedBy);
  if (!answer.device.empty())
    choice.add("device", answer.device);
  if (answer.chosenMs > 0)
    choice.add("chosen_ms", rounded(answer.chosenMs));
  if (answer.baselineMs > 0)
    choice.add("baseline_ms", rounded(answer.baselineMs));
  if (!answer.reason.empty())
    choice.add("reason", answer.reason);
  return choice;
}

//===----------------------------------------------------------------------===//
// Versions for any pattern
//===----------------------------------------------------------------------===//

static InputStats typicalStats(int64_t rows, int64_t p50, int64_t p90,
                               int64_t p99, int64_t p999, int64_t max,
                               double mean, double hubFraction,
                               double locality) {
  InputStats stats;
  stats.rows = stats.cols = rows;
  stats.mean = mean;
  stats.nnz = static_cast<int64_t>(mean * static_cast<double>(rows));
  stats.max = max;
  stats.p50 = p50;
  stats.p90 = p90;
  stats.p99 = p99;
  stats.p999 = p999;
  stats.hubFraction = hubFraction;
  stats.locality = locality;
  return stats;
}

/// Graphs that differ in what decides: skew, degree and size.
static std::vector<InputStats> typicalGraphs() {
  return {// Hubs among rows of a few entries; a power law.
          typicalStats(200000, 4, 4, 200, 400, 4000, 8.0, 0.5, 1.2),
          typicalStats(1000000, 4, 32, 250, 900, 20000, 16.0, 0.35, 1.5),
          // Rows alike: few entries, many.
          typicalStats(200000, 4, 7, 9, 12, 16, 4.0, 0.0, 1.1),
          typicalStats(200000, 500, 560, 580, 600, 640, 500.0, 0.0, 3.0),
          // A small graph with one long row.
          typicalStats(3000, 3, 8, 20, 70, 170, 4.0, 0.05, 1.3)};
}

std::vector<Schedule>
mlir::autosage::chooseVersions(SparseOpInterface op,
                               const ChoiceSettings &settings, int64_t most) {
  KernelSpec spec = kernelSpecOf(op);
  fillWidths(spec);
  std::vector<Schedule> versions;
  // How many rows of the CPU are handed out at a time matters too little for a
  // version of its own.
  auto isLike = [](Schedule a, Schedule b) {
    a.knobs.erase("grain");
    b.knobs.erase("grain");
    return a == b;
  };
  auto add = [&](const Schedule &schedule) {
    if (static_cast<int64_t>(versions.size()) < most &&
        llvm::none_of(versions,
                      [&](const Schedule &v) { return isLike(v, schedule); }))
      versions.push_back(schedule);
  };
  std::vector<std::vector<RankedSchedule>> ranks;
  for (const InputStats &stats : typicalGraphs())
    ranks.push_back(rank(op, spec, stats, settings));
  // Needs no memory and waits for nothing: what runs where nothing may be
  // looked at.
  for (const auto &ranked : llvm::reverse(ranks))
    for (const RankedSchedule &candidate : ranked)
      if (versions.empty() && candidate.schedule.family == "row_group")
        add(candidate.schedule);
  if (versions.empty())
    add(chooseByRule(op, settings).schedule);
  for (const auto &ranked : ranks)
    for (const RankedSchedule &candidate : ranked)
      // What an order by locality gains is known once it is made.
      if (!(candidate.schedule.family == "row_tasks" &&
            candidate.schedule.getWord("order") == "locality")) {
        add(candidate.schedule);
        break;
      }
  return versions;
}
