//===- CompileTest.cpp - compiling, running, and what is refused ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include <gtest/gtest.h>

#include <thread>

using namespace autosage;
using namespace autosage::compiler;

extern "C" const char *autosage_c_test_compile_and_invoke(void);
extern "C" const char *autosage_c_test_half(void);
extern "C" const char *autosage_c_test_program(void);
extern "C" const char *autosage_c_test_errors(void);

static std::unique_ptr<CompiledKernel>
compiled(const KernelSpec &spec, const CompileOptions &options = {}) {
  auto kernel = compileCpu(spec, options);
  EXPECT_TRUE(kernel) << kernel.error();
  return kernel ? std::move(*kernel) : nullptr;
}

/// 2 x 3: row 0 holds columns 0 and 2, row 1 column 1.
static const Csr graph{2, 3, std::vector<int32_t>{0, 2, 3},
                       std::vector<int32_t>{0, 2, 1}};

namespace {
/// spmm of the graph above by x = 1 ... 6, with every way to spoil the call.
struct Spmm {
  float x[6] = {1, 2, 3, 4, 5, 6};
  float y[4] = {-1, -1, -1, -1};
  Operands ops;

  Spmm() {
    ops.a = graph.view();
    ops.x = {x, 3, 1, 2, 0};
    ops.out = {y, 2, 1, 2, 0};
  }
  std::string errorOf(const CompiledKernel &kernel) const {
    Status status = kernel.run(ops);
    return status ? "" : status.error();
  }
};
} // namespace

static KernelSpec spmmSpec(int64_t features = 2) {
  KernelSpec spec;
  spec.features = features;
  return spec;
}

TEST(Compile, RunsASpec) {
  auto kernel = compiled(spmmSpec());
  ASSERT_TRUE(kernel);
  Spmm call;
  EXPECT_EQ(call.errorOf(*kernel), "");
  EXPECT_EQ(std::vector<float>(call.y, call.y + 4),
            (std::vector<float>{6, 8, 3, 4}));
  EXPECT_GT(kernel->compileMs(), 0);
}

TEST(Compile, SelectionIsReadBack) {
  auto kernel = compiled(spmmSpec());
  ASSERT_TRUE(kernel);
  ASSERT_EQ(kernel->selections().size(), 1u);
  EXPECT_EQ(kernel->selections()[0].schedule.family, "row_parallel");
  EXPECT_EQ(kernel->selections()[0].decidedBy, DecidedBy::estimate);
  EXPECT_NE(kernel->selections()[0].reason, "");

  KernelSpec spec = spmmSpec();
  spec.schedule = Schedule{"row_parallel", {{"vec", int64_t(4)}}};
  kernel = compiled(spec);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->selections()[0].schedule, *spec.schedule);
  EXPECT_EQ(kernel->selections()[0].decidedBy, DecidedBy::user);
}

TEST(Compile, StatisticsReachTheSelectPass) {
  KernelSpec spec = spmmSpec();
  spec.stats = computeStats(graph.view());
  CompileOptions options;
  options.keepIr = true;
  auto kernel = compiled(spec, options);
  ASSERT_TRUE(kernel);
  EXPECT_NE(kernel->selections()[0].reason.find("statistics = known"),
            std::string::npos)
      << kernel->selections()[0].reason;
  EXPECT_NE(kernel->mlir().find("autosage.spmm sum"), std::string::npos);
  EXPECT_NE(kernel->mlir().find("decision<estimate"), std::string::npos);
  EXPECT_NE(kernel->llvmIr().find("define void @_mlir_ciface_main"),
            std::string::npos);
}

TEST(Compile, IrIsNotKeptUnasked) {
  auto kernel = compiled(spmmSpec());
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->mlir(), "");
  EXPECT_EQ(kernel->llvmIr(), "");
}

