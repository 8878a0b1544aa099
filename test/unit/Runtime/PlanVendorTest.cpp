//===- PlanVendorTest.cpp - cuSPARSE inside plans -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a driver and a library that pretend, in a process of its own each: the
// driver's kernels do nothing, the library computes. And on the emulator.
//
//===----------------------------------------------------------------------===//

#include "PlanSupport.h"
#include "Subprocess.h"

#include <gtest/gtest.h>

#include <cstdio>

using namespace autosage;
using namespace autosage::test;

namespace {

Finished onFakes(std::vector<std::string> arguments,
                 std::vector<std::string> environment = {},
                 const std::string &cusparse = AUTOSAGE_FAKE_CUSPARSE) {
  static TempFolder folder; // kernels are compiled once
  if (arguments.front() != "decides")
    arguments.insert(arguments.begin(), "vendor");
  for (const std::string &variable :
       {"AUTOSAGE_CACHE_DIR=" + folder.path + "/kernels",
        std::string("AUTOSAGE_COMPILER=") + AUTOSAGE_COMPILER_LIBRARY,
        std::string("LD_LIBRARY_PATH=") + AUTOSAGE_FAKE_CUDA + ":" + cusparse})
    environment.push_back(variable);
  return runChild(arguments, environment);
}

/// What each run did.
std::vector<std::string> runsOf(const std::string &out) {
  std::vector<std::string> runs;
  for (size_t at = 0; (at = out.find("\nrun\n", at)) != std::string::npos;) {
    size_t begin = at + 5, end = out.find("ran\n", begin);
    runs.push_back(out.substr(begin, end - begin));
    at = begin;
  }
  return runs;
}

size_t count(const std::string &text, const std::string &word) {
  size_t times = 0;
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at)
    ++times;
  return times;
}

void expectParts(const Finished &child, std::vector<std::string> parts) {
  EXPECT_EQ(child.status, 0) << child.out << child.err;
  for (const std::string &part : parts)
    EXPECT_NE(child.out.find(part), std::string::npos)
        << part << " in\n"
        << child.out << child.err;
}

// y = A x of the small graph, x = 1 ... 8 in rows of 4.
const char sums[] = "result 11 14 17 20 15 18 21 24\n";

TEST(PlanVendor, EachStreamPreparesOnceAndRunsOnlyCompute) {
  Finished child = onFakes({"vendor"});
  expectParts(child, {"schedule vendor\n", "decided_by user\n",
                      "origin cuSPARSE 12.6.3\n", "otherwise row_group (",
                      "cusparseSpMM_bufferSize op=0,0 compute=0 alg=12", sums});
  EXPECT_EQ(count(child.out, sums), 2u) << child.out;
  EXPECT_EQ(count(child.out, "cusparseSpMM_bufferSize"), 2u);
  // Makes the results of CSR_ALG3 wrong.
  EXPECT_EQ(count(child.out, "cusparseSpMM_preprocess"), 0u);
  std::vector<std::string> runs = runsOf(child.out);
  ASSERT_EQ(runs.size(), 2u);
  for (const std::string &run : runs) {
    EXPECT_EQ(count(run, "cusparseSpMM op=0,0 compute=0 alg=12 beta=0"), 1u);
    for (const char *word : {"alloc", "free", "wait", "launch", "Create",
                             "Destroy", "bufferSize", "preprocess"})
      EXPECT_EQ(count(run, word), 0u) << word << " in\n" << run;
  }
  EXPECT_EQ(count(child.out, "alloc "), count(child.out, "free ")) << child.out;
  EXPECT_EQ(count(child.out, "cusparseCreateCsr"), 2u);
  EXPECT_EQ(count(child.out, "cusparseDestroySpMat"), 2u);
  EXPECT_EQ(child.err, "");
}

TEST(PlanVendor, Sddmm) {
  // 1 to 4 and 5 to 8, multiplied along the edges 0-0, 0-1 and 1-1.
  Finished child = onFakes({"vendor", "dot"});
  expectParts(child, {"cusparseSDDMM op=0,1", "result 30 70 174\n"});
  EXPECT_EQ(child.out.find("otherwise"), std::string::npos)
      << "no kernel of ours is needed";
  EXPECT_EQ(count(child.out, "launch"), 0u);
}

TEST(PlanVendor, OtherAlgorithmsNeedThePlansConsent) {
  expectParts(onFakes({"vendor, alg = 2, deterministic = false"}),
              {"schedule vendor, alg = 2, deterministic = false\n", sums,
               "cusparseSpMM op=0,0 compute=0 alg=6"});
}

