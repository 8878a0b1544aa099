//===- ReferenceTest.cpp - the reference evaluators themselves ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op is compared with its definition, written another way round: per
// output element over a plain list of edges, unshifted exponentials, composed
// ops.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Reference.h"
#include "TestPatterns.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace autosage;
using namespace autosage::reference;
using namespace autosage::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

struct Edge {
  int64_t row, column, entry;
};

struct Widths {
  int64_t heads, features;
};

std::vector<Edge> edgesOf(const Csr &csr) {
  std::vector<Edge> edges;
  for (int64_t e = 0, i = 0; e < csr.nnz(); ++e) {
    while (csr.rowptr[i + 1] <= e)
      ++i;
    edges.push_back({i, csr.colind[e], e});
  }
  return edges;
}

void expectNear(const Doubles &got, const Doubles &want) {
  ASSERT_EQ(got.size(), want.size());
  EXPECT_LE(
      relativeError(got.data(), want.data(), static_cast<int64_t>(got.size())),
      1e-13);
}

/// Edge values of each legal kind.
template <typename Fn>
void forEdgeValues(const Csr &csr, int64_t heads, std::mt19937 &rng, Fn &&fn) {
  fn(EdgeValues{});
  Doubles one = randomValues(rng, csr.nnz());
  fn(EdgeValues{one.data(), 1});
  Doubles each = randomValues(rng, csr.nnz() * heads);
  fn(EdgeValues{each.data(), heads});
}

double reduce(Reduction reduction, const Doubles &messages) {
  if (messages.empty())
    return 0;
  double sum = 0;
  for (double m : messages)
    sum += m;
  switch (reduction) {
  case Reduction::sum:
    return sum;
  case Reduction::mean:
    return sum / static_cast<double>(messages.size());
  case Reduction::max:
    return *std::max_element(messages.begin(), messages.end());
  case Reduction::min:
    return *std::min_element(messages.begin(), messages.end());
  }
  return nan;
}

TEST(ReferenceSpmm, MatchesDefinition) {
  forRandomPatterns([](const Csr &csr, std::mt19937 &rng) {
    std::vector<Edge> edges = edgesOf(csr);
    for (Reduction reduction :
         {Reduction::sum, Reduction::mean, Reduction::max, Reduction::min})
      for (bool transpose : {false, true})
        for (bool accumulate : {false, true})
          for (Widths widths : {Widths{1, 1}, {1, 3}, {2, 3}, {3, 0}}) {
            int64_t heads = widths.heads, features = widths.features;
            if (accumulate && reduction != Reduction::sum &&
                reduction != Reduction::mean)
              continue;
            int64_t outRows = transpose ? csr.cols : csr.rows;
            int64_t inRows = transpose ? csr.rows : csr.cols;
            Doubles x = randomValues(rng, inRows * heads * features);
            Doubles before = randomValues(rng, outRows * heads * features);
            forEdgeValues(csr, heads, rng, [&](EdgeValues w) {
              Doubles want = before;
              for (int64_t i = 0; i < outRows; ++i)
                for (int64_t h = 0; h < heads; ++h)
                  for (int64_t f = 0; f < features; ++f) {
                    Doubles messages;
                    for (Edge edge : edges) {
                      int64_t from = transpose ? edge.row : edge.column;
                      if ((transpose ? edge.column : edge.row) == i)
                        messages.push_back(
                            w.at(edge.entry, h) *
                            x[static_cast<size_t>(
                                (from * heads + h) * features + f)]);
                    }
                    double &y = want[static_cast<size_t>(
                        (i * heads + h) * features + f)];
                    y = (accumulate ? y : 0) + reduce(reduction, messages);
                  }
              Doubles got = accumulate ? before : Doubles(before.size(), nan);
              spmm(csr.view(), w, x.data(), got.data(),
                   {reduction, heads, features, transpose, accumulate});
              expectNear(got, want);
            });
          }
  });
}

