//===- HalfTest.cpp - f16 and bf16, every pattern -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected values come from the definition of the formats in terms of
// ldexp, and from a search for the nearest of all values.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace autosage;

namespace {
/// What the bits of a format mean, by its definition.
template <typename T> double valueOf(uint16_t bits) {
  constexpr int fractionBits = T::fractionBits;
  int exponentMax = (1 << (15 - fractionBits)) - 1;
  int exponent = bits >> fractionBits & exponentMax;
  double fraction = bits & ((1 << fractionBits) - 1);
  double magnitude = 0;
  if (exponent == exponentMax)
    magnitude = fraction != 0 ? NAN : INFINITY;
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, 1 - T::bias - fractionBits);
  else
    magnitude = std::ldexp(fraction + (1 << fractionBits),
                           exponent - T::bias - fractionBits);
  return bits & 0x8000 ? -magnitude : magnitude;
}

template <typename T> class Half : public testing::Test {};
using Formats = testing::Types<Float16, BFloat16>;

struct FormatNames {
  template <typename T> static std::string GetName(int) {
    return T::fractionBits == 10 ? "f16" : "bf16";
  }
};
} // namespace

TYPED_TEST_SUITE(Half, Formats, FormatNames);

TYPED_TEST(Half, EveryPatternWidensExactly) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    TypeParam half = TypeParam::ofBits(static_cast<uint16_t>(bits));
    double expected = valueOf<TypeParam>(half.bits), got = half;
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got)) << bits;
    } else {
      ASSERT_EQ(got, expected) << bits;
    }
    ASSERT_EQ(std::signbit(got), (bits & 0x8000) != 0) << bits;
  }
}

TYPED_TEST(Half, EveryPatternComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    TypeParam half = TypeParam::ofBits(static_cast<uint16_t>(bits));
    TypeParam back(static_cast<double>(half));
    bool isNan = (bits & 0x7fff) > TypeParam::infinityBits;
    // NaN comes back quiet, with its sign.
    uint32_t quiet = isNan ? 1u << (TypeParam::fractionBits - 1) : 0;
    ASSERT_EQ(back.bits, bits | quiet) << bits;
  }
}

// Between two neighbours: just below, on and just above the middle.
TYPED_TEST(Half, RoundsToNearestEven) {
  const double inf = std::numeric_limits<double>::infinity();
  for (uint32_t bits = 0; bits < TypeParam::infinityBits; ++bits) {
    double low = valueOf<TypeParam>(static_cast<uint16_t>(bits));
    double high = valueOf<TypeParam>(static_cast<uint16_t>(bits + 1));
    if (std::isinf(high)) // the next value, were there no infinity
      high = 2 * low - valueOf<TypeParam>(static_cast<uint16_t>(bits - 1));
    double middle = low + (high - low) / 2;
    uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    for (uint32_t sign : {0u, 0x8000u}) {
      double factor = sign ? -1 : 1;
      auto rounded = [&](double value) {
        return uint32_t(TypeParam(factor * value).bits);
      };
      ASSERT_EQ(rounded(std::nextafter(low, inf)), sign | bits) << bits;
      ASSERT_EQ(rounded(std::nextafter(middle, 0.0)), sign | bits) << bits;
      ASSERT_EQ(rounded(middle), sign | even) << bits;
      ASSERT_EQ(rounded(std::nextafter(middle, inf)), sign | (bits + 1))
          << bits;
      ASSERT_EQ(rounded(std::nextafter(high, 0.0)), sign | (bits + 1)) << bits;
    }
  }
}

TYPED_TEST(Half, ExtremesOfF64) {
  const double inf = std::numeric_limits<double>::infinity();
  const uint16_t infinity = TypeParam::infinityBits;
  EXPECT_EQ(TypeParam(1e300).bits, infinity);
  EXPECT_EQ(TypeParam(-inf).bits, infinity | 0x8000);
  EXPECT_EQ(TypeParam(5e-324).bits, 0);
  EXPECT_EQ(TypeParam(-1e-300).bits, 0x8000);
  EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(std::nan("")))));
  // A payload in the low bits alone must not become infinity.
  uint64_t bits = 0x7ff0000000000001;
  double signalling;
  std::memcpy(&signalling, &bits, sizeof signalling);
  EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(signalling))));
}

// By way of f32, 1 + 2^-11 + 2^-30 would become a tie and round to 1.
TEST(HalfFromF64, RoundsOnce) {
  double value = 1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -30);
  EXPECT_EQ(Float16(static_cast<float>(value)).bits, 0x3c00);
  EXPECT_EQ(Float16(value).bits, 0x3c01);
}
