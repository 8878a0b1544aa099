//===- ModelGpu.cpp - the analytic estimate for GPUs ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/estimate.md has the formulae and where each number comes from. Times are
// nanoseconds in here, so that a bandwidth in GB/s divides bytes.
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"
#include "Model.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::schedule;

namespace {

//===----------------------------------------------------------------------===//
// Constants of the machine
//===----------------------------------------------------------------------===//

constexpr double warpLanes = 32, sectorBytes = 32, lineBytes = 128;
/// Of the shared cache, what a gathered operand can count on.
constexpr double usableCache = 1.0;
/// A pass over `unroll` entries: column numbers, then what they name, one after
/// the other, with nothing else going on.
constexpr double passNs = 290, entryOfPassNs = 14;
/// Each further row that a warp works on at the same time.
constexpr double sharedWarp = 0.2;
/// Of a row or task before its first pass and after its last.
constexpr double taskNs = 400;
/// Instructions of a lane for an entry and vector, and for a sum over lanes.
constexpr double entryInstructions = 10, reduceInstructions = 3;
/// Of the lanes of a multiprocessor in a cycle.
constexpr double lanesPerCycle = 128;
/// How parts overlap: 1 adds them up, more comes closer to the largest alone.
constexpr double overlap = 2.0;
/// What the order by locality makes of the distinct columns of a window, where
/// rows have communities; not known beforehand.
constexpr double localityGain = 0.55;
/// Of making task lists, on the device: fixed, a row, an entry.
constexpr double prepareFixedNs = 60e3, tasksNsPerRow = 0.07,
                 lengthNsPerRow = 0.15, localityNsPerEntry = 0.16;

double ceilPowerOfTwo(double value) {
  double power = 1;
  while (power < value)
    power *= 2;
  return power;
}

double norm(double a, double b, double c) {
  double largest = std::max({a, b, c, 1e-9});
  auto part = [&](double x) { return std::pow(x / largest, overlap); };
  return largest * std::pow(part(a) + part(b) + part(c), 1 / overlap);
}

/// Degrees by rank, from the quantiles; cut at `longest`.
class Degrees {
public:
  Degrees(const InputStats &stats, double longest) : longest(longest) {
    int64_t values[] = {0,         stats.p50,  stats.p90,
                        stats.p99, stats.p999, stats.max};
    for (size_t i = 0; i < count; ++i)
      degree[i] = std::min(static_cast<double>(values[i]), longest);
    // Between empty rows and the median, so that the mean of halves fits.
    degree[0] =
        stats.emptyRows * 2 > stats.rows
            ? 0
            : std::max(0.0, 2 * std::min(stats.mean, degree[1]) - degree[1]);
  }

  /// Mean of the largest of `n` rows taken by chance.
  double largestOf(double n) const {
    constexpr double rank[] = {0, 0.5, 0.9, 0.99, 0.999, 1};
    double sum = 0, before = 0;
    for (size_t i = 1; i < count; ++i) {
      double after = std::pow(rank[i], n);
      // Heavy tails lie below the straight line.
      double middle = std::sqrt((degree[i - 1] + 1) * (degree[i] + 1)) - 1;
      sum += (after - before) * middle;
      before = after;
    }
    return sum;
  }

  double longest;

private:
  static constexpr size_t count = 6;
  double degree[count];
};

/// One kernel that walks all entries.
struct Pass {
  double width;          // columns that an entry's row is read for
  bool sums;             // rows are summed up: tiles are blocks of their own
  double entryBytes;     // read or written in order, an entry
  double rowBytes;       // the same, a row
  double entryScattered; // arrays of those that a task finds at a place of its
                         // own: reads 1, writes 3
};

struct Times {
  double launch = 0, memory = 0, cache = 0, compute = 0, tail = 0, total = 0;
  double bytes = 0;

  void add(const Times &o) {
    launch += o.launch;
    memory += o.memory;
    cache += o.cache;
    compute += o.compute;
    tail += o.tail;
    total += o.total;
    bytes += o.bytes;
  }
};

class Model {
public:
  Model(const DeviceFacts &facts, const Work &work, const GpuPlan &plan)
      : facts(facts), work(work), plan(plan) {
    double longest = static_cast<double>(work.stats.max);
    auto chunk = static_cast<double>(plan.chunk);
    cuts = plan.family == GpuPlan::rowTasks && longest > 1.5 * chunk;
    longestTask = cuts ? 1.5 * chunk : longest;
    pieces = cuts ? longPieces(chunk) : 0;
    tasks = work.rows + pieces;
  }

  Times run(const Pass &pass) const;
  double prepare() const;

private:
  /// Pieces of rows that are cut, about.
  double longPieces(double chunk) const {
    const InputStats &s = work.stats;
    double share = s.max > 8 * s.mean ? std::max(s.hubFraction, 1e-3) : 0.5;
    if (static_cast<double>(s.p50) > chunk)
      share = 1;
    return share * work.nnz / chunk;
  }

