//===- Check.h - comparison with the reference ------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_CHECK_H
#define AUTOSAGE_TOOLS_RUN_CHECK_H

#include "Workload.h"

namespace autosage::run {

struct CheckResult {
  double relError = 0; // infinite where NaN or infinities differ
  double tolerance = 0;
  bool passed = false;
};

/// Compares `out`, the kernel's result, with the f64 reference. `initial` is
/// the output before the run, which accumulation starts from.
///
/// The tolerance is s + c * u * sqrt(L) * k: u is the unit roundoff of the type
/// of accumulation, L the longest sum (the longest row, or the width where that
/// is larger), c = 16; s is what storing f16 or bf16 adds, 0 for other outputs.
/// k is 1 at first; where the error is larger, k is the condition of this
/// input: sums of magnitudes over magnitudes of sums where terms cancel, the
/// largest logit where exponentials magnify its rounding.
CheckResult check(const Workload &workload, const HostArray &initial,
                  const HostArray &out);
/// Compares the gradients of attention, of the o and lse that were given.
CheckResult checkGradients(const Workload &workload);

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_CHECK_H
