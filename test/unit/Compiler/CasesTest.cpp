//===- CasesTest.cpp - handed cases through compiled kernels --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cases that need a compiled kernel run several times, at odd addresses, or at
// sizes that literal IR does not reach. Names carry the case's id.
//
//===----------------------------------------------------------------------===//

#include "../Core/GeneratedPattern.h"
#include "RandomGraph.h"
#include "TestKernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

static std::unique_ptr<CompiledKernel> compiled(const KernelSpec &spec,
                                                Target target = Target::cpu) {
  auto kernel = target == Target::cpu ? compileCpu(spec) : compileSimt(spec);
  EXPECT_TRUE(kernel) << kernel.error();
  return kernel ? std::move(*kernel) : nullptr;
}

/// Schedules that cut rows or not, of one lane and of many.
struct Forced {
  Target target;
  const char *schedule;
};
static const Forced everySchedule[] = {
    {Target::cpu, "row_parallel"},
    {Target::cpu, "row_parallel, vec = 1, tile = 1"},
    {Target::cpu, "row_parallel, vec = 64, tile = 64"},
    {Target::cpu, "nnz_parallel, parts = 1"},
    {Target::cpu, "nnz_parallel, parts = 7"},
    {Target::simt, "row_group"},
    {Target::simt, "row_group, lanes = 2, vec = 1, tile = 8"},
    {Target::simt, "row_tasks, chunk = 32"},
    {Target::simt, "row_tasks, chunk = 100, order = length, unroll = 16"}};

/// One of each target's families.
static const Forced everyFamily[] = {{Target::cpu, "row_parallel"},
                                     {Target::cpu, "nnz_parallel"},
                                     {Target::simt, "row_group"},
                                     {Target::simt, "row_tasks, chunk = 32"}};

/// A spec of each op, with edge values where they are optional.
static std::vector<KernelSpec> everyOp(DType dtype) {
  std::vector<KernelSpec> specs;
  for (OpKind op :
       {OpKind::spmm, OpKind::sddmm, OpKind::row_softmax, OpKind::attention}) {
    KernelSpec spec;
    spec.op = op;
    spec.dtype = dtype;
    if (op != OpKind::attention)
      spec.edgeValues = EdgeValues::perEdge;
    specs.push_back(spec);
  }
  return specs;
}

static Csr withTypes(const Csr &csr, IndexType rowptr, IndexType colind) {
  auto converted = csr.convertedTo(rowptr, colind);
  EXPECT_TRUE(converted) << converted.error();
  return *converted;
}

// 50 runs of every op give the same bits, and so does a kernel compiled anew.
// On the emulator, whose order of threads is fixed, two of a smaller graph tell
// what is left: that nothing depends on addresses or on what memory held.
TEST(Cases, N22_RunsAreBitIdentical) {
  auto graph = [](int64_t n) {
    const int64_t degree = 250;
    std::vector<int32_t> rowptr, colind;
    for (int64_t i = 0; i <= n; ++i)
      rowptr.push_back(static_cast<int32_t>(i * degree));
    for (int64_t i = 0; i < n; ++i)
      for (int64_t e = 0; e < degree; ++e)
        colind.push_back(static_cast<int32_t>((i * 17 + e * 4) % n));
    return Csr{n, n, rowptr, colind};
  };
  const Csr large = graph(1000), small = graph(40);
  for (auto [target, schedule] : everyFamily)
    for (KernelSpec spec : everyOp(DType::f32)) {
      SCOPED_TRACE(std::string(toString(spec.op)) + " " + schedule);
      spec.schedule = *parseSchedule(schedule);
      std::mt19937_64 engine(22);
      TestCall call(spec, target == Target::cpu ? large : small, {32, 32, 1},
                    engine);
      auto kernel = compiled(spec, target);
      ASSERT_TRUE(kernel);
      ASSERT_TRUE(call.run(*kernel));
      std::vector<double> first = call.out;
      auto equalBits = [&] {
        return std::memcmp(first.data(), call.out.data(),
                           first.size() * sizeof(double)) == 0;
      };
      for (int run = 1; run < (target == Target::cpu ? 50 : 2); ++run) {
        ASSERT_TRUE(call.run(*kernel));
        ASSERT_TRUE(equalBits()) << "run " << run;
      }
      auto again = compiled(spec, target);
      ASSERT_TRUE(again);
      ASSERT_TRUE(call.run(*again));
      EXPECT_TRUE(equalBits()) << "compiled anew";
    }
}

