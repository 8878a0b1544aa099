//===- Options.h - what to measure -----------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_OPTIONS_H
#define AUTOSAGE_TOOLS_BENCH_OPTIONS_H

#include "autosage/Core/Result.h"
#include "autosage/Core/Schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace autosage::bench {

struct Options {
  std::vector<std::string> graphs; // files
  std::vector<OpKind> ops = {OpKind::spmm, OpKind::sddmm};
  std::vector<int64_t> features = {32, 64, 128, 256};
  DType dtype = DType::f32;
  std::string chip; // of the GPU, once it is known
  std::string device, driver;
  /// Instead of the grid.
  std::vector<Schedule> schedules;
  bool vendor = true;
  int32_t samples = 11; // of each measurement, whose median counts
  double sampleMs = 1;  // back-to-back runs that one sample takes
  uint64_t seed = 0;
  std::string json;   // file, or - for stdout
  std::string commit; // for the report
};

/// Reads the command line; an exit status where that is all there is to do.
std::optional<int> parseOptions(int argc, char **argv, Options &options);

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_OPTIONS_H