  const DeviceFacts &facts;
  const Work &work;
  const GpuPlan &plan;
  bool cuts;
  double longestTask, pieces, tasks;
};

Times Model::run(const Pass &pass) const {
  // Geometry: lanes of a group, tiles of columns.
  double vec = std::min(static_cast<double>(plan.vec), 16 / work.element);
  double tile = plan.tile ? static_cast<double>(plan.tile) : warpLanes * vec;
  tile = std::min(tile, std::max(pass.width, 1.0));
  double tiles = std::ceil(pass.width / tile);
  double lanes = std::min(warpLanes, ceilPowerOfTwo(std::ceil(tile / vec)));
  if (plan.lanes)
    lanes = static_cast<double>(plan.lanes);
  double groups = warpLanes / lanes;
  auto unroll = static_cast<double>(plan.unroll);
  double walks = pass.sums ? tiles : 1; // over rowptr and colind
  double segment = std::ceil(tile * work.element / sectorBytes) * sectorBytes;
  double gathered = work.nnz * tiles * segment;
  bool byLength = plan.order == TaskOrder::length;

  // What passes through the shared cache. Entries behind a row's end are read
  // again, mostly from the first-level cache.
  double mean = std::max(1.0, work.stats.mean);
  double waste = 1 + 0.12 * (unroll - 1) / 2 / mean;
  double streams = work.nnz * (work.coordinate * walks + pass.entryBytes) +
                   work.rows * pass.rowBytes +
                   tasks * walks *
                       (plan.family == GpuPlan::rowTasks ? 4 * work.position
                                                         : 2 * work.position);
  double merged =
      cuts && pass.sums ? 2 * pieces * pass.width * work.accumulator : 0;
  // Tasks that are not in the order of rows begin and end in lines of their
  // own.
  double scattered = plan.order == TaskOrder::stored
                         ? 0
                         : tasks * pass.entryScattered * lineBytes * walks;
  double cacheBytes = gathered * waste + streams + merged + scattered;

  // What it does not hold. Rows of the gathered operand are used again while
  // rows with the same columns run, and by chance.
  double cache = usableCache * static_cast<double>(facts.cacheBytes);
  double operand = work.cols * segment * (pass.sums ? 1 : tiles);
  double held = std::min(1.0, cache / std::max(operand, 1.0));
  double distinct = 1 / std::max(1.0, work.stats.locality);
  if (plan.order == TaskOrder::locality)
    distinct *= localityGain;
  // Long rows that begin together walk their columns together, where these are
  // sorted.
  double weighted = mean * (1 + work.stats.cv * work.stats.cv);
  double length = std::min(weighted, longestTask);
  double sweep =
      std::clamp(std::log2(std::max(length, 64.0) / 64) / 5, 0.0, 1.0);
  distinct *= 1 - (byLength ? 0.55 : 0.15) * sweep;
  double all = operand * (pass.sums ? tiles : 1) + streams;
  double missed =
      gathered * std::max(distinct * (1 - held), 0.0) +
      (all > cache ? streams + scattered + merged +
                         std::min(operand * (pass.sums ? tiles : 1), gathered) *
                             (1 - held) * 0.2
                   : 0);

  // Waiting: a warp's passes one after the other, its rows together.
  Degrees degrees(work.stats, longestTask);
  double inWarp = byLength ? std::max(mean * work.rows / tasks, 1.0)
                           : degrees.largestOf(groups);
  double light = passNs + entryOfPassNs * unroll;
  double warps = static_cast<double>(facts.multiprocessors) *
                 static_cast<double>(facts.threadsPerMultiprocessor) /
                 warpLanes;
  // Registers: what is in flight costs occupancy.
  double perLane = unroll * std::ceil(tile / (lanes * vec)) * vec;
  double occupancy = std::min(1.0, 40.0 / (24 + perLane));
  double passes = std::ceil(inWarp / unroll);
  double waiting = tasks / groups * walks *
                   (taskNs + passes * light * (1 + sharedWarp * (groups - 1))) /
                   (warps * occupancy);
  // The last wave is not full.
  double wave = tasks / groups * walks / (warps * occupancy);
  if (wave < 1)
    waiting /= std::max(wave, 1e-9);

  double instructions = work.nnz * tiles *
                        (lanes * entryInstructions +
                         (pass.sums ? 0
                                    : lanes * std::log2(std::max(lanes, 2.0)) *
                                          reduceInstructions / unroll * 2));
  double compute = instructions / (lanesPerCycle * facts.clockGhz *
                                   static_cast<double>(facts.multiprocessors));

  Times t;
  t.bytes = missed;
  t.memory = missed / facts.memoryBandwidth;
  t.cache = cacheBytes / facts.cacheBandwidth;
  t.compute = compute;
  double body = norm(t.memory, t.cache, waiting) + 0.3 * compute;

  // The longest task: at its own speed where it runs alone, at the bandwidth's
  // where all run.
  double longPasses = std::ceil(longestTask / unroll);
  double inFlight = warps * occupancy * groups * unroll * segment;
  double loaded = std::max(light, inFlight / facts.cacheBandwidth);
  if (byLength) {
    double left = std::max(0.0, longPasses - body / loaded);
    t.tail = left * light * (1 + sharedWarp * (groups - 1));
  } else {
    // Begins at some time; a row among few begins at once.
    t.tail = longPasses * light * std::min(1.0, work.rows * groups / warps);
    if (wave < 1)
      t.tail = std::max(0.0, taskNs + longPasses * light - body);
  }
  t.launch = 1e3 * facts.launchUs * (cuts && pass.sums ? 2 : 1);
  t.total = t.launch + body + t.tail;
  return t;
}

double Model::prepare() const {
  if (plan.family != GpuPlan::rowTasks)
    return 0;
  double ns = prepareFixedNs + work.rows * tasksNsPerRow;
  if (plan.order == TaskOrder::length)
    ns += tasks * lengthNsPerRow;
  if (plan.order == TaskOrder::locality)
    ns += work.nnz * localityNsPerEntry + work.rows * lengthNsPerRow;
  return ns;
}

/// Of the op, or of the three that composed attention is made of.
std::vector<Pass> passesOf(const Work &w, bool fused) {
  double e = w.element, a = w.accumulator, heads = w.heads;
  Pass sums = {w.columns, true, w.edgeValueBytes, e * w.columns,
               w.edgeValueBytes > 0 ? 2.0 : 1.0};
  Pass scores = {w.scoreColumns, false, w.edgeValueBytes + e * heads,
                 e * w.scoreColumns, 4};
  Pass softmax = {0, false, 2 * e * heads, 0, 4};
  switch (w.op) {
  case OpKind::spmm:
    return {sums};
  case OpKind::sddmm:
    return {scores};
  case OpKind::row_softmax:
    return {softmax};
  case OpKind::attention:
    break;
  }
  if (fused) {
    // Rows of k and of v are gathered together.
    double columns = w.columns + w.scoreColumns;
    return {{columns, true, w.edgeValueBytes, e * columns,
             w.edgeValueBytes > 0 ? 2.0 : 1.0}};
  }
  scores.entryBytes = w.edgeValueBytes + a * heads;
  softmax.entryBytes = 2 * a * heads;
  softmax.rowBytes = a * heads;
  sums.entryBytes = a * heads;
  return {scores, softmax, sums};
}

} // namespace

