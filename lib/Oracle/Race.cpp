//===- Race.cpp - which schedule is fastest, by running them --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/Race.h"

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
/// Runs of each side on the whole input.
static constexpr size_t mostGuardrailRuns = 5;

Interval oracle::intervalOf(const std::vector<double> &samples) {
  Interval interval;
  interval.middle = medianOf(samples);
  std::vector<double> distances;
  for (double sample : samples)
    distances.push_back(std::fabs(sample - interval.middle));
  // Of a normal distribution the deviation is 1.4826 medians of the distances,
  // and the standard error of a median is 1.2533 times that of a mean.
  double error = 1.2533 * 1.4826 * medianOf(distances) /
                 std::sqrt(static_cast<double>(samples.size()));
  double half = std::max(2 * error, 0.005 * interval.middle);
  // Of three or four, those close to the median may be so by chance.
  if (samples.size() < 5) {
    auto [low, high] = std::minmax_element(samples.begin(), samples.end());
    half = std::max(half, (*high - *low) / 2);
  }
  interval.low = std::max(interval.middle - half, 0.0);
  interval.high = interval.middle + half;
  return interval;
}

static bool areSeparate(const Interval &fast, const Interval &slow) {
  return fast.high < slow.low;
}

static Interval shifted(const Interval &interval, double ms) {
  return {interval.low + ms, interval.middle + ms, interval.high + ms};
}

static bool isTime(double ms) { return std::isfinite(ms) && ms > 0; }

//===----------------------------------------------------------------------===//
// Race
//===----------------------------------------------------------------------===//

namespace {
struct Runner {
  size_t number = 0; // of the track
  bool racing = false;
  std::vector<double> samples;
  double lastMs = 0;
  double preparationMs = 0; // on the course
  double scoutPreparationMs = 0;
};

class Race {
public:
  Race(Racetrack &track, const std::vector<RaceEntry> &candidates,
       const std::vector<BaselineEntry> &baselines, const RaceOptions &options)
      : track(track), entries(candidates), baselines(baselines),
        options(options), begin(track.now()), runners(candidates.size()) {}

  Result<Decision> run();

private:
  Racetrack &track;
  const std::vector<RaceEntry> &entries;
  const std::vector<BaselineEntry> &baselines;
  const RaceOptions &options;
  const double begin;
  double compileMs = 0;
  size_t entered = 0;    // runners of the track
  double baselineMs = 0; // of one run on the whole input
  double baselinePreparationMs = 0;
  Decision decision;
  std::vector<Runner> runners; // of the candidates
  Runner baseline;
  std::vector<double> wholeBaseline; // samples on the whole input
  bool isBaselineCold = false;       // the one there is is of a first run
  Course course = Course::whole;
  double sampled = 1; // share of the entries
  size_t differing = 0, agreeing = 0;

  double limit() const { return limitFor(baselineMs); }
  /// With a baseline of so many ms.
  double limitFor(double ms) const {
    return options.budgetMs > 0
               ? options.budgetMs
               : std::max(options.freeMs, options.baselineRuns * ms);
  }
  double spent() const {
    double all = track.now() - begin;
    return options.budgetMs > 0 ? all : all - compileMs;
  }
  /// Whether there is time for so much more; notes the end where not.
  bool has(double ms) {
    if (spent() + ms <= limit())
      return true;
    decision.budget.ended = true;
    return false;
  }
  bool isBaseline(size_t i) const {
    return entries[i].schedule.str() == decision.baseline->schedule;
  }
  /// The part of its preparation that each call has to bear.
  double share(const Runner &runner) const {
    return spread(runner.preparationMs);
  }
  double spread(double preparationMs) const {
    int64_t calls =
        options.expectedCalls > 0 ? options.expectedCalls : assumedCalls;
    return preparationMs / static_cast<double>(calls);
  }
  size_t countRacing() const {
    return static_cast<size_t>(
        std::count_if(runners.begin(), runners.end(),
                      [](const Runner &r) { return r.racing; }));
  }
  const Runner &runnerOf(size_t i) const {
    return isBaseline(i) ? baseline : runners[i];
  }

  std::vector<std::optional<Status>>
  enter(const std::vector<Schedule> &schedules, size_t needed);
  std::string tryBaselines(size_t begin, size_t end, size_t number,
                           const std::vector<std::optional<Status>> &known);
  Status enterAll();
  Status tryBaseline(const BaselineEntry &entry, size_t number);
  double chooseFraction() const;
  Status startBaseline();
  Result<double> time(Runner &runner, Course on);
  void reject(size_t i, const std::string &why);
  void firstRun(size_t i);
  bool isInTime(size_t i);
  double reserve() const;
  void rounds();
  void takeFirstRuns();
  bool isOver(bool mayDrop);
  std::optional<size_t> winner();
  void guard(size_t i);
  bool guardOnWhole(size_t i, Runner &runner, std::vector<double> &samples);
  void settle(std::optional<size_t> i);
  void record();
};
} // namespace

