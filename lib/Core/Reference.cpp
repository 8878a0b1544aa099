//===- Reference.cpp - slow, obvious evaluators of every op ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Semantics: docs/semantics.md. Nothing here is fast; all of it should be plain
// to check by eye. The position arithmetic is 64-bit throughout.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Reference.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace autosage::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Maximum and minimum through which a NaN on either side passes.
double maxOrNaN(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::fmax(a, b);
}
double minOrNaN(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::nan("") : std::fmin(a, b);
}

double dot(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t f = 0; f < n; ++f)
    sum += a[f] * b[f];
  return sum;
}

double leakyRelu(double x, double slope) { return x >= 0 ? x : slope * x; }

/// Replaces the logits of a row by exp(logit - max), and returns their sum and
/// maximum. Without a logit above -inf there is nothing to weigh: all weights
/// and the sum are 0. A maximum of NaN or +inf makes the whole row NaN.
struct RowSum {
  double max = -infinity;
  double sum = 0;
};
RowSum exponentials(std::vector<double> &row) {
  RowSum result;
  for (double logit : row)
    result.max = maxOrNaN(result.max, logit);
  for (double &logit : row) {
    logit = result.max == -infinity ? 0.0 : std::exp(logit - result.max);
    result.sum += logit;
  }
  return result;
}

/// Calls `fn(row, column, entry)` for every entry, in stored order.
template <typename Fn> void forEachEntry(const CsrView &a, Fn &&fn) {
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t e = a.rowptr[i]; e < a.rowptr[i + 1]; ++e)
      fn(i, a.colind[e], e);
}

} // namespace

void spmm(const CsrView &a, const EdgeValues &w, const double *x, double *y,
          const SpmmParams &params) {
  [[maybe_unused]] bool isSum =
      params.reduction == Reduction::sum || params.reduction == Reduction::mean;
  assert((isSum || !params.accumulate) && "max and min do not accumulate");
  int64_t outRows = params.transpose ? a.cols : a.rows;
  int64_t width = params.heads * params.features;

  // 0 is the result of an empty row for every reduction.
  std::vector<double> result(static_cast<size_t>(outRows * width), 0.0);
  std::vector<int64_t> edges(static_cast<size_t>(outRows), 0);
  forEachEntry(a, [&](int64_t i, int64_t j, int64_t e) {
    int64_t to = params.transpose ? j : i;
    int64_t from = params.transpose ? i : j;
    bool first = edges[static_cast<size_t>(to)]++ == 0;
    for (int64_t h = 0; h < params.heads; ++h) {
      for (int64_t f = 0; f < params.features; ++f) {
        int64_t column = h * params.features + f;
        double message = w.at(e, h) * x[from * width + column];
        double &r = result[static_cast<size_t>(to * width + column)];
        switch (params.reduction) {
        case Reduction::sum:
        case Reduction::mean:
          r += message;
          break;
        case Reduction::max:
          r = first ? message : maxOrNaN(r, message);
          break;
        case Reduction::min:
          r = first ? message : minOrNaN(r, message);
          break;
        }
      }
    }
  });

  for (int64_t i = 0; i < outRows; ++i) {
    for (int64_t c = 0; c < width; ++c) {
      double r = result[static_cast<size_t>(i * width + c)];
      int64_t count = edges[static_cast<size_t>(i)];
      if (params.reduction == Reduction::mean && count > 0)
        r /= static_cast<double>(count);
      y[i * width + c] = params.accumulate ? y[i * width + c] + r : r;
    }
  }
}

void sddmm(const CsrView &a, const EdgeValues &w, const double *q,
           const double *k, double *out, const SddmmParams &params) {
  int64_t heads = params.heads, features = params.features;
  forEachEntry(a, [&](int64_t i, int64_t j, int64_t e) {
    for (int64_t h = 0; h < heads; ++h) {
      int64_t qHead = i * heads + h, kHead = j * heads + h;
      double combined =
          params.combine == Combine::dot
              ? dot(q + qHead * features, k + kHead * features, features)
              : q[qHead] + k[kHead];
      out[e * heads + h] = params.scale * w.at(e, h) * combined;
    }
  });
}

