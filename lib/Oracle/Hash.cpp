//===- Hash.cpp - names and check sums ------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hash.h"

#include <cstdint>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace autosage;

std::string oracle::hashText(std::string_view text) {
  XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  std::string out;
  for (uint64_t word : {hash.high64, hash.low64})
    for (int shift = 60; shift >= 0; shift -= 4)
      out += "0123456789abcdef"[(word >> shift) & 15];
  return out;
}
