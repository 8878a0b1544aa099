//===- OpenMPTest.cpp - processes that have an OpenMP runtime -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each case is a process of its own that loads runtimes as a host would, lets
// them run threads, and must stay quiet: "^$" is all that stderr may hold.
//
//===----------------------------------------------------------------------===//

#include "OpenMPHost.h"
#include "TestLoop.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace autosage::test;

/// Races that ThreadSanitizer sees inside of LLVM's runtime, built without it.
extern "C" const char *__tsan_default_suppressions() {
  return "called_from_lib:libomp.so\n";
}

/// Exit statuses of the processes, to tell failures apart.
enum { ok = 0, wrongResult = 3, wrongRuntimes = 4, hostFailed = 5 };

/// Runs a loop in several threads; the process must have `runtimes` OpenMP
/// libraries then.
static int useOurs(int runtimes) {
  autosage_set_num_threads(3);
  TestLoop loop(1000);
  loop.run();
  if (!loop.eachOnce() || !meetAll(3))
    return wrongResult;
  return countRuntimes() == runtimes ? ok : wrongRuntimes;
}

static int useOursBeside(const char *name, int flags) {
  OpenMPHost host(name, flags);
  if (!host || !host.runThreads(2))
    return hostFailed;
  if (int status = useOurs(1))
    return status;
  return host.runThreads(2) ? ok : hostFailed;
}

class OpenMPDeathTest : public testing::Test {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    ASSERT_EQ(countRuntimes(), 0) << "neither the library nor this program "
                                     "may link one, and no test load one here";
  }
};

TEST_F(OpenMPDeathTest, LoadsOneWhereThereIsNone) {
  EXPECT_EXIT(std::_Exit(useOurs(1)), testing::ExitedWithCode(ok), "^$");
}

TEST_F(OpenMPDeathTest, JoinsLoadedLibgomp) {
  for (int flags : {RTLD_NOW | RTLD_LOCAL, RTLD_NOW | RTLD_GLOBAL})
    EXPECT_EXIT(std::_Exit(useOursBeside(libgomp, flags)),
                testing::ExitedWithCode(ok), "^$");
}

TEST_F(OpenMPDeathTest, JoinsLoadedLibomp) {
  if (!isAvailable(libomp))
    GTEST_SKIP() << "no " << libomp;
  for (int flags : {RTLD_NOW | RTLD_LOCAL, RTLD_NOW | RTLD_GLOBAL})
    EXPECT_EXIT(std::_Exit(useOursBeside(libomp, flags)),
                testing::ExitedWithCode(ok), "^$");
}

TEST_F(OpenMPDeathTest, JoinsRenamedLibgompAsInWheels) {
  std::string source = pathOf(libgomp);
  ASSERT_FALSE(source.empty());
  std::string copy = testing::TempDir() + "/libgomp-1a2b3c4d." +
                     std::to_string(getpid()) + ".so.1.0.0";
  std::filesystem::copy_file(source, copy,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EXIT(std::_Exit(useOursBeside(copy.c_str(), RTLD_NOW | RTLD_LOCAL)),
              testing::ExitedWithCode(ok), "^$");
  std::filesystem::remove(copy);
}

TEST_F(OpenMPDeathTest, LivesBesideTwo) {
  if (!isAvailable(libomp))
    GTEST_SKIP() << "no " << libomp;
  EXPECT_EXIT(
      {
        OpenMPHost first(libgomp, RTLD_NOW);
        OpenMPHost second(libomp, RTLD_NOW);
        if (!first.runThreads(2) || !second.runThreads(2))
          std::_Exit(hostFailed);
        if (int status = useOurs(2))
          std::_Exit(status);
        std::_Exit(first.runThreads(2) && second.runThreads(2) ? ok
                                                               : hostFailed);
      },
      testing::ExitedWithCode(ok), "^$");
}

TEST_F(OpenMPDeathTest, LivesBesideOneThatComesLater) {
  if (!isAvailable(libomp))
    GTEST_SKIP() << "no " << libomp;
  EXPECT_EXIT(
      {
        if (int status = useOurs(1))
          std::_Exit(status);
        OpenMPHost host(libomp, RTLD_NOW);
        if (!host || !host.runThreads(3))
          std::_Exit(hostFailed);
        std::_Exit(useOurs(2));
      },
      testing::ExitedWithCode(ok), "^$");
}

TEST_F(OpenMPDeathTest, FollowsTheHostsNumberOfThreads) {
  EXPECT_EXIT(
      {
        unsetenv("AUTOSAGE_NUM_THREADS");
        OpenMPHost host(libgomp, RTLD_NOW);
        host.setNumThreads(5);
        std::_Exit(autosage_get_num_threads() == 5 ? ok : wrongResult);
      },
      testing::ExitedWithCode(ok), "^$");
}

TEST_F(OpenMPDeathTest, RunsInlineInTheHostsParallelRegion) {
  EXPECT_EXIT(
      {
        OpenMPHost host(libgomp, RTLD_NOW);
        autosage_set_num_threads(3);
        static std::atomic<int> wrong{0};
        host.parallel(
            [](void *) {
              TestLoop loop(100);
              loop.run();
              wrong += !loop.eachOnce() || loop.calls() != 1;
            },
            nullptr, 2);
        std::_Exit(wrong ? wrongResult : useOurs(1));
      },
      testing::ExitedWithCode(ok), "^$");
}
