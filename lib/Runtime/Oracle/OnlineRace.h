//===- OnlineRace.h - the caller's own runs decide --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_ORACLE_ONLINERACE_H
#define AUTOSAGE_LIB_RUNTIME_ORACLE_ONLINERACE_H

#include "../Plan/Plan.h"

#include "autosage/Oracle/Race.h"

#include <atomic>
#include <functional>
#include <mutex>

namespace autosage::runtime {

class Decisions;

/// A plan's runs alternate between its winner and the baseline until
/// OnlineGuardrail decides; then it stores the decision. On a device a run is
/// put between two events, whose time later runs look at once it is there:
/// nothing waits. Under capture, and of runs on several streams at once,
/// nothing is measured.
class OnlineRace {
public:
  OnlineRace(std::shared_ptr<Context> context, oracle::DecisionKey key,
             double alpha)
      : context(std::move(context)), key(std::move(key)), guardrail(alpha) {}
  ~OnlineRace();

  /// `decisions` has to outlive it.
  void start(std::unique_ptr<Plan> baseline, oracle::Decision decision,
             Decisions &decisions);

  Failure prepareStream(void *stream) {
    return baseline->prepareStream(stream);
  }
  Failure run(const std::function<Failure(Operands &)> &winner,
              Operands &operands, void *stream);

  /// The decision as JSON once made, else null.
  const std::string *concluded() const {
    return isDecided.load(std::memory_order_acquire) ? &text : nullptr;
  }

private:
  using Side = oracle::OnlineGuardrail::Side;
  using Winner = std::function<Failure(Operands &)>;
  /// A run whose time is not known yet.
  struct Pending {
    Side side;
    void *stream, *begin, *end;
    bool counts;
  };

  const std::shared_ptr<Context> context;
  const oracle::DecisionKey key;
  std::unique_ptr<Plan> baseline;
  oracle::Decision decision;
  Decisions *decisions = nullptr;

  std::mutex mutex; // of the guardrail
  oracle::OnlineGuardrail guardrail;
  int running = 0; // times of runs next to each other say nothing
  bool keepsBaseline = false;
  std::atomic<bool> isDecided{false};
  std::string text;

  std::vector<Pending> pending;

  void add(Side side, double ms);
  Failure runSide(Side side, const Winner &winner, Operands &operands,
                  void *stream);
  Failure runHere(const Winner &winner, Operands &operands, void *stream);
  Failure runOnDevice(const Winner &winner, Operands &operands, void *stream);
  bool collect(void *stream);
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_ORACLE_ONLINERACE_H
