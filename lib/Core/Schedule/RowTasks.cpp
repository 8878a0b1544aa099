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

#include "Families.h"

using namespace autosage;

const FamilySpec &schedule::RowTasksFamily() {
  static const FamilySpec spec = {
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
        "columns together"},
       {"unroll", 1, 16, true, {}, int64_t(4), "entries in flight at once"},
       {"vec", 1, 8, true, {}, int64_t(4), "elements of one vector load"},
       {"tile",
        0,
        1024,
        false,
        {},
        int64_t(0),
        "feature columns of one block, 0 for the whole width"},
       {"min_blocks",
        0,
        32,
        false,
        {},
        int64_t(0),
        "blocks that have to fit a multiprocessor, which bounds registers; 0 "
        "leaves it open"}},
      "a prepared list of tasks, long rows cut, partial sums merged in order",
      nullptr,
      nullptr};
  return spec;
}
