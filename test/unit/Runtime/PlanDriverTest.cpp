//===- PlanDriverTest.cpp - plans on a driver that pretends ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSupport.h"
#include "Subprocess.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

using namespace autosage::test;

static Finished onFake(const std::string &scenario,
                       std::vector<std::string> environment = {}) {
  static TempFolder folder; // kernels are compiled once
  environment.push_back("AUTOSAGE_CACHE_DIR=" + folder.path + "/kernels");
  environment.push_back(std::string("AUTOSAGE_COMPILER=") +
                        AUTOSAGE_COMPILER_LIBRARY);
  environment.push_back(std::string("LD_LIBRARY_PATH=") + AUTOSAGE_FAKE_CUDA);
  return runChild({scenario}, environment);
}

static std::string between(const std::string &text, const std::string &from,
                           const std::string &to) {
  size_t begin = text.find(from);
  if (begin == std::string::npos)
    return "nothing";
  begin += from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

TEST(PlanDriver, S01ARunOnlyLaunchesOnTheCallersStream) {
  Finished child = onFake("scores");
  ASSERT_EQ(child.status, 0) << child.out << child.err;
  EXPECT_NE(child.out.find("load 0\n"), std::string::npos)
      << "when the plan is made";
  EXPECT_NE(child.out.find("validate 5712\n"), std::string::npos)
      << "the pattern, where it lies";
  std::string run = between(child.out, "run\n", "ran\n");
  EXPECT_EQ(run.find("validate"), std::string::npos) << run;
  EXPECT_EQ(run.find("sum"), std::string::npos) << run;
  EXPECT_EQ(run.find("load"), std::string::npos) << run;
  EXPECT_EQ(run.find("alloc"), std::string::npos) << run;
  EXPECT_EQ(run.find("wait"), std::string::npos) << run;
  EXPECT_NE(run.find("launch 5712\n"), std::string::npos) << run;
  EXPECT_EQ(run.find("launch 0"), std::string::npos) << run;
  EXPECT_EQ(child.out.find("not restored"), std::string::npos);
}

TEST(PlanDriver, KernelsThatWaitAreLaunchedWhileOthersRun) {
  Finished child = onFake("scores");
  ASSERT_EQ(child.status, 0) << child.out << child.err;
  std::string run = between(child.out, "run\n", "ran\n");
  EXPECT_NE(run.find("overlap 5712\nlaunch 5712\n"), std::string::npos) << run;
  EXPECT_EQ(child.out.find("overlap 5712\nvalidate"), std::string::npos)
      << "a kernel without the mark: " << child.out;
}

TEST(PlanDriver, NotIntoAGraphAndNotAgainstTheEnvironment) {
  for (const char *otherwise :
       {"FAKE_CUDA_CAPTURING=1", "AUTOSAGE_DEPENDENT_LAUNCH=0"}) {
    Finished child = onFake("scores", {otherwise});
    ASSERT_EQ(child.status, 0) << child.out << child.err;
    std::string run = between(child.out, "run\n", "ran\n");
    EXPECT_NE(run.find("launch 5712\n"), std::string::npos) << run;
    EXPECT_EQ(run.find("overlap"), std::string::npos) << run;
  }
}

TEST(PlanDriver, StatisticsAreTakenWhereThePatternLies) {
  Finished child = onFake("spmm");
  ASSERT_EQ(child.status, 0) << child.out << child.err;
  size_t sum = child.out.find("sum 5712\n");
  EXPECT_NE(sum, std::string::npos) << child.out;
  EXPECT_LT(child.out.find("validate 5712\n"), sum);
  EXPECT_LT(sum, child.out.find("\nrun\n"));
}

TEST(PlanDriver, MemoryIsFreed) {
  Finished child = onFake("scores");
  ASSERT_EQ(child.status, 0) << child.out << child.err;
  auto count = [&](const std::string &word) {
    size_t times = 0;
    for (size_t at = 0;
         (at = child.out.find("\n" + word + " ", at)) != std::string::npos;
         ++at)
      ++times;
    return times;
  };
  EXPECT_GT(count("alloc"), 0u);
  EXPECT_EQ(count("alloc"), count("free"));
}

TEST(PlanDriver, S08TheDeviceIsMadeCurrentAndGivenBack) {
  for (const char *fails : {"none", "launch"}) {
    Finished child =
        onFake("second-device", {std::string("FAKE_CUDA_FAIL=") + fails});
    EXPECT_EQ(child.status, std::string(fails) == "launch" ? 1 : 0);
    std::string run = between(child.out, "\nrun\n", "\nran\n");
    EXPECT_EQ(run.find("current c1\n"), 0u) << child.out;
    EXPECT_LT(run.find("launch 5712"), run.find("current 0")) << run;
    EXPECT_NE(run.find("current 0"), std::string::npos) << run;
  }
}

TEST(PlanDriver, LaunchErrorsAreReported) {
  Finished child = onFake("spmm", {"FAKE_CUDA_FAIL=launch"});
  EXPECT_EQ(child.status, 1);
  EXPECT_NE(child.out.find("failed run: cuda: unknown error "
                           "(CUDA_ERROR_UNKNOWN) in launching kernel '"),
            std::string::npos)
      << child.out;
}

TEST(PlanDriver, WhatIsMissingIsSaid) {
  Finished old = onFake("spmm", {"FAKE_CUDA_VERSION=11000"});
  EXPECT_EQ(old.status, 1);
  EXPECT_EQ(old.out, "failed context: expects an NVIDIA driver for CUDA 11.4 "
                     "or newer, got one for CUDA 11.0\n");
  Finished none = onFake("spmm", {"FAKE_CUDA_DEVICES=0"});
  EXPECT_EQ(none.out, "failed context: expects an NVIDIA GPU, got a driver "
                      "without devices\n");
  Finished one = onFake("second-device", {"FAKE_CUDA_DEVICES=1"});
  EXPECT_EQ(one.out, "failed context: expects a device below 1, got 1\n");
}

TEST(PlanDriver, S10CpuPlansDoNotTouchTheDriver) {
  Finished child = onFake("spmm-cpu");
  EXPECT_EQ(child.status, 0) << child.out;
  EXPECT_NE(child.out.find("driver not loaded\n"), std::string::npos);
}

TEST(PlanDriver, S10ForkedWorkersRunOnTheCpuAndTheParentOnTheGpu) {
  for (const char *scenario : {"fork-workers", "fork-workers-later"}) {
    Finished child = onFake(scenario);
    EXPECT_EQ(child.status, 0) << child.out << child.err;
    EXPECT_NE(child.out.find("workers right 4\ndriver not loaded\n"),
              std::string::npos)
        << child.out;
    size_t used = child.out.find("launch 5712\n");
    EXPECT_NE(used, std::string::npos) << child.out;
    EXPECT_LT(child.out.find("workers right"), child.out.find("load 0"));
  }
}

TEST(PlanDriver, ARunCostsLittleOverALaunch) {
  Finished child = onFake("cost", {"FAKE_CUDA_QUIET=1"});
  ASSERT_EQ(child.status, 0) << child.out << child.err;
  double over = std::atof(between(child.out, "over ", "\n").c_str());
  std::printf("%s", child.out.c_str());
  EXPECT_GT(over, 0);
  EXPECT_LE(over, 3.0) << child.out;
}
