//===- LateLoadTest.cpp - the runtime is loaded by a fork -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a worker process of Python's multiprocessing does that imports the
// project after its parent has used OpenMP. This program does not link the
// runtime; AUTOSAGE_RUNTIME_LIBRARY is its path.
//
//===----------------------------------------------------------------------===//

#include "OpenMPHost.h"
#include "autosage/Runtime/Runtime.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

using namespace autosage::test;

/// Loads the runtime and runs a loop; whether every iteration was done.
static bool loadAndRun() {
  void *library = dlopen(AUTOSAGE_RUNTIME_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return false;
  auto parallelFor = reinterpret_cast<decltype(&autosage_parallel_for)>(
      dlsym(library, "autosage_parallel_for"));
  auto setThreads = reinterpret_cast<decltype(&autosage_set_num_threads)>(
      dlsym(library, "autosage_set_num_threads"));
  setThreads(2);
  std::atomic<int64_t> sum{0};
  parallelFor(
      1000,
      [](void *context, int64_t begin, int64_t end) {
        *static_cast<std::atomic<int64_t> *>(context) += end - begin;
      },
      &sum);
  return sum == 1000;
}

TEST(LateLoad, ByAForkWhoseParentUsedThreads) {
  OpenMPHost host(libgomp, RTLD_NOW);
  ASSERT_TRUE(host && host.runThreads(2));
  pid_t child = fork();
  if (child == 0) {
    alarm(20); // a hang is what this test is about
    _exit(loadAndRun() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(host.runThreads(2));
}
