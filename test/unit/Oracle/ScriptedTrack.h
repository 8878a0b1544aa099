//===- ScriptedTrack.h - a race whose times are written down ----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_ORACLE_SCRIPTEDTRACK_H
#define AUTOSAGE_TEST_ORACLE_SCRIPTEDTRACK_H

#include "autosage/Oracle/Race.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

namespace autosage::test {

/// What a schedule does.
struct Script {
  double ms = 1;           // of a run on the whole input
  double sampleFactor = 1; // how much slower a sample's rows are than others
  double compileMs = 0, loadMs = 0, preparationMs = 0;
  double fixedPreparationMs = 0; // whatever the course
  double firstFactor = 1;        // of the first run on a course
  std::string cannotEnter, cannotPrepare, cannotRun, wrong;
  bool wrongOnWhole = false;    // the sample does not show it
  std::vector<double> injected; // times of runs in turn, in place of `ms`
};

/// Noise is one-sided, as that of a clock: up to the given part.
class ScriptedTrack : public oracle::Racetrack {
public:
  std::map<std::string, Script> scripts;
  double noise = 0;
  std::mt19937 random{1};
  /// Of a layout, of a comparison, around a first run, and of the end.
  double layOutMs = 0, compareMs = 0, aroundMs = 0, closeMs = 0;
  double least = 0; // of a measurement

  // What was done.
  double clock = 1000;
  double longestStep = 0;
  /// Of what nothing could be known about before it began.
  double longestUnknown = 0;
  bool isClosed = false;
  double share = 1;
  std::vector<std::string> runners;
  std::map<std::string, int> runs, batches;
  std::set<size_t> retired;
  bool misused = false; // ran after it had retired, or unprepared

  double now() override { return clock; }

  /// One is compiled after the other, while the clock goes on.
  void enter(const std::vector<Schedule> &schedules) override {
    double at = clock;
    for (const Schedule &schedule : schedules) {
      std::string name = schedule.str();
      runners.push_back(name);
      ++batches[name];
      readyAt.push_back(at += scripts.at(name).compileMs);
    }
  }
  std::optional<Status> entered(size_t runner, double until) override {
    bool isReady = readyAt.at(runner) <= std::max(until, clock);
    double from = clock;
    clock = std::max(clock, std::min(until, readyAt.at(runner)));
    waited += clock - from;
    if (!isReady)
      return std::nullopt;
    const Script &script = scripts.at(runners.at(runner));
    return script.cannotEnter.empty() ? Status::success()
                                      : Status(Error{script.cannotEnter});
  }
  double compiledMs() const override { return waited; }
  Status load(size_t runner) override {
    step(scripts.at(runners.at(runner)).loadMs, /*isKnown=*/false);
    return Status::success();
  }
  Result<double> layOut(double fraction) override {
    step(layOutMs, /*isKnown=*/false);
    return share = fraction;
  }
  Result<double> prepare(size_t runner, oracle::Course course) override {
    const Script &script = scripts.at(runners.at(runner));
    prepared.insert({runner, course});
    firstRun.insert({runner, course});
    double ms =
        script.preparationMs * shareOf(course) + script.fixedPreparationMs;
    step(ms, /*isKnown=*/false);
    if (!script.cannotPrepare.empty())
      return Error{script.cannotPrepare};
    return ms;
  }
  Result<double> run(size_t runner, oracle::Course course) override {
    misused |=
        isClosed || retired.count(runner) || !prepared.count({runner, course});
    const std::string &name = runners.at(runner);
    const Script &script = scripts.at(name);
    int number = runs[name]++;
    double ms = script.ms * shareOf(course);
    if (course != oracle::Course::whole)
      ms *= script.sampleFactor;
    bool isFirst = firstRun.erase({runner, course}) > 0;
    if (isFirst)
      ms *= script.firstFactor;
    if (!script.injected.empty())
      ms =
          script.injected[static_cast<size_t>(number) % script.injected.size()];
    ms *= 1 + std::uniform_real_distribution<double>(0, noise)(random);
    // Short runs are repeated, once it is known that they are.
    // Results of a scout are not looked at.
    double around = course == oracle::Course::scout ? aroundMs / 4 : aroundMs;
    if (isFirst)
      lastFirst = around + ms;
    step(isFirst ? around + ms : std::max(1.0, std::ceil(least / ms)) * ms,
         /*isKnown=*/!isFirst);
    if (!script.cannotRun.empty())
      return Error{script.cannotRun};
    return ms;
  }
  Status compare(size_t runner, size_t, oracle::Course course) override {
    step(compareMs, /*isKnown=*/true);
    // One step with the run.
    longestUnknown = std::max(longestUnknown, lastFirst + compareMs);
    const Script &script = scripts.at(runners.at(runner));
    if (script.wrong.empty() ||
        (script.wrongOnWhole && course != oracle::Course::whole))
      return Status::success();
    return Error{script.wrong};
  }
  void retire(size_t runner) override { retired.insert(runner); }
  double leastMs() const override { return least; }
  double closingMs() const override { return isClosed ? 0 : closeMs; }
  void close() override {
    if (!isClosed)
      step(closeMs, /*isKnown=*/true);
    isClosed = true;
  }

  int allRuns() const {
    int sum = 0;
    for (const auto &[name, count] : runs)
      sum += count;
    return sum;
  }

private:
  std::set<std::pair<size_t, oracle::Course>> prepared, firstRun;
  std::vector<double> readyAt;
  double waited = 0, lastFirst = 0;

  void step(double ms, bool isKnown) {
    clock += ms;
    longestStep = std::max(longestStep, ms);
    if (!isKnown)
      longestUnknown = std::max(longestUnknown, ms);
  }
  double shareOf(oracle::Course course) const {
    switch (course) {
    case oracle::Course::scout:
      return share * oracle::scoutShare;
    case oracle::Course::sample:
      return share;
    case oracle::Course::whole:
      break;
    }
    return 1;
  }
};

} // namespace autosage::test

#endif // AUTOSAGE_TEST_ORACLE_SCRIPTEDTRACK_H
