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

Failure OnlineRace::runSide(Side side, const Winner &winner, Operands &operands,
                            void *stream) {
  return side == oracle::OnlineGuardrail::baseline
             ? baseline->run(operands, stream)
             : winner(operands);
}

Failure OnlineRace::run(const Winner &winner, Operands &operands,
                        void *stream) {
  if (isDecided.load(std::memory_order_acquire))
    return runSide(keepsBaseline ? oracle::OnlineGuardrail::baseline
                                 : oracle::OnlineGuardrail::chosen,
                   winner, operands, stream);
  return context->api ? runOnDevice(winner, operands, stream)
                      : runHere(winner, operands, stream);
}

Failure OnlineRace::runHere(const Winner &winner, Operands &operands,
                            void *stream) {
  Side side;
  bool isAlone;
  {
    std::lock_guard<std::mutex> lock(mutex);
    side = guardrail.next();
    isAlone = ++running == 1;
  }
  auto begin = std::chrono::steady_clock::now();
  Failure failure = runSide(side, winner, operands, stream);
  std::chrono::duration<double, std::milli> ms =
      std::chrono::steady_clock::now() - begin;
  std::lock_guard<std::mutex> lock(mutex);
  isAlone &= running == 1;
  --running;
  if (!failure && isAlone)
    add(side, ms.count());
  return failure;
}

//===----------------------------------------------------------------------===//
// On a device
//===----------------------------------------------------------------------===//

/// Takes the times that are there, in order. False where a run on this stream
/// is not to be measured. Under the mutex and a DeviceGuard.
bool OnlineRace::collect(void *stream) {
  const autosage_device_api &api = *context->api;
  size_t done = 0;
  for (; done < pending.size(); ++done) {
    const Pending &run = pending[done];
    if (api.event_query && !api.event_query(run.end))
      break;
    double ms = api.event_elapsed(run.begin, run.end);
    if (run.counts)
      add(run.side, ms);
  }
  pending.erase(pending.begin(),
                pending.begin() + static_cast<std::ptrdiff_t>(done));
  bool isAlone = running == 0;
  for (Pending &run : pending)
    if (run.stream != stream)
      isAlone = run.counts = false;
  // The device may be far behind: what is under way is enough then.
  constexpr size_t most = 2 * (oracle::OnlineGuardrail::mostSamples + 1);
  return isAlone && pending.size() < most;
}

Failure OnlineRace::runOnDevice(const Winner &winner, Operands &operands,
                                void *stream) {
  DeviceGuard guard(*context, stream);
  if (guard.failure())
    return guard.failure();
  // A captured graph is replayed for good: it gets the winner.
  if (guard.isCapturing())
    return winner(operands);
  Side side = oracle::OnlineGuardrail::chosen;
  bool isMeasured;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isMeasured = collect(stream);
    if (isMeasured || guardrail.record().decided)
      side = guardrail.next();
    isMeasured &= !guardrail.record().decided;
    ++running;
  }
  void *begin = isMeasured ? context->api->event_record() : nullptr;
  guard.takeError(); // without an event the run is not measured
  Failure failure = runSide(side, winner, operands, stream);
  void *end = begin ? context->api->event_record() : nullptr;
  guard.takeError();
  std::lock_guard<std::mutex> lock(mutex);
  bool isAlone = --running == 0;
  if (begin && end)
    pending.push_back({side, stream, begin, end, !failure && isAlone});
  else if (begin)
    context->api->event_elapsed(begin, end); // destroys it
  return failure;
}

OnlineRace::~OnlineRace() {
  if (pending.empty())
    return;
  DeviceGuard guard(*context, nullptr);
  if (guard.failure())
    return;
  for (const Pending &run : pending)
    context->api->event_elapsed(run.begin, run.end);
  guard.takeError();
}
