//===- ValidateTest.cpp - every rule of a valid pattern -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One message a rule. Arrays are exactly as long as they claim, so that a
// sanitiser sees any read outside.
//
//===----------------------------------------------------------------------===//

#include "TestPatterns.h"

using namespace autosage;
using namespace autosage::test;

namespace {

std::string errorOf(const Csr &csr) {
  Status status = validate(csr.view());
  return status ? "valid" : status.error();
}

/// The message, which all combinations of index types agree on.
std::string errorOf(int64_t rows, int64_t cols, const Ints &rowptr,
                    const Ints &colind) {
  Csr csr{rows, cols, IndexArray(rowptr), IndexArray(colind)};
  std::string error = errorOf(csr);
  forAllIndexTypes(csr, [&](const Csr &c) { EXPECT_EQ(errorOf(c), error); });
  return error;
}

TEST(Validate, Cases_X11_RowptrInvariants) {
  auto error = [](const Ints &rowptr) {
    return errorOf(3, 3, rowptr, {0, 1, 2, 0});
  };
  EXPECT_EQ(error({0, 3, 2, 4}), "rowptr decreases at index 2 (3 -> 2)");
  EXPECT_EQ(error({1, 2, 3, 4}), "rowptr: first element is 1, expects 0");
  EXPECT_EQ(error({0, 1, 2, 3}), "rowptr: last element is 3, expects nnz = 4");
  EXPECT_EQ(error({0, 1, 2, 5}), "rowptr: last element is 5, expects nnz = 4");
  EXPECT_EQ(error({0, 2, 4}), "rowptr has 3 entries, expects rows + 1 = 4");
  EXPECT_EQ(error({0, -1, 2, 4}), "rowptr is negative at index 1 (-1)");
  EXPECT_EQ(error({0, 1, 2, 4}), "valid");
}

TEST(Validate, Cases_X12_EdgelessGraph) {
  EXPECT_EQ(errorOf(1, 1, {7, 0}, {}), "rowptr: first element is 7, expects 0");
  EXPECT_EQ(errorOf(1, 1, {0, 0}, {}), "valid");
  EXPECT_EQ(errorOf(0, 1, {}, {}),
            "rowptr has 0 entries, expects rows + 1 = 1");
  EXPECT_EQ(errorOf(0, 0, {0}, {}), "valid");
  EXPECT_EQ(errorOf(0, 1, {0}, {0}),
            "rowptr: last element is 0, expects nnz = 1");
}

TEST(Validate, Cases_X13_ColumnOutOfRange) {
  EXPECT_EQ(errorOf(2, 3, {0, 2, 3}, {0, 3, 1}),
            "entry 1 (row 0): column 3 is outside [0, 3)");
  EXPECT_EQ(errorOf(2, 3, {0, 2, 3}, {0, 2, 1}), "valid");
}

TEST(Validate, ColumnNamesTheRowPastEmptyRows) {
  EXPECT_EQ(errorOf(6, 3, {0, 0, 0, 2, 2, 3, 3}, {-1, 0, 0}),
            "entry 0 (row 2): column -1 is outside [0, 3)");
  EXPECT_EQ(errorOf(6, 3, {0, 0, 0, 2, 2, 3, 3}, {1, 0, 9}),
            "entry 2 (row 4): column 9 is outside [0, 3)");
  EXPECT_EQ(errorOf(1, 0, {0, 1}, {0}),
            "entry 0 (row 0): column 0 is outside [0, 0)");
}

TEST(Validate, FirstViolationIsNamed) {
  EXPECT_EQ(errorOf(4, 3, {0, 2, 1, 0, 4}, {0, 9, 2, 9}),
            "rowptr decreases at index 2 (2 -> 1)");
  EXPECT_EQ(errorOf(3, 3, {0, 5, -2, 4}, {0, 1, 2, 0}),
            "rowptr is negative at index 2 (-2)");
  EXPECT_EQ(errorOf(2, 3, {0, 1, 3}, {7, 8, 9}),
            "entry 0 (row 0): column 7 is outside [0, 3)");
}

TEST(Validate, PositionsBeyondTheEntriesAreNotFollowed) {
  EXPECT_EQ(errorOf(2, 3, {0, 1000000, 2}, {0, 1}),
            "rowptr decreases at index 2 (1000000 -> 2)");
  EXPECT_EQ(errorOf(2, 3, {0, 2, 1000000}, {0, 1}),
            "rowptr: last element is 1000000, expects nnz = 2");
}

TEST(Validate, NegativeSizes) {
  EXPECT_EQ(errorOf(-1, 3, {0}, {}), "rows is -1, expects at least 0");
  EXPECT_EQ(errorOf(0, -2, {0}, {}), "cols is -2, expects at least 0");
  CsrView csr;
  csr.rowptr.size = 1;
  csr.colind.size = -4;
  EXPECT_EQ(validateSizes(csr).error(), "nnz is -4, expects at least 0");
}

TEST(Validate, RowCountAtTheEndOfItsRange) {
  CsrView csr;
  csr.rows = std::numeric_limits<int64_t>::max();
  csr.rowptr.size = 3;
  EXPECT_EQ(validateSizes(csr).error(),
            "rowptr has 3 entries, expects rows + 1 = 9223372036854775808");
}

// Sizes alone decide: there are no arrays to read.
TEST(Validate, Cases_X05_NnzBeyond32Bits) {
  CsrView csr;
  csr.rows = 1000;
  csr.cols = 5000000;
  csr.rowptr = {nullptr, 1001, IndexType::i64};
  csr.colind = {nullptr, 2147483653, IndexType::i32};
  EXPECT_TRUE(validateSizes(csr)) << validateSizes(csr).error();
  EXPECT_EQ(csr.nnz(), 2147483653);
  csr.rowptr.type = IndexType::i32;
  EXPECT_EQ(validateSizes(csr).error(),
            "nnz 2147483653 does not fit the 32-bit rowptr");
  csr.colind.size = 2147483647;
  EXPECT_TRUE(validateSizes(csr));
}

TEST(Validate, NullArrays) {
  CsrView csr;
  csr.rows = 1;
  csr.cols = 1;
  csr.rowptr = {nullptr, 2, IndexType::i32};
  EXPECT_EQ(validate(csr).error(), "rowptr is null, expects 2 entries");
  int32_t rowptr[] = {0, 1};
  csr.rowptr.data = rowptr;
  csr.colind.size = 1;
  EXPECT_EQ(validate(csr).error(), "colind is null, expects 1 entries");
  csr.colind.size = 0;
  rowptr[1] = 0;
  EXPECT_TRUE(validate(csr));
}

TEST(Validate, RandomPatternsAreValid) {
  forRandomPatterns([](const Csr &csr, std::mt19937 &) {
    forAllIndexTypes(csr, [](const Csr &c) { EXPECT_EQ(errorOf(c), "valid"); });
  });
}

/// Rule by rule, without early exits and without trusting anything.
bool isValid(const Csr &csr) {
  bool valid = csr.rowptr.size() == csr.rows + 1 && csr.rowptr[0] == 0 &&
               csr.rowptr[csr.rows] == csr.nnz();
  for (int64_t i = 0; valid && i < csr.rows; ++i)
    valid = csr.rowptr[i] <= csr.rowptr[i + 1];
  for (int64_t e = 0; valid && e < csr.nnz(); ++e)
    valid = csr.colind[e] >= 0 && csr.colind[e] < csr.cols;
  return valid;
}

TEST(Validate, DamagedPatterns) {
  int rejected = 0, accepted = 0;
  forRandomPatterns([&](const Csr &csr, std::mt19937 &rng) {
    Ints rowptr = toInts(csr.rowptr), colind = toInts(csr.colind);
    auto noise = static_cast<int64_t>(rng() % 7) - 3;
    if (rng() % 2 && !colind.empty())
      colind[rng() % colind.size()] += noise;
    else
      rowptr[rng() % rowptr.size()] += noise;
    Csr damaged{csr.rows, csr.cols, IndexArray(rowptr), IndexArray(colind)};
    bool valid = isValid(damaged);
    (valid ? accepted : rejected) += 1;
    EXPECT_EQ(errorOf(csr.rows, csr.cols, rowptr, colind) == "valid", valid);
  });
  EXPECT_GT(rejected, 10);
  EXPECT_GT(accepted, 10);
}

} // namespace