std::vector<std::optional<Status>>
Race::enter(const std::vector<Schedule> &schedules, size_t needed) {
  double from = track.now();
  size_t first = entered;
  entered += schedules.size();
  track.enter(schedules);
  double until =
      options.budgetMs > 0 ? begin + compileShare * options.budgetMs : HUGE_VAL;
  std::vector<std::optional<Status>> out;
  for (size_t i = 0; i < schedules.size(); ++i)
    out.push_back(track.entered(first + i, i < needed ? HUGE_VAL : until));
  compileMs += track.now() - from;
  return out;
}

void Race::reject(size_t i, const std::string &why) {
  decision.candidates[i].rejected = why.empty() ? "unknown reason" : why;
  if (runners[i].racing)
    track.retire(runners[i].number);
  runners[i].racing = false;
}

Result<double> Race::time(Runner &runner, Course on) {
  Result<double> ms = track.run(runner.number, on);
  if (ms && !isTime(*ms))
    return Error{"expects a time, got " + std::to_string(*ms) + " ms"};
  if (ms)
    runner.lastMs = *ms;
  return ms;
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
  Result<double> first = time(runner, Course::whole);
  if (!first)
    return Error{first.error()};
  double ms = *first; // a cold one, but better than none
  bool isCold = spent() + ms > baselineShare * limitFor(ms);
  if (!isCold) {
    Result<double> second = time(runner, Course::whole);
    if (!second)
      return Error{second.error()};
    ms = std::min(ms, *second);
  }
  if (decision.baseline && decision.baseline->ms <= ms) {
    track.retire(number);
    return Status::success();
  }
  if (decision.baseline)
    track.retire(baseline.number);
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
    Status status = *known[b - begin];
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
    if (!has(0))
      break;
    runners[i].number = needed + f;
    runners[i].racing = static_cast<bool>(*status);
    if (!*status)
      reject(i, status->error());
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
  double left = limit() - spent() - (isBaselineCold ? baselineMs : 0);
  auto racing = static_cast<double>(countRacing());
  // Each runs once to warm up, and in the first rounds; some are slower.
  double all =
      1.5 * baselineMs * (racing + 1) * static_cast<double>(leastRounds + 1);
  if (all <= left)
    return 1;
  double fraction = sampleShare * std::max(left, 0.0) / all;
  return std::clamp(fraction, leastFraction, mostFraction);
}

