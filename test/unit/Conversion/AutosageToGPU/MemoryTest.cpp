//===- MemoryTest.cpp - loads, stores and sums of columns -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors of every width and element type, at addresses that are as aligned as
// the load says, less, and more; what columns of a lane come to.
//
//===----------------------------------------------------------------------===//

#include "EmittedKernel.h"

#include "autosage/Core/Half.h"
#include "autosage/Emulation/Simt.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace autosage;
using namespace autosage::test;
using mlir::Value;
using mlir::autosage::device::accumulatorType;
using mlir::autosage::device::Emitter;

namespace {
using TypeOf = mlir::Type (*)(mlir::Builder &);
mlir::Type f16(mlir::Builder &b) { return b.getF16Type(); }
mlir::Type bf16(mlir::Builder &b) { return b.getBF16Type(); }
mlir::Type f32(mlir::Builder &b) { return b.getF32Type(); }
mlir::Type f64(mlir::Builder &b) { return b.getF64Type(); }

/// Aligned to 16 bytes.
template <typename T> std::vector<T> draw(size_t count) {
  std::mt19937_64 engine(9);
  std::vector<T> x(count);
  for (T &v : x)
    v = T(static_cast<double>(engine() % 4096) / 1024 - 2);
  return x;
}

constexpr int64_t threads = 8;

/// Every thread takes `columns` elements `offset` elements behind its place,
/// and stores them in the accumulator's type or in that of memory.
template <typename T, typename Acc>
Finding move(TypeOf typeOf, std::vector<T> &x, std::vector<Acc> &wide,
             std::vector<T> &same, int64_t columns, int64_t offset,
             int64_t alignment) {
  auto run = [&](Bytes out, bool widens) {
    return runEmitted(
        threads, x, {}, out, [&](Emitter &e, KernelArguments args) {
          mlir::Type type = typeOf(e.b);
          Value place = e.mulI(args.thread, columns);
          Value from = e.at(args.x, type, e.addI(place, offset));
          Value value = e.load(from, type, columns, alignment);
          mlir::FloatType acc = accumulatorType(type);
          value = e.widen(value, acc);
          if (widens)
            return e.store(value, e.at(args.out, acc, place));
          e.store(e.narrow(value, type), e.at(args.out, type, place));
        });
  };
  Finding finding = run(wide, true);
  return finding.code ? finding : run(same, false);
}

template <typename T, typename Acc> void testVectors(TypeOf typeOf) {
  constexpr auto bytes = static_cast<int64_t>(sizeof(T));
  for (int64_t columns = 1; columns * bytes <= 16; columns *= 2)
    for (int64_t offset : {int64_t(0), int64_t(1)}) {
      SCOPED_TRACE(std::to_string(columns) + " columns, offset " +
                   std::to_string(offset));
      auto count = static_cast<size_t>(threads * columns);
      std::vector<T> x = draw<T>(count + 1), same(count, T(std::nan("")));
      std::vector<Acc> wide(count, Acc(std::nan("")));
      Finding finding = move(typeOf, x, wide, same, columns, offset, 0);
      EXPECT_EQ(finding.message, "");
      for (size_t i = 0; i < count; ++i) {
        EXPECT_EQ(wide[i], Acc(x[i + static_cast<size_t>(offset)])) << i;
        EXPECT_EQ(Acc(same[i]), wide[i]) << i;
      }
      // An alignment that the address does not have is a finding.
      finding = move(typeOf, x, wide, same, columns, offset, columns * bytes);
      bool isAligned = offset == 0 || columns == 1;
      EXPECT_EQ(finding.code, isAligned ? 0 : AUTOSAGE_SIMT_MISALIGNED);
    }
}
} // namespace

TEST(EmitterMemory, VectorsOfF16) { testVectors<Float16, float>(f16); }
TEST(EmitterMemory, VectorsOfBf16) { testVectors<BFloat16, float>(bf16); }
TEST(EmitterMemory, VectorsOfF32) { testVectors<float, float>(f32); }
TEST(EmitterMemory, VectorsOfF64) { testVectors<double, double>(f64); }

// One element beyond the buffer, in the last lane's vector.
TEST(EmitterMemory, AVectorMayNotPassTheEnd) {
  std::vector<float> x = draw<float>(threads * 4), wide(threads * 4);
  std::vector<float> same(threads * 4);
  EXPECT_EQ(move(f32, x, wide, same, 4, 0, 0).code, 0);
  EXPECT_EQ(move(f32, x, wide, same, 4, 1, 0).code,
            AUTOSAGE_SIMT_OUT_OF_BOUNDS);
}

