//===- CheckGradients.cpp - gradients against the f64 reference -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each gradient has an error and a tolerance of its own; reported is the one
// that comes closest to its tolerance. Where terms cancel, an error is no
// longer small beside the result: tolerances are of the terms
// (docs/gradients.md, errors).
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "Wide.h"

#include "autosage/Core/ReferenceBackward.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::run;

/// Edges of the longest row or column.
static int64_t longestSum(const Workload &w) {
  CsrView a = w.graph.csr.view();
  std::vector<int64_t> columns(static_cast<size_t>(a.cols));
  int64_t longest = std::max<int64_t>(w.stats.max, 1);
  for (int64_t e = 0; e < a.nnz(); ++e)
    longest = std::max(longest, ++columns[static_cast<size_t>(a.colind[e])]);
  return longest;
}

/// The norm of p * (|do . v| + |do . o|), with |v| and |o| at most `largest`:
/// the bias' gradient of a pass with one feature of 1, which is twice the sum
/// of |do|.
static double termsOf(const Workload &w, const WideOperands &wide,
                      double largest) {
  int64_t heads = w.heads, edges = w.graph.csr.nnz();
  auto rows = static_cast<size_t>(w.graph.csr.rows * heads);
  std::vector<double> ones(static_cast<size_t>(w.graph.csr.cols * heads), 1.0);
  std::vector<double> zeros(rows, 0.0), sums(rows, 0.0), bias, ds;
  std::vector<double> dO = w.dO.widened(), lse = w.lse.widened();
  for (size_t i = 0; i < dO.size(); ++i)
    if (std::isfinite(dO[i]))
      sums[i / static_cast<size_t>(w.valueFeatures)] +=
          2 * largest * std::fabs(dO[i]);
  reference::EdgeValues given = wide.edgeValues();
  for (int64_t e = 0; e < edges; ++e)
    for (int64_t h = 0; h < heads; ++h)
      bias.push_back(given.data ? given.at(e, h) : 0.0);
  ds.resize(bias.size());
  reference::AttentionParams params = attentionParams(w);
  params.valueFeatures = 1;
  reference::attentionBackward(w.graph.csr.view(),
                               {{bias.data(), heads},
                                wide.q.data(),
                                wide.k.data(),
                                ones.data(),
                                wide.a.data(),
                                zeros.data(),
                                lse.data(),
                                sums.data()},
                               {nullptr, nullptr, nullptr, nullptr, ds.data()},
                               params);
  return finiteNorm(ds);
}

static double largestOf(const std::vector<double> &values) {
  double largest = 0;
  for (double value : values)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  return largest;
}

/// What storing adds to the error of a gradient, relative to it.
static double storeTolerance(DType type, const std::vector<double> &expected) {
  if (type != DType::f16 && type != DType::bf16)
    return 0;
  double tolerance = roundoffOf(type), norm = finiteNorm(expected);
  if (type == DType::f16 && norm > 0)
    tolerance +=
        0x1p-25 * std::sqrt(static_cast<double>(expected.size())) / norm;
  return tolerance;
}

CheckResult run::checkGradients(const Workload &w) {
  WideOperands wide(w);
  std::vector<double> o = w.o.widened(), lse = w.lse.widened(),
                      dO = w.dO.widened();
  auto gradients = w.gradients();
  std::vector<std::vector<double>> expected;
  for (auto [name, gradient] : gradients)
    expected.emplace_back(static_cast<size_t>(gradient->size()));
  bool hasVec = w.spec.score == Score::gatv2;
  reference::attentionBackward(
      w.graph.csr.view(),
      {wide.edgeValues(), wide.q.data(), wide.k.data(), wide.v.data(),
       wide.a.data(), o.data(), lse.data(), dO.data()},
      {expected[0].data(), expected[1].data(), expected[2].data(),
       hasVec ? expected[3].data() : nullptr,
       w.spec.biasGradient ? expected.back().data() : nullptr},
      attentionParams(w));

  WideOperands magnitudes = wide;
  magnitudes.makeMagnitudes();
  double roundoff =
      roundoffOf(w.spec.dtype == DType::f64 ? DType::f64 : DType::f32);
  auto longest = static_cast<double>(longestSum(w));
  auto width =
      static_cast<double>(std::max<int64_t>({w.features, w.valueFeatures, 1}));
  // A logit's error is a relative one of its weight.
  double unit = 4 * roundoff *
                (1 + std::max(1.0, largestLogit(w, magnitudes)) +
                 std::sqrt(longest + width));
  double values = std::max({largestOf(wide.v), largestOf(o), 1.0});
  double terms = termsOf(w, wide, values);
  double operands =
      std::max({largestOf(wide.q), largestOf(wide.k), 1.0}) *
      std::max({std::fabs(w.spec.scale),
                largestOf(wide.a) * std::fabs(w.spec.scale), 1.0});

  CheckResult worst;
  worst.passed = true;
  for (size_t i = 0; i < gradients.size(); ++i) {
    const HostArray &array = *gradients[i].second;
    std::vector<double> got = array.widened();
    double error =
        reference::gradientError(got.data(), expected[i].data(), array.size());
    double norm = finiteNorm(expected[i]);
    // Sums of so many terms, each of which has a row of factors.
    bool isVec = std::string_view(gradients[i].first) == "da";
    double many = isVec ? static_cast<double>(w.graph.csr.nnz()) : longest;
    double sums = std::sqrt(std::max(many, 1.0) * width) * operands * terms;
    double condition = std::max(1.0, norm > 0 ? sums / norm : sums);
    double tolerance =
        storeTolerance(array.dtype(), expected[i]) + unit * condition;
    bool isWorse = !(error / tolerance <= worst.relError / worst.tolerance);
    if (i == 0 || isWorse) {
      worst.relError = error;
      worst.tolerance = tolerance;
    }
    worst.passed &= error <= tolerance;
  }
  return worst;
}
