//===- RaceTest.cpp - races with scripted times ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScriptedTrack.h"
#include "TestStore.h"

#include "autosage/Oracle/Ties.h"

#include <gtest/gtest.h>

using namespace autosage;
using namespace autosage::test;
using namespace autosage::oracle;

static std::string nameOf(int i) { return scheduleOf(i); }

static RaceEntry entryOf(int i) {
  return {*parseSchedule(nameOf(i)), static_cast<double>(i)};
}

/// `row_parallel`, as the CPU's baseline.
static const BaselineEntry plain = {"row_parallel",
                                    *parseSchedule("row_parallel")};

static std::vector<RaceEntry> entries(int count) {
  std::vector<RaceEntry> out;
  for (int i = 1; i <= count; ++i)
    out.push_back(entryOf(i));
  return out;
}

/// A baseline of so many ms, and candidates 1, 2, ... of the given ones.
static ScriptedTrack trackOf(double baseline, std::vector<double> candidates) {
  ScriptedTrack track;
  track.scripts["row_parallel"].ms = baseline;
  for (size_t i = 0; i < candidates.size(); ++i)
    track.scripts[nameOf(static_cast<int>(i) + 1)].ms = candidates[i];
  return track;
}

static Decision runRace(ScriptedTrack &track, int count,
                        const RaceOptions &options = {}) {
  Result<Decision> decision = race(track, entries(count), {plain}, options);
  EXPECT_TRUE(decision) << (decision ? "" : decision.error());
  EXPECT_FALSE(track.misused);
  return decision ? *decision : Decision();
}

//===----------------------------------------------------------------------===//
// The usual course
//===----------------------------------------------------------------------===//

TEST(Race, TheFastestWinsOnASmallInput) {
  ScriptedTrack track = trackOf(1, {0.9, 0.5, 0.7});
  Decision decision = runRace(track, 3);
  EXPECT_EQ(decision.schedule, nameOf(2));
  EXPECT_EQ(decision.decidedBy, DecidedBy::probe);
  EXPECT_DOUBLE_EQ(decision.candidates[1].probeMs, 0.5);
  EXPECT_DOUBLE_EQ(decision.baseline->ms, 1);
  ASSERT_TRUE(decision.guardrail);
  EXPECT_TRUE(decision.guardrail->decided);
  EXPECT_FALSE(decision.guardrail->keptBaseline);
  EXPECT_DOUBLE_EQ(track.share, 1); // no sample of 1 ms of work
  EXPECT_TRUE(checkStorable(decision));
  // All in one batch, and each once.
  for (const auto &[name, count] : track.batches)
    EXPECT_EQ(count, 1) << name;
}

TEST(Race, ALargeInputIsSampledAndTheWinnerRunsWhole) {
  ScriptedTrack track = trackOf(100, {90, 50, 70});
  Decision decision = runRace(track, 3);
  EXPECT_LT(track.share, 0.5);
  EXPECT_EQ(decision.schedule, nameOf(2));
  EXPECT_DOUBLE_EQ(decision.guardrail->chosenMs, 50);
  EXPECT_DOUBLE_EQ(decision.guardrail->baselineMs, 100);
  EXPECT_DOUBLE_EQ(decision.candidates[1].probeMs, 50 * track.share);
  EXPECT_DOUBLE_EQ(decision.budget.limitMs, 500);
  EXPECT_LE(decision.budget.spentMs, 500);
}

TEST(Race, IntervalsThatSeparateEndItEarly) {
  ScriptedTrack clear = trackOf(1, {0.2, 0.9, 0.9});
  ScriptedTrack close = trackOf(1, {0.5, 0.52, 0.51});
  clear.noise = close.noise = 0.1;
  runRace(clear, 3);
  runRace(close, 3);
  EXPECT_LT(clear.allRuns(), close.allRuns());
  EXPECT_TRUE(clear.retired.count(2) && clear.retired.count(3));
}

TEST(Race, OneThatIsThreeTimesSlowerRunsOnce) {
  ScriptedTrack track = trackOf(1, {0.5, 3.5});
  Decision decision = runRace(track, 2);
  EXPECT_EQ(track.runs[nameOf(2)], 1);
  EXPECT_EQ(decision.candidates[1].samples, 1);
  EXPECT_TRUE(decision.candidates[1].rejected.empty());
}

