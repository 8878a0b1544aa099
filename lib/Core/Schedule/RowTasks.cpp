//===- RowTasks.cpp - a task list with long rows cut in pieces ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main GPU family: `prepare` makes a list of {row, begin, end, split}, in
// which rows much longer than `chunk` are cut; sub-warps take one task each.
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"

using namespace autosage;

const FamilySpec &schedule::RowTasksFamily() {
  static const FamilySpec spec = [] {
    FamilySpec family = {
        "row_tasks",
        {Target::simt, Target::nvptx},
        {{"chunk", 32, 65536, false, {}, int64_t(256), "entries of one task"},
         {"order",
          0,
          0,
          false,
          {toString(TaskOrder::stored), toString(TaskOrder::length),
           toString(TaskOrder::locality)},
          std::string(toString(TaskOrder::stored)),
          "order of the tasks: as stored, longest first, or rows that share "
          "columns together"}},
        "a prepared list of tasks, long rows cut, partial sums merged in order",
        nullptr,
        verifyGpuKnobsForTarget};
    for (KnobSpec &shared : gpuKnobs())
      family.knobs.push_back(std::move(shared));
    return family;
  }();
  return spec;
}
