//===- KernelSpecTest.cpp - what follows from a spec ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/KernelArguments.h"
#include "autosage/Core/KernelSpecC.h"

#include <gtest/gtest.h>

using namespace autosage;

TEST(KernelSpec, AProblemHasTheWidthsThatKernelsLoopOver) {
  KernelSpec spec;
  spec.features = 24;
  spec.dtype = DType::f16;
  spec.heads = 3;
  spec.stats = InputStats();
  spec.stats->max = 7;
  Problem problem = problemOf(spec);
  EXPECT_EQ(problem.op, OpKind::spmm);
  EXPECT_EQ(problem.dtype, DType::f16);
  EXPECT_EQ(problem.features, 24);
  EXPECT_EQ(problem.heads, 3);
  EXPECT_FALSE(problem.scoreFeatures);
  EXPECT_EQ(problem.stats->max, 7);
  spec.features = dynamic;
  spec.heads = dynamic;
  EXPECT_FALSE(problemOf(spec).features);
  EXPECT_EQ(problemOf(spec).heads, 0);
  spec.heads = 0; // no dimension is one head
  EXPECT_EQ(problemOf(spec).heads, 1);
}

TEST(KernelSpec, AttentionSumsOverTheWidthOfV) {
  KernelSpec spec;
  spec.op = OpKind::attention;
  spec.features = 64;
  EXPECT_EQ(problemOf(spec).features, 64);
  spec.valueFeatures = 16;
  for (Score score : {Score::dot, Score::gatv2}) {
    spec.score = score;
    EXPECT_EQ(problemOf(spec).features, 16);
    EXPECT_EQ(problemOf(spec).scoreFeatures, 64);
  }
  spec.score = Score::gat; // adds two numbers
  EXPECT_EQ(problemOf(spec).features, 16);
  EXPECT_EQ(problemOf(spec).scoreFeatures, 1);
}

TEST(KernelSpec, WhatHasNoWidthIsOneNumberAHead) {
  KernelSpec add;
  add.op = OpKind::sddmm;
  add.combine = Combine::add;
  add.heads = 8;
  EXPECT_EQ(problemOf(add).features, 1);
  EXPECT_EQ(problemOf(add).heads, 8);
  add.heads = dynamic;
  EXPECT_EQ(problemOf(add).heads, 0);
  KernelSpec softmax;
  softmax.op = OpKind::row_softmax;
  softmax.edgeValues = EdgeValues::perEdge;
  EXPECT_EQ(problemOf(softmax).features, 1);
}

// A lane holds so many sums that the register limit of v's width counts, not
// that of q and k.
TEST(KernelSpec, VerifyLooksAtTheWidthOfV) {
  KernelSpec spec;
  spec.op = OpKind::attention;
  spec.score = Score::gat;
  spec.features = spec.valueFeatures = 8;
  spec.schedule =
      parseSchedule("row_group, lanes = 1, tile = 64, unroll = 16").value();
  EXPECT_TRUE(verify(spec, Target::nvptx));
  spec.features = 64;
  EXPECT_TRUE(verify(spec, Target::nvptx));
  spec.valueFeatures = 64;
  EXPECT_FALSE(verify(spec, Target::nvptx));
}

//===----------------------------------------------------------------------===//
// Gradients of attention
//===----------------------------------------------------------------------===//

static KernelSpec gradients(Score score) {
  KernelSpec spec;
  spec.op = OpKind::attention_backward;
  spec.score = score;
  spec.features = 64;
  spec.valueFeatures = 16;
  return spec;
}

static std::string namesOf(const KernelSpec &spec) {
  std::string names;
  for (const Argument &arg : signatureOf(spec)) {
    names += names.empty() ? "" : " ";
    names += std::string(arg.output ? ">" : "") + std::string(arg.name);
    if (arg.hasWidth || arg.hasHeads)
      names += ":" + std::string(toString(arg.dtype));
  }
  return names;
}

TEST(KernelSpec, GradientsHaveTheShapesOfTheirOperands) {
  KernelSpec spec = gradients(Score::dot);
  EXPECT_EQ(namesOf(spec), "rowptr colind n_cols q:f32 k:f32 v:f32 o:f32 lse "
                           "d_o:f32 >dq:f32 >dk:f32 >dv:f32");
  spec.edgeValues = EdgeValues::perEdge;
  EXPECT_EQ(namesOf(spec).find(">dw"), std::string::npos);
  spec = gradients(Score::gatv2);
  spec.heads = 2;
  spec.dtype = DType::f16;
  spec.f32Out = true; // what attention gave was its output
  spec.edgeValues = EdgeValues::perHead;
  spec.biasGradient = spec.transposeGiven = true;
  EXPECT_EQ(namesOf(spec),
            "rowptr colind n_cols t_rowptr t_colind t_perm w:f16 q:f16 k:f16 "
            "v:f16 a:f16 o:f32 lse:f32 d_o:f32 >dq:f32 >dk:f32 >dv:f32 >da:f32 "
            ">dw:f32");
  std::vector<Argument> arguments = signatureOf(spec);
  EXPECT_EQ(arguments.size(), maxArguments);
  auto find = [&](std::string_view name) {
    for (const Argument &arg : arguments)
      if (arg.name == name)
        return arg;
    return Argument();
  };
  for (auto [gradient, operand] : {std::pair("dq", "q"),
                                   {"dk", "k"},
                                   {"dv", "v"},
                                   {"da", "a"},
                                   {"dw", "w"}}) {
    EXPECT_EQ(find(gradient).inner, find(operand).inner) << gradient;
    EXPECT_EQ(find(gradient).extent, find(operand).extent) << gradient;
  }
}