struct Sums {
  double sum = 0, weighted = 0;

  explicit Sums(const std::vector<double> &values) {
    for (size_t i = 0; i < values.size(); ++i) {
      sum += values[i];
      weighted += values[i] * static_cast<double>(1 + i % 7);
    }
  }
};

// Odd feature widths are exact, known when compiling or not.
TEST(Cases, N13_FeatureWidths) {
  struct {
    int64_t features;
    double sum, weighted, last;
  } expected[] = {{1, -12, 28, 13}, {3, 36, -52, -13}, {257, -41, -674, 0}};
  for (DType dtype : {DType::f32, DType::f64, DType::f16})
    for (auto &want : expected)
      for (bool isStatic : {false, true})
        for (auto [target, schedule] : everyFamily) {
          SCOPED_TRACE(std::to_string(want.features) + " " + schedule);
          std::vector<double> w;
          Csr csr = generatedPattern(w);
          KernelSpec spec;
          spec.dtype = dtype;
          spec.edgeValues = EdgeValues::perEdge;
          spec.schedule = *parseSchedule(schedule);
          spec.features = isStatic ? want.features : dynamic;
          std::mt19937_64 engine(13);
          TestCall call(spec, csr, {want.features, want.features, 1}, engine);
          call.w = w;
          for (int64_t k = 0; k < 29; ++k)
            for (int64_t f = 0; f < want.features; ++f)
              call.x[static_cast<size_t>(k * want.features + f)] =
                  static_cast<double>((31 * k + 17 * f) % 13 - 6);
          auto kernel = compiled(spec, target);
          ASSERT_TRUE(kernel);
          ASSERT_TRUE(call.run(*kernel));
          Sums sums(call.out);
          EXPECT_EQ(sums.sum, want.sum);
          EXPECT_EQ(sums.weighted, want.weighted);
          EXPECT_EQ(call.out.back(), want.last);
        }
}

// So are inner widths of sampled products.
TEST(Cases, N15_InnerWidths) {
  struct {
    int64_t width;
    double sum, weighted, first, last;
  } expected[] = {
      {1, -77, -268, 2, -4}, {31, -71, -293, 9, -4}, {257, -23, -143, -5, -4}};
  for (DType dtype : {DType::f32, DType::f64})
    for (auto &want : expected)
      for (bool isStatic : {false, true})
        for (auto [target, schedule] : everyFamily) {
          SCOPED_TRACE(std::to_string(want.width) + " " + schedule);
          std::vector<double> w;
          Csr csr = generatedPattern(w);
          KernelSpec spec;
          spec.op = OpKind::sddmm;
          spec.dtype = dtype;
          spec.schedule = *parseSchedule(schedule);
          spec.features = isStatic ? want.width : dynamic;
          std::mt19937_64 engine(15);
          TestCall call(spec, csr, {want.width, want.width, 1}, engine);
          for (int64_t d = 0; d < want.width; ++d) {
            for (int64_t i = 0; i < 37; ++i)
              call.q[static_cast<size_t>(i * want.width + d)] =
                  static_cast<double>((5 * i + 3 * d) % 7 - 3);
            for (int64_t j = 0; j < 29; ++j)
              call.k[static_cast<size_t>(j * want.width + d)] =
                  static_cast<double>((11 * j + d) % 5 - 2);
          }
          auto kernel = compiled(spec, target);
          ASSERT_TRUE(kernel);
          ASSERT_TRUE(call.run(*kernel));
          Sums sums(call.out);
          EXPECT_EQ(sums.sum, want.sum);
          EXPECT_EQ(sums.weighted, want.weighted);
          EXPECT_EQ(call.out.front(), want.first);
          EXPECT_EQ(call.out.back(), want.last);
        }
}