TEST(Compile, LesserCpusRunTheSameKernel) {
#if defined(__x86_64__)
  CompileOptions options;
  options.cpu = "x86-64";
  options.vectorBits = 128;
  options.keepIr = true;
  auto kernel = compiled(spmmSpec(), options);
  ASSERT_TRUE(kernel);
  Spmm call;
  EXPECT_EQ(call.errorOf(*kernel), "");
  EXPECT_EQ(call.y[1], 8);
  options.cpu = "z80";
  auto failed = compileCpu(spmmSpec(), options);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error(), "expects a CPU that LLVM knows, got 'z80'");
  options.cpu = "x86-64";
  for (const char *features : {"avx2", "+sse9", "+avx2,,-fma"}) {
    options.features = features;
    failed = compileCpu(spmmSpec(), options);
    ASSERT_FALSE(failed) << features;
    EXPECT_EQ(failed.error().find("expects CPU features as +name or -name that "
                                  "LLVM knows, got '"),
              0u)
        << failed.error();
  }
#else
  GTEST_SKIP() << "names x86-64 CPUs";
#endif
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(CompileText, PassesRunFirst) {
  KernelSpec spec;
  spec.op = OpKind::attention;
  CompileOptions options;
  options.keepIr = true;
  options.passes = "autosage-decompose-attention";
  auto kernel = compileCpu(spec, options);
  ASSERT_TRUE(kernel) << kernel.error();
  EXPECT_NE((*kernel)->mlir().find("autosage.row_softmax"), std::string::npos);
  options.passes = "autosage-no-such-pass";
  kernel = compileCpu(spec, options);
  ASSERT_FALSE(kernel);
  EXPECT_NE(kernel.error().find("passes: "), std::string::npos);
  EXPECT_NE(kernel.error().find("autosage-no-such-pass"), std::string::npos);
}

TEST(CompileText, ParseErrorsHaveALocation) {
  auto kernel = compileCpu("func.func @main() {\n  oops\n}\n", "k.mlir");
  ASSERT_FALSE(kernel);
  EXPECT_NE(kernel.error().find("k.mlir"), std::string::npos) << kernel.error();
  EXPECT_NE(kernel.error().find(":2:3"), std::string::npos) << kernel.error();
  EXPECT_EQ(kernel.error().find('\n'), std::string::npos) << kernel.error();
}

TEST(CompileText, VerifierErrorsHaveALocation) {
  std::string text = buildModule(spmmSpec());
  text.replace(text.find("tensor<?x2xf32>"), 15, "tensor<?x3xf32>");
  auto kernel = compileCpu(text, "k.mlir");
  ASSERT_FALSE(kernel);
  EXPECT_NE(kernel.error().find("k.mlir"), std::string::npos) << kernel.error();
}

TEST(CompileText, MainIsNeeded) {
  auto kernel = compileCpu("func.func @other() { return }", "k.mlir");
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error(),
            "expects a function main with llvm.emit_c_interface");
}

TEST(CompileText, RunNeedsASpec) {
  auto kernel = compileCpu(buildModule(spmmSpec()), "k.mlir");
  ASSERT_TRUE(kernel) << kernel.error();
  Spmm call;
  EXPECT_EQ(call.errorOf(**kernel),
            "expects a kernel compiled from a spec, got one from text");
}

//===----------------------------------------------------------------------===//
// What run refuses
//===----------------------------------------------------------------------===//

class RunRefuses : public testing::Test {
protected:
  static void SetUpTestSuite() { kernel = compiled(spmmSpec()).release(); }
  static void TearDownTestSuite() {
    delete kernel;
    kernel = nullptr;
  }
  static CompiledKernel *kernel;
  Spmm call;
};
CompiledKernel *RunRefuses::kernel = nullptr;