Estimate schedule::estimateGpu(const DeviceFacts &facts, const Work &work,
                               const GpuPlan &plan) {
  Estimate out;
  if (work.rows == 0 || work.nnz == 0) {
    out.ms = out.breakdown.launchMs = facts.launchUs * 1e-3;
    return out;
  }
  // The library is taken for a kernel over pieces of equal size without order,
  // at a share of what ours reach.
  GpuPlan taken = plan;
  double slower = 1;
  if (plan.family == GpuPlan::vendor) {
    taken = GpuPlan();
    taken.family = GpuPlan::rowTasks;
    taken.chunk = 256;
    slower = work.op == OpKind::spmm ? 1.5 : 2.5;
  }
  Model model(facts, work, taken);
  Times sum;
  for (const Pass &pass : passesOf(work, taken.fused))
    sum.add(model.run(pass));
  out.ms = sum.total * slower * 1e-6;
  out.prepareMs = model.prepare() * 1e-6;
  out.bytes = sum.bytes;
  out.breakdown = {sum.launch * 1e-6, sum.memory * 1e-6, sum.cache * 1e-6,
                   sum.compute * 1e-6, sum.tail * 1e-6};
  return out;
}

std::vector<GpuPlan> schedule::gpuPlans(const DeviceFacts &facts,
                                        const Work &work,
                                        double expectedCalls) {
  std::vector<GpuPlan> plans;
  int64_t vec = work.element == 8 ? 2 : work.element == 2 ? 8 : 4;
  double columns = work.op == OpKind::sddmm ? work.scoreColumns : work.columns;
  while (vec > 1 && static_cast<double>(vec) > columns)
    vec /= 2;
  std::vector<int64_t> tiles = {0};
  // Tiles pay where one fits the cache and all do not, and only where they are
  // blocks of their own.
  double operand = work.cols * columns * work.element;
  bool narrows = work.op == OpKind::spmm || work.op == OpKind::attention;
  if (narrows && operand > 0.5 * static_cast<double>(facts.cacheBytes))
    for (int64_t tile : {64, 32})
      if (static_cast<double>(tile) < columns && tile >= 8 * vec / 4)
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
        if (work.op != OpKind::attention)
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
  for (int64_t chunk : {64, 128, 256, 512, 1024}) {
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
