//===- NvptxPropertyTest.cpp - GPU kernels on a GPU, by reference ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The property of SimtPropertyTest.cpp where there is a GPU: the same kernels
// under the same schedules, and under a second round of them.
//
//===----------------------------------------------------------------------===//

#include "PropertyConfigs.h"
#include "TestDevice.h"

#include <gtest/gtest.h>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

class NvptxProperty : public testing::TestWithParam<Config> {};

TEST_P(NvptxProperty, MatchesReference) {
  if (testGpu().chip.empty())
    GTEST_SKIP() << testGpu().missing;
  auto kernel = compileNvptx(GetParam().spec, {}, {testGpu().chip});
  ASSERT_TRUE(kernel) << kernel.error();
  expectMatchesReference(GetParam(), **kernel, gpuPropertyGraphs(),
                         autosage_cuda_device_api());
}

/// Two schedules for each configuration.
static std::vector<Config> scheduled(const std::vector<Config> &configs) {
  std::vector<Config> all = withGpuSchedules(configs, 0);
  for (Config &config : withGpuSchedules(configs, 3))
    all.push_back(std::move(config));
  return all;
}

static std::string testName(const testing::TestParamInfo<Config> &info) {
  return nameOf(info.param.spec);
}
INSTANTIATE_TEST_SUITE_P(Spmm, NvptxProperty,
                         testing::ValuesIn(scheduled(spmmConfigs())), testName);
INSTANTIATE_TEST_SUITE_P(Sddmm, NvptxProperty,
                         testing::ValuesIn(scheduled(sddmmConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Softmax, NvptxProperty,
                         testing::ValuesIn(scheduled(softmaxConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Attention, NvptxProperty,
                         testing::ValuesIn(scheduled(attentionConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(StaticAttention, NvptxProperty,
                         testing::ValuesIn(scheduled(staticAttentionConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(
    ComposedAttention, NvptxProperty,
    testing::ValuesIn(withAttention(scheduled(attentionConfigs()), "composed")),
    testName);
INSTANTIATE_TEST_SUITE_P(Gradients, NvptxProperty,
                         testing::ValuesIn(scheduled(gradientConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(
    ComposedGradients, NvptxProperty,
    testing::ValuesIn(withAttention(scheduled(gradientConfigs()), "composed")),
    testName);
