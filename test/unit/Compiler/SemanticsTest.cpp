//===- SemanticsTest.cpp - the rules of docs/semantics.md, one by one -----===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Literal numbers for the rules that random operands do not reach.
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "TestKernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

static constexpr double inf = std::numeric_limits<double>::infinity();
static const double nan_ = std::nan("");

namespace {
/// A call on literal operands.
struct Literal : TestCall {
  static std::mt19937_64 engine;

  Literal(const KernelSpec &spec, const Csr &csr, const Widths &widths)
      : TestCall(spec, csr, widths, engine) {}

  std::vector<double> result() {
    auto kernel = compileCpu(spec);
    EXPECT_TRUE(kernel) << kernel.error();
    if (!kernel)
      return {};
    Status status = run(**kernel);
    EXPECT_TRUE(status) << status.error();
    return out;
  }
};
std::mt19937_64 Literal::engine(1);
} // namespace

static Csr csr(std::vector<int32_t> rowptr, std::vector<int32_t> colind,
               int64_t cols) {
  int64_t rows = static_cast<int64_t>(rowptr.size()) - 1;
  return {rows, cols, std::move(rowptr), std::move(colind)};
}

/// Equal, where NaN equals NaN.
static void expectSame(const std::vector<double> &got,
                       const std::vector<double> &expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i)
    if (std::isnan(expected[i]))
      EXPECT_TRUE(std::isnan(got[i])) << i << ": " << got[i];
    else
      EXPECT_FLOAT_EQ(got[i], expected[i]) << i;
}

static KernelSpec spmm(Reduction reduction, int64_t features = 1) {
  KernelSpec spec;
  spec.reduction = reduction;
  spec.features = features;
  spec.edgeValues = EdgeValues::perEdge;
  return spec;
}

TEST(Semantics, EmptyRowsAreZeroForEveryReduction) {
  for (Reduction r :
       {Reduction::sum, Reduction::mean, Reduction::max, Reduction::min}) {
    Literal call(spmm(r), csr({0, 0, 1}, {0}, 1), {1, 1, 1});
    call.w = {-3};
    call.x = {2};
    expectSame(call.result(), {0, -6});
  }
}

TEST(Semantics, StoredZeroTimesInfinityIsNan) {
  Literal call(spmm(Reduction::sum), csr({0, 2}, {0, 1}, 2), {1, 1, 1});
  call.w = {0, 1};
  call.x = {inf, 1};
  expectSame(call.result(), {nan_});
}

TEST(Semantics, RowsNobodyRefersToNeverMatter) {
  // Column 1 holds NaN and no entry refers to it.
  Literal call(spmm(Reduction::sum, 3), csr({0, 1, 2}, {0, 2}, 3), {3, 1, 1});
  call.w = {1, 1};
  call.x = {1, 2, 3, nan_, nan_, nan_, 4, 5, 6};
  expectSame(call.result(), {1, 2, 3, 4, 5, 6});
}

TEST(Semantics, NanPropagatesThroughMaxAndMin) {
  for (Reduction r : {Reduction::max, Reduction::min})
    for (int position : {0, 1, 2}) {
      Literal call(spmm(r), csr({0, 3, 5}, {0, 1, 2, 3, 4}, 5), {1, 1, 1});
      call.w = {1, 1, 1, 1, 1};
      call.x = {1, 2, 3, 4, 5};
      call.x[position] = nan_;
      expectSame(call.result(), {nan_, r == Reduction::max ? 5.0 : 4.0});
    }
}

TEST(Semantics, MaxOfNegativeInfinityIsNegativeInfinity) {
  Literal call(spmm(Reduction::max), csr({0, 1}, {0}, 1), {1, 1, 1});
  call.w = {1};
  call.x = {-inf};
  expectSame(call.result(), {-inf});
}

TEST(Semantics, MeanDividesByEdgesNotByWeights) {
  Literal call(spmm(Reduction::mean), csr({0, 3}, {0, 0, 0}, 1), {1, 1, 1});
  call.w = {1, 2, 6};
  call.x = {1};
  expectSame(call.result(), {3});
}

static KernelSpec softmax(double scale = 1) {
  KernelSpec spec;
  spec.op = OpKind::row_softmax;
  spec.edgeValues = EdgeValues::perEdge;
  spec.scale = scale;
  return spec;
}

TEST(Semantics, SoftmaxOfLargeLogitsIsFinite) {
  Literal call(softmax(), csr({0, 2, 4}, {0, 1, 0, 1}, 2), {1, 1, 1});
  call.w = {1e4, 1e4, -1e4, -1e4};
  expectSame(call.result(), {0.5, 0.5, 0.5, 0.5});
}

TEST(Semantics, SoftmaxOfNegativeInfinityAlone) {
  Literal call(softmax(), csr({0, 2, 4}, {0, 1, 0, 1}, 2), {1, 1, 1});
  call.w = {-inf, -inf, -inf, 7};
  expectSame(call.result(), {0, 0, 0, 1});
}

TEST(Semantics, SoftmaxNanAndInfinityStayInTheirRow) {
  Literal call(softmax(), csr({0, 2, 4, 6}, {0, 1, 0, 1, 0, 1}, 2), {1, 1, 1});
  call.w = {nan_, 1, 3, 3, inf, 1};
  std::vector<double> out = call.result();
  ASSERT_EQ(out.size(), 6u);
  EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[1]));
  EXPECT_FLOAT_EQ(out[2], 0.5);
  EXPECT_FLOAT_EQ(out[3], 0.5);
  EXPECT_TRUE(std::isnan(out[4])); // inf - inf
}

TEST(Semantics, AttentionOfEmptyAndMaskedRows) {
  KernelSpec spec;
  spec.op = OpKind::attention;
  spec.features = 1;
  spec.edgeValues = EdgeValues::perEdge;
  spec.lse = true;
  // Row 0 is empty, row 1 masked out, row 2 has half of its edges.
  Literal call(spec, csr({0, 0, 1, 3}, {0, 0, 1}, 2), {1, 1, 1});
  call.w = {-inf, -inf, 0};
  call.q = {1, 1, 1};
  call.k = {2, 3};
  call.v = {5, 7};
  expectSame(call.result(), {0, 0, 7});
  expectSame(call.lse, {-inf, -inf, 3});
}

TEST(Semantics, ColumnEdgeValuesServeAllHeads) {
  KernelSpec spec;
  spec.features = 2;
  spec.heads = 2;
  spec.edgeValues = EdgeValues::column;
  Literal call(spec, csr({0, 1}, {0}, 1), {2, 1, 2});
  call.w = {10};
  call.x = {1, 2, 3, 4};
  expectSame(call.result(), {10, 20, 30, 40});
}

TEST(Semantics, RunToRunBitwiseEqual) {
  std::mt19937_64 engine(3);
  Csr graph = randomCsr({0, 90, 3, 400, 1}, 50, engine);
  KernelSpec spec = spmm(Reduction::sum, 31);
  TestCall call(spec, graph, {31, 1, 1}, engine);
  auto kernel = compileCpu(spec);
  ASSERT_TRUE(kernel) << kernel.error();
  ASSERT_TRUE(call.run(**kernel));
  std::vector<double> first = call.out;
  call.out.assign(call.out.size(), nan_);
  ASSERT_TRUE(call.run(**kernel));
  EXPECT_EQ(first, call.out);
}
