//===- ModelCpu.cpp - the analytic estimate for the CPU -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/estimate.md has the formulae and where each number comes from. Times are
// nanoseconds in here.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::schedule;

namespace {

/// Cycles of a vector's load and multiplication (two loads a cycle), of an
/// entry (its column, value and address), of a row, of the question whether
/// that is cut, and of a sum across lanes. Here and below, what is not counted
/// was fitted to times of two processors (docs/estimate.md).
constexpr double vectorCycles = 0.5, entryCycles = 1, rowCycles = 1.5,
                 cutCycles = 3, reduceCycles = 3.5;
/// What entries gain where several are looked at together, each further one.
constexpr double togetherGain = 0.2;
/// Of an exponential in vectors, an element.
constexpr double expCycles = 1.5;
/// What a prefetch adds to the bandwidth beyond the core's own caches once
/// enough is on its way, for bursts of up to two lines, and for longer ones,
/// whose further lines the core fetches by itself; its cycles an entry and
/// line.
constexpr double shortGain = 0.25, longGain = 0.15, prefetchBytes = 2560,
                 prefetchEntryCycles = 0.2, prefetchLineCycles = 0.12;
/// A tenth of the first-level cache may be on its way. Each KiB beyond, which
/// pushes out what is still needed, costs so much of the bandwidth.
constexpr double crowdedBytes = 4608, crowdedLoss = 0.01;
/// What an entry's row has in one walk is read in a burst, and the core's own
/// prefetcher runs on behind it: over lines that the next tile's walk reads, or
/// that nobody does. Each line of a burst beyond the first four costs so much
/// of the bandwidth.
constexpr double freeLines = 4, burstLoss = 0.027;
/// Of the caches, what a gathered operand can count on.
constexpr double usableCache = 0.8, usableShared = 0.45;
/// What the address translation of a core covers, about, and how long a row
/// beyond it waits for page tables.
constexpr double coveredBytes = 6.0 * (1 << 20), pageNs = 5;
constexpr double lineBytes = 64;
/// Edges that fused kernels take at a time.
constexpr double groupEdges = 64;
/// Of the first and second-level cache of a core, bytes a cycle.
constexpr double l1BytesPerCycle = 80, l2BytesPerCycle = 40;
/// How much of the shorter of computing and waiting the other does not hide.
constexpr double notHidden = 0.5;
/// Of a parallel task, and of a part beside that: two bisections of the rows.
constexpr double taskNs = 250, partNs = 450;
/// Of calling a kernel that wakes no thread.
constexpr double oneThreadUs = 0.2;

struct Times {
  double memory = 0, cache = 0, compute = 0, total = 0, bytes = 0;
};

Times timesOf(const DeviceFacts &facts, const Work &work, const CpuPlan &plan,
              const Pass &pass) {
  auto vec = static_cast<double>(plan.vec);
  auto unroll = static_cast<double>(plan.unroll);
  auto threads = static_cast<double>(facts.threads);
  // A vector of the plan may be several of the machine, or a part of one.
  double machine = std::max(1.0, static_cast<double>(facts.vectorBits) /
                                     (8 * work.accumulator));
  double tile = std::min(static_cast<double>(plan.tile),
                         std::max(1.0, std::ceil(pass.width / vec) * vec));
  double tiles = std::max(1.0, std::ceil(pass.width / tile));
  double vectors = pass.width == 0
                       ? 0
                       : std::ceil(pass.width / vec) *
                             std::ceil(std::max(1.0, vec / machine));
  double lines = std::max(1.0, pass.width * work.element / lineBytes);
  double walks = pass.sums ? tiles : 1;

  // More accumulators than registers are spilled and filled.
  double accumulators = tile / std::min(vec, machine);
  double spill = accumulators > 24 ? 1 + 0.6 * (accumulators / 24 - 1) : 1;
  double cycles =
      vectors * vectorCycles * spill +
      walks * entryCycles /
          (pass.sums ? 1.0 : 1 + togetherGain * (std::min(unroll, 4.0) - 1));
  if (!pass.sums && pass.width > 0)
    cycles += work.heads * reduceCycles / std::min(unroll, 4.0);
  if (pass.exponentials)
    cycles += work.heads * (expCycles + 4);
  if (plan.prefetch && pass.width > 0)
    cycles += prefetchEntryCycles * walks + prefetchLineCycles * lines;
  double rowsCycles = walks * (rowCycles + vectors / tiles * 2 +
                               (plan.equalParts ? cutCycles : 0));
  // A pass of `unroll` entries is whole; the rest goes one by one.
  double mean = std::max(0.5, work.stats.mean);
  double rest = std::min(mean, (unroll - 1) / 2);
  rowsCycles += rest * (pass.sums ? 0.8 : reduceCycles / 2) * walks;

  Times t;
  double perThread =
      (work.nnz * cycles + work.rows * rowsCycles) / facts.clockGhz / threads;
  // Where the gathered operand stays: share by share, the closest cache first.
  double gathered = work.nnz * std::max(pass.width * work.element,
                                        pass.width > 0 ? lineBytes / 2 : 0.0);
  double operand =
      (pass.isWarm ? groupEdges : work.cols) * pass.width * work.element +
      pass.otherBytes;
  double distinct = 1 / std::max(1.0, work.stats.locality);
  double inL1 = std::min(1.0, 0.7 * static_cast<double>(facts.l1Bytes) /
                                  std::max(1.0, operand));
  double inL2 =
      std::min(1.0, usableCache * static_cast<double>(facts.coreL2Bytes) /
                        std::max(1.0, operand));
  double inL3 =
      std::min(1.0, usableShared * static_cast<double>(facts.cacheBytes) /
                        std::max(1.0, operand));
  // Caches keep what many entries name.
  double popular =
      std::min(1.0, work.effectiveColumns / std::max(1.0, work.cols));
  inL1 = std::pow(inL1, popular);
  inL2 = std::pow(inL2, popular);
  inL3 = std::pow(inL3, popular);
  inL2 = std::max(inL2, inL1);
  inL3 = std::max(inL3, inL2);
  double streams = work.nnz * (work.coordinate * walks + pass.entryBytes) +
                   work.rows * (pass.rowBytes + work.position * walks);
  double far = gathered * distinct * (1 - inL3);
  double shared = gathered * (1 - inL2) * (0.5 + 0.5 * distinct);
  double core = gathered * (1 - inL1);
  // Tiles of sums are walked, and prefetched, one after another; a dot product
  // reads the whole row at once.
  double burst = pass.sums ? tile * work.element / lineBytes : lines;
  double slower = 1 + burstLoss * std::max(0.0, burst - freeLines);
  // Prefetches gain with the bytes that are on their way; of longer bursts the
  // core itself fetches the lines behind the first.
  double gain = 1;
  if (plan.prefetch && pass.width > 0) {
    auto ahead = static_cast<double>(plan.prefetch);
    double burstBytes = burst * lineBytes;
    double crowd = (ahead + unroll) * burstBytes - crowdedBytes;
    gain += std::min(1.0, ahead * burstBytes / prefetchBytes) *
            (burst <= 2 ? shortGain : longGain);
    gain /= 1 + crowdedLoss * std::max(0.0, crowd) / 1024;
  }
  double total = operand + streams;
  bool warm = total < usableCache * static_cast<double>(facts.cacheBytes);
  t.bytes = far + (warm ? 0 : streams);
  // What is read in order the core fetches ahead without being asked.
  t.memory =
      (far * slower / gain + (warm ? 0 : streams)) / facts.memoryBandwidth;
  double pages = pass.width == 0
                     ? 0
                     : work.nnz * pageNs / threads *
                           std::max(0.0, 1 - coveredBytes / operand);
  t.cache = (shared * slower / gain + streams) / facts.cacheBandwidth +
            pages / gain + core / (l2BytesPerCycle * facts.clockGhz * threads) +
            gathered * inL1 / (l1BytesPerCycle * facts.clockGhz * threads);
  t.compute = perThread;
  // Loads run ahead of arithmetic, not completely.
  t.total = std::max(t.compute, t.cache + t.memory) +
            notHidden * std::min(t.compute, t.cache + t.memory);
  return t;
}

/// The most tasks that the work of a pass pays for (docs/threads.md): kernels
/// give none less than so many elements.
double worthwhileTasks(const Work &work, const Pass &pass) {
  constexpr double leastElements = 65536, besideWidth = 8, softmaxWidth = 16;
  double width = (pass.width > 0 ? pass.width : softmaxWidth) + besideWidth;
  return std::max(1.0,
                  std::floor((work.nnz + work.rows) * width / leastElements));
}

/// Parts, or blocks of rows.
double tasksOf(const Work &work, const CpuPlan &plan, double worthwhile) {
  constexpr double mostParts = 1024;
  if (plan.equalParts)
    return plan.parts > 0 ? static_cast<double>(plan.parts)
                          : std::min(mostParts, worthwhile);
  double blocks = std::ceil(work.rows / static_cast<double>(plan.grain));
  return std::max(1.0, std::min(blocks, worthwhile));
}

/// With no more threads than tasks: a small problem runs in one, however its
/// rows are shared out.
DeviceFacts withEnoughWork(const DeviceFacts &facts, double worthwhile) {
  auto threads = static_cast<double>(facts.threads);
  DeviceFacts used = facts;
  if (worthwhile >= threads)
    return used;
  used.threads = std::max<int64_t>(1, static_cast<int64_t>(worthwhile));
  double share = static_cast<double>(used.threads) / threads;
  used.cacheBandwidth *= share;
  used.memoryBandwidth *= share;
  if (used.threads == 1)
    used.launchUs = std::min(facts.launchUs, oneThreadUs);
  return used;
}

/// How much longer than the mean the busiest thread works, at least.
double imbalance(const DeviceFacts &facts, const Work &work,
                 const CpuPlan &plan, double tasks) {
  auto threads = static_cast<double>(facts.threads);
  if (facts.threads <= 1)
    return 1;
  // Equal parts take turns: the last turn may have fewer than threads.
  if (plan.equalParts)
    return std::ceil(tasks / threads) * threads / tasks;
  const InputStats &s = work.stats;
  double all = work.nnz + work.rows;
  double rowShare = (static_cast<double>(s.max) + 1) / all;
  // A task of rows: the mean, and what hubs add that stand in it.
  double taskShare = (1 + 4 * s.hubFraction) / tasks;
  return std::max(1.0, threads * std::max(rowShare, taskShare)) +
         0.5 * std::min(1.0, threads * taskShare);
}

/// Fused: by row, rows of k and v are gathered for products and those of k once
/// more for dq; by column rows of q and do, both once more. Numbers of entries
/// stay close.
std::vector<Pass> walksOfGradients(const Work &w) {
  double e = w.element, bias = w.edgeValueBytes;
  double numbers = 2 * w.heads * w.accumulator; // lse and do . o of a row
  std::vector<Pass> passes;
  for (bool transposed : {false, true}) {
    double gathered = transposed ? w.rows : w.cols;
    Pass scores = {w.scoreColumns, false, false, bias, e * w.scoreColumns, 4};
    scores.otherBytes = gathered * w.columns * e;
    Pass products = {w.columns, false, false, 0, e * w.columns, 4};
    products.otherBytes = gathered * w.scoreColumns * e;
    if (transposed) {
      products.width += numbers / e;
      scores.entryBytes += bias > 0 ? w.position : 0;
    } else {
      products.rowBytes += e * w.columns + numbers;
    }
    products.sharesLoop = true;
    Pass weights = {0, false, true, 0, 0, 0};
    weights.sharesLoop = true;
    auto sums = [&](double width) {
      Pass pass = {width, true, false, 0, e * width, 0};
      pass.sharesLoop = pass.isWarm = true;
      return pass;
    };
    std::vector<Pass> walk = {scores, products, weights, sums(w.scoreColumns)};
    if (transposed)
      walk.push_back(sums(w.columns));
    for (Pass &pass : walk) {
      pass.transposed = transposed;
      passes.push_back(pass);
    }
  }
  return passes;
}

} // namespace

