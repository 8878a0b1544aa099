//===- Estimate.h - what a schedule will cost, by arithmetic ----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is measured or compiled: statistics and facts of the device in,
// milliseconds out (docs/estimate.md). Meant for ranking: the few best are what
// the probe looks at.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_ESTIMATE_H
#define AUTOSAGE_CORE_ESTIMATE_H

#include "autosage/Core/DeviceFacts.h"
#include "autosage/Core/Kernel.h"

#include <vector>

namespace autosage {

/// Where the time goes. Parts overlap: `ms` is less than their sum.
struct EstimateBreakdown {
  double launchMs = 0;
  double memoryMs = 0;  // what caches do not hold
  double cacheMs = 0;   // everything, through the shared cache
  double computeMs = 0; // instructions
  double tailMs = 0;    // the longest row or piece, alone
};

struct Estimate {
  double ms = 0;        // of a run
  double prepareMs = 0; // once
  double bytes = 0;     // to and from memory, in a run
  EstimateBreakdown breakdown;
};

struct RankedSchedule {
  Schedule schedule;
  Estimate estimate;
  /// Of a run, with its share of the preparation.
  double costMs = 0;
};

/// Expects a schedule that the target can run, and a spec with widths.
Estimate estimate(const DeviceFacts &facts, const KernelSpec &spec,
                  const InputStats &stats, const Schedule &schedule);

/// The most that rankCandidates gives.
inline constexpr size_t maxCandidates = 64;

/// How many of the first are chosen to be unlike each other.
inline constexpr size_t probedFirst = 8;

/// Schedules worth a look, at most maxCandidates, in the order to probe them in
/// (orderForProbing); each passes verifyForTarget. The first is the cheapest.
/// The preparation is spread over `expectedCalls` (at least 1). Equal input,
/// equal result: of equally cheap ones the simpler comes first. `measured` is a
/// schedule that runs in any case: the baseline.
std::vector<RankedSchedule> rankCandidates(const DeviceFacts &facts,
                                           const KernelSpec &spec,
                                           const InputStats &stats,
                                           double expectedCalls,
                                           const Schedule *measured = nullptr);

/// Of schedules that are sorted by cost the first stays. The next, up to
/// `probedFirst`, are those that promise most beside the ones before them: a
/// twin of one of these less than what an estimate may be wrong about in
/// another way. All others follow by cost. What is `measured` in any case
/// stands before them all, so that neither it nor its twins take a place.
void orderForProbing(std::vector<RankedSchedule> &ranked,
                     const RankedSchedule *measured = nullptr);

} // namespace autosage

#endif // AUTOSAGE_CORE_ESTIMATE_H
