//===- Stats.h - input statistics and structural fingerprint ----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the scheduler knows about a pattern, and the name under which decisions
// about it are remembered. Both are sums and order statistics over rows and
// entries, so that host and device compute the same numbers bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_STATS_H
#define AUTOSAGE_CORE_STATS_H

#include "autosage/Core/Csr.h"

#include <array>
#include <string>

namespace autosage {

/// 128-bit structural fingerprint; its definition is in docs/fingerprint.md.
/// Equal patterns have equal fingerprints whatever their index widths.
struct Fingerprint {
  uint64_t high = 0;
  uint64_t low = 0;

  bool operator==(const Fingerprint &o) const {
    return high == o.high && low == o.low;
  }
  bool operator!=(const Fingerprint &o) const { return !(*this == o); }
  /// 32 lower-case hexadecimal digits, high word first.
  std::string str() const;
  static std::optional<Fingerprint> parse(std::string_view text);
};

Fingerprint fingerprint(const CsrView &csr);
/// The terms of the sizes alone, for who adds up those of the arrays elsewhere.
Fingerprint fingerprintOfSizes(int64_t rows, int64_t cols, int64_t nnz);

/// Degree statistics of a pattern. All are finite, for empty patterns too.
struct InputStats {
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t nnz = 0;
  double mean = 0; // entries a row
  int64_t max = 0; // entries of the longest row
  double cv = 0;   // standard deviation / mean of entries a row
  int64_t p50 = 0; // quantiles of entries a row (nearest rank, in bins)
  int64_t p90 = 0;
  int64_t p99 = 0;
  int64_t p999 = 0;
  int64_t emptyRows = 0;
  double hubFraction = 0; // share of entries in rows longer than 8 x the mean
  double locality = 0;    // entries / distinct columns over windows of rows
  Fingerprint fingerprint;
};

/// Expects a valid pattern.
InputStats computeStats(const CsrView &csr);

struct StatsSums;

/// What the sums (StatsSums.h) of a pattern of this size say.
InputStats summarize(int64_t rows, int64_t cols, int64_t nnz,
                     const StatsSums &sums);

} // namespace autosage

#endif // AUTOSAGE_CORE_STATS_H
