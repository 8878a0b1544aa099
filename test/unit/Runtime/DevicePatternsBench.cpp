//===- DevicePatternsBench.cpp - how long the runtime's kernels take ------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Run on purpose, on a machine with a device and some 8 GB of host memory:
//   --gtest_also_run_disabled_tests --gtest_filter='DevicePatternsBench.*'
// Each result is compared with Core's, whose time stands beside it.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Tasks.h"
#include "autosage/Runtime/DeviceCpp.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>

using namespace autosage;

namespace {
const autosage_device_api &api = *autosage_cuda_device_api();

double millisecondsOf(const std::function<void()> &work) {
  auto begin = std::chrono::steady_clock::now();
  work();
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - begin;
  return time.count();
}

/// The first call, which compiles, and the median of later ones.
struct DeviceTimes {
  double first = 0, median = 0;

  explicit DeviceTimes(const std::function<void()> &work) {
    first = millisecondsOf([&] {
      work();
      api.synchronize();
    });
    std::vector<double> times;
    for (int i = 0; i < 7; ++i) {
      void *begin = api.event_record();
      work();
      void *end = api.event_record();
      times.push_back(api.event_elapsed(begin, end));
    }
    std::sort(times.begin(), times.end());
    median = times[times.size() / 2];
  }
};

void print(const char *what, int64_t nnz, const DeviceTimes &times,
           double core) {
  std::printf("%-16s %11lld entries: %9.3f ms (first %.1f), Core %9.1f ms, "
              "%.0f times\n",
              what, static_cast<long long>(nnz), times.median, times.first,
              core, core / times.median);
  std::fflush(stdout);
}

template <typename T> void *uploaded(const std::vector<T> &values) {
  auto bytes = static_cast<int64_t>(values.size() * sizeof(T));
  void *data = api.alloc(bytes);
  api.upload(data, values.data(), bytes);
  return data;
}

template <typename T> bool same(void *device, const T *expected, int64_t size) {
  std::vector<T> got(static_cast<size_t>(size));
  api.download(got.data(), device, size * static_cast<int64_t>(sizeof(T)));
  return std::equal(got.begin(), got.end(), expected);
}

/// Square, 16 entries a row on average, skewed.
void measure(int64_t nnz) {
  auto rows = nnz / 16;
  std::mt19937_64 rng(1);
  std::vector<int32_t> degrees(static_cast<size_t>(rows));
  std::vector<int32_t> rowptr = {0}, colind(static_cast<size_t>(nnz));
  for (int64_t left = nnz; left > 0;) {
    // Some rows have much.
    uint64_t r = rng();
    auto row = static_cast<size_t>(r % 16 ? rng() % degrees.size()
                                          : rng() % (degrees.size() / 64 + 1));
    int64_t more = std::min<int64_t>(left, 1 + static_cast<int64_t>(r >> 60));
    degrees[row] += static_cast<int32_t>(more);
    left -= more;
  }
  for (int32_t degree : degrees)
    rowptr.push_back(rowptr.back() + degree);
  for (int32_t &column : colind) {
    uint64_t r = rng();
    column = static_cast<int32_t>(
        (r >> 8) % static_cast<uint64_t>(r % 4 ? rows : rows / 50 + 1));
  }
  void *positions = uploaded(rowptr), *columns = uploaded(colind);
  Csr csr{rows, rows, IndexArray(std::move(rowptr)),
          IndexArray(std::move(colind))};

  DeviceTimes validation(
      [&] { api.validate_pattern(positions, columns, rows, rows, nnz, 4, 4); });
  print("validate", nnz, validation,
        millisecondsOf([&] { EXPECT_TRUE(validate(csr.view())); }));

  CsrView onDevice = csr.view();
  onDevice.rowptr.data = positions;
  onDevice.colind.data = columns;
  InputStats stats, expectedStats;
  DeviceTimes statistics(
      [&] { stats = *runtime::patternStats(api, onDevice); });
  print("stats", nnz, statistics,
        millisecondsOf([&] { expectedStats = computeStats(csr.view()); }));
  EXPECT_EQ(stats.fingerprint, expectedStats.fingerprint);
  EXPECT_EQ(stats.locality, expectedStats.locality);
  EXPECT_EQ(stats.p99, expectedStats.p99);

  constexpr int64_t chunk = 256;
  int64_t count = 0;
  DeviceTimes counting(
      [&] { count = api.count_tasks(positions, rows, 4, chunk); });
  int64_t expectedCount = 0;
  print("count_tasks", nnz, counting, millisecondsOf([&] {
          expectedCount = countTasks(csr.rowptr.view(), chunk);
        }));
  ASSERT_EQ(count, expectedCount);
  void *tasks = api.alloc(count * 16);
  std::vector<int32_t> expected(static_cast<size_t>(count) * 4);
  for (TaskOrder order :
       {TaskOrder::stored, TaskOrder::length, TaskOrder::locality}) {
    DeviceTimes times([&] {
      api.build_tasks(positions, columns, rows, rows, nnz, 4, 4, chunk,
                      static_cast<int32_t>(order), tasks, count);
    });
    double core = millisecondsOf(
        [&] { buildTasks(csr.view(), chunk, order, expected.data()); });
    print(std::string(toString(order)).c_str(), nnz, times, core);
    EXPECT_TRUE(same(tasks, expected.data(), count * 4)) << toString(order);
  }
  api.free(tasks);

  void *outRowptr = api.alloc((rows + 1) * 4), *outColind = api.alloc(nnz * 4),
       *outPerm = api.alloc(nnz * 4);
  DeviceTimes times([&] {
    api.build_transpose(positions, columns, rows, rows, nnz, 4, 4, 4, outRowptr,
                        outColind, outPerm);
  });
  Transposed transposed;
  print("transpose", nnz, times,
        millisecondsOf([&] { transposed = *transpose(csr.view()); }));
  auto words = [](const IndexArray &array) {
    return static_cast<const int32_t *>(array.data());
  };
  EXPECT_TRUE(same(outRowptr, words(transposed.csr.rowptr), rows + 1));
  EXPECT_TRUE(same(outColind, words(transposed.csr.colind), nnz));
  EXPECT_TRUE(same(outPerm, words(transposed.edgePermutation), nnz));
  for (void *data : {positions, columns, outRowptr, outColind, outPerm})
    api.free(data);
  const char *message = nullptr;
  EXPECT_EQ(api.take_error(&message), AUTOSAGE_DEVICE_OK) << message;
}

class DevicePatternsBench : public testing::Test {
protected:
  void SetUp() override {
    api.synchronize();
    const char *message = nullptr;
    if (api.take_error(&message) != AUTOSAGE_DEVICE_OK)
      GTEST_SKIP() << message;
  }
};
} // namespace

TEST_F(DevicePatternsBench, DISABLED_SixteenMillion) { measure(16000000); }
TEST_F(DevicePatternsBench, DISABLED_HundredMillion) { measure(100000000); }
