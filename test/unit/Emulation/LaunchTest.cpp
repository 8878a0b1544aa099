//===- LaunchTest.cpp - grids, registers, memory, errors ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGrid.h"

#include <cmath>
#include <cstring>
#include <thread>

using namespace autosage::simt_test;

extern "C" int autosage_simt_c_test(void);

TEST(SimtLaunch, HeaderIsC) {
  // Lanes 0 to 31 and 0 to 7.
  EXPECT_EQ(autosage_simt_c_test(), 31 * 32 / 2 + 7 * 8 / 2);
}

/// Writes each thread's registers to its line.
static void writeIds(void *const *args) {
  auto reg = [](int32_t which) { return autosage_simt_register(which); };
  uint32_t block =
      reg(AUTOSAGE_SIMT_CTAID_X) +
      reg(AUTOSAGE_SIMT_NCTAID_X) *
          (reg(AUTOSAGE_SIMT_CTAID_Y) +
           reg(AUTOSAGE_SIMT_NCTAID_Y) * reg(AUTOSAGE_SIMT_CTAID_Z));
  uint32_t thread = reg(AUTOSAGE_SIMT_TID_X) +
                    reg(AUTOSAGE_SIMT_NTID_X) *
                        (reg(AUTOSAGE_SIMT_TID_Y) +
                         reg(AUTOSAGE_SIMT_NTID_Y) * reg(AUTOSAGE_SIMT_TID_Z));
  uint32_t threads = reg(AUTOSAGE_SIMT_NTID_X) * reg(AUTOSAGE_SIMT_NTID_Y) *
                     reg(AUTOSAGE_SIMT_NTID_Z);
  uint32_t *line = arg<uint32_t>(args, 0) + 4 * (block * threads + thread);
  store(line, block, SITE);
  store(line + 1, thread, SITE);
  store(line + 2, reg(AUTOSAGE_SIMT_LANEID), SITE);
  store(line + 3, reg(AUTOSAGE_SIMT_WARPID), SITE);
}

TEST(SimtLaunch, EveryThreadOfAThreeDimensionalGridRunsOnce) {
  Shape grid{3, 2, 5}, block{7, 3, 2}; // 42 threads: a warp and a part of one
  std::vector<uint32_t> out(4 * 30 * 42, ~0u);
  Registered<uint32_t> buffer(out, "out");
  ASSERT_EQ(launch(writeIds, grid, block, {out.data()}).message, "");
  for (uint32_t b = 0; b < 30; ++b)
    for (uint32_t t = 0; t < 42; ++t) {
      const uint32_t *line = &out[4 * (b * 42 + t)];
      EXPECT_EQ(line[0], b);
      EXPECT_EQ(line[1], t);
      EXPECT_EQ(line[2], t % 32);
      EXPECT_EQ(line[3], t / 32);
    }
}

TEST(SimtLaunch, AGridWithAZeroRunsNothing) {
  EXPECT_EQ(launch(writeIds, {0, 5, 5}, {32}, {nullptr}).message, "");
  EXPECT_EQ(launch(writeIds, {5, 0, 5}, {32}, {nullptr}).message, "");
}

TEST(SimtLaunch, GeometryBeyondTheDeviceIsAnError) {
  EXPECT_EQ(
      launch(writeIds, {1}, {1025}, {nullptr}).message,
      "kernel 'test_kernel': expects a block x of at most 1024, got 1025");
  EXPECT_EQ(launch(writeIds, {1}, {512, 4}, {nullptr}).message,
            "kernel 'test_kernel': expects threads in a block of at most 1024, "
            "got 2048");
  EXPECT_EQ(
      launch(writeIds, {1, 65536}, {32}, {nullptr}).message,
      "kernel 'test_kernel': expects a grid y of at most 65535, got 65536");
  EXPECT_EQ(launch(writeIds, {-1}, {32}, {nullptr}).code,
            AUTOSAGE_SIMT_BAD_ARGUMENT);
  EXPECT_EQ(
      launch(writeIds, {1}, {32}, {nullptr}, 200 * 1024, 40 * 1024).message,
      "kernel 'test_kernel': expects at most 232448 bytes of shared "
      "memory, got 40960 static and 204800 dynamic");
}

TEST(SimtLaunch, AnUnknownKernelOrImageIsAnError) {
  autosage_simt_kernel kernels[] = {{nullptr, nullptr, 0}};
  autosage_image image = {};
  image.struct_size = sizeof(image);
  image.version = 1;
  image.kind = AUTOSAGE_IMAGE_SIMT;
  image.name = "m";
  image.data = kernels;
  EXPECT_NE(
      autosage_simt_launch_kernel(&image, "k", 1, 1, 1, 1, 1, 1, 0, nullptr, 0),
      0);
  const char *message = nullptr;
  EXPECT_EQ(autosage_simt_take_error(&message), AUTOSAGE_SIMT_BAD_ARGUMENT);
  EXPECT_STREQ(message, "launch expects a kernel of module 'm', got 'k'");
  image.kind = AUTOSAGE_IMAGE_PTX;
  EXPECT_NE(
      autosage_simt_launch_kernel(&image, "k", 1, 1, 1, 1, 1, 1, 0, nullptr, 0),
      0);
  EXPECT_EQ(autosage_simt_take_error(&message), AUTOSAGE_SIMT_BAD_ARGUMENT);
  EXPECT_STREQ(message,
               "launch on the simt target expects an image of kind 4, got 2");
}

