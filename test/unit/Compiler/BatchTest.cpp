//===- BatchTest.cpp - several kernels in one module ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PropertyConfigs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

namespace {

KernelSpec spmmSpec(const char *schedule, DType dtype = DType::f32) {
  KernelSpec spec;
  spec.features = 64;
  spec.dtype = dtype;
  spec.edgeValues = EdgeValues::perEdge;
  auto parsed = parseSchedule(schedule);
  EXPECT_TRUE(parsed) << parsed.error();
  spec.schedule = *parsed;
  return spec;
}

const char *const gpuSchedules[] = {
    "row_group",
    "row_group, lanes = 8, unroll = 2",
    "row_tasks, chunk = 32",
    "row_tasks, chunk = 40, min_blocks = 8, order = length, tile = 32",
    "row_tasks, chunk = 32, order = locality, unroll = 8",
    "row_tasks, chunk = 48, unroll = 2, vec = 1"};

std::vector<KernelSpec> gpuCandidates() {
  std::vector<KernelSpec> specs;
  for (const char *schedule : gpuSchedules)
    specs.push_back(spmmSpec(schedule));
  return specs;
}

/// Rows longer than every chunk.
std::vector<NamedGraph> graphs() {
  std::mt19937_64 engine(17);
  return {{"long rows", randomCsr({3, 400, 0, 129, 31, 1}, 40, engine)}};
}

void expectAllMatch(const std::vector<KernelSpec> &specs,
                    const CompiledBatch &batch) {
  ASSERT_EQ(batch.size(), specs.size());
  for (size_t i = 0; i < specs.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_TRUE(batch[i]) << batch[i].error();
    const CompiledKernel &kernel = **batch[i];
    // Each has what the select pass found in its own function.
    ASSERT_EQ(kernel.selections().size(), 1u);
    EXPECT_EQ(kernel.selections()[0].schedule, *specs[i].schedule);
    expectMatchesReference({specs[i], {{64, 64, 1}}}, kernel, graphs());
  }
}

size_t occurrences(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

} // namespace

TEST(Batch, GpuCandidatesMatchTheReference) {
  std::vector<KernelSpec> specs = gpuCandidates();
  expectAllMatch(specs, compileSimtBatch(specs));
}

TEST(Batch, CpuCandidatesMatchTheReference) {
  std::vector<KernelSpec> specs = {spmmSpec("row_parallel"),
                                   spmmSpec("row_parallel, vec = 4, tile = 8"),
                                   spmmSpec("nnz_parallel")};
  expectAllMatch(specs, compileCpuBatch(specs));
}

TEST(Batch, ElementTypesAndOpsMayDiffer) {
  std::vector<KernelSpec> specs = {
      spmmSpec("row_tasks, chunk = 32"),
      spmmSpec("row_tasks, chunk = 32", DType::f16),
      spmmSpec("row_group", DType::f64)};
  specs[2].op = OpKind::sddmm;
  specs[2].aligned = true;
  expectAllMatch(specs, compileSimtBatch(specs));
}

/// The promise leaves one version of each kernel, which is as right.
TEST(Aligned, OneVersionMatchesTheReference) {
  CompileOptions options;
  options.keepIr = true;
  KernelSpec any = spmmSpec("row_group");
  KernelSpec aligned = any;
  aligned.aligned = true;
  auto two = compileNvptx(any, options), one = compileNvptx(aligned, options);
  ASSERT_TRUE(two) << two.error();
  ASSERT_TRUE(one) << one.error();
  // The names of the kernels and of their object.
  EXPECT_EQ(occurrences((*two)->llvmIr(), "_name = internal"), 3u);
  EXPECT_EQ(occurrences((*one)->llvmIr(), "_name = internal"), 2u);

  std::vector<KernelSpec> specs = gpuCandidates();
  for (KernelSpec &spec : specs)
    spec.aligned = true;
  expectAllMatch(specs, compileSimtBatch(specs));
}

TEST(Aligned, RunRefusesOtherAddresses) {
  KernelSpec spec = spmmSpec("row_parallel");
  spec.aligned = true;
  auto kernel = compileCpu(spec);
  ASSERT_TRUE(kernel) << kernel.error();
  int32_t rowptr[] = {0, 1}, colind[] = {0};
  alignas(16) float x[64 + 4] = {}, y[64] = {};
  float w[] = {2};
  for (float &value : x)
    value = 3;
  Operands operands;
  operands.a.rows = operands.a.cols = 1;
  operands.a.rowptr = {rowptr, 2, IndexType::i32};
  operands.a.colind = {colind, 1, IndexType::i32};
  operands.edgeValues = {w, 1, 1, 1, 0};
  operands.out = {y, 1, 1, 64, 0};
  operands.x = {x + 1, 1, 1, 64, 0};
  Status status = (*kernel)->run(operands);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error(), "expects x to begin at a multiple of 16 bytes, got "
                            "4 more");
  operands.x.data = x + 4;
  status = (*kernel)->run(operands);
  ASSERT_TRUE(status) << status.error();
  for (float value : y)
    EXPECT_EQ(value, 6);
}

