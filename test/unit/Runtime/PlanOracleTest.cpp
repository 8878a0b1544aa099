//===- PlanOracleTest.cpp - plans whose schedule is decided ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the CPU, with real kernels and clocks. Which schedule wins is the
// machine's affair; that it is right, remembered and repeated is not.
//
//===----------------------------------------------------------------------===//

#include "OracleSupport.h"
#include "Subprocess.h"

#include "autosage/Core/KernelArguments.h"
#include "autosage/Runtime/Runtime.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace autosage;
using namespace autosage::test;
using oracle::Decision;

namespace {
/// SpMM on a graph with skewed rows.
struct Workload : SpmmWorkload {
  explicit Workload(int64_t rows = 3000, int64_t features = 24,
                    unsigned degrees = 12)
      : SpmmWorkload(rows, features, /*seed=*/1,
                     [=](int64_t row, std::mt19937 &random) {
                       auto degree = static_cast<int64_t>(random() % degrees);
                       return row % 97 == 0 ? degree + 200 : degree;
                     }) {}
};

struct Ran {
  Decision decision;
  std::string explained;
  double milliseconds = 0;
};

/// Makes a plan, runs it and checks the result.
Ran planAndRun(autosage_context *context, Workload &work,
               const autosage_plan_options &options) {
  Operands operands = work.operands();
  PlanPtr plan;
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(makePlan(context, work.spec, operands, nullptr, plan, &options),
            AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  std::chrono::duration<double, std::milli> ms =
      std::chrono::steady_clock::now() - begin;
  if (!plan)
    return {};
  std::fill(work.out.begin(), work.out.end(), NAN);
  autosage_operands c = toC(operands);
  EXPECT_EQ(autosage_plan_run(plan.get(), &c, nullptr), AUTOSAGE_PLAN_OK);
  EXPECT_LE(work.error(), 1e-5);
  return {decisionOf(plan), autosage_plan_explain(plan.get()), ms.count()};
}
} // namespace

TEST(PlanOracle, AProbeDecidesAndIsRemembered) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  Workload work;
  std::string schedule;
  std::vector<float> first;
  {
    ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
    auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, cache);
    options.probe_budget_ms = 10000; // however busy the machine is
    Ran ran = planAndRun(context.get(), work, options);
    const Decision &d = ran.decision;
    EXPECT_EQ(d.decidedBy, DecidedBy::probe);
    EXPECT_TRUE(checkStorable(d)) << checkStorable(d).error();
    EXPECT_EQ(d.candidates.size(), 3u);
    ASSERT_TRUE(d.baseline);
    EXPECT_EQ(d.baseline->name, "row_parallel");
    EXPECT_GT(d.baseline->ms, 0);
    ASSERT_TRUE(d.guardrail);
    EXPECT_TRUE(d.guardrail->decided);
    // The winner may lose to the baseline, which is chosen then.
    if (!d.guardrail->keptBaseline)
      EXPECT_LE(d.guardrail->chosenMs, 0.98 * d.guardrail->baselineMs);
    else
      EXPECT_EQ(d.schedule, d.baseline->schedule);
    for (const oracle::CandidateRecord &c : d.candidates) {
      EXPECT_EQ(c.rejected, "");
      EXPECT_GT(c.probeMs, 0) << ran.explained;
    }
    for (const char *line : {"decided_by probe", "candidate ",
                             "baseline row_parallel", "guardrail ", "budget "})
      EXPECT_NE(ran.explained.find(line), std::string::npos) << line << "\n"
                                                             << ran.explained;
    schedule = d.schedule;
    first = work.out;
  }
  // Another process would find it, and so does another context.
  for (uint32_t oracle : {AUTOSAGE_ORACLE_PROBE, AUTOSAGE_ORACLE_REPLAY,
                          AUTOSAGE_ORACLE_ESTIMATE}) {
    ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
    Ran ran = planAndRun(context.get(), work, oracleOptions(oracle, cache));
    EXPECT_EQ(ran.decision.decidedBy, DecidedBy::cache);
    EXPECT_EQ(ran.decision.schedule, schedule);
    EXPECT_EQ(std::memcmp(first.data(), work.out.data(),
                          first.size() * sizeof(float)),
              0);
  }
}

