//===- PropertyTest.cpp - every op on random graphs against the reference -===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is compiled once for a configuration and run on every graph; kernels
// of dynamic width run on every width too. Half of the calls have NaN and
// infinities planted; they must come out where the reference has them.
//
//===----------------------------------------------------------------------===//

#include "PropertyConfigs.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

static const DType dtypes[] = {DType::f32, DType::f64, DType::f16, DType::bf16};

/// Every op under schedules other than the chosen one: one lane, tiles that do
/// not divide the width, blocks of one row, of a few, and of all.
static std::vector<Config> scheduleConfigs() {
  std::vector<Config> configs;
  for (const char *text :
       {"row_parallel, vec = 1, tile = 1, grain = 1",
        "row_parallel, vec = 4, tile = 12, grain = 7",
        "row_parallel, vec = 16, tile = 16, grain = 64",
        "row_parallel, vec = 8, tile = 128, grain = 1000",
        "row_parallel, unroll = 4, prefetch = 3",
        "row_parallel, vec = 4, tile = 8, unroll = 8",
        "nnz_parallel, parts = 5, unroll = 2, prefetch = 1024"})
    for (DType dtype : dtypes)
      for (OpKind op : {OpKind::spmm, OpKind::sddmm, OpKind::row_softmax,
                        OpKind::attention}) {
        KernelSpec spec;
        spec.op = op;
        spec.dtype = dtype;
        spec.edgeValues = EdgeValues::perEdge;
        auto schedule = parseSchedule(text);
        EXPECT_TRUE(schedule) << schedule.error();
        spec.schedule = *schedule;
        configs.push_back({spec, op == OpKind::row_softmax
                                     ? std::vector<Widths>{{1, 1, 1}}
                                     : anyWidths(1)});
      }
  return configs;
}

class Property : public testing::TestWithParam<Config> {};

TEST_P(Property, MatchesReference) {
  auto kernel = compileCpu(GetParam().spec);
  ASSERT_TRUE(kernel) << kernel.error();
  expectMatchesReference(GetParam(), **kernel, propertyGraphs(11));
}

/// Each again with its long rows cut: the graphs are small, so a number of
/// parts is given, which no graph's edges divide into.
static std::vector<Config> withFamilies(std::vector<Config> configs) {
  for (size_t i = 0, count = configs.size(); i < count; ++i)
    if (configs[i].spec.dtype == DType::f32 && !configs[i].spec.transpose) {
      Config config = configs[i];
      config.spec.schedule = Schedule{"nnz_parallel", {{"parts", int64_t(7)}}};
      configs.push_back(config);
    }
  return configs;
}

/// Attention in three walks, with cut rows or without, each of the other forms.
static std::vector<Config> composedConfigs() {
  std::vector<Config> configs;
  bool cut = false;
  for (Config config : attentionConfigs()) {
    if (config.spec.composed)
      continue;
    config.spec.schedule =
        cut ? Schedule{"nnz_parallel", {{"parts", int64_t(7)}}}
            : Schedule{"row_parallel", {{"unroll", int64_t(4)}}};
    configs.push_back(config);
    cut = !cut;
  }
  return withAttention(configs, "composed");
}

static std::vector<Config> composedGradientConfigs() {
  std::vector<Config> configs = gradientConfigs();
  bool cut = false;
  for (Config &config : configs) {
    config.spec.schedule =
        cut ? Schedule{"nnz_parallel", {{"parts", int64_t(7)}}}
            : Schedule{"row_parallel", {{"unroll", int64_t(4)}}};
    cut = !cut;
  }
  return withAttention(configs, "composed");
}