TEST(ReferenceSpmm, TransposeFlagEqualsTransposedPattern) {
  forRandomPatterns([](const Csr &csr, std::mt19937 &rng) {
    Result<Transposed> t = transpose(csr.view());
    ASSERT_TRUE(t);
    Doubles w = randomValues(rng, csr.nnz()), wt;
    for (int64_t e = 0; e < csr.nnz(); ++e)
      wt.push_back(w[static_cast<size_t>(t->edgePermutation[e])]);
    Doubles x = randomValues(rng, csr.rows * 3);
    Doubles flag(static_cast<size_t>(csr.cols * 3)), pattern = flag;
    spmm(csr.view(), {w.data(), 1}, x.data(), flag.data(),
         {Reduction::mean, 1, 3, true, false});
    spmm(t->csr.view(), {wt.data(), 1}, x.data(), pattern.data(),
         {Reduction::mean, 1, 3, false, false});
    EXPECT_EQ(flag, pattern);
  });
}

TEST(ReferenceSpmm, NaNPassesThroughMaxAndMin) {
  Csr csr = pattern(3, {0, 3, 6, 7, 7}, {0, 1, 2, 2, 1, 0, 0});
  Doubles x = {1, nan, -inf};
  for (Reduction reduction : {Reduction::max, Reduction::min}) {
    Doubles y(4, 5);
    spmm(csr.view(), {}, x.data(), y.data(), {reduction, 1, 1, false, false});
    EXPECT_TRUE(std::isnan(y[0])); // NaN in the middle
    EXPECT_TRUE(std::isnan(y[1]));
    EXPECT_EQ(y[2], 1);
    EXPECT_EQ(y[3], 0);
  }
  x = {nan, 1, 2}; // first
  Doubles y(4);
  spmm(csr.view(), {}, x.data(), y.data(),
       {Reduction::max, 1, 1, false, false});
  EXPECT_TRUE(std::isnan(y[0]));
}

// All messages of a row on one side of 0: an initial 0 would win.
TEST(ReferenceSpmm, MaxAndMinDoNotStartFromZero) {
  Csr csr = pattern(2, {0, 2}, {0, 1});
  Doubles x = {-2, -3}, y(1);
  spmm(csr.view(), {}, x.data(), y.data(),
       {Reduction::max, 1, 1, false, false});
  EXPECT_EQ(y[0], -2);
  x = {2, 3};
  spmm(csr.view(), {}, x.data(), y.data(),
       {Reduction::min, 1, 1, false, false});
  EXPECT_EQ(y[0], 2);
}

TEST(ReferenceSpmm, MeanCountsDuplicatesAndAccumulates) {
  Csr csr = pattern(1, {0, 4, 4}, {0, 0, 0, 0});
  Doubles x = {6}, w = {1, 2, 3, 4}, y = {100, 7};
  spmm(csr.view(), {w.data(), 1}, x.data(), y.data(),
       {Reduction::mean, 1, 1, false, true});
  EXPECT_EQ(y, (Doubles{115, 7}));
}

TEST(ReferenceSddmm, MatchesDefinition) {
  forRandomPatterns([](const Csr &csr, std::mt19937 &rng) {
    for (Combine combine : {Combine::dot, Combine::add})
      for (Widths widths : {Widths{1, 1}, {1, 4}, {3, 5}, {2, 0}}) {
        int64_t heads = widths.heads, features = widths.features;
        int64_t width = combine == Combine::dot ? features : 1;
        Doubles q = randomValues(rng, csr.rows * heads * width);
        Doubles k = randomValues(rng, csr.cols * heads * width);
        forEdgeValues(csr, heads, rng, [&](EdgeValues w) {
          Doubles want;
          for (Edge edge : edgesOf(csr))
            for (int64_t h = 0; h < heads; ++h) {
              double value = 0;
              for (int64_t f = 0; f < width; ++f) {
                double a =
                    q[static_cast<size_t>((edge.row * heads + h) * width + f)];
                double b = k[static_cast<size_t>(
                    (edge.column * heads + h) * width + f)];
                value += combine == Combine::dot ? a * b : a + b;
              }
              want.push_back(0.25 * value * w.at(edge.entry, h));
            }
          Doubles got(want.size(), nan);
          sddmm(csr.view(), w, q.data(), k.data(), got.data(),
                {combine, heads, features, 0.25});
          expectNear(got, want);
        });
      }
  });
}

