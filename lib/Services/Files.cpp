//===- Files.cpp - graphs and stored decisions for passes -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler may run where the device is not. So a stored decision is taken for
// the same problem, target, chip and code, whichever device of that chip
// measured it; of several that with more authority, then the newer one.
//
//===----------------------------------------------------------------------===//

#include "autosage/Services/Services.h"

#include "autosage/Core/Artifact.h"
#include "autosage/Core/GpuChip.h"
#include "autosage/Dialect/Autosage/Transforms/PassServices.h"
#include "autosage/IO/Graph.h"
#include "autosage/Oracle/StoreAdmin.h"

#include <tuple>

using namespace mlir::autosage;
namespace core = ::autosage;
using namespace ::autosage::oracle;

static core::Result<std::shared_ptr<const core::Csr>>
readGraph(const std::string &path) {
  core::Result<core::io::Graph> graph = core::io::readGraph(path);
  if (!graph)
    return core::Error{graph.error()};
  return std::shared_ptr<const core::Csr>(
      std::make_shared<core::Csr>(std::move(graph->csr)));
}

/// Whether the decision was made for this chip; the cpu has none.
static bool isForChip(const DecisionKey &key, const ScheduleQuestion &q) {
  if (q.target != core::Target::nvptx)
    return true;
  core::Result<core::GpuChip> chip = core::findGpuChip(q.chip);
  return chip && key[KeyField::capability] ==
                     "nvptx " + std::to_string(chip->computeCapability);
}

static core::Result<std::optional<ScheduleAnswer>>
replay(const ScheduleQuestion &q) {
  StoreOptions options =
      q.cache.empty() ? defaultStoreOptions() : storeOptionsFor(q.cache);
  if (options.path.empty())
    return core::Error{"expects a file of decisions for replay, got none"};
  options.readOnly = true;
  core::Result<StoreContents> contents = readStore(options);
  if (!contents)
    return core::Error{contents.error()};
  if (!contents->fault.empty())
    return core::Error{contents->fault};

  CallFacts call;
  call.alignment = contiguousAlignment(q.spec);
  call.expectedCalls = q.expectedCalls;
  Environment anywhere;
  anywhere.target = q.target;
  std::string problem =
      makeKey(q.spec, q.stats.fingerprint, call, anywhere).problemText();
  const StoreEntry *best = nullptr;
  auto rank = [](const StoreEntry &entry) {
    return std::tuple(-static_cast<int>(entry.decision.decidedBy),
                      entry.decision.time, entry.key.id());
  };
  for (const StoreEntry &entry : contents->entries) {
    if (entry.key.problemText() != problem ||
        entry.key[KeyField::target] != core::toString(q.target) ||
        entry.key[KeyField::code] != core::codeVersion() ||
        !isForChip(entry.key, q))
      continue;
    if (!best || rank(entry) > rank(*best))
      best = &entry;
  }
  if (!best)
    return std::optional<ScheduleAnswer>();
  core::Result<core::Schedule> schedule =
      core::parseSchedule(best->decision.schedule);
  if (!schedule)
    return std::optional<ScheduleAnswer>();
  ScheduleAnswer answer;
  answer.schedule = std::move(*schedule);
  answer.decidedBy = core::DecidedBy::cache;
  answer.reason = "by " + std::string(toString(best->decision.decidedBy)) +
                  " before: " + best->decision.reason;
  answer.device = best->key[KeyField::device];
  if (best->decision.guardrail) {
    answer.chosenMs = best->decision.guardrail->chosenMs;
    answer.baselineMs = best->decision.guardrail->baselineMs;
  }
  return std::optional<ScheduleAnswer>(std::move(answer));
}

void mlir::autosage::registerFileServices() {
  passServices().readGraph = readGraph;
  passServices().replay = replay;
}
