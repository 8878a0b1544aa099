//===- RowGroup.cpp - a group of lanes for every row ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The GPU family without preparation, for one-shot calls and uniform graphs: a
// sub-warp takes a whole row straight from rowptr, however long it is.
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"

using namespace autosage;
using schedule::knob;

static Status verifyLanes(const KnobMap &knobs) {
  int64_t lanes = knob(knobs, "lanes");
  if ((lanes & (lanes - 1)) != 0)
    return Error{"expects lanes to be 0 or a power of two, got " +
                 std::to_string(lanes)};
  return Status::success();
}

const FamilySpec &schedule::RowGroupFamily() {
  static const FamilySpec spec = [] {
    FamilySpec family = {
        "row_group",
        {Target::simt, Target::nvptx},
        {{"lanes",
          0,
          32,
          false,
          {},
          int64_t(0),
          "threads of one row, a power of two; 0 for as many as the width "
          "fills"},
         {"block", 32, 1024, true, {}, int64_t(128), "threads of one block"}},
        "a group of lanes for every row, without preparation",
        verifyLanes,
        verifyGpuKnobsForTarget};
    for (KnobSpec &shared : gpuKnobs())
      family.knobs.push_back(std::move(shared));
    return family;
  }();
  return spec;
}
