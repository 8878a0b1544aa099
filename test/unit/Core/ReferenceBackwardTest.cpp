//===- ReferenceBackwardTest.cpp - gradients by finite differences --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loss is the sum of the results times random numbers, which are its
// gradient in the results. Every element of every operand is moved both ways,
// in f64. Ties and kinks have no derivative: tests of their own say what is
// given there.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/ReferenceBackward.h"
#include "TestPatterns.h"

#include <cmath>
#include <functional>
#include <limits>

using namespace autosage;
using namespace autosage::reference;
using namespace autosage::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

double weighted(const Doubles &values, const Doubles &weights) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i)
    sum += values[i] * weights[i];
  return sum;
}

/// `gradient` against central differences of `loss`, which reads `operand`.
void expectGradient(Doubles &operand, const Doubles &gradient,
                    const std::function<double()> &loss) {
  ASSERT_EQ(operand.size(), gradient.size());
  constexpr double step = 1e-5;
  for (size_t i = 0; i < operand.size(); ++i) {
    double before = operand[i];
    operand[i] = before + step;
    double above = loss();
    operand[i] = before - step;
    double below = loss();
    operand[i] = before;
    double expected = (above - below) / (2 * step);
    EXPECT_NEAR(gradient[i], expected, 1e-7 * (1 + std::fabs(expected)))
        << "element " << i;
  }
}

size_t count(int64_t n) { return static_cast<size_t>(n); }

/// A pattern with an empty row, an empty column, duplicates and a long row.
Csr smallPattern() {
  return pattern(5, {0, 3, 3, 4, 10}, {1, 3, 1, 0, 4, 0, 1, 3, 3, 0});
}

struct EdgeForm {
  bool given;
  int64_t heads;
};

class Spmm : public testing::TestWithParam<Reduction> {};

TEST_P(Spmm, MatchesFiniteDifferences) {
  Csr csr = smallPattern();
  std::mt19937 rng(7);
  for (bool transpose : {false, true})
    for (int64_t heads : {1, 3})
      for (EdgeForm form : {EdgeForm{false, 1}, {true, 1}, {true, heads}}) {
        SpmmParams params{GetParam(), heads, 2, transpose, false};
        int64_t width = heads * 2;
        Doubles x = randomValues(rng, (transpose ? 4 : 5) * width);
        Doubles w = randomValues(rng, 10 * form.heads);
        Doubles y(count((transpose ? 5 : 4) * width));
        Doubles dy = randomValues(rng, static_cast<int64_t>(y.size()));
        EdgeValues values{form.given ? w.data() : nullptr, form.heads};
        auto loss = [&] {
          spmm(csr.view(), values, x.data(), y.data(), params);
          return weighted(y, dy);
        };
        Doubles dx(x.size(), nan), dw(w.size(), nan);
        spmmBackward(csr.view(), values, x.data(), dy.data(), dx.data(),
                     dw.data(), params);
        expectGradient(x, dx, loss);
        if (form.given)
          expectGradient(w, dw, loss);
      }
}

INSTANTIATE_TEST_SUITE_P(ReferenceBackward, Spmm,
                         testing::Values(Reduction::sum, Reduction::mean,
                                         Reduction::max, Reduction::min),
                         [](const auto &info) {
                           return std::string(toString(info.param));
                         });

TEST(ReferenceBackward, TiesOfMaxGoToTheFirstEdge) {
  Csr csr = pattern(3, {0, 3, 5}, {2, 1, 0, 0, 0});
  Doubles x = {4, 4, 1}, dy = {10, 7}, dx(3, nan), dw(5, nan);
  spmmBackward(csr.view(), {}, x.data(), dy.data(), dx.data(), nullptr,
               {Reduction::max});
  EXPECT_EQ(dx, (Doubles{7, 10, 0}));
  // Both messages of row 1 are equal: the first of its edges.
  Doubles w = {1, 1, 1, 2, 2};
  spmmBackward(csr.view(), {w.data(), 1}, x.data(), dy.data(), dx.data(),
               dw.data(), {Reduction::min});
  EXPECT_EQ(dx, (Doubles{14, 0, 10}));
  EXPECT_EQ(dw, (Doubles{10, 0, 0, 28, 0}));
}