TEST(ReferenceRowSoftmax, MatchesUnshiftedExponentials) {
  forRandomPatterns([](const Csr &csr, std::mt19937 &rng) {
    for (int64_t heads : {1, 3}) {
      Doubles s = randomValues(rng, csr.nnz() * heads);
      Doubles want(s.size());
      for (Edge edge : edgesOf(csr))
        for (int64_t h = 0; h < heads; ++h) {
          double sum = 0;
          for (int64_t e = csr.rowptr[edge.row]; e < csr.rowptr[edge.row + 1];
               ++e)
            sum += std::exp(1.5 * s[static_cast<size_t>(e * heads + h)]);
          auto at = static_cast<size_t>(edge.entry * heads + h);
          want[at] = std::exp(1.5 * s[at]) / sum;
        }
      Doubles got(s.size(), nan);
      rowSoftmax(csr.view(), s.data(), got.data(), heads, 1.5);
      expectNear(got, want);
      rowSoftmax(csr.view(), s.data(), s.data(), heads, 1.5); // in place
      EXPECT_EQ(s, got);
    }
  });
}

TEST(ReferenceRowSoftmax, NonFiniteStaysInItsRow) {
  Csr csr = pattern(2, {0, 2, 4, 6, 8}, {0, 1, 0, 1, 0, 1, 0, 1});
  Doubles s = {nan, 0, inf, 0, -inf, 0, 0, 0}, out(8);
  rowSoftmax(csr.view(), s.data(), out.data(), 1);
  for (size_t e : {0, 1, 2, 3})
    EXPECT_TRUE(std::isnan(out[e])) << e;
  EXPECT_EQ(Doubles(out.begin() + 4, out.end()), (Doubles{0, 1, 0.5, 0.5}));
}

double scoreOf(const AttentionParams &p, const Doubles &q, const Doubles &k,
               const Doubles &vec, int64_t i, int64_t j, int64_t h) {
  auto leaky = [&](double x) { return x > 0 ? x : p.negativeSlope * x; };
  int64_t width = p.score == Score::gat ? 1 : p.features;
  double sum = 0;
  for (int64_t f = 0; f < width; ++f) {
    double a = q[static_cast<size_t>((i * p.heads + h) * width + f)];
    double b = k[static_cast<size_t>((j * p.heads + h) * width + f)];
    if (p.score == Score::dot)
      sum += a * b;
    else if (p.score == Score::gat)
      sum += leaky(a + b);
    else
      sum += vec[static_cast<size_t>(h * width + f)] * leaky(a + b);
  }
  return sum;
}

// attention = scores, then row_softmax, then spmm.
TEST(ReferenceAttention, MatchesComposition) {
  forRandomPatterns([](const Csr &csr, std::mt19937 &rng) {
    for (Score score : {Score::dot, Score::gat, Score::gatv2})
      for (int64_t heads : {1, 2})
        for (bool withBias : {false, true}) {
          AttentionParams p{score, heads, 3, 5, 0.5, 0.1};
          int64_t width = score == Score::gat ? 1 : p.features;
          Doubles q = randomValues(rng, csr.rows * heads * width);
          Doubles k = randomValues(rng, csr.cols * heads * width);
          Doubles v = randomValues(rng, csr.cols * heads * p.valueFeatures);
          Doubles vec = randomValues(rng, heads * width);
          Doubles bias = randomValues(rng, csr.nnz() * heads);
          EdgeValues edgeBias =
              withBias ? EdgeValues{bias.data(), heads} : EdgeValues{};

          Doubles weights(static_cast<size_t>(csr.nnz() * heads));
          Doubles sums(static_cast<size_t>(csr.rows * heads));
          for (Edge edge : edgesOf(csr))
            for (int64_t h = 0; h < heads; ++h) {
              auto at = static_cast<size_t>(edge.entry * heads + h);
              weights[at] =
                  p.scale * scoreOf(p, q, k, vec, edge.row, edge.column, h) +
                  (withBias ? bias[at] : 0);
              sums[static_cast<size_t>(edge.row * heads + h)] +=
                  std::exp(weights[at]);
            }
          rowSoftmax(csr.view(), weights.data(), weights.data(), heads);
          Doubles want(static_cast<size_t>(csr.rows * heads * p.valueFeatures));
          spmm(csr.view(), {weights.data(), heads}, v.data(), want.data(),
               {Reduction::sum, heads, p.valueFeatures, false, false});
          Doubles wantLse;
          for (double sum : sums)
            wantLse.push_back(std::log(sum));

          Doubles got(want.size(), nan), lse(wantLse.size(), nan);
          attention(csr.view(), edgeBias, q.data(), k.data(), v.data(),
                    vec.data(), got.data(), lse.data(), p);
          expectNear(got, want);
          expectNear(lse, wantLse);
          Doubles again(want.size(), nan);
          attention(csr.view(), edgeBias, q.data(), k.data(), v.data(),
                    vec.data(), again.data(), nullptr, p);
          EXPECT_EQ(again, got);
        }
  });
}

