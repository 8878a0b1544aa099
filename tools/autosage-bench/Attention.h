//===- Attention.h - attention fused, composed and in three calls -*- C++
//-*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_ATTENTION_H
#define AUTOSAGE_TOOLS_BENCH_ATTENTION_H

#include "Decide.h"
#include "Search.h"

namespace autosage::bench {

/// Scores, their softmax and the weighted sums as three plans, a call of each a
/// head: on a GPU SDDMM and SpMM are those of cuSPARSE, which has no softmax.
struct Composite {
  std::string name; // of the algorithm of SpMM
  Measurement measurement;
};

/// The ways to one result, timed one after the other.
struct AttentionForms {
  /// Of each form the fastest of those that were tried: what was chosen, the
  /// rule's schedule, and the first of the candidates.
  std::vector<Candidate> tried;
  std::vector<Composite> composites;

  const Candidate *best(bool fused) const;
  /// The fastest that is right; null where there is none.
  const Composite *bestComposite() const;
};

/// Whether a schedule of attention keeps no scores in memory.
bool isFused(const Schedule &schedule);

/// The composites that the target has: one an algorithm of cuSPARSE's SpMM, or
/// one of plans by the rule. A failure says why where scores are no products.
std::vector<Composite> measureComposites(Workload &workload,
                                         const Options &options);

/// With `probeK` candidates of each form beside what `chosen` names; of the
/// gradients without composites.
AttentionForms measureForms(Workload &workload, const Options &options,
                            const std::string &chosen);

/// Fused attention of such a cell, by the first of its candidates: what its
/// gradients are measured by.
Candidate measureForward(const GraphOnDevice &graph, int64_t features,
                         int64_t heads, const Options &options);

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_ATTENTION_H