TEST(Race, ABaselineAmongTheCandidatesIsMeasuredOnce) {
  ScriptedTrack track = trackOf(1, {1.5, 1.2});
  std::vector<RaceEntry> with = entries(2);
  with.push_back({plain.schedule, 9});
  Result<Decision> decision = race(track, with, {plain}, {});
  ASSERT_TRUE(decision);
  EXPECT_EQ(track.batches["row_parallel"], 1);
  EXPECT_EQ(decision->schedule, "row_parallel");
  EXPECT_DOUBLE_EQ(decision->candidates[2].probeMs, 1);
  EXPECT_TRUE(decision->guardrail->keptBaseline);
  EXPECT_TRUE(checkStorable(*decision));
}

TEST(Race, TheBestOfTheBaselinesOfOneNameCounts) {
  ScriptedTrack track = trackOf(9, {1.5});
  track.scripts["vendor, alg = 1"].ms = 3;
  track.scripts["vendor, alg = 2"].ms = 2;
  track.scripts["vendor, alg = 3"].cannotRun = "refused";
  std::vector<BaselineEntry> baselines;
  for (int alg : {1, 2, 3})
    baselines.push_back(
        {"cusparse", *parseSchedule("vendor, alg = " + std::to_string(alg))});
  baselines.push_back(plain);
  Result<Decision> decision = race(track, entries(1), baselines, {});
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->baseline->name, "cusparse");
  EXPECT_EQ(decision->baseline->schedule, "vendor, alg = 2");
  EXPECT_EQ(track.runs["row_parallel"], 0);
  EXPECT_EQ(decision->schedule, nameOf(1));
  // Where the library does not run, the next name does.
  ScriptedTrack without = trackOf(9, {1.5});
  for (int alg : {1, 2, 3})
    without.scripts["vendor, alg = " + std::to_string(alg)].cannotEnter =
        "no library";
  decision = race(without, entries(1), baselines, {});
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->baseline->name, "row_parallel");
}

//===----------------------------------------------------------------------===//
// Guardrail
//===----------------------------------------------------------------------===//

TEST(Race, TheBaselineStaysWhereTheMarginIsNotReached) {
  for (double ms : {0.99, 1.0, 1.2}) {
    ScriptedTrack track = trackOf(1, {ms});
    Decision decision = runRace(track, 1);
    EXPECT_EQ(decision.schedule, "row_parallel") << ms;
    EXPECT_TRUE(decision.guardrail->keptBaseline);
    EXPECT_TRUE(checkStorable(decision));
  }
  RaceOptions options;
  options.guardrail = GuardrailMode::off;
  ScriptedTrack track = trackOf(1, {1.2});
  Decision decision = runRace(track, 1, options);
  EXPECT_EQ(decision.schedule, nameOf(1));
  EXPECT_FALSE(decision.guardrail);
}

TEST(Race, ASampleThatFlattersIsFoundOutOnTheWholeInput) {
  ScriptedTrack track = trackOf(100, {110});
  track.scripts[nameOf(1)].sampleFactor = 0.3;
  Decision decision = runRace(track, 1);
  EXPECT_LT(decision.candidates[0].probeMs, decision.baseline->ms);
  EXPECT_EQ(decision.schedule, "row_parallel");
  EXPECT_TRUE(decision.guardrail->keptBaseline);
}

TEST(Race, PreparationIsSpreadOverTheExpectedCalls) {
  // Ten ms of preparation repay half a ms a call after twenty.
  for (int64_t calls : {1, 10, 40, 1000}) {
    ScriptedTrack track = trackOf(1, {0.5});
    track.scripts[nameOf(1)].preparationMs = 10;
    RaceOptions options;
    options.expectedCalls = calls;
    Decision decision = runRace(track, 1, options);
    EXPECT_EQ(decision.schedule, calls >= 40 ? nameOf(1) : "row_parallel")
        << calls;
  }
}

