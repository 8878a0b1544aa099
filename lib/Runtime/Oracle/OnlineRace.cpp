//===- OnlineRace.cpp - the caller's own runs decide ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnlineRace.h"

#include "Decide.h"

#include <chrono>

using namespace autosage;
using namespace autosage::runtime;

void OnlineRace::start(std::unique_ptr<Plan> plan, oracle::Decision open,
                       Decisions &store) {
  baseline = std::move(plan);
  decision = std::move(open);
  decisions = &store;
}

/// Under the mutex.
void OnlineRace::add(Side side, double ms) {
  if (guardrail.record().decided)
    return;
  guardrail.add(side, ms);
  if (!guardrail.record().decided)
    return;
  oracle::conclude(decision, guardrail.record());
  decisions->oracle().conclude(key, decision);
  keepsBaseline = guardrail.record().keptBaseline;
  text = toJson(decision);
  isDecided.store(true, std::memory_order_release);
}

Failure OnlineRace::run(const std::function<Failure(Operands &)> &winner,
                        Operands &operands, void *stream) {
  auto runSide = [&](Side side) {
    return side == oracle::OnlineGuardrail::baseline
               ? baseline->run(operands, stream)
               : winner(operands);
  };
  if (isDecided.load(std::memory_order_acquire))
    return runSide(keepsBaseline ? oracle::OnlineGuardrail::baseline
                                 : oracle::OnlineGuardrail::chosen);
  Side side;
  bool isAlone;
  {
    std::lock_guard<std::mutex> lock(mutex);
    side = guardrail.next();
    isAlone = ++running == 1;
  }
  auto begin = std::chrono::steady_clock::now();
  Failure failure = runSide(side);
  std::chrono::duration<double, std::milli> ms =
      std::chrono::steady_clock::now() - begin;
  std::lock_guard<std::mutex> lock(mutex);
  isAlone &= running == 1;
  --running;
  if (!failure && isAlone)
    add(side, ms.count());
  return failure;
}
