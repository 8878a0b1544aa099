//===- Search.h - the grid of schedules ------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_SEARCH_H
#define AUTOSAGE_TOOLS_BENCH_SEARCH_H

#include "Measure.h"

namespace autosage::bench {

struct Candidate {
  Schedule schedule;
  Measurement measurement;
  Estimate estimate;
  int64_t rank = -1; // among the candidates of the estimate; -1: not there
};

/// Measures the schedules of the options, or all candidates of the estimate in
/// the order of their ranks, or the grid: one knob after the other, each step
/// on top of the best of the step before.
///
/// On the CPU the grid is what the estimate ranks. On a GPU:
///
/// 1. row_group; row_tasks with chunks of 64, 128, ..., 1024, in stored order
///    and by length
/// 2. unroll 4 or 8, blocks per multiprocessor open or 8
/// 3. tiles of 32 and 64 columns, where the width is larger
///
/// Results come in the order of measuring.
std::vector<Candidate> search(Workload &workload, const Options &options);

/// The fastest of those that ran right; null where none did.
const Candidate *best(const std::vector<Candidate> &candidates);

/// The texts of schedules in the order in which they would be probed, were
/// these all candidates (docs/estimate.md).
std::vector<std::string> probeOrderOf(std::vector<RankedSchedule> schedules);

/// What a right kernel's relative error stays below.
double tolerance(const Workload &workload);

/// The one with the shortest time of those that ran and that `takes` takes;
/// null where there is none.
template <typename Timed, typename Takes>
const Timed *fastest(const std::vector<Timed> &all, Takes &&takes) {
  const Timed *found = nullptr;
  for (const Timed &one : all)
    if (one.measurement.failure.empty() && takes(one) &&
        (!found || one.measurement.medianMs < found->measurement.medianMs))
      found = &one;
  return found;
}

/// Makes a result that is off by more a failure.
void judge(const Workload &workload, Measurement &m);

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_SEARCH_H