Estimate schedule::estimateCpu(const DeviceFacts &all, const Work &work,
                               const CpuPlan &plan) {
  Estimate out;
  double total = 0;
  bool gradients = work.op == OpKind::attention_backward;
  std::vector<Pass> passes = gradients && plan.fused
                                 ? walksOfGradients(work)
                                 : passesOf(work, /*fused=*/false);
  InputStats byColumn;
  if (gradients)
    byColumn = transposedStats(work.stats);
  Work transposed(work, gradients ? byColumn : work.stats);
  if (work.op == OpKind::attention && plan.fused) {
    // The same steps, a group of entries at a time: scores stay close.
    passes[1].sharesLoop = passes[2].sharesLoop = true;
    passes[0].entryBytes = work.edgeValueBytes;
    passes[1].entryBytes = passes[1].rowBytes = passes[2].entryBytes = 0;
    passes[0].otherBytes = work.cols * work.columns * work.element;
    passes[2].otherBytes = work.cols * work.scoreColumns * work.element;
  }
  for (const Pass &pass : passes) {
    const Work &walked = pass.transposed ? transposed : work;
    double worthwhile = worthwhileTasks(walked, pass);
    double tasks = tasksOf(walked, plan, worthwhile);
    DeviceFacts facts = withEnoughWork(all, worthwhile);
    double uneven = imbalance(facts, walked, plan, tasks);
    Times t = timesOf(facts, walked, plan, pass);
    bool starts = !pass.sharesLoop;
    double launch = starts ? facts.launchUs * 1e3 : 0;
    // Each part looks for its first row, and cut rows are merged.
    double ofTask = taskNs + (plan.equalParts ? partNs + pass.width : 0);
    double handing =
        starts ? tasks * ofTask / static_cast<double>(facts.threads) : 0;
    out.breakdown.launchMs += (launch + handing) * 1e-6;
    out.breakdown.memoryMs += t.memory * 1e-6;
    out.breakdown.cacheMs += t.cache * 1e-6;
    out.breakdown.computeMs += t.compute * 1e-6;
    out.breakdown.tailMs += t.total * (uneven - 1) * 1e-6;
    out.bytes += t.bytes;
    total += launch + handing + t.total * uneven;
  }
  out.ms = total * 1e-6;
  return out;
}

