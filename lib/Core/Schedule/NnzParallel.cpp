//===- NnzParallel.cpp - entries shared out among CPU threads -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For skewed inputs on the CPU: parallel tasks hold equal numbers of entries,
// and a row too long for one is cut. A row is computed as in `row_parallel`.
//
//===----------------------------------------------------------------------===//

#include "CpuKnobs.h"

using namespace autosage;

const FamilySpec &schedule::NnzParallelFamily() {
  static const FamilySpec spec = {
      "nnz_parallel",
      {Target::cpu},
      {vecKnob(), tileKnob(), unrollKnob(), prefetchKnob(),
       integerKnob("parts", 0, 1 << 16, false, 0,
                   "parallel tasks; 0 derives them from the size of the input, "
                   "never from the number of threads"),
       attentionKnob()},
      "tasks of equal numbers of entries run in parallel, long rows cut and "
      "merged in order",
      verifyCpuKnobs,
      verifyCpuKnobsForTarget};
  return spec;
}
