//===- Decision.cpp - what may be kept of a choice ------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/Decision.h"

#include "../Core/Text.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::oracle;

static bool isTime(double ms) { return std::isfinite(ms) && ms >= 0; }

static Error expects(std::string text) { return Error{"expects " + text}; }

static bool sameSchedule(const std::string &a, const std::string &b) {
  if (a == b)
    return true;
  Result<Schedule> left = parseSchedule(a), right = parseSchedule(b);
  return left && right && *left == *right;
}

static Status checkTimes(const Decision &d) {
  std::vector<double> times = {d.budget.limitMs, d.budget.spentMs,
                               d.budget.setupMs, d.budget.runsMs,
                               d.budget.teardownMs};
  for (const CandidateRecord &c : d.candidates)
    times.insert(times.end(), {c.estimateMs, c.probeMs, c.lowMs, c.highMs});
  if (d.baseline)
    times.push_back(d.baseline->ms);
  if (d.guardrail)
    times.insert(times.end(), {d.guardrail->chosenMs, d.guardrail->baselineMs,
                               d.guardrail->margin});
  if (!std::all_of(times.begin(), times.end(), isTime))
    return expects("times to be finite and not negative");
  return Status::success();
}

/// Whether what was chosen was measured, or stands without that.
static Status checkMeasured(const Decision &d) {
  bool isBaseline =
      d.baseline && sameSchedule(d.baseline->schedule, d.schedule);
  // The baseline needs no proof: it is what runs where nothing is known.
  if (isBaseline)
    return Status::success();
  if (d.guardrail && d.guardrail->keptBaseline)
    return expects("the baseline's schedule where it was kept, got " +
                   autosage::quoted(d.schedule));
  for (const CandidateRecord &c : d.candidates)
    if (sameSchedule(c.schedule, d.schedule) && c.probeMs > 0)
      return Status::success();
  return expects("a measurement of the chosen schedule, got none");
}

Status oracle::checkStorable(const Decision &d) {
  if (d.decidedBy != DecidedBy::probe && d.decidedBy != DecidedBy::estimate)
    return expects("a decision by probe or estimate, got " +
                   std::string(toString(d.decidedBy)));
  if (Result<Schedule> schedule = parseSchedule(d.schedule); !schedule)
    return Error{schedule.error()};
  if (Status status = checkTimes(d); !status)
    return status;
  for (const CandidateRecord &c : d.candidates)
    if (!c.rejected.empty() && sameSchedule(c.schedule, d.schedule))
      return expects("a schedule that was not rejected, got " +
                     autosage::quoted(d.schedule) + ", which has " +
                     autosage::quoted(c.rejected));
  if (d.guardrail && !d.guardrail->decided)
    return expects("the guardrail to have decided");
  if (d.decidedBy == DecidedBy::estimate)
    return Status::success();
  return checkMeasured(d);
}

std::optional<size_t> oracle::resolve(const Decision &decision,
                                      const std::vector<Schedule> &live) {
  Result<Schedule> schedule = parseSchedule(decision.schedule);
  if (!schedule)
    return std::nullopt;
  auto found = std::find(live.begin(), live.end(), *schedule);
  if (found == live.end())
    return std::nullopt;
  return static_cast<size_t>(found - live.begin());
}

std::vector<size_t> oracle::notMeasured(const Decision &decision,
                                        const std::vector<Schedule> &live) {
  std::vector<size_t> out;
  for (size_t i = 0; i < live.size(); ++i) {
    std::string text = live[i].str();
    bool known =
        std::any_of(decision.candidates.begin(), decision.candidates.end(),
                    [&](const CandidateRecord &c) {
                      return (c.probeMs > 0 || !c.rejected.empty()) &&
                             sameSchedule(c.schedule, text);
                    });
    if (!known)
      out.push_back(i);
  }
  return out;
}
