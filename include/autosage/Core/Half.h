//===- Half.h - the floating-point formats of 16 bits -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f16 (IEEE 754 binary16) and bf16 (the upper half of a binary32) for C++17,
// which has neither. They hold and convert values; arithmetic is done in f32 or
// f64. Widening is exact. Narrowing rounds once, from f64 as well, to nearest
// with ties to even; what rounds beyond the largest finite value is infinite,
// small values become denormal, NaN stays NaN with its sign.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_HALF_H
#define AUTOSAGE_CORE_HALF_H

#include <cstdint>
#include <cstring>

namespace autosage {

namespace detail {

/// A sign, `ExponentBits` of exponent, and what is left of 16 bits.
template <int ExponentBits> struct SmallFloat {
  static constexpr int fractionBits = 15 - ExponentBits;
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr uint16_t infinityBits = ((1 << ExponentBits) - 1)
                                           << fractionBits;

  uint16_t bits = 0;

  SmallFloat() = default;
  explicit SmallFloat(double value) : bits(round(value)) {}
  operator float() const { return widen(bits); }

  static SmallFloat ofBits(uint16_t bits) {
    SmallFloat value;
    value.bits = bits;
    return value;
  }

private:
  /// value / 2^shift to nearest, ties to even.
  static uint64_t shiftRounding(uint64_t value, int shift) {
    uint64_t odd = value >> shift & 1;
    return (value + (uint64_t(1) << (shift - 1)) - 1 + odd) >> shift;
  }

  static uint16_t round(double value) {
    uint64_t wide;
    std::memcpy(&wide, &value, sizeof wide);
    const uint16_t sign = static_cast<uint16_t>(wide >> 48 & 0x8000);
    const uint64_t magnitude = wide & 0x7fffffffffffffff;
    const uint64_t wideInfinity = uint64_t(0x7ff) << 52;
    const int drop = 52 - fractionBits;
    if (magnitude > wideInfinity) {
      // The first bits of the payload, quiet.
      uint64_t payload = magnitude >> drop & ((1 << fractionBits) - 1);
      return static_cast<uint16_t>(sign | infinityBits | payload |
                                   1 << (fractionBits - 1));
    }
    const int exponent = static_cast<int>(magnitude >> 52) - 1023;
    const int least = 1 - bias;
    if (exponent > bias)
      return sign | infinityBits;
    if (exponent >= least) {
      // A carry out of the fraction goes into the exponent, up to infinity.
      uint64_t rebased = magnitude - (uint64_t(1023 - bias) << 52);
      return static_cast<uint16_t>(sign | shiftRounding(rebased, drop));
    }
    const int shift = drop + least - exponent;
    if (shift > 53) // below half of the least denormal
      return sign;
    const uint64_t fraction =
        (magnitude & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
    return static_cast<uint16_t>(sign | shiftRounding(fraction, shift));
  }

  static float widen(uint16_t bits) {
    const uint32_t sign = uint32_t(bits & 0x8000) << 16;
    const uint32_t magnitude = bits & 0x7fff;
    const int grow = 23 - fractionBits;
    uint32_t wide = magnitude << grow;
    if (magnitude >= infinityBits) {
      wide |= 0x7f800000; // infinity and NaN
    } else if (magnitude >> fractionBits != 0) {
      wide += uint32_t(127 - bias) << 23;
    } else if (bias != 127) {
      // Denormals here are normal in f32; the factor is 2^(least - fraction).
      const uint32_t unit = uint32_t(127 + 1 - bias - fractionBits) << 23;
      float factor;
      std::memcpy(&factor, &unit, sizeof factor);
      float value = static_cast<float>(magnitude) * factor;
      std::memcpy(&wide, &value, sizeof wide);
    }
    wide |= sign;
    float value;
    std::memcpy(&value, &wide, sizeof value);
    return value;
  }
};

} // namespace detail

using Float16 = detail::SmallFloat<5>;
using BFloat16 = detail::SmallFloat<8>;

} // namespace autosage

#endif // AUTOSAGE_CORE_HALF_H
