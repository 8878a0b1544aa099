//===- DecomposedAttentionTest.cpp - both forms of one function -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function with fused attention, the same after autosage-decompose-attention,
// and that after autosage-fuse-attention again: on random inputs all match the
// f64 reference, and the last has the bits of the first.
//
//===----------------------------------------------------------------------===//

#include "PropertyConfigs.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

namespace {
struct Case {
  Config config;
  Target target;
};

class DecomposedAttention : public testing::TestWithParam<Case> {
protected:
  std::unique_ptr<CompiledKernel> compile(const std::string &passes) {
    CompileOptions options;
    options.passes = passes;
    options.keepIr = true;
    const KernelSpec &spec = GetParam().config.spec;
    auto kernel = GetParam().target == Target::cpu ? compileCpu(spec, options)
                                                   : compileSimt(spec, options);
    EXPECT_TRUE(kernel) << kernel.error();
    return kernel ? std::move(*kernel) : nullptr;
  }
};
} // namespace

/// The ops that the select pass saw.
static size_t countOf(const CompiledKernel &kernel, const std::string &op) {
  size_t count = 0;
  for (size_t at = kernel.mlir().find(op); at != std::string::npos;
       at = kernel.mlir().find(op, at + 1))
    ++count;
  return count;
}

TEST_P(DecomposedAttention, MatchesFusedAndTheReference) {
  const Config &config = GetParam().config;
  auto fused = compile("");
  auto decomposed = compile("autosage-decompose-attention,canonicalize,cse");
  auto again = compile("autosage-decompose-attention,canonicalize,cse,"
                       "autosage-fuse-attention");
  ASSERT_TRUE(fused && decomposed && again);
  EXPECT_EQ(countOf(*fused, "autosage.attention"), 1u);
  EXPECT_EQ(countOf(*decomposed, "autosage.attention"), 0u);
  EXPECT_EQ(countOf(*decomposed, "autosage.row_softmax"), 1u);
  EXPECT_EQ(countOf(*again, "autosage.attention"), 1u);
  EXPECT_EQ(countOf(*again, "autosage.row_softmax"), 0u);

  std::mt19937_64 engine(23);
  for (const NamedGraph &graph : gpuPropertyGraphs())
    for (const Widths &widths : config.widths) {
      SCOPED_TRACE(graph.name + ", width " + std::to_string(widths.features) +
                   ", " + std::to_string(widths.valueFeatures));
      TestCall call(config.spec, graph.csr, widths, engine);
      std::vector<double> expected, expectedLse;
      call.evaluate(expected, expectedLse);
      double bound = call.bounds(expected, expectedLse).out;
      TestCall threeOps = call, once = call;
      // Scores and weights of its ops are rounded to their type.
      threeOps.spec.composed = true;
      double wide = threeOps.bounds(expected, expectedLse).out;
      ASSERT_TRUE(call.run(*fused));
      ASSERT_TRUE(threeOps.run(*decomposed));
      ASSERT_TRUE(once.run(*again));
      EXPECT_LE(relativeError(call.out, expected), bound);
      EXPECT_LE(relativeError(threeOps.out, expected), wide);
      EXPECT_LE(relativeError(threeOps.out, call.out), bound + wide);
      EXPECT_EQ(once.out, call.out);
    }
}

/// Scores that three ops have, every element type and form of bias.
static std::vector<Config> configsOf(Score score) {
  std::vector<Config> configs;
  for (Config config : attentionConfigs()) {
    if (config.spec.score != score || config.spec.composed)
      continue;
    // Three ops have no log-sum-exp.
    config.spec.lse = false;
    configs.push_back(config);
  }
  return configs;
}

static std::vector<Case> cases() {
  std::vector<Case> cases;
  for (Score score : {Score::dot, Score::gat}) {
    for (const Config &config : configsOf(score))
      cases.push_back({config, Target::cpu});
    // Thread by thread takes longer: fewer widths, no less of the rest.
    for (Config config : withGpuSchedules(configsOf(score))) {
      config.widths.resize(std::min<size_t>(config.widths.size(), 3));
      cases.push_back({config, Target::simt});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Forms, DecomposedAttention, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case> &info) {
                           return std::string(toString(info.param.target)) +
                                  "_" + nameOf(info.param.config.spec);
                         });
