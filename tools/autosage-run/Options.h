//===- Options.h - the command line of autosage-run -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the user asked for, checked as far as it can be without reading a file.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_OPTIONS_H
#define AUTOSAGE_TOOLS_RUN_OPTIONS_H

#include "autosage/Core/Schedule.h"

#include <optional>
#include <string>

namespace autosage::run {

/// Where edge values come from.
enum class EdgeSource : uint8_t { byDefault, stored, pattern, file };

/// Who chooses a schedule.
enum class OracleKind : uint8_t { estimate, probe, replay };
/// Whether a probe's winner has to beat the baseline on the whole input, and
/// when that is found out.
enum class GuardrailKind : uint8_t { on, off, online };

/// What is not set has the default of autosage_plan_options.
struct OracleOptions {
  OracleKind kind = OracleKind::estimate;
  GuardrailKind guardrail = GuardrailKind::on;
  std::optional<int64_t> probeK, expectedCalls;
  std::optional<double> budgetMs, margin, fraction;
  bool neverRepeats = false;
  std::optional<std::string> cache; // empty: no file
};

struct Options {
  std::string graph;
  OpKind op = OpKind::spmm;
  std::optional<int64_t> features, heads;
  Reduction reduction = Reduction::sum;
  Combine combine = Combine::dot;
  Score score = Score::dot;
  std::optional<double> scale;
  bool transpose = false, accumulate = false;

  DType dtype = DType::f32;
  bool f32Out = false;
  IndexType index = IndexType::i32;
  Target target = Target::cpu;
  bool targetIsAuto = false;
  std::string chip;             // of nvptx; empty: the device's
  std::string cpu, cpuFeatures; // empty: this machine's
  std::optional<int64_t> threads;
  std::optional<Schedule> schedule;
  OracleOptions oracle;
  bool nondeterministic = false;
  bool composed = false;

  uint64_t seed = 0;
  std::optional<std::string> x, q, k, v, a, dO;
  EdgeSource edgeSource = EdgeSource::byDefault;
  std::string edgeFile;

  std::optional<int64_t> repeat;
  bool check = false, explain = false;
  std::optional<std::string> output, emitMlir, json;
};

/// `cpu`, `simt` or `nvptx:sm_90`.
std::string targetName(const Options &options);

/// The options, or why the program ends here: `--help` and `--version` have
/// printed and end with success.
struct Parsed {
  std::optional<Options> options;
  Status status;
};
Parsed parseOptions(int argc, char **argv);

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_OPTIONS_H
