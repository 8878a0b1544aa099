//===- Fingerprint.cpp - 128-bit structural fingerprint -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/fingerprint.md is the definition: a sum of mixed (position, value)
// words, so that any split of the work over threads or blocks gives the same
// bits.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Stats.h"

namespace autosage {
namespace {

/// 2^64 / golden ratio, odd: its multiples are spread evenly over the words.
constexpr uint64_t golden = 0x9e3779b97f4a7c15;

/// What a word is about; equal numbers in different roles mix differently.
enum Domain : uint64_t { sizes = 1, rowptrs = 2, colinds = 3 };

/// Finaliser of MurmurHash3 x64 (Appleby).
constexpr uint64_t mixHigh(uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53;
  return x ^ (x >> 33);
}

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014; variant 13 of Stafford).
constexpr uint64_t mixLow(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

struct Sum {
  Fingerprint total;

  void add(Domain domain, uint64_t position, uint64_t value) {
    total.high += mixHigh(mixHigh(position + domain * golden) + value);
    total.low += mixLow(mixLow(position + (domain + 3) * golden) + value);
  }
};

template <typename T>
void addAll(Sum &sum, Domain domain, const T *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    sum.add(domain, static_cast<uint64_t>(i), static_cast<uint64_t>(values[i]));
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

} // namespace

Fingerprint fingerprint(const CsrView &csr) {
  Sum sum;
  sum.add(sizes, 0, static_cast<uint64_t>(csr.rows));
  sum.add(sizes, 1, static_cast<uint64_t>(csr.cols));
  sum.add(sizes, 2, static_cast<uint64_t>(csr.nnz()));
  dispatch(csr, [&](const auto *rowptr, const auto *colind) {
    addAll(sum, rowptrs, rowptr, csr.rowptr.size);
    addAll(sum, colinds, colind, csr.colind.size);
  });
  return sum.total;
}

std::string Fingerprint::str() const {
  std::string out;
  for (uint64_t word : {high, low})
    for (int shift = 60; shift >= 0; shift -= 4)
      out += "0123456789abcdef"[(word >> shift) & 15];
  return out;
}

std::optional<Fingerprint> Fingerprint::parse(std::string_view text) {
  if (text.size() != 32)
    return std::nullopt;
  uint64_t words[2] = {0, 0};
  for (size_t i = 0; i < 32; ++i) {
    int digit = hexDigit(text[i]);
    if (digit < 0)
      return std::nullopt;
    words[i / 16] = words[i / 16] << 4 | static_cast<uint64_t>(digit);
  }
  return Fingerprint{words[0], words[1]};
}

} // namespace autosage
