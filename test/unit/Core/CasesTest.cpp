//===- CasesTest.cpp - reference values of known traps --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small inputs on which comparable systems went wrong, each named by its case;
// the values are literal, so that the reference itself stands on something.
//
//===----------------------------------------------------------------------===//

#include "GeneratedPattern.h"
#include "TestPatterns.h"
#include "autosage/Core/Reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace autosage;
using namespace autosage::reference;
using namespace autosage::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

/// Into an output that held NaN before.
Doubles spmmOf(const Csr &csr, const Doubles &w, const Doubles &x,
               int64_t features) {
  Doubles y(static_cast<size_t>(csr.rows * features), nan);
  spmm(csr.view(), {w.empty() ? nullptr : w.data(), 1}, x.data(), y.data(),
       {Reduction::sum, 1, features, false, false});
  return y;
}

Doubles sddmmOf(const Csr &csr, const Doubles &q, const Doubles &k,
                int64_t features) {
  Doubles out(static_cast<size_t>(csr.nnz()), nan);
  sddmm(csr.view(), {}, q.data(), k.data(), out.data(),
        {Combine::dot, 1, features, 1.0});
  return out;
}

Doubles softmaxOf(const Csr &csr, const Doubles &s) {
  Doubles out(s.size(), nan);
  rowSoftmax(csr.view(), s.data(), out.data(), 1);
  return out;
}

void expectNear(const Doubles &got, const Doubles &want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], want[i], tolerance) << "at " << i;
}

void expectSameClass(const Doubles &got, const Doubles &want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_TRUE(std::isnan(want[i]) ? std::isnan(got[i]) : got[i] == want[i])
        << "at " << i << ": " << got[i] << ", expects " << want[i];
}

TEST(Cases, N01_EmptyRowsAreWritten) {
  Csr csr = pattern(3, {0, 2, 2, 3, 3}, {0, 2, 1});
  EXPECT_EQ(spmmOf(csr, {1, 2, 3}, {1, 2, 3, 4, 5, 6}, 2),
            (Doubles{11, 14, 0, 0, 9, 12, 0, 0}));
}

TEST(Cases, N02_StoredZeroMultiplies) {
  Csr csr = pattern(3, {0, 2, 3, 4}, {0, 1, 0, 2});
  expectSameClass(spmmOf(csr, {0, 1, 2, 0}, {inf, 1, 2, 3, nan, -inf}, 2),
                  {nan, 3, inf, 2, nan, nan});
}

TEST(Cases, N04_RowsOfMinusInfinity) {
  Csr csr = pattern(4, {0, 2, 5, 6}, {0, 1, 0, 1, 2, 3});
  Doubles mask = {-inf, -inf, -inf, 0, 0, -inf};
  EXPECT_EQ(softmaxOf(csr, mask), (Doubles{0, 0, 0, 0.5, 0.5, 0}));

  Doubles q(3, 1), k(4, 1), v = {1, 2, 4, 8}, out(3, nan), lse(3, nan);
  attention(csr.view(), {mask.data(), 1}, q.data(), k.data(), v.data(), nullptr,
            out.data(), lse.data(), {});
  EXPECT_EQ(out, (Doubles{0, 3, 0}));
  EXPECT_EQ(lse[0], -inf);
  EXPECT_DOUBLE_EQ(lse[1], 1 + std::log(2));
  EXPECT_EQ(lse[2], -inf);
}

TEST(Cases, N06_LargeLogits) {
  Csr csr = pattern(3, {0, 3, 5, 6}, {0, 1, 2, 0, 1, 2});
  expectNear(softmaxOf(csr, {1000, 1000, 999, -1000, -1001, 50000}),
             {0.4223187982515182, 0.4223187982515182, 0.15536240349696362,
              0.7310585786300049, 0.2689414213699951, 1},
             1e-15);
}

