//===- Options.h - what to measure -----------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_OPTIONS_H
#define AUTOSAGE_TOOLS_BENCH_OPTIONS_H

#include "autosage/Core/Estimate.h"
#include "autosage/Core/Result.h"
#include "autosage/Runtime/Device.h"

#include <optional>
#include <string>
#include <vector>

namespace autosage::bench {

struct Options {
  std::vector<std::string> graphs; // files
  std::vector<OpKind> ops = {OpKind::spmm, OpKind::sddmm};
  std::vector<int64_t> features = {32, 64, 128, 256};
  std::vector<int64_t> heads = {1}; // of attention
  Score score = Score::dot;         // of attention: dot or gat
  /// Of attention, beside what is chosen: both forms, and three calls.
  bool forms = true;
  DType dtype = DType::f32;
  /// nvptx or cpu; of a suite simt too.
  Target target = Target::nvptx;
  int32_t threads = 0; // of the CPU; 0: all
  /// What holds the operands and tells the time: the GPU, or the host.
  const autosage_device_api *api = nullptr;
  std::string chip; // of the GPU, once it is known
  std::string device, driver;
  /// What estimates are for.
  DeviceFacts facts;
  /// Instead of the grid.
  std::vector<Schedule> schedules;
  /// Every candidate of the estimate instead of the grid, or so many.
  bool allCandidates = false;
  int64_t mostCandidates = static_cast<int64_t>(maxCandidates);
  double expectedCalls = 1000;
  /// Plans decide, one a cell, instead of the grid: AUTOSAGE_ORACLE_*.
  std::optional<uint32_t> oracle;
  std::string cache; // of decisions; empty: none outlive the run
  uint32_t probeK = 3;
  double probeBudgetMs = 0;
  double probeFraction = 0; // of the entries; 0: what the budget allows
  double guardrailAlpha = 0.98;
  /// Where nothing was measured, what was chosen stands against the rule's
  /// schedule, or cuSPARSE.
  bool alwaysBaseline = false;
  /// Only estimates, of a report's schedules: nothing is measured.
  std::string estimateOf;
  bool vendor = true;
  int32_t samples = 11; // of each measurement, whose median counts
  double sampleMs = 1;  // back-to-back runs that one sample takes
  uint64_t seed = 0;
  std::string json; // file, or - for stdout
  /// The experiments of the AutoSAGE paper, or some of them, instead of a grid.
  bool suite = false;
  std::vector<std::string> experiments;
  bool quick = false;   // on small graphs
  std::string markdown; // file
  std::string commit;   // for the report
};

/// Reads the command line; an exit status where that is all there is to do.
std::optional<int> parseOptions(int argc, char **argv, Options &options);

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_OPTIONS_H
