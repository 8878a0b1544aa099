//===- Reference.h - slow, obvious evaluators of every op -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The independent references that fast kernels are compared with. Written for
// reading: one loop nest an op, f64 throughout, operands given as f64 (the
// caller widens, which is exact). They follow docs/semantics.md to the letter.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_REFERENCE_H
#define AUTOSAGE_CORE_REFERENCE_H

#include "autosage/Core/Csr.h"

#include <vector>

namespace autosage::reference {

/// Dense operands are row-major and contiguous: [n][heads][width].

/// Values of the edges: none (each counts as 1), one an edge (`heads` = 1,
/// broadcast over heads), or one an edge and head.
struct EdgeValues {
  const double *data = nullptr;
  int64_t heads = 1;

  double at(int64_t edge, int64_t head) const {
    if (!data)
      return 1.0;
    return heads == 1 ? data[edge] : data[edge * heads + head];
  }
};

struct SpmmParams {
  Reduction reduction = Reduction::sum;
  int64_t heads = 1;
  int64_t features = 1;
  bool transpose = false;  // y = transpose(A) x
  bool accumulate = false; // y += ..., sum and mean only
};
/// x: [cols][heads][features] (rows where transposed);
/// y: [rows][heads][features] (cols where transposed).
void spmm(const CsrView &a, const EdgeValues &w, const double *x, double *y,
          const SpmmParams &params);

struct SddmmParams {
  Combine combine = Combine::dot;
  int64_t heads = 1;
  int64_t features = 1; // ignored by add
  double scale = 1.0;
};
/// dot: q [rows][heads][features], k [cols][heads][features];
/// add: q [rows][heads], k [cols][heads]; out [nnz][heads];
/// out = scale * w * (q . k) or scale * w * (q + k).
void sddmm(const CsrView &a, const EdgeValues &w, const double *q,
           const double *k, double *out, const SddmmParams &params);

/// out[e, h] = softmax over the edges of a row of scale * s[e, h].
/// `s` and `out` are [nnz][heads] and may be the same.
void rowSoftmax(const CsrView &a, const double *s, double *out, int64_t heads,
                double scale = 1.0);

struct AttentionParams {
  Score score = Score::dot;
  int64_t heads = 1;
  int64_t features = 1;      // of q and k; ignored by gat
  int64_t valueFeatures = 1; // of v and out
  double scale = 1.0;
  double negativeSlope = 0.2; // of the leaky ReLU in gat and gatv2
};
/// score_dot(i, j, h)   = q[i, h] . k[j, h]
/// score_gat(i, j, h)   = leaky_relu(q[i, h] + k[j, h]), q [rows][heads], k
/// [cols][heads] score_gatv2(i, j, h) = vec[h] . leaky_relu(q[i, h] + k[j, h]),
/// vec [heads][features] logit = scale * score + bias (bias absent: 0); out =
/// softmax(logit) v. `lse` [rows][heads], the natural logarithm of the sum of
/// exponentials, may be null; -inf for rows without a finite logit's weight.
void attention(const CsrView &a, const EdgeValues &bias, const double *q,
               const double *k, const double *v, const double *vec, double *out,
               double *lse, const AttentionParams &params);

/// ||out - ref|| / ||ref|| over the entries where both are finite. Infinity
/// when a NaN or an infinity (of either sign) stands in one and not in the
/// other. When ||ref|| is 0, ||out||.
double relativeError(const double *out, const double *ref, int64_t n);

} // namespace autosage::reference

#endif // AUTOSAGE_CORE_REFERENCE_H
