//===- LanesTest.cpp - exchanges between the lanes of a group -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups of every width. Where a group alone has to take part, others stay
// away: the emulator reports an exchange that asks for more.
//
//===----------------------------------------------------------------------===//

#include "EmittedKernel.h"

#include "autosage/Emulation/Simt.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace autosage::test;
using mlir::Value;
using mlir::autosage::device::Emitter;

static constexpr int64_t threads = 96;

template <typename T> static std::vector<T> draw(size_t count) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> value;
  std::vector<T> x(count);
  for (T &v : x)
    v = static_cast<T>(value(engine));
  return x;
}

template <typename T> static mlir::Type typeOf(Emitter &e) {
  if (sizeof(T) == 8)
    return e.b.getF64Type();
  return e.b.getF32Type();
}

using Fold = Value (Emitter::*)(Value, int64_t, int64_t);

/// Folds in every second group of `lanes`; other threads write nothing.
template <typename T>
static std::vector<T> foldSomeGroups(std::vector<T> x, Fold fold, int64_t lanes,
                                     int64_t apart) {
  std::vector<T> out(x.size(), std::numeric_limits<T>::quiet_NaN());
  Finding finding =
      runEmitted(threads, x, {}, out, [&](Emitter &e, KernelArguments args) {
        mlir::Type type = typeOf<T>(e);
        Value group = e.divI(args.thread, lanes);
        e.ifThen(e.isZero(e.remI(group, 2)), [&] {
          Value value = e.load(e.at(args.x, type, args.thread), type);
          e.store((e.*fold)(value, lanes, apart),
                  e.at(args.out, type, args.thread));
        });
      });
  EXPECT_EQ(finding.message, "");
  return out;
}

template <typename T> static void testFolds(double tolerance) {
  std::vector<T> x = draw<T>(threads);
  for (int64_t lanes = 1; lanes <= 32; lanes *= 2)
    for (int64_t apart = 1; apart <= lanes; apart *= 2) {
      SCOPED_TRACE(std::to_string(lanes) + " lanes, apart " +
                   std::to_string(apart));
      std::vector<T> sums = foldSomeGroups(x, &Emitter::sumLanes, lanes, apart);
      std::vector<T> maxima =
          foldSomeGroups(x, &Emitter::maxLanes, lanes, apart);
      for (int64_t thread = 0; thread < threads; ++thread) {
        int64_t group = thread / lanes;
        auto sum = sums[static_cast<size_t>(thread)];
        auto max = maxima[static_cast<size_t>(thread)];
        if (group % 2 == 1) {
          EXPECT_TRUE(std::isnan(sum) && std::isnan(max)) << thread;
          continue;
        }
        double expected = 0, magnitude = 0;
        double largest = -std::numeric_limits<double>::infinity();
        for (int64_t lane = group * lanes; lane < (group + 1) * lanes; ++lane)
          if (lane % apart == thread % apart) {
            double value = x[static_cast<size_t>(lane)];
            expected += value;
            magnitude += std::fabs(value);
            largest = std::max(largest, value);
          }
        EXPECT_LE(std::fabs(sum - expected), tolerance * magnitude) << thread;
        EXPECT_EQ(max, largest) << thread;
        // All lanes of a group have the same bits.
        T first = sums[static_cast<size_t>(group * lanes + thread % apart)];
        EXPECT_EQ(std::memcmp(&first, &sum, sizeof sum), 0) << thread;
      }
    }
}

TEST(EmitterLanes, SumAndMaximum32) { testFolds<float>(5 * 0x1p-24); }
TEST(EmitterLanes, SumAndMaximum64) { testFolds<double>(5 * 0x1p-53); }

TEST(EmitterLanes, MaximumHandsNaNToItsGroupAlone) {
  std::vector<float> x = draw<float>(threads);
  x[19] = std::nanf("");
  std::vector<float> got = foldSomeGroups(x, &Emitter::maxLanes, 4, 1);
  for (size_t thread = 0; thread < threads; ++thread)
    if (thread / 4 % 2 == 0)
      EXPECT_EQ(std::isnan(got[thread]), thread / 4 == 19 / 4) << thread;
}