TEST(Batch, OfNothingIsNothing) { EXPECT_TRUE(compileCpuBatch({}).empty()); }

/// The kernels of all candidates are one object, one after another in it.
TEST(Batch, IsOneObjectForTheGpu) {
  CompileOptions options;
  options.keepIr = true;
  auto batch = compileNvptxBatch(gpuCandidates(), options);
  ASSERT_TRUE(batch) << batch.error();
  ASSERT_EQ(batch->size(), std::size(gpuSchedules));
  for (auto &kernel : *batch) {
    ASSERT_TRUE(kernel) << kernel.error();
    // Its definition; everything else refers to it.
    EXPECT_EQ(occurrences((*kernel)->llvmIr(), "@autosage_kernels_object ="),
              1u);
    EXPECT_EQ(occurrences((*kernel)->llvmIr(), "_object ="), 1u);
    EXPECT_EQ(occurrences((*kernel)->mlir(), "autosage.spmm"), 1u);
  }
}

/// What one verifier refuses, and what only the IR's verifier finds, which
/// fails the module of all.
TEST(Batch, FailuresAreOfTheirCandidate) {
  std::vector<KernelSpec> specs = gpuCandidates();
  specs[1].schedule->knobs["unroll"] = int64_t(3);
  InputStats impossible;
  impossible.rows = -5;
  specs[4].stats = impossible;
  auto batch = compileNvptxBatch(specs);
  ASSERT_TRUE(batch) << batch.error();
  for (size_t i = 0; i < specs.size(); ++i)
    EXPECT_EQ(static_cast<bool>((*batch)[i]), i != 1 && i != 4) << i;
  EXPECT_EQ((*batch)[1].error(),
            "candidate 1 (spmm, row_group, lanes = 8, unroll = 3): expects "
            "unroll to be a power of two in [1, 16], got 3");
  std::string error = (*batch)[4].error();
  EXPECT_EQ(error.find("candidate 4 (spmm, row_tasks, chunk = 32, order = "
                       "locality, unroll = 8): kernels:"),
            0u)
      << error;
  EXPECT_NE(error.find("-5"), std::string::npos) << error;
}

TEST(Batch, UnknownChipFailsAsAWhole) {
  NvptxOptions nvptx;
  nvptx.chip = "sm_1";
  auto batch = compileNvptxBatch(gpuCandidates(), {}, nvptx);
  ASSERT_FALSE(batch);
  EXPECT_NE(batch.error().find("sm_1"), std::string::npos) << batch.error();
}

TEST(Batch, CodeLivesAsLongAsOneKernel) {
  std::vector<KernelSpec> specs = gpuCandidates();
  CompiledBatch batch = compileSimtBatch(specs);
  ASSERT_TRUE(batch[3]) << batch[3].error();
  std::unique_ptr<CompiledKernel> kept = std::move(*batch[3]);
  batch.clear();
  expectMatchesReference({specs[3], {{64, 64, 1}}}, *kept, graphs());
}

/// Times of a kernel are a part of the whole.
TEST(Batch, PartsAddUpToTheTotal) {
  auto batch = compileNvptxBatch(gpuCandidates());
  ASSERT_TRUE(batch) << batch.error();
  ASSERT_TRUE((*batch)[0]) << (*batch)[0].error();
  const CompileTimes &times = (*(*batch)[0])->times();
  EXPECT_GT(times.passes, 0);
  EXPECT_GT(times.ptx, 0);
  EXPECT_GT(times.host, 0);
  EXPECT_EQ(times.assemble > 0, !assemblerName().empty());
  EXPECT_NEAR(times.passes + times.ptx + times.assemble + times.host,
              times.total, 1e-6);
  EXPECT_EQ((*(*batch)[0])->compileMs(), times.total);
}

/// The least of several tries each, as other processes only add.
TEST(Batch, CostsLessAKernelThanOneByOne) {
  std::vector<KernelSpec> specs = gpuCandidates();
  double apart = INFINITY, together = INFINITY;
  for (int attempt = 0; attempt < 3; ++attempt) {
    double sum = 0;
    for (const KernelSpec &spec : specs) {
      auto kernel = compileNvptx(spec);
      ASSERT_TRUE(kernel) << kernel.error();
      sum += (*kernel)->compileMs();
    }
    apart = std::min(apart, sum / static_cast<double>(specs.size()));
    auto batch = compileNvptxBatch(specs);
    ASSERT_TRUE(batch) << batch.error();
    ASSERT_TRUE((*batch)[0]) << (*batch)[0].error();
    together = std::min(together, (*(*batch)[0])->compileMs());
  }
  EXPECT_LT(together, apart);
}