// More than 1,048,560 dense columns.
TEST(Cases, X01_MoreThanAMillionFeatures) {
  const int64_t features = 1048577;
  for (DType dtype : {DType::f32, DType::f64})
    for (Target target : {Target::cpu, Target::simt}) {
      KernelSpec spec;
      spec.dtype = dtype;
      spec.edgeValues = EdgeValues::perEdge;
      std::mt19937_64 engine(1);
      TestCall call(spec,
                    Csr{3, 3, std::vector<int32_t>{0, 1, 2, 3},
                        std::vector<int32_t>{0, 1, 2}},
                    {features, features, 1}, engine);
      call.w = {1, 2, 3};
      for (int64_t k = 0; k < 3; ++k)
        for (int64_t f = 0; f < features; ++f)
          call.x[k * features + f] = static_cast<double>(f % 5 + k);
      auto kernel = compiled(spec, target);
      ASSERT_TRUE(kernel);
      ASSERT_TRUE(call.run(*kernel));
      double sum = 0;
      for (double y : call.out)
        sum += y;
      EXPECT_EQ(sum, 20971522.0);
      const double last[] = {1, 4, 9}, past[] = {0, 2, 6};
      for (int64_t row = 0; row < 3; ++row) {
        EXPECT_EQ(call.out[row * features + features - 1], last[row]);
        EXPECT_EQ(call.out[row * features + 1048560], past[row]);
      }
    }
}

// Each index array has a width of its own; all combinations give the same bits
// for every op.
TEST(Cases, X07_MixedIndexWidths) {
  Csr csr{3, 3, std::vector<int32_t>{0, 2, 2, 3},
          std::vector<int32_t>{0, 2, 1}};
  std::vector<KernelSpec> specs;
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
    for (const KernelSpec &spec : everyOp(dtype))
      specs.push_back(spec);
  for (Target target : {Target::cpu, Target::simt})
    for (KernelSpec spec : specs) {
      // The emulator's kernels differ in loads alone from type to type.
      if (target == Target::simt && spec.dtype != DType::f32)
        continue;
      SCOPED_TRACE(std::string(toString(spec.op)) + " " +
                   std::string(toString(spec.dtype)));
      // It makes the most of positions.
      if (target == Target::simt)
        spec.schedule = *parseSchedule("row_tasks, chunk = 32");
      std::vector<double> first;
      for (IndexType rowptr : {IndexType::i32, IndexType::i64})
        for (IndexType colind : {IndexType::i32, IndexType::i64}) {
          spec.rowptrType = rowptr;
          spec.colindType = colind;
          std::mt19937_64 engine(7);
          TestCall call(spec, withTypes(csr, rowptr, colind), {1, 1, 1},
                        engine);
          if (spec.op == OpKind::spmm)
            call.w = {1, 2, 3};
          if (spec.op == OpKind::sddmm)
            call.w = {1, 1, 1};
          for (auto *dense : {&call.x, &call.q, &call.k})
            if (!dense->empty())
              *dense = {1, 10, 100};
          auto kernel = compiled(spec, target);
          ASSERT_TRUE(kernel);
          ASSERT_TRUE(call.run(*kernel));
          if (spec.op == OpKind::spmm)
            EXPECT_EQ(call.out, (std::vector<double>{201, 0, 30}));
          if (spec.op == OpKind::sddmm && spec.dtype != DType::bf16)
            EXPECT_EQ(call.out, (std::vector<double>{1, 100, 1000}));
          if (first.empty())
            first = call.out;
          EXPECT_EQ(call.out, first);
        }
    }
}

