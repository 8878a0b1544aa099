//===- Reestimate.h - estimates for a stored report -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_REESTIMATE_H
#define AUTOSAGE_TOOLS_BENCH_REESTIMATE_H

#include "Options.h"

namespace autosage::bench {

/// Writes the report `estimateOf` to `json` (or stdout) with `estimate_ms`,
/// `rank` and the candidates of today in every cell: what was measured once
/// judges any later model.
Status estimateReport(const Options &options);

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_REESTIMATE_H
