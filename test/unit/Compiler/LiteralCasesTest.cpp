//===- LiteralCasesTest.cpp - handed cases with literal results -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small inputs whose right results are known by number, under every family of
// the CPU and of the emulated GPU. Names carry the case's id.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
const double aNaN = std::nan("");

struct Graph {
  int64_t cols;
  std::vector<int32_t> rowptr, colind;
};

struct Forced {
  bool onCpu;
  const char *schedule;
};
constexpr Forced everyFamily[] = {
    {true, "row_parallel"},
    {true, "nnz_parallel"},
    {false, "row_group"},
    {false, "row_group, lanes = 2, vec = 1, tile = 8"},
    {false, "row_tasks, chunk = 32"},
    {false, "row_group, attention = composed"},
    {false, "row_tasks, chunk = 32, attention = composed"}};

/// Runs `spec` under every family on operands that `fill` sets, and hands the
/// call with its results to `check`.
void forEveryFamily(KernelSpec spec, const Graph &graph, const Widths &widths,
                    const std::function<void(TestCall &)> &fill,
                    const std::function<void(const TestCall &)> &check) {
  Csr csr{static_cast<int64_t>(graph.rowptr.size()) - 1, graph.cols,
          graph.rowptr, graph.colind};
  for (auto [onCpu, schedule] : everyFamily) {
    SCOPED_TRACE(std::string(toString(spec.op)) + " " + schedule);
    spec.schedule = *parseSchedule(schedule);
    auto kernel = onCpu ? compileCpu(spec) : compileSimt(spec);
    ASSERT_TRUE(kernel) << kernel.error();
    std::mt19937_64 engine(1);
    TestCall call(spec, csr, widths, engine);
    fill(call);
    Status status = call.run(**kernel);
    ASSERT_TRUE(status) << status.error();
    check(call);
  }
}

/// Equal in class, and within `tolerance` where finite.
void expectNear(const std::vector<double> &got,
                const std::vector<double> &expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i)
    if (std::isnan(expected[i]))
      EXPECT_TRUE(std::isnan(got[i])) << i << ": " << got[i];
    else if (std::isinf(expected[i]) || tolerance == 0)
      EXPECT_EQ(got[i], expected[i]) << i;
    else
      EXPECT_LE(std::fabs(got[i] - expected[i]), tolerance) << i;
}

KernelSpec specOf(OpKind op) {
  KernelSpec spec;
  spec.op = op;
  if (op == OpKind::row_softmax || op == OpKind::spmm)
    spec.edgeValues = EdgeValues::perEdge;
  return spec;
}

void expectSpmm(const Graph &graph, std::vector<double> w,
                std::vector<double> x, int64_t features,
                std::vector<double> expected) {
  forEveryFamily(
      specOf(OpKind::spmm), graph, {features, features, 1},
      [&](TestCall &call) { call.w = w, call.x = x; },
      [&](const TestCall &call) { expectNear(call.out, expected, 0); });
}

void expectSddmm(const Graph &graph, std::vector<double> q,
                 std::vector<double> k, int64_t features,
                 std::vector<double> expected) {
  forEveryFamily(
      specOf(OpKind::sddmm), graph, {features, features, 1},
      [&](TestCall &call) { call.q = q, call.k = k; },
      [&](const TestCall &call) { expectNear(call.out, expected, 0); });
}

void expectSoftmax(const Graph &graph, std::vector<double> w,
                   std::vector<double> expected, double tolerance) {
  forEveryFamily(
      specOf(OpKind::row_softmax), graph, {},
      [&](TestCall &call) { call.w = w; },
      [&](const TestCall &call) { expectNear(call.out, expected, tolerance); });
}
} // namespace

// A stored zero multiplies: what is infinite or NaN in x shows.
TEST(LiteralCases, N02_StoredZerosMultiply) {
  expectSpmm({3, {0, 2, 3, 4}, {0, 1, 0, 2}}, {0, 1, 2, 0},
             {inf, 1, 2, 3, aNaN, -inf}, 2, {aNaN, 3, inf, 2, aNaN, aNaN});
}

TEST(LiteralCases, N04_RowsOfMinusInfinity) {
  Graph graph = {4, {0, 2, 5, 6}, {0, 1, 0, 1, 2, 3}};
  std::vector<double> w = {-inf, -inf, -inf, 0, 0, -inf};
  expectSoftmax(graph, w, {0, 0, 0, 0.5, 0.5, 0}, 1e-7);
  KernelSpec spec = specOf(OpKind::attention);
  spec.edgeValues = EdgeValues::perEdge;
  spec.lse = true;
  forEveryFamily(
      spec, graph, {2, 1, 1},
      [&](TestCall &call) {
        call.w = w;
        call.q.assign(call.q.size(), 0);
        call.v = {1, 2, 4, inf}; // the last belongs to a row without weight
      },
      [&](const TestCall &call) {
        expectNear(call.out, {0, 3, 0}, 1e-6);
        expectNear(call.lse, {-inf, std::log(2.0), -inf}, 1e-6);
      });
}

