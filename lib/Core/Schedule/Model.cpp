//===- Model.cpp - estimates and ranks of schedules -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "autosage/Core/StatsSums.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::schedule;

/// Of `draws` among n columns that are equally likely, n (1 - exp(-draws / n))
/// differ: solved for n, where 1 / `locality` of the draws differ.
static double columnsDrawn(double draws, double locality, double most) {
  if (locality <= 1 + 1e-6)
    return most;
  // x = locality (1 - exp(-x)), from above, where Newton's steps do not jump
  // over the root.
  double x = std::min(2 * (locality - 1), locality);
  for (int step = 0; step < 5; ++step) {
    double rest = std::exp(-x);
    x -= (x - locality * (1 - rest)) / (1 - locality * rest);
  }
  return std::min(most, draws / x);
}

Work::Work(const KernelSpec &spec, const InputStats &stats)
    : op(spec.op), stats(stats) {
  dot = op == OpKind::sddmm ? spec.combine == Combine::dot
        : isAttention(op)   ? spec.score != Score::gat
                            : true;
  rows = static_cast<double>(spec.transpose ? stats.cols : stats.rows);
  cols = static_cast<double>(spec.transpose ? stats.rows : stats.cols);
  nnz = static_cast<double>(stats.nnz);
  heads = static_cast<double>(std::max<int64_t>(1, spec.heads));
  auto width = [](int64_t features) {
    return static_cast<double>(std::max<int64_t>(1, features));
  };
  scoreColumns = dot ? heads * width(spec.features) : heads;
  int64_t value =
      spec.valueFeatures == dynamic ? spec.features : spec.valueFeatures;
  columns = heads * width(isAttention(op) ? value : spec.features);
  element = static_cast<double>(sizeOf(spec.dtype));
  accumulator = spec.dtype == DType::f64 ? 8 : 4;
  position = static_cast<double>(sizeOf(spec.rowptrType));
  coordinate = static_cast<double>(sizeOf(spec.colindType));
  edgeValueBytes = spec.edgeValues == EdgeValues::none      ? 0
                   : spec.edgeValues == EdgeValues::perHead ? heads * element
                                                            : element;
  setEffectiveColumns();
}

Work::Work(const Work &o, const InputStats &transposed)
    : op(o.op), dot(o.dot), rows(o.cols), cols(o.rows), nnz(o.nnz),
      heads(o.heads), columns(o.columns), scoreColumns(o.scoreColumns),
      element(o.element), accumulator(o.accumulator), position(o.position),
      coordinate(o.coordinate), edgeValueBytes(o.edgeValueBytes),
      stats(transposed) {
  setEffectiveColumns();
}

void Work::setEffectiveColumns() {
  double window = std::min(static_cast<double>(stats.rows),
                           static_cast<double>(windowRows));
  effectiveColumns =
      std::max(1.0, columnsDrawn(window * stats.mean, stats.locality, cols));
}

InputStats schedule::transposedStats(const InputStats &s) {
  InputStats t = s;
  t.rows = s.cols;
  t.cols = s.rows;
  t.mean =
      s.cols > 0 ? static_cast<double>(s.nnz) / static_cast<double>(s.cols) : 0;
  double longer = s.mean > 0 ? t.mean / s.mean : 1;
  for (int64_t InputStats::*field :
       {&InputStats::max, &InputStats::p50, &InputStats::p90, &InputStats::p99,
        &InputStats::p999})
    t.*field = std::min(s.nnz, static_cast<int64_t>(std::ceil(
                                   static_cast<double>(s.*field) * longer)));
  if (s.rows > 0)
    t.emptyRows = static_cast<int64_t>(static_cast<double>(s.emptyRows) /
                                       static_cast<double>(s.rows) *
                                       static_cast<double>(s.cols));
  return t;
}