// A long run of empty rows before the only entries, for every op.
TEST(Cases, X17_ManyLeadingEmptyRows) {
  const int64_t rows = 100001;
  std::vector<int32_t> rowptr(static_cast<size_t>(rows + 1), 0);
  rowptr.back() = 2;
  Csr csr{rows, 2, rowptr, std::vector<int32_t>{1, 0}};
  for (Target target : {Target::cpu, Target::simt})
    for (KernelSpec spec : everyOp(DType::f32)) {
      SCOPED_TRACE(std::string(toString(spec.op)));
      // Families take turns: 100,001 rows are many for the emulator.
      bool cuts = spec.op == OpKind::spmm || spec.op == OpKind::attention;
      if (target == Target::simt)
        spec.schedule = *parseSchedule(cuts ? "row_tasks" : "row_group");
      std::mt19937_64 engine(17);
      TestCall call(spec, csr, {3, 3, 1}, engine);
      if (spec.op == OpKind::spmm) {
        call.w = {2, 5};
        call.x = {1, 2, 3, 10, 20, 30};
      }
      auto kernel = compiled(spec, target);
      ASSERT_TRUE(kernel);
      ASSERT_TRUE(call.run(*kernel));
      std::vector<double> expected, expectedLse;
      call.evaluate(expected, expectedLse);
      EXPECT_LE(relativeError(call.out, expected),
                call.bounds(expected, expectedLse).out);
      if (spec.op == OpKind::spmm) {
        EXPECT_EQ(std::vector<double>(call.out.end() - 3, call.out.end()),
                  (std::vector<double>{25, 50, 75}));
        for (size_t i = 0; i + 3 < call.out.size(); ++i)
          ASSERT_EQ(call.out[i], 0.0) << i;
      }
    }
}

// Absent values are exactly 1: the same bits as explicit ones, forwards and
// transposed.
TEST(Cases, A21_AbsentValuesAreOnes) {
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
    for (Target target : {Target::cpu, Target::simt})
      for (bool transpose : {false, true}) {
        std::mt19937_64 degrees(21);
        Csr csr = withTypes(randomCsr({5, 0, 17, 1, 64, 3}, 9, degrees),
                            IndexType::i32, IndexType::i32);
        auto run = [&](EdgeValues values) {
          KernelSpec spec;
          spec.dtype = dtype;
          spec.transpose = transpose;
          spec.edgeValues = values;
          std::mt19937_64 engine(3);
          TestCall call(spec, csr, {37, 37, 1}, engine);
          int64_t sources = transpose ? csr.rows : csr.cols;
          for (int64_t i = 0; i < sources * 37; ++i)
            call.x[static_cast<size_t>(i)] =
                static_cast<double>(i % 17) / 16 - 0.5; // exact in every type
          std::fill(call.w.begin(), call.w.end(), 1.0);
          auto kernel = compiled(spec, target);
          EXPECT_TRUE(kernel && call.run(*kernel));
          return call.out;
        };
        EXPECT_EQ(run(EdgeValues::none), run(EdgeValues::perEdge));
      }
}

// Operands that start one element past an aligned address.
TEST(Cases, A02_ElementAlignedOperands) {
  KernelSpec spec;
  spec.edgeValues = EdgeValues::perEdge;
  spec.features = 4;
  alignas(64) float x[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  alignas(64) float w[4] = {0, 1, 2, 3};
  alignas(64) int32_t rowptr[4] = {-1, 0, 2, 3};
  alignas(64) int32_t colind[4] = {-1, 0, 1, 1};
  alignas(64) float y[10];
  std::fill(std::begin(y), std::end(y), std::nanf(""));
  Operands operands;
  operands.a = {
      2, 2, {rowptr + 1, 3, IndexType::i32}, {colind + 1, 3, IndexType::i32}};
  operands.edgeValues = {w + 1, 3, 1, 1, 0};
  operands.x = {x + 1, 2, 1, 4, 0};
  operands.out = {y + 1, 2, 1, 4, 0};
  auto kernel = compiled(spec);
  ASSERT_TRUE(kernel);
  Status status = kernel->run(operands);
  ASSERT_TRUE(status) << status.error();
  const float expected[] = {11, 14, 17, 20, 15, 18, 21, 24};
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(y[i + 1], expected[i]) << i;
  EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[9])) << "written outside out";
}

