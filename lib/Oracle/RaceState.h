//===- RaceState.h - a race that is under way -------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_ORACLE_RACESTATE_H
#define AUTOSAGE_LIB_ORACLE_RACESTATE_H

#include "Interval.h"

#include "autosage/Oracle/Ties.h"

#include <algorithm>
#include <array>
#include <optional>

namespace autosage::oracle {

/// A run takes at most so many times what the one before took.
inline constexpr double runMargin = 1.1;
/// A run on the whole input takes at most so many times what the sample says.
inline constexpr double sampleMargin = 1.25;

struct Runner {
  size_t number = 0; // of the track
  bool racing = false;
  std::vector<double> samples;
  double lastMs = 0;
  /// Of the clock, for one more measurement on a course; 0: none yet.
  std::array<double, 3> costMs = {};
  double &cost(Course on) { return costMs[static_cast<size_t>(on)]; }
  double cost(Course on) const { return costMs[static_cast<size_t>(on)]; }
  double preparationMs = 0; // on the course
  double scoutPreparationMs = 0;
};

/// Of its samples; before there are any, its last run.
inline double middleOf(const Runner &runner) {
  return runner.samples.empty() ? runner.lastMs : medianOf(runner.samples);
}

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
  double runsMs = 0, teardownMs = 0;
  /// Of a first run, what it takes beyond the run: outputs are poisoned before
  /// it, and looked at and compared afterwards.
  std::array<double, 3> aroundMs = {};
  double comparisonMs = 0;
  double loadingMs = 0;  // of the last one
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
    double all = options.spentMs + track.now() - begin;
    return options.budgetMs > 0 ? all : all - track.compiledMs();
  }
  /// Whether there is time for so much more; notes the end where not.
  bool has(double ms) {
    if (fits(ms, limit()))
      return true;
    decision.budget.ended = true;
    return false;
  }
  bool fits(double ms, double limit) const {
    return spent() + ms + track.closingMs() + options.reserveMs <= limit;
  }
  /// Another run of who has run there.
  double again(const Runner &runner, Course on) const {
    return runMargin * runner.cost(on);
  }
  /// What surrounds the next first run on a course.
  double around(Course on) const {
    return aroundMs[static_cast<size_t>(on)] + comparisonMs;
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
  Status load(size_t number);
  Status compare(const Runner &runner, Course on);
  void retire(const Runner &runner);
  void reject(size_t i, const std::string &why);
  void firstRun(size_t i);
  bool isInTime(size_t i);
  double scoutCost() const;
  double firstCost() const;
  double mostBaselineMs() const;
  double secondCost() const;
  double mostMs(const Runner &runner) const;
  double wholeCost(const Runner &runner, double runMs) const;
  double reserve(int spareRuns) const;
  void rounds();
  void takeFirstRuns();
  bool isOver(bool mayDrop);
  std::optional<size_t> winner();
  void guard(size_t i);
  bool guardOnWhole(size_t i, Runner &runner, std::vector<double> &samples);
  void settle(std::optional<size_t> i);
  void record();
};

} // namespace autosage::oracle

#endif // AUTOSAGE_LIB_ORACLE_RACESTATE_H
