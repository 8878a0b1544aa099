//===- SimtPropertyTest.cpp - GPU kernels against the reference -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The property of PropertyTest.cpp for the kernels that a GPU gets, run thread
// by thread with all checks: what the CPU's tests run, under both families, in
// element types and forms that take turns, so that the number of kernels stays.
//
//===----------------------------------------------------------------------===//

#include "PropertyConfigs.h"

#include <gtest/gtest.h>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

class SimtProperty : public testing::TestWithParam<Config> {};

TEST_P(SimtProperty, MatchesReference) {
  auto kernel = compileSimt(GetParam().spec);
  ASSERT_TRUE(kernel) << kernel.error();
  expectMatchesReference(GetParam(), **kernel, gpuPropertyGraphs());
}

static std::string testName(const testing::TestParamInfo<Config> &info) {
  return nameOf(info.param.spec);
}
INSTANTIATE_TEST_SUITE_P(Spmm, SimtProperty,
                         testing::ValuesIn(withGpuSchedules(spmmConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Sddmm, SimtProperty,
                         testing::ValuesIn(withGpuSchedules(sddmmConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Softmax, SimtProperty,
                         testing::ValuesIn(withGpuSchedules(softmaxConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(
    Attention, SimtProperty,
    testing::ValuesIn(withGpuSchedules(attentionConfigs())), testName);
INSTANTIATE_TEST_SUITE_P(
    StaticAttention, SimtProperty,
    testing::ValuesIn(withGpuSchedules(staticAttentionConfigs())), testName);
INSTANTIATE_TEST_SUITE_P(ComposedAttention, SimtProperty,
                         testing::ValuesIn(withAttention(
                             withGpuSchedules(attentionConfigs()), "composed")),
                         testName);
INSTANTIATE_TEST_SUITE_P(Gradients, SimtProperty,
                         testing::ValuesIn(withGpuSchedules(gradientConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(
    ComposedGradients, SimtProperty,
    testing::ValuesIn(withAttention(withGpuSchedules(gradientConfigs(), 1),
                                    "composed")),
    testName);