TEST(Race, AnOnlineGuardrailIsLeftOpen) {
  ScriptedTrack track = trackOf(1, {0.5});
  RaceOptions options;
  options.guardrail = GuardrailMode::online;
  Decision decision = runRace(track, 1, options);
  EXPECT_EQ(decision.schedule, nameOf(1));
  EXPECT_FALSE(decision.guardrail->decided);
  EXPECT_FALSE(checkStorable(decision));

  for (double ms : {0.5, 1.2}) {
    Decision copy = decision;
    OnlineGuardrail online(0.98);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> noise(1, 1.03);
    int runs = 0, ofBaseline = 0;
    for (; !online.record().decided; ++runs) {
      ASSERT_LT(runs, 100);
      OnlineGuardrail::Side side = online.next();
      ofBaseline += side == OnlineGuardrail::baseline;
      double first = runs < 2 ? 50 : 1; // warming up does not count
      online.add(side, first * (side == OnlineGuardrail::baseline ? 1 : ms) *
                           noise(random));
    }
    EXPECT_NEAR(runs, 2 * ofBaseline, 1);
    conclude(copy, online.record());
    EXPECT_TRUE(checkStorable(copy)) << checkStorable(copy).error();
    EXPECT_EQ(copy.schedule, ms < 1 ? nameOf(1) : "row_parallel");
    EXPECT_EQ(online.next(),
              ms < 1 ? OnlineGuardrail::chosen : OnlineGuardrail::baseline);
  }
  // A tie ends too, and the baseline stays.
  OnlineGuardrail tie(0.98);
  for (int i = 0; i < 60; ++i)
    tie.add(tie.next(), i % 3 ? 1.0 : 1.3);
  EXPECT_TRUE(tie.record().decided);
  EXPECT_TRUE(tie.record().keptBaseline);
}

//===----------------------------------------------------------------------===//
// Who is out
//===----------------------------------------------------------------------===//

// Handed case C17.
TEST(Race, AWrongCandidateIsNeverSelected) {
  ScriptedTrack track = trackOf(2, {0.1, 0.2, 1.5});
  track.scripts[nameOf(1)].wrong = "writes only even rows";
  track.scripts[nameOf(2)].wrong = "row 0 twice the value";
  Decision decision = runRace(track, 3);
  EXPECT_EQ(decision.schedule, nameOf(3));
  EXPECT_EQ(decision.candidates[0].rejected,
            "wrong result: writes only even rows");
  EXPECT_EQ(decision.candidates[1].rejected,
            "wrong result: row 0 twice the value");
  EXPECT_EQ(decision.candidates[0].probeMs, 0);
  EXPECT_TRUE(checkStorable(decision));
}

TEST(Race, WrongOnTheWholeInputAloneIsFoundOut) {
  ScriptedTrack track = trackOf(100, {30, 50});
  track.scripts[nameOf(1)].wrong = "past the 2^31st element";
  track.scripts[nameOf(1)].wrongOnWhole = true;
  Decision decision = runRace(track, 2);
  EXPECT_LT(track.share, 1);
  EXPECT_EQ(decision.schedule, "row_parallel");
  EXPECT_NE(decision.candidates[0].rejected.find("2^31st"), std::string::npos);
  EXPECT_TRUE(checkStorable(decision));
}

TEST(Race, ABaselineThatAllDifferFromDecidesNothing) {
  ScriptedTrack track = trackOf(1, {0.5, 0.6});
  track.scripts[nameOf(1)].wrong = track.scripts[nameOf(2)].wrong = "differs";
  Result<Decision> decision = race(track, entries(2), {plain}, {});
  ASSERT_FALSE(decision);
  EXPECT_EQ(decision.error(), "row_parallel differs from all candidates that "
                              "ran; nothing is decided");
}

// Handed case C19.
TEST(Race, CandidatesThatCannotLaunchAreOut) {
  ScriptedTrack track = trackOf(1, {0.1, 0.1, 0.1, 0.8});
  track.scripts[nameOf(1)].cannotRun = "expects F to be a multiple of 32";
  track.scripts[nameOf(2)].cannotPrepare = "too much shared memory";
  track.scripts[nameOf(3)].cannotEnter = "does not compile";
  Decision decision = runRace(track, 4);
  EXPECT_EQ(decision.schedule, nameOf(4));
  EXPECT_EQ(decision.candidates[0].rejected,
            "expects F to be a multiple of 32");
  EXPECT_EQ(decision.candidates[1].rejected, "too much shared memory");
  EXPECT_EQ(decision.candidates[2].rejected, "does not compile");

  track = trackOf(1, {0.1, 0.1, 0.1});
  for (int i : {1, 2, 3})
    track.scripts[nameOf(i)].cannotRun = "no";
  decision = runRace(track, 3);
  EXPECT_EQ(decision.schedule, "row_parallel");
  EXPECT_TRUE(checkStorable(decision));
}

