//===- Options.cpp - what to measure -------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "Experiments.h"

#include "autosage/Compiler/Compiler.h"
#include "autosage/Runtime/Plan.h"
#include "autosage/Runtime/Runtime.h"

#include <CLI/CLI.hpp>

#include <iostream>

using namespace autosage;
using namespace autosage::bench;

/// What a suite takes, and what it takes for granted.
static Status checkSuite(const std::string &suite, Options &o) {
  if (suite.empty()) {
    if (!o.experiments.empty() || !o.markdown.empty() || o.quick)
      return Error{"--experiment, --markdown and --quick expect --suite"};
    return Status::success();
  }
  if (suite != "autosage")
    return Error{"--suite expects autosage, got '" + suite + "'"};
  o.suite = o.alwaysBaseline = true;
  for (const std::string &name : o.experiments) {
    const Experiment *known = findExperiment(name);
    if (!known)
      return Error{"--experiment expects " + experimentNames() + ", got '" +
                   name + "'"};
    if (o.target == Target::simt && !known->onSimt)
      return Error{"--experiment " + name +
                   " measures, and the emulator's times say nothing of a GPU"};
  }
  return Status::success();
}

std::optional<int> bench::parseOptions(int argc, char **argv, Options &o) {
  CLI::App app("Times the schedules of a small grid, or all candidates of the "
               "estimate, on the CPU or a GPU; there against every algorithm "
               "of cuSPARSE. All in one run.");
  app.set_version_flag("--version", compiler::versionString());
  std::string target = "nvptx", dtype = "f32";
  std::vector<std::string> ops, schedules;
  app.add_option("GRAPH", o.graphs, "Graphs: .mtx, .npz or raw CSR .bin");
  app.add_option("--target", target,
                 "nvptx or cpu (nvptx); with --suite simt too; with "
                 "--estimate-of nvptx:CHIP too");
  app.add_option("--threads", o.threads, "Threads of the CPU (all)")
      ->check(CLI::Range(1, static_cast<int>(AUTOSAGE_MAX_THREADS)));
  // Each takes one word: what follows is a graph.
  app.add_option("--op", ops,
                 "spmm, sddmm, attention, attention_backward (the first two)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--heads", o.heads,
                 "Heads of attention, each of the width (1)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::PositiveNumber);
  std::string score = "dot";
  app.add_option("--score", score, "Scores of attention: dot or gat (dot)");
  app.add_flag("--forms,!--no-forms", o.forms,
               "Attention: time the fastest fused and composed schedule of "
               "some, and SDDMM, softmax and SpMM as three calls, too (yes)");
  CLI::Option *features =
      app.add_option(
             "--features", o.features,
             "Widths of the dense operands (32,64,128,256; of the suite "
             "64,128,256)")
          ->delimiter(',')
          ->allow_extra_args(false);
  app.add_option("--dtype", dtype, "f32, f64, f16 or bf16 (f32)");
  app.add_option("--schedule", schedules,
                 "A schedule instead of the grid; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--all-candidates", o.allCandidates,
               "Time every schedule that the estimate ranks instead of the "
               "grid");
  app.add_option("--candidates", o.mostCandidates,
                 "The best so many of them (all)")
      ->check(CLI::PositiveNumber);
  app.add_option("--expected-calls", o.expectedCalls,
                 "Calls that a preparation is spread over in the estimate "
                 "(1000)")
      ->check(CLI::Range(1.0, 1e12));
  std::string oracle;
  app.add_option(
      "--oracle", oracle,
      "Instead of the grid let a plan decide in each cell: estimate, "
      "probe or replay");
  app.add_option("--cache", o.cache,
                 "File of the decisions (none outlive the run)");
  app.add_option("--probe-k", o.probeK, "Candidates that a probe measures (3)")
      ->check(CLI::Range(1, 64));
  app.add_option("--probe-budget-ms", o.probeBudgetMs,
                 "The most that deciding may take, with compilation (50 ms or "
                 "five runs of the baseline, without it)")
      ->check(CLI::Range(0.0, 1e9));
  app.add_option("--estimate-of", o.estimateOf,
                 "Measure nothing: write this report again, with the estimates "
                 "of today for its schedules. Cells without statistics need "
                 "their graph");
  app.add_flag("--vendor,!--no-vendor", o.vendor, "Time cuSPARSE too (yes)");
  app.add_option("--samples", o.samples,
                 "Samples of a measurement, whose median counts (11)")
      ->check(CLI::Range(1, 10000));
  app.add_option("--sample-ms", o.sampleMs,
                 "Milliseconds of back-to-back runs in one sample (1)")
      ->check(CLI::Range(0.001, 1e4));
  app.add_option("--seed", o.seed, "Seed of the operands (0)");
  app.add_option("--commit", o.commit, "What the report says of the code");
  app.add_option("--json", o.json,
                 "Write the report as JSON; - is stdout, and the table goes to "
                 "stderr");
  std::string suite;
  app.add_option("--suite", suite,
                 "autosage: the experiments of the AutoSAGE paper, on graphs "
                 "that are generated from the seed; a GRAPH named reddit... or "
                 "products... stands in for that one");
  app.add_option("--experiment", o.experiments,
                 "Some of them: " + experimentNames() + " (all)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--quick", o.quick, "The suite on small graphs");
  app.add_option("--markdown", o.markdown,
                 "Write the suite's report as Markdown too");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    int status = app.exit(error);
    return status == 0 ? 0 : 2;
  }
  auto fail = [](const std::string &message) {
    std::cerr << "error: " << message << "\n";
    return 2;
  };
  if (target.rfind("nvptx:", 0) == 0) {
    o.chip = target.substr(6);
    target = "nvptx";
    if (o.estimateOf.empty())
      return fail("--target nvptx:CHIP is for --estimate-of; what is measured "
                  "has the device's chip");
  }
  if (target == "cpu")
    o.target = Target::cpu;
  else if (target == "simt" && !suite.empty())
    o.target = Target::simt;
  else if (target != "nvptx")
    return fail("--target expects nvptx or cpu, got '" + target + "'");
  if (Status status = checkSuite(suite, o); !status)
    return fail(status.error());
  if (o.suite && features->count() == 0)
    o.features = {64, 128, 256};
  if (o.suite && (!oracle.empty() || score != "dot" || !o.cache.empty() ||
                  !schedules.empty() || !ops.empty() || o.allCandidates ||
                  !o.estimateOf.empty()))
    return fail("--suite expects none of --oracle, --cache, --schedule, --op, "
                "--score, --all-candidates and --estimate-of");
  if (o.graphs.empty() && o.estimateOf.empty() && !o.suite)
    return fail("expects a graph");
  const std::pair<const char *, uint32_t> oracles[] = {
      {"estimate", AUTOSAGE_ORACLE_ESTIMATE},
      {"probe", AUTOSAGE_ORACLE_PROBE},
      {"replay", AUTOSAGE_ORACLE_REPLAY}};
  for (const auto &[name, mode] : oracles)
    if (oracle == name)
      o.oracle = mode;
  if (!oracle.empty() && !o.oracle)
    return fail("--oracle expects estimate, probe or replay, got '" + oracle +
                "'");
  if (o.oracle && (!schedules.empty() || o.allCandidates))
    return fail("--oracle expects neither --schedule nor --all-candidates");
  std::optional<DType> type = parseDType(dtype);
  if (!type)
    return fail("--dtype expects f32, f64, f16 or bf16, got '" + dtype + "'");
  o.dtype = *type;
  if (!ops.empty())
    o.ops.clear();
  for (const std::string &op : ops) {
    std::optional<OpKind> kind = parseOpKind(op);
    if (kind != OpKind::spmm && kind != OpKind::sddmm &&
        (!kind || !isAttention(*kind)))
      return fail("--op expects spmm, sddmm, attention or attention_backward, "
                  "got '" +
                  op + "'");
    o.ops.push_back(*kind);
  }
  std::optional<Score> kind = parseScore(score);
  if (kind != Score::dot && kind != Score::gat)
    return fail("--score expects dot or gat, got '" + score + "'");
  o.score = *kind;
  for (int64_t width : o.features)
    if (width < 1)
      return fail("--features expects widths of 1 or more, got " +
                  std::to_string(width));
  for (const std::string &text : schedules) {
    Result<Schedule> schedule = parseSchedule(text);
    if (!schedule)
      return fail("--schedule: " + schedule.error());
    o.schedules.push_back(*schedule);
  }
  return std::nullopt;
}
