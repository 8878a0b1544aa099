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

/// Schedules worth a look, the cheapest first, at most maxCandidates; each
/// passes verifyForTarget. The preparation is spread over `expectedCalls` (at
/// least 1). Equal input, equal result: of equally cheap ones the simpler comes
/// first.
std::vector<RankedSchedule> rankCandidates(const DeviceFacts &facts,
                                           const KernelSpec &spec,
                                           const InputStats &stats,
                                           double expectedCalls);

} // namespace autosage

#endif // AUTOSAGE_CORE_ESTIMATE_H
