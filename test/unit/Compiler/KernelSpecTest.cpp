//===- KernelSpecTest.cpp - specs and the modules they become -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "TestKernel.h"

#include "autosage/Compiler/Compiler.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

static std::string errorOf(const KernelSpec &spec) {
  Status status = verify(spec);
  return status ? "" : status.error();
}

TEST(KernelSpec, DefaultsAreValid) { EXPECT_EQ(errorOf({}), ""); }

TEST(KernelSpec, FlagsBelongToTheirOps) {
  KernelSpec spec;
  spec.op = OpKind::sddmm;
  spec.transpose = true;
  EXPECT_EQ(errorOf(spec), "expects transpose only with spmm, got sddmm");
  spec = {};
  spec.lse = true;
  EXPECT_EQ(errorOf(spec), "expects lse only with attention, got spmm");
  spec = {};
  spec.composed = true;
  EXPECT_EQ(errorOf(spec), "expects composed only with attention, got spmm");
  spec = {};
  spec.scale = 0.5;
  EXPECT_EQ(errorOf(spec), "expects scale to be 1 for spmm, got 0.500000");
}

TEST(KernelSpec, AccumulateNeedsSumOrMean) {
  KernelSpec spec;
  spec.accumulate = true;
  spec.reduction = Reduction::mean;
  EXPECT_EQ(errorOf(spec), "");
  spec.reduction = Reduction::max;
  EXPECT_EQ(errorOf(spec), "expects accumulate only with sum or mean, got max");
}

TEST(KernelSpec, NumbersAreChecked) {
  KernelSpec spec;
  spec.features = -2;
  EXPECT_EQ(errorOf(spec), "expects features to be non-negative, got -2");
  spec = {};
  spec.heads = -2;
  EXPECT_EQ(errorOf(spec), "expects heads to be non-negative, got -2");
  spec = {};
  spec.op = OpKind::sddmm;
  spec.scale = std::nan("");
  EXPECT_EQ(errorOf(spec), "expects scale to be finite, got nan");
}

TEST(KernelSpec, EdgeValuesFollowHeads) {
  KernelSpec spec;
  spec.edgeValues = EdgeValues::perHead;
  EXPECT_EQ(errorOf(spec), "expects heads for edge values per head, got none");
  spec.heads = 2;
  EXPECT_EQ(errorOf(spec), "");
  spec = {};
  spec.op = OpKind::row_softmax;
  EXPECT_NE(errorOf(spec), "");
  spec.edgeValues = EdgeValues::perEdge;
  EXPECT_EQ(errorOf(spec), "");
}

TEST(KernelSpec, OnlyHalfPrecisionHasWideOutputs) {
  KernelSpec spec;
  spec.f32Out = true;
  for (DType dtype : {DType::f16, DType::bf16}) {
    spec.dtype = dtype;
    EXPECT_EQ(errorOf(spec), "");
  }
  spec.dtype = DType::f64;
  EXPECT_EQ(errorOf(spec),
            "expects dtype f16 or bf16 for f32 outputs, got f64");
}

