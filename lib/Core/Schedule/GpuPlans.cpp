//===- GpuPlans.cpp - schedules for GPUs that are worth a look ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"
#include "Model.h"

#include <algorithm>

using namespace autosage;
using namespace autosage::schedule;

std::vector<GpuPlan> schedule::gpuPlans(const DeviceFacts &facts,
                                        const Work &work,
                                        double expectedCalls) {
  std::vector<GpuPlan> plans;
  int64_t vec = work.element == 8 ? 2 : work.element == 2 ? 8 : 4;
  double columns = work.op == OpKind::sddmm ? work.scoreColumns : work.columns;
  // The narrower of the rows that are gathered together.
  if (work.op == OpKind::attention_backward && work.dot)
    columns = std::min(columns, work.scoreColumns);
  while (vec > 1 && static_cast<double>(vec) > columns)
    vec /= 2;
  std::vector<int64_t> tiles = {0};
  // Tiles pay where one fits the cache and all do not, and only where they are
  // blocks of their own.
  double operand = work.cols * columns * work.element;
  bool narrows = work.op == OpKind::spmm || isAttention(work.op);
  // Tiles within a head would each need its scores.
  double least = isAttention(work.op) ? columns / work.heads : 0;
  if (narrows && operand > 0.5 * static_cast<double>(facts.cacheBytes))
    for (int64_t tile : {64, 32})
      if (static_cast<double>(tile) < columns && tile >= 8 * vec / 4 &&
          static_cast<double>(tile) >= least)
        tiles.push_back(tile);
  auto most = [&](const GpuPlan &plan) {
    // The limit of verifyGpuKnobsForTarget, from above.
    int64_t lane = std::max<int64_t>(plan.vec, 1);
    if (plan.tile)
      lane = std::max<int64_t>(1, (plan.tile + 32 * plan.vec - 1) /
                                      (32 * plan.vec)) *
             plan.vec;
    return plan.unroll * lane <= 128;
  };
  auto blocks = [&](const GpuPlan &plan) -> int64_t {
    if (work.op != OpKind::attention)
      return 0;
    auto ofHead = [&](double columns) {
      return static_cast<int64_t>(columns / work.heads);
    };
    return fusedMinBlocks(ofHead(work.scoreColumns), ofHead(work.columns),
                          static_cast<int64_t>(work.element), plan.unroll);
  };
  auto add = [&](GpuPlan plan) {
    plan.vec = vec;
    for (int64_t tile : tiles)
      for (int64_t unroll : {4, 8}) {
        plan.tile = tile;
        plan.unroll = unroll;
        plan.fused = true;
        plan.minBlocks = blocks(plan);
        if (most(plan))
          plans.push_back(plan);
        // Of three walks only one has tiles to gain from.
        if (!isAttention(work.op) || tile != 0)
          continue;
        plan.fused = false;
        plan.minBlocks = 0;
        if (most(plan))
          plans.push_back(plan);
      }
  };
  GpuPlan group;
  add(group);
  auto longest = static_cast<double>(work.stats.max);
  bool skewed = longest > 2 * std::max(1.0, work.stats.mean);
  bool exceeds = operand > 0.5 * static_cast<double>(facts.cacheBytes);
  // Where all warps together have less than a piece of 64 each, one such piece
  // takes longer than its share.
  double warps = static_cast<double>(facts.multiprocessors) *
                 static_cast<double>(facts.threadsPerMultiprocessor) / 32;
  bool isShort = work.nnz < 64 * warps;
  for (int64_t chunk : {32, 64, 128, 256, 512, 1024}) {
    if (chunk == 32 && !isShort)
      continue;
    GpuPlan tasks;
    tasks.family = GpuPlan::rowTasks;
    tasks.chunk = chunk;
    add(tasks);
    if (skewed) {
      tasks.order = TaskOrder::length;
      add(tasks);
    }
    // Above it nothing is cut, and lists are the same. What locality gains is
    // not known before it is tried: one candidate, lest it fill the first
    // ranks.
    bool last = longest <= 1.5 * static_cast<double>(chunk);
    if (exceeds && expectedCalls >= 2 &&
        (chunk == 256 || (last && chunk < 256))) {
      tasks.order = TaskOrder::locality;
      tasks.vec = vec;
      tasks.tile = 0;
      tasks.unroll = 8;
      if (most(tasks))
        plans.push_back(tasks);
    }
    if (last)
      break;
  }
  GpuPlan vendor;
  vendor.family = GpuPlan::vendor;
  if (work.op == OpKind::spmm || (work.op == OpKind::sddmm && work.dot))
    if (work.heads == 1)
      plans.push_back(vendor);
  return plans;
}
