//===- ReferenceBackward.cpp - gradients of every op, slowly --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulae: docs/gradients.md. Nothing here is fast; all of it should be plain
// to check by eye.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/ReferenceBackward.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace autosage::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Sets `count` numbers to 0, where there are any to set.
void clear(double *values, int64_t count) {
  if (values)
    std::fill_n(values, count, 0.0);
}

/// Calls `fn(row, column, entry)` for every entry, in stored order.
template <typename Fn> void forEachEntry(const CsrView &a, Fn &&fn) {
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t e = a.rowptr[i]; e < a.rowptr[i + 1]; ++e)
      fn(i, a.colind[e], e);
}

/// Whether `message` takes the place of `best` in a maximum or minimum: the
/// first NaN does, and nothing takes a NaN's place.
bool isBetter(double message, double best, Reduction reduction) {
  if (std::isnan(best))
    return false;
  return std::isnan(message) ||
         (reduction == Reduction::max ? message > best : message < best);
}

/// The edge that each element of the result is the message of; -1 in rows
/// without edges.
std::vector<int64_t> argEdges(const CsrView &a, const EdgeValues &w,
                              const double *x, const SpmmParams &params) {
  int64_t width = params.heads * params.features;
  int64_t outRows = params.transpose ? a.cols : a.rows;
  std::vector<int64_t> args(static_cast<size_t>(outRows * width), -1);
  std::vector<double> best(args.size());
  forEachEntry(a, [&](int64_t i, int64_t j, int64_t e) {
    int64_t to = params.transpose ? j : i, from = params.transpose ? i : j;
    for (int64_t c = 0; c < width; ++c) {
      double message = w.at(e, c / params.features) * x[from * width + c];
      auto at = static_cast<size_t>(to * width + c);
      if (args[at] < 0 || isBetter(message, best[at], params.reduction)) {
        args[at] = e;
        best[at] = message;
      }
    }
  });
  return args;
}

} // namespace

void spmmBackward(const CsrView &a, const EdgeValues &w, const double *x,
                  const double *dy, double *dx, double *dw,
                  const SpmmParams &params) {
  int64_t width = params.heads * params.features;
  int64_t outRows = params.transpose ? a.cols : a.rows;
  clear(dx, (params.transpose ? a.rows : a.cols) * width);
  clear(dw, a.nnz() * w.heads);
  bool picks =
      params.reduction == Reduction::max || params.reduction == Reduction::min;
  std::vector<int64_t> args;
  if (picks)
    args = argEdges(a, w, x, params);
  std::vector<int64_t> edges(static_cast<size_t>(outRows), 0);
  forEachEntry(a, [&](int64_t i, int64_t j, int64_t) {
    ++edges[static_cast<size_t>(params.transpose ? j : i)];
  });

  forEachEntry(a, [&](int64_t i, int64_t j, int64_t e) {
    int64_t to = params.transpose ? j : i, from = params.transpose ? i : j;
    for (int64_t c = 0; c < width; ++c) {
      if (picks && args[static_cast<size_t>(to * width + c)] != e)
        continue;
      int64_t h = c / params.features;
      double g = dy[to * width + c];
      if (params.reduction == Reduction::mean)
        g /= static_cast<double>(edges[static_cast<size_t>(to)]);
      if (dx)
        dx[from * width + c] += w.at(e, h) * g;
      if (dw)
        dw[w.heads == 1 ? e : e * w.heads + h] += x[from * width + c] * g;
    }
  });
}

void sddmmBackward(const CsrView &a, const EdgeValues &w, const double *q,
                   const double *k, const double *ds, double *dq, double *dk,
                   double *dw, const SddmmParams &params) {
  int64_t heads = params.heads;
  int64_t features = params.combine == Combine::add ? 1 : params.features;
  clear(dq, a.rows * heads * features);
  clear(dk, a.cols * heads * features);
  clear(dw, a.nnz() * w.heads);
  forEachEntry(a, [&](int64_t i, int64_t j, int64_t e) {
    for (int64_t h = 0; h < heads; ++h) {
      double g = params.scale * ds[e * heads + h];
      int64_t qHead = (i * heads + h) * features;
      int64_t kHead = (j * heads + h) * features;
      double combined = 0;
      for (int64_t f = 0; f < features; ++f) {
        double qf = q[qHead + f], kf = k[kHead + f];
        bool adds = params.combine == Combine::add;
        combined += adds ? qf + kf : qf * kf;
        if (dq)
          dq[qHead + f] += g * w.at(e, h) * (adds ? 1.0 : kf);
        if (dk)
          dk[kHead + f] += g * w.at(e, h) * (adds ? 1.0 : qf);
      }
      if (dw)
        dw[w.heads == 1 ? e : e * w.heads + h] += g * combined;
    }
  });
}

