//===- Schedule.cpp - fuzz target of the text form of schedules -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "autosage/Core/Schedule.h"

using namespace autosage;
using namespace autosage::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<Schedule> schedule = parseSchedule(toText(data, size));
  if (!schedule) {
    expectMessage(schedule.error(), "");
    return 0;
  }
  std::string text = schedule->str();
  Result<Schedule> again = parseSchedule(text);
  expect(static_cast<bool>(again), "printed text to parse", text);
  expect(*again == *schedule, "the schedule that was printed", text);
  expect(again->str() == text, "the text that was parsed", text);
  for (Target target : {Target::cpu, Target::simt, Target::nvptx})
    for (OpKind op : {OpKind::spmm, OpKind::sddmm, OpKind::row_softmax,
                      OpKind::attention, OpKind::attention_backward}) {
      Problem problem;
      problem.op = op;
      if (Status status = verifyForTarget(*schedule, target, problem); !status)
        expectMessage(status.error(), "");
    }
  return 0;
}