// Lanes behind the last column read its vector again, and store nothing: how
// the kernels mask what a group of lanes is too wide for.
TEST(EmitterMemory, LanesBehindTheEndAreMasked) {
  constexpr int64_t vec = 4;
  for (int64_t width = vec; width <= threads * vec; width += vec) {
    std::vector<float> x = draw<float>(static_cast<size_t>(width));
    std::vector<float> out(static_cast<size_t>(width), std::nanf(""));
    Finding finding =
        runEmitted(threads, x, {}, out, [&](Emitter &e, KernelArguments args) {
          mlir::Type type = e.b.getF32Type();
          Value end = e.i64(width), column = e.mulI(args.thread, vec);
          Value isInside = e.lessThan(column, end);
          column = e.minI(column, e.addI(end, -vec));
          Value value = e.load(e.at(args.x, type, column), type, vec, 16);
          Value two = e.spread(e.constant(2.0, type), vec);
          e.ifThen(isInside, [&] {
            e.store(e.mul(value, two), e.at(args.out, type, column), 16);
          });
        });
    EXPECT_EQ(finding.message, "") << width;
    for (size_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(out[i], 2 * x[i]) << width << " " << i;
  }
}

//===----------------------------------------------------------------------===//
// Columns of a lane
//===----------------------------------------------------------------------===//

TEST(EmitterMemory, SumAndMaximumOfColumns) {
  for (int64_t columns : {1, 2, 4, 8}) {
    auto count = static_cast<size_t>(threads * columns);
    std::vector<float> x = draw<float>(count), out(2 * threads, std::nanf(""));
    Finding finding =
        runEmitted(threads, x, {}, out, [&](Emitter &e, KernelArguments args) {
          mlir::Type type = e.b.getF32Type();
          Value first = e.mulI(args.thread, columns);
          Value value = e.load(e.at(args.x, type, first), type, columns);
          Value place = e.mulI(args.thread, 2);
          e.store(e.sumColumns(value), e.at(args.out, type, place));
          e.store(e.maxColumns(value), e.at(args.out, type, e.addI(place, 1)));
        });
    EXPECT_EQ(finding.message, "");
    for (size_t thread = 0; thread < threads; ++thread) {
      auto n = static_cast<size_t>(columns);
      double sum = 0, max = -1e9;
      for (size_t i = thread * n; i < (thread + 1) * n; ++i) {
        sum += x[i]; // multiples of 2^-10: exact
        max = std::max<double>(max, x[i]);
      }
      EXPECT_EQ(out[2 * thread], sum);
      EXPECT_EQ(out[2 * thread + 1], max);
    }
  }
}

// Several dot products, each with what it held before.
TEST(EmitterMemory, DotsOfColumns) {
  for (int64_t columns : {1, 2, 4}) {
    auto n = static_cast<size_t>(columns);
    std::vector<float> x = draw<float>(threads * n * 2);
    std::vector<float> y = x, out(2 * threads, std::nanf(""));
    std::reverse(y.begin(), y.end());
    Finding finding =
        runEmitted(threads, x, y, out, [&](Emitter &e, KernelArguments args) {
          mlir::Type type = e.b.getF32Type();
          llvm::SmallVector<Value> lhs, rhs, sums;
          for (int64_t sum = 0; sum < 2; ++sum) {
            Value place = e.mulI(e.addI(e.mulI(args.thread, 2), sum), columns);
            lhs.push_back(e.load(e.at(args.x, type, place), type, columns));
            rhs.push_back(e.load(e.at(args.y, type, place), type, columns));
            sums.push_back(e.constant(static_cast<double>(sum) + 0.5, type));
          }
          sums = e.dotColumns(lhs, rhs, sums);
          for (int64_t sum = 0; sum < 2; ++sum)
            e.store(sums[static_cast<size_t>(sum)],
                    e.at(args.out, type, e.addI(e.mulI(args.thread, 2), sum)));
        });
    EXPECT_EQ(finding.message, "");
    for (size_t dot = 0; dot < 2 * threads; ++dot) {
      double expected = static_cast<double>(dot % 2) + 0.5;
      double magnitude = expected;
      for (size_t i = dot * n; i < (dot + 1) * n; ++i) {
        double product = static_cast<double>(x[i]) * y[i];
        expected += product;
        magnitude += std::fabs(product);
      }
      EXPECT_LE(std::fabs(out[dot] - expected), 4 * 0x1p-24 * magnitude) << dot;
    }
  }
}