TEST(KernelSpec, SchedulesAreVerifiedForTheCpu) {
  KernelSpec spec;
  spec.schedule = Schedule{"row_parallel", {{"vec", int64_t(3)}}};
  EXPECT_EQ(errorOf(spec),
            "expects vec to be a power of two in [1, 64], got 3");
  spec.schedule = Schedule{"row_tasks", {}};
  EXPECT_NE(errorOf(spec).find("row_tasks"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(BuildModule, SpmmOfAllAttributes) {
  KernelSpec spec;
  spec.reduction = Reduction::mean;
  spec.features = 64;
  spec.heads = 2;
  spec.rowptrType = IndexType::i64;
  spec.edgeValues = EdgeValues::perHead;
  spec.transpose = spec.accumulate = true;
  spec.schedule = Schedule{"row_parallel", {{"vec", int64_t(16)}}};
  EXPECT_EQ(
      buildModule(spec),
      R"(func.func @main(%rowptr: tensor<?xi64>, %colind: tensor<?xi32>, %n_cols: index, %w: tensor<?x2xf32>, %x: tensor<?x2x64xf32>, %out: memref<?x2x64xf32>) attributes {llvm.emit_c_interface} {
  %p = autosage.pattern %rowptr, %colind, %n_cols : tensor<?xi64>, tensor<?xi32> -> <?x?, i64, i32>
  %out_init = bufferization.to_tensor %out restrict writable : memref<?x2x64xf32> to tensor<?x2x64xf32>
  %r = autosage.spmm mean %p[%w : tensor<?x2xf32>], %x outs(%out_init) schedule<row_parallel, vec = 16> {accumulate, transpose} : !autosage.pattern<?x?, i64, i32>, tensor<?x2x64xf32> -> tensor<?x2x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?x2x64xf32>, memref<?x2x64xf32>) -> ()
  return
}
)");
}

TEST(BuildModule, OutputsOfHalfPrecisionMayBeF32) {
  KernelSpec spec;
  spec.op = OpKind::attention;
  spec.dtype = DType::bf16;
  spec.features = 8;
  EXPECT_NE(buildModule(spec).find("%out: memref<?x8xbf16>"),
            std::string::npos);
  spec.f32Out = spec.lse = true;
  std::string text = buildModule(spec);
  EXPECT_NE(text.find("%out: memref<?x8xf32>, %lse: memref<?xf32>"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("%v: tensor<?x8xbf16>"), std::string::npos) << text;
  // spmm reads the scores as edge values, which have the type of v.
  spec.lse = false;
  spec.composed = true;
  text = buildModule(spec);
  EXPECT_NE(text.find("%scores: memref<?xbf16>"), std::string::npos) << text;
}

TEST(BuildModule, FloatLiteralsHaveAPoint) {
  KernelSpec spec;
  spec.op = OpKind::sddmm;
  for (auto [scale, text] : {std::pair(2.0, "scale = 2.0 : f64"),
                             {1e-5, "scale = 1.0e-05 : f64"},
                             {-0.1, "scale = -0.1 : f64"},
                             {1e300, "scale = 1.0e+300 : f64"}}) {
    spec.scale = scale;
    EXPECT_NE(buildModule(spec).find(text), std::string::npos) << text;
  }
}

TEST(BuildModule, StatisticsAndSchedulesAreOptional) {
  KernelSpec spec;
  EXPECT_EQ(buildModule(spec).find("stats<"), std::string::npos);
  EXPECT_EQ(buildModule(spec).find("schedule<"), std::string::npos);
  spec.stats = InputStats();
  EXPECT_NE(buildModule(spec).find("stats<rows = 0, "), std::string::npos);
}

TEST(BuildModule, GradientsOfAttention) {
  KernelSpec spec;
  spec.op = OpKind::attention_backward;
  spec.score = Score::gatv2;
  spec.features = 8;
  spec.heads = 2;
  spec.edgeValues = EdgeValues::perEdge;
  spec.biasGradient = spec.transposeGiven = true;
  spec.schedule = Schedule{"row_parallel", {{"vec", int64_t(8)}}};
  std::string text = buildModule(spec);
  for (const char *part :
       {"%t_rowptr: tensor<?xi32>, %t_colind: tensor<?xi32>, %t_perm: "
        "tensor<?xi32>, %w: tensor<?xf32>",
        "%o: tensor<?x2x8xf32>, %lse: tensor<?x2xf32>, %d_o: "
        "tensor<?x2x8xf32>, %dq: memref<?x2x8xf32>",
        "%dq_result, %dk_result, %dv_result, %da_result, %dw_result = "
        "autosage.attention_backward gatv2 %p[%w : tensor<?xf32>], %q, %k, %v "
        "vec(%a : tensor<2x8xf32>) from(%o, %lse, %d_o) transposed(%t_rowptr, "
        "%t_colind, %t_perm : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) "
        "outs(%dq_init, %dk_init, %dv_init, %da_init, %dw_init) "
        "schedule<row_parallel, vec = 8> {negative_slope = 0.2 : f64}",
        "materialize_in_destination %dw_result in restrict writable %dw"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

// Rows that lie apart are read and written where they are.
TEST(Compile, GradientsOfStridedRows) {
  KernelSpec spec;
  spec.op = OpKind::attention_backward;
  spec.features = 3;
  spec.strided = true;
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    spec.score = score;
    spec.heads = score == Score::gat ? 1 : 0;
    auto kernel = compileCpu(spec);
    ASSERT_TRUE(kernel) << kernel.error();
    std::mt19937_64 engine(5);
    TestCall call(spec, randomCsr({3, 0, 5, 1}, 6, engine), {3, 3, 1}, engine);
    TestCall packed = call;
    ASSERT_TRUE(packed.run(**kernel));
    // One element between the rows.
    std::vector<std::vector<float>> memory;
    memory.reserve(16);
    auto apart = [&](auto dense) {
      if (dense.width != 3 || dense.rows == 0)
        return dense;
      std::vector<float> &rows =
          memory.emplace_back(static_cast<size_t>(dense.rows * 4), -1.0f);
      const float *from = static_cast<const float *>(dense.data);
      for (int64_t i = 0; i < dense.rows; ++i)
        std::copy(from + 3 * i, from + 3 * i + 3, rows.begin() + 4 * i);
      dense.data = rows.data();
      dense.leadingDimension = 4;
      return dense;
    };
    std::vector<double> got;
    Status status = call.run([&](const Operands &given) -> Status {
      Operands ops = given;
      for (DenseIn *in : {&ops.q, &ops.k, &ops.v, &ops.o, &ops.dO})
        *in = apart(*in);
      for (DenseOut *out : {&ops.dq, &ops.dk, &ops.dv})
        *out = apart(*out);
      Status ran = (*kernel)->run(ops);
      for (DenseOut *out : {&ops.dq, &ops.dk, &ops.dv}) {
        int64_t stride = out->stride();
        const float *rows = static_cast<const float *>(out->data);
        for (int64_t i = 0; i < out->rows * stride; ++i)
          if (i % stride < out->width)
            got.push_back(rows[i]);
          else
            EXPECT_EQ(rows[i], -1) << "between rows";
      }
      return ran;
    });
    ASSERT_TRUE(status) << status.error();
    got.insert(got.end(), call.out.begin() + static_cast<long>(got.size()),
               call.out.end()); // da
    EXPECT_EQ(got.size(), packed.out.size());
    for (size_t i = 0; i < std::min(got.size(), packed.out.size()); ++i)
      EXPECT_EQ(got[i], packed.out[i]) << toString(score) << " " << i;
  }
}
