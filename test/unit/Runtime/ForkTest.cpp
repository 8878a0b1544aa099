//===- ForkTest.cpp - loops in forks --------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that hangs in a fork is ended by the fork's alarm clock.
//
//===----------------------------------------------------------------------===//

#include "TestLoop.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

using namespace autosage::test;

/// Whether `work`, in a fork, returns true within seconds.
template <typename Work> static bool succeedsInFork(Work work) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(work() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool runsInCallerAlone() {
  TestLoop loop(1000);
  loop.run();
  return loop.eachOnce() && loop.onlyCaller() &&
         autosage_get_num_threads() == 1;
}

TEST(Fork, LoopsRunInTheChildAndOnInTheParent) {
  autosage_set_num_threads(3);
  ASSERT_TRUE(meetAll(3)); // from here on libgomp has threads
  EXPECT_TRUE(succeedsInFork(runsInCallerAlone));
  EXPECT_TRUE(succeedsInFork([] { return succeedsInFork(runsInCallerAlone); }))
      << "a fork of a fork";
  EXPECT_TRUE(meetAll(3));
  autosage_set_num_threads(0);
}

TEST(Fork, OfAnyThread) {
  autosage_set_num_threads(3);
  std::thread([] {
    ASSERT_TRUE(meetAll(3));
    EXPECT_TRUE(succeedsInFork(runsInCallerAlone));
    EXPECT_TRUE(meetAll(3));
  }).join();
  autosage_set_num_threads(0);
}

TEST(Fork, BareForkIsSeenToo) {
  // No fork handlers run for _Fork, which comes with glibc 2.34.
  autosage_set_num_threads(3);
  ASSERT_TRUE(meetAll(3));
  pid_t child = _Fork();
  if (child == 0) {
    alarm(20);
    _exit(runsInCallerAlone() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  autosage_set_num_threads(0);
}

TEST(Fork, HostsOwnLoopsAreUsedInForks) {
  auto host = [](void *userData, int64_t count, autosage_loop_body body,
                 void *context) {
    ++*static_cast<int *>(userData);
    body(context, 0, count);
  };
  EXPECT_TRUE(succeedsInFork([&] {
    int loops = 0;
    autosage_set_parallel_for(host, &loops);
    TestLoop loop(10);
    loop.run();
    return loop.eachOnce() && loops == 1;
  }));
}
