//===- Runner.h - prepares, runs, checks and times --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_RUNNER_H
#define AUTOSAGE_TOOLS_RUN_RUNNER_H

#include "Check.h"
#include "Choice.h"

namespace autosage::run {

struct Outcome {
  Choice choice;
  double compileMs = 0, probeMs = 0, prepareMs = 0;
  int64_t runs = 0;
  double medianMs = 0, minMs = 0;
  double gflops = 0, gbytesPerSecond = 0;
  int64_t workspaceBytes = 0;
  std::optional<CheckResult> check;
};

/// Makes a plan of the workload, runs it once for the result (which `--output`
/// and `--check` take), then times it.
Result<Outcome> execute(const Options &options, Workload &workload);

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_RUNNER_H
