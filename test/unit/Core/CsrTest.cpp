//===- CsrTest.cpp - conversion, transpose and duplicates -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compared with direct computations on the list of entries.
//
//===----------------------------------------------------------------------===//

#include "TestPatterns.h"

#include <algorithm>
#include <set>

using namespace autosage;
using namespace autosage::test;

namespace {

TEST(IndexArray, ConvertsBothWays) {
  IndexArray narrow(std::vector<int32_t>{0, -7, 2147483647});
  Result<IndexArray> wide = narrow.convertedTo(IndexType::i64, "rowptr");
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->type(), IndexType::i64);
  EXPECT_EQ(toInts(*wide), (Ints{0, -7, 2147483647}));
  Result<IndexArray> back = wide->convertedTo(IndexType::i32, "rowptr");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->type(), IndexType::i32);
  EXPECT_EQ(toInts(*back), (Ints{0, -7, 2147483647}));
  EXPECT_EQ(IndexArray().convertedTo(IndexType::i64, "x")->size(), 0);
}

TEST(IndexArray, RefusesWhatDoesNotFit) {
  IndexArray wide(Ints{0, 2147483648});
  EXPECT_EQ(wide.convertedTo(IndexType::i32, "colind").error(),
            "colind: element 1 is 2147483648, expects a value that fits i32");
  IndexArray low(Ints{-2147483649});
  EXPECT_EQ(low.convertedTo(IndexType::i32, "rowptr").error(),
            "rowptr: element 0 is -2147483649, expects a value that fits i32");
  EXPECT_TRUE(wide.convertedTo(IndexType::i64, "colind"));
}

TEST(Csr, ConversionNamesTheArray) {
  Csr csr = pattern(int64_t(1) << 40, {0, 2}, {5, int64_t(1) << 39});
  EXPECT_TRUE(csr.convertedTo(IndexType::i32, IndexType::i64));
  EXPECT_EQ(csr.convertedTo(IndexType::i32, IndexType::i32).error(),
            "colind: element 1 is 549755813888, expects a value that fits i32");
  Csr positions = pattern(1, {0, int64_t(1) << 33}, {});
  EXPECT_EQ(positions.convertedTo(IndexType::i32, IndexType::i32).error(),
            "rowptr: element 1 is 8589934592, expects a value that fits i32");
}

// Entries as (column, row, position), sorted: the definition of the transpose.
TEST(Transpose, MatchesSortedEntries) {
  forRandomPatterns([](const Csr &csr, std::mt19937 &) {
    std::vector<std::array<int64_t, 3>> entries;
    for (int64_t i = 0; i < csr.rows; ++i)
      for (int64_t e = csr.rowptr[i]; e < csr.rowptr[i + 1]; ++e)
        entries.push_back({csr.colind[e], e, i});
    std::sort(entries.begin(), entries.end());
    Ints rowptr(static_cast<size_t>(csr.cols) + 1), colind, permutation;
    for (auto [column, e, row] : entries) {
      for (int64_t j = column + 1; j <= csr.cols; ++j)
        ++rowptr[static_cast<size_t>(j)];
      colind.push_back(row);
      permutation.push_back(e);
    }

    forAllIndexTypes(csr, [&](const Csr &typed) {
      Result<Transposed> result = transpose(typed.view());
      ASSERT_TRUE(result) << result.error();
      EXPECT_EQ(result->csr.rows, csr.cols);
      EXPECT_EQ(result->csr.cols, csr.rows);
      EXPECT_EQ(toInts(result->csr.rowptr), rowptr);
      EXPECT_EQ(toInts(result->csr.colind), colind);
      EXPECT_EQ(toInts(result->edgePermutation), permutation);
      EXPECT_EQ(result->csr.rowptr.type(), typed.rowptr.type());
      EXPECT_EQ(result->csr.colind.type(), typed.colind.type());
      EXPECT_EQ(result->edgePermutation.type(), typed.rowptr.type());
      EXPECT_TRUE(validate(result->csr.view()));
    });
  });
}

TEST(Transpose, KeepsTheOrderOfDuplicates) {
  Csr csr = pattern(2, {0, 3, 5}, {1, 0, 1, 1, 1});
  Result<Transposed> result = transpose(csr.view());
  ASSERT_TRUE(result);
  EXPECT_EQ(toInts(result->csr.rowptr), (Ints{0, 1, 5}));
  EXPECT_EQ(toInts(result->csr.colind), (Ints{0, 0, 0, 1, 1}));
  EXPECT_EQ(toInts(result->edgePermutation), (Ints{1, 0, 2, 3, 4}));
}

TEST(Transpose, RefusesRowsBeyondTheCoordinateType) {
  CsrView csr; // refused before any array is read
  csr.rows = int64_t(1) << 32;
  csr.cols = 1;
  csr.rowptr = {nullptr, csr.rows + 1, IndexType::i64};
  EXPECT_EQ(transpose(csr).error(),
            "transpose: row 4294967295 does not fit the 32-bit colind");
}

TEST(Transpose, RefusesInvalidPatterns) {
  Csr csr = pattern(2, {0, 1}, {2});
  EXPECT_EQ(transpose(csr.view()).error(),
            "entry 0 (row 0): column 2 is outside [0, 2)");
}

int64_t duplicatesByDefinition(const Csr &csr) {
  int64_t duplicates = 0;
  for (int64_t i = 0; i < csr.rows; ++i) {
    std::set<int64_t> seen;
    for (int64_t e = csr.rowptr[i]; e < csr.rowptr[i + 1]; ++e)
      duplicates += !seen.insert(csr.colind[e]).second;
  }
  return duplicates;
}

TEST(Duplicates, MatchDefinition) {
  int64_t total = 0;
  forRandomPatterns([&](const Csr &csr, std::mt19937 &) {
    int64_t expected = duplicatesByDefinition(csr);
    total += expected;
    forAllIndexTypes(csr, [&](const Csr &typed) {
      EXPECT_EQ(countDuplicates(typed.view()), expected);
    });
  });
  EXPECT_GT(total, 100);
}

// Memory must follow the entries, not the column count.
TEST(Duplicates, ManyMoreColumnsThanEntries) {
  int64_t far = (int64_t(1) << 50) - 1;
  Csr csr = pattern(far + 1, {0, 4, 4, 6}, {far, 3, far, far, far, 0});
  EXPECT_EQ(countDuplicates(csr.view()), 2);

  std::mt19937 rng(7);
  Csr sparse = randomPattern(rng, 300, 40);
  sparse.cols = far;
  EXPECT_EQ(countDuplicates(sparse.view()), duplicatesByDefinition(sparse));
  EXPECT_GT(countDuplicates(sparse.view()), 0);
}

} // namespace