/// Its result on the course is what the others' are compared with.
Status Race::startBaseline() {
  baseline.racing = true;
  if (course == Course::whole)
    return Status::success(); // it has run there
  for (Course on : {Course::scout, Course::sample}) {
    Result<double> preparation = track.prepare(baseline.number, on);
    if (!preparation)
      return Error{preparation.error()};
    baseline.preparationMs = *preparation;
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
  Result<double> ms = time(runner, Course::scout);
  if (!ms) {
    reject(i, ms.error());
    return false;
  }
  // The rows of a scout have a launch's cost too: half of what scales up.
  if (has(0.5 * *ms / scoutShare))
    return true;
  // Known to be slow on a few rows is not measured.
  track.retire(runner.number);
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
  if (!has(baseline.lastMs)) {
    runner.racing = false;
    return;
  }
  Result<double> ms = time(runner, course);
  if (!ms)
    return reject(i, ms.error());
  if (Status same = track.compare(runner.number, baseline.number, course);
      !same) {
    ++differing;
    return reject(i, "wrong result: " + same.error());
  }
  ++agreeing;
  if (*ms + share(runner) > hopeless * (baseline.lastMs + share(baseline))) {
    runner.samples = {*ms};
    track.retire(runner.number);
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
      track.retire(r.number);
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

/// What the guardrail needs after a race on a sample: two runs of who leads,
/// and one of the baseline where it ran but once.
double Race::reserve() const {
  if (course == Course::whole || options.guardrail != GuardrailMode::on)
    return 0;
  double least = baseline.lastMs;
  for (const Runner &runner : runners)
    if (runner.racing)
      least = std::min(least, runner.lastMs);
  return 2 * baselineMs * least / baseline.lastMs +
         (isBaselineCold ? baselineMs : 0);
}

void Race::rounds() {
  auto step = [&](Runner &runner) {
    if (!has(reserve() + runner.lastMs))
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
// The guardrail
//===----------------------------------------------------------------------===//

/// Runs the winner and the baseline by turns. False where the winner is out, or
/// there was no time to see it.
bool Race::guardOnWhole(size_t i, Runner &runner,
                        std::vector<double> &samples) {
  auto late = [&] {
    decision.reason = "the budget ended before the winner ran on the whole "
                      "input; the baseline stays";
    return false;
  };
  double expected =
      baselineMs * medianOf(runner.samples) / medianOf(baseline.samples);
  // Part of a preparation does not grow with the input, as a scout shows.
  double grows =
      std::max(runner.preparationMs - runner.scoutPreparationMs, 0.0) /
      (1 - scoutShare);
  double second = isBaselineCold ? baselineMs : 0;
  if (!has(expected + second + runner.preparationMs +
           grows * (1 / sampled - 1)))
    return late();
  auto lost = [&](const std::string &why) {
    reject(i, why);
    decision.reason = "the winner is out on the whole input (" + why +
                      "); the baseline stays";
    return false;
  };
  Result<double> preparation = track.prepare(runner.number, Course::whole);
  if (!preparation)
    return lost(preparation.error());
  runner.preparationMs = *preparation;
  if (!has(expected + second))
    return late();
  Result<double> first = time(runner, Course::whole);
  if (!first)
    return lost(first.error());
  if (Status same =
          track.compare(runner.number, baseline.number, Course::whole);
      !same)
    return lost("wrong result: " + same.error());
  // First runs are slow by what differs from one to another.
  if (isBaselineCold) {
    if (!has(baselineMs))
      return late();
    Result<double> warm = time(baseline, Course::whole);
    if (!warm)
      return lost("the baseline does not run again: " + warm.error());
    wholeBaseline = {std::min(*warm, wholeBaseline.front())};
    isBaselineCold = false;
  }
  while (samples.size() < mostGuardrailRuns) {
    if (!has(runner.lastMs))
      break;
    Result<double> ms = time(runner, Course::whole);
    if (!ms)
      return lost(ms.error());
    samples.push_back(*ms);
    if (samples.size() >= 2 && wholeBaseline.size() >= 2) {
      Interval own = intervalOf(samples), base = intervalOf(wholeBaseline);
      base.low *= options.alpha;
      base.high *= options.alpha;
      if (areSeparate(own, base) || areSeparate(base, own))
        break;
    }
    if (!has(wholeBaseline.back()))
      break;
    Result<double> other = time(baseline, Course::whole);
    if (!other)
      break;
    wholeBaseline.push_back(*other);
  }
  // A cold run is slower than others: what it wins, it wins.
  if (samples.empty())
    samples = {*first};
  return true;
}

void Race::guard(size_t i) {
  GuardrailRecord result;
  result.decided = true;
  result.margin = 1 - options.alpha;
  Runner &runner = runners[i];
  bool ran = true;
  if (course == Course::whole) {
    result.chosenMs = medianOf(runner.samples);
    result.baselineMs =
        baseline.samples.empty() ? baselineMs : medianOf(baseline.samples);
  } else {
    std::vector<double> samples;
    ran = guardOnWhole(i, runner, samples);
    result.chosenMs = samples.empty() ? 0 : medianOf(samples);
    result.baselineMs = medianOf(wholeBaseline);
  }
  result.keptBaseline =
      !ran ||
      result.chosenMs + share(runner) >
          options.alpha * (result.baselineMs + spread(baselinePreparationMs)) ||
      result.chosenMs > options.alpha * result.baselineMs;
  decision.guardrail = result;
  if (!result.keptBaseline) {
    decision.reason = "fastest of the candidates, and faster than " +
                      decision.baseline->name + " on the whole input";
  } else {
    decision.schedule = decision.baseline->schedule;
    if (decision.reason.empty())
      decision.reason = "the winner does not beat " + decision.baseline->name +
                        " by the margin on the whole input; the baseline "
                        "stays";
  }
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
  decision.budget.limitMs = limit();
  decision.budget.spentMs = spent();
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
  for (size_t i = 0; i < runners.size(); ++i)
    if (runners[i].racing && has(baseline.lastMs))
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

//===----------------------------------------------------------------------===//
// Online
//===----------------------------------------------------------------------===//

OnlineGuardrail::Side OnlineGuardrail::next() {
  if (state.decided)
    return state.keptBaseline ? baseline : chosen;
  return turn++ % 2 == 0 ? baseline : chosen;
}

void OnlineGuardrail::add(Side side, double ms) {
  if (state.decided || !isTime(ms))
    return;
  if (!isWarm[side]) {
    isWarm[side] = true;
    return;
  }
  if (samples[side].size() < mostSamples)
    samples[side].push_back(ms);
  size_t least = std::min(samples[0].size(), samples[1].size());
  if (least < leastSamples)
    return;
  Interval base = intervalOf(samples[baseline]);
  Interval own = intervalOf(samples[chosen]);
  Interval bound = {base.low * alpha, base.middle * alpha, base.high * alpha};
  if (!areSeparate(own, bound) && !areSeparate(bound, own) &&
      least < mostSamples)
    return;
  state.decided = true;
  state.chosenMs = own.middle;
  state.baselineMs = base.middle;
  state.margin = 1 - alpha;
  state.keptBaseline = own.middle > bound.middle;
}

void oracle::conclude(Decision &decision, const GuardrailRecord &record) {
  decision.guardrail = record;
  if (!record.keptBaseline) {
    decision.reason = "fastest of the candidates, and faster than " +
                      decision.baseline->name + " in the caller's own runs";
    return;
  }
  decision.schedule = decision.baseline->schedule;
  decision.reason = "the winner does not beat " + decision.baseline->name +
                    " by the margin in the caller's own runs; the baseline "
                    "stays";
}