TEST(ReferenceBackward, NanOfMaxGoesToTheFirstNan) {
  Csr csr = pattern(3, {0, 3}, {0, 1, 2});
  Doubles x = {inf, nan, nan}, dy = {3}, dx(3, nan);
  spmmBackward(csr.view(), {}, x.data(), dy.data(), dx.data(), nullptr,
               {Reduction::max});
  EXPECT_EQ(dx, (Doubles{0, 3, 0}));
}

class Sddmm : public testing::TestWithParam<Combine> {};

TEST_P(Sddmm, MatchesFiniteDifferences) {
  Csr csr = smallPattern();
  std::mt19937 rng(8);
  for (int64_t heads : {1, 3})
    for (EdgeForm form : {EdgeForm{false, 1}, {true, 1}, {true, heads}}) {
      SddmmParams params{GetParam(), heads, 3, 0.7};
      int64_t width = heads * (GetParam() == Combine::add ? 1 : 3);
      Doubles q = randomValues(rng, 4 * width);
      Doubles k = randomValues(rng, 5 * width);
      Doubles w = randomValues(rng, 10 * form.heads);
      Doubles s(count(10 * heads)), ds = randomValues(rng, 10 * heads);
      EdgeValues values{form.given ? w.data() : nullptr, form.heads};
      auto loss = [&] {
        sddmm(csr.view(), values, q.data(), k.data(), s.data(), params);
        return weighted(s, ds);
      };
      Doubles dq(q.size(), nan), dk(k.size(), nan), dw(w.size(), nan);
      sddmmBackward(csr.view(), values, q.data(), k.data(), ds.data(),
                    dq.data(), dk.data(), dw.data(), params);
      expectGradient(q, dq, loss);
      expectGradient(k, dk, loss);
      if (form.given)
        expectGradient(w, dw, loss);
    }
}

INSTANTIATE_TEST_SUITE_P(ReferenceBackward, Sddmm,
                         testing::Values(Combine::dot, Combine::add),
                         [](const auto &info) {
                           return std::string(toString(info.param));
                         });

TEST(ReferenceBackward, RowSoftmaxMatchesFiniteDifferences) {
  Csr csr = smallPattern();
  std::mt19937 rng(9);
  for (int64_t heads : {1, 3}) {
    Doubles s = randomValues(rng, 10 * heads), a(s.size()), ds(s.size(), nan);
    Doubles da = randomValues(rng, 10 * heads);
    auto loss = [&] {
      rowSoftmax(csr.view(), s.data(), a.data(), heads, 1.3);
      return weighted(a, da);
    };
    loss();
    rowSoftmaxBackward(csr.view(), a.data(), da.data(), ds.data(), heads, 1.3);
    expectGradient(s, ds, loss);
  }
}

TEST(ReferenceBackward, RowSoftmaxOfMaskedEdgesIsZero) {
  Csr csr = pattern(2, {0, 2, 4}, {0, 1, 0, 1});
  Doubles s = {-inf, -inf, 1, -inf}, a(4), ds(4, nan);
  Doubles da = {nan, 5, 2, inf};
  rowSoftmax(csr.view(), s.data(), a.data(), 1);
  rowSoftmaxBackward(csr.view(), a.data(), da.data(), ds.data(), 1);
  EXPECT_EQ(ds, (Doubles{0, 0, 0, 0}));
}

/// Operands of attention on `csr`, its results and the gradients.
struct AttentionCase {
  AttentionCase(const Csr &csr, AttentionParams params, EdgeForm form,
                std::mt19937 &rng)
      : csr(csr), params(params), form(form) {
    int64_t width =
        params.heads * (params.score == Score::gat ? 1 : params.features);
    int64_t valueWidth = params.heads * params.valueFeatures;
    q = randomValues(rng, csr.rows * width);
    k = randomValues(rng, csr.cols * width);
    v = randomValues(rng, csr.cols * valueWidth);
    vec = randomValues(rng, width);
    bias = randomValues(rng, csr.nnz() * form.heads);
    out.resize(count(csr.rows * valueWidth));
    lse.resize(count(csr.rows * params.heads));
    dOut = randomValues(rng, csr.rows * valueWidth);
  }

