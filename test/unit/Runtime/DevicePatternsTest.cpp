//===- DevicePatternsTest.cpp - the runtime's kernels against Core --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every test runs on the emulator, with all its checks, and again on a GPU
// where there is one (Device/...). Results are compared byte by byte; outputs
// are of exactly the right size and hold something else beforehand.
//
//===----------------------------------------------------------------------===//

#include "../Core/TestPatterns.h"
#include "EmulatedKernels.h"

#include "autosage/Core/Tasks.h"
#include "autosage/Runtime/DeviceCpp.h"

#include <cstring>
#include <limits>

using namespace autosage;
using namespace autosage::runtime;
using namespace autosage::test;

namespace {
enum class Where { emulator, device };

using Bytes = std::vector<char>;

class Patterns : public testing::TestWithParam<Where> {
protected:
  bool onDevice() const { return GetParam() == Where::device; }
  const autosage_device_api &api = GetParam() == Where::device
                                       ? *autosage_cuda_device_api()
                                       : *autosage_simt_device_api();
  /// On the emulator, what numbers take 64 bits.
  uint64_t narrowCount = uint64_t(1) << 32;
  /// On the emulator, up to how many columns have a bit each.
  uint64_t markedColumns = uint64_t(1) << 26;

  void SetUp() override {
    if (!onDevice())
      return;
    if (auto info = deviceInfo(api); !info)
      GTEST_SKIP() << info.error();
  }
  void TearDown() override { EXPECT_EQ(error(), ""); }

  std::string error() {
    const char *message = nullptr;
    api.take_error(&message);
    return message;
  }

  /// Device memory for a scope.
  class Buffer {
  public:
    Buffer(const autosage_device_api &api, const void *bytes, int64_t size)
        : api(api), size(size), data(api.alloc(size)) {
      api.upload(data, bytes, size);
    }
    explicit Buffer(const autosage_device_api &api, const IndexArray &array)
        : Buffer(api, array.data(), array.size() * sizeOf(array.type())) {}
    ~Buffer() { api.free(data); }
    Bytes download() const {
      Bytes out(static_cast<size_t>(size), 'x');
      api.download(out.data(), data, size);
      return out;
    }
    const autosage_device_api &api;
    int64_t size;
    void *data;
  };
  Buffer poisoned(int64_t size) {
    Bytes bytes(static_cast<size_t>(size), '\x5a');
    return Buffer(api, bytes.data(), size);
  }

  void expectStats(const Csr &csr) {
    Buffer rowptr(api, csr.rowptr), colind(api, csr.colind);
    CsrView view = csr.view();
    view.rowptr.data = rowptr.data;
    view.colind.data = colind.data;
    Result<InputStats> got =
        onDevice()
            ? patternStats(api, view)
            : emulated().stats(
                  {csr.rows, csr.cols, csr.nnz(), rowptr.data, colind.data,
                   static_cast<int32_t>(sizeOf(csr.rowptr.type())),
                   static_cast<int32_t>(sizeOf(csr.colind.type()))});
    ASSERT_TRUE(got) << got.error();
    ASSERT_EQ(error(), "");
    // The same bits: no near.
    InputStats expected = computeStats(csr.view());
    EXPECT_EQ(got->rows, expected.rows);
    EXPECT_EQ(got->cols, expected.cols);
    EXPECT_EQ(got->nnz, expected.nnz);
    EXPECT_EQ(got->mean, expected.mean);
    EXPECT_EQ(got->max, expected.max);
    EXPECT_EQ(got->cv, expected.cv);
    EXPECT_EQ(got->p50, expected.p50);
    EXPECT_EQ(got->p90, expected.p90);
    EXPECT_EQ(got->p99, expected.p99);
    EXPECT_EQ(got->p999, expected.p999);
    EXPECT_EQ(got->emptyRows, expected.emptyRows);
    EXPECT_EQ(got->hubFraction, expected.hubFraction);
    EXPECT_EQ(got->locality, expected.locality);
    EXPECT_EQ(got->fingerprint.str(), expected.fingerprint.str());
  }

  PatternKernels emulated() {
    return {api, emulatedImages(), narrowCount, markedColumns};
  }