TEST_F(RunRefuses, WrongRows) {
  call.ops.x.rows = 4;
  EXPECT_EQ(call.errorOf(*kernel), "expects x to have 3 rows, got 4");
}
TEST_F(RunRefuses, WrongColumns) {
  call.ops.out.width = 3;
  EXPECT_EQ(call.errorOf(*kernel), "expects out to have 2 columns, got 3");
}
TEST_F(RunRefuses, WrongHeads) {
  call.ops.x.heads = 2;
  EXPECT_EQ(call.errorOf(*kernel), "expects x to have 1 heads, got 2");
}
TEST_F(RunRefuses, NullOperand) {
  call.ops.x.data = nullptr;
  EXPECT_EQ(call.errorOf(*kernel),
            "expects x to hold 6 elements, got a null pointer");
}
TEST_F(RunRefuses, LeadingDimension) {
  call.ops.x.leadingDimension = 4;
  EXPECT_EQ(call.errorOf(*kernel),
            "expects x to be contiguous, of leading dimension 2, got 4");
}
TEST_F(RunRefuses, WrongIndexType) {
  Csr wide = graph.convertedTo(IndexType::i64, IndexType::i32).value();
  call.ops.a = wide.view();
  EXPECT_EQ(call.errorOf(*kernel), "expects rowptr of i32, got i64");
}
TEST_F(RunRefuses, Overlap) {
  call.ops.out.data = call.x + 2;
  EXPECT_EQ(call.errorOf(*kernel),
            "expects out and x to be apart, got overlapping memory");
}

TEST(Run, RowSoftmaxInPlace) {
  KernelSpec spec;
  spec.op = OpKind::row_softmax;
  spec.edgeValues = EdgeValues::perEdge;
  auto kernel = compiled(spec);
  ASSERT_TRUE(kernel);
  float s[3] = {1, 1, 5};
  Operands ops;
  ops.a = graph.view();
  ops.edgeValues = {s, 3, 1, 1, 0};
  ops.out = {s, 3, 1, 1, 0};
  Status status = kernel->run(ops);
  ASSERT_TRUE(status) << status.error();
  EXPECT_EQ(std::vector<float>(s, s + 3), (std::vector<float>{0.5, 0.5, 1}));
  float shifted[4] = {1, 1, 5, 0};
  ops.edgeValues.data = shifted;
  ops.out.data = shifted + 1;
  status = kernel->run(ops);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error(),
            "expects out and w to be apart, got overlapping memory");
}

//===----------------------------------------------------------------------===//
// Strides, threads, C
//===----------------------------------------------------------------------===//

TEST(Run, LeadingDimensions) {
  KernelSpec spec = spmmSpec();
  spec.strided = true;
  auto kernel = compiled(spec);
  ASSERT_TRUE(kernel);
  float x[15], y[14];
  std::fill(x, x + 15, 1e30f); // padding must not be read ...
  std::fill(y, y + 14, -1.0f); // ... nor written
  for (int i = 0; i < 6; ++i)
    x[i / 2 * 5 + i % 2] = static_cast<float>(i + 1);
  Operands ops;
  ops.a = graph.view();
  ops.x = {x, 3, 1, 2, 5};
  ops.out = {y, 2, 1, 2, 7};
  Status status = kernel->run(ops);
  ASSERT_TRUE(status) << status.error();
  std::vector<float> expected(14, -1.0f);
  expected[0] = 6, expected[1] = 8, expected[7] = 3, expected[8] = 4;
  EXPECT_EQ(std::vector<float>(y, y + 14), expected);
}

TEST(Compile, ManyThreadsAndKernelsAtOnce) {
  std::vector<std::unique_ptr<CompiledKernel>> kernels(6);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2; ++i)
        if (auto kernel = compileCpu(spmmSpec()))
          kernels[2 * t + i] = std::move(*kernel);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (auto &kernel : kernels) {
    ASSERT_TRUE(kernel);
    Spmm call;
    EXPECT_EQ(call.errorOf(*kernel), "");
    EXPECT_EQ(call.y[0], 6);
  }
}

TEST(CompilerC, CompileAndInvoke) {
  const char *failure = autosage_c_test_compile_and_invoke();
  EXPECT_FALSE(failure) << failure;
}

TEST(CompilerC, HalfPrecision) {
  const char *failure = autosage_c_test_half();
  EXPECT_FALSE(failure) << failure;
}

TEST(CompilerC, CompilesAndRunsPrograms) {
  const char *failure = autosage_c_test_program();
  EXPECT_EQ(failure, nullptr) << failure;
}

TEST(CompilerC, Errors) {
  const char *failure = autosage_c_test_errors();
  EXPECT_FALSE(failure) << failure;
}