TEST(PlanOracle, AHitCompilesNothing) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite", kernels = folder.path + "/k";
  Workload work;
  autosage_context_options options = optionsFor(AUTOSAGE_TARGET_CPU);
  options.cache_dir = kernels.c_str();
  ContextPtr context = makeContext(options);
  planAndRun(context.get(), work, oracleOptions(AUTOSAGE_ORACLE_PROBE, cache));
  // A process without a compiler: what it needs is at hand.
  pid_t child = fork();
  if (child == 0) {
    options.compiler = "/nonexistent";
    ContextPtr other = makeContext(options);
    Ran ran = planAndRun(other.get(), work,
                         oracleOptions(AUTOSAGE_ORACLE_PROBE, cache));
    bool good = ran.decision.decidedBy == DecidedBy::cache &&
                !::testing::Test::HasFailure();
    _exit(good ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// A replay measures nothing.
TEST(PlanOracle, ReplayWithoutADecisionFallsBackToTheRule) {
  TempFolder folder;
  Workload work;
  std::vector<std::string> warnings;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU, &warnings));
  Ran ran = planAndRun(
      context.get(), work,
      oracleOptions(AUTOSAGE_ORACLE_REPLAY, folder.path + "/none.sqlite"));
  EXPECT_EQ(ran.decision.decidedBy, DecidedBy::fallback);
  EXPECT_NE(ran.decision.reason.find("nothing was decided"), std::string::npos);
  EXPECT_TRUE(ran.decision.candidates.empty());
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_NE(access((folder.path + "/none.sqlite").c_str(), F_OK), 0);
  autosage_plan_options plain;
  autosage_plan_options_init(&plain, sizeof plain);
  EXPECT_EQ(planAndRun(context.get(), work, plain).decision.schedule,
            ran.decision.schedule);
}

TEST(PlanOracle, TheUsersScheduleStands) {
  Workload work;
  work.spec.schedule = *parseSchedule("row_parallel, grain = 3");
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  Ran ran =
      planAndRun(context.get(), work, oracleOptions(AUTOSAGE_ORACLE_PROBE, ""));
  EXPECT_EQ(ran.decision.decidedBy, DecidedBy::user);
  EXPECT_EQ(ran.decision.schedule, "row_parallel, grain = 3");
  EXPECT_FALSE(ran.decision.baseline);
}

TEST(PlanOracle, AnEstimateMeasuresNothingAndIsReplayed) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  Workload work;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  Ran ran = planAndRun(context.get(), work,
                       oracleOptions(AUTOSAGE_ORACLE_ESTIMATE, cache));
  EXPECT_EQ(ran.decision.decidedBy, DecidedBy::estimate);
  for (const oracle::CandidateRecord &c : ran.decision.candidates)
    EXPECT_EQ(c.probeMs, 0);
  Ran again = planAndRun(context.get(), work,
                         oracleOptions(AUTOSAGE_ORACLE_REPLAY, cache));
  EXPECT_EQ(again.decision.decidedBy, DecidedBy::cache);
  EXPECT_EQ(again.decision.schedule, ran.decision.schedule);
}

// Operations that add to their output.
TEST(PlanOracle, ProbingLeavesTheCallersBuffersAlone) {
  Workload work(500, 8);
  work.spec.accumulate = true;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  std::vector<float> results[2];
  for (std::vector<float> &result : results) {
    Operands operands = work.operands();
    std::fill(work.out.begin(), work.out.end(), 100.0f);
    PlanPtr plan;
    auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, "");
    // With the caller's data at hand while it is made.
    autosage_kernel_spec spec = toC(work.spec, "");
    autosage_pattern pattern = patternOf(operands.a);
    autosage_operands c = toC(operands);
    autosage_plan *made = nullptr;
    ASSERT_EQ(autosage_plan_create(context.get(), &spec, &pattern, &c, &options,
                                   nullptr, &made),
              AUTOSAGE_PLAN_OK)
        << autosage_plan_last_error();
    plan.reset(made);
    for (float value : work.out)
      ASSERT_EQ(value, 100.0f);
    ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), AUTOSAGE_PLAN_OK);
    result = work.out;
  }
  for (float &value : work.out)
    value -= 100;
  EXPECT_LE(work.error(), 1e-4);
  EXPECT_EQ(results[0], results[1]);
}

