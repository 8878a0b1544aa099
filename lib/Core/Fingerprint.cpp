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
#include "autosage/Core/StatsSums.h"

namespace autosage {
namespace {

using namespace fingerprint_words;

struct Sum {
  Fingerprint total;

  void add(Domain domain, uint64_t position, uint64_t value) {
    total.high += high(domain, position, value);
    total.low += low(domain, position, value);
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

Fingerprint fingerprintOfSizes(int64_t rows, int64_t cols, int64_t nnz) {
  Sum sum;
  sum.add(sizes, 0, static_cast<uint64_t>(rows));
  sum.add(sizes, 1, static_cast<uint64_t>(cols));
  sum.add(sizes, 2, static_cast<uint64_t>(nnz));
  return sum.total;
}

Fingerprint fingerprint(const CsrView &csr) {
  Sum sum{fingerprintOfSizes(csr.rows, csr.cols, csr.nnz())};
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
