//===- OnlineGuardrail.cpp - what the caller's own runs decide ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interval.h"

#include "autosage/Oracle/Ties.h"

#include <algorithm>

using namespace autosage;
using namespace autosage::oracle;

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