// A partner that is not there is a finding, not a number.
TEST(EmitterLanes, AnExchangeNeedsItsPartners) {
  auto exchange = [](int64_t present) {
    std::vector<float> x = draw<float>(32);
    std::vector<float> out(32);
    return runEmitted(32, x, {}, out, [&](Emitter &e, KernelArguments args) {
      mlir::Type type = e.b.getF32Type();
      e.ifThen(e.lessThan(args.thread, e.i64(present)), [&] {
        Value value = e.load(e.at(args.x, type, args.thread), type);
        e.store(e.shuffleXor(value, 16), e.at(args.out, type, args.thread));
      });
    });
  };
  EXPECT_EQ(exchange(32).message, "");
  EXPECT_EQ(exchange(16).code, AUTOSAGE_SIMT_COLLECTIVE);
}

template <typename T> static void testSharedSums(double tolerance) {
  for (int64_t lanes = 1; lanes <= 32; lanes *= 2)
    for (int64_t count = 1; count <= 16; count *= 2) {
      SCOPED_TRACE(std::to_string(count) + " sums over " +
                   std::to_string(lanes) + " lanes");
      auto n = static_cast<size_t>(threads * count);
      std::vector<T> x = draw<T>(n);
      int64_t mine = std::max<int64_t>(1, count / lanes);
      std::vector<T> out(static_cast<size_t>(threads * mine),
                         std::numeric_limits<T>::quiet_NaN());
      Finding finding = runEmitted(
          threads, x, {}, out, [&](Emitter &e, KernelArguments args) {
            mlir::Type type = typeOf<T>(e);
            llvm::SmallVector<Value> values;
            for (int64_t i = 0; i < count; ++i) {
              Value place = e.addI(e.mulI(args.thread, count), i);
              values.push_back(e.load(e.at(args.x, type, place), type));
            }
            Value lane = e.remI(e.threadX(), lanes);
            auto sums =
                e.sumLanesShared(values, lanes, lane, e.groupMask(lanes));
            EXPECT_EQ(static_cast<int64_t>(sums.size()), mine);
            for (auto [i, sum] : llvm::enumerate(sums)) {
              Value place =
                  e.addI(e.mulI(args.thread, mine), static_cast<int64_t>(i));
              e.store(sum, e.at(args.out, type, place));
            }
          });
      EXPECT_EQ(finding.message, "");
      for (int64_t thread = 0; thread < threads; ++thread)
        for (int64_t i = 0; i < mine; ++i) {
          int64_t first = thread / lanes * lanes;
          int64_t which = thread % lanes * count / lanes + i;
          double expected = 0, magnitude = 0;
          for (int64_t lane = first; lane < first + lanes; ++lane) {
            double value = x[static_cast<size_t>(lane * count + which)];
            expected += value;
            magnitude += std::fabs(value);
          }
          EXPECT_LE(
              std::fabs(out[static_cast<size_t>(thread * mine + i)] - expected),
              tolerance * magnitude)
              << thread << " " << i;
        }
    }
}

TEST(EmitterLanes, SharedSums32) { testSharedSums<float>(5 * 0x1p-24); }
TEST(EmitterLanes, SharedSums64) { testSharedSums<double>(5 * 0x1p-53); }

TEST(EmitterLanes, MasksOfGroups) {
  for (int64_t lanes = 1; lanes <= 32; lanes *= 2) {
    std::vector<uint32_t> out(threads, 0);
    Finding finding =
        runEmitted(threads, {}, {}, out, [&](Emitter &e, KernelArguments args) {
          e.store(e.groupMask(lanes),
                  e.at(args.out, e.b.getI32Type(), args.thread));
        });
    EXPECT_EQ(finding.message, "");
    for (int64_t thread = 0; thread < threads; ++thread) {
      uint32_t expected = 0;
      for (int64_t lane = 0; lane < 32; ++lane)
        if (lane / lanes == thread % 32 / lanes)
          expected |= 1u << lane;
      EXPECT_EQ(out[static_cast<size_t>(thread)], expected)
          << lanes << " " << thread;
    }
  }
}

TEST(EmitterLanes, Ballot) {
  std::vector<uint32_t> out(64, 0);
  Finding finding =
      runEmitted(64, {}, {}, out, [&](Emitter &e, KernelArguments args) {
        Value isThird = e.isZero(e.remI(args.thread, 3));
        e.store(e.ballot(isThird),
                e.at(args.out, e.b.getI32Type(), args.thread));
      });
  EXPECT_EQ(finding.message, "");
  for (size_t thread = 0; thread < 64; ++thread) {
    uint32_t expected = 0;
    for (size_t lane = 0; lane < 32; ++lane)
      if ((thread / 32 * 32 + lane) % 3 == 0)
        expected |= 1u << lane;
    EXPECT_EQ(out[thread], expected) << thread;
  }
}
