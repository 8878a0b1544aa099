//===- SampleTest.cpp - whole rows that stand for a pattern ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Oracle/Sample.h"

#include "autosage/Core/Stats.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace autosage;
using namespace autosage::runtime;

/// Rows of very different lengths; `first` is a column that names the row.
static Csr skewed(int64_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int32_t> rowptr = {0}, colind;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t degree = row % 200 == 0 ? 300 : static_cast<int64_t>(random() % 9);
    for (int64_t e = 0; e < degree; ++e)
      colind.push_back(static_cast<int32_t>(e == 0 ? row : random() % rows));
    rowptr.push_back(static_cast<int32_t>(colind.size()));
  }
  return {rows, rows, IndexArray(rowptr), IndexArray(colind)};
}

TEST(Sample, RowsAreWholeAndInOrder) {
  Csr csr = skewed(20000, 1);
  CsrView view = csr.view();
  Csr sample = sampleRows(view, 0.1);
  CsrView part = sample.view();
  ASSERT_TRUE(validate(part));
  EXPECT_EQ(part.cols, view.cols);
  int64_t before = -1;
  for (int64_t row = 0; row < part.rows; ++row) {
    int64_t begin = part.rowptr[row], length = part.rowptr[row + 1] - begin;
    if (length == 0)
      continue;
    int64_t origin = part.colind[begin];
    EXPECT_GT(origin, before);
    before = origin;
    int64_t first = view.rowptr[origin];
    ASSERT_EQ(length, view.rowptr[origin + 1] - first);
    for (int64_t e = 0; e < length; ++e)
      ASSERT_EQ(part.colind[begin + e], view.colind[first + e]);
  }
}

TEST(Sample, DegreesAreThoseOfTheWhole) {
  for (unsigned seed : {1, 2, 3})
    for (double fraction : {0.02, 0.1, 0.4}) {
      Csr csr = skewed(30000, seed);
      InputStats whole = computeStats(csr.view());
      InputStats part = computeStats(sampleRows(csr.view(), fraction).view());
      double share =
          static_cast<double>(part.nnz) / static_cast<double>(whole.nnz);
      EXPECT_NEAR(share, fraction, 0.1 * fraction + 0.005);
      EXPECT_EQ(part.max, whole.max);
      EXPECT_NEAR(part.mean, whole.mean, 0.15 * whole.mean);
      EXPECT_NEAR(part.hubFraction, whole.hubFraction, 0.1);
    }
}

TEST(Sample, ColumnsAreWholeForTheTranspose) {
  Csr csr = skewed(5000, 4);
  Csr sample = sampleColumns(csr.view(), 0.2);
  ASSERT_TRUE(validate(sample.view()));
  EXPECT_EQ(sample.rows, csr.rows);
  EXPECT_LT(sample.cols, csr.cols);
  // Each column of the sample has as many entries as one of the whole.
  std::map<int64_t, int64_t> whole, part;
  for (int64_t e = 0; e < csr.nnz(); ++e)
    ++whole[csr.colind[e]];
  for (int64_t e = 0; e < sample.nnz(); ++e)
    ++part[sample.colind[e]];
  std::multiset<int64_t> lengths;
  for (auto [column, count] : whole)
    lengths.insert(count);
  for (auto [column, count] : part) {
    auto found = lengths.find(count);
    ASSERT_NE(found, lengths.end());
    lengths.erase(found);
  }
}

TEST(Sample, IsNeverEmptyAndTheSameEachTime) {
  Csr one = skewed(1, 1);
  EXPECT_EQ(sampleRows(one.view(), 0.01).rows, 1);
  Csr csr = skewed(3000, 5);
  Csr a = sampleRows(csr.view(), 0.05), b = sampleRows(csr.view(), 0.05);
  EXPECT_EQ(fingerprint(a.view()), fingerprint(b.view()));
  Csr none{0, 4, IndexArray(std::vector<int64_t>{0}),
           IndexArray(std::vector<int64_t>{})};
  EXPECT_EQ(sampleRows(none.view(), 0.5).rows, 0);
}
