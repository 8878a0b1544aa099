//===- Choice.h - what a plan decided, and why ------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON of autosage_plan_decision, as far as reports need it.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_CHOICE_H
#define AUTOSAGE_TOOLS_RUN_CHOICE_H

#include "autosage/Core/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autosage::run {

/// Times are milliseconds, 0 where nothing was estimated or measured.
struct Choice {
  struct Candidate {
    std::string schedule;
    double estimateMs = 0, probeMs = 0;
    std::string rejected; // why; empty: it was not
  };
  struct Baseline {
    std::string name, schedule;
    double ms = 0;
  };
  struct Guardrail {
    bool decided = false, keptBaseline = false;
    double chosenMs = 0, baselineMs = 0, margin = 0;
  };

  std::string schedule, decidedBy, reason;
  std::vector<Candidate> candidates;
  std::optional<Baseline> baseline;
  std::optional<Guardrail> guardrail;
  bool budgetEnded = false;
};

Result<Choice> parseChoice(std::string_view json);

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_CHOICE_H