/// Of the table in docs/gradients.md.
static std::vector<Pass> passesOfGradients(const Work &w, bool fused) {
  double e = w.element, a = w.accumulator, heads = w.heads,
         bias = w.edgeValueBytes;
  double both = w.columns + w.scoreColumns;
  if (fused) {
    // By row: rows of k and v are gathered, one of dq is summed up. By column:
    // rows of q and do and numbers of rows are gathered, biases through the
    // permutation, and a row of dk and one of dv are summed up.
    Pass byRow = {
        w.scoreColumns,       true,      true, bias, 2 * e * both + a * heads,
        bias > 0 ? 2.0 : 1.0, w.columns, heads};
    Pass byColumn = {both,         true,
                     true,         bias + (bias > 0 ? w.position : 0.0),
                     2 * e * both, bias > 0 ? 3.0 : 1.0};
    byColumn.width += 2 * heads * a / e;
    byColumn.heads = heads;
    byColumn.transposed = true;
    return {byRow, byColumn};
  }
  // do and v are widened before they are gathered, and sums over columns are of
  // widened rows.
  double wide = a / e, number = a * heads;
  auto sampled = [&](double width) {
    return Pass{width, false, false, number, 0, 4};
  };
  auto sums = [&](double width, bool transposed) {
    Pass pass = {width, true, false, number, a * width, 2.0};
    pass.transposed = transposed;
    return pass;
  };
  Pass elementwise = {0, false, true, 6 * number + bias, 0, 4};
  Pass turned = {0, false, false, 4 * number + w.position, 0, 4};
  return {sampled(w.scoreColumns),
          sampled(w.columns * wide),
          sampled(heads * wide),
          sampled(heads * wide),
          elementwise,
          sums(w.scoreColumns * wide, false),
          turned,
          sums(w.scoreColumns * wide, true),
          sums(w.columns * wide, true)};
}

std::vector<Pass> schedule::passesOf(const Work &w, bool fused) {
  double e = w.element, a = w.accumulator, heads = w.heads;
  Pass sums = {w.columns,     true,
               false,         w.edgeValueBytes,
               e * w.columns, w.edgeValueBytes > 0 ? 2.0 : 1.0};
  Pass scores = {w.scoreColumns,     false, false, w.edgeValueBytes + e * heads,
                 e * w.scoreColumns, 4};
  Pass softmax = {0, false, true, 2 * e * heads, 0, 4};
  switch (w.op) {
  case OpKind::spmm:
    return {sums};
  case OpKind::sddmm:
    return {scores};
  case OpKind::row_softmax:
    return {softmax};
  case OpKind::attention_backward:
    return passesOfGradients(w, fused);
  case OpKind::attention:
    break;
  }
  if (fused) {
    // Rows of k and of v are gathered together.
    double columns = w.columns + w.scoreColumns;
    return {{w.columns, true, true, w.edgeValueBytes, e * columns,
             w.edgeValueBytes > 0 ? 2.0 : 1.0, w.scoreColumns, heads}};
  }
  // In between there are scores of the accumulator's type.
  scores.entryBytes = w.edgeValueBytes + a * heads;
  softmax.entryBytes = 2 * a * heads;
  softmax.rowBytes = a * heads;
  sums.entryBytes = a * heads;
  return {scores, softmax, sums};
}

//===----------------------------------------------------------------------===//
// Text and numbers
//===----------------------------------------------------------------------===//

GpuPlan schedule::gpuPlanOf(const Schedule &s) {
  GpuPlan plan;
  if (s.family == "vendor") {
    plan.family = GpuPlan::vendor;
    plan.algorithm = s.get("alg");
    return plan;
  }
  plan.unroll = s.get("unroll");
  plan.vec = s.get("vec");
  plan.tile = s.get("tile");
  plan.minBlocks = s.get("min_blocks");
  plan.fused = s.getWord("attention") == "fused";
  if (s.family == "row_tasks") {
    plan.family = GpuPlan::rowTasks;
    plan.chunk = s.get("chunk");
    plan.order = parseTaskOrder(s.getWord("order")).value_or(TaskOrder::stored);
  } else {
    plan.lanes = s.get("lanes");
    plan.block = s.get("block");
  }
  return plan;
}

CpuPlan schedule::cpuPlanOf(const Schedule &s) {
  CpuPlan plan;
  plan.equalParts = s.family == "nnz_parallel";
  plan.vec = s.get("vec");
  plan.tile = s.get("tile");
  plan.unroll = s.get("unroll");
  plan.prefetch = s.get("prefetch");
  plan.fused = s.getWord("attention") == "fused";
  if (plan.equalParts)
    plan.parts = s.get("parts");
  else
    plan.grain = s.get("grain");
  return plan;
}

