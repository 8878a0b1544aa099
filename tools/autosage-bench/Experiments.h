//===- Experiments.h - those of the AutoSAGE paper --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is varied and what is measured; docs/experiments.md has the reasons.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_EXPERIMENTS_H
#define AUTOSAGE_TOOLS_BENCH_EXPERIMENTS_H

#include "Report.h"

#include <functional>

namespace autosage::bench {

struct Field {
  std::string name;
  llvm::json::Value value;
};

/// A cell with what the experiment set, and what it measured besides.
struct Record {
  std::string experiment;
  Cell cell;
  std::vector<Field> setting, extra;
};

/// An experiment on one operation of one graph.
struct Trial {
  Workload &workload;
  const Options &options;
  /// A file for decisions, or a folder for kernels, that nobody has used.
  std::function<std::string()> freshPath;
  /// Takes a result when it is there. `experiment` is filled in.
  std::function<void(Record)> report;
};

struct Experiment {
  std::string name, title;
  /// Says something where times do not count.
  bool onSimt;
  /// `first`: the first of the widths.
  bool (*covers)(const std::string &graph, OpKind op, bool first);
  void (*run)(const Trial &trial);
};

const std::vector<Experiment> &allExperiments();
/// Null for a name that is none.
const Experiment *findExperiment(const std::string &name);
/// All of them, with commas.
std::string experimentNames();

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_EXPERIMENTS_H
