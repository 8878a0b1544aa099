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

  Schedule schedule{"row_parallel", {}};
  schedule.knobs["vec"] = vec;
  schedule.knobs["tile"] = tile;
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