TEST(Race, WithoutABaselineNothingIsDecided) {
  ScriptedTrack track = trackOf(1, {0.1});
  track.scripts["row_parallel"].cannotRun = "out of memory";
  Result<Decision> decision = race(track, entries(1), {plain}, {});
  ASSERT_FALSE(decision);
  EXPECT_EQ(decision.error(), "no baseline runs: row_parallel: out of memory");
}

//===----------------------------------------------------------------------===//
// Budget
//===----------------------------------------------------------------------===//

// Handed case C15.
TEST(Race, TheBudgetIsHard) {
  std::vector<double> times(20, 3);
  times[2] = 10000;
  times[7] = 2;
  ScriptedTrack track = trackOf(4, times);
  track.scripts[nameOf(5)].compileMs = 40;
  RaceOptions options;
  options.budgetMs = 50;
  double begin = track.clock;
  Decision decision = runRace(track, 20, options);
  EXPECT_LE(track.clock - begin, 2 * 50 + 4);
  EXPECT_TRUE(decision.budget.ended);
  EXPECT_LE(track.runs[nameOf(3)], 1);
  EXPECT_TRUE(checkStorable(decision));
}

TEST(Race, CompilationCountsOnlyAgainstABudgetOfTheCallers) {
  for (double budget : {0.0, 100.0}) {
    ScriptedTrack track = trackOf(1, {0.5, 0.5, 0.5, 0.4});
    for (auto &[name, script] : track.scripts)
      script.compileMs = 15;
    RaceOptions options;
    options.budgetMs = budget;
    Decision decision = runRace(track, 4, options);
    EXPECT_EQ(decision.budget.ended, budget > 0);
    EXPECT_EQ(track.runners.size(), 5u);
    for (int i : {3, 4}) // not there in time, or measured
      EXPECT_EQ(track.runs[nameOf(i)] > 0, budget == 0);
    EXPECT_EQ(decision.schedule, budget > 0 ? nameOf(1) : nameOf(4));
    EXPECT_TRUE(checkStorable(decision));
  }
}

TEST(Race, ACompilationThatTakesTooLongDoesNotHoldUpTheDecision) {
  ScriptedTrack track = trackOf(1, {0.5, 0.4});
  track.scripts[nameOf(2)].compileMs = 1e6;
  RaceOptions options;
  options.budgetMs = 200;
  double begin = track.clock;
  Decision decision = runRace(track, 2, options);
  EXPECT_LE(track.clock - begin, 200);
  EXPECT_EQ(decision.schedule, nameOf(1));
  EXPECT_EQ(decision.candidates[1].probeMs, 0);
  EXPECT_EQ(decision.candidates[1].rejected, "");
  EXPECT_TRUE(decision.budget.ended);
  // What the winner has to beat is waited for: something has to run.
  ScriptedTrack slow = trackOf(1, {0.5});
  slow.scripts["row_parallel"].compileMs = 1000;
  EXPECT_EQ(runRace(slow, 1, options).schedule, "row_parallel");
}

TEST(Race, ABaselineThatIsNotNeededIsNotCompiled) {
  ScriptedTrack track = trackOf(9, {1.5});
  track.scripts["vendor"].ms = 3;
  std::vector<BaselineEntry> baselines = {
      {"cusparse", *parseSchedule("vendor")}, plain};
  Result<Decision> decision = race(track, entries(1), baselines, {});
  ASSERT_TRUE(decision);
  EXPECT_EQ(track.batches.count("row_parallel"), 0u);
}

TEST(Race, ABaselineThatTakesLongLeavesRoomForCandidates) {
  for (double base : {5.0, 11.0, 25.0, 100.0}) {
    ScriptedTrack track = trackOf(base, {base / 4, base / 3, base / 2});
    for (auto &[name, script] : track.scripts) {
      script.fixedPreparationMs = 1.5;
      script.firstFactor = 1.2;
    }
    Decision decision = runRace(track, 3);
    EXPECT_EQ(decision.schedule, nameOf(1)) << toJson(decision);
    EXPECT_DOUBLE_EQ(decision.guardrail->baselineMs, base);
    EXPECT_LE(decision.budget.spentMs, decision.budget.limitMs);
  }
}

