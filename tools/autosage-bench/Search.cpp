//===- Search.cpp - the grid of schedules --------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::bench;

/// As autosage-run's: s + 16 u sqrt(L), with u of the accumulation and s what
/// storing a 16-bit result adds.
double bench::tolerance(const Workload &p) {
  double longest = std::max<double>(p.graph.stats.max, p.features);
  double unit = p.spec.dtype == DType::f64 ? 0x1p-53 : 0x1p-24;
  double stored = p.spec.dtype == DType::f16    ? 0x1p-10
                  : p.spec.dtype == DType::bf16 ? 0x1p-7
                                                : 0;
  return stored + 16 * unit * std::sqrt(longest);
}

void bench::judge(const Workload &workload, Measurement &m) {
  if (m.failure.empty() && !(m.relError <= tolerance(workload)))
    m.failure = "relative error " + std::to_string(m.relError);
}

const Candidate *bench::best(const std::vector<Candidate> &candidates) {
  return fastest(candidates, [](const Candidate &) { return true; });
}

std::vector<std::string>
bench::probeOrderOf(std::vector<RankedSchedule> schedules) {
  std::sort(schedules.begin(), schedules.end(),
            [](const RankedSchedule &a, const RankedSchedule &b) {
              return a.costMs != b.costMs ? a.costMs < b.costMs
                                          : a.schedule.str() < b.schedule.str();
            });
  orderForProbing(schedules);
  std::vector<std::string> texts;
  for (const RankedSchedule &r : schedules)
    texts.push_back(r.schedule.str());
  return texts;
}

namespace {
class Search {
public:
  Search(Workload &workload, const Options &options)
      : workload(workload), options(options),
        ranked(rankCandidates(options.facts, workload.spec,
                              workload.graph.stats, options.expectedCalls)) {}

  /// The vendor's library is timed apart, in all its algorithms. On a CPU,
  /// where others are at work too, candidates take turns; a GPU has not the
  /// memory for all their task lists at once.
  void addRanked() {
    std::vector<Schedule> all;
    for (const RankedSchedule &candidate : ranked)
      if (candidate.schedule.family != "vendor" &&
          static_cast<int64_t>(all.size()) < options.mostCandidates)
        all.push_back(candidate.schedule);
    if (options.target != Target::cpu) {
      for (const Schedule &schedule : all)
        add(schedule);
      return;
    }
    std::vector<Measurement> times = measureSchedules(workload, options, all);
    for (size_t i = 0; i < all.size(); ++i)
      add(all[i], std::move(times[i]));
  }

  void add(const Schedule &schedule) {
    for (const Candidate &known : found)
      if (known.schedule.str() == schedule.str())
        return;
    add(schedule, measureSchedule(workload, options, schedule));
  }

  void add(const Schedule &schedule, Measurement m) {
    judge(workload, m);
    int64_t rank = -1;
    for (size_t i = 0; i < ranked.size() && rank < 0; ++i)
      if (ranked[i].schedule == schedule)
        rank = static_cast<int64_t>(i);
    found.push_back(
        {schedule, std::move(m),
         estimate(options.facts, workload.spec, workload.graph.stats, schedule),
         rank});
  }

  /// Adds variants of the best so far, which stays put meanwhile.
  void refine(const std::vector<KnobMap> &changes) {
    const Candidate *start = best(found);
    if (!start)
      return;
    Schedule base = start->schedule;
    for (const KnobMap &change : changes) {
      Schedule schedule = base;
      for (const auto &[name, value] : change)
        schedule.knobs[name] = value;
      add(schedule);
    }
  }

  std::vector<Candidate> take() { return std::move(found); }

private:
  Workload &workload;
  const Options &options;
  std::vector<RankedSchedule> ranked;
  std::vector<Candidate> found;
};
} // namespace

std::vector<Candidate> bench::search(Workload &workload,
                                     const Options &options) {
  Search search(workload, options);
  for (const Schedule &schedule : options.schedules)
    search.add(schedule);
  if (!options.schedules.empty())
    return search.take();

  if (options.allCandidates || options.target == Target::cpu) {
    search.addRanked();
    return search.take();
  }
  Schedule group;
  group.family = "row_group";
  search.add(group);
  for (int64_t chunk : {64, 128, 256, 512, 1024})
    for (TaskOrder order : {TaskOrder::stored, TaskOrder::length}) {
      Schedule tasks;
      tasks.family = "row_tasks";
      tasks.knobs["chunk"] = chunk;
      if (order != TaskOrder::stored)
        tasks.knobs["order"] = std::string(toString(order));
      search.add(tasks);
    }
  search.refine({{{"unroll", int64_t(8)}},
                 {{"min_blocks", int64_t(8)}},
                 {{"unroll", int64_t(8)}, {"min_blocks", int64_t(8)}}});
  std::vector<KnobMap> tiles;
  for (int64_t tile : {32, 64})
    if (tile < workload.features)
      tiles.push_back({{"tile", tile}});
  search.refine(tiles);
  return search.take();
}