// Handed case C09: equal sizes, other structure.
TEST(PlanOracle, GraphsOfEqualSizeHaveDecisionsOfTheirOwn) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  std::vector<std::vector<int32_t>> rowptrs = {{0, 2, 4, 6, 8},
                                               {0, 8, 8, 8, 8}};
  std::vector<std::vector<float>> expected = {{21, 430, 6500, 7008},
                                              {13959, 0, 0, 0}};
  std::set<size_t> seen;
  for (int round = 0; round < 2; ++round)
    for (size_t g : {0, 1, 0}) {
      Workload work(4, 1);
      work.rowptr = rowptrs[g];
      work.colind = {0, 1, 1, 2, 2, 3, 3, 0};
      work.w = {1, 2, 3, 4, 5, 6, 7, 8};
      work.x = {1, 10, 100, 1000};
      Ran ran = planAndRun(context.get(), work,
                           oracleOptions(AUTOSAGE_ORACLE_PROBE, cache));
      EXPECT_EQ(work.out, expected[g]);
      // The first of each is decided, every other one remembered.
      bool isNew = seen.insert(g).second;
      EXPECT_EQ(ran.decision.decidedBy,
                isNew ? DecidedBy::probe : DecidedBy::cache);
    }
}

TEST(PlanOracle, ThreadsThatPrepareTheSameShareOneProbe) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  Workload work;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  std::vector<Decision> decisions(8);
  std::vector<std::thread> threads;
  Operands operands = work.operands();
  for (Decision &decision : decisions)
    threads.emplace_back([&] {
      PlanPtr plan;
      auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, cache);
      if (makePlan(context.get(), work.spec, operands, nullptr, plan,
                   &options) == AUTOSAGE_PLAN_OK)
        decision = decisionOf(plan);
    });
  for (std::thread &thread : threads)
    thread.join();
  int probes = 0;
  for (const Decision &decision : decisions) {
    EXPECT_EQ(decision.schedule, decisions[0].schedule);
    EXPECT_NE(decision.schedule, "");
    probes += decision.decidedBy == DecidedBy::probe;
  }
  EXPECT_EQ(probes, 1);
}

//===----------------------------------------------------------------------===//
// A broken candidate
//===----------------------------------------------------------------------===//

namespace {
/// Loops of so many pieces do nothing.
std::set<int64_t> brokenCounts;
std::set<int64_t> *countsSeen = nullptr;
std::mutex countsMutex; // of both

void brokenParallelFor(int64_t count, autosage_loop_body body,
                       void *context) noexcept {
  {
    std::lock_guard<std::mutex> lock(countsMutex);
    if (countsSeen)
      countsSeen->insert(count);
    if (brokenCounts.count(count))
      return;
  }
  autosage_parallel_for(count, body, context);
}

/// How many pieces the loops of a schedule have.
std::set<int64_t> countsOf(autosage_context *context, Workload &work,
                           const std::string &schedule) {
  std::set<int64_t> counts;
  work.spec.schedule = *parseSchedule(schedule);
  countsSeen = &counts;
  planAndRun(context, work, oracleOptions(AUTOSAGE_ORACLE_RULE, ""));
  countsSeen = nullptr;
  work.spec.schedule.reset();
  return counts;
}
} // namespace

// Handed case C17, with kernels: one does none of its work, fastest of all.
TEST(PlanOracle, ACandidateThatSkipsWorkIsRejected) {
  // Of these degrees the families cut their loops differently.
  Workload work(3000, 24, 26);
  autosage_symbol symbols[] = {
      {"autosage_parallel_for", reinterpret_cast<void *>(&brokenParallelFor)},
      {nullptr, nullptr}};
  autosage_context_options contextOptions = optionsFor(AUTOSAGE_TARGET_CPU);
  contextOptions.symbols = symbols;
  ContextPtr context = makeContext(contextOptions);
  auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, "");
  options.probe_k = 8;
  options.probe_fraction = 1;
  options.probe_budget_ms = 10000; // however busy the machine is
  Decision right = planAndRun(context.get(), work, options).decision;
  ASSERT_TRUE(right.baseline);
  // Numbers of pieces that some candidates have and the baseline has not.
  std::set<int64_t> fine =
      countsOf(context.get(), work, right.baseline->schedule);
  std::set<std::string> broken;
  std::set<int64_t> counts;
  for (const oracle::CandidateRecord &c : right.candidates) {
    EXPECT_EQ(c.rejected, "");
    for (int64_t count : countsOf(context.get(), work, c.schedule))
      if (!fine.count(count)) {
        counts.insert(count);
        broken.insert(c.schedule);
      }
  }
  ASSERT_FALSE(broken.empty());
  ContextPtr again = makeContext(contextOptions);
  brokenCounts = counts;
  Ran ran = planAndRun(again.get(), work, options);
  brokenCounts.clear();
  EXPECT_EQ(broken.count(ran.decision.schedule), 0u);
  for (const oracle::CandidateRecord &c : ran.decision.candidates)
    EXPECT_EQ(c.rejected.find("wrong result") == 0, broken.count(c.schedule))
        << c.schedule << ": " << c.rejected;
  EXPECT_NE(ran.explained.find("rejected, wrong result"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Sampling, guardrails, budgets
//===----------------------------------------------------------------------===//

TEST(PlanOracle, ASampleDecidesForEveryOperation) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  for (bool transpose : {false, true}) {
    Workload work(4000, 16);
    work.spec.transpose = transpose;
    auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, "");
    options.probe_fraction = 0.25;
    Operands operands = work.operands();
    PlanPtr plan;
    ASSERT_EQ(
        makePlan(context.get(), work.spec, operands, nullptr, plan, &options),
        AUTOSAGE_PLAN_OK)
        << autosage_plan_last_error();
    Decision d = decisionOf(plan);
    EXPECT_EQ(d.decidedBy, DecidedBy::probe);
    for (const oracle::CandidateRecord &c : d.candidates)
      EXPECT_EQ(c.rejected, "");
  }
}

