//===- RaceGuardrail.cpp - the winner against the baseline ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaceState.h"

#include "autosage/Oracle/Ties.h"

using namespace autosage;
using namespace autosage::oracle;

/// Runs of each side on the whole input.
static constexpr size_t mostGuardrailRuns = 5;

/// Runs the winner and the baseline by turns. False where the winner is out, or
/// there was no time to see it.
bool Race::guardOnWhole(size_t i, Runner &runner,
                        std::vector<double> &samples) {
  auto late = [&] {
    decision.reason = "the budget ended before the winner ran on the whole "
                      "input; the baseline stays";
    return false;
  };
  double most = mostMs(runner);
  if (!has(wholeCost(runner, most) - secondCost()))
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
  if (!has(most + around(Course::whole)))
    return late();
  Result<double> first = time(runner, Course::whole);
  if (!first)
    return lost(first.error());
  if (Status same = compare(runner, Course::whole); !same)
    return lost("wrong result: " + same.error());
  // First runs are slow by what differs from one to another. Where there is no
  // time for another one of the baseline, it takes at least what it took for a
  // part of the input.
  if (isBaselineCold) {
    bool beatsSample =
        *first + share(runner) <= options.alpha * middleOf(baseline);
    if (!(beatsSample ? fits(secondCost(), limit()) : has(secondCost()))) {
      if (!beatsSample)
        return late();
      samples = {*first};
      return true;
    }
    Result<double> warm = time(baseline, Course::whole);
    if (!warm)
      return lost("the baseline does not run again: " + warm.error());
    wholeBaseline = {std::min(*warm, wholeBaseline.front())};
    isBaselineCold = false;
  }
  while (samples.size() < mostGuardrailRuns) {
    if (!has(again(runner, Course::whole)))
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
    if (!has(again(baseline, Course::whole)))
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
