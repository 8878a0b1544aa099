//===- Half.h - 16-bit floating point without hardware ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_EMULATION_HALF_H
#define AUTOSAGE_LIB_EMULATION_HALF_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace autosage::simt {

inline float bitsToFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline uint32_t floatToBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float halfToFloat(uint16_t bits) {
  uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  uint32_t exponent = bits >> 10 & 31, mantissa = bits & 0x3ffu;
  if (exponent == 31)
    return bitsToFloat(sign | 0x7f800000u | mantissa << 13);
  if (exponent == 0) { // zero and subnormal numbers, exact in f32
    float value = std::ldexp(static_cast<float>(mantissa), -24);
    return sign ? -value : value;
  }
  return bitsToFloat(sign | (exponent + 112) << 23 | mantissa << 13);
}

/// To the nearest, ties to even.
inline uint16_t floatToHalf(float value) {
  uint32_t bits = floatToBits(value);
  auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u)
    return static_cast<uint16_t>(sign | 0x7fffu); // the NaN of PTX
  if (bits >= 0x477ff000u)                        // 65520 and more
    return static_cast<uint16_t>(sign | 0x7c00u);
  if (bits < 0x38800000u) { // below 2^-14: a multiple of 2^-24
    float scaled = std::ldexp(bitsToFloat(bits), 24);
    return static_cast<uint16_t>(sign |
                                 static_cast<uint16_t>(std::nearbyint(scaled)));
  }
  uint32_t rounded = bits + 0xfffu + (bits >> 13 & 1);
  return static_cast<uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}

/// To the nearest, ties to even.
inline uint16_t floatToBfloat(float value) {
  uint32_t bits = floatToBits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<uint16_t>(bits >> 16 | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

} // namespace autosage::simt

#endif // AUTOSAGE_LIB_EMULATION_HALF_H