static std::string testName(const testing::TestParamInfo<Config> &info) {
  return nameOf(info.param.spec);
}
INSTANTIATE_TEST_SUITE_P(Spmm, Property,
                         testing::ValuesIn(withFamilies(spmmConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Sddmm, Property,
                         testing::ValuesIn(withFamilies(sddmmConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Softmax, Property,
                         testing::ValuesIn(withFamilies(softmaxConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Attention, Property,
                         testing::ValuesIn(withFamilies(attentionConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(ComposedAttention, Property,
                         testing::ValuesIn(composedConfigs()), testName);
INSTANTIATE_TEST_SUITE_P(Gradients, Property,
                         testing::ValuesIn(gradientConfigs()), testName);
INSTANTIATE_TEST_SUITE_P(ComposedGradients, Property,
                         testing::ValuesIn(composedGradientConfigs()),
                         testName);
INSTANTIATE_TEST_SUITE_P(Schedules, Property,
                         testing::ValuesIn(scheduleConfigs()), testName);

TEST(Unroll, ChangesNoBitOfSpmm) {
  // The edges of a pass are added one after another. Prefetching computes
  // nothing.
  std::mt19937_64 engine(31);
  for (Reduction reduction : {Reduction::sum, Reduction::max}) {
    KernelSpec spec;
    spec.reduction = reduction;
    spec.features = 67;
    spec.edgeValues = EdgeValues::perEdge;
    std::vector<std::unique_ptr<CompiledKernel>> kernels;
    for (const char *text : {"row_parallel", "row_parallel, unroll = 2",
                             "row_parallel, unroll = 16, prefetch = 5",
                             "row_parallel, prefetch = 1"}) {
      spec.schedule = *parseSchedule(text);
      auto kernel = compileCpu(spec);
      ASSERT_TRUE(kernel) << kernel.error();
      kernels.push_back(std::move(*kernel));
    }
    for (const NamedGraph &graph : propertyGraphs(17)) {
      TestCall call(spec, graph.csr, {67, 1, 1}, engine);
      std::vector<double> first;
      for (size_t i = 0; i < kernels.size(); ++i) {
        std::fill(call.out.begin(), call.out.end(), std::nan(""));
        ASSERT_TRUE(call.run(*kernels[i]));
        if (i == 0)
          first = call.out;
        EXPECT_EQ(call.out, first) << graph.name << ", schedule " << i;
      }
    }
  }
}

TEST(Unroll, AScoreIsTheSameWhereverItStands) {
  // One edge again and again: in rows of 1 to 12 edges it is in every place of
  // a pass, and in the rest.
  std::mt19937_64 engine(37);
  std::vector<int32_t> rowptr{0};
  for (int32_t row = 0; row < 12; ++row)
    rowptr.push_back(rowptr.back() + row + 1);
  Csr csr{12, 1, IndexArray(rowptr),
          IndexArray(std::vector<int32_t>(rowptr.back(), 0))};
  for (int64_t width : {int64_t(3), int64_t(64), int64_t(300)})
    for (const char *text :
         {"row_parallel, unroll = 4", "row_parallel, unroll = 8, vec = 4",
          "row_parallel, unroll = 16, vec = 2, tile = 64"}) {
      KernelSpec spec;
      spec.op = OpKind::sddmm;
      spec.features = width;
      spec.schedule = *parseSchedule(text);
      auto kernel = compileCpu(spec);
      ASSERT_TRUE(kernel) << kernel.error();
      TestCall call(spec, csr, {width, 1, 1}, engine);
      for (size_t i = width; i < call.q.size(); ++i)
        call.q[i] = call.q[i - width];
      ASSERT_TRUE(call.run(**kernel));
      for (double value : call.out)
        EXPECT_EQ(value, call.out[0]) << text << ", width " << width;
    }
}

TEST(PropertyOfZero, NoFeaturesAtAll) {
  // Width 0 is legal and gives outputs of the right shape; a dot product of
  // nothing is 0, so that attention becomes the mean.
  std::mt19937_64 engine(5);
  KernelSpec spmm, sddmm, attention;
  sddmm.op = OpKind::sddmm;
  attention.op = OpKind::attention;
  for (const KernelSpec &spec : {spmm, sddmm, attention}) {
    auto kernel = compileCpu(spec);
    ASSERT_TRUE(kernel) << kernel.error();
    for (const NamedGraph &graph : propertyGraphs(13)) {
      TestCall call(spec, graph.csr, {0, 5, 1}, engine);
      std::vector<double> expected, lse;
      call.evaluate(expected, lse);
      Status status = call.run(**kernel);
      ASSERT_TRUE(status) << status.error();
      EXPECT_LE(relativeError(call.out, expected),
                call.bounds(expected, lse).out)
          << toString(spec.op) << " " << graph.name;
    }
  }
}
