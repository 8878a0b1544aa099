//===- Sample.cpp - whole rows that stand for a pattern -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sample.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace autosage;
using namespace autosage::runtime;

/// Windows with the same number of binary digits in their entries are alike.
static size_t stratumOf(int64_t entries) {
  size_t stratum = 0;
  for (; entries > 0; entries >>= 1)
    ++stratum;
  return stratum;
}

/// Which lines (rows or columns) are taken, ascending; `entriesBefore(i)` of
/// the lines before line i.
template <typename Fn>
static std::vector<Range> choose(int64_t lines, double fraction, int64_t window,
                                 Fn &&entriesBefore) {
  int64_t width = lines >= window * leastWindows ? window : 1;
  int64_t windows = (lines + width - 1) / width;
  auto entriesOf = [&](int64_t w) {
    return static_cast<int64_t>(
        entriesBefore(std::min(lines, (w + 1) * width)) -
        entriesBefore(w * width));
  };
  std::array<std::vector<int64_t>, 65> strata;
  std::array<int64_t, 65> entries = {};
  for (int64_t w = 0; w < windows; ++w) {
    int64_t own = entriesOf(w);
    size_t stratum = stratumOf(own);
    strata[stratum].push_back(w);
    entries[stratum] += own;
  }
  std::vector<int64_t> chosen;
  double owed = 0; // entries
  for (size_t s = strata.size(); s-- > 0;) {
    const std::vector<int64_t> &members = strata[s];
    if (members.empty())
      continue;
    auto count = static_cast<double>(members.size());
    double take = count * fraction;
    if (entries[s] > 0) {
      double mean = static_cast<double>(entries[s]) / count;
      double wanted = static_cast<double>(entries[s]) * fraction + owed;
      take = std::clamp(std::floor(wanted / mean + 0.5), 0.0, count);
      owed = wanted - take * mean;
    }
    auto picks = static_cast<int64_t>(std::min(std::round(take), count));
    for (int64_t i = 0; i < picks; ++i)
      chosen.push_back(
          members[static_cast<size_t>((static_cast<double>(i) + 0.5) * count /
                                      static_cast<double>(picks))]);
  }
  if (chosen.empty() && windows > 0)
    chosen.push_back(windows / 2);
  std::sort(chosen.begin(), chosen.end());
  std::vector<Range> out;
  for (int64_t w : chosen) {
    int64_t begin = w * width, end = std::min(lines, (w + 1) * width);
    if (!out.empty() && out.back().end == begin)
      out.back().end = end;
    else
      out.push_back({begin, end});
  }
  return out;
}

std::vector<Range> runtime::chooseRows(const IndexView &rowptr, double fraction,
                                       int64_t window) {
  return choose(rowptr.size - 1, fraction, window,
                [&](int64_t row) { return rowptr[row]; });
}

template <typename Position>
static std::vector<Position> positionsOf(const Position *rowptr,
                                         const std::vector<Range> &rows) {
  std::vector<Position> out = {0};
  for (const Range &range : rows)
    for (int64_t row = range.begin; row < range.end; ++row)
      out.push_back(out.back() + rowptr[row + 1] - rowptr[row]);
  return out;
}

IndexArray runtime::positionsOf(const IndexView &rowptr,
                                const std::vector<Range> &rows) {
  if (rowptr.type == IndexType::i32)
    return ::positionsOf(static_cast<const int32_t *>(rowptr.data), rows);
  return ::positionsOf(static_cast<const int64_t *>(rowptr.data), rows);
}

Csr runtime::sampleRows(const CsrView &csr, double fraction) {
  return dispatch(csr, [&](const auto *rowptr, const auto *colind) {
    using Column = std::decay_t<decltype(*colind)>;
    std::vector<Range> rows = chooseRows(csr.rowptr, fraction);
    std::vector<Column> columns;
    for (const Range &range : rows)
      columns.insert(columns.end(), colind + rowptr[range.begin],
                     colind + rowptr[range.end]);
    IndexArray positions = positionsOf(csr.rowptr, rows);
    return Csr{positions.size() - 1, csr.cols, std::move(positions),
               IndexArray(std::move(columns))};
  });
}

Csr runtime::sampleColumns(const CsrView &csr, double fraction) {
  return dispatch(csr, [&](const auto *rowptr, const auto *colind) {
    using Position = std::decay_t<decltype(*rowptr)>;
    using Column = std::decay_t<decltype(*colind)>;
    std::vector<int64_t> before(static_cast<size_t>(csr.cols) + 1, 0);
    for (int64_t e = 0; e < csr.nnz(); ++e)
      ++before[static_cast<size_t>(colind[e]) + 1];
    for (size_t c = 1; c < before.size(); ++c)
      before[c] += before[c - 1];
    std::vector<Range> chosen =
        choose(csr.cols, fraction, sampleWindow,
               [&](int64_t c) { return before[static_cast<size_t>(c)]; });
    std::vector<int64_t> number(static_cast<size_t>(csr.cols), -1);
    int64_t count = 0;
    for (const Range &range : chosen)
      for (int64_t c = range.begin; c < range.end; ++c)
        number[static_cast<size_t>(c)] = count++;
    std::vector<Position> positions = {0};
    std::vector<Column> columns;
    for (int64_t row = 0; row < csr.rows; ++row) {
      for (auto e = rowptr[row]; e < rowptr[row + 1]; ++e)
        if (int64_t c = number[static_cast<size_t>(colind[e])]; c >= 0)
          columns.push_back(static_cast<Column>(c));
      positions.push_back(static_cast<Position>(columns.size()));
    }
    return Csr{csr.rows, count, IndexArray(std::move(positions)),
               IndexArray(std::move(columns))};
  });
}
