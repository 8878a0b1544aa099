//===- Ties.cpp - the same winner from noisy times ------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/Ties.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace autosage;

static constexpr double infinity = std::numeric_limits<double>::infinity();

double oracle::medianOf(std::vector<double> samples) {
  assert(!samples.empty() && "median of nothing");
  for (double &sample : samples)
    if (!std::isfinite(sample))
      sample = infinity;
  std::sort(samples.begin(), samples.end());
  size_t half = samples.size() / 2;
  return samples.size() % 2 ? samples[half]
                            : (samples[half - 1] + samples[half]) / 2;
}

std::optional<size_t> oracle::pickWinner(const std::vector<double> &times,
                                         double band) {
  auto counts = [](double time) { return std::isfinite(time) && time > 0; };
  double best = infinity;
  for (double time : times)
    if (counts(time))
      best = std::min(best, time);
  for (size_t i = 0; i < times.size(); ++i)
    if (counts(times[i]) && times[i] <= best * (1 + band))
      return i;
  return std::nullopt;
}
