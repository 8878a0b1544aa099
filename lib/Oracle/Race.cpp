//===- Race.cpp - which schedule is fastest, by running them --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/Race.h"

#include "RaceState.h"

#include "autosage/Oracle/Ties.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace autosage;
using namespace autosage::oracle;

/// Rounds in which every runner runs once; intervals are looked at from the
/// first number on.
static constexpr size_t leastRounds = 3, mostRounds = 9;
/// A runner whose first run takes so many times the baseline's is out of it.
static constexpr double hopeless = 3;
/// Below this share of the entries a sample says little.
static constexpr double leastFraction = 1.0 / 64;
/// A sample of more than this saves too little over the whole input.
static constexpr double mostFraction = 0.5;
/// Of what is left when the baseline has run, that the sample may take.
static constexpr double sampleShare = 0.4;
/// Of a budget of the caller's, that candidates are waited for while they are
/// compiled.
static constexpr double compileShare = 0.5;
/// Of the budget, that a second run of a baseline may end in. On larger inputs
/// it comes when there is a winner to compare with.
static constexpr double baselineShare = 0.4;
/// Of the budget, that another algorithm of the baseline's library may end in.
static constexpr double otherBaselinesShare = 0.25;
static Interval shifted(const Interval &interval, double ms) {
  return {interval.low + ms, interval.middle + ms, interval.high + ms};
}

//===----------------------------------------------------------------------===//
// Race
//===----------------------------------------------------------------------===//

std::vector<std::optional<Status>>
Race::enter(const std::vector<Schedule> &schedules, size_t needed) {
  size_t first = entered;
  entered += schedules.size();
  track.enter(schedules);
  double until =
      options.budgetMs > 0 ? begin + compileShare * options.budgetMs : HUGE_VAL;
  std::vector<std::optional<Status>> out;
  for (size_t i = 0; i < schedules.size(); ++i)
    out.push_back(track.entered(first + i, i < needed ? HUGE_VAL : until));
  return out;
}

void Race::reject(size_t i, const std::string &why) {
  decision.candidates[i].rejected = why.empty() ? "unknown reason" : why;
  if (runners[i].racing)
    retire(runners[i]);
  runners[i].racing = false;
}

//===----------------------------------------------------------------------===//
// The baseline
//===----------------------------------------------------------------------===//

/// Prepares and runs it on the whole input; it becomes the baseline where it is
/// the fastest of its name.
Status Race::tryBaseline(const BaselineEntry &entry, size_t number) {
  Runner runner;
  runner.number = number;
  Result<double> preparation = track.prepare(number, Course::whole);
  if (!preparation)
    return Error{preparation.error()};
  runner.preparationMs = *preparation;
  if (decision.baseline && !fits(again(baseline, Course::whole), limit())) {
    retire(runner);
    return Status::success();
  }
  Result<double> first = time(runner, Course::whole);
  if (!first)
    return Error{first.error()};
  double ms = *first; // a cold one, but better than none
  bool isCold = !fits(runner.cost(Course::whole), baselineShare * limitFor(ms));
  if (!isCold) {
    Result<double> second = time(runner, Course::whole);
    if (!second)
      return Error{second.error()};
    ms = std::min(ms, *second);
  }
  if (decision.baseline && decision.baseline->ms <= ms) {
    retire(runner);
    return Status::success();
  }
  if (decision.baseline)
    retire(baseline);
  decision.baseline = BaselineRecord{entry.name, entry.schedule.str(), ms};
  baseline = runner;
  baselineMs = ms;
  baselinePreparationMs = runner.preparationMs;
  wholeBaseline = {ms};
  isBaselineCold = isCold;
  return Status::success();
}

/// Enters baselines of one name; what is said where none of them runs.
std::string
Race::tryBaselines(size_t begin, size_t end, size_t number,
                   const std::vector<std::optional<Status>> &known) {
  std::string why;
  for (size_t b = begin; b < end; ++b) {
    if (decision.baseline &&
        !fits(baselinePreparationMs + again(baseline, Course::whole),
              otherBaselinesShare * limit()))
      break;
    Status status = *known[b - begin];
    if (status)
      status = load(number + b - begin);
    if (status)
      status = tryBaseline(baselines[b], number + b - begin);
    if (!status)
      why = baselines[b].name + ": " + status.error();
  }
  return why;
}

