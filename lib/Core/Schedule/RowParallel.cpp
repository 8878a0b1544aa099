//===- RowParallel.cpp - rows shared out among CPU threads ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CPU default: blocks of consecutive rows are parallel tasks; in a row, a
// tile of feature columns stays in vector registers while its entries are
// walked.
//
//===----------------------------------------------------------------------===//

#include "CpuKnobs.h"

using namespace autosage;

const FamilySpec &schedule::RowParallelFamily() {
  static const FamilySpec spec = {
      "row_parallel",
      {Target::cpu},
      {vecKnob(), tileKnob(), unrollKnob(), prefetchKnob(),
       integerKnob("grain", 1, 1 << 20, false, 64,
                   "rows of one parallel task, at least"),
       attentionKnob()},
      "blocks of consecutive rows run in parallel, one row at a time",
      verifyCpuKnobs,
      verifyCpuKnobsForTarget};
  return spec;
}
