//===- Decision.h - a choice and the numbers behind it ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the oracle decided for one key, with everything that was measured on the
// way. Plain structs; times are milliseconds and 0 where nothing was measured.
// The JSON form is described in docs/cache.md.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ORACLE_DECISION_H
#define AUTOSAGE_ORACLE_DECISION_H

#include "autosage/Core/Schedule.h"
#include "autosage/Oracle/DecisionKey.h"

#include <optional>
#include <string>
#include <vector>

namespace autosage::oracle {

struct CandidateRecord {
  std::string schedule;
  double estimateMs = 0;
  double probeMs = 0;
  /// The interval that holds the time, as the probe knew it when it stopped.
  double lowMs = 0, highMs = 0;
  int64_t samples = 0;
  /// Why it was out of the race (wrong result, cannot launch); empty: it was
  /// not.
  std::string rejected;
};

struct BaselineRecord {
  std::string name; // `cusparse`, `row_parallel`
  std::string schedule;
  /// On the same sample as the candidates' probe times.
  double ms = 0;
};

/// The winner against the baseline on the whole input.
struct GuardrailRecord {
  /// False while an online guardrail is still comparing.
  bool decided = false;
  double chosenMs = 0, baselineMs = 0;
  double margin = 0; // the winner has to be faster by this part
  bool keptBaseline = false;
};

struct BudgetRecord {
  double limitMs = 0; // 0: none
  double spentMs = 0;
  /// Of it: waiting for measurements and their comparison, giving memory back,
  /// and all the rest.
  double runsMs = 0, teardownMs = 0, setupMs = 0;
  bool ended = false; // the budget ended the search
};

struct Decision {
  std::string schedule;
  DecidedBy decidedBy = DecidedBy::fallback;
  /// One line for people.
  std::string reason;
  std::optional<BaselineRecord> baseline;
  /// In the order of the estimate, which is also that of ties.
  std::vector<CandidateRecord> candidates;
  std::optional<GuardrailRecord> guardrail;
  BudgetRecord budget;
  int64_t time = 0; // seconds since 1970, UTC
};

/// Whether the decision may be kept: probed or estimated, its schedule parses,
/// was not rejected, was measured (or is the baseline), and nothing about it is
/// open. Otherwise why not.
Status checkStorable(const Decision &decision);

/// The number of the decision's schedule among those that can be used now;
/// empty where it is none of them, which is a miss. Schedules are compared as
/// such, not as text.
std::optional<size_t> resolve(const Decision &decision,
                              const std::vector<Schedule> &live);

/// Candidates of `live` that the decision has no measurement or rejection of.
std::vector<size_t> notMeasured(const Decision &decision,
                                const std::vector<Schedule> &live);

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// One JSON object on one line. Numbers read back as the same bits.
std::string toJson(const Decision &decision);
/// `{"key": {...}, "decision": {...}}`, the form of exports; over several lines
/// where `indent` is not negative.
std::string toJson(const DecisionKey &key, const Decision &decision,
                   int indent = -1);

/// Refuses any other form, with what is wrong.
Result<Decision> parseDecision(std::string_view json);
struct KeyedDecision {
  DecisionKey key;
  Decision decision;
};
Result<KeyedDecision> parseKeyedDecision(std::string_view json);

} // namespace autosage::oracle

#endif // AUTOSAGE_ORACLE_DECISION_H