std::vector<CpuPlan> schedule::cpuPlans(const DeviceFacts &facts,
                                        const Work &work) {
  auto floorPowerOfTwo = [](int64_t value) {
    int64_t power = 1;
    while (power <= value / 2)
      power *= 2;
    return power;
  };
  auto machine = std::max<int64_t>(
      1, facts.vectorBits / (8 * static_cast<int64_t>(work.accumulator)));
  auto width = static_cast<int64_t>(
      std::max(1.0, work.op == OpKind::sddmm ? work.scoreColumns / work.heads
                                             : work.columns / work.heads));
  bool gathers = work.op != OpKind::row_softmax;
  int64_t vec = std::min<int64_t>(machine, 64);
  std::vector<int64_t> tiles;
  if (gathers) {
    while (vec > 1 && vec / 2 >= width)
      vec /= 2;
    // All columns at once, or in the fewest tiles of at most 8 and 4 vectors.
    for (int64_t registers : {8, 4, 16}) {
      int64_t count = (width + registers * vec - 1) / (registers * vec);
      int64_t tile = ((width + count - 1) / count + vec - 1) / vec * vec;
      if (std::find(tiles.begin(), tiles.end(), tile) == tiles.end())
        tiles.push_back(tile);
    }
  } else {
    tiles.push_back(4 * vec);
  }
  double perRow = 1 + work.nnz / std::max(1.0, work.rows);
  int64_t grain = floorPowerOfTwo(
      std::max<int64_t>(1, static_cast<int64_t>(4096 / perRow)));
  std::vector<CpuPlan> plans;
  for (bool equalParts : {false, true})
    for (int64_t tile : tiles)
      for (int64_t unroll : {1, 4})
        for (int64_t prefetch : {0, 8, 16}) {
          if (!gathers && (unroll > 1 || prefetch > 0))
            continue;
          CpuPlan plan;
          plan.equalParts = equalParts;
          plan.vec = vec;
          plan.tile = tile;
          plan.unroll = unroll;
          plan.prefetch = prefetch;
          plan.grain = grain;
          plans.push_back(plan);
          if (!isAttention(work.op))
            continue;
          plan.fused = false;
          plans.push_back(plan);
        }
  return plans;
}
