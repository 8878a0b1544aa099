//===- DecisionKeyTest.cpp - what tells decisions apart -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestStore.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace autosage;
using namespace autosage::test;
using namespace autosage::oracle;

namespace {
/// All that a key is made of, to change one thing at a time.
struct Parts {
  KernelSpec spec;
  Fingerprint graph{1, 2};
  CallFacts call;
  Environment environment = testEnvironment();

  Parts() { spec.features = 64; }
  std::string id() const {
    return makeKey(spec, graph, call, environment).id();
  }
};
} // namespace

TEST(DecisionKey, EveryPartTellsKeysApart) {
  using Change = void (*)(Parts &);
  const Change changes[] = {
      [](Parts &) {},
      [](Parts &p) { p.spec.op = OpKind::sddmm; },
      [](Parts &p) {
        p.spec.op = OpKind::sddmm;
        p.spec.combine = Combine::add;
      },
      [](Parts &p) { p.spec.op = OpKind::row_softmax; },
      [](Parts &p) { p.spec.op = OpKind::attention; },
      [](Parts &p) {
        p.spec.op = OpKind::attention;
        p.spec.score = Score::gat;
      },
      [](Parts &p) {
        p.spec.op = OpKind::attention;
        p.spec.valueFeatures = 32;
      },
      [](Parts &p) {
        p.spec.op = OpKind::attention;
        p.spec.lse = true;
      },
      [](Parts &p) {
        p.spec.op = OpKind::attention;
        p.spec.composed = true;
      },
      [](Parts &p) { p.spec.op = OpKind::attention_backward; },
      [](Parts &p) {
        p.spec.op = OpKind::attention_backward;
        p.spec.score = Score::gatv2;
      },
      [](Parts &p) {
        p.spec.op = OpKind::attention_backward;
        p.spec.edgeValues = EdgeValues::perEdge;
      },
      [](Parts &p) {
        p.spec.op = OpKind::attention_backward;
        p.spec.edgeValues = EdgeValues::perEdge;
        p.spec.biasGradient = true;
      },
      [](Parts &p) { p.spec.reduction = Reduction::mean; },
      [](Parts &p) { p.spec.features = 1; },
      [](Parts &p) { p.spec.features = dynamic; },
      [](Parts &p) { p.spec.heads = 1; },
      [](Parts &p) { p.spec.heads = 4; },
      [](Parts &p) { p.spec.dtype = DType::f64; },
      [](Parts &p) { p.spec.dtype = DType::f16; },
      [](Parts &p) {
        p.spec.dtype = DType::f16;
        p.spec.f32Out = true;
      },
      [](Parts &p) { p.spec.rowptrType = IndexType::i64; },
      [](Parts &p) { p.spec.colindType = IndexType::i64; },
      [](Parts &p) { p.spec.edgeValues = EdgeValues::perEdge; },
      [](Parts &p) { p.spec.edgeValues = EdgeValues::column; },
      [](Parts &p) { p.spec.transpose = true; },
      [](Parts &p) { p.spec.accumulate = true; },
      [](Parts &p) { p.spec.strided = true; },
      [](Parts &p) { p.graph.high = 9; },
      [](Parts &p) { p.graph.low = 9; },
      [](Parts &p) { p.call.alignment = 4; },
      [](Parts &p) { p.call.deterministic = false; },
      [](Parts &p) { p.call.expectedCalls = 1; },
      [](Parts &p) { p.call.expectedCalls = 100; },
      [](Parts &p) { p.environment.target = Target::simt; },
      [](Parts &p) { p.environment.device = "Another CPU"; },
      [](Parts &p) { p.environment.capability = "avx512"; },
      [](Parts &p) { p.environment.units = 16; },
      [](Parts &p) { p.environment.driver = "560.1"; },
      [](Parts &p) { p.environment.cusparse = "12.5"; },
      [](Parts &p) { p.environment.code = "1.1+llvm-22"; },
  };
  std::set<std::string> ids;
  for (Change change : changes) {
    Parts parts;
    change(parts);
    ids.insert(parts.id());
  }
  EXPECT_EQ(ids.size(), std::size(changes));
}

TEST(DecisionKey, WhatDoesNotMatterIsNotInIt) {
  Parts plain, other;
  other.spec.schedule = *parseSchedule("row_parallel, grain = 7");
  other.spec.stats = InputStats();
  other.spec.combine = Combine::add; // of sddmm
  other.spec.score = Score::gatv2;   // of attention
  other.spec.negativeSlope = 0.5;
  other.call.expectedCalls = 0;
  EXPECT_EQ(plain.id(), other.id());
  plain.call.expectedCalls = 100;
  other.call.expectedCalls = 999;
  EXPECT_EQ(plain.id(), other.id()) << "a class of calls";
}