TEST(KernelSpec, GradientsAreVerified) {
  KernelSpec spec = gradients(Score::dot);
  EXPECT_TRUE(verify(spec));
  spec.biasGradient = true;
  EXPECT_EQ(verify(spec).error(),
            "expects edge values for a bias gradient, got none");
  spec.edgeValues = EdgeValues::perEdge;
  EXPECT_TRUE(verify(spec));
  spec.op = OpKind::attention;
  EXPECT_EQ(verify(spec).error(),
            "expects bias gradient only with attention_backward, got "
            "attention");
  spec = gradients(Score::dot);
  spec.lse = true; // it is an operand
  EXPECT_EQ(verify(spec).error(),
            "expects lse only with attention, got attention_backward");
  spec.lse = false;
  spec.composed = true;
  EXPECT_TRUE(verify(spec)) << "the schedule is open";
  spec.schedule = Schedule{"row_parallel", {}};
  EXPECT_EQ(verify(spec).error(), "expects attention = composed for gradients "
                                  "of that form, got fused");
  spec.schedule->knobs["attention"] = std::string("composed");
  EXPECT_TRUE(verify(spec));
  spec = KernelSpec();
  spec.transposeGiven = true;
  EXPECT_FALSE(verify(spec));
}

// Sums are of the width of v and of that of q and k, whichever is wider.
TEST(KernelSpec, SchedulesOfGradientsFitBothWidths) {
  KernelSpec spec = gradients(Score::dot);
  spec.schedule =
      parseSchedule("row_group, lanes = 1, tile = 64, unroll = 4").value();
  spec.features = spec.valueFeatures = 8;
  EXPECT_TRUE(verify(spec, Target::nvptx));
  spec.features = 64;
  EXPECT_FALSE(verify(spec, Target::nvptx));
  std::swap(spec.features, spec.valueFeatures);
  EXPECT_FALSE(verify(spec, Target::nvptx));
  spec.schedule = parseSchedule("vendor").value();
  EXPECT_FALSE(verify(spec, Target::nvptx));
}

TEST(KernelSpec, TextOfGradientsReadsBack) {
  KernelSpec spec = gradients(Score::gat);
  for (bool given : {false, true}) {
    spec.edgeValues = given ? EdgeValues::perEdge : EdgeValues::none;
    spec.biasGradient = spec.transposeGiven = given;
    std::string text = textOf(spec);
    EXPECT_EQ(text.find("bias_gradient") != std::string::npos, given);
    Result<KernelSpec> read = parseKernelText(text);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(textOf(*read), text);
  }
}

TEST(KernelSpec, CStructHoldsGradients) {
  KernelSpec spec = gradients(Score::gatv2), read;
  spec.edgeValues = EdgeValues::column;
  spec.biasGradient = true;
  Status status = readSpec(writeSpec(spec, ""), read);
  ASSERT_TRUE(status) << status.error();
  EXPECT_EQ(textOf(read), textOf(spec));
  autosage_kernel_spec c = writeSpec(spec, "");
  c.op = AUTOSAGE_OP_ATTENTION_BACKWARD + 1;
  EXPECT_FALSE(readSpec(c, read));
}

// Outputs may not lie on operands or on each other.
TEST(KernelSpec, GradientsLieApart) {
  KernelSpec spec = gradients(Score::dot);
  spec.features = 1;
  spec.valueFeatures = 1;
  std::vector<int32_t> rowptr = {0, 1}, colind = {0};
  std::vector<float> numbers(16);
  Operands ops;
  ops.a = {1,
           1,
           {rowptr.data(), 2, IndexType::i32},
           {colind.data(), 1, IndexType::i32}};
  float *next = numbers.data();
  for (DenseIn *in : {&ops.q, &ops.k, &ops.v, &ops.o, &ops.dO})
    *in = {next++, 1, 1, 1, 0};
  for (DenseOut *out : {&ops.lse, &ops.dq, &ops.dk, &ops.dv})
    *out = {next++, 1, 1, 1, 0};
  std::vector<Argument> arguments = signatureOf(spec);
  auto errorOf = [&](const Operands &operands) {
    return KernelCall(spec, arguments, operands).prepare().error();
  };
  EXPECT_EQ(errorOf(ops), "");
  Operands bad = ops;
  bad.dq.data = const_cast<void *>(ops.q.data);
  EXPECT_EQ(errorOf(bad),
            "expects dq and q to be apart, got overlapping memory");
  bad = ops;
  bad.dk.data = ops.dv.data;
  EXPECT_EQ(errorOf(bad),
            "expects dk and dv to be apart, got overlapping memory");
  bad = ops;
  bad.dO.rows = 2;
  EXPECT_EQ(errorOf(bad), "expects d_o to have 1 rows, got 2");
  bad = ops; // operands may share memory
  bad.dO.data = ops.o.data;
  EXPECT_EQ(errorOf(bad), "");
}
