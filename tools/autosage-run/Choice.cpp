//===- Choice.cpp - what a plan decided, and why --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Choice.h"

#include "llvm/Support/JSON.h"

using namespace autosage;
using namespace autosage::run;
using llvm::json::ObjectMapper;
using llvm::json::Path;
using llvm::json::Value;

// Found by ObjectMapper through their arguments. Keys that are not read are
// those of later versions, or no part of a report.

namespace autosage::run {

static bool fromJSON(const Value &json, Choice::Candidate &c, Path path) {
  ObjectMapper map(json, path);
  std::optional<std::string> rejected;
  if (!map || !map.map("schedule", c.schedule) ||
      !map.map("estimate_ms", c.estimateMs) ||
      !map.map("probe_ms", c.probeMs) || !map.map("rejected", rejected))
    return false;
  c.rejected = rejected.value_or("");
  return true;
}

static bool fromJSON(const Value &json, Choice::Baseline &b, Path path) {
  ObjectMapper map(json, path);
  return map && map.map("name", b.name) && map.map("schedule", b.schedule) &&
         map.map("ms", b.ms);
}

static bool fromJSON(const Value &json, Choice::Guardrail &g, Path path) {
  ObjectMapper map(json, path);
  return map && map.map("decided", g.decided) &&
         map.map("kept_baseline", g.keptBaseline) &&
         map.map("chosen_ms", g.chosenMs) &&
         map.map("baseline_ms", g.baselineMs) && map.map("margin", g.margin);
}

static bool fromJSON(const Value &json, Choice &c, Path path) {
  ObjectMapper map(json, path);
  if (!map || !map.map("schedule", c.schedule) ||
      !map.map("decided_by", c.decidedBy) || !map.map("reason", c.reason) ||
      !map.map("candidates", c.candidates) ||
      !map.map("baseline", c.baseline) || !map.map("guardrail", c.guardrail))
    return false;
  if (const llvm::json::Object *budget =
          json.getAsObject()->getObject("budget"))
    c.budgetEnded = budget->getBoolean("ended").value_or(false);
  return true;
}

} // namespace autosage::run

Result<Choice> run::parseChoice(std::string_view text) {
  auto failure = [](llvm::Error error) {
    return Error{"decision of the plan: " + llvm::toString(std::move(error))};
  };
  llvm::Expected<Value> json =
      llvm::json::parse(llvm::StringRef(text.data(), text.size()));
  if (!json)
    return failure(json.takeError());
  Choice choice;
  Path::Root root("decision");
  if (!fromJSON(*json, choice, root))
    return failure(root.getError());
  return choice;
}
