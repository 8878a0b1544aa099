//===- OracleSupport.h - what tests of decided plans share ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_RUNTIME_ORACLESUPPORT_H
#define AUTOSAGE_TEST_RUNTIME_ORACLESUPPORT_H

#include "PlanSupport.h"

#include "autosage/Oracle/Decision.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace autosage::test {

/// `cache` has to outlive the options.
inline autosage_plan_options oracleOptions(uint32_t oracle, const char *cache) {
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.oracle = oracle;
  options.decision_cache = cache;
  return options;
}
inline autosage_plan_options oracleOptions(uint32_t oracle,
                                           const std::string &cache) {
  return oracleOptions(oracle, cache.c_str());
}

inline oracle::Decision decisionOf(const PlanPtr &plan) {
  Result<oracle::Decision> decision =
      oracle::parseDecision(autosage_plan_decision(plan.get()));
  EXPECT_TRUE(decision) << (decision ? "" : decision.error());
  return decision ? *decision : oracle::Decision();
}

/// SpMM on a square random graph, in memory of the host. The entries of a row
/// are `degreeOf(row, random)`.
struct SpmmWorkload {
  template <typename DegreeOf>
  SpmmWorkload(int64_t rows, int64_t features, unsigned seed,
               DegreeOf &&degreeOf)
      : rows(rows), features(features) {
    std::mt19937 random(seed);
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t e = degreeOf(row, random); e > 0; --e)
        colind.push_back(
            static_cast<int32_t>(random() % static_cast<unsigned>(rows)));
      rowptr.push_back(static_cast<int32_t>(colind.size()));
    }
    auto draw = [&](size_t count) {
      std::vector<float> values(count);
      for (float &value : values)
        value = static_cast<float>(random() % 2001) / 1000 - 1;
      return values;
    };
    w = draw(colind.size());
    x = draw(static_cast<size_t>(rows * features));
    out.assign(x.size(), NAN);
    spec.features = features;
    spec.edgeValues = EdgeValues::perEdge;
  }

  Operands operands() {
    Operands o;
    o.a = {
        rows,
        rows,
        {rowptr.data(), rows + 1, IndexType::i32},
        {colind.data(), static_cast<int64_t>(colind.size()), IndexType::i32}};
    o.edgeValues = {w.data(), static_cast<int64_t>(w.size()), 1, 1, 0};
    o.x = {x.data(), rows, 1, features, 0};
    o.out = {out.data(), rows, 1, features, 0};
    return o;
  }

  /// Of the output, to an f64 reference.
  double error() const {
    double difference = 0, norm = 0;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t f = 0; f < features; ++f) {
        double sum = 0;
        for (int32_t e = rowptr[row]; e < rowptr[row + 1]; ++e)
          sum += static_cast<double>(w[e]) * x[colind[e] * features + f];
        double got = out[row * features + f];
        difference += (got - sum) * (got - sum);
        norm += sum * sum;
      }
    double relative = std::sqrt(difference / norm);
    return std::isnan(relative) ? HUGE_VAL : relative;
  }

  const int64_t rows, features;
  std::vector<int32_t> rowptr = {0}, colind;
  std::vector<float> w, x, out;
  KernelSpec spec;
};

} // namespace autosage::test

#endif // AUTOSAGE_TEST_RUNTIME_ORACLESUPPORT_H