TEST(LiteralCases, N06_LargeLogits) {
  expectSoftmax({3, {0, 3, 5, 6}, {0, 1, 2, 0, 1, 2}},
                {1000, 1000, 999, -1000, -1001, 50000},
                {0.4223187982515182, 0.4223187982515182, 0.15536240349696362,
                 0.7310585786300049, 0.2689414213699951, 1},
                1e-6);
}

TEST(LiteralCases, N11_DuplicateColumns) {
  Graph graph = {3, {0, 5, 7}, {1, 1, 1, 1, 1, 0, 0}};
  expectSpmm(graph, {1, 2, 4, 8, 16, 1, 1}, {10, 100, 1000}, 1, {3100, 20});
  expectSddmm(graph, {1, 2, 3, 4}, {1, 1, 2, 5, 0, 9}, 2,
              {12, 12, 12, 12, 12, 7, 7});
  expectSoftmax(graph, std::vector<double>(7, 0.0),
                {0.2, 0.2, 0.2, 0.2, 0.2, 0.5, 0.5}, 1e-7);
}

TEST(LiteralCases, N12_UnsortedColumns) {
  Graph graph = {4, {0, 3, 6}, {2, 0, 1, 3, 1, 2}};
  std::vector<double> dense = {1, 10, 100, 1000};
  expectSpmm(graph, {1, 2, 3, 4, 5, 6}, dense, 1, {132, 4650});
  expectSddmm(graph, {1, 2}, dense, 1, {100, 1, 10, 2000, 20, 200});
}

// An empty sum is zero, and written.
TEST(LiteralCases, N16_InnerWidthZero) {
  for (int64_t features : {int64_t(0), dynamic}) {
    KernelSpec spec = specOf(OpKind::sddmm);
    spec.features = features;
    forEveryFamily(
        spec, {2, {0, 2, 4}, {0, 1, 0, 1}}, {0, 0, 1}, [](TestCall &) {},
        [](const TestCall &call) { expectNear(call.out, {0, 0, 0, 0}, 0); });
  }
}

TEST(LiteralCases, N17_OneHubRow) {
  Graph graph = {7, {0, 0, 0, 100000, 100000, 100000}, {}};
  for (int32_t e = 0; e < 100000; ++e)
    graph.colind.push_back(e % 7);
  std::vector<double> x;
  for (int k = 0; k < 7; ++k)
    for (int f = 0; f < 2; ++f)
      x.push_back(k + 10 * f);
  // Sums of ones and small integers: exact in any order.
  expectSpmm(graph, std::vector<double>(100000, 1.0), x, 2,
             {0, 0, 0, 0, 299995, 1299995, 0, 0, 0, 0});
  expectSoftmax(graph, std::vector<double>(100000, 0.0),
                std::vector<double>(100000, 1e-5), 1e-9);
}

TEST(LiteralCases, N21_NoNeighbours) {
  KernelSpec spec = specOf(OpKind::attention);
  spec.scale = 0.5;
  forEveryFamily(
      spec, {3, {0, 2, 2, 3}, {0, 2, 1}}, {2, 2, 1},
      [](TestCall &call) {
        call.q = {1, 0, 0, 2, 3, -1};
        call.k = {1, 2, 0, 1, -1, 1};
        call.v = {1, 2, 3, 4, 5, 7};
      },
      [](const TestCall &call) {
        expectNear(call.out,
                   {2.0757656854799804, 3.3447071068499756, 0, 0, 3, 4}, 1e-6);
        EXPECT_EQ(call.out[2], 0.0);
        EXPECT_EQ(call.out[3], 0.0);
      });
}

TEST(LiteralCases, N24_SoftmaxOfStoredEntriesAlone) {
  expectSoftmax({3, {0, 1, 3, 5}, {1, 0, 2, 2, 0}}, {4, -1, 2, 0, 0.5},
                {1, 0.04742587317756679, 0.9525741268224334,
                 0.37754066879814546, 0.6224593312018546},
                1e-6);
}

// Rows without a column to refer to: zeros, not an early return.
TEST(LiteralCases, X09_NoColumns) {
  Graph graph = {0, {0, 0, 0, 0}, {}};
  expectSpmm(graph, {}, {}, 2, {0, 0, 0, 0, 0, 0});
  forEveryFamily(
      specOf(OpKind::attention), graph, {2, 2, 1}, [](TestCall &) {},
      [](const TestCall &call) {
        expectNear(call.out, {0, 0, 0, 0, 0, 0}, 0);
      });
}
