//===- KernelSpecTest.cpp - specs and the modules they become -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Compiler/Compiler.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace autosage;
using namespace autosage::compiler;

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
