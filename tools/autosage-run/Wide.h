//===- Wide.h - the operands as f64 -----------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the reference reads, and what errors are measured with.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_WIDE_H
#define AUTOSAGE_TOOLS_RUN_WIDE_H

#include "Workload.h"

#include "autosage/Core/Reference.h"

#include <cmath>

namespace autosage::run {

/// The operands as f64, as given or as magnitudes.
struct WideOperands {
  std::vector<double> w, x, q, k, v, a, out;
  bool hasEdgeValues = false;
  int64_t edgeHeads = 1;

  explicit WideOperands(const Workload &workload,
                        const HostArray &initial = HostArray())
      : w(workload.edgeValues.widened()), x(workload.x.widened()),
        q(workload.q.widened()), k(workload.k.widened()),
        v(workload.v.widened()), a(workload.a.widened()),
        out(initial.widened()),
        hasEdgeValues(workload.spec.edgeValues != compiler::EdgeValues::none),
        edgeHeads(workload.spec.edgeValues == compiler::EdgeValues::perHead
                      ? workload.heads
                      : 1) {}

  void makeMagnitudes() {
    for (std::vector<double> *array : {&w, &x, &q, &k, &v, &a, &out})
      for (double &value : *array)
        value = std::fabs(value);
  }

  reference::EdgeValues edgeValues() const {
    // No entries is not the same as no values.
    static const double nothing = 0;
    if (!hasEdgeValues)
      return {};
    return {w.empty() ? &nothing : w.data(), edgeHeads};
  }
};

inline reference::AttentionParams attentionParams(const Workload &w) {
  return {w.spec.score,    w.heads,      w.features,
          w.valueFeatures, w.spec.scale, w.spec.negativeSlope};
}

/// max |scale * score + bias|, from below of nothing that is finite.
double largestLogit(const Workload &w, const WideOperands &magnitudes);
double finiteNorm(const std::vector<double> &values);
double roundoffOf(DType dtype);

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_WIDE_H
