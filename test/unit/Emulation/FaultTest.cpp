//===- FaultTest.cpp - planted faults, each with its correct twin ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGrid.h"

using namespace autosage::simt_test;

/// Expects the finding of the faulty kernel and none of its twin.
static void expectFault(const Outcome &outcome, int32_t code,
                        const std::vector<std::string> &parts) {
  EXPECT_EQ(outcome.code, code) << outcome.message;
  for (const std::string &part : parts)
    EXPECT_NE(outcome.message.find(part), std::string::npos)
        << "expects '" << part << "' in: " << outcome.message;
}

#define EXPECT_CLEAN(outcome) EXPECT_EQ((outcome).message, "")

/// `block` floats of static shared memory, and one more variable behind them.
static float *tileOf(int64_t count = 64) {
  auto *tile = static_cast<float *>(autosage_simt_shared(0, 4 * count, "tile"));
  autosage_simt_shared(4 * count + 64, 64, "behind");
  return tile;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

template <int past> static void copyGlobal(void *const *args) {
  float *x = arg<float>(args, 0), *y = arg<float>(args, 1);
  store(y + tid(), load(x + tid() + past, SITE), SITE);
}

TEST(SimtFaults, GlobalReadPastTheEndByOneElement) {
  // x lies apart from y: what a buffer's end runs into may be another buffer.
  std::vector<float> room(64 + 2 * 16, 1), y(64);
  float *x = room.data() + 16;
  ASSERT_EQ(autosage_simt_register_buffer(x, 64 * sizeof(float), "x", 0), 0);
  Registered<float> by(y, "y");
  EXPECT_CLEAN(launch(copyGlobal<0>, {1}, {64}, {x, y.data()}));
  expectFault(launch(copyGlobal<1>, {1}, {64}, {x, y.data()}),
              AUTOSAGE_SIMT_OUT_OF_BOUNDS,
              {"kernel 'test_kernel', block (0, 0, 0), thread (63, 0, 0): load "
               "of 4 bytes is out of bounds, at offset 256 of buffer 'x' (256 "
               "bytes), at kernel.cpp:"});
  expectFault(launch(copyGlobal<-1>, {1}, {64}, {x, y.data()}),
              AUTOSAGE_SIMT_OUT_OF_BOUNDS,
              {"thread (0, 0, 0)", "at offset -4 of buffer 'x'"});
  autosage_simt_unregister_buffer(x);
}

TEST(SimtFaults, WriteOfReadOnlyMemoryAndUnknownAddresses) {
  std::vector<float> x(64, 1), y(64);
  Registered<float> bx(x, "x"), by(y, "y", /*readOnly=*/true);
  expectFault(launch(copyGlobal<0>, {1}, {64}, {x.data(), y.data()}),
              AUTOSAGE_SIMT_READ_ONLY,
              {"store of 4 bytes writes read-only memory, at offset 0 of "
               "buffer 'y'"});
  float far;
  expectFault(launch(copyGlobal<0>, {1}, {1},
                     {&far, reinterpret_cast<void *>(uintptr_t{64})}),
              AUTOSAGE_SIMT_OUT_OF_BOUNDS, {"load of 4 bytes"});
}

static void freedMemory(void *const *args) { load(arg<float>(args, 0), SITE); }

TEST(SimtFaults, FreedMemory) {
  void *memory = autosage_simt_device_alloc(64);
  EXPECT_CLEAN(launch(freedMemory, {1}, {1}, {memory}));
  autosage_simt_device_free(memory);
  expectFault(launch(freedMemory, {1}, {1}, {memory}),
              AUTOSAGE_SIMT_OUT_OF_BOUNDS, {"load of 4 bytes"});
}

template <int past> static void sharedBounds(void *const *) {
  float *tile = tileOf();
  store(tile + tid() + past, 1.0f, SITE);
}

TEST(SimtFaults, SharedWritePastTheEndByOneElement) {
  EXPECT_CLEAN(launch(sharedBounds<0>, {1}, {64}, {}));
  expectFault(launch(sharedBounds<1>, {1}, {64}, {}),
              AUTOSAGE_SIMT_OUT_OF_BOUNDS,
              {"thread (63, 0, 0): store of 4 bytes is out of bounds, at "
               "offset 256 of shared memory 'tile' (256 bytes)"});
}

static void dynamicBounds(void *const *args) {
  auto *tile = static_cast<float *>(autosage_simt_shared_dynamic());
  store(tile + tid() + *arg<int32_t>(args, 0), 1.0f, SITE);
}

TEST(SimtFaults, DynamicSharedMemoryHasTheLaunchedSize) {
  int32_t past = 0;
  EXPECT_CLEAN(launch(dynamicBounds, {2}, {64}, {&past}, 256));
  past = 1;
  expectFault(launch(dynamicBounds, {2}, {64}, {&past}, 256),
              AUTOSAGE_SIMT_OUT_OF_BOUNDS,
              {"at offset 256 of dynamic shared memory (256 bytes)"});
}

static void wideLoad(void *const *args) {
  float *x = arg<float>(args, 0) + *arg<int32_t>(args, 1);
  autosage_simt_check_access(x, 16, all | AUTOSAGE_SIMT_READ | 4 << 16, SITE);
}

TEST(SimtFaults, MisalignedWideLoad) {
  auto *x = static_cast<float *>(autosage_simt_device_alloc(64));
  int32_t at = 4;
  EXPECT_CLEAN(launch(wideLoad, {1}, {1}, {x, &at}));
  at = 5;
  expectFault(launch(wideLoad, {1}, {1}, {x, &at}), AUTOSAGE_SIMT_MISALIGNED,
              {"load of 16 bytes expects an alignment of 16 bytes, got an "
               "address at offset 20 of buffer 'device allocation"});
  autosage_simt_device_free(x);
}

static void maskedLoad(void *const *args) {
  // 4 elements, of which the last two do not exist.
  autosage_simt_check_masked(arg<float>(args, 0), 4, *arg<uint64_t>(args, 1),
                             all | AUTOSAGE_SIMT_READ, SITE);
}

TEST(SimtFaults, MaskedElementsAreNotAccessed) {
  std::vector<float> x(2);
  Registered<float> bx(x, "x");
  uint64_t lanes = 3;
  EXPECT_CLEAN(launch(maskedLoad, {1}, {1}, {x.data(), &lanes}));
  lanes = 7;
  expectFault(launch(maskedLoad, {1}, {1}, {x.data(), &lanes}),
              AUTOSAGE_SIMT_OUT_OF_BOUNDS, {"at offset 8 of buffer 'x'"});
}

//===----------------------------------------------------------------------===//
// Unwritten shared memory
//===----------------------------------------------------------------------===//

template <bool fault> static void unwritten(void *const *args) {
  float *tile = tileOf();
  if (!fault || tid() != 40)
    store(tile + tid(), 1.0f, SITE);
  autosage_simt_barrier(SITE);
  arg<float>(args, 0)[tid()] = load(tile + (tid() + 1) % 64, SITE);
}

TEST(SimtFaults, ReadOfUnwrittenSharedMemory) {
  std::vector<float> y(64);
  // The second block must not live on what the first one wrote.
  EXPECT_CLEAN(launch(unwritten<false>, {2}, {64}, {y.data()}));
  expectFault(
      launch(unwritten<true>, {2}, {64}, {y.data()}),
      AUTOSAGE_SIMT_UNINITIALISED,
      {"thread (39, 0, 0): load of 4 bytes reads shared memory that "
       "nothing was written to, at offset 160 of shared memory 'tile'"});
}

static void leftover(void *const *args) {
  float *tile = tileOf();
  if (ctaid() == 0)
    store(tile + tid(), 1.0f, SITE);
  autosage_simt_barrier(SITE);
  arg<float>(args, 0)[tid()] = load(tile + tid(), SITE);
}

TEST(SimtFaults, WhatAnEarlierBlockWroteIsGone) {
  std::vector<float> y(64);
  EXPECT_CLEAN(launch(leftover, {1}, {64}, {y.data()}));
  expectFault(launch(leftover, {2}, {64}, {y.data()}),
              AUTOSAGE_SIMT_UNINITIALISED, {"block (1, 0, 0)"});
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

static void divergentBarrier(void *const *args) {
  if (*arg<int32_t>(args, 0) == 0 || tid() < 20)
    autosage_simt_barrier(SITE);
}

TEST(SimtFaults, BarrierNotReachedByAll) {
  int32_t fault = 0;
  EXPECT_CLEAN(launch(divergentBarrier, {1}, {40}, {&fault}));
  fault = 1;
  expectFault(launch(divergentBarrier, {1}, {40}, {&fault}),
              AUTOSAGE_SIMT_BARRIER,
              {"thread (20, 0, 0): the thread ends while 20 threads of its "
               "block wait at a barrier"});
}

static void lateBarrier(void *const *args) {
  if (*arg<int32_t>(args, 0) && tid() == 0)
    return;
  autosage_simt_barrier(SITE);
}

TEST(SimtFaults, BarrierAfterThreadsHaveEnded) {
  int32_t fault = 0;
  EXPECT_CLEAN(launch(lateBarrier, {1}, {40}, {&fault}));
  fault = 1;
  expectFault(launch(lateBarrier, {1}, {40}, {&fault}), AUTOSAGE_SIMT_BARRIER,
              {"thread (1, 0, 0): barrier is not reached by all: 1 thread of "
               "40 ended before it"});
}

static void twoBarriers(void *const *args) {
  if (*arg<int32_t>(args, 0) && tid() < 10)
    autosage_simt_barrier(SITE);
  else
    autosage_simt_barrier(SITE);
}

TEST(SimtFaults, DifferentBarriersOfOneBlock) {
  int32_t fault = 0;
  EXPECT_CLEAN(launch(twoBarriers, {1}, {40}, {&fault}));
  fault = 1;
  expectFault(launch(twoBarriers, {1}, {40}, {&fault}), AUTOSAGE_SIMT_BARRIER,
              {"threads of a block wait at different barriers: thread (0, 0, "
               "0) at kernel.cpp:"});
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

static void shuffleOfSome(void *const *args) {
  if (*arg<int32_t>(args, 0) && lane() >= 16)
    return;
  autosage_simt_shuffle(0, ~0u, lane(), 16, 31, nullptr, SITE);
}

TEST(SimtFaults, ShuffleReadsALaneThatHasEnded) {
  int32_t fault = 0;
  EXPECT_CLEAN(launch(shuffleOfSome, {1}, {32}, {&fault}));
  fault = 1;
  expectFault(launch(shuffleOfSome, {1}, {32}, {&fault}),
              AUTOSAGE_SIMT_COLLECTIVE,
              {"shuffle bfly reads lane ", ", which does not take part"});
  fault = 0; // a part of a warp: lanes 16 to 31 do not exist
  expectFault(launch(shuffleOfSome, {1}, {16}, {&fault}),
              AUTOSAGE_SIMT_COLLECTIVE, {"does not take part"});
}

static void shuffleInBranch(void *const *args) {
  if (*arg<int32_t>(args, 0) == 0 || lane() < 16)
    autosage_simt_shuffle(2, ~0u, lane(), 1, 31, nullptr, SITE);
  autosage_simt_barrier(SITE);
}

TEST(SimtFaults, ShuffleWaitsForLanesThatAreElsewhere) {
  int32_t fault = 0;
  EXPECT_CLEAN(launch(shuffleInBranch, {1}, {32}, {&fault}));
  fault = 1;
  expectFault(launch(shuffleInBranch, {1}, {32}, {&fault}),
              AUTOSAGE_SIMT_DEADLOCK,
              {"no thread can go on: thread (0, 0, 0) waits for lanes "
               "0xffff0000 of its warp in shuffle down at kernel.cpp:",
               "; thread (16, 0, 0) waits at the barrier at kernel.cpp:"});
}

static void twoShuffles(void *const *args) {
  if (*arg<int32_t>(args, 0) && lane() < 16)
    autosage_simt_shuffle(0, ~0u, lane(), 1, 31, nullptr, SITE);
  else
    autosage_simt_shuffle(0, ~0u, lane(), 1, 31, nullptr, SITE);
}

TEST(SimtFaults, LanesAtDifferentShuffles) {
  int32_t fault = 0;
  EXPECT_CLEAN(launch(twoShuffles, {1}, {32}, {&fault}));
  fault = 1;
  expectFault(launch(twoShuffles, {1}, {32}, {&fault}),
              AUTOSAGE_SIMT_COLLECTIVE,
              {"shuffle bfly with mask 0xffffffff expects its lanes at one "
               "operation, got lane 0 at"});
}

static void ownLaneMissing(void *const *args) {
  autosage_simt_shuffle(3, *arg<uint32_t>(args, 0), 1, 0, 31, nullptr, SITE);
}

TEST(SimtFaults, ShuffleOfALaneOutsideOfItsMask) {
  uint32_t mask = ~0u;
  EXPECT_CLEAN(launch(ownLaneMissing, {1}, {32}, {&mask}));
  mask = 0xfffffffe;
  expectFault(launch(ownLaneMissing, {1}, {32}, {&mask}),
              AUTOSAGE_SIMT_COLLECTIVE,
              {"shuffle idx expects lane 0 in its mask, got 0xfffffffe"});
}

//===----------------------------------------------------------------------===//
// Races in a block
//===----------------------------------------------------------------------===//

template <bool fault> static void overwrite(void *const *args) {
  // Each step reads a neighbour's value and then writes its own place anew.
  float *tile = tileOf();
  store(tile + tid(), 1.0f, SITE);
  autosage_simt_barrier(SITE);
  float value = load(tile + (tid() + 1) % 64, SITE);
  if (!fault)
    autosage_simt_barrier(SITE);
  store(tile + tid(), value + 1, SITE);
  arg<float>(args, 0)[tid()] = value;
}

TEST(SimtFaults, MissingBarrierBeforeAnOverwrite) {
  std::vector<float> y(64);
  EXPECT_CLEAN(launch(overwrite<false>, {1}, {64}, {y.data()}));
  expectFault(
      launch(overwrite<true>, {1}, {64}, {y.data()}), AUTOSAGE_SIMT_RACE,
      {"data race: ", " of 4 bytes at offset ",
       " of shared memory 'tile' (256 bytes), at kernel.cpp:", " by thread ("});
}

template <bool fault> static void missingBarrier(void *const *args) {
  float *tile = tileOf();
  store(tile + tid(), 1.0f, SITE);
  if (!fault)
    autosage_simt_barrier(SITE);
  // A place that has been written in any order of the threads.
  arg<float>(args, 0)[tid()] = load(tile + (tid() ? tid() - 1 : 0), SITE);
}

TEST(SimtFaults, MissingBarrierBeforeARead) {
  std::vector<float> y(64);
  EXPECT_CLEAN(launch(missingBarrier<false>, {1}, {64}, {y.data()}));
  expectFault(launch(missingBarrier<true>, {1}, {64}, {y.data()}),
              AUTOSAGE_SIMT_RACE,
              {"thread (1, 0, 0): data race: load of 4 bytes at offset 0",
               "and store by thread (0, 0, 0) at"});
}

template <int kind> static void warpExchange(void *const *args) {
  float *tile = tileOf();
  store(tile + tid(), 1.0f, SITE);
  if (kind == 0)
    autosage_simt_syncwarp(~0u, SITE);
  else if (kind == 1) // which orders no accesses to memory
    autosage_simt_shuffle(0, ~0u, 1, 1, 31, nullptr, SITE);
  else // and this not those of other warps
    autosage_simt_syncwarp(~0u, SITE);
  arg<float>(args, 0)[tid()] =
      load(tile + (kind == 2 ? tid() / 2 : tid() ^ 1), SITE);
}

TEST(SimtFaults, WarpBarriersOrderTheirLanesAlone) {
  std::vector<float> y(64);
  EXPECT_CLEAN(launch(warpExchange<0>, {1}, {64}, {y.data()}));
  expectFault(launch(warpExchange<1>, {1}, {64}, {y.data()}),
              AUTOSAGE_SIMT_RACE, {"data race: load"});
  expectFault(
      launch(warpExchange<2>, {1}, {64}, {y.data()}), AUTOSAGE_SIMT_RACE,
      {"thread (63, 0, 0): data race: load", "and store by thread (31, 0, 0)"});
}

template <bool fault> static void update(void *const *args) {
  int32_t *counter = arg<int32_t>(args, 0);
  if (fault)
    store(counter, load(counter, SITE) + 1, SITE);
  else
    atomicAdd(counter, 1, SITE);
}

TEST(SimtFaults, UpdateThatIsNotAtomic) {
  std::vector<int32_t> counter(1, 0);
  Registered<int32_t> buffer(counter, "counter");
  EXPECT_CLEAN(launch(update<false>, {3}, {40}, {counter.data()}));
  EXPECT_EQ(counter[0], 120);
  expectFault(launch(update<true>, {1}, {40}, {counter.data()}),
              AUTOSAGE_SIMT_RACE,
              {"thread (1, 0, 0): data race: load of 4 bytes at offset 0 of "
               "buffer 'counter' (4 bytes)",
               "and store by thread (0, 0, 0)"});
}

static void mixedUpdate(void *const *args) {
  int32_t *counter = arg<int32_t>(args, 0);
  if (tid() == 5)
    store(counter, 1, SITE);
  else
    atomicAdd(counter, 1, SITE);
}

TEST(SimtFaults, AtomicAndPlainUpdatesOfOnePlace) {
  std::vector<int32_t> counter(1, 0);
  Registered<int32_t> buffer(counter, "counter");
  expectFault(launch(mixedUpdate, {1}, {40}, {counter.data()}),
              AUTOSAGE_SIMT_RACE,
              {"thread (5, 0, 0): data race: store", "and atomic access by"});
}

static void halves(void *const *args) {
  // Two threads share each word; each writes its own half.
  auto *y = arg<uint16_t>(args, 0);
  uint32_t at = tid() + (*arg<int32_t>(args, 1) && tid() == 7 ? 1 : 0);
  store(y + at, static_cast<uint16_t>(tid()), SITE);
}

TEST(SimtFaults, NeighboursInAWordDoNotRace) {
  std::vector<uint16_t> y(64);
  Registered<uint16_t> buffer(y, "y");
  int32_t fault = 0;
  EXPECT_CLEAN(launch(halves, {1}, {64}, {y.data(), &fault}));
  fault = 1;
  expectFault(launch(halves, {1}, {64}, {y.data(), &fault}), AUTOSAGE_SIMT_RACE,
              {"thread (8, 0, 0)", "thread (7, 0, 0)"});
}

//===----------------------------------------------------------------------===//
// Races between blocks
//===----------------------------------------------------------------------===//

static void blocksWrite(void *const *args) {
  float *y = arg<float>(args, 0);
  bool fault = *arg<int32_t>(args, 1);
  // With the fault, the last thread of a block writes the next block's place.
  uint32_t at = ctaid() * 32 + tid() + (fault && tid() == 31 ? 1 : 0);
  if (at < 128)
    store(y + at, 1.0f, SITE);
}

TEST(SimtFaults, BlocksThatWriteOnePlace) {
  std::vector<float> y(128);
  Registered<float> buffer(y, "y");
  int32_t fault = 0;
  EXPECT_CLEAN(launch(blocksWrite, {4}, {32}, {y.data(), &fault}));
  // A later launch may write what an earlier one wrote.
  EXPECT_CLEAN(launch(blocksWrite, {4}, {32}, {y.data(), &fault}));
  fault = 1;
  expectFault(launch(blocksWrite, {4}, {32}, {y.data(), &fault}),
              AUTOSAGE_SIMT_RACE,
              {"block (1, 0, 0), thread (0, 0, 0): data race: store of 4 bytes "
               "at offset 128 of buffer 'y' (512 bytes)",
               "and store by block (0, 0, 0), thread (31, 0, 0) at"});
}

static void blocksRead(void *const *args) {
  float *y = arg<float>(args, 0);
  int32_t mode = *arg<int32_t>(args, 1);
  if (ctaid() == 2 && mode == 1)
    store(y, 1.0f, SITE);
  else
    load(y, SITE);
}

TEST(SimtFaults, BlockThatWritesWhatOthersRead) {
  std::vector<float> y(1);
  Registered<float> buffer(y, "y");
  int32_t mode = 0;
  EXPECT_CLEAN(launch(blocksRead, {4}, {32}, {y.data(), &mode}));
  mode = 1;
  expectFault(launch(blocksRead, {4}, {32}, {y.data(), &mode}),
              AUTOSAGE_SIMT_RACE,
              {"block (2, 0, 0), thread (0, 0, 0): data race: store",
               "and load by block ("});
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

enum Copy { right, noWait, noBarrier, waitTooLittle };

/// Two stages of copies, the second in flight while the first is read.
template <Copy fault> static void pipeline(void *const *args) {
  float *x = arg<float>(args, 0), *y = arg<float>(args, 1);
  auto *tile =
      static_cast<float *>(autosage_simt_shared(0, 2 * 64 * 4, "tile"));
  for (int stage = 0; stage < 2; ++stage) {
    autosage_simt_cp_async(tile + stage * 64 + tid(), x + stage * 64 + tid(), 4,
                           4, all, SITE);
    autosage_simt_cp_async_commit();
  }
  for (int stage = 0; stage < 2; ++stage) {
    if (fault != noWait)
      autosage_simt_cp_async_wait(fault == waitTooLittle || stage == 0 ? 1 : 0);
    if (fault != noBarrier)
      autosage_simt_barrier(SITE);
    uint32_t from =
        fault == noBarrier || fault == right ? (tid() ? tid() - 1 : 63) : tid();
    if (fault == noBarrier && !tid())
      from = 0;
    store(y + stage * 64 + tid(), load(tile + stage * 64 + from, SITE), SITE);
  }
}

TEST(SimtFaults, AsynchronousCopies) {
  std::vector<float> x(128), y(128, -1);
  for (size_t i = 0; i < 128; ++i)
    x[i] = static_cast<float>(i);
  Registered<float> bx(x, "x"), by(y, "y");
  std::vector<void *> args{x.data(), y.data()};
  EXPECT_CLEAN(launch(pipeline<right>, {1}, {64}, args));
  for (size_t i = 0; i < 128; ++i)
    EXPECT_EQ(y[i], x[i / 64 * 64 + (i + 63) % 64]);
  expectFault(launch(pipeline<noWait>, {1}, {64}, args), AUTOSAGE_SIMT_RACE,
              {"data race: load of 4 bytes at offset 252",
               "while an asynchronous copy that was not waited for is under "
               "way, started by thread (63, 0, 0) at kernel.cpp:"});
  expectFault(
      launch(pipeline<waitTooLittle>, {1}, {64}, args), AUTOSAGE_SIMT_RACE,
      {"at offset 504", "an asynchronous copy that was not waited for"});
  expectFault(launch(pipeline<noBarrier>, {1}, {64}, args), AUTOSAGE_SIMT_RACE,
              {"data race: load", "and store by thread ("});
}

static void refill(void *const *args) {
  // The tile is filled again while a neighbour may still read it.
  float *x = arg<float>(args, 0);
  bool fault = *arg<int32_t>(args, 2);
  auto *tile = static_cast<float *>(autosage_simt_shared(0, 64 * 4, "tile"));
  float sum = 0;
  for (int step = 0; step < 3; ++step) {
    autosage_simt_cp_async(tile + tid(), x + tid(), 4, 4, all, SITE);
    autosage_simt_cp_async_commit();
    autosage_simt_cp_async_wait(0);
    autosage_simt_barrier(SITE);
    sum += load(tile + 63 - tid(), SITE);
    if (!fault)
      autosage_simt_barrier(SITE);
  }
  store(arg<float>(args, 1) + tid(), sum, SITE);
}

TEST(SimtFaults, MissingBarrierBeforeTheNextAsynchronousCopy) {
  std::vector<float> x(64, 2), y(64);
  Registered<float> bx(x, "x"), by(y, "y");
  int32_t fault = 0;
  EXPECT_CLEAN(launch(refill, {1}, {64}, {x.data(), y.data(), &fault}));
  EXPECT_EQ(y[7], 6);
  fault = 1;
  expectFault(launch(refill, {1}, {64}, {x.data(), y.data(), &fault}),
              AUTOSAGE_SIMT_RACE, {"data race: "});
}

static void zeroFill(void *const *args) {
  auto *tile = static_cast<float *>(autosage_simt_shared(0, 64, "tile"));
  autosage_simt_cp_async(tile, arg<float>(args, 0), 16, *arg<int32_t>(args, 2),
                         all, SITE);
  autosage_simt_cp_async_wait(-1);
  for (int i = 0; i < 4; ++i)
    store(arg<float>(args, 1) + i, load(tile + i, SITE), SITE);
}

TEST(SimtFaults, AsynchronousCopyReadsItsSourceBytesAlone) {
  auto *x = static_cast<float *>(autosage_simt_device_alloc(8));
  x[0] = 1, x[1] = 2;
  std::vector<float> y(4, -1);
  Registered<float> by(y, "y");
  int32_t bytes = 8;
  EXPECT_CLEAN(launch(zeroFill, {1}, {1}, {x, y.data(), &bytes}));
  EXPECT_EQ(y, (std::vector<float>{1, 2, 0, 0}));
  bytes = 12;
  expectFault(launch(zeroFill, {1}, {1}, {x, y.data(), &bytes}),
              AUTOSAGE_SIMT_OUT_OF_BOUNDS, {"load of 12 bytes"});
  autosage_simt_device_free(x);
}

//===----------------------------------------------------------------------===//
// After a fault
//===----------------------------------------------------------------------===//

TEST(SimtFaults, TheNextLaunchIsUnharmed) {
  std::vector<float> y(64);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(launch(overwrite<true>, {1}, {64}, {y.data()}).code,
              AUTOSAGE_SIMT_RACE);
    EXPECT_CLEAN(launch(overwrite<false>, {1}, {64}, {y.data()}));
  }
}