Schedule schedule::scheduleOf(const GpuPlan &plan, const Work &) {
  const GpuPlan defaults;
  Schedule s;
  if (plan.family == GpuPlan::vendor) {
    s.family = "vendor";
    return s;
  }
  s.family = plan.family == GpuPlan::rowTasks ? "row_tasks" : "row_group";
  if (plan.family == GpuPlan::rowTasks) {
    s.knobs["chunk"] = plan.chunk;
    if (plan.order != TaskOrder::stored)
      s.knobs["order"] = std::string(toString(plan.order));
  }
  auto knob = [&](const char *name, int64_t value, int64_t usual) {
    if (value != usual)
      s.knobs[name] = value;
  };
  knob("unroll", plan.unroll, defaults.unroll);
  knob("vec", plan.vec, defaults.vec);
  knob("tile", plan.tile, defaults.tile);
  knob("min_blocks", plan.minBlocks, defaults.minBlocks);
  if (!plan.fused)
    s.knobs["attention"] = std::string("composed");
  return s;
}

Schedule schedule::scheduleOf(const CpuPlan &plan) {
  Schedule s;
  s.family = plan.equalParts ? "nnz_parallel" : "row_parallel";
  s.knobs["vec"] = plan.vec;
  s.knobs["tile"] = plan.tile;
  if (plan.unroll != 1)
    s.knobs["unroll"] = plan.unroll;
  if (plan.prefetch != 0)
    s.knobs["prefetch"] = plan.prefetch;
  if (!plan.equalParts)
    s.knobs["grain"] = plan.grain;
  if (!plan.fused)
    s.knobs["attention"] = std::string("composed");
  return s;
}

//===----------------------------------------------------------------------===//
// Ranking
//===----------------------------------------------------------------------===//

Estimate autosage::estimate(const DeviceFacts &facts, const KernelSpec &spec,
                            const InputStats &stats, const Schedule &s) {
  Work work(spec, stats);
  if (facts.target == Target::cpu)
    return estimateCpu(facts, work, cpuPlanOf(s));
  return estimateGpu(facts, work, gpuPlanOf(s));
}

template <typename Plan, typename Cost, typename ToSchedule>
static std::vector<RankedSchedule>
rank(std::vector<Plan> plans, bool composedOnly, double expectedCalls,
     const RankedSchedule *measured, Cost &&cost, ToSchedule &&toSchedule) {
  if (composedOnly)
    plans.erase(std::remove_if(plans.begin(), plans.end(),
                               [](const Plan &plan) { return plan.fused; }),
                plans.end());
  struct Entry {
    Estimate estimate;
    double costMs;
    size_t plan;
  };
  std::vector<Entry> entries;
  entries.reserve(plans.size());
  for (size_t i = 0; i < plans.size(); ++i) {
    Estimate e = cost(plans[i]);
    entries.push_back(
        {e, e.ms + e.prepareMs / std::max(1.0, expectedCalls), i});
  }
  // Plans come in a fixed order, simpler ones first: that settles ties.
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return a.costMs != b.costMs ? a.costMs < b.costMs : a.plan < b.plan;
  });
  if (entries.size() > maxCandidates)
    entries.resize(maxCandidates);
  std::vector<RankedSchedule> ranked;
  ranked.reserve(entries.size());
  for (const Entry &entry : entries)
    ranked.push_back(
        {toSchedule(plans[entry.plan]), entry.estimate, entry.costMs});
  orderForProbing(ranked, measured);
  return ranked;
}

std::vector<RankedSchedule> autosage::rankCandidates(const DeviceFacts &facts,
                                                     const KernelSpec &spec,
                                                     const InputStats &stats,
                                                     double expectedCalls,
                                                     const Schedule *measured) {
  Work work(spec, stats);
  std::optional<RankedSchedule> known;
  if (measured) {
    Estimate e = estimate(facts, spec, stats, *measured);
    known = {*measured, e, e.ms + e.prepareMs / std::max(1.0, expectedCalls)};
  }
  const RankedSchedule *before = known ? &*known : nullptr;
  bool composedOnly = problemOf(spec).composedOnly;
  if (facts.target == Target::cpu)
    return rank(
        cpuPlans(facts, work), composedOnly, expectedCalls, before,
        [&](const CpuPlan &plan) { return estimateCpu(facts, work, plan); },
        [&](const CpuPlan &plan) { return scheduleOf(plan); });
  return rank(
      gpuPlans(facts, work, expectedCalls), composedOnly, expectedCalls, before,
      [&](const GpuPlan &plan) { return estimateGpu(facts, work, plan); },
      [&](const GpuPlan &plan) { return scheduleOf(plan, work); });
}