TEST(Race, WhatIsAroundTheRunsIsOfTheBudget) {
  ScriptedTrack track = trackOf(1, {0.9, 0.5, 0.7});
  for (auto &[name, script] : track.scripts) {
    script.compileMs = 30;
    script.loadMs = 1;
    script.preparationMs = 2;
  }
  track.aroundMs = 0.5;
  track.compareMs = 0.25;
  track.closeMs = 3;
  RaceOptions options;
  options.spentMs = 4;
  double begin = track.clock;
  Decision decision = runRace(track, 3, options);
  const BudgetRecord &b = decision.budget;
  EXPECT_EQ(decision.schedule, nameOf(2));
  EXPECT_NEAR(b.spentMs, 4 + track.clock - begin - 4 * 30, 1e-9);
  EXPECT_NEAR(b.setupMs, 4 + 4 * (1 + 2), 1e-9);
  EXPECT_NEAR(b.teardownMs, 3, 1e-9);
  EXPECT_NEAR(b.setupMs + b.runsMs + b.teardownMs, b.spentMs, 1e-9);
  Result<Decision> back = parseDecision(toJson(decision));
  ASSERT_TRUE(back);
  EXPECT_EQ(toJson(*back), toJson(decision));
}

// Runs of a known length begin only where they end in time, and what the end
// takes is kept back.
TEST(Race, TheBudgetHoldsWhereLengthsAreKnown) {
  int chosen = 0, ended = 0;
  for (double budget = 9; budget < 150; budget += 0.37)
    for (double base : {0.02, 0.7, 3.0}) {
      ScriptedTrack track = trackOf(base, {0.9 * base, 0.5 * base, 0.7 * base});
      track.aroundMs = 0.4;
      track.closeMs = 3;
      track.least = 0.2;
      track.scripts["row_parallel"].firstFactor = 1.05; // than which none is
      track.noise = 0.02;
      RaceOptions options;
      options.budgetMs = budget;
      options.spentMs = 1;
      options.reserveMs = 0.5;
      Decision decision = runRace(track, 3, options);
      ASSERT_LE(decision.budget.spentMs + options.reserveMs, budget)
          << toJson(decision);
      chosen += decision.schedule == nameOf(2);
      ended += decision.budget.ended;
    }
  EXPECT_GT(chosen, 1000);
  EXPECT_GT(ended, 50);
}

TEST(Race, ASlowSetUpLeavesOneStepOverTheBudgetAtMost) {
  for (double slow : {5.0, 20.0, 45.0, 80.0})
    for (int what = 0; what < 5; ++what) {
      ScriptedTrack track = trackOf(4, {3, 2, 1});
      Script &first = track.scripts[nameOf(1)];
      (what == 0   ? first.loadMs
       : what == 1 ? first.fixedPreparationMs
       : what == 2 ? track.layOutMs
       : what == 3 ? track.aroundMs
                   : track.closeMs) = slow;
      Decision decision = runRace(track, 3);
      // The baseline has to run, whatever that takes.
      double least = 4 + track.aroundMs + track.closeMs;
      EXPECT_LE(decision.budget.spentMs,
                std::max(decision.budget.limitMs, least) + track.longestUnknown)
          << slow << " " << what << toJson(decision);
      if (what >= 3) { // known from the baseline's run, or measured
        EXPECT_LE(decision.budget.spentMs,
                  std::max(decision.budget.limitMs, least))
            << slow << " " << what << toJson(decision);
      }
    }
}

TEST(Race, CandidatesThatTakeLongerThanEstimatedRunOnceOverTheBudget) {
  for (double slow : {6.0, 30.0, 49.0, 400.0}) {
    std::vector<double> times(6, slow);
    ScriptedTrack track = trackOf(4, times);
    for (double fraction : {0.0, 0.1, 1.0}) {
      ScriptedTrack own = track;
      RaceOptions options;
      options.fraction = fraction;
      Decision decision = runRace(own, 6, options);
      EXPECT_LE(decision.budget.spentMs, decision.budget.limitMs + slow)
          << toJson(decision);
      EXPECT_EQ(decision.schedule, "row_parallel");
    }
  }
}

