//===- Model.h - the parts of the analytic estimate -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules are plain numbers here: a grid of them is looked at, and only the
// best become text.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CORE_SCHEDULE_MODEL_H
#define AUTOSAGE_LIB_CORE_SCHEDULE_MODEL_H

#include "autosage/Core/Estimate.h"

namespace autosage::schedule {

struct GpuPlan {
  enum Family { rowGroup, rowTasks, vendor } family = rowGroup;
  TaskOrder order = TaskOrder::stored;
  int64_t chunk = 256, unroll = 4, vec = 4, tile = 0, minBlocks = 0;
  int64_t lanes = 0, block = 128, algorithm = 3;
  bool fused = true; // attention
};

struct CpuPlan {
  bool equalParts = false; // nnz_parallel
  int64_t vec = 16, tile = 64, unroll = 1, prefetch = 0, grain = 64, parts = 0;
  bool fused = true; // attention
};

/// An operation in numbers.
struct Work {
  Work(const KernelSpec &spec, const InputStats &stats);
  /// The same on the transposed pattern, of these statistics. Both are
  /// borrowed.
  Work(const Work &other, const InputStats &transposed);

  OpKind op;
  bool dot; // scores are dot products, not sums of two numbers
  double rows, cols, nnz, heads;
  double columns;      // of x, of v: heads times features
  double scoreColumns; // of q and k
  double element, accumulator, position, coordinate; // bytes
  double edgeValueBytes;                             // of an edge
  /// Columns that entries name, were all named equally often: what chance
  /// makes of the locality of the windows.
  double effectiveColumns;
  const InputStats &stats;

private:
  void setEffectiveColumns();
};

/// What is to be expected of the transposed pattern. Known are its sizes and
/// its mean; the rest is that of the rows in proportion, as if columns were as
/// uneven as rows are, which holds for undirected graphs.
InputStats transposedStats(const InputStats &stats);

/// One walk over all entries.
struct Pass {
  double width;        // columns that an entry's row is read for
  bool sums;           // rows are summed up: tiles are blocks of their own
  bool exponentials;   // of each entry and head
  double entryBytes;   // read or written in order, an entry
  double rowBytes;     // the same, a row
  double entryStreams; // arrays of those, where a task begins at a place of its
                       // own: reads 1, writes 3
  /// Columns of k, which an entry's row is read for beside `width` of v: all of
  /// a head's by each of its tiles.
  double scoreWidth = 0;
  double heads = 1;
  /// Of another operand that is gathered from at the same time, and shares the
  /// caches.
  double otherBytes = 0;
  /// Over the transposed pattern.
  bool transposed = false;
  /// On a CPU: in the loop of the pass before it, whose rows are what is
  /// gathered again.
  bool sharesLoop = false, isWarm = false;
};

/// Of the op, or of the steps that composed attention and its gradients are
/// made of.
std::vector<Pass> passesOf(const Work &work, bool fused);

GpuPlan gpuPlanOf(const Schedule &schedule);
CpuPlan cpuPlanOf(const Schedule &schedule);
Schedule scheduleOf(const GpuPlan &plan, const Work &work);
Schedule scheduleOf(const CpuPlan &plan);

Estimate estimateGpu(const DeviceFacts &facts, const Work &work,
                     const GpuPlan &plan);
Estimate estimateCpu(const DeviceFacts &facts, const Work &work,
                     const CpuPlan &plan);

/// What is worth a look.
std::vector<GpuPlan> gpuPlans(const DeviceFacts &facts, const Work &work,
                              double expectedCalls);
std::vector<CpuPlan> cpuPlans(const DeviceFacts &facts, const Work &work);

} // namespace autosage::schedule

#endif // AUTOSAGE_LIB_CORE_SCHEDULE_MODEL_H
