//===- PlanStreamsTest.cpp - plans on streams, threads and under capture --===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the emulator, whose calls are counted. Streams are only numbers there;
// that work goes to the right one, and what a run asks for, is the same.
//
//===----------------------------------------------------------------------===//

#include "../Compiler/RandomGraph.h"
#include "PlanSupport.h"
#include "Subprocess.h"

#include <gtest/gtest.h>

#include <cmath>
#include <condition_variable>
#include <cstring>
#include <thread>

using namespace autosage;
using namespace autosage::test;

static void *streamOf(intptr_t number) {
  return reinterpret_cast<void *>(number * 0x1000);
}

namespace {
class PlanStreams : public testing::Test {
protected:
  CountingApi counting;
  std::vector<std::string> warnings;
  ContextPtr context = makeContext([&] {
    autosage_context_options options =
        optionsFor(AUTOSAGE_TARGET_SIMT, &warnings);
    options.api = &counting.api;
    return options;
  }());

  /// A weighted mean over a graph with long rows, in pieces that are put
  /// together in memory of the plan.
  struct Tasks {
    std::mt19937_64 engine{23};
    Csr csr = randomCsr({3, 300, 0, 65, 31, 1, 700}, 40, engine);
    KernelSpec spec = [] {
      KernelSpec s;
      s.reduction = Reduction::mean;
      s.features = 5;
      s.edgeValues = EdgeValues::perEdge;
      s.rowptrType = s.colindType = IndexType::i64;
      s.schedule = parseSchedule("row_tasks, chunk = 32").value();
      return s;
    }();
    TestCall call{spec, csr, {5, 5, 1}, engine};
  };

  /// Runs a fresh plan of the call, once or more often.
  template <typename Fn> Status with(TestCall &call, void *stream, Fn &&fn) {
    return call.run([&](const Operands &ops) -> Status {
      SimtMemory memory(call.spec, ops);
      PlanPtr plan;
      if (makePlan(context.get(), call.spec, ops, stream, plan))
        return Error{autosage_plan_last_error()};
      autosage_operands c = toC(ops);
      fn(plan.get(), c);
      return Status::success();
    });
  }

  static void expectRight(const TestCall &before, const TestCall &after) {
    std::vector<double> expected, lse;
    before.evaluate(expected, lse);
    EXPECT_LE(relativeError(after.out, expected),
              before.bounds(expected, lse).out);
  }
};
} // namespace

TEST_F(PlanStreams, S01KernelsRunOnTheCallersStream) {
  Tasks tasks;
  Status status =
      with(tasks.call, streamOf(7),
           [&](autosage_plan *plan, const autosage_operands &ops) {
             EXPECT_EQ(counting.counts.launches, 0)
                 << "preparing launches nothing";
             for (intptr_t number : {7, 7, 9, 7}) {
               counting.launchStreams.clear();
               EXPECT_EQ(autosage_plan_run(plan, &ops, streamOf(number)), 0)
                   << autosage_plan_last_error();
               EXPECT_GE(counting.launchStreams.size(), 2u);
               for (void *stream : counting.launchStreams)
                 EXPECT_EQ(stream, streamOf(number));
               EXPECT_EQ(counting.api.get_stream(), nullptr)
                   << "the thread's own stream is back";
             }
           });
  ASSERT_TRUE(status) << status.error();
}

TEST_F(PlanStreams, S03RunsAllocateNothingAndSeeNewContents) {
  SmallSpmm small;
  small.spec.schedule = parseSchedule("row_tasks, chunk = 32").value();
  small.x = {1, 1};
  Operands ops = small.operands();
  SimtMemory memory(small.spec, ops);
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, streamOf(1), plan), 0)
      << autosage_plan_last_error();
  int64_t before = counting.counts.preparing();
  EXPECT_GT(before, 0);
  counting.capturing = true; // a captured run is one like any other
  autosage_operands c = toC(ops);
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, streamOf(1)), 0)
      << autosage_plan_last_error();
  EXPECT_EQ(small.out, (std::vector<float>{3, 3}));
  small.x = {10, 100};
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, streamOf(1)), 0)
      << autosage_plan_last_error();
  EXPECT_EQ(small.out, (std::vector<float>{210, 300}));
  EXPECT_EQ(counting.counts.preparing(), before);
  counting.capturing = false;
}