  EdgeValues values() const {
    return {form.given ? bias.data() : nullptr, form.heads};
  }
  double loss() {
    attention(csr.view(), values(), q.data(), k.data(), v.data(), vec.data(),
              out.data(), lse.data(), params);
    return weighted(out, dOut);
  }
  void backward() {
    loss();
    dq.assign(q.size(), nan);
    dk.assign(k.size(), nan);
    dv.assign(v.size(), nan);
    dvec.assign(vec.size(), nan);
    dbias.assign(bias.size(), nan);
    attentionBackward(
        csr.view(),
        {values(), q.data(), k.data(), v.data(), vec.data(), out.data(),
         lse.data(), dOut.data()},
        {dq.data(), dk.data(), dv.data(), dvec.data(), dbias.data()}, params);
  }

  Csr csr;
  AttentionParams params;
  EdgeForm form;
  Doubles q, k, v, vec, bias, out, lse, dOut;
  Doubles dq, dk, dv, dvec, dbias;
};

class Attention : public testing::TestWithParam<Score> {};

TEST_P(Attention, MatchesFiniteDifferences) {
  std::mt19937 rng(10);
  for (int64_t heads : {1, 3})
    for (EdgeForm form : {EdgeForm{false, 1}, {true, 1}, {true, heads}}) {
      AttentionCase c(smallPattern(), {GetParam(), heads, 3, 2, 0.6, 0.3}, form,
                      rng);
      c.backward();
      auto loss = [&] { return c.loss(); };
      expectGradient(c.q, c.dq, loss);
      expectGradient(c.k, c.dk, loss);
      expectGradient(c.v, c.dv, loss);
      if (form.given)
        expectGradient(c.bias, c.dbias, loss);
      if (GetParam() == Score::gatv2)
        expectGradient(c.vec, c.dvec, loss);
    }
}

INSTANTIATE_TEST_SUITE_P(ReferenceBackward, Attention,
                         testing::Values(Score::dot, Score::gat, Score::gatv2),
                         [](const auto &info) {
                           return std::string(toString(info.param));
                         });

TEST(ReferenceBackward, MaskedRowsOfAttentionTakePartInNothing) {
  std::mt19937 rng(11);
  AttentionCase c(pattern(2, {0, 2, 3}, {0, 1, 0}),
                  {Score::dot, 1, 2, 2, 1.0, 0.2}, {true, 1}, rng);
  c.bias = {-inf, -inf, 0.5};
  c.dOut[0] = nan;
  c.backward();
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(c.dq[i], 0);
    EXPECT_EQ(c.dbias[i], 0);
    // The one edge of row 1 has all of its weight.
    EXPECT_DOUBLE_EQ(c.dv[i], c.dOut[2 + i]);
    EXPECT_EQ(c.dv[2 + i], 0);
    EXPECT_EQ(c.dk[2 + i], 0);
  }
}

} // namespace

// Only for an infinity, and not the other way round.
TEST(ReferenceBackward, NanOfAGradientStandsForAnInfinity) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::nan("");
  auto error = [](double got, double expected) {
    double out[] = {3, got}, ref[] = {4, expected};
    return gradientError(out, ref, 2);
  };
  EXPECT_EQ(error(nan, infinity), 0.25);
  EXPECT_EQ(error(nan, -infinity), 0.25);
  EXPECT_EQ(error(infinity, infinity), 0.25);
  EXPECT_EQ(error(nan, nan), 0.25);
  for (auto [got, expected] : {std::pair(nan, 1.0),
                               {infinity, nan},
                               {infinity, -infinity},
                               {1.0, infinity},
                               {1.0, nan},
                               {infinity, 1.0}})
    EXPECT_EQ(error(got, expected), infinity) << got << " for " << expected;
}