// NVIDIA documents algorithm 3 to; docs/cusparse.md has what was seen.
TEST(PlanVendor, SpmmOfTheLibraryDoesNotRepeatItsBits) {
  Finished child = onFakes({"vendor"}, {"DETERMINISTIC=1"});
  expectParts(child, {"schedule row_group\n",
                      "decided_by fallback (cuSPARSE expects deterministic = 0 "
                      "for spmm, as no algorithm gives the same bits in every "
                      "run, got 1; ",
                      "launch 5712\n"});
  EXPECT_EQ(count(child.out, "cusparse"), 0u) << child.out;
  EXPECT_EQ(count(child.err, "warning: "), 1u) << child.err;
  expectParts(onFakes({"vendor", "dot"}, {"DETERMINISTIC=1"}),
              {"schedule vendor\n", "cusparseSDDMM op=0,1"});
  // Nor is it what an oracle falls back on.
  expectParts(onFakes({"decides"}, {"DETERMINISTIC=1"}), {"baseline rule ("});
}

TEST(PlanVendor, OperandsThatItGetsWrongGoToAKernelOfOurs) {
  Finished child = onFakes({"vendor", "sum", "1"});
  expectParts(child, {"schedule vendor\n", "otherwise row_group ("});
  std::vector<std::string> runs = runsOf(child.out);
  ASSERT_EQ(runs.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(count(runs[i], i == 0 ? "launch 5712" : "launch 5713"), 1u)
        << runs[i];
    for (const char *word : {"cusparse", "alloc", "wait", "load"})
      EXPECT_EQ(count(runs[i], word), 0u) << word << " in\n" << runs[i];
  }
  // Other algorithms do not mind.
  expectParts(onFakes({"vendor, alg = 1, deterministic = false", "sum", "1"}),
              {sums});
}

TEST(PlanVendor, WhatItCannotDoIsChosenAsEverAndSaid) {
  Finished child = onFakes({"vendor", "mean"});
  expectParts(child, {"schedule row_group\n",
                      "decided_by fallback (cuSPARSE expects spmm sum, got "
                      "spmm mean; statistics known)\n",
                      "launch 5712\n"});
  EXPECT_EQ(child.err, "warning: cuSPARSE expects spmm sum, got spmm mean; "
                       "kernels of our own run instead\n");
  EXPECT_EQ(child.out.find("cusparse"), std::string::npos);
}

TEST(PlanVendor, WithoutTheLibrary) {
  TempFolder hidden; // files that are no libraries hide what there may be
  for (const char *name : {"libcusparse.so.12", "libcusparse.so.13"})
    if (std::FILE *file = std::fopen((hidden.path + "/" + name).c_str(), "w"))
      std::fclose(file);
  Finished child = onFakes(
      {"vendor"},
      {"AUTOSAGE_CUDA_TOOLKIT=", "CUDA_HOME=", "CUDA_PATH=", "CUDA_ROOT="},
      hidden.path);
  expectParts(child, {"decided_by fallback (expects cuSPARSE, got none",
                      "launch 5712\n"});
  EXPECT_EQ(count(child.err, "warning: "), 1u) << child.err;
}

TEST(PlanVendor, WhatTheLibraryRefusesLeavesNothing) {
  for (const char *fails : {"cusparseCreate:1", "cusparseCreateDnMat:3",
                            "cusparseSpMM_bufferSize:10"}) {
    Finished child =
        onFakes({"vendor"}, {std::string("FAKE_CUSPARSE_FAIL=") + fails});
    expectParts(child, {"schedule row_group\n",
                        "decided_by fallback (cusparse: ", "launch 5712\n"});
    EXPECT_EQ(count(child.out, "alloc "), count(child.out, "free "))
        << child.out;
    EXPECT_EQ(count(child.err, "warning: "), 1u) << child.err;
  }
}

TEST(PlanVendor, AFailingRunIsReported) {
  Finished child = onFakes({"vendor"}, {"FAKE_CUSPARSE_FAIL=cusparseSpMM:6"});
  EXPECT_EQ(child.status, 1);
  EXPECT_NE(child.out.find("failed run: cusparse: other error"),
            std::string::npos)
      << child.out;
}

TEST(PlanVendor, BeyondTheWorkspaceLimit) {
  expectParts(onFakes({"vendor"}, {"LIMIT=300"}),
              {"decided_by fallback (cuSPARSE expects a workspace of 448 bytes "
               "or more, got a limit of 300)\n"});
}

