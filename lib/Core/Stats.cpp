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

#include "DistinctColumns.h"

#include <cmath>

namespace autosage {
namespace {

__extension__ typedef unsigned __int128 uint128;

constexpr int64_t hubFactor = 8;
constexpr int64_t windowRows = 1024;
constexpr int64_t maxWindows = 32;

double ratio(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

void setDegreeStats(InputStats &stats, std::vector<int64_t> degrees) {
  uint128 rows = static_cast<uint128>(stats.rows);
  uint128 nnz = static_cast<uint128>(stats.nnz);
  uint128 sumOfSquares = 0;
  int64_t hubEntries = 0;
  for (int64_t degree : degrees) {
    uint128 d = static_cast<uint128>(degree);
    sumOfSquares += d * d;
    stats.emptyRows += degree == 0;
    // degree > 8 nnz / rows, without the division
    if (d * rows > hubFactor * nnz)
      hubEntries += degree;
  }
  stats.mean = ratio(stats.nnz, stats.rows);
  stats.hubFraction = ratio(hubEntries, stats.nnz);
  // std / mean = sqrt(sum d^2 / rows - mean^2) / mean, brought to integers.
  if (stats.nnz > 0)
    stats.cv = std::sqrt(static_cast<double>(rows * sumOfSquares - nnz * nnz)) /
               static_cast<double>(stats.nnz);

  if (degrees.empty())
    return;
  // Nearest rank: the smallest degree that at least p of the rows do not
  // exceed.
  auto first = degrees.begin(); // smaller quantiles stand before it already
  auto quantile = [&](unsigned perMille) {
    uint128 rank = (rows * perMille + 999) / 1000;
    auto nth = degrees.begin() + static_cast<int64_t>(rank) - 1;
    std::nth_element(first, nth, degrees.end());
    first = nth;
    return *nth;
  };
  stats.p50 = quantile(500);
  stats.p90 = quantile(900);
  stats.p99 = quantile(990);
  stats.p999 = quantile(999);
  stats.max = *std::max_element(first, degrees.end());
}

/// Entries over distinct columns, both summed over windows of rows.
template <typename P, typename C>
double locality(const CsrView &csr, const P *rowptr, const C *colind) {
  bool all = csr.rows <= maxWindows * windowRows;
  int64_t windows = all ? (csr.rows + windowRows - 1) / windowRows : maxWindows;
  DistinctColumns<C> columns(csr);
  int64_t entries = 0, distinct = 0;
  for (int64_t w = 0; w < windows; ++w) {
    // Evenly spaced: the first begins at row 0, the last ends with the last
    // row.
    int64_t begin =
        all ? w * windowRows
            : static_cast<int64_t>(static_cast<uint128>(w) *
                                   static_cast<uint128>(csr.rows - windowRows) /
                                   (maxWindows - 1));
    int64_t end = std::min(begin + windowRows, csr.rows);
    entries += rowptr[end] - rowptr[begin];
    distinct += columns.count(colind + rowptr[begin], colind + rowptr[end]);
  }
  return ratio(entries, distinct);
}

} // namespace

InputStats computeDegreeStats(const CsrView &csr) {
  InputStats stats;
  stats.rows = csr.rows;
  stats.cols = csr.cols;
  stats.nnz = csr.nnz();
  dispatch(csr, [&](const auto *rowptr, const auto *) {
    std::vector<int64_t> degrees(static_cast<size_t>(csr.rows));
    for (int64_t i = 0; i < csr.rows; ++i)
      degrees[static_cast<size_t>(i)] = rowptr[i + 1] - rowptr[i];
    setDegreeStats(stats, std::move(degrees));
  });
  return stats;
}

InputStats computeStats(const CsrView &csr) {
  InputStats stats = computeDegreeStats(csr);
  dispatch(csr, [&](const auto *rowptr, const auto *colind) {
    stats.locality = locality(csr, rowptr, colind);
  });
  stats.fingerprint = fingerprint(csr);
  return stats;
}

} // namespace autosage