TEST(Cases, N11_DuplicateColumns) {
  Csr csr = pattern(3, {0, 5, 7}, {1, 1, 1, 1, 1, 0, 0});
  ASSERT_TRUE(validate(csr.view()));
  EXPECT_EQ(countDuplicates(csr.view()), 5);
  EXPECT_EQ(spmmOf(csr, {1, 2, 4, 8, 16, 1, 1}, {10, 100, 1000}, 1),
            (Doubles{3100, 20}));
  EXPECT_EQ(sddmmOf(csr, {1, 2, 3, 4}, {1, 1, 2, 5, 0, 9}, 2),
            (Doubles{12, 12, 12, 12, 12, 7, 7}));
  EXPECT_EQ(softmaxOf(csr, Doubles(7, 0)),
            (Doubles{0.2, 0.2, 0.2, 0.2, 0.2, 0.5, 0.5}));
}

TEST(Cases, N12_UnsortedColumns) {
  Csr csr = pattern(4, {0, 3, 6}, {2, 0, 1, 3, 1, 2});
  EXPECT_EQ(spmmOf(csr, {1, 2, 3, 4, 5, 6}, {1, 10, 100, 1000}, 1),
            (Doubles{132, 4650}));
  EXPECT_EQ(sddmmOf(csr, {1, 2}, {1, 10, 100, 1000}, 1),
            (Doubles{100, 1, 10, 2000, 20, 200}));
}

double sumOf(const Doubles &values) {
  double sum = 0;
  for (double v : values)
    sum += v;
  return sum;
}

TEST(Cases, N13_FeatureWidths) {
  Doubles w;
  Csr csr = generatedPattern(w);
  ASSERT_EQ(csr.nnz(), 185);
  ASSERT_EQ(std::count(w.begin(), w.end(), 0), 36);
  struct {
    int64_t features;
    double sum, weighted, last, maxAbs;
  } expected[] = {
      {1, -12, 28, 13, 21}, {3, 36, -52, -13, 23}, {257, -41, -674, 0, 23}};
  for (auto &want : expected) {
    SCOPED_TRACE(want.features);
    Doubles x;
    for (int64_t k = 0; k < 29; ++k)
      for (int64_t f = 0; f < want.features; ++f)
        x.push_back(static_cast<double>((31 * k + 17 * f) % 13 - 6));
    Doubles y = spmmOf(csr, w, x, want.features);
    double weighted = 0, maxAbs = 0;
    for (size_t n = 0; n < y.size(); ++n) {
      weighted += y[n] * static_cast<double>(1 + n % 7);
      maxAbs = std::max(maxAbs, std::fabs(y[n]));
    }
    EXPECT_EQ(sumOf(y), want.sum);
    EXPECT_EQ(weighted, want.weighted);
    EXPECT_EQ(y.back(), want.last);
    EXPECT_EQ(maxAbs, want.maxAbs);
  }
}

TEST(Cases, N15_InnerWidths) {
  Doubles w;
  Csr csr = generatedPattern(w);
  struct {
    int64_t width;
    double sum, weighted, first, last;
  } expected[] = {
      {1, -77, -268, 2, -4}, {31, -71, -293, 9, -4}, {257, -23, -143, -5, -4}};
  for (auto &want : expected) {
    SCOPED_TRACE(want.width);
    Doubles q, k;
    for (int64_t i = 0; i < 37; ++i)
      for (int64_t d = 0; d < want.width; ++d)
        q.push_back(static_cast<double>((5 * i + 3 * d) % 7 - 3));
    for (int64_t j = 0; j < 29; ++j)
      for (int64_t d = 0; d < want.width; ++d)
        k.push_back(static_cast<double>((11 * j + d) % 5 - 2));
    Doubles out = sddmmOf(csr, q, k, want.width);
    double weighted = 0;
    for (size_t e = 0; e < out.size(); ++e)
      weighted += out[e] * static_cast<double>(1 + e % 7);
    EXPECT_EQ(sumOf(out), want.sum);
    EXPECT_EQ(weighted, want.weighted);
    for (size_t e : {0, 1, 2})
      EXPECT_EQ(out[e], want.first);
    EXPECT_EQ(out.back(), want.last);
  }
}

TEST(Cases, N16_InnerWidthZero) {
  Csr csr = pattern(2, {0, 2, 4}, {0, 1, 0, 1});
  EXPECT_EQ(sddmmOf(csr, {}, {}, 0), (Doubles{0, 0, 0, 0}));
}

