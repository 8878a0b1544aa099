//===- ProbeOrder.cpp - which candidates to measure first -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An estimate errs alike for schedules that are alike. Of two that should take
// the same time, the one that is unlike what is measured anyway has more to
// gain: docs/estimate.md has the formula.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Estimate.h"

#include <algorithm>
#include <cmath>

using namespace autosage;

namespace {

/// What estimates of schedules err apart, in logarithms of time, where they
/// differ in one respect: root mean squares over candidates measured on an
/// H200 (docs/estimate.md).
constexpr double familyError = 0.08, orderError = 0.06, localityError = 0.2,
                 tileError = 0.065, unrollError = 0.045;
/// An octave.
constexpr double chunkError = 0.04;
/// Fused attention against composed.
constexpr double attentionErrorOfGpu = 0.095;
constexpr double attentionErrorOfCpu = 0.15; // measured there
/// CPUs only.
constexpr double prefetchError = 0.06;

constexpr double square(double x) { return x * x; }

/// The respects in which schedules differ.
struct Traits {
  explicit Traits(const RankedSchedule &r)
      : family(r.schedule.family), cost(std::log(r.costMs)) {
    const FamilySpec *known = findFamily(family);
    if (!known)
      return;
    onCpu = std::find(known->targets.begin(), known->targets.end(),
                      Target::cpu) != known->targets.end();
    for (const KnobSpec &knob : known->knobs) {
      auto it = r.schedule.knobs.find(knob.name);
      const KnobValue &value =
          it == r.schedule.knobs.end() ? knob.defaultValue : it->second;
      if (knob.name == "order")
        order = parseTaskOrder(std::get<std::string>(value))
                    .value_or(TaskOrder::stored);
      else if (knob.name == "chunk")
        chunk = std::log2(static_cast<double>(std::get<int64_t>(value)));
      else if (knob.name == "tile")
        tile = std::get<int64_t>(value);
      else if (knob.name == "unroll")
        unroll = std::get<int64_t>(value);
      else if (knob.name == "prefetch")
        prefetch = std::get<int64_t>(value);
      else if (knob.name == "attention")
        fused = std::get<std::string>(value) == "fused";
    }
  }

  std::string_view family;
  int64_t tile = 0, unroll = 0, prefetch = 0;
  double chunk = 0; // its logarithm
  TaskOrder order = TaskOrder::stored;
  double cost;
  bool fused = true, onCpu = false, taken = false;
};

double variance(const Traits &a, const Traits &b) {
  double sum = 0;
  // Families without an order take rows as they are stored.
  bool locality =
      (a.order == TaskOrder::locality) != (b.order == TaskOrder::locality);
  if (locality)
    sum += square(localityError);
  if (a.family != b.family) {
    sum += square(familyError);
  } else {
    if (a.order != b.order && !locality)
      sum += square(orderError);
    sum += square(chunkError) * std::abs(a.chunk - b.chunk);
  }
  if (a.tile != b.tile)
    sum += square(tileError);
  if (a.unroll != b.unroll)
    sum += square(unrollError);
  if (a.fused != b.fused)
    sum += square(a.onCpu ? attentionErrorOfCpu : attentionErrorOfGpu);
  if (a.prefetch != b.prefetch)
    sum += square(prefetchError);
  return sum;
}

/// What is gained on average by also measuring what should take `later` longer
/// (a logarithm), where that errs by the square root of `variance`.
double expectedGain(double later, double variance) {
  constexpr double rootOfTwoPi = 2.5066282746310002;
  if (variance <= 0)
    return 0;
  double error = std::sqrt(variance), z = later / error;
  if (z > 6)
    return 0;
  return error * std::exp(-z * z / 2) / rootOfTwoPi -
         later * 0.5 * std::erfc(z / std::sqrt(2.0));
}

} // namespace

void autosage::orderForProbing(std::vector<RankedSchedule> &ranked,
                               const RankedSchedule *measured) {
  if (ranked.size() < 3)
    return;
  std::vector<Traits> traits(ranked.begin(), ranked.end());
  // Of each, beside the closest rival among those taken.
  std::vector<double> gain(ranked.size(), 1e9);
  if (measured) {
    Traits known(*measured);
    for (size_t i = 0; i < ranked.size(); ++i)
      gain[i] =
          expectedGain(traits[i].cost - known.cost, variance(traits[i], known));
  }
  std::vector<size_t> order;
  order.reserve(ranked.size());
  size_t next = 0;
  while (true) {
    order.push_back(next);
    traits[next].taken = true;
    if (order.size() >= std::min(probedFirst, ranked.size()))
      break;
    const Traits &last = traits[next];
    next = ranked.size();
    for (size_t i = 0; i < ranked.size(); ++i) {
      if (traits[i].taken)
        continue;
      if (gain[i] > 0)
        gain[i] = std::min(gain[i], expectedGain(traits[i].cost - last.cost,
                                                 variance(traits[i], last)));
      if (next == ranked.size() || gain[i] > gain[next])
        next = i;
    }
  }
  for (size_t i = 0; i < ranked.size(); ++i)
    if (!traits[i].taken)
      order.push_back(i);
  std::vector<RankedSchedule> sorted;
  sorted.reserve(ranked.size());
  for (size_t i : order)
    sorted.push_back(std::move(ranked[i]));
  ranked = std::move(sorted);
}
