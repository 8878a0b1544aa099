//===- Decide.cpp - a plan asks the oracle --------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decide.h"

#include "Candidates.h"
#include "Environment.h"

#include "../Kernel/Machine.h"
#include "../ThreadCount.h"

#include "autosage/Core/Artifact.h"
#include "autosage/Core/Vendor.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

using namespace autosage;
using namespace autosage::runtime;
using oracle::OracleMode;

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

static oracle::WarningFunction warnThrough(Warnings &warnings) {
  return [&warnings](const std::string &message) {
    warnings.once(message, message);
  };
}

static oracle::StoreOptions withLog(oracle::StoreOptions options,
                                    oracle::DecisionLog &log) {
  options.log = &log;
  return options;
}

Decisions::Decisions(oracle::StoreOptions options, Warnings &warnings)
    : log(oracle::DecisionLog::defaultPath(), warnThrough(warnings)),
      store(withLog(std::move(options), log)),
      asked(store, &log, warnThrough(warnings)) {}

Decisions &Context::decisions(const std::optional<std::string> &path) {
  oracle::WarningFunction warn = warnThrough(warnings);
  oracle::StoreOptions options;
  if (path) {
    options = oracle::storeOptionsFor(*path, warn);
  } else if (std::getenv("AUTOSAGE_DECISION_CACHE")) {
    options = oracle::defaultStoreOptions(warn);
  } else if (cache.getFolder().empty()) {
    // Where none was wanted, that is no news.
    options = hasDefaultCache ? oracle::defaultStoreOptions(warn)
                              : oracle::storeOptionsFor("", warn);
  } else {
    options =
        oracle::storeOptionsFor(cache.getFolder() + "/decisions.sqlite", warn);
    options.ownFolder = true;
  }
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<Decisions> &entry = stores[options.path];
  if (!entry)
    entry = std::make_shared<Decisions>(options, warnings);
  return *entry;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static oracle::Environment environmentOf(const TrackInput &input) {
  const Context &context = *input.context;
  if (context.target == Target::cpu) {
    oracle::Environment env = hostEnvironment();
    if (!input.request.cpu.empty() || !input.request.features.empty())
      env.capability +=
          " as " + input.request.cpu + " " + input.request.features;
    return env;
  }
  oracle::Environment env =
      deviceEnvironment(*context.api, context.info, context.target);
  env.device = context.deviceName; // with the chip that was asked for
  return env;
}

/// Bytes that every row of a dense operand with a width begins at a multiple
/// of, up to 16, where the operand does.
static int64_t alignmentOf(const TrackInput &input) {
  int64_t alignment = alignedBytes;
  for (const Argument &arg : signatureOf(input.bound)) {
    if (!arg.hasWidth || arg.extent == Extent::heads)
      continue;
    visitOperand(input.shapes, arg.kind, [&](const auto &dense) {
      int64_t bytes = dense.stride() * sizeOf(arg.dtype);
      while (alignment > 1 && bytes % alignment != 0)
        alignment /= 2;
    });
  }
  return alignment;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

static std::vector<oracle::BaselineEntry> baselinesOf(const TrackInput &input,
                                                      const Problem &problem) {
  std::vector<oracle::BaselineEntry> baselines;
  const Context &context = *input.context;
  if (context.target != Target::cpu) {
    bool deterministic = input.options.deterministic;
    // Those that won most often first: on large inputs others find no time.
    constexpr int64_t algorithms[] = {2, 0, 3, 1};
    static_assert(std::size(algorithms) == vendorAlgorithms);
    for (int64_t alg : algorithms) {
      // Of SDDMM there is one.
      if (input.bound.op == OpKind::sddmm && alg != 0)
        continue;
      Schedule schedule{"vendor", {}};
      if (input.bound.op == OpKind::spmm)
        schedule.knobs["alg"] = alg;
      bool isDeterministic =
          input.bound.op != OpKind::spmm || alg == deterministicVendorAlgorithm;
      if (!isDeterministic && deterministic)
        continue;
      if (!isDeterministic)
        schedule.knobs["deterministic"] = std::string("false");
      KernelSpec spec = input.bound;
      spec.schedule = schedule;
      if (verifySchedule(schedule) &&
          verifyForTarget(schedule, context.target, problem) &&
          VendorPart::make(context, spec, input.shapes, deterministic))
        baselines.push_back({"cusparse", schedule});
    }
  }
  baselines.push_back(
      plainBaseline(context.target, problem, input.options.vectorBits));
  return baselines;
}

static OracleMode modeOf(uint32_t oracle) {
  switch (oracle) {
  case AUTOSAGE_ORACLE_PROBE:
    return OracleMode::probe;
  case AUTOSAGE_ORACLE_REPLAY:
    return OracleMode::replay;
  default:
    return OracleMode::estimate;
  }
}

/// Results of the two sides differ in rounding.
static oracle::GuardrailMode guardrailOf(const PlanOptions &options) {
  switch (options.oracle.guardrail) {
  case AUTOSAGE_GUARDRAIL_OFF:
    return oracle::GuardrailMode::off;
  case AUTOSAGE_GUARDRAIL_ONLINE:
    if (!options.deterministic)
      return oracle::GuardrailMode::online;
    break;
  default:
    break;
  }
  return oracle::GuardrailMode::on;
}

oracle::Answer runtime::decide(const TrackInput &input) {
  const OracleOptions &options = input.options.oracle;
  Target target = input.context->target;
  oracle::CallFacts call;
  call.alignment = alignmentOf(input);
  call.deterministic = input.options.deterministic;
  call.expectedCalls = options.expectedCalls;
  oracle::Environment env = environmentOf(input);
  Problem problem = problemOf(input.bound);
  problem.stats = input.stats;

  oracle::Question question;
  question.mode = modeOf(options.oracle);
  question.key =
      oracle::makeKey(input.bound, input.stats.fingerprint, call, env);
  if (options.graphsNeverRepeat)
    question.classKey =
        oracle::makeClassKey(input.bound, input.stats, call, env);
  question.fallback = [&] {
    return ruleOf(target, problem, input.options.vectorBits);
  };
  if (!input.context->tellsTime())
    question.cannotProbe = "times of the emulator say nothing about a GPU";
  else if (input.shapes.a.nnz() == 0)
    question.cannotProbe = "there are no entries";
  question.probeK = options.probeK;
  question.race.budgetMs = options.budgetMs;
  question.race.fraction = options.fraction;
  question.race.alpha = options.alpha;
  question.race.expectedCalls = options.expectedCalls;
  question.race.guardrail = guardrailOf(input.options);
  question.isUsable = [&](const Schedule &schedule) {
    Status status = verifyForTarget(schedule, target, problem);
    if (!status || schedule.family != "vendor")
      return status;
    KernelSpec spec = input.bound;
    spec.schedule = schedule;
    auto part = VendorPart::make(*input.context, spec, input.shapes,
                                 input.options.deterministic);
    return part ? Status::success() : Status(Error{part.error()});
  };
  question.field = [&]() -> Result<oracle::Field> {
    DeviceFacts facts = input.context->facts(input.options.vectorBits);
    std::vector<oracle::BaselineEntry> baselines = baselinesOf(input, problem);
    return oracle::Field{candidatesOf(facts, input.bound, input.stats,
                                      options.expectedCalls,
                                      baselines.front().schedule),
                         baselines};
  };
  question.track = [&]() -> Result<std::unique_ptr<oracle::Racetrack>> {
    return std::unique_ptr<oracle::Racetrack>(
        std::make_unique<PlanTrack>(input));
  };
  return input.context->decisions(options.decisionCache)
      .oracle()
      .decide(question);
}