  void expectTasks(const Csr &csr, int64_t chunk,
                   std::initializer_list<TaskOrder> orders) {
    SCOPED_TRACE("chunk " + std::to_string(chunk));
    Buffer rowptr(api, csr.rowptr), colind(api, csr.colind);
    auto positionBytes = static_cast<int32_t>(sizeOf(csr.rowptr.type()));
    auto coordinateBytes = static_cast<int32_t>(sizeOf(csr.colind.type()));
    DevicePattern pattern{csr.rows,       csr.cols,    csr.nnz(),
                          rowptr.data,    colind.data, positionBytes,
                          coordinateBytes};
    int64_t count = countTasks(csr.rowptr.view(), chunk);
    if (onDevice()) {
      ASSERT_EQ(api.count_tasks(rowptr.data, csr.rows, positionBytes, chunk),
                count);
    } else {
      Result<int64_t> counted = emulated().countTasks(pattern, chunk);
      ASSERT_TRUE(counted) << counted.error();
      ASSERT_EQ(*counted, count);
    }
    int64_t size = count * 4 * positionBytes;
    for (TaskOrder order : orders) {
      Bytes expected(static_cast<size_t>(size));
      buildTasks(csr.view(), chunk, order, expected.data());
      Buffer tasks = poisoned(size);
      if (onDevice()) {
        api.build_tasks(rowptr.data, colind.data, csr.rows, csr.cols, csr.nnz(),
                        positionBytes, coordinateBytes, chunk,
                        static_cast<int32_t>(order), tasks.data, count);
      } else {
        Status status =
            emulated().buildTasks(pattern, chunk, order, tasks.data, count);
        ASSERT_TRUE(status) << status.error();
      }
      Bytes got = tasks.download();
      ASSERT_EQ(error(), "");
      ASSERT_TRUE(got == expected) << toString(order);
    }
  }

  void expectTranspose(const Csr &csr, IndexType outType, bool withPerm) {
    // Core writes rows in the type of columns; here it is the caller's choice.
    Result<Csr> typed = csr.convertedTo(csr.rowptr.type(), outType);
    ASSERT_TRUE(typed) << typed.error();
    Result<Transposed> expected = transpose(typed->view());
    ASSERT_TRUE(expected) << expected.error();
    Buffer rowptr(api, csr.rowptr), colind(api, csr.colind);
    auto positionBytes = static_cast<int32_t>(sizeOf(csr.rowptr.type()));
    auto coordinateBytes = static_cast<int32_t>(sizeOf(csr.colind.type()));
    auto outBytes = static_cast<int32_t>(sizeOf(outType));
    Buffer outRowptr = poisoned((csr.cols + 1) * positionBytes);
    Buffer outColind = poisoned(csr.nnz() * outBytes);
    Buffer outPerm = poisoned(withPerm ? csr.nnz() * positionBytes : 0);
    if (onDevice()) {
      api.build_transpose(rowptr.data, colind.data, csr.rows, csr.cols,
                          csr.nnz(), positionBytes, coordinateBytes, outBytes,
                          outRowptr.data, outColind.data, outPerm.data);
    } else {
      Status status = emulated().buildTranspose(
          {csr.rows, csr.cols, csr.nnz(), rowptr.data, colind.data,
           positionBytes, coordinateBytes},
          outBytes, outRowptr.data, outColind.data, outPerm.data);
      ASSERT_TRUE(status) << status.error();
    }
    auto same = [](const Buffer &got, const IndexArray &expected) {
      Bytes bytes = got.download();
      return bytes.size() == static_cast<size_t>(expected.size() *
                                                 sizeOf(expected.type())) &&
             (bytes.empty() ||
              std::memcmp(bytes.data(), expected.data(), bytes.size()) == 0);
    };
    ASSERT_TRUE(same(outRowptr, expected->csr.rowptr));
    ASSERT_TRUE(same(outColind, expected->csr.colind));
    if (withPerm) {
      ASSERT_TRUE(same(outPerm, expected->edgePermutation));
    }
    ASSERT_EQ(error(), "");
  }

