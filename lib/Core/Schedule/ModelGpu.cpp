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

#include "Model.h"

#include "autosage/Core/StatsSums.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::schedule;

namespace {

//===----------------------------------------------------------------------===//
// Constants of the machine
//===----------------------------------------------------------------------===//

constexpr double warpLanes = 32, sectorBytes = 32, lineBytes = 128;
/// Of the shared cache, what a gathered operand can count on: halves keep lines
/// of each other's.
constexpr double usableCache = 0.65;
/// A step over `unroll` entries: column numbers, then what they name, one after
/// the other, and each vector that a lane reads.
constexpr double stepNs = 190, vectorOfStepNs = 39;
/// Of a row or task before its first step and after its last.
constexpr double taskNs = 300;
/// Groups whose work is over wait for the others of their warp, and half of the
/// time for those of their block.
constexpr double blockWaits = 0.5;
/// Entries behind a row's end, which are read again, from the first-level cache
/// mostly.
constexpr double readAgain = 0.1;
/// Instructions of a lane for an entry and vector, and for a sum over lanes.
constexpr double entryInstructions = 10, reduceInstructions = 3;
/// Of the lanes of a multiprocessor in a cycle, and what of them shows.
constexpr double lanesPerCycle = 128, computeShare = 0.45;
/// How far tasks that begin together walk sorted columns together: those sorted
/// by length, and others.
constexpr double inStepByLength = 0.45, inStepStored = 0.3;
/// Of merging cut rows: a look at them, and a group's turn.
constexpr double mergeNs = 500, mergeStepNs = 950, mergeThreads = 256;
/// What the order by locality makes of the distinct columns of a window: half
/// of them where rows have communities, all where they have none, which is not
/// known beforehand. The middle, lest what gains nothing comes first.
constexpr double localityGain = 0.74;
/// Of making task lists, on the device: fixed, a row, an entry.
constexpr double prepareFixedNs = 60e3, tasksNsPerRow = 0.07,
                 lengthNsPerRow = 0.15, localityNsPerEntry = 0.16;

double ceilPowerOfTwo(double value) {
  double power = 1;
  while (power < value)
    power *= 2;
  return power;
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

/// Lanes, tiles and what is in flight.
struct Geometry {
  double tiles, lanes;
  double walks;           // over rowptr and colind
  double segment;         // bytes of a row's tile, in whole sectors
  double groups, inBlock; // in a warp, in a block
  double vectorsOfStep;   // that a lane reads
  double warps;           // at a time
};

class Model {
public:
  Model(const DeviceFacts &facts, const Work &work, const GpuPlan &plan)
      : facts(facts), work(work), plan(plan),
        unroll(static_cast<double>(plan.unroll)),
        byLength(plan.order == TaskOrder::length) {
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

  Geometry geometryOf(const Pass &pass) const;
  void addTraffic(const Pass &pass, const Geometry &g, Times &t) const;
  double missedShare(const Geometry &g, double operand) const;
  double waiting(const Geometry &g) const;
  double tail(const Geometry &g, double body) const;
  double stepOf(const Geometry &g) const {
    return stepNs + vectorOfStepNs * g.vectorsOfStep;
  }
  /// Of the machine's room for warps, what tasks fill.
  double wave(const Geometry &g) const {
    return tasks / g.groups * g.walks / g.warps;
  }

  const DeviceFacts &facts;
  const Work &work;
  const GpuPlan &plan;
  double unroll;
  bool byLength, cuts;
  double longestTask, pieces, tasks;
};

Geometry Model::geometryOf(const Pass &pass) const {
  Geometry g;
  double vec = std::min(static_cast<double>(plan.vec), 16 / work.element);
  double tile = plan.tile ? static_cast<double>(plan.tile) : warpLanes * vec;
  tile = std::min(tile, std::max(pass.width, 1.0));
  g.tiles = std::ceil(pass.width / tile);
  g.lanes = std::min(warpLanes, ceilPowerOfTwo(std::ceil(tile / vec)));
  if (plan.lanes)
    g.lanes = static_cast<double>(plan.lanes);
  g.walks = pass.sums ? std::max(1.0, g.tiles) : 1;
  auto sectors = [&](double columns) {
    return std::ceil(columns * work.element / sectorBytes) * sectorBytes;
  };
  // Heads share out k as they share out v; tiles of one head do not.
  double tilesOfHead =
      plan.tile ? std::max(1.0, std::ceil(pass.width / pass.heads / tile)) : 1;
  double scores = pass.scoreWidth * tilesOfHead / std::max(1.0, g.tiles);
  g.segment = sectors(tile) + sectors(scores);
  g.groups = warpLanes / g.lanes;
  g.inBlock = static_cast<double>(plan.block) / g.lanes;
  // Where rows are not summed up a group has all of their columns.
  double columns = pass.sums ? tile : pass.width;
  auto vectors = [&](double columns) {
    return std::max(1.0, std::ceil(columns / (g.lanes * vec)));
  };
  g.vectorsOfStep =
      unroll * (vectors(columns) + (scores > 0 ? vectors(scores) : 0));
  // Registers: what is in flight costs occupancy.
  double occupancy = std::min(1.0, 40.0 / (24 + g.vectorsOfStep * vec));
  g.warps = static_cast<double>(facts.multiprocessors) *
            static_cast<double>(facts.threadsPerMultiprocessor) / warpLanes *
            occupancy;
  return g;
}

/// Of the rows of a gathered operand of so many bytes that entries name, the
/// share that no cache holds.
double Model::missedShare(const Geometry &g, double operand) const {
  double cache = usableCache * static_cast<double>(facts.cacheBytes);
  const InputStats &s = work.stats;
  // What many entries name stays: of a cache for a tenth of the columns they
  // find more than a tenth.
  double held = std::min(1.0, cache / std::max(operand, 1.0));
  held = std::pow(
      held, std::min(1.0, work.effectiveColumns / std::max(1.0, work.cols)));
  // What rows close to each other name is still there, where the columns of a
  // window fit.
  double locality = std::max(1.0, s.locality);
  if (plan.order == TaskOrder::locality)
    locality /= localityGain;
  double window = std::min(work.rows, static_cast<double>(windowRows)) *
                  s.mean / locality * g.segment;
  double near = std::min(1.0, cache / std::max(window, 1.0));
  double distinct = 1 - near * (1 - 1 / locality);
  // Long tasks that begin together walk their columns together, where these
  // are sorted: what one of them fetches, others find.
  double weighted = std::max(1.0, s.mean) * (1 + s.cv * s.cv);
  double together = std::min(g.warps * g.groups, tasks) *
                    std::min(weighted, longestTask) / work.effectiveColumns;
  double first = together > 1e-6 ? (1 - std::exp(-together)) / together : 1;
  distinct *= 1 - (byLength ? inStepByLength : inStepStored) * (1 - first);
  return distinct * (1 - held);
}

/// Bytes, and the time they take.
void Model::addTraffic(const Pass &pass, const Geometry &g, Times &t) const {
  double gathered = work.nnz * g.tiles * g.segment;
  double perTask = plan.family == GpuPlan::rowTasks ? 4 : 2;
  double streams = work.nnz * (work.coordinate * g.walks + pass.entryBytes) +
                   work.rows * pass.rowBytes +
                   tasks * g.walks * perTask * work.position;
  if (cuts && pass.sums)
    streams += 2 * pieces * pass.width * work.accumulator;
  double filled = work.rows - static_cast<double>(work.stats.emptyRows);
  double again = readAgain * filled * (unroll - 1) / 2 / work.nnz;
  t.cache = (gathered * (1 + again) + streams) / facts.cacheBandwidth;

  double operand = work.cols * g.segment * (pass.sums ? 1 : g.tiles);
  t.bytes = gathered * missedShare(g, operand);
  // Tasks out of the order of rows begin in lines of their own, which matters
  // to memory.
  double scattered = plan.order == TaskOrder::stored
                         ? 0
                         : tasks * pass.entryStreams * lineBytes * g.walks;
  double all = operand * g.walks + streams;
  double cache = usableCache * static_cast<double>(facts.cacheBytes);
  t.bytes += (streams + scattered) * std::max(0.0, 1 - cache / all);
  t.memory = t.bytes / facts.memoryBandwidth;
}

/// A group's steps one after the other, over the room for groups.
double Model::waiting(const Geometry &g) const {
  double step = stepOf(g);
  auto timeOf = [&](double entries) {
    return taskNs + std::ceil(entries / unroll) * step;
  };
  double slots;
  if (byLength) {
    // Neighbours are alike.
    slots = tasks / g.groups * timeOf(std::max(work.nnz / tasks, 1.0));
  } else {
    Degrees degrees(work.stats, longestTask);
    double inWarp = degrees.largestOf(g.groups);
    double inBlock = degrees.largestOf(g.inBlock);
    // Pieces of a row stand together.
    slots = work.rows / g.groups *
                timeOf(inWarp + blockWaits * (inBlock - inWarp)) +
            pieces / g.groups * timeOf(static_cast<double>(plan.chunk));
  }
  // Less than a wave takes as long as a whole one.
  return slots * g.walks / g.warps / std::min(1.0, wave(g));
}

/// The longest task: at its own speed where it runs alone, at the bandwidth's
/// where all run.
double Model::tail(const Geometry &g, double body) const {
  double step = stepOf(g), steps = std::ceil(longestTask / unroll);
  if (byLength) {
    double inFlight = g.warps * g.groups * unroll * g.segment;
    double loaded = std::max(step, inFlight / facts.cacheBandwidth);
    return std::max(0.0, steps - body / loaded) * step;
  }
  if (wave(g) < 1)
    return std::max(0.0, taskNs + steps * step - body);
  // Begins at some time; a row among few begins at once.
  double room = static_cast<double>(facts.multiprocessors) *
                static_cast<double>(facts.threadsPerMultiprocessor) / warpLanes;
  return steps * step * std::min(1.0, work.rows * g.groups / room);
}

Times Model::run(const Pass &pass) const {
  Times t;
  Geometry g = geometryOf(pass);
  addTraffic(pass, g, t);
  double reductions = pass.sums ? 0
                                : std::log2(std::max(g.lanes, 2.0)) *
                                      reduceInstructions / unroll * 2;
  double instructions =
      work.nnz * g.tiles * g.lanes * (entryInstructions + reductions);
  t.compute = instructions / (lanesPerCycle * facts.clockGhz *
                              static_cast<double>(facts.multiprocessors));
  double waits = waiting(g);
  double body =
      std::sqrt(t.memory * t.memory + t.cache * t.cache + waits * waits) +
      computeShare * t.compute;
  t.tail = tail(g, body);
  t.launch = 1e3 * facts.launchUs;
  if (cuts && pass.sums) {
    // A second kernel, whose groups add up the pieces of the longest row.
    double rowPieces =
        static_cast<double>(work.stats.max) / static_cast<double>(plan.chunk);
    t.launch += 1e3 * facts.launchUs + mergeNs +
                mergeStepNs * std::ceil(rowPieces * g.lanes / mergeThreads);
  }
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

} // namespace

Estimate schedule::estimateGpu(const DeviceFacts &facts, const Work &work,
                               const GpuPlan &plan) {
  Estimate out;
  if (work.rows == 0 || work.cols == 0 || work.nnz == 0) {
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
  bool gradients = work.op == OpKind::attention_backward;
  InputStats byColumn;
  if (gradients)
    byColumn = transposedStats(work.stats);
  Work transposedWork(work, gradients ? byColumn : work.stats);
  Model transposed(facts, transposedWork, taken);
  Times sum;
  for (const Pass &pass : passesOf(work, taken.fused))
    sum.add((pass.transposed ? transposed : model).run(pass));
  out.ms = sum.total * slower * 1e-6;
  out.prepareMs = model.prepare() * 1e-6;
  if (gradients)
    out.prepareMs += transposed.prepare() * 1e-6;
  out.bytes = sum.bytes;
  out.breakdown = {sum.launch * 1e-6, sum.memory * 1e-6, sum.cache * 1e-6,
                   sum.compute * 1e-6, sum.tail * 1e-6};
  return out;
}
