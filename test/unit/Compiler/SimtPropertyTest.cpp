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

/// Schedules whose chunks, tiles and blocks the graphs' longest rows and widest
/// features exceed.
static const char *const schedules[] = {
    "row_group",
    "row_tasks, chunk = 32",
    "row_group, lanes = 8, block = 64, unroll = 2",
    "row_tasks, chunk = 32, order = length, unroll = 8, vec = 2",
    "row_group, vec = 8, tile = 64, unroll = 1",
    "row_tasks, chunk = 48, order = locality, tile = 32, min_blocks = 8",
    "row_group, lanes = 32, vec = 1, unroll = 16",
    "row_tasks, chunk = 40, vec = 1, unroll = 4, tile = 8"};

/// Each configuration with one schedule, in turn; every schedule meets every
/// element type and form, as their numbers have no common factor with its own.
static std::vector<Config> scheduled(std::vector<Config> configs) {
  size_t next = 0;
  for (Config &config : configs) {
    auto schedule = parseSchedule(schedules[next++ % std::size(schedules)]);
    EXPECT_TRUE(schedule) << schedule.error();
    config.spec.schedule = *schedule;
  }
  return configs;
}

/// The graphs of the CPU's property, and rows longer than every chunk and tile.
static std::vector<NamedGraph> graphs() {
  std::vector<NamedGraph> graphs = propertyGraphs(11);
  std::mt19937_64 engine(13);
  graphs.push_back({"long rows", randomCsr({3, 700, 0, 129, 31}, 40, engine)});
  return graphs;
}

class SimtProperty : public testing::TestWithParam<Config> {};

TEST_P(SimtProperty, MatchesReference) {
  auto kernel = compileSimt(GetParam().spec);
  ASSERT_TRUE(kernel) << kernel.error();
  expectMatchesReference(GetParam(), **kernel, graphs());
}

static std::string testName(const testing::TestParamInfo<Config> &info) {
  return nameOf(info.param.spec);
}
INSTANTIATE_TEST_SUITE_P(Spmm, SimtProperty,
                         testing::ValuesIn(scheduled(spmmConfigs())), testName);
INSTANTIATE_TEST_SUITE_P(Sddmm, SimtProperty,
                         testing::ValuesIn(scheduled(sddmmConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Softmax, SimtProperty,
                         testing::ValuesIn(scheduled(softmaxConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Attention, SimtProperty,
                         testing::ValuesIn(scheduled(attentionConfigs())),
                         testName);