// C11
TEST(DecisionKey, C11_WidthOpTypeAndDirectionAreInTheKey) {
  Parts a, b, c, d, e;
  b.spec.features = 1;
  c.spec.dtype = DType::f16;
  d.spec.op = OpKind::sddmm;
  e.spec.transpose = true; // the backward pass of spmm
  EXPECT_EQ(
      (std::set<std::string>{a.id(), b.id(), c.id(), d.id(), e.id()}).size(),
      5u);
}

// C09
TEST(DecisionKey, C09_SameSizeAndNnzOtherDegrees) {
  const std::vector<int32_t> columns = {0, 1, 1, 2, 2, 3, 3, 0};
  const Csr even{4, 4, std::vector<int32_t>{0, 2, 4, 6, 8}, columns};
  const Csr skewed{4, 4, std::vector<int32_t>{0, 8, 8, 8, 8}, columns};
  Parts a, b;
  a.graph = fingerprint(even.view());
  b.graph = fingerprint(skewed.view());
  EXPECT_NE(a.id(), b.id());
  EXPECT_NE(statsClass(computeStats(even.view())),
            statsClass(computeStats(skewed.view())));
}

TEST(DecisionKey, TextReadsBack) {
  DecisionKey key = keyOf(7);
  Result<DecisionKey> read = DecisionKey::parse(key.str());
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, key);
  EXPECT_EQ(key.id().size(), 32u);
  EXPECT_NE(key.problemText().find("graph="), std::string::npos);
  EXPECT_EQ(key.problemText().find("device="), std::string::npos);
}

TEST(DecisionKey, RefusesFieldsThatAreNotKnown) {
  DecisionKey key = keyOf(1);
  EXPECT_TRUE(key.check());
  for (const char *value : {"", "unknown"}) {
    key.set(KeyField::driver, value);
    EXPECT_EQ(key.check().error(),
              std::string("expects key field driver to be known, got ") +
                  (*value ? "unknown" : "nothing"));
  }
  key = keyOf(1);
  key.set(KeyField::device, "two\nlines");
  EXPECT_FALSE(key.check());
  key = keyOf(1);
  key.set(KeyField::schema, "2");
  EXPECT_EQ(key.check().error(), "expects key field schema to be 1, got '2'");
  Environment environment = testEnvironment();
  environment.units = 0;
  EXPECT_FALSE(makeKey(KernelSpec(), {}, CallFacts(), environment).check());
}

TEST(DecisionKey, FieldsHaveToBeThereOnce) {
  std::string text = keyOf(1).str();
  EXPECT_EQ(DecisionKey::parse(text + "op=spmm\n").error(),
            "expects key field op once, got it twice");
  EXPECT_EQ(DecisionKey::parse(text + "more=1\n").error(),
            "expects no key field of another name, got 'more'");
  EXPECT_EQ(DecisionKey::parse(text.substr(0, text.rfind("code="))).error(),
            "expects key field code, got nothing");
  EXPECT_FALSE(DecisionKey::parse("word"));
}

TEST(DecisionKey, ExpectedCallsFallIntoPowersOfTen) {
  const std::pair<int64_t, const char *> cases[] = {
      {0, "unstated"}, {1, "1"},         {9, "1"},
      {10, "10"},      {99, "10"},       {100, "100"},
      {1000, "1000"},  {10000, "10000"}, {INT64_MAX, "10000"}};
  for (auto [calls, text] : cases)
    EXPECT_EQ(expectedCallsClass(calls), text);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

static InputStats sampleOf(std::mt19937 &random, int64_t rows, double degree) {
  std::vector<int64_t> rowptr = {0};
  std::vector<int64_t> colind;
  std::poisson_distribution<int64_t> length(degree);
  std::uniform_int_distribution<int64_t> column(0, rows - 1);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = length(random); j > 0; --j)
      colind.push_back(column(random));
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  const Csr csr{rows, rows, std::move(rowptr), std::move(colind)};
  return computeStats(csr.view());
}

TEST(StatsClass, SamplesOfOneKindMostlyFallTogether) {
  std::mt19937 random(5);
  std::map<std::string, int> counts;
  for (int i = 0; i < 40; ++i)
    ++counts[statsClass(sampleOf(random, 1500, 12))];
  int most = 0;
  for (const auto &[text, count] : counts)
    most = std::max(most, count);
  EXPECT_GE(most, 30) << counts.begin()->first;
  EXPECT_EQ(counts.count(statsClass(sampleOf(random, 1500, 40))), 0u);
  EXPECT_EQ(counts.count(statsClass(sampleOf(random, 6000, 12))), 0u);
}

TEST(StatsClass, ClassKeysAreNoGraphKeys) {
  InputStats stats;
  DecisionKey key =
      makeClassKey(KernelSpec(), stats, CallFacts(), testEnvironment());
  EXPECT_TRUE(key.isClass());
  EXPECT_FALSE(keyOf(1).isClass());
  EXPECT_TRUE(key.check()) << key.check().error();
  EXPECT_EQ(key[KeyField::graph],
            "class:rows=-1,cols=-1,mean=-1,cv=-1,p99=-1,max=-1,empty=0,hub=0,"
            "locality=-1");
}