TEST(SimtLaunch, TheFirstErrorStopsLaterCalls) {
  EXPECT_EQ(autosage_simt_device_alloc(-1), nullptr);
  EXPECT_EQ(autosage_simt_device_alloc(64), nullptr);
  std::thread other([] {
    void *memory = autosage_simt_device_alloc(64); // an error is one thread's
    EXPECT_NE(memory, nullptr);
    autosage_simt_device_free(memory);
  });
  other.join();
  const char *message = nullptr;
  EXPECT_EQ(autosage_simt_take_error(&message), AUTOSAGE_SIMT_BAD_ARGUMENT);
  EXPECT_STREQ(message,
               "device allocation expects a size of 0 or more bytes, got -1");
  EXPECT_EQ(autosage_simt_take_error(nullptr), 0);
  void *memory = autosage_simt_device_alloc(64);
  EXPECT_NE(memory, nullptr);
  autosage_simt_device_free(memory);
}

TEST(SimtMemory, AllocationsAreAlignedPoisonedAndCopied) {
  EXPECT_EQ(autosage_simt_device_alloc(0), nullptr);
  auto *a = static_cast<float *>(autosage_simt_device_alloc(12));
  auto *b = static_cast<float *>(autosage_simt_device_alloc(12));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 256, 0u);
  EXPECT_TRUE(std::isnan(a[2]));
  a[0] = 1, a[1] = 2, a[2] = 3;
  autosage_simt_device_copy(b, a, 12);
  EXPECT_EQ(b[2], 3);
  autosage_simt_device_copy(b, a + 1, 12);
  const char *message = nullptr;
  EXPECT_EQ(autosage_simt_take_error(&message), AUTOSAGE_SIMT_OUT_OF_BOUNDS);
  EXPECT_EQ(std::string(message).find("device copy expects 12 bytes of one "
                                      "buffer as its source, got 8 bytes"),
            0u)
      << message;
  autosage_simt_device_free(a);
  autosage_simt_device_free(b);
  autosage_simt_device_free(b);
  EXPECT_EQ(autosage_simt_take_error(nullptr), AUTOSAGE_SIMT_BAD_ARGUMENT);
}

TEST(SimtMemory, BuffersMayNotOverlap) {
  std::vector<float> x(16);
  Registered<float> buffer(x, "x");
  EXPECT_EQ(autosage_simt_register_buffer(&x[15], 4, "y", 0),
            AUTOSAGE_SIMT_BAD_ARGUMENT);
  EXPECT_EQ(autosage_simt_register_buffer(&x[0] - 1, 8, "y", 0),
            AUTOSAGE_SIMT_BAD_ARGUMENT);
  EXPECT_EQ(autosage_simt_take_error(nullptr), 0);
}

static void sumOfBlock(void *const *args) {
  auto *tile = static_cast<float *>(autosage_simt_shared(0, 4 * 100, "tile"));
  float *out = arg<float>(args, 0);
  store(tile + tid(), static_cast<float>(tid()), SITE);
  autosage_simt_barrier(SITE);
  if (tid() == 0) {
    float sum = 0;
    for (int i = 0; i < 100; ++i)
      sum += load(tile + i, SITE);
    store(out + ctaid(), sum, SITE);
  }
}

TEST(SimtLaunch, HostThreadsLaunchAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      std::vector<float> out(20, -1);
      Registered<float> buffer(out, "out");
      for (int i = 0; i < 5; ++i)
        ASSERT_EQ(launch(sumOfBlock, {20}, {100}, {out.data()}).message, "");
      for (float value : out)
        EXPECT_EQ(value, 4950);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(SimtLaunch, CountsWhatRan) {
  autosage_simt_take_counts(nullptr);
  std::vector<float> out(3);
  Registered<float> buffer(out, "out");
  ASSERT_EQ(launch(sumOfBlock, {3}, {100}, {out.data()}).message, "");
  autosage_simt_counts counts;
  autosage_simt_take_counts(&counts);
  EXPECT_EQ(counts.launches, 1u);
  EXPECT_EQ(counts.blocks, 3u);
  EXPECT_EQ(counts.threads, 300u);
  EXPECT_EQ(counts.accesses, 3u * (100 + 100 + 1));
}
