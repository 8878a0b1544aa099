//===- CpuLevelsTest.cpp - every op for every level of the CPU ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "TestCpus.h"
#include "TestKernel.h"

#include "autosage/Core/DeviceFacts.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

namespace {
struct Config {
  const char *cpu;
  DType dtype;
};
class CpuLevels : public testing::TestWithParam<Config> {};
} // namespace

/// Kernels that between them have every kind of load, store, tail and
/// reduction.
static std::vector<KernelSpec> specsOf(DType dtype) {
  std::vector<KernelSpec> specs;
  KernelSpec spec;
  spec.dtype = dtype;
  spec.edgeValues = EdgeValues::perEdge;
  specs.push_back(spec);
  spec.features = 31;
  spec.accumulate = true;
  specs.push_back(spec);
  spec = {};
  spec.dtype = dtype;
  spec.reduction = Reduction::max;
  spec.transpose = true;
  spec.features = 64;
  specs.push_back(spec);
  spec = {};
  spec.op = OpKind::sddmm;
  spec.dtype = dtype;
  spec.heads = dynamic;
  specs.push_back(spec);
  spec = {};
  spec.op = OpKind::row_softmax;
  spec.dtype = dtype;
  spec.edgeValues = EdgeValues::perEdge;
  specs.push_back(spec);
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    spec = {};
    spec.op = OpKind::attention;
    spec.score = score;
    spec.dtype = dtype;
    spec.scale = 0.25;
    spec.heads = 3;
    spec.lse = true;
    specs.push_back(spec);
  }
  return specs;
}

TEST_P(CpuLevels, MatchReference) {
  CompileOptions options;
  options.cpu = GetParam().cpu;
  std::mt19937_64 engine(31);
  for (const KernelSpec &spec : specsOf(GetParam().dtype)) {
    SCOPED_TRACE(std::string(toString(spec.op)) + " " +
                 std::string(toString(spec.score)) + ", features " +
                 std::to_string(spec.features));
    auto kernel = compileCpu(spec, options);
    if (!kernel && isForeignCpu(kernel.error()))
      GTEST_SKIP() << kernel.error();
    ASSERT_TRUE(kernel) << kernel.error();
    for (const NamedGraph &graph : propertyGraphs(23))
      for (int64_t width : {1, 31, 64}) {
        if (spec.features != dynamic && spec.features != width)
          continue;
        int64_t heads = spec.heads == 0 ? 1 : 3;
        TestCall call(spec, graph.csr, {width, width, heads}, engine);
        if (!call.x.empty())
          call.x[engine() % call.x.size()] = std::nan("");
        SCOPED_TRACE(graph.name + ", width " + std::to_string(width));
        std::vector<double> expected, expectedLse;
        call.evaluate(expected, expectedLse);
        Status status = call.run(**kernel);
        ASSERT_TRUE(status) << status.error();
        TestCall::Bounds bounds = call.bounds(expected, expectedLse);
        EXPECT_LE(relativeError(call.out, expected), bounds.out);
        EXPECT_LE(relativeError(call.lse, expectedLse), bounds.lse);
      }
  }
}

static std::vector<Config> configs() {
  std::vector<Config> configs;
  for (const char *cpu : testCpus)
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
      configs.push_back({cpu, dtype});
  return configs;
}
INSTANTIATE_TEST_SUITE_P(Cpus, CpuLevels, testing::ValuesIn(configs()),
                         [](const testing::TestParamInfo<Config> &info) {
                           return cpuName(info.param.cpu) + "_" +
                                  std::string(toString(info.param.dtype));
                         });

#if defined(__x86_64__)
// Without instructions for f16 there is no call of a library either.
TEST(CpuTarget, ConversionsNeedNoLibrary) {
  for (const char *cpu : testCpus)
    for (DType dtype : {DType::f16, DType::bf16}) {
      CompileOptions options;
      options.cpu = cpu;
      options.keepIr = true;
      KernelSpec spec;
      spec.dtype = dtype;
      auto kernel = compileCpu(spec, options);
      if (!kernel && isForeignCpu(kernel.error()))
        continue;
      ASSERT_TRUE(kernel) << kernel.error();
      // What LLVM turns into a call where there is no instruction for it.
      bool leavesThem =
          (*kernel)->llvmIr().find("fpext <") != std::string::npos ||
          (*kernel)->llvmIr().find("fptrunc <") != std::string::npos;
      EXPECT_EQ(leavesThem, dtype == DType::f16 && options.cpu != "x86-64")
          << cpu << " " << toString(dtype);
    }
}

TEST(CpuTarget, VectorsFollowTheCpu) {
  struct {
    const char *cpu, *features;
    int64_t vec;
  } levels[] = {{"x86-64", "", 4},
                {"x86-64-v3", "", 8},
                {"x86-64-v3", "-avx", 4},
                {"x86-64", "+avx2,+fma", 8},
                {"x86-64-v4", "-prefer-256-bit", 16}};
  for (const auto &level : levels) {
    CompileOptions options;
    options.cpu = level.cpu;
    options.features = level.features;
    auto kernel = compileCpu(KernelSpec(), options);
    if (!kernel && isForeignCpu(kernel.error()))
      continue;
    ASSERT_TRUE(kernel) << kernel.error();
    EXPECT_EQ((*kernel)->selections()[0].schedule.get("vec"), level.vec)
        << level.cpu << " " << level.features;
  }
}

TEST(CpuTarget, CoreKnowsTheWidthToo) {
  int64_t bits = hostVectorBits();
  // Some processors with AVX-512 prefer half of it, by a list of LLVM's.
  if (bits == 256 && machineVectorBits() == 512)
    GTEST_SKIP() << "the compiler prefers 256 bits here";
  EXPECT_EQ(machineVectorBits(), bits);
}

TEST(CpuTarget, CodeThatCannotRunIsRefused) {
  // No x86-64 has all of these.
  CompileOptions options;
  options.features = "+fma4,+xop,+amx-int8,+avx512fp16,+avx10.2";
  auto kernel = compileCpu(KernelSpec(), options);
  ASSERT_FALSE(kernel);
  EXPECT_TRUE(isForeignCpu(kernel.error())) << kernel.error();
}
#endif
