//===- RaceBudget.cpp - what the steps of a race take ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaceState.h"

#include "autosage/Oracle/Ties.h"

using namespace autosage;
using namespace autosage::oracle;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Race::retire(const Runner &runner) {
  double from = track.now();
  track.retire(runner.number);
  teardownMs += track.now() - from;
}

Status Race::load(size_t number) {
  double from = track.now();
  Status status = track.load(number);
  loadingMs = track.now() - from;
  return status;
}

Status Race::compare(const Runner &runner, Course on) {
  double from = track.now();
  Status same = track.compare(runner.number, baseline.number, on);
  comparisonMs = track.now() - from;
  runsMs += comparisonMs;
  return same;
}

Result<double> Race::time(Runner &runner, Course on) {
  double from = track.now();
  Result<double> ms = track.run(runner.number, on);
  double took = track.now() - from;
  runsMs += took;
  if (ms && !isTime(*ms))
    return Error{"expects a time, got " + std::to_string(*ms) + " ms"};
  if (!ms)
    return ms;
  runner.lastMs = *ms;
  double least = track.leastMs();
  if (runner.cost(on) == 0) {
    aroundMs[static_cast<size_t>(on)] = std::max(took - *ms, 0.0);
    // From now on, short runs are repeated until they can be measured.
    if (*ms < least)
      took = std::max(took, least + *ms);
  }
  runner.cost(on) = took;
  return ms;
}

//===----------------------------------------------------------------------===//
// What others will take
//===----------------------------------------------------------------------===//

/// Of the clock, for the first run of a candidate on a scout, of which nothing
/// is known but what the baseline took.
double Race::scoutCost() const {
  return course == Course::sample
             ? scoutShare * baseline.lastMs + around(Course::scout)
             : 0;
}

/// The same for its first run on the course.
double Race::firstCost() const {
  return scoutCost() + baseline.lastMs + around(course);
}

/// The next run of the baseline on the whole input takes at most so long. Its
/// first one may have taken several times as long as others do, which the
/// sample shows.
double Race::mostBaselineMs() const {
  if (!isBaselineCold)
    return runMargin * baselineMs;
  if (course == Course::whole || baseline.cost(course) == 0)
    return baselineMs;
  return std::min(baselineMs, sampleMargin * middleOf(baseline) / sampled);
}

/// Of the second run of the baseline on the whole input, where that is needed.
double Race::secondCost() const {
  if (!isBaselineCold)
    return 0;
  double least = track.leastMs(), ms = mostBaselineMs();
  return ms < least ? least + ms : ms;
}

/// One run on the whole input takes at most so long, as the sample tells.
double Race::mostMs(const Runner &runner) const {
  return mostBaselineMs() * middleOf(runner) / middleOf(baseline);
}

/// Of the clock, until a runner of the sample is prepared for the whole input,
/// has run there for so long and is compared, and the baseline has run twice.
double Race::wholeCost(const Runner &runner, double runMs) const {
  // Part of a preparation does not grow with the input, as a scout shows.
  double grows =
      std::max(runner.preparationMs - runner.scoutPreparationMs, 0.0) /
      (1 - scoutShare);
  return runner.preparationMs + grows * (1 / sampled - 1) + runMs +
         around(Course::whole) + secondCost();
}

/// What the guardrail needs after a race on a sample, with so many more runs of
/// who leads. Who is slower than the baseline needs none.
double Race::reserve(int spareRuns) const {
  if (course == Course::whole || options.guardrail != GuardrailMode::on)
    return 0;
  const Runner *leads = nullptr;
  for (const Runner &runner : runners)
    if (runner.racing && runner.cost(course) > 0 &&
        (!leads || runner.lastMs < leads->lastMs))
      leads = &runner;
  if (!leads)
    return 0;
  double runMs = std::min(mostMs(*leads), mostBaselineMs());
  return wholeCost(*leads, runMs) + spareRuns * runMs;
}
