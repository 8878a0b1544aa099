//===- EstimateTest.cpp - the analytic estimate and its ranks -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must hold whatever the constants are. How well ranks fit measurements is
// the business of bench/estimate_quality.py.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Estimate.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cmath>
#include <set>

using namespace autosage;

namespace {

InputStats uniform(int64_t rows, int64_t degree) {
  InputStats s;
  s.rows = s.cols = rows;
  s.nnz = rows * degree;
  s.mean = static_cast<double>(degree);
  s.max = s.p50 = s.p90 = s.p99 = s.p999 = degree;
  s.locality = 1;
  return s;
}

/// One row in a thousand has half of the entries.
InputStats hubs(int64_t rows, int64_t degree) {
  InputStats s = uniform(rows, degree);
  s.nnz *= 2;
  s.mean *= 2;
  s.max = 1000 * degree;
  s.hubFraction = 0.5;
  s.cv = std::sqrt(250.0);
  return s;
}

KernelSpec specOf(OpKind op, int64_t features, DType dtype = DType::f32) {
  KernelSpec spec;
  spec.op = op;
  spec.features = features;
  spec.dtype = dtype;
  return spec;
}

std::vector<DeviceFacts> allFacts() {
  std::vector<DeviceFacts> facts = {cpuFacts(1), cpuFacts(16)};
  for (const char *chip :
       {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"})
    facts.push_back(*gpuFacts(chip));
  return facts;
}

constexpr OpKind ops[] = {OpKind::spmm, OpKind::sddmm, OpKind::row_softmax,
                          OpKind::attention};

DeviceFacts h100() { return *gpuFacts("sm_90"); }

double ms(const DeviceFacts &facts, const KernelSpec &spec,
          const InputStats &stats, const char *text) {
  Result<Schedule> schedule = parseSchedule(text);
  EXPECT_TRUE(schedule) << schedule.error();
  return estimate(facts, spec, stats, *schedule).ms;
}

double bestMs(const DeviceFacts &facts, const KernelSpec &spec,
              const InputStats &stats) {
  return rankCandidates(facts, spec, stats, 1e6).front().estimate.ms;
}

TEST(DeviceFacts, OfChips) {
  for (const DeviceFacts &facts : allFacts()) {
    SCOPED_TRACE(facts.name);
    EXPECT_GT(facts.cacheBytes, 0);
    EXPECT_GT(facts.memoryBandwidth, 0);
    EXPECT_GT(facts.cacheBandwidth, facts.memoryBandwidth);
    EXPECT_GT(facts.launchUs, 0);
  }
  EXPECT_EQ(gpuFacts("sm_103")->name, gpuFacts("sm_100")->name);
  Result<DeviceFacts> unknown = gpuFacts("sm_1");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("unknown chip 'sm_1'"), std::string::npos);
}

TEST(Estimate, CandidatesAreValidDifferentAndSorted) {
  for (const DeviceFacts &facts : allFacts())
    for (OpKind op : ops)
      for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
        for (int64_t features : {1, 3, 31, 64, 100, 256, 602})
          for (int64_t heads : {0, 1, 4})
            for (const InputStats &stats :
                 {uniform(1000000, 16), hubs(200000, 8), uniform(10, 0)}) {
              KernelSpec spec = specOf(op, features, dtype);
              spec.heads = heads;
              auto ranked = rankCandidates(facts, spec, stats, 100);
              ASSERT_FALSE(ranked.empty());
              ASSERT_LE(ranked.size(), maxCandidates);
              Problem problem;
              problem.op = op;
              problem.dtype = dtype;
              problem.features = features;
              problem.heads = std::max<int64_t>(1, heads);
              problem.stats = stats;
              problem.scoreFeatures = features;
              std::set<std::string> texts;
              double before = 0;
              for (const RankedSchedule &r : ranked) {
                SCOPED_TRACE(std::string(toString(op)) + " " +
                             std::to_string(features) + " " + r.schedule.str());
                Status status =
                    verifyForTarget(r.schedule, facts.target, problem);
                ASSERT_TRUE(status) << status.error();
                ASSERT_TRUE(texts.insert(r.schedule.str()).second);
                ASSERT_TRUE(std::isfinite(r.costMs));
                ASSERT_GT(r.costMs, 0);
                ASSERT_GE(r.costMs, before);
                ASSERT_GE(r.costMs, r.estimate.ms);
                // What is ranked is what the schedule's text is estimated at.
                ASSERT_DOUBLE_EQ(estimate(facts, spec, stats, r.schedule).ms,
                                 r.estimate.ms);
                before = r.costMs;
              }
            }
}

TEST(Estimate, MoreWorkTakesLonger) {
  for (const DeviceFacts &facts : allFacts())
    for (OpKind op : ops) {
      SCOPED_TRACE(facts.name + " " + std::string(toString(op)));
      KernelSpec narrow = specOf(op, 32), wide = specOf(op, 256);
      double small = bestMs(facts, narrow, uniform(100000, 16));
      EXPECT_GT(bestMs(facts, narrow, uniform(100000, 64)), small);
      EXPECT_GT(bestMs(facts, narrow, uniform(400000, 16)), small);
      if (op != OpKind::row_softmax) {
        EXPECT_GT(bestMs(facts, wide, uniform(100000, 16)), small);
      }
    }
}

TEST(Estimate, SharedColumnsSaveMemory) {
  for (const DeviceFacts &facts : allFacts()) {
    SCOPED_TRACE(facts.name);
    KernelSpec spec = specOf(OpKind::spmm, 128);
    InputStats far = uniform(4000000, 16), near = far;
    near.locality = 4;
    Schedule schedule = rankCandidates(facts, spec, far, 1).front().schedule;
    Estimate a = estimate(facts, spec, far, schedule);
    Estimate b = estimate(facts, spec, near, schedule);
    EXPECT_LT(b.bytes, a.bytes);
    EXPECT_LT(b.ms, a.ms);
  }
}

TEST(Estimate, AnOperandThatFitsTheCacheCostsNoMemory) {
  DeviceFacts facts = h100();
  Estimate small = estimate(facts, specOf(OpKind::spmm, 32), uniform(20000, 16),
                            *parseSchedule("row_group"));
  EXPECT_EQ(small.bytes, 0);
  Estimate large = estimate(facts, specOf(OpKind::spmm, 32),
                            uniform(4000000, 16), *parseSchedule("row_group"));
  EXPECT_GT(large.bytes, 0.5 * 4000000 * 16 * 32 * 4);
}

TEST(Estimate, HubsAreCut) {
  for (OpKind op : {OpKind::spmm, OpKind::sddmm, OpKind::attention}) {
    KernelSpec spec = specOf(op, 64);
    InputStats stats = hubs(200000, 8);
    EXPECT_LT(ms(h100(), spec, stats, "row_tasks, chunk = 256"),
              0.5 * ms(h100(), spec, stats, "row_group"));
    EXPECT_EQ(rankCandidates(h100(), spec, stats, 1e6).front().schedule.family,
              "row_tasks");
    EXPECT_LT(ms(cpuFacts(16), spec, hubs(2000, 8), "nnz_parallel"),
              ms(cpuFacts(16), spec, hubs(2000, 8), "row_parallel"));
  }
}

// Scores that pass through memory cost more than those that do not; both forms
// are candidates.
TEST(Estimate, FusedAttentionMovesLess) {
  KernelSpec spec = specOf(OpKind::attention, 64);
  InputStats stats = uniform(100000, 16);
  auto of = [&](const char *text) {
    return estimate(h100(), spec, stats, *parseSchedule(text));
  };
  Estimate fused = of("row_group"),
           composed = of("row_group, attention = composed");
  EXPECT_LT(fused.ms, composed.ms);
  EXPECT_LT(fused.breakdown.launchMs, composed.breakdown.launchMs);
  EXPECT_LT(fused.breakdown.cacheMs, composed.breakdown.cacheMs);
  size_t fusedForms = 0, composedForms = 0;
  for (const RankedSchedule &r : rankCandidates(h100(), spec, stats, 1e6))
    ++(r.schedule.getWord("attention") == "fused" ? fusedForms : composedForms);
  EXPECT_GT(fusedForms, 0u);
  EXPECT_GT(composedForms, 0u);
}

TEST(Estimate, PreparationHasToPay) {
  KernelSpec spec = specOf(OpKind::spmm, 64);
  InputStats stats = uniform(1000000, 16);
  EXPECT_EQ(rankCandidates(h100(), spec, stats, 1).front().schedule.family,
            "row_group");
  // Cutting hubs pays at once; no order by locality for a single call.
  for (const RankedSchedule &r :
       rankCandidates(h100(), spec, hubs(1000000, 8), 1))
    EXPECT_EQ(r.schedule.str().find("locality"), std::string::npos);
}

TEST(Estimate, ALongRowShowsInTheTail) {
  KernelSpec spec = specOf(OpKind::spmm, 64);
  Schedule group = *parseSchedule("row_group");
  Estimate even = estimate(h100(), spec, uniform(200000, 16), group);
  Estimate skewed = estimate(h100(), spec, hubs(200000, 8), group);
  EXPECT_GT(skewed.breakdown.tailMs, 10 * even.breakdown.tailMs);
  Estimate short1 = estimate(h100(), spec, hubs(200000, 8),
                             *parseSchedule("row_tasks, chunk = 64"));
  Estimate long1 = estimate(h100(), spec, hubs(200000, 8),
                            *parseSchedule("row_tasks, chunk = 1024"));
  EXPECT_LT(short1.breakdown.tailMs, long1.breakdown.tailMs);
}

TEST(Estimate, IsTheSameEachTime) {
  KernelSpec spec = specOf(OpKind::attention, 64);
  for (const DeviceFacts &facts : allFacts()) {
    auto a = rankCandidates(facts, spec, hubs(200000, 8), 10);
    auto b = rankCandidates(facts, spec, hubs(200000, 8), 10);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].schedule.str(), b[i].schedule.str());
      EXPECT_EQ(a[i].costMs, b[i].costMs);
    }
  }
}

// 100 us is the goal, of a build with optimisation on a quiet machine; the best
// of many keeps a busy one out of it.
TEST(Estimate, RanksInMicroseconds) {
  using Clock = std::chrono::steady_clock;
  KernelSpec spec = specOf(OpKind::attention, 256);
  for (const DeviceFacts &facts : allFacts()) {
    double best = 1e9;
    for (int i = 0; i < 200; ++i) {
      auto start = Clock::now();
      size_t count = rankCandidates(facts, spec, hubs(2000000, 8), 100).size();
      std::chrono::duration<double, std::micro> time = Clock::now() - start;
      best = std::min(best, time.count());
      ASSERT_GT(count, 3u);
    }
    RecordProperty("us_" + facts.name, std::to_string(best));
    double limit = 100;
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    limit = 2000; // instrumented
#endif
#endif
    EXPECT_LT(best, limit) << facts.name;
  }
}

} // namespace
