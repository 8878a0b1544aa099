//===- EstimateGpu.cpp - the rule of thumb for GPU schedules --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What docs/scheduling.md says of GPUs: one family where rows are alike, the
// other where they are not.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Schedule.h"

#include <algorithm>

using namespace autosage;

/// A group of lanes per row waits for the longest of the rows in its block.
/// Where that is many times the mean, cutting pays for its second kernel.
static constexpr double longRow = 8;
/// Shorter rows end soon whatever the mean is.
static constexpr int64_t shortRow = 256;
/// Rows are cut into pieces that are several times the mean, so that few are
/// cut, and within what one group walks in some ten microseconds.
static constexpr double meansPerChunk = 8;
static constexpr int64_t leastChunk = 64, mostChunk = 1024;
/// Blocks that a multiprocessor has to hold: without it ptxas keeps so few
/// registers that loads wait for each other.
static constexpr int64_t blocksForLoadsInFlight = 8;

static int64_t ceilPowerOfTwo(double value) {
  int64_t power = 1;
  while (static_cast<double>(power) < value)
    power *= 2;
  return power;
}

static bool hasDots(OpKind op) {
  return op == OpKind::sddmm || op == OpKind::attention;
}

Schedule autosage::estimateGpuSchedule(const Problem &problem) {
  Schedule schedule;
  schedule.family = "row_group";
  if (problem.stats) {
    const InputStats &stats = *problem.stats;
    double longest = static_cast<double>(stats.max);
    if (stats.max > shortRow && longest > longRow * stats.mean) {
      schedule.family = "row_tasks";
      schedule.knobs["chunk"] = std::clamp(
          ceilPowerOfTwo(meansPerChunk * stats.mean), leastChunk, mostChunk);
    }
  }
  if (hasDots(problem.op))
    schedule.knobs["min_blocks"] = blocksForLoadsInFlight;
  return schedule;
}
