//===- Stats.cpp - degree statistics and locality of a pattern ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/statistics.md is the definition. Sums are exact integers, and each
// figure is one fixed f64 formula of them, so that the order of summation does
// not show.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Stats.h"
#include "autosage/Core/StatsSums.h"

#include "DistinctColumns.h"

#include <cmath>
#include <memory>

namespace autosage {
namespace {

__extension__ typedef unsigned __int128 uint128;

double ratio(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

/// Nearest rank: the smallest degree that at least p of the rows do not exceed,
/// and of a bin that holds several degrees the smallest.
int64_t quantile(const StatsSums &sums, uint128 rows, unsigned perMille) {
  uint128 rank = (rows * perMille + 999) / 1000, seen = 0;
  for (unsigned bin = 0; bin < degreeBins; ++bin) {
    seen += sums.rowsOfDegree[bin];
    if (seen >= rank)
      return static_cast<int64_t>(leastDegree(bin));
  }
  return 0;
}

template <typename P>
void addRows(StatsSums &sums, int64_t rows, const P *rowptr) {
  uint64_t ordinary =
      static_cast<uint64_t>(longestOrdinary(rows, rowptr[rows]));
  for (int64_t i = 0; i < rows; ++i) {
    uint64_t degree = static_cast<uint64_t>(rowptr[i + 1] - rowptr[i]);
    uint128 square = static_cast<uint128>(degree) * degree;
    for (unsigned long long &sum : sums.squares) {
      sum += static_cast<uint32_t>(square);
      square >>= 32;
    }
    sums.longest = std::max<unsigned long long>(sums.longest, degree);
    sums.emptyRows += degree == 0;
    sums.hubEntries += degree > ordinary ? degree : 0;
    ++sums.rowsOfDegree[degreeBin(degree)];
  }
}

template <typename P, typename C>
void addWindows(StatsSums &sums, const CsrView &csr, const P *rowptr,
                const C *colind) {
  DistinctColumns<C> columns(csr);
  for (int64_t w = 0; w < windowsOf(csr.rows); ++w) {
    auto begin = rowptr[windowBegin(w, csr.rows)];
    auto end = rowptr[windowEnd(w, csr.rows)];
    sums.windowEntries += static_cast<uint64_t>(end - begin);
    sums.windowColumns +=
        static_cast<uint64_t>(columns.count(colind + begin, colind + end));
  }
}

} // namespace

InputStats summarize(int64_t numRows, int64_t cols, int64_t numEntries,
                     const StatsSums &sums) {
  InputStats stats;
  stats.rows = numRows;
  stats.cols = cols;
  stats.nnz = numEntries;
  uint128 rows = static_cast<uint128>(numRows);
  uint128 nnz = static_cast<uint128>(numEntries);
  uint128 sumOfSquares = 0;
  for (int limb = 3; limb >= 0; --limb)
    sumOfSquares = (sumOfSquares << 32) + sums.squares[limb];
  stats.mean = ratio(numEntries, numRows);
  stats.max = static_cast<int64_t>(sums.longest);
  // std / mean = sqrt(sum d^2 / rows - mean^2) / mean, brought to integers.
  if (numEntries > 0)
    stats.cv = std::sqrt(static_cast<double>(rows * sumOfSquares - nnz * nnz)) /
               static_cast<double>(numEntries);
  if (numRows > 0) {
    stats.p50 = quantile(sums, rows, 500);
    stats.p90 = quantile(sums, rows, 900);
    stats.p99 = quantile(sums, rows, 990);
    stats.p999 = quantile(sums, rows, 999);
  }
  stats.emptyRows = static_cast<int64_t>(sums.emptyRows);
  stats.hubFraction = ratio(static_cast<int64_t>(sums.hubEntries), numEntries);
  stats.locality = ratio(static_cast<int64_t>(sums.windowEntries),
                         static_cast<int64_t>(sums.windowColumns));
  stats.fingerprint = {sums.fingerprintHigh, sums.fingerprintLow};
  return stats;
}

InputStats computeStats(const CsrView &csr) {
  auto sums = std::make_unique<StatsSums>(); // too large for a small stack
  dispatch(csr, [&](const auto *rowptr, const auto *colind) {
    addRows(*sums, csr.rows, rowptr);
    addWindows(*sums, csr, rowptr, colind);
  });
  Fingerprint name = fingerprint(csr);
  sums->fingerprintHigh = name.high;
  sums->fingerprintLow = name.low;
  return summarize(csr.rows, csr.cols, csr.nnz(), *sums);
}

} // namespace autosage
