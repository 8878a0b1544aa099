//===- ReferenceBackward.h - gradients of every op, slowly ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Reference.h is to results, this is to gradients: f64 throughout, one
// loop nest an op. A gradient has the shape of its operand; any output may be
// null. docs/gradients.md has the formulae and the rules.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_REFERENCEBACKWARD_H
#define AUTOSAGE_CORE_REFERENCEBACKWARD_H

#include "autosage/Core/Reference.h"

namespace autosage::reference {

/// `dy` has the shape of y. `dw` is [nnz][w.heads]; where one number serves all
/// heads, their sum. The gradient of `max` and `min` goes to the first edge of
/// the row, in stored order, whose message is the result; where that is NaN, to
/// the first that is NaN. What `accumulate` adds to has the gradient dy.
void spmmBackward(const CsrView &a, const EdgeValues &w, const double *x,
                  const double *dy, double *dx, double *dw,
                  const SpmmParams &params);

/// `ds` is [nnz][heads], `dw` as above.
void sddmmBackward(const CsrView &a, const EdgeValues &w, const double *q,
                   const double *k, const double *ds, double *dq, double *dk,
                   double *dw, const SddmmParams &params);

/// `weights` is what rowSoftmax gave. An edge without weight has the gradient
/// 0, whatever `da` is.
void rowSoftmaxBackward(const CsrView &a, const double *weights,
                        const double *da, double *ds, int64_t heads,
                        double scale = 1.0);

/// What `attention` read and gave, and the gradient of `out`.
struct AttentionTape {
  EdgeValues bias;
  const double *q, *k, *v, *vec;
  const double *out, *lse, *dOut;
};
struct AttentionGradients {
  double *q = nullptr, *k = nullptr, *v = nullptr;
  double *vec = nullptr;  // [heads][features], gatv2
  double *bias = nullptr; // [nnz][bias.heads]
};
/// A row with a log-sum-exp of -inf takes part in nothing: its gradients are 0,
/// and it adds to none. The leaky ReLU has the slope 1 at 0.
void attentionBackward(const CsrView &a, const AttentionTape &tape,
                       const AttentionGradients &gradients,
                       const AttentionParams &params);

/// `relativeError` of a gradient of attention. NaN is right where `ref` is
/// infinite: of an infinite element of dOut, dOut . v - dOut . out, which
/// kernels compute (dOut . out once a row), is inf - inf, and dOut . (v - out),
/// which the reference does, may be infinite. What is finite has to be, and NaN
/// is NaN.
double gradientError(const double *out, const double *ref, int64_t n);

} // namespace autosage::reference

#endif // AUTOSAGE_CORE_REFERENCEBACKWARD_H
