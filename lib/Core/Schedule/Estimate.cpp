//===- Estimate.cpp - the rule of thumb for CPU schedules -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simplest oracle: sizes of the machine and of the call in, a schedule out,
// no measurement. docs/scheduling.md explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Schedule.h"

#include <algorithm>

namespace autosage {
namespace {

/// Tiles keep at most this many vector registers as accumulators: half of the
/// 16 that every vector target has, so that loads and weights find room too.
constexpr int64_t maxTileRegisters = 8;
/// Of a width that only the run will tell.
constexpr int64_t unknownWidthRegisters = 4;
/// Entries and rows of one parallel task: some microseconds of work, well above
/// the cost of handing it to a thread.
constexpr double workPerTask = 4096;

/// Entries of a row whose sums across lanes are made together.
constexpr int64_t sharedReductions = 4;

/// A gathered operand of fewer bytes stays in a core's second-level cache, or
/// mostly: there prefetching costs what it gains.
constexpr double prefetchBytes = 4.0 * (1 << 20);
/// Of rows that do not fill a line a prefetch brings little; not measured.
constexpr double lineBytes = 64;
/// Rows of up to this many bytes are over sooner and are asked for earlier.
constexpr double shortRowBytes = 128;
constexpr int64_t shortRowDistance = 16, longRowDistance = 8;

/// What it takes to look at the skew at all: with fewer entries and rows there
/// is little for other threads to do, and cutting costs up to a tenth.
constexpr double worthCutting = 1 << 16;
/// A row with this share of all entries bounds the speed-up by its inverse.
constexpr double longRowShare = 1.0 / 32;
/// A share of the entries in hub rows that would be most of the work of one
/// task if these rows stood together.
constexpr double manyHubs = 0.25;

int64_t floorPowerOfTwo(int64_t value) {
  int64_t power = 1;
  while (power <= value / 2)
    power *= 2;
  return power;
}

int64_t ceilPowerOfTwo(int64_t value) {
  int64_t power = floorPowerOfTwo(value);
  return power < value ? power * 2 : power;
}

int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/// Whether blocks of rows may differ so much that entries are shared out.
bool needsEqualParts(const Problem &problem) {
  if (!problem.stats)
    return false;
  double nnz = static_cast<double>(problem.stats->nnz);
  double rows = static_cast<double>(problem.stats->rows);
  return nnz + rows >= worthCutting &&
         (static_cast<double>(problem.stats->max) > longRowShare * nnz ||
          problem.stats->hubFraction > manyHubs);
}

/// Entries from the prefetch of a gathered row to its use, 0 for none.
int64_t prefetchDistance(const Problem &problem) {
  if (!problem.stats || !problem.features || problem.op == OpKind::row_softmax)
    return 0;
  double rowBytes = static_cast<double>(*problem.features) *
                    static_cast<double>(sizeOf(problem.dtype));
  double bytes = static_cast<double>(problem.stats->cols) *
                 static_cast<double>(std::max<int64_t>(problem.heads, 1)) *
                 rowBytes;
  if (bytes < prefetchBytes || rowBytes < lineBytes)
    return 0;
  return rowBytes <= shortRowBytes ? shortRowDistance : longRowDistance;
}

} // namespace

Schedule estimateCpuSchedule(const Problem &problem, int64_t vectorBits) {
  // f16 and bf16 are widened on loading: registers hold f32.
  int64_t elements = vectorBits / (problem.dtype == DType::f64 ? 64 : 32);
  int64_t vec = floorPowerOfTwo(std::clamp<int64_t>(elements, 1, 64));
  int64_t tile = unknownWidthRegisters * vec;
  // Softmax has no feature dimension: its vectors run along the entries.
  if (problem.features && problem.op != OpKind::row_softmax) {
    int64_t width = std::max<int64_t>(*problem.features, 1);
    vec = width < vec ? ceilPowerOfTwo(width) : vec;
    int64_t tiles = ceilDiv(width, maxTileRegisters * vec);
    tile = ceilDiv(ceilDiv(width, tiles), vec) * vec;
  }

  Schedule schedule{needsEqualParts(problem) ? "nnz_parallel" : "row_parallel",
                    {}};
  schedule.knobs["vec"] = vec;
  schedule.knobs["tile"] = tile;
  bool reducesLanes = problem.op == OpKind::sddmm || isAttention(problem.op);
  if (reducesLanes && problem.features.value_or(2) > 1)
    schedule.knobs["unroll"] = sharedReductions;
  if (int64_t ahead = prefetchDistance(problem))
    schedule.knobs["prefetch"] = ahead;
  if (problem.composedOnly)
    schedule.knobs["attention"] = std::string("composed");
  if (schedule.family != "row_parallel")
    return schedule;
  if (problem.stats && problem.stats->rows > 0) {
    double workPerRow = 1.0 + static_cast<double>(problem.stats->nnz) /
                                  static_cast<double>(problem.stats->rows);
    // A power of two, so that similar graphs share a compiled kernel.
    schedule.knobs["grain"] = floorPowerOfTwo(
        std::max<int64_t>(static_cast<int64_t>(workPerTask / workPerRow), 1));
  } else {
    schedule.knobs["grain"] = schedule.get("grain");
  }
  return schedule;
}

} // namespace autosage