  /// The message for a pattern that may be anything; empty for a valid one.
  std::string validated(const CsrView &csr, const void *rowptr,
                        const void *colind) {
    auto positionBytes = static_cast<int32_t>(sizeOf(csr.rowptr.type));
    auto coordinateBytes = static_cast<int32_t>(sizeOf(csr.colind.type));
    if (!onDevice()) {
      Status status =
          emulated().validate({csr.rows, csr.cols, csr.nnz(), rowptr, colind,
                               positionBytes, coordinateBytes});
      EXPECT_EQ(error(), "");
      return status ? "" : status.error();
    }
    int32_t code =
        api.validate_pattern(rowptr, colind, csr.rows, csr.cols, csr.nnz(),
                             positionBytes, coordinateBytes);
    std::string text = error();
    EXPECT_EQ(code, text.empty() ? AUTOSAGE_DEVICE_OK
                                 : AUTOSAGE_DEVICE_INVALID_ARGUMENT);
    return text;
  }
  void expectValidation(const Csr &csr) {
    Buffer rowptr(api, csr.rowptr), colind(api, csr.colind);
    Status expected = validate(csr.view());
    ASSERT_EQ(validated(csr.view(), rowptr.data, colind.data),
              expected ? "" : expected.error());
  }
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Emulated, Patterns, testing::Values(Where::emulator));
INSTANTIATE_TEST_SUITE_P(Device, Patterns, testing::Values(Where::device));

/// `rows` rows, of which one in `hubEvery` has `hub` entries, others few.
static Csr skewedPattern(uint32_t seed, int64_t rows, int64_t cols,
                         int64_t hubEvery, int64_t hub) {
  std::mt19937 rng(seed);
  Ints rowptr = {0}, colind;
  for (int64_t i = 0; i < rows; ++i) {
    int64_t degree = i % hubEvery == hubEvery / 2 ? hub : rng() % 7;
    for (int64_t e = 0; e < degree; ++e)
      colind.push_back(static_cast<int64_t>(rng() % cols));
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  return pattern(cols, std::move(rowptr), std::move(colind));
}

/// Rows refer to others of their group of 50, mostly, under random names:
/// labels move, and communities meet their bound.
static Csr groupedPattern(uint32_t seed, int64_t rows, int64_t group) {
  std::mt19937 rng(seed);
  Ints rowptr = {0}, colind;
  for (int64_t i = 0; i < rows; ++i) {
    int64_t base = i * 7919 % rows / group * group;
    for (uint32_t e = rng() % 12; e > 0; --e) {
      int64_t member = rng() % 10 ? base + rng() % group : rng() % rows;
      colind.push_back(std::min(member, rows - 1));
    }
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  return pattern(rows, std::move(rowptr), std::move(colind));
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

TEST_P(Patterns, TasksOfSmallPatterns) {
  // One combination of index types in five, by turns: emulation takes time.
  int turn = 0;
  forRandomPatterns([&](const Csr &csr, std::mt19937 &rng) {
    constexpr int64_t chunks[] = {1, 2, 5, 33,
                                  std::numeric_limits<int64_t>::max()};
    int64_t chunk = chunks[rng() % 5];
    forAllIndexTypes(csr, [&](const Csr &typed) {
      if (onDevice() || turn++ % 5 == 0)
        expectTasks(
            typed, chunk,
            {TaskOrder::stored, TaskOrder::length, TaskOrder::locality});
    });
  });
}

TEST_P(Patterns, TasksOfHubs) {
  for (int64_t cols : {3000, 2999}) // by communities, by hashes
    for (int64_t chunk : {7, 256, 1 << 20})
      expectTasks(skewedPattern(3, 3000, cols, 1000, 20000), chunk,
                  {TaskOrder::stored, TaskOrder::length, TaskOrder::locality});
}

TEST_P(Patterns, TasksOfOneRow) {
  for (int64_t entries : {0, 1, 63, 64, 65, 40000})
    for (int64_t cols : {1, 77})
      expectTasks(skewedPattern(5, 1, cols, 1, entries), 16,
                  {TaskOrder::stored, TaskOrder::length, TaskOrder::locality});
}

TEST_P(Patterns, LocalityOfCommunities) {
  // The second is of one community, which is full after a round or two.
  expectTasks(groupedPattern(7, 20000, 50), 64, {TaskOrder::locality});
  expectTasks(groupedPattern(9, 40000, 40000), 64, {TaskOrder::locality});
}

TEST_P(Patterns, LocalityOfLongSampledRows) {
  // Every number of lanes, and samples with steps.
  for (int64_t degree : {3, 8, 16, 31, 64, 129, 1000})
    expectTasks(skewedPattern(11, 300, 300, 1, degree), 1 << 20,
                {TaskOrder::locality});
}

TEST_P(Patterns, LocalityOfAHubOfManyColumns) {
  // Its label is asked for by all: more rows want it than a community takes.
  Ints rowptr = {0}, colind;
  std::mt19937 rng(13);
  for (int64_t i = 0; i < 40000; ++i) {
    colind.push_back(17);
    if (rng() % 4 == 0)
      colind.push_back(static_cast<int64_t>(rng() % 40000));
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  expectTasks(pattern(40000, std::move(rowptr), std::move(colind)), 64,
              {TaskOrder::locality});
}

TEST_P(Patterns, TasksOfManyRows) {
  // 4,200,000: prefix sums on three levels. Sorting as many takes a minute.
  for (int64_t rows : {300000, 4200000}) {
    std::vector<int32_t> rowptr(static_cast<size_t>(rows) + 1);
    std::vector<int32_t> colind(1000, 3);
    for (size_t i = 277777; i < rowptr.size(); ++i)
      rowptr[i] = 1000;
    Csr csr{rows, 10, IndexArray(std::move(rowptr)),
            IndexArray(std::move(colind))};
    expectTasks(csr, 16, {TaskOrder::stored});
    if (rows == 300000 || onDevice())
      expectTasks(csr, 16, {TaskOrder::length});
  }
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

TEST_P(Patterns, TransposesOfSmallPatterns) {
  forRandomPatterns([&](const Csr &csr, std::mt19937 &rng) {
    forAllIndexTypes(csr, [&](const Csr &typed) {
      bool withPerm = rng() % 3 != 0;
      for (IndexType out : {IndexType::i32, IndexType::i64})
        expectTranspose(typed, out, withPerm);
    });
  });
}

TEST_P(Patterns, TransposesOfLargerPatterns) {
  expectTranspose(skewedPattern(17, 3000, 70000, 500, 15000), IndexType::i32,
                  true);
  // All in one column; columns far apart.
  expectTranspose(skewedPattern(19, 9000, 1, 3000, 10000), IndexType::i32,
                  true);
  Csr sparse = skewedPattern(23, 2, 5, 1, 9000);
  sparse.cols = 1000000;
  expectTranspose(sparse, IndexType::i64, true);
  // Many rows, few entries.
  std::vector<int32_t> rowptr(1000001, 3);
  rowptr[0] = 0;
  expectTranspose({1000000, 40, IndexArray(std::move(rowptr)),
                   IndexArray(std::vector<int32_t>{39, 0, 39})},
                  IndexType::i32, true);
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

TEST_P(Patterns, StatsOfSmallPatterns) {
  int turn = 0;
  forRandomPatterns([&](const Csr &csr, std::mt19937 &) {
    forAllIndexTypes(csr, [&](const Csr &typed) {
      if (onDevice() || turn++ % 5 == 0)
        expectStats(typed);
    });
  });
}

TEST_P(Patterns, StatsOfHubs) {
  // Degrees with bins of their own and in common, up to 2^17; some in windows
  // that look at a part of the rows.
  for (int64_t hub : {2047, 2048, 2049, 3000, 131071})
    expectStats(skewedPattern(47, 2500, 3000, 700, hub));
  expectStats(skewedPattern(53, 70000, 300000, 5000, 9000));
  expectStats(groupedPattern(59, 40000, 50));
}

TEST_P(Patterns, StatsOfOneRow) {
  for (int64_t entries : {0, 1, 63, 40000})
    for (int64_t cols : {1, 77})
      expectStats(skewedPattern(61, 1, cols, 1, entries));
}

TEST_P(Patterns, StatsOfManyRows) {
  // Several for each thread.
  std::vector<int32_t> rowptr(100001), colind(1000, 3);
  for (size_t i = 27777; i < rowptr.size(); ++i)
    rowptr[i] = 1000;
  expectStats({100000, 10, IndexArray(std::move(rowptr)),
               IndexArray(std::move(colind))});
}

TEST_P(Patterns, StatsOfManyColumns) {
  // On a device for their number; on the emulator also where bits would do.
  Csr csr = skewedPattern(67, 40000, 900, 5000, 2000);
  csr.cols = int64_t(1) << 40;
  expectStats(csr);
  markedColumns = 0;
  expectStats(groupedPattern(71, 3000, 50));
}

//===----------------------------------------------------------------------===//
// 64-bit numbers: what a pattern of more than 2^32 rows or entries gets
//===----------------------------------------------------------------------===//

TEST_P(Patterns, WideKeysAndNumbers) {
  if (onDevice())
    GTEST_SKIP() << "the device's interface decides by size";
  Csr csr = skewedPattern(29, 3000, 5000, 700, 3000); // some 20,000 entries
  for (uint64_t count : {uint64_t(0), uint64_t(4000), uint64_t(6000)}) {
    narrowCount = count;
    expectTranspose(csr, IndexType::i64, true);
    expectTasks(csr, 8, {TaskOrder::length, TaskOrder::locality});
  }
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

TEST_P(Patterns, ValidationOfDamagedPatterns) {
  std::mt19937 rng(31);
  auto any = [&](const Ints &values) {
    constexpr int64_t odd[] = {-1, -5, 0, 1, 3, 2147483647, -2147483647};
    return rng() % 2 || values.empty() ? odd[rng() % 7]
                                       : values[rng() % values.size()];
  };
  int invalid = 0;
  forRandomPatterns([&](const Csr &csr, std::mt19937 &) {
    expectValidation(csr);
    for (int repeat = 0; repeat < 3; ++repeat) {
      Ints rowptr = toInts(csr.rowptr), colind = toInts(csr.colind);
      for (uint32_t faults = 1 + rng() % 3; faults > 0; --faults) {
        if (rng() % 2 || colind.empty())
          rowptr[rng() % rowptr.size()] = any(rowptr);
        else
          colind[rng() % colind.size()] = any({csr.cols, csr.cols - 1});
      }
      Csr damaged = pattern(csr.cols, rowptr, colind);
      invalid += !validate(damaged.view());
      forAllIndexTypes(damaged,
                       [&](const Csr &typed) { expectValidation(typed); });
    }
  });
  EXPECT_GT(invalid, 100);
}

TEST_P(Patterns, ValidationFindsTheFirstFaultOfMany) {
  Csr csr = skewedPattern(37, 100000, 100, 50000, 3000);
  expectValidation(csr);
  Ints rowptr = toInts(csr.rowptr), colind = toInts(csr.colind);
  for (size_t e : {299999u, 250001u, 4242u, 4241u}) {
    colind[e] = e % 2 ? 100 : -1;
    expectValidation(pattern(100, rowptr, colind));
  }
  for (size_t i : {100000u, 99998u, 70001u, 256u, 1u, 0u}) {
    rowptr[i] = i % 2 ? -7 : rowptr[i] + 1000000;
    expectValidation(pattern(100, rowptr, colind));
  }
}

TEST_P(Patterns, ValidationOfSizesAndNull) {
  Csr csr = skewedPattern(41, 20, 10, 30, 0);
  Buffer rowptr(api, csr.rowptr), colind(api, csr.colind);
  auto expect = [&](CsrView view, const void *positions, const void *columns) {
    CsrView host = view;
    host.rowptr.data = positions ? csr.rowptr.data() : nullptr;
    host.colind.data = columns ? csr.colind.data() : nullptr;
    Status expected = validate(host);
    ASSERT_FALSE(expected);
    EXPECT_EQ(validated(view, positions, columns), expected.error());
  };
  CsrView view = csr.view(), bad = view;
  expect(view, nullptr, colind.data);
  expect(view, rowptr.data, nullptr);
  bad.rows = -1;
  bad.rowptr.size = 0;
  expect(bad, rowptr.data, colind.data);
  bad = view;
  bad.cols = -3;
  expect(bad, rowptr.data, colind.data);
  bad = view;
  bad.colind.size = -2;
  expect(bad, rowptr.data, colind.data);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

TEST_P(Patterns, ArgumentsAreChecked) {
  Csr csr = skewedPattern(43, 20, 10, 30, 0);
  Buffer rowptr(api, csr.rowptr), colind(api, csr.colind);
  Buffer tasks = poisoned(20 * 32);
  auto message = [&](int32_t positionBytes, int32_t coordinateBytes,
                     int64_t chunk, int64_t numTasks) {
    if (onDevice()) {
      api.build_tasks(rowptr.data, colind.data, 20, 10, csr.nnz(),
                      positionBytes, coordinateBytes, chunk, 0, tasks.data,
                      numTasks);
      return error();
    }
    Status status =
        emulated().buildTasks({20, 10, csr.nnz(), rowptr.data, colind.data,
                               positionBytes, coordinateBytes},
                              chunk, TaskOrder::stored, tasks.data, numTasks);
    return status ? std::string() : status.error();
  };
  EXPECT_EQ(message(8, 8, 100, 20), "");
  EXPECT_EQ(message(2, 8, 100, 20), "expects positions of 4 or 8 bytes, got 2");
  EXPECT_EQ(message(8, 3, 100, 20),
            "expects coordinates of 4 or 8 bytes, got 3");
  EXPECT_EQ(message(8, 8, 0, 20), "expects a chunk of at least 1, got 0");
  EXPECT_EQ(message(8, 8, 100, 19),
            "build_tasks expects place for at least one task a row, 20, got "
            "19");
}