TEST(PlanOracle, AnImpossibleMarginKeepsTheBaseline) {
  Workload work;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, "");
  options.guardrail_alpha = 1e-3;
  Ran ran = planAndRun(context.get(), work, options);
  EXPECT_TRUE(ran.decision.guardrail->keptBaseline);
  EXPECT_EQ(ran.decision.schedule, ran.decision.baseline->schedule);
  EXPECT_TRUE(checkStorable(ran.decision));
}

TEST(PlanOracle, ATinyBudgetEndsTheSearchAndTheBaselineRuns) {
  Workload work;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, "");
  options.probe_budget_ms = 0.01;
  Ran ran = planAndRun(context.get(), work, options);
  EXPECT_TRUE(ran.decision.budget.ended);
  EXPECT_EQ(ran.decision.schedule, ran.decision.baseline->schedule);
  EXPECT_NE(ran.explained.find("which ended the search"), std::string::npos);
}

// The budget is the caller's, compilation and all: what is not compiled by then
// is left to itself, and is at hand later.
TEST(PlanOracle, ASlowCompilerDoesNotHoldUpTheDecision) {
  TempFolder folder;
  std::string kernels = folder.path + "/kernels";
  Workload work;
  work.spec.negativeSlope = 0.37; // kernels of its own
  autosage_context_options contextOptions = optionsFor(AUTOSAGE_TARGET_CPU);
  contextOptions.cache_dir = kernels.c_str();
  contextOptions.compiler = AUTOSAGE_SLOW_COMPILER;
  auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, "");
  options.probe_budget_ms = 600;
  options.probe_k = 4;
  // What the baseline is does not depend on times.
  std::string baseline;
  {
    ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
    Workload other;
    baseline = planAndRun(context.get(), other, options)
                   .decision.baseline.value_or(oracle::BaselineRecord())
                   .schedule;
    ASSERT_NE(baseline, "");
  }
  setenv("SLOW_COMPILER_OF", AUTOSAGE_COMPILER_LIBRARY, 1);
  setenv("SLOW_COMPILER_MS", "2500", 1);
  setenv("SLOW_COMPILER_SPARES", baseline.c_str(), 1);
  auto begin = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
        .count();
  };
  ContextPtr context = makeContext(contextOptions);
  Ran ran = planAndRun(context.get(), work, options);
  EXPECT_LT(seconds(), 2.3);
  EXPECT_EQ(ran.decision.decidedBy, DecidedBy::probe);
  EXPECT_EQ(ran.decision.schedule, baseline);
  EXPECT_TRUE(ran.decision.budget.ended);
  EXPECT_TRUE(checkStorable(ran.decision));
  size_t left = 0;
  for (const oracle::CandidateRecord &c : ran.decision.candidates)
    if (c.schedule != baseline) {
      EXPECT_EQ(c.probeMs, 0);
      EXPECT_EQ(c.rejected, "");
      ++left;
    }
  ASSERT_GT(left, 0u);
  // The context waits for them, and then they are in the cache.
  context.reset();
  EXPECT_GE(seconds(), 2.5);
  setenv("SLOW_COMPILER_MS", "60000", 1);
  context = makeContext(contextOptions);
  options.probe_budget_ms = 20000;
  EXPECT_LT(planAndRun(context.get(), work, options).milliseconds, 15000);
  for (const char *name :
       {"SLOW_COMPILER_OF", "SLOW_COMPILER_MS", "SLOW_COMPILER_SPARES"})
    unsetenv(name);
}

