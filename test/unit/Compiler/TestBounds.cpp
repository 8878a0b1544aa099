//===- TestBounds.cpp - how far a right kernel may be off -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum of L terms that is accumulated with unit roundoff u is off by about
// u * sqrt(L) times the size of its partial sums. The terms of these tests have
// signs drawn at random, so that this size is the root of the sum of their
// squares, r: what the error is relative to the result grows with |r| over
// |result|, where terms cancel (docs/semantics.md, errors and tolerances).
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include "autosage/Core/ReferenceBackward.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::test;
using compiler::EdgeValues;
using Values = std::vector<double>;

/// Standard deviations, roughly, that an error may be away from 0.
static constexpr double kSafety = 4;

static bool isHalf(DType dtype) {
  return dtype == DType::f16 || dtype == DType::bf16;
}

static double roundoffOf(DType dtype) {
  switch (dtype) {
  case DType::f64:
    return 0x1p-53;
  case DType::f32:
    return 0x1p-24;
  case DType::f16:
    return 0x1p-11;
  case DType::bf16:
    return 0x1p-8;
  }
  return 0;
}

static double accumulatorRoundoff(const compiler::KernelSpec &spec) {
  return roundoffOf(spec.dtype == DType::f64 ? DType::f64 : DType::f32);
}

/// Of the last rounding, to the type of the output.
static double storeBound(const compiler::KernelSpec &spec,
                         const Values &expected) {
  if (!isHalf(spec.dtype) || spec.f32Out)
    return 0;
  double bound = roundoffOf(spec.dtype);
  if (spec.dtype == DType::bf16)
    return bound;
  // Denormal results are off by up to half of the least f16.
  double sum = 0, count = 0;
  for (double value : expected)
    if (std::isfinite(value)) {
      sum += value * value;
      count += std::fabs(value) < 0x1p-14;
    }
  return sum > 0 ? bound + 0x1p-25 * std::sqrt(count / sum) : bound;
}

static Values squares(Values values) {
  for (double &value : values)
    value *= value;
  return values;
}

/// |sizes| / |expected| over the finite elements, at least 1.
static double magnification(const Values &sizes, const Values &expected) {
  double size = 0, norm = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    if (std::isfinite(expected[i]) && std::isfinite(sizes[i])) {
      size += sizes[i] * sizes[i];
      norm += expected[i] * expected[i];
    }
  return std::max(1.0, std::sqrt(norm > 0 ? size / norm : size));
}

static double longestRow(const Csr &csr, bool transpose) {
  std::vector<int64_t> degrees(transpose ? csr.cols : csr.rows);
  for (int64_t i = 0; i < csr.rows; ++i)
    for (int64_t e = csr.rowptr[i]; e < csr.rowptr[i + 1]; ++e)
      ++degrees[transpose ? csr.colind[e] : i];
  int64_t longest = 1;
  for (int64_t degree : degrees)
    longest = std::max(longest, degree);
  return static_cast<double>(longest);
}

//===----------------------------------------------------------------------===//
// Sums and dot products
//===----------------------------------------------------------------------===//

double TestCall::spmmBound(const Values &expected) const {
  double u = accumulatorRoundoff(spec);
  if (spec.reduction == Reduction::max || spec.reduction == Reduction::min)
    return u; // one product an element
  TestCall squared = *this;
  for (Values *operand : {&squared.w, &squared.x})
    *operand = squares(*operand);
  squared.spec.accumulate = false;
  Values mean, sum, none;
  squared.evaluate(mean, none);
  squared.spec.reduction = Reduction::sum;
  squared.evaluate(sum, none);
  Values sizes(sum.size());
  for (size_t i = 0; i < sum.size(); ++i)
    sizes[i] = sum[i] > 0 ? mean[i] / std::sqrt(sum[i]) : 0;
  double terms = longestRow(csr, spec.transpose);
  return kSafety * u * std::sqrt(terms) * magnification(sizes, expected);
}

