//===- MathTest.cpp - exponential and logarithm of the emitter ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against the functions of the C library in f64, or in more bits for f64, with
// the errors that Emitter.h promises.
//
//===----------------------------------------------------------------------===//

#include "EmittedKernel.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace autosage::test;
using mlir::Value;
using mlir::autosage::device::Emitter;

static constexpr double inf = std::numeric_limits<double>::infinity();

/// `function` of every element, a thread for each `columns` of them; their
/// number is a multiple of it and at most 1024 times as large.
template <typename T>
static std::vector<T>
evaluate(std::vector<T> x, int64_t columns,
         llvm::function_ref<Value(Emitter &, Value)> function) {
  std::vector<T> out(x.size(), std::numeric_limits<T>::quiet_NaN());
  auto threads = static_cast<int64_t>(x.size()) / columns;
  Finding finding =
      runEmitted(threads, x, {}, out, [&](Emitter &e, KernelArguments args) {
        mlir::Type type = e.b.getF32Type();
        if (sizeof(T) == 8)
          type = e.b.getF64Type();
        Value first = e.mulI(args.thread, columns);
        Value value = e.load(e.at(args.x, type, first), type, columns);
        e.store(function(e, value), e.at(args.out, type, first));
      });
  EXPECT_EQ(finding.message, "");
  return out;
}

static Value expOf(Emitter &e, Value value) { return e.exp(value); }
static Value logOf(Emitter &e, Value value) { return e.log(value); }

template <typename T>
static std::vector<T> draw(size_t count, double low, double high) {
  std::mt19937_64 engine(count);
  std::uniform_real_distribution<double> value(low, high);
  std::vector<T> x(count);
  for (T &v : x)
    v = static_cast<T>(value(engine));
  return x;
}

TEST(EmitterMath, Exp32) {
  for (auto [low, high] : {std::pair{-1.0, 1.0}, {-87.0, 88.0}}) {
    std::vector<float> x = draw<float>(1024, low, high);
    std::vector<float> got = evaluate(x, 1, expOf);
    for (size_t i = 0; i < x.size(); ++i) {
      double expected = std::exp(static_cast<double>(x[i]));
      // 2 ulp, and what rounding the scaled value adds.
      double bound = 0x1p-22 + 1.5 * std::fabs(x[i]) * 0x1p-24;
      EXPECT_LE(std::fabs(got[i] / expected - 1), bound) << x[i];
    }
  }
}

TEST(EmitterMath, Exp32OfLimits) {
  const auto finf = static_cast<float>(inf);
  std::vector<float> got = evaluate<float>(
      {0.0f, -0.0f, finf, -finf, std::nanf(""), 100.0f, -200.0f}, 1, expOf);
  EXPECT_EQ(got[0], 1.0f);
  EXPECT_EQ(got[1], 1.0f);
  EXPECT_EQ(got[2], finf);
  EXPECT_EQ(got[3], 0.0f);
  EXPECT_TRUE(std::isnan(got[4]));
  EXPECT_EQ(got[5], finf);
  EXPECT_EQ(got[6], 0.0f);
}

TEST(EmitterMath, Exp64) {
  for (int64_t columns : {1, 2})
    for (auto [low, high] :
         {std::pair{-1.0, 1.0}, {-1e-9, 1e-9}, {-708.0, 709.7}}) {
      std::vector<double> x = draw<double>(1024, low, high);
      std::vector<double> got = evaluate(x, columns, expOf);
      for (size_t i = 0; i < x.size(); ++i) {
        long double expected = std::exp(static_cast<long double>(x[i]));
        EXPECT_LE(std::fabs(got[i] / expected - 1), 0x1p-52L) << x[i];
      }
    }
}

TEST(EmitterMath, Exp64OfLimits) {
  std::vector<double> x = {0.0,          -0.0,   inf,    -inf,
                           std::nan(""), 710.0,  1e300,  -1e300,
                           -746.0,       -740.0, -745.1, 709.782712893383};
  std::vector<double> got = evaluate(x, 1, expOf);
  for (size_t i = 0; i < x.size(); ++i) {
    double expected = std::exp(x[i]);
    SCOPED_TRACE(x[i]);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(got[i]));
    else if (std::isinf(expected) || std::fabs(expected) < 1e-307)
      // Denormal numbers round once more.
      EXPECT_TRUE(got[i] == expected ||
                  std::fabs(got[i] - expected) <= 0x1p-1074)
          << got[i];
    else
      EXPECT_LE(std::fabs(got[i] / expected - 1), 0x1p-51);
  }
}

TEST(EmitterMath, Log32) {
  for (double high : {1.01, 2.0, 1e6, 3e38}) {
    std::vector<float> x = draw<float>(1024, 1.0, high);
    std::vector<float> got = evaluate(x, 1, logOf);
    for (size_t i = 0; i < x.size(); ++i) {
      double expected = std::log(static_cast<double>(x[i]));
      // What storing a logarithm in f32 costs is not the approximation's.
      double bound = 0x1p-22 + expected * 0x1p-23;
      EXPECT_LE(std::fabs(got[i] - expected), bound) << x[i];
    }
  }
}

TEST(EmitterMath, Log64) {
  for (double high : {1 + 1e-9, 1.5, 4.0, 1e6, 1e300}) {
    std::vector<double> x = draw<double>(1024, 1.0, high);
    std::vector<double> got = evaluate(x, 1, logOf);
    for (size_t i = 0; i < x.size(); ++i) {
      long double expected = std::log(static_cast<long double>(x[i]));
      EXPECT_LE(std::fabs(got[i] - expected), expected * 0x1p-52L) << x[i];
    }
  }
}

TEST(EmitterMath, LogOfLimits) {
  std::vector<double> wide =
      evaluate<double>({1.0, inf, std::nan("")}, 1, logOf);
  EXPECT_EQ(wide[0], 0.0);
  EXPECT_EQ(wide[1], inf);
  EXPECT_TRUE(std::isnan(wide[2]));
  std::vector<float> narrow =
      evaluate<float>({1.0f, static_cast<float>(inf), std::nanf("")}, 1, logOf);
  EXPECT_EQ(narrow[0], 0.0f);
  EXPECT_EQ(narrow[1], static_cast<float>(inf));
  EXPECT_TRUE(std::isnan(narrow[2]));
}

// NaN wins on either side; the hardware's own minimum would drop it.
TEST(EmitterMath, MaximumAndMinimumKeepNaN) {
  const float nan = std::nanf("");
  for (bool wantsMax : {true, false}) {
    std::vector<float> got = evaluate<float>(
        {nan, 1.0f, 1.0f, nan, 2.0f, 1.0f, -1.0f, 3.0f}, 2,
        [&](Emitter &e, Value pair) {
          Value swapped = mlir::vector::ShuffleOp::create(
              e.b, e.loc, pair, pair, llvm::ArrayRef<int64_t>{1, 0});
          return wantsMax ? e.maxF(pair, swapped) : e.minF(pair, swapped);
        });
    for (int i = 0; i < 4; ++i)
      EXPECT_TRUE(std::isnan(got[i])) << i;
    for (int i = 4; i < 6; ++i)
      EXPECT_EQ(got[i], wantsMax ? 2.0f : 1.0f);
    for (int i = 6; i < 8; ++i)
      EXPECT_EQ(got[i], wantsMax ? 3.0f : -1.0f);
  }
}
