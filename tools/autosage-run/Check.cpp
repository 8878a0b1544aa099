//===- Check.cpp - comparison with the reference --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "Wide.h"

#include "autosage/Core/Reference.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::run;
using compiler::EdgeValues;

static reference::SddmmParams sddmmParams(const Workload &w) {
  reference::SddmmParams params;
  params.combine = w.spec.combine;
  params.heads = w.heads;
  params.features = w.features;
  params.scale = w.spec.scale;
  return params;
}

static void evaluate(const Workload &w, WideOperands &wide) {
  CsrView a = w.graph.csr.view();
  switch (w.spec.op) {
  case OpKind::spmm: {
    reference::SpmmParams params;
    params.reduction = w.spec.reduction;
    params.heads = w.heads;
    params.features = w.features;
    params.transpose = w.spec.transpose;
    params.accumulate = w.spec.accumulate;
    return reference::spmm(a, wide.edgeValues(), wide.x.data(), wide.out.data(),
                           params);
  }
  case OpKind::sddmm:
    return reference::sddmm(a, wide.edgeValues(), wide.q.data(), wide.k.data(),
                            wide.out.data(), sddmmParams(w));
  case OpKind::row_softmax:
    return reference::rowSoftmax(a, wide.w.data(), wide.out.data(), w.heads,
                                 w.spec.scale);
  case OpKind::attention:
    return reference::attention(a, wide.edgeValues(), wide.q.data(),
                                wide.k.data(), wide.v.data(), wide.a.data(),
                                wide.out.data(), nullptr, attentionParams(w));
  case OpKind::attention_backward:
    return; // has several outputs: CheckGradients.cpp
  }
}

//===----------------------------------------------------------------------===//
// Tolerance
//===----------------------------------------------------------------------===//

/// The magnitude of the largest finite logit, from operands that are magnitudes
/// already: a bound on sum |q||k| + |bias|.
double run::largestLogit(const Workload &w, const WideOperands &wide) {
  CsrView a = w.graph.csr.view();
  double scale = std::fabs(w.spec.scale), largest = 0;
  reference::EdgeValues bias = wide.edgeValues();
  int64_t heads = w.heads, width = w.features;
  bool softmax = w.spec.op == OpKind::row_softmax;
  auto score = [&](int64_t i, int64_t j, int64_t h) {
    if (w.spec.score == Score::gat)
      return wide.q[i * heads + h] + wide.k[j * heads + h];
    const double *q = &wide.q[(i * heads + h) * width];
    const double *k = &wide.k[(j * heads + h) * width];
    double sum = 0;
    for (int64_t f = 0; f < width; ++f)
      sum += w.spec.score == Score::dot ? q[f] * k[f]
                                        : wide.a[h * width + f] * (q[f] + k[f]);
    return sum;
  };
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t e = a.rowptr[i]; e < a.rowptr[i + 1]; ++e)
      for (int64_t h = 0; h < heads; ++h) {
        double logit = softmax ? scale * bias.at(e, h)
                               : scale * score(i, a.colind[e], h) +
                                     (bias.data ? bias.at(e, h) : 0.0);
        if (std::isfinite(logit))
          largest = std::max(largest, logit);
      }
  return largest;
}

double run::finiteNorm(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    if (std::isfinite(value))
      sum += value * value;
  return std::sqrt(sum);
}

/// How much attention magnifies the rounding of a logit; at least 1. Expects
/// operands that are magnitudes.
static double attentionCondition(const Workload &w,
                                 const WideOperands &magnitudes,
                                 const std::vector<double> &reference) {
  double logit = std::max(1.0, largestLogit(w, magnitudes));
  // Weights are at most 1, so that the values bound the magnitudes.
  double largest = 0;
  for (double value : magnitudes.v)
    if (std::isfinite(value))
      largest = std::max(largest, value);
  double norm = finiteNorm(reference);
  double bound = largest * std::sqrt(static_cast<double>(reference.size()));
  return norm > 0 ? logit * std::max(1.0, bound / norm) : logit;
}