TEST(Race, ADevicesRaceEndsInTimeAndFindsTheWinner) {
  int races = 0, best = 0;
  // As on a GPU: every measurement takes 0.2 ms, much is around it, and the
  // baseline's first run is a slow one.
  for (double base = 0.01; base < 100; base *= 1.23) {
    ScriptedTrack track = trackOf(base, {0.8 * base, 0.6 * base, 0.7 * base});
    for (auto &[name, script] : track.scripts) {
      script.loadMs = 0.6;
      script.fixedPreparationMs = 0.4;
      script.preparationMs = 0.1 * base;
      script.firstFactor = 1.15;
    }
    track.layOutMs = 3;
    track.aroundMs = 1.2;
    track.compareMs = 0.3;
    track.closeMs = 1.5;
    track.least = 0.2;
    track.noise = 0.01;
    RaceOptions options;
    options.spentMs = 0.5;
    options.reserveMs = 0.5;
    Decision decision = runRace(track, 3, options);
    EXPECT_LE(decision.budget.spentMs, decision.budget.limitMs) << base;
    // At 10 ms, where five runs are hardly more than 50 ms, there may be no
    // time for all of them; for one there is.
    EXPECT_NE(decision.schedule, "row_parallel") << base << toJson(decision);
    best += decision.schedule == nameOf(2);
    ++races;
  }
  EXPECT_GE(best, races - 2) << races;
}

TEST(Race, WhatTheBaselineTakesForASampleIsTheLeastItTakes) {
  // No time for a second run of the baseline, which took 28 ms once; whole, it
  // takes at least the 3 ms of the sample. The winner's only run says enough
  // where it takes less than those.
  RaceOptions options;
  options.budgetMs = 50;
  options.fraction = 1.0 / 64;
  auto raceOf = [&](double wholeMs) {
    ScriptedTrack track = trackOf(28, {wholeMs});
    track.scripts["row_parallel"].sampleFactor = 3 * 64.0 / 28;
    Decision decision = runRace(track, 1, options);
    EXPECT_LE(decision.budget.spentMs, options.budgetMs);
    EXPECT_EQ(track.runs["row_parallel"], 3) << "once on each course";
    return decision;
  };
  Decision fast = raceOf(2.5);
  EXPECT_EQ(fast.schedule, nameOf(1));
  EXPECT_FALSE(fast.guardrail->keptBaseline);
  EXPECT_DOUBLE_EQ(fast.guardrail->chosenMs, 2.5);
  EXPECT_TRUE(checkStorable(fast));
  Decision unclear = raceOf(3.5);
  EXPECT_EQ(unclear.schedule, "row_parallel");
  EXPECT_TRUE(unclear.guardrail->keptBaseline);
  EXPECT_TRUE(unclear.budget.ended);
}

TEST(Race, AColdRunOfTheBaselineIsNothingToBeBeaten) {
  // Of twice the baseline, there is no time for another run of it.
  ScriptedTrack track = trackOf(20, {25});
  track.scripts["row_parallel"].firstFactor = 2;
  track.scripts[nameOf(1)].sampleFactor = 0.1;
  RaceOptions options;
  options.budgetMs = 75;
  Decision decision = runRace(track, 1, options);
  EXPECT_EQ(decision.schedule, "row_parallel");
  EXPECT_TRUE(decision.guardrail->keptBaseline);
}

TEST(Race, AScoutKeepsThoseOutThatWouldNotEnd) {
  ScriptedTrack track = trackOf(400, {300, 4e4});
  Decision decision = runRace(track, 2);
  EXPECT_EQ(decision.schedule, nameOf(1));
  EXPECT_EQ(track.runs[nameOf(2)], 1);
  EXPECT_EQ(decision.candidates[1].samples, 0);
}

//===----------------------------------------------------------------------===//
// Ties
//===----------------------------------------------------------------------===//