double TestCall::sddmmBound(const Values &expected) const {
  double u = accumulatorRoundoff(spec);
  if (spec.combine == Combine::add)
    return kSafety * u; // the sum, the scale and the value
  TestCall squared = *this;
  for (Values *operand : {&squared.w, &squared.q, &squared.k})
    *operand = squares(*operand);
  squared.spec.scale = spec.scale * spec.scale;
  Values sizes, none;
  squared.evaluate(sizes, none);
  for (double &size : sizes)
    size = std::sqrt(size);
  double terms = static_cast<double>(std::max<int64_t>(widths.features, 1));
  return kSafety * u * std::sqrt(terms) * magnification(sizes, expected);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// The largest finite magnitude that a logit's terms add up to.
static double largestLogit(const TestCall &call) {
  bool isSoftmax = call.spec.op == OpKind::row_softmax;
  bool isDot = call.spec.score == Score::dot;
  int64_t heads = call.widths.heads;
  int64_t width = call.spec.score == Score::gat ? 1 : call.widths.features;
  auto score = [&](int64_t i, int64_t j, int64_t h) {
    double sum = 0;
    for (int64_t f = 0; f < width; ++f) {
      double q = std::fabs(call.q[(i * heads + h) * width + f]);
      double k = std::fabs(call.k[(j * heads + h) * width + f]);
      double a = call.vec.empty() ? 1 : std::fabs(call.vec[h * width + f]);
      sum += isDot ? q * k : a * (q + k);
    }
    return sum;
  };
  double largest = 0;
  for (int64_t i = 0; i < call.csr.rows; ++i)
    for (int64_t e = call.csr.rowptr[i]; e < call.csr.rowptr[i + 1]; ++e)
      for (int64_t h = 0; h < heads; ++h) {
        bool perHead = call.spec.edgeValues == EdgeValues::perHead;
        double w = call.w.empty()
                       ? 0.0
                       : std::fabs(call.w[perHead ? e * heads + h : e]);
        double logit =
            isSoftmax ? w * call.spec.scale
                      : score(i, call.csr.colind[e], h) * call.spec.scale + w;
        if (std::isfinite(logit))
          largest = std::max(largest, logit);
      }
  return largest;
}

TestCall::Bounds TestCall::softmaxBounds(const Values &expected,
                                         const Values &expectedLse) const {
  double u = accumulatorRoundoff(spec);
  // An error of a logit is a relative error of its weight.
  double logit = 1 + largestLogit(*this);
  double terms = std::sqrt(longestRow(csr, false));
  double bound = kSafety * u * (terms + logit);
  if (spec.op == OpKind::row_softmax)
    return {bound, 0};
  // Scores and weights of the composed form are stored in between; with a bias
  // or a leaky ReLU its logits are rounded in each of up to three steps.
  bool storesLogits =
      spec.score != Score::dot || spec.edgeValues != EdgeValues::none;
  if (spec.composed && isHalf(spec.dtype))
    bound += roundoffOf(spec.dtype) * ((storesLogits ? 5 : 2) * logit + 1);
  TestCall squared = *this;
  squared.v = squares(v);
  Values sizes, lse;
  squared.evaluate(sizes, lse);
  for (double &size : sizes) // at least sum of weight * |v|
    size = std::sqrt(size);
  Values logits(expectedLse.size(), logit);
  return {bound * magnification(sizes, expected),
          kSafety * u * (terms + magnification(logits, expectedLse))};
}

//===----------------------------------------------------------------------===//
// Gradients of attention
//===----------------------------------------------------------------------===//

static double finiteNorm(const Values &values) {
  double sum = 0;
  for (double value : values)
    if (std::isfinite(value))
      sum += value * value;
  return std::sqrt(sum);
}

static double largestOf(const Values &values) {
  double largest = 0;
  for (double value : values)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  return largest;
}

/// The norm of p * (|do . v| + |do . o|), with |v| and |o| at most `largest`:
/// the bias' gradient of a pass with one feature of 1, which is twice the sum
/// of |do|.
double TestCall::gradientTerms(double largest) const {
  int64_t heads = widths.heads;
  Values ones(static_cast<size_t>(csr.cols * heads), 1.0);
  Values zeros(static_cast<size_t>(csr.rows * heads), 0.0);
  Values sums = zeros, bias;
  for (size_t i = 0; i < dO.size(); ++i)
    if (std::isfinite(dO[i]))
      sums[i / static_cast<size_t>(widths.valueFeatures)] +=
          2 * largest * std::fabs(dO[i]);
  reference::EdgeValues given = edges();
  for (int64_t e = 0; e < csr.nnz(); ++e)
    for (int64_t h = 0; h < heads; ++h)
      bias.push_back(given.data ? given.at(e, h) : 0.0);
  Values ds(bias.size());
  reference::AttentionParams params = attentionParams();
  params.valueFeatures = 1;
  reference::attentionBackward(csr.view(),
                               {{bias.data(), heads},
                                q.data(),
                                k.data(),
                                ones.data(),
                                vec.data(),
                                zeros.data(),
                                lse.data(),
                                sums.data()},
                               {nullptr, nullptr, nullptr, nullptr, ds.data()},
                               params);
  return finiteNorm(ds);
}

double TestCall::gradientBound(const Part &part, const Values &expected) const {
  double longest = std::max(longestRow(csr, false), longestRow(csr, true));
  auto width = static_cast<double>(
      std::max<int64_t>({widths.features, widths.valueFeatures, 1}));
  // A logit's error is a relative one of its weight.
  double unit = kSafety * accumulatorRoundoff(spec) *
                (1 + largestLogit(*this) + std::sqrt(longest + width));
  double terms = gradientTerms(std::max({largestOf(v), largestOf(o), 1.0}));
  double factors =
      std::max({largestOf(q), largestOf(k), 1.0}) *
      std::max(1.0, std::fabs(spec.scale) * std::max(1.0, largestOf(vec)));
  // Sums of so many terms, each of which has a row of factors.
  double many = std::string_view(part.name) == "da"
                    ? static_cast<double>(csr.nnz())
                    : longest;
  double sums = std::sqrt(std::max(many, 1.0) * width) * factors * terms;
  double norm = finiteNorm(expected);
  return storeBound(spec, expected) +
         unit * std::max(1.0, norm > 0 ? sums / norm : sums);
}

std::vector<TestCall::OutputError>
TestCall::errors(const Values &expected, const Values &expectedLse) const {
  Bounds bounds = this->bounds(expected, expectedLse);
  std::vector<OutputError> all = {
      {"lse", relativeError(lse, expectedLse), bounds.lse}};
  for (const Part &part : parts()) {
    auto of = [&](const Values &values) {
      auto begin = values.begin() + static_cast<std::ptrdiff_t>(part.begin);
      return Values(begin, begin + static_cast<std::ptrdiff_t>(part.size));
    };
    Values wanted = of(expected);
    bool isGradient = spec.op == OpKind::attention_backward;
    Values got = of(out);
    if (isGradient)
      all.push_back({part.name,
                     reference::gradientError(got.data(), wanted.data(),
                                              static_cast<int64_t>(part.size)),
                     gradientBound(part, wanted)});
    else
      all.push_back({part.name, relativeError(got, wanted), bounds.out});
  }
  return all;
}

TestCall::Bounds TestCall::bounds(const Values &expected,
                                  const Values &expectedLse) const {
  Bounds bounds = {0, 0};
  switch (spec.op) {
  case OpKind::spmm:
    bounds.out = spmmBound(expected);
    break;
  case OpKind::sddmm:
    bounds.out = sddmmBound(expected);
    break;
  case OpKind::attention_backward:
    return bounds; // gradientBound
  case OpKind::row_softmax:
  case OpKind::attention:
    bounds = softmaxBounds(expected, expectedLse);
    break;
  }
  bounds.out += storeBound(spec, expected);
  bounds.lse += storeBound(spec, expectedLse);
  return bounds;
}