// Kernels of the driver write nothing: the candidate is found out, and the
// library stays, timed by events on the caller's stream.
TEST(PlanVendor, AnOracleKeepsWhatAloneIsRight) {
  Finished child = onFakes({"decides"});
  expectParts(child, {"schedule vendor, alg = 2, deterministic = false\n",
                      "decided_by probe (", "rejected, wrong result",
                      "baseline cusparse (", "guardrail the baseline stays",
                      "untouched 1\n", "\nevent 5712\n", sums});
  EXPECT_EQ(child.err, "");
  std::vector<std::string> runs = runsOf(child.out);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(count(runs[0], "cusparseSpMM op=0,0 compute=0 alg=6 beta=0"), 1u);
  for (const char *word : {"alloc", "free", "wait", "launch", "event", "load"})
    EXPECT_EQ(count(runs[0], word), 0u) << word << " in\n" << runs[0];
  EXPECT_EQ(count(child.out, "alloc "), count(child.out, "free "));
  EXPECT_EQ(count(child.out, "\nevent 0\n"), 0u);
  // During the race, memory stays with the pool; then its bound is as before,
  // and what lies above goes back while that still counts as the race's.
  size_t from = child.out.find("\nkeep ffffffffffffffff\n"),
         to = child.out.find("\nkeep 1000\nwait 5712\n");
  ASSERT_LT(from, to) << child.out;
  ASSERT_LT(to, child.out.size()) << child.out;
  EXPECT_EQ(count(child.out, "\nkeep "), 2u);
  EXPECT_EQ(count(child.out.substr(0, from), "\nevent "), 0u);
  EXPECT_EQ(count(child.out.substr(to), "\nevent "), 0u);
  EXPECT_EQ(count(child.out, "cusparseCreateCsr"),
            count(child.out, "cusparseDestroySpMat"));
}

TEST(PlanVendor, OnTheEmulator) {
  CountingApi counting;
  autosage_context_options options = optionsFor(AUTOSAGE_TARGET_SIMT);
  options.api = &counting.api;
  ContextPtr context = makeContext(options);
  SmallSpmm small;
  small.spec.features = 4;
  small.spec.schedule = parseSchedule("vendor").value();
  alignas(16) float x[] = {1, 2, 3, 4, 5, 6, 7, 8}, out[9] = {};
  Operands ops = small.operands();
  ops.x = {x, 2, 1, 4, 0};
  for (int offset : {0, 1}) {
    ops.out = {out + offset, 2, 1, 4, 0};
    SimtMemory memory(small.spec, ops);
    PlanPtr plan;
    ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
        << autosage_plan_last_error();
    int64_t before = counting.counts.launches;
    autosage_operands c = toC(ops);
    ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0)
        << autosage_plan_last_error();
    EXPECT_EQ(counting.counts.launches - before, offset ? 1 : 0);
    EXPECT_EQ(std::vector<float>(out + offset, out + offset + 8),
              (std::vector<float>{11, 14, 17, 20, 15, 18, 21, 24}));
  }
}

TEST(PlanVendor, APlanMadeUnderCaptureIsAKernelOfOurs) {
  std::vector<std::string> warnings;
  CountingApi counting;
  autosage_context_options options =
      optionsFor(AUTOSAGE_TARGET_SIMT, &warnings);
  options.api = &counting.api;
  ContextPtr context = makeContext(options);
  SmallSpmm small;
  small.spec.features = 4;
  small.spec.schedule = parseSchedule("vendor").value();
  alignas(16) float x[] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {};
  Operands ops = small.operands();
  ops.x = {x, 2, 1, 4, 0};
  ops.out = {out, 2, 1, 4, 0};
  SimtMemory memory(small.spec, ops);
  counting.capturing = true;
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
      << autosage_plan_last_error();
  std::string text = autosage_plan_explain(plan.get());
  EXPECT_NE(text.find("schedule row_group\ndecided_by fallback (made under "
                      "capture)"),
            std::string::npos)
      << text;
  EXPECT_EQ(warnings.size(), 1u);
  autosage_operands c = toC(ops);
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0);
  EXPECT_EQ(std::vector<float>(out, out + 8),
            (std::vector<float>{11, 14, 17, 20, 15, 18, 21, 24}));
  EXPECT_EQ(counting.counts.allocs, 0);
}

TEST(PlanVendor, DeterministicPlansRefuseOtherAlgorithms) {
  std::vector<std::string> warnings;
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_SIMT, &warnings));
  SmallSpmm small;
  small.spec.schedule =
      parseSchedule("vendor, alg = 1, deterministic = false").value();
  Operands ops = small.operands();
  SimtMemory memory(small.spec, ops);
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
      << autosage_plan_last_error();
  std::string text = autosage_plan_explain(plan.get());
  EXPECT_NE(text.find("decided_by fallback (a plan with deterministic = 1 "
                      "expects a schedule of deterministic results, got "
                      "vendor, alg = 1, deterministic = false; "),
            std::string::npos)
      << text;
  EXPECT_EQ(warnings.size(), 1u);
}

} // namespace