TEST_F(PlanStreams, S04APlanUnderCaptureTakesTheDefaultAndSaysSoOnce) {
  SmallSpmm small;
  Operands ops = small.operands();
  SimtMemory memory(small.spec, ops);
  small.colind[0] = 1000; // not looked at under capture
  counting.capturing = true;
  PlanPtr plan, other;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, streamOf(1), plan), 0)
      << autosage_plan_last_error();
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, streamOf(1), other), 0)
      << autosage_plan_last_error();
  EXPECT_EQ(counting.counts.allocs + counting.counts.transfers +
                counting.counts.waits + counting.counts.builds,
            0);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("row_group"), std::string::npos);
  std::string text = autosage_plan_explain(plan.get());
  EXPECT_NE(text.find("schedule row_group\n"), std::string::npos) << text;
  EXPECT_NE(text.find("decided_by fallback (made under capture)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("validated no"), std::string::npos) << text;

  // The next preparation outside of a capture looks at the contents.
  counting.capturing = false;
  EXPECT_EQ(autosage_plan_prepare_stream(plan.get(), streamOf(1)),
            AUTOSAGE_PLAN_INVALID_PATTERN);
  EXPECT_NE(std::string(autosage_plan_last_error()).find("1000"),
            std::string::npos)
      << autosage_plan_last_error();
  small.colind[0] = 0;
  EXPECT_EQ(autosage_plan_prepare_stream(plan.get(), streamOf(1)), 0)
      << autosage_plan_last_error();
  autosage_operands c = toC(ops);
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, streamOf(1)), 0)
      << autosage_plan_last_error();
  EXPECT_EQ(small.out, (std::vector<float>{21, 30}));
}

TEST_F(PlanStreams, S04WhatNeedsMemoryUnderCaptureIsAnErrorBeforeAnyCall) {
  SmallSpmm small;
  small.spec.transpose = true;
  Operands ops = small.operands();
  SimtMemory memory(small.spec, ops);
  counting.capturing = true;
  PlanPtr plan;
  EXPECT_EQ(makePlan(context.get(), small.spec, ops, streamOf(1), plan),
            AUTOSAGE_PLAN_NOT_PREPARED);
  EXPECT_NE(std::string(autosage_plan_last_error())
                .find("call autosage_plan_create before the capture begins"),
            std::string::npos)
      << autosage_plan_last_error();
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(counting.counts.allocs + counting.counts.transfers +
                counting.counts.waits + counting.counts.builds,
            0);
}

TEST_F(PlanStreams, AnUnpreparedStreamUnderCaptureIsAnErrorThatNamesTheCall) {
  Tasks tasks;
  Status status =
      with(tasks.call, streamOf(1),
           [&](autosage_plan *plan, const autosage_operands &ops) {
             counting.capturing = true;
             EXPECT_EQ(autosage_plan_run(plan, &ops, streamOf(2)),
                       AUTOSAGE_PLAN_NOT_PREPARED);
             EXPECT_NE(std::string(autosage_plan_last_error())
                           .find("autosage_plan_prepare_stream"),
                       std::string::npos)
                 << autosage_plan_last_error();
             EXPECT_EQ(counting.counts.launches, 0);
             counting.capturing = false;
             EXPECT_EQ(autosage_plan_prepare_stream(plan, streamOf(2)), 0)
                 << autosage_plan_last_error();
             counting.capturing = true;
             int64_t before = counting.counts.preparing();
             EXPECT_EQ(autosage_plan_run(plan, &ops, streamOf(2)), 0)
                 << autosage_plan_last_error();
             EXPECT_EQ(counting.counts.preparing(), before);
             counting.capturing = false;
           });
  ASSERT_TRUE(status) << status.error();
}

TEST_F(PlanStreams, StreamsShareTaskListsAndNotScratch) {
  Tasks tasks;
  Status status =
      with(tasks.call, streamOf(1),
           [&](autosage_plan *plan, const autosage_operands &) {
             int64_t builds = counting.counts.builds,
                     bytes = autosage_plan_workspace_bytes(plan);
             EXPECT_GT(builds, 0);
             EXPECT_EQ(autosage_plan_prepare_stream(plan, streamOf(2)), 0);
             int64_t second = autosage_plan_workspace_bytes(plan) - bytes;
             EXPECT_EQ(counting.counts.builds, builds) << "built once";
             EXPECT_GT(second, 0);
             EXPECT_LT(second, bytes) << "the task list is shared";
             int64_t allocs = counting.counts.allocs;
             EXPECT_EQ(autosage_plan_prepare_stream(plan, streamOf(2)), 0);
             EXPECT_EQ(counting.counts.allocs, allocs) << "nothing to do";
           });
  ASSERT_TRUE(status) << status.error();
  EXPECT_EQ(counting.counts.allocs, counting.counts.frees);
}

TEST_F(PlanStreams, S07ARunDoesNotWait) {
  Tasks tasks;
  Status status = with(
      tasks.call, streamOf(1),
      [&](autosage_plan *plan, const autosage_operands &ops) {
        int64_t before = counting.counts.waits + counting.counts.transfers;
        for (int i = 0; i < 10; ++i)
          EXPECT_EQ(autosage_plan_run(plan, &ops, streamOf(1)), 0);
        EXPECT_EQ(counting.counts.waits + counting.counts.transfers, before);
      });
  ASSERT_TRUE(status) << status.error();
}

