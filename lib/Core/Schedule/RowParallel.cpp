//===- RowParallel.cpp - rows shared out among CPU threads ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CPU default: blocks of consecutive rows are parallel tasks; in a row, a
// tile of feature columns stays in vector registers while its entries are
// walked.
//
//===----------------------------------------------------------------------===//

#include "Families.h"

using namespace autosage;

namespace {

/// Accumulators that stay live over the entries of a row. Each is a vector
/// value in the kernel and unrolls its body once: beyond twice the 32 vector
/// registers of the widest targets all of them would live in memory.
constexpr int64_t maxAccumulators = 64;

Status verifyKnobs(const KnobMap &knobs) {
  int64_t vec = schedule::knob(knobs, "vec");
  int64_t tile = schedule::knob(knobs, "tile");
  if (tile % vec != 0)
    return Error{"expects tile to be a multiple of vec = " +
                 std::to_string(vec) + ", got " + std::to_string(tile)};
  return Status::success();
}

Status verifyTarget(const KnobMap &knobs, Target, const Problem &) {
  int64_t vec = schedule::knob(knobs, "vec");
  int64_t tile = schedule::knob(knobs, "tile");
  if (tile / vec > maxAccumulators)
    return Error{"expects tile / vec to be at most " +
                 std::to_string(maxAccumulators) + " accumulators, got " +
                 std::to_string(tile) + " / " + std::to_string(vec) + " = " +
                 std::to_string(tile / vec)};
  return Status::success();
}

KnobSpec integer(std::string_view name, int64_t min, int64_t max,
                 bool powerOfTwo, int64_t defaultValue, std::string_view help) {
  return {name, min, max, powerOfTwo, {}, defaultValue, help};
}

} // namespace

const FamilySpec &schedule::RowParallelFamily() {
  static const FamilySpec spec = {
      "row_parallel",
      {Target::cpu},
      {integer("vec", 1, 64, true, 16, "elements of one vector operation"),
       integer("tile", 1, 1024, false, 64,
               "feature columns held in registers at once, a multiple of vec"),
       integer("grain", 1, 1 << 20, false, 64, "rows of one parallel task")},
      "blocks of consecutive rows run in parallel, one row at a time",
      verifyKnobs,
      verifyTarget};
  return spec;
}