TEST(PlanOracle, AnOnlineGuardrailDecidesFromTheCallersRuns) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  Workload work;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, cache);
  options.guardrail = AUTOSAGE_GUARDRAIL_ONLINE;
  options.deterministic = 0;
  Operands operands = work.operands();
  PlanPtr plan;
  ASSERT_EQ(
      makePlan(context.get(), work.spec, operands, nullptr, plan, &options),
      AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  autosage_operands c = toC(operands);
  for (int i = 0; i < 200; ++i) {
    std::fill(work.out.begin(), work.out.end(), NAN);
    ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), AUTOSAGE_PLAN_OK);
    if (i % 10 == 0)
      ASSERT_LE(work.error(), 1e-5);
  }
  Decision decision = decisionOf(plan);
  ASSERT_TRUE(decision.guardrail);
  EXPECT_TRUE(decision.guardrail->decided);
  // Now it is stored.
  Ran again = planAndRun(context.get(), work, options);
  EXPECT_EQ(again.decision.decidedBy, DecidedBy::cache);
  EXPECT_EQ(again.decision.schedule, decision.schedule);
}

TEST(PlanOracle, OnTheEmulatorTheEstimateDecides) {
  SmallSpmm small;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_SIMT));
  Operands operands = small.operands();
  SimtMemory memory(small.spec, operands);
  PlanPtr plan;
  auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, "");
  ASSERT_EQ(
      makePlan(context.get(), small.spec, operands, nullptr, plan, &options),
      AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  Decision decision = decisionOf(plan);
  EXPECT_EQ(decision.decidedBy, DecidedBy::estimate);
  EXPECT_EQ(decision.reason, "nothing is measured: times of the emulator say "
                             "nothing about a GPU");
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

TEST(PlanOracle, CallersOfVersionOneGetTheRule) {
  struct {
    uint32_t struct_size = 24, version = 1, validate = 1, deterministic = 1;
    int64_t workspace_limit = -1;
  } old;
  ASSERT_EQ(sizeof old, 24u);
  Workload work;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  Operands operands = work.operands();
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), work.spec, operands, nullptr, plan,
                     reinterpret_cast<autosage_plan_options *>(&old)),
            AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  Decision decision = decisionOf(plan);
  EXPECT_EQ(decision.decidedBy, DecidedBy::estimate);
  EXPECT_EQ(decision.reason, "statistics known");
}

TEST(PlanOracle, RefusesBadOptions) {
  Workload work;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  Operands operands = work.operands();
  struct {
    const char *message;
    void (*spoil)(autosage_plan_options &);
  } const cases[] = {
      {"expects oracle to be below 4, got 4",
       [](autosage_plan_options &o) { o.oracle = 4; }},
      {"expects guardrail to be below 3, got 9",
       [](autosage_plan_options &o) { o.guardrail = 9; }},
      {"expects probe_k to be 1 to 64, got 0",
       [](autosage_plan_options &o) { o.probe_k = 0; }},
      {"expects graphs_never_repeat to be 0 or 1, got 2",
       [](autosage_plan_options &o) { o.graphs_never_repeat = 2; }},
      {"expects probe_budget_ms to be 0 to 1e9, got nan",
       [](autosage_plan_options &o) { o.probe_budget_ms = NAN; }},
      {"expects guardrail_alpha to be above 0 and at most 1, got 0.0",
       [](autosage_plan_options &o) { o.guardrail_alpha = 0; }},
      {"expects probe_fraction to be 0 to 1, got 1.5",
       [](autosage_plan_options &o) { o.probe_fraction = 1.5; }},
      {"expects expected_calls to be 0 or more, got -1",
       [](autosage_plan_options &o) { o.expected_calls = -1; }},
  };
  for (const auto &c : cases) {
    auto options = oracleOptions(AUTOSAGE_ORACLE_RULE, "");
    c.spoil(options);
    PlanPtr plan;
    EXPECT_EQ(
        makePlan(context.get(), work.spec, operands, nullptr, plan, &options),
        AUTOSAGE_PLAN_INVALID_ARGUMENT);
    EXPECT_EQ(std::string(autosage_plan_last_error()).find(c.message), 0u)
        << autosage_plan_last_error();
  }
}
