//===- CpuKnobs.cpp - what the CPU families share -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The knobs `vec` and `tile`.
//
//===----------------------------------------------------------------------===//

#include "CpuKnobs.h"

using namespace autosage;
using schedule::knob;

/// Accumulators that stay live over the entries of a row. Each is a vector
/// value in the kernel and unrolls its body once: beyond twice the 32 vector
/// registers of the widest targets all of them would live in memory.
static constexpr int64_t maxAccumulators = 64;

Status schedule::verifyCpuKnobs(const KnobMap &knobs) {
  int64_t vec = knob(knobs, "vec");
  int64_t tile = knob(knobs, "tile");
  if (tile % vec != 0)
    return Error{"expects tile to be a multiple of vec = " +
                 std::to_string(vec) + ", got " + std::to_string(tile)};
  return Status::success();
}

Status schedule::verifyCpuKnobsForTarget(const KnobMap &knobs, Target,
                                         const Problem &) {
  int64_t vec = knob(knobs, "vec");
  int64_t tile = knob(knobs, "tile");
  if (tile / vec > maxAccumulators)
    return Error{"expects tile / vec to be at most " +
                 std::to_string(maxAccumulators) + " accumulators, got " +
                 std::to_string(tile) + " / " + std::to_string(vec) + " = " +
                 std::to_string(tile / vec)};
  return Status::success();
}

KnobSpec schedule::integerKnob(std::string_view name, int64_t min, int64_t max,
                               bool powerOfTwo, int64_t defaultValue,
                               std::string_view help) {
  return {name, min, max, powerOfTwo, {}, defaultValue, help};
}

KnobSpec schedule::vecKnob() {
  return integerKnob("vec", 1, 64, true, 16,
                     "elements of one vector operation");
}

KnobSpec schedule::unrollKnob() {
  return integerKnob("unroll", 1, 16, true, 1,
                     "entries of a row in one pass of its loop");
}

KnobSpec schedule::prefetchKnob() {
  return integerKnob("prefetch", 0, 1024, false, 0,
                     "entries between the prefetch of a gathered row and its "
                     "use, 0 for no prefetch");
}

KnobSpec schedule::tileKnob() {
  return integerKnob(
      "tile", 1, 1024, false, 64,
      "feature columns held in registers at once, a multiple of vec");
}