void rowSoftmax(const CsrView &a, const double *s, double *out, int64_t heads,
                double scale) {
  for (int64_t i = 0; i < a.rows; ++i) {
    int64_t begin = a.rowptr[i], end = a.rowptr[i + 1];
    for (int64_t h = 0; h < heads; ++h) {
      std::vector<double> row;
      for (int64_t e = begin; e < end; ++e)
        row.push_back(scale * s[e * heads + h]);
      RowSum total = exponentials(row);
      for (int64_t e = begin; e < end; ++e) {
        double weight = row[static_cast<size_t>(e - begin)];
        out[e * heads + h] = total.sum == 0 ? 0.0 : weight / total.sum;
      }
    }
  }
}

void attention(const CsrView &a, const EdgeValues &bias, const double *q,
               const double *k, const double *v, const double *vec, double *out,
               double *lse, const AttentionParams &params) {
  int64_t heads = params.heads, features = params.features;
  int64_t valueFeatures = params.valueFeatures;

  auto score = [&](int64_t i, int64_t j, int64_t h) {
    int64_t qHead = i * heads + h, kHead = j * heads + h;
    if (params.score == Score::gat)
      return leakyRelu(q[qHead] + k[kHead], params.negativeSlope);
    if (params.score == Score::dot)
      return dot(q + qHead * features, k + kHead * features, features);
    double sum = 0;
    for (int64_t f = 0; f < features; ++f)
      sum += vec[h * features + f] *
             leakyRelu(q[qHead * features + f] + k[kHead * features + f],
                       params.negativeSlope);
    return sum;
  };

  for (int64_t i = 0; i < a.rows; ++i) {
    int64_t begin = a.rowptr[i], end = a.rowptr[i + 1];
    for (int64_t h = 0; h < heads; ++h) {
      std::vector<double> row;
      for (int64_t e = begin; e < end; ++e)
        row.push_back(params.scale * score(i, a.colind[e], h) +
                      (bias.data ? bias.at(e, h) : 0.0));
      RowSum total = exponentials(row);

      double *result = out + (i * heads + h) * valueFeatures;
      for (int64_t f = 0; f < valueFeatures; ++f)
        result[f] = 0;
      // Without weight nothing is gathered: 0 times an infinity would be NaN.
      for (int64_t e = begin; total.sum != 0 && e < end; ++e) {
        double weight = row[static_cast<size_t>(e - begin)] / total.sum;
        const double *value = v + (a.colind[e] * heads + h) * valueFeatures;
        for (int64_t f = 0; f < valueFeatures; ++f)
          result[f] += weight * value[f];
      }
      if (lse)
        lse[i * heads + h] = total.max + std::log(total.sum);
    }
  }
}

namespace {

/// Euclidean norm that neither overflows nor underflows on the way.
struct Norm {
  double scale = 0;
  double sumOfSquares = 0; // of x / scale

  void add(double x) {
    double magnitude = std::fabs(x);
    if (magnitude > scale) {
      double shrink = scale / magnitude;
      sumOfSquares = sumOfSquares * shrink * shrink + 1;
      scale = magnitude;
    } else if (magnitude > 0) {
      double y = magnitude / scale;
      sumOfSquares += y * y;
    }
  }
  double value() const { return scale * std::sqrt(sumOfSquares); }
  /// Also where one of the norms alone would overflow.
  double dividedBy(const Norm &o) const {
    return scale / o.scale * std::sqrt(sumOfSquares / o.sumOfSquares);
  }
};

} // namespace

double relativeError(const double *out, const double *ref, int64_t n) {
  Norm difference, reference;
  for (int64_t i = 0; i < n; ++i) {
    if (std::isfinite(out[i]) && std::isfinite(ref[i])) {
      if (std::isinf(out[i] - ref[i])) // beyond the range of f64
        return infinity;
      difference.add(out[i] - ref[i]);
      reference.add(ref[i]);
      continue;
    }
    bool same = std::isnan(out[i]) ? std::isnan(ref[i]) : out[i] == ref[i];
    if (!same)
      return infinity;
  }
  return reference.scale == 0 ? difference.value()
                              : difference.dividedBy(reference);
}

} // namespace autosage::reference
