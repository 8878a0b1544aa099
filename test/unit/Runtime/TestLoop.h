//===- TestLoop.h - a loop that keeps books ---------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_RUNTIME_TESTLOOP_H
#define AUTOSAGE_TEST_RUNTIME_TESTLOOP_H

#include "autosage/Runtime/Runtime.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace autosage::test {

/// Counts how often each iteration is done, and by whom.
class TestLoop {
public:
  explicit TestLoop(int64_t count) : done(count) {}

  void run() {
    autosage_parallel_for(static_cast<int64_t>(done.size()), body, this);
  }

  bool eachOnce() const {
    return std::all_of(done.begin(), done.end(),
                       [](const auto &times) { return times == 1; });
  }
  bool onlyCaller() const { return !byOthers; }
  int calls() const { return bodyCalls; }

  static void body(void *context, int64_t begin, int64_t end) {
    auto *loop = static_cast<TestLoop *>(context);
    ++loop->bodyCalls;
    if (std::this_thread::get_id() != loop->caller)
      loop->byOthers = true;
    for (int64_t i = begin; i < end; ++i)
      ++loop->done[i];
  }

private:
  std::vector<std::atomic<int>> done;
  std::atomic<int> bodyCalls{0};
  std::atomic<bool> byOthers{false};
  std::thread::id caller = std::this_thread::get_id();
};

/// Whether `count` iterations can wait for each other, which takes as many
/// threads. Gives up after a while.
inline bool meetAll(int64_t count) {
  struct Meeting {
    int64_t expected;
    std::atomic<int64_t> arrived{0};
    std::chrono::steady_clock::time_point deadline =
        std::chrono::steady_clock::now() + std::chrono::seconds(20);
  } meeting{count};
  autosage_parallel_for(
      count,
      [](void *context, int64_t begin, int64_t end) {
        auto *meeting = static_cast<Meeting *>(context);
        meeting->arrived += end - begin;
        while (end - begin == 1 && meeting->arrived < meeting->expected &&
               std::chrono::steady_clock::now() < meeting->deadline)
          std::this_thread::yield();
      },
      &meeting);
  return std::chrono::steady_clock::now() < meeting.deadline;
}

} // namespace autosage::test

#endif // AUTOSAGE_TEST_RUNTIME_TESTLOOP_H