/// Enters all together: the baselines of the first name, which are waited for,
/// and the candidates, which with a budget are only for a part of it. Baselines
/// of other names are needed where none of the first runs.
Status Race::enterAll() {
  auto endOf = [&](size_t b) {
    size_t end = b;
    while (end < baselines.size() && baselines[end].name == baselines[b].name)
      ++end;
    return end;
  };
  size_t needed = endOf(0);
  std::vector<Schedule> all;
  for (size_t b = 0; b < needed; ++b)
    all.push_back(baselines[b].schedule);
  // Those that are a baseline too are compiled once.
  std::vector<size_t> fresh;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Schedule &schedule = entries[i].schedule;
    decision.candidates.push_back(
        {schedule.str(), entries[i].estimateMs, 0, 0, 0, 0, ""});
    if (std::any_of(
            all.begin(), all.begin() + static_cast<std::ptrdiff_t>(needed),
            [&](const Schedule &s) { return s.str() == schedule.str(); }))
      continue;
    fresh.push_back(i);
    all.push_back(schedule);
  }
  std::vector<std::optional<Status>> known = enter(all, needed);
  std::string why = tryBaselines(0, needed, 0, known);
  for (size_t b = needed; b < baselines.size() && !decision.baseline;) {
    size_t end = endOf(b), number = entered;
    std::vector<Schedule> more;
    for (size_t i = b; i < end; ++i)
      more.push_back(baselines[i].schedule);
    why += "; " + tryBaselines(b, end, number, enter(more, more.size()));
    b = end;
  }
  if (!decision.baseline)
    return Error{"no baseline runs: " + why};
  for (size_t f = 0; f < fresh.size(); ++f) {
    size_t i = fresh[f];
    const std::optional<Status> &status = known[needed + f];
    if (isBaseline(i))
      continue;
    if (!status) { // still being compiled
      decision.budget.ended = true;
      continue;
    }
    if (!has(loadingMs))
      break;
    Status loaded = *status ? load(needed + f) : *status;
    runners[i].number = needed + f;
    runners[i].racing = static_cast<bool>(loaded);
    if (!loaded)
      reject(i, loaded.error());
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// The probe
//===----------------------------------------------------------------------===//

double Race::chooseFraction() const {
  if (options.fraction > 0)
    return options.fraction;
  // The guardrail runs the baseline again where it ran but once.
  double left = limit() - spent() - track.closingMs() - options.reserveMs -
                (isBaselineCold ? baselineMs : 0);
  auto racing = static_cast<double>(countRacing());
  // Each runs once to warm up, and in the first rounds; some are slower.
  double all = 1.5 * std::max(baselineMs, track.leastMs()) * (racing + 1) *
                   static_cast<double>(leastRounds + 1) +
               racing * around(Course::whole);
  if (all <= left)
    return 1;
  // What surrounds first runs does not shrink with the sample.
  left -= (racing + 1) * (around(Course::whole) + track.leastMs());
  double fraction = sampleShare * std::max(left, 0.0) / all;
  return std::clamp(fraction, leastFraction, mostFraction);
}

/// Its result on the course is what the others' are compared with.
Status Race::startBaseline() {
  baseline.racing = true;
  if (course == Course::whole)
    return Status::success(); // it has run there
  auto leave = [&] {
    for (Runner &runner : runners)
      runner.racing = false;
  };
  for (Course on : {Course::scout, Course::sample}) {
    double share = on == Course::scout ? scoutShare * sampled : sampled;
    if (!has(baselineMs * share + around(Course::whole))) {
      leave();
      break;
    }
    Result<double> preparation = track.prepare(baseline.number, on);
    if (!preparation)
      return Error{preparation.error()};
    baseline.preparationMs = *preparation;
    if (!has(baselineMs * share + around(Course::whole))) {
      leave();
      break;
    }
    Result<double> ms = time(baseline, on);
    if (!ms)
      return Error{ms.error()};
  }
  return Status::success();
}

/// A few rows first: whoever would not end in time is not let onto the course.
bool Race::isInTime(size_t i) {
  Runner &runner = runners[i];
  if (course == Course::whole)
    return true; // which is small then
  Result<double> preparation = track.prepare(runner.number, Course::scout);
  if (!preparation) {
    reject(i, preparation.error());
    return false;
  }
  runner.scoutPreparationMs = *preparation;
  if (!has(reserve(0) + scoutCost())) {
    runner.racing = false;
    return false;
  }
  Result<double> ms = time(runner, Course::scout);
  if (!ms) {
    reject(i, ms.error());
    return false;
  }
  // The rows of a scout have a launch's cost too: half of what scales up.
  if (has(reserve(0) + 0.5 * *ms / scoutShare + around(course) +
          runner.scoutPreparationMs))
    return true;
  // Known to be slow on a few rows is not measured.
  retire(runner);
  runner.racing = false;
  return false;
}

void Race::firstRun(size_t i) {
  Runner &runner = runners[i];
  if (!isInTime(i))
    return;
  Result<double> preparation = track.prepare(runner.number, course);
  if (!preparation)
    return reject(i, preparation.error());
  runner.preparationMs = *preparation;
  if (!has(reserve(0) + baseline.lastMs + around(course))) {
    runner.racing = false;
    return;
  }
  Result<double> ms = time(runner, course);
  if (!ms)
    return reject(i, ms.error());
  if (Status same = compare(runner, course); !same) {
    ++differing;
    return reject(i, "wrong result: " + same.error());
  }
  ++agreeing;
  if (*ms + share(runner) > hopeless * (baseline.lastMs + share(baseline))) {
    runner.samples = {*ms};
    retire(runner);
    runner.racing = false;
  }
}

/// After a round: drops who cannot win any more. True where going on would
/// change nothing.
bool Race::isOver(bool mayDrop) {
  Interval best;
  best.high = HUGE_VAL;
  for (const Runner &r : runners)
    if (r.racing)
      if (Interval own = shifted(intervalOf(r.samples), share(r));
          own.high < best.high)
        best = own;
  size_t racing = 0;
  bool areSharp = true;
  for (Runner &r : runners) {
    if (!r.racing)
      continue;
    Interval own = shifted(intervalOf(r.samples), share(r));
    // One within the band may win yet, by its place in the order.
    if (mayDrop && own.low > best.high * (1 + tieBand)) {
      r.racing = false;
      retire(r);
      continue;
    }
    ++racing;
    areSharp &= own.high - own.low <= tieBand * own.middle;
  }
  if (racing == 0)
    return true;
  if (!mayDrop)
    return false;
  // With one left, what counts is where it stands to the baseline.
  Interval base = shifted(intervalOf(baseline.samples), share(baseline));
  bool baselineIsClear = areSeparate(best, base) || areSeparate(base, best) ||
                         base.high - base.low <= tieBand * base.middle;
  return baselineIsClear && (racing == 1 || areSharp);
}

void Race::rounds() {
  auto step = [&](Runner &runner) {
    if (!has(reserve(1) + again(runner, course)))
      return false;
    Result<double> ms = time(runner, course);
    if (ms)
      runner.samples.push_back(*ms);
    return static_cast<bool>(ms);
  };
  for (size_t round = 1; round <= mostRounds; ++round) {
    if (!step(baseline))
      return;
    for (size_t i = 0; i < runners.size(); ++i) {
      if (!runners[i].racing)
        continue;
      if (step(runners[i]))
        continue;
      if (decision.budget.ended)
        return;
      reject(i, "failed after it had run");
    }
    if (isOver(/*mayDrop=*/round >= leastRounds))
      return;
  }
}

/// Where the budget ended before a round did, first runs count, of all.
void Race::takeFirstRuns() {
  // A first run of the baseline on the whole input is nothing to be beaten.
  if (course == Course::whole && isBaselineCold)
    return;
  bool isRound = !baseline.samples.empty();
  for (const Runner &runner : runners)
    isRound &= !runner.racing || !runner.samples.empty();
  if (isRound)
    return;
  baseline.samples = {baseline.lastMs};
  for (Runner &runner : runners)
    if (runner.racing)
      runner.samples = {runner.lastMs};
}

/// Of those that were not dropped, the baseline's schedule among them where it
/// is a candidate.
std::optional<size_t> Race::winner() {
  std::vector<double> times;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Runner &runner = runnerOf(i);
    bool counts = runner.racing && !runner.samples.empty();
    times.push_back(counts ? medianOf(runner.samples) + share(runner) : 0);
  }
  return pickWinner(times);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void Race::settle(std::optional<size_t> i) {
  decision.decidedBy = DecidedBy::probe;
  if (!i || isBaseline(*i)) {
    decision.schedule = decision.baseline->schedule;
    decision.reason = i ? decision.baseline->name + " is the fastest"
                      : decision.budget.ended
                          ? "the budget ended before a candidate was measured; "
                            "the baseline stays"
                          : "no candidate was left; the baseline stays";
    if (options.guardrail != GuardrailMode::off) {
      double ms = medianOf(wholeBaseline);
      decision.guardrail = GuardrailRecord{true, ms, ms, 1 - options.alpha,
                                           /*keptBaseline=*/true};
    }
    return;
  }
  decision.schedule = decision.candidates[*i].schedule;
  switch (options.guardrail) {
  case GuardrailMode::on:
    guard(*i);
    break;
  case GuardrailMode::off:
    decision.reason = "fastest of the candidates; no guardrail";
    break;
  case GuardrailMode::online:
    decision.reason = "fastest of the candidates; the guardrail is open";
    decision.guardrail = GuardrailRecord{false, 0, 0, 1 - options.alpha, false};
    break;
  }
}

void Race::record() {
  auto note = [](CandidateRecord &record, const Runner &runner) {
    if (runner.samples.empty())
      return;
    Interval interval = intervalOf(runner.samples);
    record.probeMs = interval.middle;
    record.lowMs = interval.low;
    record.highMs = interval.high;
    record.samples = static_cast<int64_t>(runner.samples.size());
  };
  for (size_t i = 0; i < entries.size(); ++i)
    note(decision.candidates[i], runnerOf(i));
  if (!baseline.samples.empty())
    decision.baseline->ms = medianOf(baseline.samples);
  double from = track.now();
  track.close();
  teardownMs += track.now() - from;
  BudgetRecord &budget = decision.budget;
  budget.limitMs = limit();
  budget.spentMs = spent();
  budget.runsMs = runsMs;
  budget.teardownMs = teardownMs;
  budget.setupMs = std::max(budget.spentMs - runsMs - teardownMs, 0.0);
}

Result<Decision> Race::run() {
  if (Status status = enterAll(); !status)
    return Error{status.error()};
  if (countRacing() == 0 || !has(0)) {
    settle(std::nullopt);
    record();
    return decision;
  }
  Result<double> laidOut = track.layOut(chooseFraction());
  if (!laidOut)
    return Error{"no sample: " + laidOut.error()};
  sampled = *laidOut;
  course = sampled < 1 ? Course::sample : Course::whole;
  if (Status status = startBaseline(); !status)
    return Error{"the baseline on a sample: " + status.error()};
  if (countRacing() == 0) {
    settle(std::nullopt);
    record();
    return decision;
  }
  for (size_t i = 0; i < runners.size(); ++i)
    if (runners[i].racing && has(reserve(0) + firstCost()))
      firstRun(i);
    else
      runners[i].racing = false;
  if (differing >= 2 && agreeing == 0)
    return Error{decision.baseline->name +
                 " differs from all candidates that ran; nothing is decided"};
  rounds();
  takeFirstRuns();
  settle(winner());
  record();
  return decision;
}

Result<Decision> oracle::race(Racetrack &track,
                              const std::vector<RaceEntry> &candidates,
                              const std::vector<BaselineEntry> &baselines,
                              const RaceOptions &options) {
  return Race(track, candidates, baselines, options).run();
}
