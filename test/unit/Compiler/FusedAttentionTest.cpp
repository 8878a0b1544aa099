//===- FusedAttentionTest.cpp - corner cases of online softmax ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a running maximum can get wrong: it grows late, starts at -inf, or is
// that of a piece whose row has a larger one. Rows are longer than a chunk, a
// group of edges and a block, so that each of these happens inside of a group,
// between groups and between pieces. Logits are the biases: q is 0.
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "TestKernel.h"

#include "autosage/Compiler/Compiler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr int64_t rowLength = 700, numCols = 50;

struct Forced {
  bool onCpu;
  const char *schedule;
};
constexpr Forced schedules[] = {
    {true, "row_parallel"},
    {true, "row_parallel, vec = 4, tile = 4, unroll = 4"},
    {true, "nnz_parallel, parts = 7"},
    {true, "row_parallel, attention = composed"},
    {true, "nnz_parallel, parts = 7, unroll = 4, attention = composed"},
    {false, "row_group, lanes = 8, unroll = 8"},
    {false, "row_tasks, chunk = 32"},
    {false, "row_tasks, chunk = 100, unroll = 1"},
    {false, "row_tasks, chunk = 64, unroll = 16, order = length"}};

class FusedAttention : public testing::TestWithParam<Forced> {
protected:
  /// Rows of `rowLength` edges, and a last one of a few.
  FusedAttention() {
    spec.op = OpKind::attention;
    spec.features = 4;
    spec.valueFeatures = 8;
    spec.edgeValues = EdgeValues::perEdge;
    spec.lse = true;
    spec.schedule = *parseSchedule(GetParam().schedule);
  }

  TestCall makeCall() {
    std::mt19937_64 engine(3);
    Csr csr = randomCsr({rowLength, rowLength, rowLength, 3}, numCols, engine)
                  .convertedTo(spec.rowptrType, spec.colindType)
                  .value();
    TestCall call(spec, csr, {4, 8, 1}, engine);
    std::fill(call.q.begin(), call.q.end(), 0);
    return call;
  }

  std::unique_ptr<CompiledKernel> kernel() {
    auto result = GetParam().onCpu ? compileCpu(spec) : compileSimt(spec);
    EXPECT_TRUE(result) << result.error();
    return result ? std::move(*result) : nullptr;
  }

  void expectReference(TestCall call) {
    std::unique_ptr<CompiledKernel> compiled = kernel();
    ASSERT_TRUE(compiled);
    std::vector<double> expected, expectedLse;
    call.evaluate(expected, expectedLse);
    Status status = call.run(*compiled);
    ASSERT_TRUE(status) << status.error();
    EXPECT_LE(relativeError(call.out, expected), 2e-6);
    EXPECT_LE(relativeError(call.lse, expectedLse), 2e-6);
  }

  KernelSpec spec;
};
} // namespace

// The first 100 logits of the row are -inf, of its second the last 600.
TEST_P(FusedAttention, MaximumStartsAtMinusInfinity) {
  TestCall call = makeCall();
  for (int64_t e = 0; e < 100; ++e)
    call.w[e] = -inf;
  for (int64_t e = 100; e < rowLength; ++e)
    call.w[rowLength + e] = -inf;
  expectReference(call);
}

// A row without weight gives zeros whatever v holds, and -inf.
TEST_P(FusedAttention, RowsOfMinusInfinityGatherNothing) {
  TestCall call = makeCall();
  std::fill(call.w.begin(), call.w.end(), -inf);
  for (size_t i = 0; i < call.v.size(); i += 3)
    call.v[i] = i % 2 ? inf : std::nan("");
  std::unique_ptr<CompiledKernel> compiled = kernel();
  ASSERT_TRUE(compiled);
  ASSERT_TRUE(call.run(*compiled));
  for (double value : call.out)
    EXPECT_EQ(value, 0);
  for (double value : call.lse)
    EXPECT_EQ(value, -inf);
}

// Logits of 1e30 and -1e30: one weight each, wherever the maximum stands.
TEST_P(FusedAttention, LogitsOfAnySize) {
  for (int64_t place : {int64_t(0), int64_t(1), int64_t(33), rowLength - 1}) {
    TestCall call = makeCall();
    for (int64_t e = 0; e < rowLength; ++e)
      call.w[e] = e == place ? 1e30 : e % 2 ? -1e30 : 0;
    for (int64_t e = 0; e < rowLength; ++e)
      call.w[rowLength + e] = e == place ? -1e30 : -3e38;
    expectReference(call);
  }
}

// Each logit is the largest so far: every step rescales.
TEST_P(FusedAttention, MaximumGrowsAtEveryEdge) {
  TestCall call = makeCall();
  for (int64_t e = 0; e < rowLength; ++e) {
    call.w[e] = static_cast<double>(e) / 4;
    call.w[rowLength + e] = static_cast<double>(rowLength - e) * 2;
  }
  expectReference(call);
}

// A NaN and an infinity stay in their rows, in whatever piece they are.
TEST_P(FusedAttention, NanAndInfinityStayInTheirRow) {
  for (int64_t place : {int64_t(0), int64_t(99), rowLength - 1}) {
    TestCall call = makeCall();
    call.w[place] = std::nan("");
    call.w[2 * rowLength + place] = inf;
    std::unique_ptr<CompiledKernel> compiled = kernel();
    ASSERT_TRUE(compiled);
    ASSERT_TRUE(call.run(*compiled));
    for (int64_t f = 0; f < 8; ++f) {
      EXPECT_TRUE(std::isnan(call.out[f]));
      EXPECT_TRUE(std::isfinite(call.out[8 + f]));
      EXPECT_TRUE(std::isnan(call.out[16 + f]));
      EXPECT_TRUE(std::isfinite(call.out[24 + f]));
    }
    EXPECT_TRUE(std::isnan(call.lse[0]) && std::isnan(call.lse[2]));
    EXPECT_TRUE(std::isfinite(call.lse[1]) && std::isfinite(call.lse[3]));
  }
}

// The same edge many times counts as often.
TEST_P(FusedAttention, DuplicatesCount) {
  TestCall call = makeCall();
  std::fill(call.w.begin(), call.w.end(), 0.5);
  expectReference(call);
}

TEST_P(FusedAttention, RunsAreBitIdentical) {
  TestCall call = makeCall();
  std::unique_ptr<CompiledKernel> compiled = kernel();
  ASSERT_TRUE(compiled);
  ASSERT_TRUE(call.run(*compiled));
  std::vector<double> out = call.out, lse = call.lse;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(call.run(*compiled));
    EXPECT_EQ(0, std::memcmp(out.data(), call.out.data(), out.size() * 8));
    EXPECT_EQ(0, std::memcmp(lse.data(), call.lse.data(), lse.size() * 8));
  }
}

INSTANTIATE_TEST_SUITE_P(Schedules, FusedAttention,
                         testing::ValuesIn(schedules),
                         [](const testing::TestParamInfo<Forced> &info) {
                           std::string name =
                               info.param.onCpu ? "cpu_" : "simt_";
                           for (const char *c = info.param.schedule; *c; ++c)
                             if (std::isalnum(static_cast<unsigned char>(*c)) ||
                                 *c == '_')
                               name += *c;
                           return name;
                         });