TEST(ReferenceAttention, MaskedRowsGatherNothing) {
  Csr csr = pattern(2, {0, 2, 2, 3}, {0, 1, 1});
  Doubles q = {1, 1, 1}, k = {1, 1}, v = {inf, nan}, mask = {-inf, -inf, 0};
  Doubles out(3, 9), lse(3, 9);
  AttentionParams p;
  attention(csr.view(), {mask.data(), 1}, q.data(), k.data(), v.data(), nullptr,
            out.data(), lse.data(), p);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 0);
  EXPECT_TRUE(std::isnan(out[2]));
  EXPECT_EQ(lse, (Doubles{-inf, -inf, 1}));
}

double errorOf(const Doubles &out, const Doubles &ref) {
  return relativeError(out.data(), ref.data(),
                       static_cast<int64_t>(out.size()));
}

TEST(RelativeError, Finite) {
  EXPECT_EQ(errorOf({}, {}), 0);
  EXPECT_EQ(errorOf({3, 4}, {3, 4}), 0);
  EXPECT_DOUBLE_EQ(errorOf({3, 4.5}, {3, 4}), 0.1);
  EXPECT_DOUBLE_EQ(errorOf({0, 0}, {3, 4}), 1);
  EXPECT_DOUBLE_EQ(errorOf({3, 4}, {0, 0}), 5);
  EXPECT_EQ(errorOf({0, -0.0}, {0, 0}), 0);
}

TEST(RelativeError, NeitherOverflowsNorUnderflows) {
  EXPECT_DOUBLE_EQ(errorOf({1.5e300, 1e300}, {1e300, 1e300}),
                   0.5 / std::sqrt(2));
  EXPECT_DOUBLE_EQ(errorOf({1.5e-300, 1e-300}, {1e-300, 1e-300}),
                   0.5 / std::sqrt(2));
  EXPECT_NEAR(
      errorOf({1.75e308, 1.7e308, 1.7e308}, {1.7e308, 1.7e308, 1.7e308}),
      0.05 / 1.7 / std::sqrt(3), 1e-12);
  EXPECT_EQ(errorOf({1.7e308}, {-1.7e308}), inf);
}

TEST(RelativeError, NonFinite) {
  EXPECT_EQ(errorOf({nan, inf, -inf, 1}, {nan, inf, -inf, 1}), 0);
  EXPECT_DOUBLE_EQ(errorOf({inf, 3, 4.5}, {inf, 3, 4}), 0.1);
  for (auto [out, ref] : {std::pair<double, double>{nan, 1},
                          {1, nan},
                          {inf, 1},
                          {1, inf},
                          {-inf, inf},
                          {inf, -inf},
                          {nan, inf},
                          {inf, nan},
                          {1, -inf}})
    EXPECT_EQ(errorOf({2, out}, {2, ref}), inf) << out << " " << ref;
}

} // namespace
