//===- FiberTest.cpp - fibers on ucontext ---------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the program whose emulator was built for CPUs without a switch of
// their own; the emulator's other tests run in it too.
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <vector>

using namespace autosage::simt;

#ifndef AUTOSAGE_SIMT_USES_UCONTEXT
#error "expects fibers on ucontext"
#endif

namespace {
struct Walk {
  Context host, fibers[2];
  std::vector<int> steps;
};
Walk *walk;

/// Two turns with a local that lives on the fiber's stack between them.
template <int self> void takeTurns() {
  volatile int local = 10 * self;
  for (int turn = 0; turn < 2; ++turn) {
    walk->steps.push_back(local + turn);
    switchContext(walk->fibers[self], walk->host);
  }
  walk->steps.push_back(local + 2);
  for (;;)
    switchContext(walk->fibers[self], walk->host);
}
} // namespace

TEST(Fiber, StacksKeepWhatIsOnThem) {
  Walk here;
  walk = &here;
  StackPool pool;
  prepareContext(here.fibers[0], pool.take(), takeTurns<0>);
  prepareContext(here.fibers[1], pool.take(), takeTurns<1>);
  for (int turn = 0; turn < 3; ++turn)
    for (Context &fiber : here.fibers)
      switchContext(here.host, fiber);
  EXPECT_EQ(here.steps, (std::vector<int>{0, 10, 1, 11, 2, 12}));
}

TEST(Fiber, AStackIsUsedAgain) {
  StackPool pool;
  char *first = pool.take();
  ASSERT_NE(first, nullptr);
  first[0] = first[StackPool::stackBytes - 1] = 1; // all of it is there
  char *second = pool.take();
  EXPECT_NE(second, first);
  pool.give(first);
  EXPECT_EQ(pool.take(), first);
}

namespace {
Context aligned, back;
uintptr_t address;
void takeAddress() {
  alignas(16) char wide[16];
  address = reinterpret_cast<uintptr_t>(wide);
  switchContext(aligned, back);
}
} // namespace

TEST(Fiber, StacksAreAligned) {
  StackPool pool;
  prepareContext(aligned, pool.take(), takeAddress);
  switchContext(back, aligned);
  EXPECT_EQ(address % 16, 0u);
}
