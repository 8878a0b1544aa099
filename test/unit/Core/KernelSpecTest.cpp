//===- KernelSpecTest.cpp - what follows from a spec ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Kernel.h"

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