void rowSoftmaxBackward(const CsrView &a, const double *weights,
                        const double *da, double *ds, int64_t heads,
                        double scale) {
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t h = 0; h < heads; ++h) {
      double mean = 0;
      for (int64_t e = a.rowptr[i]; e < a.rowptr[i + 1]; ++e)
        if (double weight = weights[e * heads + h]; weight != 0)
          mean += weight * da[e * heads + h];
      for (int64_t e = a.rowptr[i]; e < a.rowptr[i + 1]; ++e) {
        double weight = weights[e * heads + h];
        ds[e * heads + h] =
            weight == 0 ? 0.0 : scale * weight * (da[e * heads + h] - mean);
      }
    }
}

namespace {

/// One edge and head of the backward pass of attention.
class AttentionEdge {
public:
  AttentionEdge(const AttentionTape &tape, const AttentionGradients &gradients,
                const AttentionParams &params)
      : tape(tape), gradients(gradients), params(params),
        width(params.score == Score::gat ? 1 : params.features),
        valueWidth(params.valueFeatures) {}

  void add(int64_t i, int64_t j, int64_t e, int64_t h) const {
    int64_t row = i * params.heads + h, column = j * params.heads + h;
    if (tape.lse[row] == -infinity)
      return;
    double bias = tape.bias.data ? tape.bias.at(e, h) : 0.0;
    double logit = params.scale * score(row, column, h) + bias;
    double p = std::exp(logit - tape.lse[row]);
    // dp - delta, where delta = sum of p * dp over the row = do . o.
    double difference = 0;
    for (int64_t f = 0; f < valueWidth; ++f) {
      double g = tape.dOut[row * valueWidth + f];
      difference += g * (tape.v[column * valueWidth + f] -
                         tape.out[row * valueWidth + f]);
      if (gradients.v)
        gradients.v[column * valueWidth + f] += p * g;
    }
    double ds = p == 0 ? 0.0 : p * difference;
    if (gradients.bias)
      gradients.bias[tape.bias.heads == 1 ? e : e * tape.bias.heads + h] += ds;
    addScore(row, column, h, params.scale * ds);
  }

private:
  double slopeAt(double t) const { return t >= 0 ? 1.0 : params.negativeSlope; }

  double score(int64_t row, int64_t column, int64_t h) const {
    const double *q = tape.q + row * width, *k = tape.k + column * width;
    double sum = 0;
    for (int64_t f = 0; f < width; ++f) {
      double t = q[f] + k[f];
      if (params.score == Score::dot)
        sum += q[f] * k[f];
      else
        sum += slopeAt(t) * t *
               (params.score == Score::gatv2 ? tape.vec[h * width + f] : 1.0);
    }
    return sum;
  }

  void addScore(int64_t row, int64_t column, int64_t h, double ds) const {
    const double *q = tape.q + row * width, *k = tape.k + column * width;
    for (int64_t f = 0; f < width; ++f) {
      double t = q[f] + k[f], toQ = k[f], toK = q[f];
      if (params.score != Score::dot)
        toQ = toK =
            slopeAt(t) *
            (params.score == Score::gatv2 ? tape.vec[h * width + f] : 1.0);
      if (gradients.q)
        gradients.q[row * width + f] += ds * toQ;
      if (gradients.k)
        gradients.k[column * width + f] += ds * toK;
      if (gradients.vec)
        gradients.vec[h * width + f] += ds * slopeAt(t) * t;
    }
  }

  const AttentionTape &tape;
  const AttentionGradients &gradients;
  const AttentionParams &params;
  int64_t width, valueWidth;
};

} // namespace

void attentionBackward(const CsrView &a, const AttentionTape &tape,
                       const AttentionGradients &gradients,
                       const AttentionParams &params) {
  int64_t width =
      params.heads * (params.score == Score::gat ? 1 : params.features);
  clear(gradients.q, a.rows * width);
  clear(gradients.k, a.cols * width);
  clear(gradients.v, a.cols * params.heads * params.valueFeatures);
  clear(gradients.vec, width);
  clear(gradients.bias, a.nnz() * tape.bias.heads);
  AttentionEdge edge(tape, gradients, params);
  forEachEntry(a, [&](int64_t i, int64_t j, int64_t e) {
    for (int64_t h = 0; h < params.heads; ++h)
      edge.add(i, j, e, h);
  });
}

double gradientError(const double *out, const double *ref, int64_t n) {
  std::vector<double> wanted(ref, ref + n);
  for (int64_t i = 0; i < n; ++i)
    if (std::isinf(ref[i]) && std::isnan(out[i]))
      wanted[i] = out[i];
  return relativeError(out, wanted.data(), n);
}

} // namespace autosage::reference
