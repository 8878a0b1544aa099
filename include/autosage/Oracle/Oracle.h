//===- Oracle.h - who decides on a schedule ---------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of authority: the user's schedule (which never gets here), what was
// decided before for this input, what was decided for its class, a probe, the
// estimate, the fallback. docs/oracle.md has the rules.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ORACLE_ORACLE_H
#define AUTOSAGE_ORACLE_ORACLE_H

#include "autosage/Oracle/DecisionStore.h"
#include "autosage/Oracle/Race.h"

#include <functional>
#include <memory>

namespace autosage::oracle {

enum class OracleMode : uint8_t {
  estimate,
  probe,
  replay // only what was decided before
};

/// Who takes part in a race.
struct Field {
  std::vector<RaceEntry> candidates; // the best by the estimate first; some
  std::vector<BaselineEntry> baselines;
};

/// What is to be decided. Functions are called on the caller's thread, if at
/// all.
struct Question {
  OracleMode mode = OracleMode::probe;
  DecisionKey key;
  /// Where the caller's graphs do not repeat.
  std::optional<DecisionKey> classKey;
  /// The schedule where nothing is known and nothing may be measured: a rule
  /// that depends on the input alone.
  std::function<Schedule()> fallback;
  /// Why nothing can be measured here; empty: it can.
  std::string cannotProbe;
  size_t probeK = 3;
  RaceOptions race;
  /// Whether a schedule that was stored can be used.
  std::function<Status(const Schedule &)> isUsable;
  std::function<Result<Field>()> field;
  std::function<Result<std::unique_ptr<Racetrack>>()> track;
};

struct Answer {
  Schedule schedule;
  Decision decision;
  /// Of an open online guardrail: where `conclude` keeps the decision.
  std::optional<DecisionKey> open;
};

class Oracle {
public:
  /// Both are borrowed; `log` may be null.
  Oracle(DecisionStore &store, DecisionLog *log, WarningFunction warn = {})
      : store(store), log(log), warn(std::move(warn)) {}

  /// Never fails: where nothing else is known, the fallback is the answer. One
  /// thread of a process decides on a key at a time, others that ask for it
  /// wait for what it finds; races take turns, so that their times are their
  /// own.
  Answer decide(const Question &question);

  /// Keeps a decision whose online guardrail has decided.
  Stored conclude(const DecisionKey &key, const Decision &decision);

private:
  DecisionStore &store;
  DecisionLog *const log;
  const WarningFunction warn;

  /// What was decided before; `existing` says what becomes of a stored decision
  /// that cannot be used.
  std::optional<Answer> recall(const Question &question, Existing &existing);
  Answer estimate(const Question &question, const Field &field,
                  const std::string &why);
  Answer fallBack(const Question &question, const std::string &why);
  Answer probe(const Question &question, const Field &field,
               const DecisionKey &key, Existing existing, double spentMs);
  Answer replay(const Question &question);
  void note(const char *event, const DecisionKey &key, const Decision &decision,
            const std::string &why);
};

} // namespace autosage::oracle

#endif // AUTOSAGE_ORACLE_ORACLE_H