/// How much this input magnifies rounding; at least 1.
static double condition(const Workload &w, const HostArray &initial,
                        const std::vector<double> &reference) {
  bool selects =
      w.spec.op == OpKind::spmm && (w.spec.reduction == Reduction::max ||
                                    w.spec.reduction == Reduction::min);
  if (selects)
    return 1.0; // one product an element: nothing cancels
  WideOperands wide(w, initial);
  wide.makeMagnitudes();
  if (w.spec.op == OpKind::row_softmax)
    return std::max(1.0, largestLogit(w, wide));
  if (w.spec.op == OpKind::attention)
    return attentionCondition(w, wide, reference);
  evaluate(w, wide);
  double norm = finiteNorm(reference);
  return norm > 0 ? std::max(1.0, finiteNorm(wide.out) / norm) : 1.0;
}

double run::roundoffOf(DType dtype) {
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

/// What the last rounding adds, and those of scores and weights that composed
/// attention stores.
static double storeTolerance(const Workload &w, const HostArray &initial,
                             const std::vector<double> &reference) {
  DType type = w.out.dtype();
  double tolerance = 0;
  if (type == DType::f16 || type == DType::bf16)
    tolerance = roundoffOf(type);
  if (type == DType::f16) {
    // Results below 2^-14 are off by up to half of the least f16.
    double norm = finiteNorm(reference), denormal = 0;
    for (double value : reference)
      denormal += std::fabs(value) < 0x1p-14;
    if (norm > 0)
      tolerance += 0x1p-25 * std::sqrt(denormal) / norm;
  }
  bool isHalf = w.spec.dtype == DType::f16 || w.spec.dtype == DType::bf16;
  if (w.spec.composed && isHalf) {
    // Scores, weights and, with a bias or a leaky ReLU, logits.
    bool storesLogits = w.spec.score != Score::dot ||
                        w.spec.edgeValues != compiler::EdgeValues::none;
    WideOperands magnitudes(w, initial);
    magnitudes.makeMagnitudes();
    tolerance += roundoffOf(w.spec.dtype) *
                 (1 + (storesLogits ? 5 : 2) *
                          attentionCondition(w, magnitudes, reference));
  }
  return tolerance;
}

static double baseTolerance(const Workload &w) {
  double roundoff =
      roundoffOf(w.spec.dtype == DType::f64 ? DType::f64 : DType::f32);
  int64_t longest = std::max<int64_t>({w.stats.max, w.features, 1});
  if (w.spec.transpose)
    if (Result<Transposed> t = transpose(w.graph.csr.view()))
      longest = std::max(longest, computeStats(t->csr.view()).max);
  return 16 * roundoff * std::sqrt(static_cast<double>(longest));
}

CheckResult run::check(const Workload &w, const HostArray &initial,
                       const HostArray &out) {
  WideOperands wide(w, initial);
  evaluate(w, wide);
  // A finite f64 that the output's type cannot hold is infinite in a right
  // result.
  HostArray held(w.out.dtype(), {static_cast<int64_t>(wide.out.size())});
  if (held.assign(wide.out) != 0)
    for (size_t i = 0; i < wide.out.size(); ++i)
      if (std::isinf(held.at(static_cast<int64_t>(i))))
        wide.out[i] = held.at(static_cast<int64_t>(i));
  std::vector<double> got = out.widened();
  CheckResult result;
  result.relError =
      reference::relativeError(got.data(), wide.out.data(), out.size());
  double sum = baseTolerance(w), store = storeTolerance(w, initial, wide.out);
  if (std::isfinite(result.relError) && result.relError > store + sum)
    sum *= condition(w, initial, wide.out);
  result.tolerance = store + sum;
  result.passed = result.relError <= result.tolerance;
  return result;
}
