//===- DecisionLog.h - what was decided, a line each ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ORACLE_DECISIONLOG_H
#define AUTOSAGE_ORACLE_DECISIONLOG_H

#include "autosage/Oracle/Decision.h"
#include "autosage/Oracle/Warnings.h"

#include <atomic>
#include <string>
#include <vector>

namespace autosage::oracle {

/// What happened to one key. Borrowed for the call.
struct LogEvent {
  /// `hit`, `miss`, `stored`, `kept` (another process was first), `memory` (it
  /// could not be written), `refused`; callers may add words of their own.
  std::string event;
  const DecisionKey *key = nullptr;
  const Decision *decision = nullptr; // null: none
  std::string why;
  /// Of a miss: how stored keys of the same problem differ.
  std::vector<std::string> differs;
};

/// The JSON object of an event, without a line's end: `time`, `pid`, `event`,
/// `key`, `op`, `graph`, `target`; with a decision `schedule`, `decided_by`,
/// `measured`, `rejected`, `budget_ended`; `why`, `differs`. All are always
/// there, null where there is nothing to say.
std::string toJson(const LogEvent &event);

/// A file that lines are added to. Each is one write to the end of the file, so
/// that lines of many processes and threads stay whole.
class DecisionLog {
public:
  /// An empty path: nothing is written.
  explicit DecisionLog(std::string path, WarningFunction warn = {});
  ~DecisionLog();
  DecisionLog(const DecisionLog &) = delete;
  DecisionLog &operator=(const DecisionLog &) = delete;

  void write(const LogEvent &event);
  bool isOn() const { return !path.empty(); }

  /// From AUTOSAGE_DECISION_LOG; empty where that is not set.
  static std::string defaultPath();

private:
  const std::string path;
  const WarningFunction warn;
  int file = -1;
  /// An errno; nothing is written any more.
  std::atomic<int> failure{0};
};

} // namespace autosage::oracle

#endif // AUTOSAGE_ORACLE_DECISIONLOG_H
