//===- Suite.h - all experiments in one run ---------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_SUITE_H
#define AUTOSAGE_TOOLS_BENCH_SUITE_H

#include "Experiments.h"

namespace autosage::bench {

/// Where a graph of the suite comes from.
struct SuiteGraph {
  std::string name;
  std::string origin; // "generated: ..." or "file: ..."
  InputStats stats;
  double seconds = 0; // to make and to copy it
};

/// What a run has found so far.
struct SuiteResults {
  std::vector<SuiteGraph> graphs;
  std::vector<Record> records;
  double seconds = 0;
};

/// Runs the options' experiments and writes their reports; whether every cell
/// has a right result.
Result<bool> runSuite(const Options &options);

/// For people: four digits; - where nothing was measured.
std::string shown(double value);
std::string shown(const llvm::json::Value &value);

std::string suiteJson(const Options &options, const SuiteResults &results);
std::string suiteMarkdown(const Options &options, const SuiteResults &results);

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_SUITE_H