// Handed case C13.
TEST(Race, NearTiesHaveTheSameWinnerInEveryProcess) {
  std::set<std::string> winners;
  for (unsigned process = 0; process < 20; ++process) {
    ScriptedTrack track = trackOf(20, {1, 1, 1});
    track.random.seed(process);
    track.noise = 0.01;
    track.scripts[nameOf(1)].injected = {10, 10.1, 9.9};
    track.scripts[nameOf(2)].injected = {10.05, 9.95, 10.02};
    track.scripts[nameOf(3)].injected = {14, 14.1, 13.9};
    for (auto &[name, script] : track.scripts)
      std::shuffle(script.injected.begin(), script.injected.end(),
                   track.random);
    RaceOptions options;
    options.fraction = 1;
    options.budgetMs = 2000;
    winners.insert(runRace(track, 3, options).schedule);
  }
  EXPECT_EQ(winners, std::set<std::string>{nameOf(1)});
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

TEST(Race, InvariantsHoldForRandomRaces) {
  std::mt19937 random(20);
  auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int kept = 0, replaced = 0, ended = 0, sampled = 0;
  for (int round = 0; round < 3000; ++round) {
    double base = std::exp(uniform(-5, 6));
    int count = 1 + static_cast<int>(random() % 8);
    std::vector<double> times;
    for (int i = 0; i < count; ++i)
      times.push_back(base * std::exp(uniform(-1.5, 1.5)));
    ScriptedTrack track = trackOf(base, times);
    track.noise = 0.01;
    track.random.seed(random());
    for (auto &[name, script] : track.scripts) {
      script.sampleFactor = std::exp(uniform(-1, 1));
      script.compileMs = uniform(0, 40);
      script.firstFactor = uniform(1, 3);
      script.loadMs = uniform(0, 2);
      if (name == "row_parallel")
        continue;
      script.preparationMs = random() % 3 ? 0 : uniform(0, 3 * base);
      switch (random() % 12) {
      case 0:
        script.wrong = "w";
        break;
      case 1:
        script.cannotEnter = "e";
        break;
      case 2:
        script.cannotRun = "r";
        break;
      case 3:
        script.wrong = "w";
        script.wrongOnWhole = true;
        break;
      default:
        break;
      }
    }
    RaceOptions options;
    if (random() % 2)
      options.budgetMs = std::exp(uniform(0, 7));
    options.expectedCalls = static_cast<int64_t>(random() % 100);
    if (random() % 2) {
      track.layOutMs = uniform(0, 5);
      track.compareMs = uniform(0, 2);
      track.aroundMs = uniform(0, 3);
      track.closeMs = uniform(0, 5);
      track.least = 0.2;
    }
    ScriptedTrack again = track;
    Result<Decision> decision = race(track, entries(count), {plain}, options);
    Result<Decision> repeated = race(again, entries(count), {plain}, options);
    ASSERT_EQ(static_cast<bool>(decision), static_cast<bool>(repeated));
    ASSERT_FALSE(track.misused);
    if (!decision) {
      ASSERT_NE(decision.error().find("differs from all"), std::string::npos);
      continue;
    }
    ASSERT_EQ(toJson(*decision), toJson(*repeated));
    ASSERT_TRUE(checkStorable(*decision)) << checkStorable(*decision).error();
    const Script &chosen = track.scripts.at(decision->schedule);
    ASSERT_TRUE(chosen.cannotEnter.empty() && chosen.cannotRun.empty());
    ASSERT_TRUE(chosen.wrong.empty()) << toJson(*decision);
    ASSERT_LE(chosen.ms, 1.02 * base) << toJson(*decision);
    // What the baseline needs to run once comes first, whatever the budget.
    const Script &plainScript = track.scripts.at("row_parallel");
    double least = plainScript.compileMs + plainScript.loadMs + track.aroundMs +
                   1.02 * plainScript.firstFactor * plainScript.ms +
                   track.closeMs;
    ASSERT_LE(decision->budget.spentMs,
              std::max(decision->budget.limitMs, least) + track.longestUnknown)
        << toJson(*decision);
    ASSERT_TRUE(track.isClosed);
    const BudgetRecord &b = decision->budget;
    ASSERT_NEAR(b.setupMs + b.runsMs + b.teardownMs, b.spentMs, 1e-6);
    kept += decision->guardrail->keptBaseline;
    replaced += !decision->guardrail->keptBaseline;
    ended += decision->budget.ended;
    sampled += track.share < 1;
  }
  // The cases above are all among them.
  EXPECT_GT(kept, 100);
  EXPECT_GT(replaced, 1000);
  EXPECT_GT(ended, 100);
  EXPECT_GT(sampled, 500);
}
