//===- DecisionTest.cpp - what may be kept, and its text ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestStore.h"

#include "autosage/Oracle/Ties.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace autosage;
using namespace autosage::test;
using namespace autosage::oracle;

static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// What may be stored
//===----------------------------------------------------------------------===//

TEST(Decision, RefusesWhatIsNotDecided) {
  EXPECT_TRUE(checkStorable(decisionOf(64)));
  struct {
    const char *message;
    void (*spoil)(Decision &);
  } const cases[] = {
      {"expects a decision by probe or estimate, got user",
       [](Decision &d) { d.decidedBy = DecidedBy::user; }},
      {"expects a decision by probe or estimate, got cache",
       [](Decision &d) { d.decidedBy = DecidedBy::cache; }},
      {"expects a decision by probe or estimate, got class",
       [](Decision &d) { d.decidedBy = DecidedBy::class_; }},
      {"expects a decision by probe or estimate, got fallback",
       [](Decision &d) { d.decidedBy = DecidedBy::fallback; }},
      {"unknown schedule family 'magic'",
       [](Decision &d) { d.schedule = "magic"; }},
      {"expects times to be finite and not negative",
       [](Decision &d) { d.candidates[0].probeMs = std::nan(""); }},
      {"expects times to be finite and not negative",
       [](Decision &d) { d.candidates[1].estimateMs = infinity; }},
      {"expects times to be finite and not negative",
       [](Decision &d) { d.baseline->ms = -1; }},
      {"expects a schedule that was not rejected, got 'nnz_parallel', which "
       "has 'wrong result'",
       [](Decision &d) { d.schedule = "nnz_parallel"; }},
      {"expects the guardrail to have decided",
       [](Decision &d) { d.guardrail->decided = false; }},
      {"expects a measurement of the chosen schedule, got none",
       [](Decision &d) { d.schedule = "row_parallel, grain = 3"; }},
      {"expects a measurement of the chosen schedule, got none",
       [](Decision &d) { d.candidates[0].probeMs = 0; }},
      {"expects the baseline's schedule where it was kept",
       [](Decision &d) { d.guardrail->keptBaseline = true; }},
  };
  for (const auto &c : cases) {
    Decision d = decisionOf(64);
    c.spoil(d);
    EXPECT_EQ(checkStorable(d).error().rfind(c.message, 0), 0u)
        << checkStorable(d).error() << " for " << c.message;
  }
}

TEST(Decision, AKeptBaselineAndAnEndedBudgetAreDecisions) {
  Decision d = decisionOf(64);
  d.schedule = "row_parallel";
  d.guardrail->keptBaseline = true;
  EXPECT_TRUE(checkStorable(d)) << checkStorable(d).error();
  d.guardrail.reset();
  d.candidates.clear();
  d.baseline->ms = 0;
  d.budget.ended = true;
  EXPECT_TRUE(checkStorable(d)) << "ended before anything was measured";
  d.decidedBy = DecidedBy::estimate;
  d.baseline.reset();
  EXPECT_TRUE(checkStorable(d)) << "an estimate measures nothing";
}

// C24
TEST(Decision, C24_AWinnerThatIsGoneIsAMiss) {
  std::vector<Schedule> three, four, two;
  for (int64_t grain : {8, 16, 32, 64})
    four.push_back(*parseSchedule(scheduleOf(grain)));
  three.assign(four.begin(), four.begin() + 3);
  two.assign(four.begin(), four.begin() + 2);
  Decision d = decisionOf(32);
  d.candidates.clear();
  for (const Schedule &schedule : three)
    d.candidates.push_back({schedule.str(), 1, 1, 1, 1, 3, ""});
  ASSERT_TRUE(checkStorable(d));
  EXPECT_EQ(resolve(d, three), 2u);
  EXPECT_EQ(resolve(d, four), 2u);
  EXPECT_EQ(notMeasured(d, four), std::vector<size_t>{3}) << "only the new one";
  EXPECT_EQ(resolve(d, two), std::nullopt);
  EXPECT_TRUE(notMeasured(d, two).empty()) << "measurements are not lost";
  d.schedule = "row_parallel,grain=32";
  EXPECT_EQ(resolve(d, three), 2u) << "compared as schedules, not as text";
  d.schedule = "no_such_family";
  EXPECT_EQ(resolve(d, three), std::nullopt);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(Decision, JsonReadsBackAsTheSameBits) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    auto draw = [&] {
      return std::ldexp(static_cast<double>(random() >> 11),
                        static_cast<int>(random() % 80) - 100);
    };
    Decision d = decisionOf(64);
    d.reason = "quote \" and \\ and \n and \xc3\xa9";
    for (CandidateRecord &c : d.candidates)
      for (double *value : {&c.estimateMs, &c.probeMs, &c.lowMs, &c.highMs})
        *value = draw();
    d.baseline->ms = draw();
    for (double *value : {&d.budget.spentMs, &d.budget.setupMs,
                          &d.budget.runsMs, &d.budget.teardownMs})
      *value = draw();
    if (round % 3 == 0)
      d.guardrail.reset();
    if (round % 5 == 0)
      d.baseline.reset();
    std::string text = toJson(keyOf(7), d);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    Result<KeyedDecision> read = parseKeyedDecision(text);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->key, keyOf(7));
    EXPECT_EQ(read->decision.reason, d.reason);
    for (size_t i = 0; i < d.candidates.size(); ++i) {
      EXPECT_EQ(read->decision.candidates[i].probeMs, d.candidates[i].probeMs);
      EXPECT_EQ(read->decision.candidates[i].rejected,
                d.candidates[i].rejected);
    }
    EXPECT_EQ(toJson(read->key, read->decision), text) << "and all the rest";
  }
}