TEST(Cases, N17_OneHubRow) {
  Ints colind;
  for (int64_t e = 0; e < 100000; ++e)
    colind.push_back(e % 7);
  Csr csr = pattern(7, {0, 0, 0, 100000, 100000, 100000}, colind);
  Doubles x;
  for (int64_t k = 0; k < 7; ++k)
    for (int64_t f = 0; f < 2; ++f)
      x.push_back(static_cast<double>(k + 10 * f));
  EXPECT_EQ(spmmOf(csr, Doubles(100000, 1), x, 2),
            (Doubles{0, 0, 0, 0, 299995, 1299995, 0, 0, 0, 0}));
  Doubles weights = softmaxOf(csr, Doubles(100000, 0));
  expectNear(weights, Doubles(100000, 1e-5), 1e-18);
  EXPECT_NEAR(sumOf(weights), 1, 1e-11);
}

TEST(Cases, N21_AttentionWithoutNeighbours) {
  Csr csr = pattern(3, {0, 2, 2, 3}, {0, 2, 1});
  Doubles q = {1, 0, 0, 2, 3, -1}, k = {1, 2, 0, 1, -1, 1};
  Doubles v = {1, 2, 3, 4, 5, 7}, out(6, nan), lse(3, nan);
  attention(csr.view(), {}, q.data(), k.data(), v.data(), nullptr, out.data(),
            lse.data(), {Score::dot, 1, 2, 2, 0.5, 0.2});
  expectNear(out, {2.0757656854799804, 3.3447071068499756, 0, 0, 3, 4}, 1e-15);
  EXPECT_EQ(out[2], 0);
  EXPECT_EQ(out[3], 0);
  // Logits 0.5 and -0.5 in row 0, -0.5 in row 2.
  EXPECT_NEAR(lse[0], std::log(std::exp(0.5) + std::exp(-0.5)), 1e-15);
  EXPECT_EQ(lse[1], -inf);
  EXPECT_EQ(lse[2], -0.5);
}

TEST(Cases, N24_OnlyStoredEntriesCount) {
  Csr csr = pattern(3, {0, 1, 3, 5}, {1, 0, 2, 2, 0});
  expectNear(softmaxOf(csr, {4, -1, 2, 0, 0.5}),
             {1, 0.04742587317756679, 0.9525741268224334, 0.37754066879814546,
              0.6224593312018546},
             1e-15);
}

TEST(Cases, X07_MixedIndexTypes) {
  forAllIndexTypes(pattern(3, {0, 2, 2, 3}, {0, 2, 1}), [](const Csr &csr) {
    EXPECT_EQ(spmmOf(csr, {1, 2, 3}, {1, 10, 100}, 1), (Doubles{201, 0, 30}));
    EXPECT_EQ(sddmmOf(csr, {1, 10, 100}, {1, 10, 100}, 1),
              (Doubles{1, 100, 1000}));
  });
}

TEST(Cases, X09_NoColumns) {
  Csr csr = pattern(0, {0, 0, 0, 0}, {});
  EXPECT_EQ(spmmOf(csr, {}, {}, 2), Doubles(6, 0));
  Doubles q(3, 1), out(6, nan);
  attention(csr.view(), {}, q.data(), nullptr, nullptr, nullptr, out.data(),
            nullptr, {Score::dot, 1, 1, 2, 1.0, 0.2});
  EXPECT_EQ(out, Doubles(6, 0));
}

TEST(Cases, X17_ManyLeadingEmptyRows) {
  Ints rowptr(100002, 0);
  rowptr.back() = 2;
  Csr csr = pattern(2, rowptr, {1, 0});
  Doubles y = spmmOf(csr, {2, 5}, {1, 2, 3, 10, 20, 30}, 3);
  ASSERT_EQ(y.size(), 300003u);
  EXPECT_EQ(Doubles(y.end() - 3, y.end()), (Doubles{25, 50, 75}));
  EXPECT_EQ(std::count(y.begin(), y.end(), 0), 300000);
  EXPECT_EQ(softmaxOf(csr, {0, 0}), (Doubles{0.5, 0.5}));
  Doubles q(100001, 1);
  EXPECT_EQ(sddmmOf(csr, q, {3, 4}, 1), (Doubles{4, 3}));
  csr.colind = IndexArray(Ints{1, 2});
  EXPECT_EQ(validate(csr.view()).error(),
            "entry 1 (row 100000): column 2 is outside [0, 2)");
}

} // namespace
