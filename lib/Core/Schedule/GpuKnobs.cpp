//===- GpuKnobs.cpp - what the GPU families share -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The knobs `unroll`, `vec`, `tile`, `min_blocks` and `attention`.
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"

#include "autosage/Core/GpuChip.h"

#include <algorithm>

using namespace autosage;
using schedule::knob;

/// A thread has 255 registers at most. What is loaded for the entries in flight
/// may take half of them; the rest holds sums, columns and addresses.
static constexpr int64_t maxValuesInFlight = 128;
static constexpr int64_t warpLanes = 32;

std::vector<KnobSpec> schedule::gpuKnobs() {
  return {
      {"unroll", 1, 16, true, {}, int64_t(4), "entries in flight at once"},
      {"vec",
       1,
       8,
       true,
       {},
       int64_t(4),
       "elements of one vector load, of at most 16 bytes"},
      {"tile",
       0,
       1024,
       false,
       {},
       int64_t(0),
       "feature columns of one block, 0 for 32 vectors or all where they are "
       "fewer"},
      {"min_blocks",
       0,
       32,
       false,
       {},
       int64_t(0),
       "blocks that have to fit a multiprocessor, which bounds registers; 0 "
       "leaves it open"},
      attentionKnob()};
}

/// Columns of a lane where a group of lanes has `width` of them side by side.
static int64_t columnsOfLane(const KnobMap &knobs, int64_t tile,
                             std::optional<int64_t> width) {
  int64_t vec = knob(knobs, "vec");
  int64_t lanes = knobs.count("lanes") ? knob(knobs, "lanes") : 0;
  if (width)
    tile = std::min(tile, *width);
  int64_t spread = (lanes ? lanes : warpLanes) * vec;
  return std::max<int64_t>(1, (tile + spread - 1) / spread) * vec;
}

/// Sums of rows: heads and features are one sequence, whose tile a lane holds
/// for every entry in flight.
static int64_t columnsOfSums(const KnobMap &knobs,
                             std::optional<int64_t> features, int64_t heads) {
  int64_t tile = knob(knobs, "tile");
  if (tile == 0)
    tile = warpLanes * knob(knobs, "vec");
  std::optional<int64_t> width;
  if (features && heads > 0)
    width = *features * heads;
  return columnsOfLane(knobs, tile, width);
}

/// Scores over the features of one head. A tile of 0 is made to fit.
static int64_t columnsOfScores(const KnobMap &knobs,
                               std::optional<int64_t> features) {
  int64_t tile = knob(knobs, "tile");
  return tile == 0 ? 0 : columnsOfLane(knobs, tile, features);
}

Status schedule::verifyGpuKnobsForTarget(const KnobMap &knobs, Target,
                                         const Problem &problem) {
  int64_t columns = 0;
  switch (problem.op) {
  case OpKind::spmm:
    columns = columnsOfSums(knobs, problem.features, problem.heads);
    break;
  case OpKind::sddmm:
    columns = columnsOfScores(knobs, problem.features);
    break;
  case OpKind::row_softmax:
    // One number of every entry in flight, of which there are at most 16.
    return Status::success();
  case OpKind::attention:
    if (std::get<std::string>(knobs.at("attention")) == "fused") {
      // Rows of k and of v are in flight together, a head's at a time. A single
      // number is no row.
      columns = columnsOfScores(knobs, problem.features);
      if (problem.scoreFeatures != 1)
        columns += columnsOfScores(knobs, problem.scoreFeatures);
      break;
    }
    columns = std::max(columnsOfSums(knobs, problem.features, problem.heads),
                       columnsOfScores(knobs, problem.scoreFeatures));
    break;
  case OpKind::attention_backward:
    // Whatever steps it is made of: rows of both widths are summed up, and in
    // flight together.
    columns =
        std::max(columnsOfSums(knobs, problem.features, problem.heads),
                 columnsOfSums(knobs, problem.scoreFeatures, problem.heads));
    columns =
        std::max(columns, columnsOfScores(knobs, problem.features) +
                              columnsOfScores(knobs, problem.scoreFeatures));
    break;
  }
  int64_t unroll = knob(knobs, "unroll");
  if (unroll * columns > maxValuesInFlight)
    return Error{"expects unroll * columns of a lane to be at most " +
                 std::to_string(maxValuesInFlight) + ", got " +
                 std::to_string(unroll) + " * " + std::to_string(columns) +
                 " = " + std::to_string(unroll * columns)};
  return Status::success();
}

Status autosage::verifyForChip(const Schedule &schedule, const GpuChip &chip) {
  const FamilySpec *family = findFamily(schedule.family);
  auto has = [&](std::string_view name) {
    return family &&
           std::any_of(family->knobs.begin(), family->knobs.end(),
                       [&](const KnobSpec &k) { return k.name == name; });
  };
  if (!has("min_blocks"))
    return Status::success();
  int64_t blocks = schedule.get("min_blocks");
  // Families without the knob have blocks of 128 threads.
  int64_t threads = has("block") ? schedule.get("block") : 128;
  if (blocks > chip.blocksPerMultiprocessor)
    return Error{"expects min_blocks to be at most " +
                 std::to_string(chip.blocksPerMultiprocessor) +
                 ", the blocks of a multiprocessor of " + chip.name + ", got " +
                 std::to_string(blocks)};
  if (blocks * threads > chip.threadsPerMultiprocessor)
    return Error{"expects min_blocks * threads of a block to be at most " +
                 std::to_string(chip.threadsPerMultiprocessor) +
                 ", the threads of a multiprocessor of " + chip.name +
                 ", got " + std::to_string(blocks) + " * " +
                 std::to_string(threads) + " = " +
                 std::to_string(blocks * threads)};
  return Status::success();
}

int64_t schedule::fusedMinBlocks(int64_t scoreColumns, int64_t columns,
                                 int64_t elementBytes, int64_t unroll) {
  constexpr int64_t registers = 65536, threads = 128, addresses = 24;
  constexpr int64_t most = 8;
  // Of f16 and bf16 two elements share a register until they are widened.
  auto registersOfLane = [&](int64_t width) {
    constexpr int64_t vectorBytes = 16;
    int64_t spread = warpLanes * (vectorBytes / elementBytes);
    int64_t vectors = std::max<int64_t>(1, (width + spread - 1) / spread);
    return vectors * vectorBytes / 4;
  };
  int64_t row = registersOfLane(scoreColumns) + registersOfLane(columns);
  int64_t blocks = registers / threads / (addresses + (unroll + 1) * row);
  return blocks < 2 ? 0 : std::min(blocks, most);
}
