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

#include "GpuKnobs.h"

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

Schedule autosage::estimateGpuSchedule(const Problem &problem) {
  Schedule chosen;
  chosen.family = "row_group";
  if (problem.stats) {
    const InputStats &stats = *problem.stats;
    double longest = static_cast<double>(stats.max);
    if (stats.max > shortRow && longest > longRow * stats.mean) {
      chosen.family = "row_tasks";
      chosen.knobs["chunk"] = std::clamp(
          ceilPowerOfTwo(meansPerChunk * stats.mean), leastChunk, mostChunk);
    }
  }
  int64_t blocks = 0;
  if (problem.op == OpKind::sddmm)
    blocks = blocksForLoadsInFlight;
  if (problem.op == OpKind::attention) // two walks of its gradients differ
    blocks = schedule::fusedMinBlocks(
        problem.scoreFeatures.value_or(1), problem.features.value_or(1),
        static_cast<int64_t>(sizeOf(problem.dtype)), chosen.get("unroll"));
  if (blocks != 0)
    chosen.knobs["min_blocks"] = blocks;
  if (problem.composedOnly)
    chosen.knobs["attention"] = std::string("composed");
  return chosen;
}
