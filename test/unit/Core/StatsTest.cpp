//===- StatsTest.cpp - degree statistics and locality ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Literal values for small patterns, and the definitions of docs/statistics.md
// computed naively for random ones.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Stats.h"
#include "TestPatterns.h"
#include "autosage/Core/StatsSums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace autosage;
using namespace autosage::test;

namespace {

TEST(Stats, SmallPattern) {
  InputStats s = computeStats(
      pattern(5, {0, 1, 1, 4, 8}, {0, 1, 2, 3, 1, 1, 4, 0}).view());
  EXPECT_EQ(s.rows, 4);
  EXPECT_EQ(s.cols, 5);
  EXPECT_EQ(s.nnz, 8);
  EXPECT_EQ(s.mean, 2.0);
  EXPECT_EQ(s.max, 4);
  // degrees 1, 0, 3, 4: squares sum to 26, variance 26 / 4 - 4 = 2.5
  EXPECT_DOUBLE_EQ(s.cv, std::sqrt(2.5) / 2);
  EXPECT_EQ(s.p50, 1);
  EXPECT_EQ(s.p90, 4);
  EXPECT_EQ(s.p99, 4);
  EXPECT_EQ(s.p999, 4);
  EXPECT_EQ(s.emptyRows, 1);
  EXPECT_EQ(s.hubFraction, 0.0);
  EXPECT_EQ(s.locality, 8.0 / 5.0);
  EXPECT_NE(s.fingerprint, Fingerprint());
}

TEST(Stats, EmptyPatternsAreFinite) {
  for (const Csr &csr :
       {pattern(0, {0}, {}), pattern(7, {0}, {}), pattern(0, {0, 0, 0}, {}),
        pattern(9, Ints(40000, 0), {})}) {
    InputStats s = computeStats(csr.view());
    EXPECT_EQ(s.rows, csr.rows);
    EXPECT_EQ(s.emptyRows, csr.rows);
    for (double value : {s.mean, s.cv, s.hubFraction, s.locality})
      EXPECT_EQ(value, 0.0);
    for (int64_t value : {s.nnz, s.max, s.p50, s.p90, s.p99, s.p999})
      EXPECT_EQ(value, 0);
  }
}

TEST(Stats, UniformDegreesHaveNoVariation) {
  Ints rowptr = {0}, colind;
  for (int64_t i = 0; i < 999; ++i) {
    for (int64_t e = 0; e < 7; ++e)
      colind.push_back((i * 13 + e) % 1000);
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  InputStats s = computeStats(pattern(1000, rowptr, colind).view());
  EXPECT_EQ(s.cv, 0.0);
  EXPECT_EQ(s.p50, 7);
  EXPECT_EQ(s.p999, 7);
  EXPECT_EQ(s.max, 7);
}

// 1000 rows: 999 of degree 1 and one of degree `hub`.
InputStats oneHub(int64_t hub) {
  Ints rowptr = {0, hub};
  for (int64_t i = 1; i < 1000; ++i)
    rowptr.push_back(hub + i);
  Ints colind(static_cast<size_t>(hub + 999), 0);
  return computeStats(pattern(1, rowptr, colind).view());
}

TEST(Stats, HubRows) {
  // With degree h the bound is 8 (999 + h) / 1000: 8.056... at h = 8, 9.
  EXPECT_EQ(oneHub(8).hubFraction, 0.0);
  EXPECT_EQ(oneHub(9).hubFraction, 9.0 / 1008.0);
  EXPECT_EQ(oneHub(5000).hubFraction, 5000.0 / 5999.0);
  EXPECT_EQ(oneHub(5000).p999, 1);
  EXPECT_EQ(oneHub(5000).max, 5000);
}

// 8 rows with all entries in one: the degree is exactly 8 times the mean.
TEST(Stats, HubRowsAreLongerThanTheBound) {
  Ints colind(16, 0);
  EXPECT_EQ(computeStats(
                pattern(1, {0, 16, 16, 16, 16, 16, 16, 16, 16}, colind).view())
                .hubFraction,
            0.0);
  EXPECT_EQ(
      computeStats(
          pattern(1, {0, 16, 16, 16, 16, 16, 16, 16, 16, 16}, colind).view())
          .hubFraction,
      1.0);
}

void compareWithDefinitions(const Csr &csr) {
  Ints degrees;
  for (int64_t i = 0; i < csr.rows; ++i)
    degrees.push_back(csr.rowptr[i + 1] - csr.rowptr[i]);
  std::sort(degrees.begin(), degrees.end());
  auto rows = static_cast<double>(csr.rows);
  double mean = csr.rows ? static_cast<double>(csr.nnz()) / rows : 0;
  double variance = 0, hubEntries = 0;
  for (int64_t d : degrees) {
    variance += (static_cast<double>(d) - mean) *
                (static_cast<double>(d) - mean) / rows;
    if (static_cast<double>(d) > 8 * mean)
      hubEntries += static_cast<double>(d);
  }
  auto quantile = [&](double p) {
    return degrees.empty()
               ? 0
               : degrees[static_cast<size_t>(std::ceil(p * rows - 1e-9)) - 1];
  };
  double entries = 0, distinct = 0;
  bool sampled = csr.rows > 32768;
  int64_t windows = sampled ? 32 : (csr.rows + 1023) / 1024;
  for (int64_t w = 0; w < windows; ++w) {
    int64_t begin = sampled ? w * (csr.rows - 1024) / 31 : w * 1024;
    std::set<int64_t> columns;
    for (int64_t i = begin; i < std::min(begin + 1024, csr.rows); ++i)
      for (int64_t e = csr.rowptr[i]; e < csr.rowptr[i + 1]; ++e, ++entries)
        columns.insert(csr.colind[e]);
    distinct += static_cast<double>(columns.size());
  }

  InputStats s = computeStats(csr.view());
  EXPECT_EQ(s.mean, mean);
  EXPECT_NEAR(s.cv, mean > 0 ? std::sqrt(variance) / mean : 0, 1e-9);
  EXPECT_EQ(s.max, degrees.empty() ? 0 : degrees.back());
  EXPECT_EQ(s.p50, quantile(0.5));
  EXPECT_EQ(s.p90, quantile(0.9));
  EXPECT_EQ(s.p99, quantile(0.99));
  EXPECT_EQ(s.p999, quantile(0.999));
  EXPECT_EQ(s.emptyRows, std::count(degrees.begin(), degrees.end(), 0));
  EXPECT_EQ(s.hubFraction,
            csr.nnz() ? hubEntries / static_cast<double>(csr.nnz()) : 0);
  EXPECT_EQ(s.locality, distinct > 0 ? entries / distinct : 0);
  EXPECT_EQ(s.fingerprint, fingerprint(csr.view()));
}

// Above 2047 a quantile is the smallest degree of its bin: at most a 128th
// less.
TEST(Stats, QuantilesOfLongRows) {
  for (int64_t degree : {2047, 2048, 2063, 2064, 100000, 131071, 131072}) {
    InputStats s = computeStats(
        pattern(1, {0, degree}, Ints(static_cast<size_t>(degree), 0)).view());
    EXPECT_EQ(s.max, degree);
    EXPECT_LE(s.p50, degree);
    EXPECT_GT(s.p50, degree - std::max<int64_t>(1, degree / 128));
    EXPECT_EQ(s.p50, s.p999);
  }
  InputStats s =
      computeStats(pattern(1, {0, 2064}, Ints(size_t(2064), 0)).view());
  EXPECT_EQ(s.p50, 2064); // bins of 16
  s = computeStats(pattern(1, {0, 2079}, Ints(size_t(2079), 0)).view());
  EXPECT_EQ(s.p50, 2064);
}

TEST(Stats, BinsOfDegrees) {
  for (unsigned bin = 0; bin < degreeBins; ++bin) {
    ASSERT_EQ(degreeBin(leastDegree(bin)), bin);
    if (bin > 0)
      ASSERT_EQ(degreeBin(leastDegree(bin) - 1), bin - 1);
  }
  EXPECT_EQ(degreeBin(uint64_t(std::numeric_limits<int64_t>::max())),
            degreeBins - 1);
}

TEST(Stats, WindowsOfManyRows) {
  int64_t rows = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(windowBegin(0, rows), 0);
  EXPECT_EQ(windowEnd(31, rows), rows);
  for (int64_t w = 1; w < 32; ++w)
    EXPECT_GT(windowBegin(w, rows), windowEnd(w - 1, rows));
}

TEST(Stats, MatchDefinitions) {
  forRandomPatterns([](const Csr &csr, std::mt19937 &) {
    forAllIndexTypes(csr, compareWithDefinitions);
  });
  std::mt19937 rng(3);
  for (int64_t rows : {1023, 1024, 1025, 2500, 32768, 32769, 40001})
    compareWithDefinitions(randomPattern(rng, rows, 5000));
}

TEST(Stats, LocalityOfManyMoreColumnsThanEntries) {
  std::mt19937 rng(5);
  Csr csr = randomPattern(rng, 3000, 900);
  double expected = computeStats(csr.view()).locality;
  csr.cols = int64_t(1) << 50;
  EXPECT_EQ(computeStats(csr.view()).locality, expected);
}

TEST(Stats, LocalityWindowsDoNotShare) {
  // Every row refers to column 0 alone: one distinct column a window.
  Ints rowptr(2049);
  for (size_t i = 0; i < rowptr.size(); ++i)
    rowptr[i] = static_cast<int64_t>(i);
  EXPECT_EQ(computeStats(pattern(1, rowptr, Ints(2048, 0)).view()).locality,
            1024.0);
}

// Communities of 100 rows, whose entries stay inside of them by three quarters:
// numbered one community after the other, and by chance.
TEST(Stats, LocalityTellsNumberings) {
  constexpr int64_t rows = 40000, group = 100, degree = 20;
  std::mt19937 rng(7);
  Ints names(rows);
  for (int64_t i = 0; i < rows; ++i)
    names[static_cast<size_t>(i)] = i;
  auto build = [&] {
    std::vector<Ints> columns(rows);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t e = 0; e < degree; ++e) {
        int64_t j = rng() % 4 ? i / group * group + rng() % group
                              : static_cast<int64_t>(rng() % rows);
        columns[static_cast<size_t>(names[static_cast<size_t>(i)])].push_back(
            names[static_cast<size_t>(j)]);
      }
    Ints rowptr = {0}, colind;
    for (const Ints &row : columns) {
      colind.insert(colind.end(), row.begin(), row.end());
      rowptr.push_back(static_cast<int64_t>(colind.size()));
    }
    return computeStats(pattern(rows, rowptr, colind).view()).locality;
  };
  double inOrder = build();
  std::shuffle(names.begin(), names.end(), rng);
  double shuffled = build();
  EXPECT_GT(inOrder, 2.5);
  EXPECT_LT(shuffled, 1.5);
}

} // namespace