TEST_F(PlanStreams, OnePairFromTwoThreadsIsReported) {
  Tasks tasks;
  std::mutex mutex;
  std::condition_variable changed;
  bool inside = false, release = false;
  std::thread::id holder;
  counting.onLaunch = [&] {
    std::unique_lock<std::mutex> lock(mutex);
    if (std::this_thread::get_id() != holder || inside)
      return;
    inside = true;
    changed.notify_all();
    changed.wait(lock, [&] { return release; });
  };
  Status status =
      with(tasks.call, streamOf(1),
           [&](autosage_plan *plan, const autosage_operands &ops) {
             autosage_plan_status first = AUTOSAGE_PLAN_INTERNAL;
             std::thread thread([&] {
               {
                 std::lock_guard<std::mutex> lock(mutex);
                 holder = std::this_thread::get_id();
               }
               first = autosage_plan_run(plan, &ops, streamOf(1));
             });
             {
               std::unique_lock<std::mutex> lock(mutex);
               changed.wait(lock, [&] { return inside; });
             }
             EXPECT_EQ(autosage_plan_run(plan, &ops, streamOf(1)),
                       AUTOSAGE_PLAN_BUSY);
             EXPECT_NE(std::string(autosage_plan_last_error())
                           .find("one run at a time of a plan on a stream"),
                       std::string::npos);
             // Another stream is free, and is prepared on the way.
             EXPECT_EQ(autosage_plan_run(plan, &ops, streamOf(2)), 0)
                 << autosage_plan_last_error();
             {
               std::lock_guard<std::mutex> lock(mutex);
               release = true;
             }
             changed.notify_all();
             thread.join();
             EXPECT_EQ(first, AUTOSAGE_PLAN_OK);
             EXPECT_EQ(autosage_plan_run(plan, &ops, streamOf(1)), 0)
                 << "free again: " << autosage_plan_last_error();
           });
  ASSERT_TRUE(status) << status.error();
}

TEST_F(PlanStreams, ThreadsWithStreamsOfTheirOwn) {
  Tasks tasks;
  TestCall before = tasks.call;
  std::atomic<int> wrong{0};
  Status status = tasks.call.run([&](const Operands &ops) -> Status {
    SimtMemory memory(tasks.spec, ops);
    PlanPtr plan;
    if (makePlan(context.get(), tasks.spec, ops, streamOf(1), plan))
      return Error{autosage_plan_last_error()};
    auto *out = static_cast<float *>(ops.out.data);
    const int64_t count = ops.out.rows * ops.out.width;
    autosage_operands c = toC(ops);
    if (autosage_plan_run(plan.get(), &c, streamOf(1)))
      return Error{autosage_plan_last_error()};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        std::vector<float> own(static_cast<size_t>(count));
        Operands mine = ops;
        mine.out.data = own.data();
        SimtMemory output(tasks.spec, mine); // of which only `out` is new
        autosage_operands c = toC(mine);
        for (int round = 0; round < 5; ++round) {
          std::fill(own.begin(), own.end(), NAN);
          if (autosage_plan_run(plan.get(), &c, streamOf(t + 1)) ||
              std::memcmp(own.data(), out, own.size() * sizeof(float)) != 0)
            ++wrong;
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    return Status::success();
  });
  ASSERT_TRUE(status) << status.error();
  EXPECT_EQ(wrong, 0) << "every run gives the same bits";
  expectRight(before, tasks.call);
  EXPECT_EQ(counting.counts.allocs, counting.counts.frees);
}

//===----------------------------------------------------------------------===//
// Cold caches
//===----------------------------------------------------------------------===//

TEST(PlanThreads, S12EightThreadsOnAColdCacheCompileOnce) {
  TempFolder folder;
  std::vector<std::string> warnings;
  autosage_context_options options = optionsFor(AUTOSAGE_TARGET_CPU, &warnings);
  std::string kernels = folder.path + "/kernels";
  options.cache_dir = kernels.c_str();
  ContextPtr context = makeContext(options);
  auto together = [&](auto &&specOf) {
    std::atomic<int> ready{0}, wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        int64_t features = specOf(t);
        SmallSpmm small;
        // A slope that no other test has, so that no kernel is at hand.
        small.spec.negativeSlope = 0.2 + 1e-3;
        small.spec.features = features;
        small.x.resize(2 * features);
        small.out.resize(2 * features);
        for (int64_t f = 0; f < features; ++f) {
          small.x[f] = static_cast<float>(1 + f);
          small.x[features + f] = static_cast<float>(10 + f);
        }
        Operands ops = small.operands();
        ops.x.width = ops.out.width = features;
        for (++ready; ready < 8;)
          std::this_thread::yield();
        for (int round = 0; round < 50; ++round) {
          std::fill(small.out.begin(), small.out.end(), NAN);
          PlanPtr plan;
          autosage_operands c = toC(ops);
          if (makePlan(context.get(), small.spec, ops, nullptr, plan) ||
              autosage_plan_run(plan.get(), &c, nullptr))
            ++wrong;
          for (int64_t f = 0; f < features; ++f) {
            float first = small.x[f], second = small.x[features + f];
            if (small.out[f] != first + 2 * second ||
                small.out[features + f] != 3 * second)
              ++wrong;
          }
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(wrong, 0);
  };
  together([](int) { return 9; });
  EXPECT_EQ(listFiles(kernels, ".kernel").size(), 1u);
  together([](int t) { return t + 1; });
  EXPECT_EQ(listFiles(kernels, ".kernel").size(), 9u);
  EXPECT_TRUE(warnings.empty()) << warnings[0];
}