// The output may not be an input: the error names both (A05).
TEST(Cases, A05_OutputOverlapsInput) {
  KernelSpec spec;
  spec.features = 2;
  float x[] = {1, 2, 3, 4, 5, 6};
  int32_t rowptr[] = {0, 1, 2, 3}, colind[] = {1, 2, 0};
  Operands operands;
  operands.a = {3, 3, {rowptr, 4, IndexType::i32}, {colind, 3, IndexType::i32}};
  operands.x = {x, 3, 1, 2, 0};
  operands.out = {x, 3, 1, 2, 0};
  auto kernel = compiled(spec);
  ASSERT_TRUE(kernel);
  Status status = kernel->run(operands);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().find("out"), std::string::npos) << status.error();
  EXPECT_NE(status.error().find("x"), std::string::npos) << status.error();
  EXPECT_EQ(x[0], 1) << "nothing is written";
}

// What the output held before never shows: every byte 0xCD, then all NaN (N01).
TEST(Cases, N01_OutputIsFullyWritten) {
  float x[] = {1, 2, 3, 4, 5, 6}, w[] = {1, 2, 3};
  int32_t rowptr[] = {0, 2, 2, 3, 3}, colind[] = {0, 2, 1};
  const float expected[] = {11, 14, 0, 0, 9, 12, 0, 0};
  KernelSpec spec;
  spec.features = 2;
  spec.edgeValues = EdgeValues::perEdge;
  for (auto [target, schedule] : everyFamily) {
    SCOPED_TRACE(schedule);
    spec.schedule = *parseSchedule(schedule);
    auto kernel = compiled(spec, target);
    ASSERT_TRUE(kernel);
    for (int fill : {0xCD, 0xFF}) {
      float y[8];
      std::memset(y, fill, sizeof y);
      Operands operands;
      operands.a = {
          4, 3, {rowptr, 5, IndexType::i32}, {colind, 3, IndexType::i32}};
      operands.edgeValues = {w, 3, 1, 1, 0};
      operands.x = {x, 3, 1, 2, 0};
      operands.out = {y, 4, 1, 2, 0};
      ASSERT_TRUE(kernel->run(operands));
      for (int i = 0; i < 8; ++i)
        EXPECT_EQ(y[i], expected[i]) << i;
    }
  }
}

/// Sums of ones, `counts` of them a row, all in column 0.
static std::vector<double> sumsOfOnes(const KernelSpec &spec, Target target,
                                      std::vector<int64_t> counts) {
  std::vector<int32_t> rowptr = {0};
  for (int64_t count : counts)
    rowptr.push_back(rowptr.back() + static_cast<int32_t>(count));
  std::vector<int32_t> colind(static_cast<size_t>(rowptr.back()), 0);
  Csr csr{static_cast<int64_t>(counts.size()), 1, rowptr, colind};
  std::mt19937_64 engine(8);
  TestCall call(spec, csr, {1, 1, 1}, engine);
  std::fill(call.w.begin(), call.w.end(), 1.0);
  call.x = {1};
  auto kernel = compiled(spec, target);
  EXPECT_TRUE(kernel && call.run(*kernel));
  return call.out;
}

// An accumulator of f16 would stop at 2048.
TEST(Cases, N08_F16SumsAccumulateInF32) {
  for (EdgeValues edges : {EdgeValues::none, EdgeValues::perEdge})
    for (auto [target, schedule] : everySchedule) {
      SCOPED_TRACE(schedule);
      KernelSpec spec;
      spec.dtype = DType::f16;
      spec.edgeValues = edges;
      spec.schedule = *parseSchedule(schedule);
      EXPECT_EQ(sumsOfOnes(spec, target, {4096, 3}),
                (std::vector<double>{4096, 3}));
    }
}

// One of bf16 at 256; 257 is a tie, which the even 256 wins.
TEST(Cases, N10_Bf16SumsAccumulateInF32) {
  for (EdgeValues edges : {EdgeValues::none, EdgeValues::perEdge})
    for (auto [target, schedule] : everySchedule) {
      SCOPED_TRACE(schedule);
      KernelSpec spec;
      spec.dtype = DType::bf16;
      spec.edgeValues = edges;
      spec.schedule = *parseSchedule(schedule);
      EXPECT_EQ(sumsOfOnes(spec, target, {300, 257}),
                (std::vector<double>{300, 256}));
      spec.f32Out = true;
      EXPECT_EQ(sumsOfOnes(spec, target, {300, 257}),
                (std::vector<double>{300, 257}));
    }
}
