//===- Bits.h - floating-point numbers as their bits ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_EMULATION_BITS_H
#define AUTOSAGE_LIB_EMULATION_BITS_H

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

} // namespace autosage::simt

#endif // AUTOSAGE_LIB_EMULATION_BITS_H