TEST(Decision, JsonOfVersionsWithoutTheBudgetsPartsIsRead) {
  Decision d = decisionOf(64);
  std::string now = toJson(d), before = now;
  for (const char *part :
       {"\"setup_ms\":0.0,", "\"runs_ms\":0.0,", "\"teardown_ms\":0.0,"}) {
    size_t at = before.find(part);
    ASSERT_NE(at, std::string::npos) << before;
    before.erase(at, std::string(part).size());
  }
  Result<Decision> read = parseDecision(before);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(toJson(*read), now);
  // Where they are there, they are numbers.
  std::string wrong = now;
  wrong.replace(wrong.find("\"runs_ms\":0.0"), 13, "\"runs_ms\":\"0\"");
  read = parseDecision(wrong);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().find("budget.runs_ms"), std::string::npos);
}

TEST(Decision, JsonOfAnotherShapeIsRefusedWithTheReason) {
  const std::string good = toJson(decisionOf(64));
  auto changed = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::pair<std::string, std::string> cases[] = {
      {"", "expects JSON"},
      {"{", "expects JSON"},
      {"[1,2,3]", "expects decision to be an object, got array"},
      {changed("\"decided_by\":\"probe\"", "\"decided_by\":3"),
       "expects decision.decided_by to be text, got number"},
      {changed("\"decided_by\":\"probe\"", "\"decided_by\":\"luck\""),
       "expects decision.decided_by to be one of user, cache, class, probe, "
       "estimate, fallback, got 'luck'"},
      {changed("\"probe_ms\":1.0", "\"probe_ms\":\"fast\""),
       "expects decision.candidates[0].probe_ms to be a number, got string"},
      {changed("\"interval_ms\":[0.99,1.01]", "\"interval_ms\":[1]"),
       "expects decision.candidates[0].interval_ms to be two numbers, got "
       "array"},
      {changed("\"ended\":false", "\"ended\":0"),
       "expects decision.budget.ended to be true or false, got number"},
      {changed("\"samples\":5", "\"samples\":5.5"),
       "expects decision.candidates[0].samples to be an integer, got number"},
      {changed("\"schedule\":", "\"shedule\":"),
       "expects decision.schedule, got nothing"},
  };
  for (const auto &[text, message] : cases) {
    Result<Decision> read = parseDecision(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error(), message);
  }
  EXPECT_TRUE(parseDecision(changed("\"reason\"", "\"later\":[1],\"reason\"")))
      << "later versions may add keys";
}

TEST(Decision, EveryDamagedByteOfJsonIsReadOrRefused) {
  const std::string good = toJson(keyOf(1), decisionOf(64));
  int refused = 0;
  for (size_t i = 0; i < good.size(); ++i)
    for (int bit : {0, 3, 7}) {
      std::string text = good;
      text[i] = static_cast<char>(text[i] ^ (1 << bit));
      refused += !parseKeyedDecision(text);
    }
  EXPECT_GT(refused, 100);
}

//===----------------------------------------------------------------------===//
// Near ties
//===----------------------------------------------------------------------===//

TEST(Ties, TheFirstWithinTheBandWins) {
  EXPECT_EQ(pickWinner({10.1, 10, 14}), 0u);
  EXPECT_EQ(pickWinner({10.3, 10, 10.1}), 1u);
  EXPECT_EQ(pickWinner({14, 10.1, 10}), 1u);
  EXPECT_EQ(pickWinner({10.1, 10}, 0), 1u);
}

TEST(Ties, WhatWasNotMeasuredCannotWin) {
  double nan = std::nan("");
  EXPECT_EQ(pickWinner({0, nan, infinity, -1, 3}), 4u);
  EXPECT_EQ(pickWinner({0, nan, infinity}), std::nullopt);
  EXPECT_EQ(pickWinner({}), std::nullopt);
  EXPECT_EQ(medianOf({3, 1, 2}), 2);
  EXPECT_EQ(medianOf({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(medianOf({1, nan, nan}), infinity);
}

// C13
TEST(Ties, C13_NearTiesAreBrokenTheSameWay) {
  const std::vector<std::vector<double>> measured = {
      {10, 10.1, 9.9}, {10.05, 9.95, 10.02}, {14, 14.1, 13.9}};
  for (unsigned process = 0; process < 1000; ++process) {
    std::mt19937 random(process);
    std::uniform_real_distribution<double> noise(1.0, 1.01);
    std::vector<double> times;
    for (std::vector<double> samples : measured) {
      std::shuffle(samples.begin(), samples.end(), random);
      for (double &sample : samples)
        sample *= noise(random);
      times.push_back(medianOf(samples));
    }
    ASSERT_EQ(pickWinner(times), 0u) << "process " << process;
  }
}
