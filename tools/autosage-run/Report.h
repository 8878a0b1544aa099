//===- Report.h - what the tool tells at the end ----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_REPORT_H
#define AUTOSAGE_TOOLS_RUN_REPORT_H

#include "Runner.h"

namespace autosage::run {

/// One JSON object with every key, and a line feed. Rules for its form are in
/// docs/running.md.
std::string jsonReport(const Options &options, const Workload &workload,
                       const Outcome &outcome);

/// A short table for people.
std::string tableReport(const Options &options, const Workload &workload,
                        const Outcome &outcome);

/// The statistics and why the schedule was chosen.
std::string explanation(const Workload &workload, const Outcome &outcome);

/// Prints and writes what the options ask for.
Status report(const Options &options, const Workload &workload,
              const Outcome &outcome);

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_REPORT_H
