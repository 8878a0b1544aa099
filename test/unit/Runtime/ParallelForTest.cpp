//===- ParallelForTest.cpp - loops, thread counts, the host's own loops ---===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What depends on the environment, or on what the process did before, runs in a
// process of its own: EXPECT_EXIT starts the test's program anew.
//
//===----------------------------------------------------------------------===//

#include "TestLoop.h"
#include "autosage/Runtime/Runtime.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

using namespace autosage::test;

extern "C" const char *autosage_c_test_parallel_for(void);

namespace {
/// Sets the number of threads and goes back to the default.
struct Threads {
  explicit Threads(int32_t count) { autosage_set_num_threads(count); }
  ~Threads() { autosage_set_num_threads(0); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

TEST(ParallelFor, EveryIterationOnce) {
  for (int32_t threads : {1, 2, 3, 7, 64}) {
    Threads set(threads);
    for (int64_t count : {2, 3, 7, 64, 129, 1000, 100003}) {
      TestLoop loop(count);
      loop.run();
      EXPECT_TRUE(loop.eachOnce()) << threads << " threads, " << count;
    }
  }
}

TEST(ParallelFor, NothingForNoIterations) {
  for (int64_t count : {int64_t(0), int64_t(-1), INT64_MIN}) {
    TestLoop loop(0);
    autosage_parallel_for(count, TestLoop::body, &loop);
    EXPECT_EQ(loop.calls(), 0) << count;
  }
}

TEST(ParallelFor, OneIterationStaysWithTheCaller) {
  Threads set(7);
  TestLoop loop(1);
  loop.run();
  EXPECT_TRUE(loop.eachOnce());
  EXPECT_TRUE(loop.onlyCaller());
}

TEST(ParallelFor, OneThreadTakesAllAtOnce) {
  Threads set(1);
  TestLoop loop(1000);
  loop.run();
  EXPECT_EQ(loop.calls(), 1);
  EXPECT_TRUE(loop.onlyCaller());
}

TEST(ParallelFor, ThreadsRunAtOnce) {
  for (int32_t threads : {2, 3, 7}) {
    Threads set(threads);
    EXPECT_TRUE(meetAll(threads)) << threads;
  }
}

TEST(ParallelFor, CountsBeyond32Bits) {
  // Ranges alone are counted: walking them all would take too long.
  Threads set(3);
  std::atomic<int64_t> sum{0};
  autosage_parallel_for(
      INT64_MAX,
      [](void *context, int64_t begin, int64_t end) {
        EXPECT_LT(begin, end);
        *static_cast<std::atomic<int64_t> *>(context) += end - begin;
      },
      &sum);
  EXPECT_EQ(sum, INT64_MAX);
}

TEST(ParallelFor, NestedLoopsRunInTheirThread) {
  Threads set(3);
  std::atomic<int> wrong{0};
  autosage_parallel_for(
      12,
      [](void *context, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          TestLoop inner(100);
          inner.run();
          if (!inner.eachOnce() || !inner.onlyCaller() || inner.calls() != 1 ||
              autosage_get_num_threads() != 1)
            ++*static_cast<std::atomic<int> *>(context);
        }
      },
      &wrong);
  EXPECT_EQ(wrong, 0);
  // The outer loop's mark is gone.
  EXPECT_EQ(autosage_get_num_threads(), 3);
  EXPECT_TRUE(meetAll(3));
}

TEST(ParallelFor, CallersAtOnce) {
  Threads set(3);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        TestLoop loop(257);
        loop.run();
        wrong += !loop.eachOnce();
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ParallelFor, PlainC) {
  const char *failure = autosage_c_test_parallel_for();
  EXPECT_EQ(failure, nullptr) << failure;
}

TEST(ParallelForDeathTest, ExceptionsDoNotCross) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // One range alone: of two threads that end the process at the same time, the
  // later one may come before the earlier one's message.
  auto thrower = [](void *, int64_t begin, int64_t) {
    if (begin == 0)
      throw std::runtime_error("from a body");
  };
  for (int32_t threads : {1, 2})
    EXPECT_DEATH(
        {
          Threads set(threads);
          try {
            autosage_parallel_for(8, thrower, nullptr);
          } catch (...) {
            std::_Exit(0);
          }
        },
        "from a body");
}

//===----------------------------------------------------------------------===//
// The number of threads
//===----------------------------------------------------------------------===//

TEST(ThreadCount, IsSetAndReset) {
  int32_t before = autosage_get_num_threads();
  EXPECT_GE(before, 1);
  autosage_set_num_threads(before + 3);
  EXPECT_EQ(autosage_get_num_threads(), before + 3);
  std::thread([&] {
    EXPECT_EQ(autosage_get_num_threads(), before + 3) << "another thread";
  }).join();
  autosage_set_num_threads(AUTOSAGE_MAX_THREADS + 1);
  EXPECT_EQ(autosage_get_num_threads(), AUTOSAGE_MAX_THREADS);
  for (int32_t reset : {0, -5}) {
    autosage_set_num_threads(5);
    autosage_set_num_threads(reset);
    EXPECT_EQ(autosage_get_num_threads(), before) << reset;
  }
}

/// Ends with success where the default number of threads is `expected`.
[[noreturn]] static void exitUnlessDefault(int32_t expected) {
  std::_Exit(autosage_get_num_threads() == expected ? 0 : 1);
}

TEST(ThreadCountDeathTest, DefaultComesFromTheEnvironment) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("AUTOSAGE_NUM_THREADS", "5", 1);
        setenv("OMP_NUM_THREADS", "3", 1);
        exitUnlessDefault(5);
      },
      testing::ExitedWithCode(0), "^$");
  EXPECT_EXIT(
      {
        unsetenv("AUTOSAGE_NUM_THREADS");
        setenv("OMP_NUM_THREADS", "3", 1);
        exitUnlessDefault(3);
      },
      testing::ExitedWithCode(0), "^$");
  EXPECT_EXIT(
      {
        setenv("AUTOSAGE_NUM_THREADS", "5000000000", 1);
        exitUnlessDefault(AUTOSAGE_MAX_THREADS);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST(ThreadCountDeathTest, WrongEnvironmentWarnsOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const char *wrong : {"0", "-2", "many", "2x", "99999999999999999999"})
    EXPECT_EXIT(
        {
          setenv("AUTOSAGE_NUM_THREADS", wrong, 1);
          setenv("OMP_NUM_THREADS", "3", 1);
          autosage_get_num_threads();
          exitUnlessDefault(3);
        },
        testing::ExitedWithCode(0),
        "^warning: expects AUTOSAGE_NUM_THREADS to be a positive integer, got "
        "'" +
            std::string(wrong) + "'; the default is used\n$");
}

//===----------------------------------------------------------------------===//
// The host's own loops
//===----------------------------------------------------------------------===//

namespace {
/// Runs loops backwards, in ranges of 10, half of them in another thread.
struct BackwardsHost {
  int loops = 0;
  std::atomic<int> nestedCalls{0};

  static void parallelFor(void *userData, int64_t count,
                          autosage_loop_body body, void *context) {
    ++static_cast<BackwardsHost *>(userData)->loops;
    std::thread([=] {
      for (int64_t begin = (count - 1) / 20 * 20; begin >= 0; begin -= 20)
        body(context, begin, std::min(begin + 10, count));
    }).join();
    for (int64_t begin = 10; begin < count; begin += 20)
      body(context, begin, std::min(begin + 10, count));
  }
};

struct HostIsSet {
  explicit HostIsSet(BackwardsHost &host) {
    autosage_set_parallel_for(BackwardsHost::parallelFor, &host);
  }
  ~HostIsSet() { autosage_set_parallel_for(nullptr, nullptr); }
};
} // namespace

TEST(HostParallelFor, RunsLoops) {
  BackwardsHost first, second;
  {
    HostIsSet set(first);
    TestLoop loop(95), single(1), none(0);
    loop.run();
    single.run();
    none.run();
    EXPECT_TRUE(loop.eachOnce());
    EXPECT_TRUE(single.eachOnce());
    EXPECT_EQ(loop.calls(), 10);
    EXPECT_EQ(first.loops, 1) << "loops of less than two iterations stay here";
    autosage_set_parallel_for(BackwardsHost::parallelFor, &second);
    TestLoop other(30);
    other.run();
    EXPECT_EQ(second.loops, 1);
    EXPECT_EQ(first.loops, 1);
  }
  TestLoop loop(95);
  loop.run();
  EXPECT_TRUE(loop.eachOnce());
  EXPECT_EQ(second.loops, 1) << "null goes back to OpenMP";
}

TEST(HostParallelFor, NestedLoopsStayInTheirThread) {
  BackwardsHost host;
  HostIsSet set(host);
  std::atomic<int> wrong{0};
  autosage_parallel_for(
      40,
      [](void *context, int64_t, int64_t) {
        TestLoop inner(100);
        inner.run();
        if (!inner.eachOnce() || inner.calls() != 1)
          ++*static_cast<std::atomic<int> *>(context);
      },
      &wrong);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(host.loops, 1);
}
