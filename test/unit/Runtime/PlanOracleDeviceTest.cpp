//===- PlanOracleDeviceTest.cpp - a device whose plans are decided --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator, which computes, with the word that it is a GPU and with a clock
// that the tests set: a launch takes so long, a call of cuSPARSE so long. What
// plans do on a real one is done here, but for the driver's own calls.
//
//===----------------------------------------------------------------------===//

#include "OracleSupport.h"

#include "autosage/Emulation/Simt.h"
#include "autosage/Runtime/Vendor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace autosage;
using namespace autosage::test;
using oracle::Decision;

namespace {
/// Milliseconds of the device, which only its work moves.
double deviceNow = 0;
double launchMs = 0.1, vendorMs = 1;
int64_t events = 0, liveEvents = 0, waitsForEvents = 0;
/// Events up to here have been passed.
double passed = HUGE_VAL;
bool launchesFail = false;

void pretendSpmm(const void *rowptr, const void *colind, const void *values,
                 const void *x, void *out, int64_t rows, int64_t cols,
                 int64_t nnz, int64_t features, int64_t xStride,
                 int64_t outStride, int32_t positionBytes,
                 int32_t coordinateBytes, int32_t dtype, int32_t outDtype,
                 int32_t algorithm, int32_t flags) noexcept {
  deviceNow += vendorMs;
  for (const autosage_simt_symbol *s = autosage_simt_symbols(); s->name; ++s)
    if (std::strcmp(s->name, "autosage_vendor_spmm") == 0)
      reinterpret_cast<decltype(&pretendSpmm)>(s->address)(
          rowptr, colind, values, x, out, rows, cols, nnz, features, xStride,
          outStride, positionBytes, coordinateBytes, dtype, outDtype, algorithm,
          flags);
}

/// A context on it; one at a time.
class Device {
public:
  CountingApi counting;
  std::vector<autosage_symbol> symbols;
  std::vector<std::string> warnings;
  ContextPtr context;

  /// With kernels in `folder` where that is not null.
  explicit Device(const char *folder = nullptr,
                  const char *compiler = nullptr) {
    deviceNow = 0;
    events = liveEvents = waitsForEvents = 0;
    launchMs = 0.1;
    vendorMs = 1;
    passed = HUGE_VAL;
    launchesFail = false;
    autosage_device_api &api = counting.api;
    api.get_info = [](autosage_device_info *info) {
      int32_t code = autosage_simt_device_api()->get_info(info);
      info->compute_capability = 90;
      info->multiprocessors = 4;
      return code;
    };
    counting.onLaunch = [] { deviceNow += launchMs; };
    api.event_record = []() -> void * {
      ++events;
      ++liveEvents;
      return new double(deviceNow);
    };
    api.event_elapsed = [](void *begin, void *end) {
      std::unique_ptr<double> from(static_cast<double *>(begin)),
          to(static_cast<double *>(end));
      liveEvents -= (from != nullptr) + (to != nullptr);
      if (!from || !to)
        return -1.0;
      waitsForEvents += *to > passed;
      return *to - *from;
    };
    api.event_query = [](void *event) {
      return int32_t{*static_cast<double *>(event) <= passed};
    };
    symbols.push_back(
        {"autosage_vendor_spmm", reinterpret_cast<void *>(&pretendSpmm)});
    for (const autosage_simt_symbol *s = autosage_simt_symbols(); s->name; ++s)
      symbols.push_back({s->name, s->address});
    symbols.push_back({nullptr, nullptr});
    autosage_context_options options =
        optionsFor(AUTOSAGE_TARGET_SIMT, &warnings);
    options.api = &api;
    options.symbols = symbols.data();
    if (folder)
      options.cache_dir = folder;
    if (compiler)
      options.compiler = compiler;
    context = makeContext(options);
  }
};

/// SpMM of rows of different lengths.
struct Workload : SpmmWorkload {
  explicit Workload(int64_t rows = 48, int64_t features = 8)
      : SpmmWorkload(rows, features, /*seed=*/3,
                     [](int64_t row, std::mt19937 &random) -> int64_t {
                       return row % 5 == 0 ? 9 : random() % 4;
                     }) {}
};

autosage_plan_options probeOptions(const char *cache = "") {
  auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, cache);
  options.probe_budget_ms = 60000; // of the host's clock, which is slow here
  return options;
}

void runAndCheck(const PlanPtr &plan, Workload &work) {
  std::fill(work.out.begin(), work.out.end(), NAN);
  autosage_operands c = toC(work.operands());
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  EXPECT_LE(work.error(), 1e-5);
}
} // namespace

TEST(PlanOracleDevice, WhatBeatsTheLibraryIsChosenByTheDevicesClock) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  Workload work;
  Device device;
  Operands ops = work.operands();
  SimtMemory memory(work.spec, ops);
  auto options = probeOptions(cache.c_str());
  PlanPtr plan;
  ASSERT_EQ(
      makePlan(device.context.get(), work.spec, ops, nullptr, plan, &options),
      AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  Decision d = decisionOf(plan);
  EXPECT_EQ(d.decidedBy, DecidedBy::probe) << d.reason;
  ASSERT_TRUE(d.baseline);
  EXPECT_EQ(d.baseline->name, "cusparse");
  EXPECT_EQ(d.baseline->schedule, "vendor, alg = 3");
  EXPECT_NEAR(d.baseline->ms, 1, 1e-9);
  ASSERT_EQ(d.candidates.size(), 3u);
  for (const oracle::CandidateRecord &c : d.candidates) {
    EXPECT_EQ(c.rejected, "") << c.schedule;
    EXPECT_GT(c.estimateMs, 0);
    // One launch or two.
    EXPECT_TRUE(std::fabs(c.probeMs - 0.1) < 1e-9 ||
                std::fabs(c.probeMs - 0.2) < 1e-9)
        << c.probeMs;
  }
  ASSERT_TRUE(d.guardrail && d.guardrail->decided);
  EXPECT_FALSE(d.guardrail->keptBaseline);
  EXPECT_LE(d.guardrail->chosenMs, 0.2 + 1e-9);
  EXPECT_TRUE(checkStorable(d));
  const oracle::BudgetRecord &budget = d.budget;
  EXPECT_GT(budget.setupMs, 0);
  EXPECT_GT(budget.runsMs, 0);
  EXPECT_GT(budget.teardownMs, 0);
  EXPECT_NEAR(budget.setupMs + budget.runsMs + budget.teardownMs,
              budget.spentMs, 1e-6);
  EXPECT_GT(events, 0);
  EXPECT_EQ(liveEvents, 0);
  EXPECT_TRUE(device.warnings.empty()) << device.warnings.front();
  for (float value : work.out)
    ASSERT_TRUE(std::isnan(value)) << "the caller's output was written";
  runAndCheck(plan, work);
  plan.reset();
  EXPECT_EQ(device.counting.counts.allocs, device.counting.counts.frees);
  // Remembered: nothing is measured, and the bits are the same.
  std::vector<float> first = work.out;
  int64_t before = events;
  options.oracle = AUTOSAGE_ORACLE_REPLAY;
  ASSERT_EQ(
      makePlan(device.context.get(), work.spec, ops, nullptr, plan, &options),
      AUTOSAGE_PLAN_OK);
  EXPECT_EQ(decisionOf(plan).decidedBy, DecidedBy::cache);
  EXPECT_EQ(decisionOf(plan).schedule, d.schedule);
  EXPECT_EQ(events, before);
  runAndCheck(plan, work);
  EXPECT_EQ(
      std::memcmp(first.data(), work.out.data(), first.size() * sizeof(float)),
      0);
}

TEST(PlanOracleDevice, TheLibraryStaysWhereItIsFaster) {
  Workload work;
  Device device;
  vendorMs = 0.05;
  Operands ops = work.operands();
  SimtMemory memory(work.spec, ops);
  auto options = probeOptions();
  PlanPtr plan;
  ASSERT_EQ(
      makePlan(device.context.get(), work.spec, ops, nullptr, plan, &options),
      AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  Decision d = decisionOf(plan);
  EXPECT_EQ(d.schedule, "vendor, alg = 3");
  EXPECT_TRUE(d.guardrail->keptBaseline);
  EXPECT_EQ(d.decidedBy, DecidedBy::probe);
  runAndCheck(plan, work);
}

// Neither a compiler nor a probe is needed where both caches have all.
TEST(PlanOracleDevice, AnotherContextCompilesNothing) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  std::string kernels = folder.path + "/kernels";
  Workload work;
  Operands ops = work.operands();
  SimtMemory memory(work.spec, ops);
  auto options = probeOptions(cache.c_str());
  std::string schedule;
  for (const char *compiler : {static_cast<const char *>(nullptr),
                               "/nowhere/libAutosageCompiler.so"}) {
    Device device(kernels.c_str(), compiler);
    PlanPtr plan;
    ASSERT_EQ(
        makePlan(device.context.get(), work.spec, ops, nullptr, plan, &options),
        AUTOSAGE_PLAN_OK)
        << autosage_plan_last_error();
    Decision d = decisionOf(plan);
    EXPECT_EQ(d.decidedBy, compiler ? DecidedBy::cache : DecidedBy::probe);
    if (compiler)
      EXPECT_EQ(d.schedule, schedule);
    schedule = d.schedule;
    runAndCheck(plan, work);
  }
}

// cuSPARSE has no mean.
TEST(PlanOracleDevice, WhereTheLibraryCannotItIsTheRuleThatIsToBeBeaten) {
  Workload work;
  work.spec.reduction = Reduction::mean;
  Device device;
  Operands ops = work.operands();
  SimtMemory memory(work.spec, ops);
  auto options = probeOptions();
  PlanPtr plan;
  ASSERT_EQ(
      makePlan(device.context.get(), work.spec, ops, nullptr, plan, &options),
      AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  Decision d = decisionOf(plan);
  ASSERT_TRUE(d.baseline);
  EXPECT_EQ(d.baseline->name, "rule");
  EXPECT_EQ(d.decidedBy, DecidedBy::probe);
  EXPECT_TRUE(device.warnings.empty()) << device.warnings.front();
}

// Of what a launch takes two walks have less than nine steps; a spec of the
// composed form has no others.
TEST(PlanOracleDevice, GradientsHaveToBeatTheComposedForm) {
  std::mt19937_64 engine(31);
  Csr csr = randomCsr({3, 9, 0, 2, 5, 1}, 8, engine);
  for (bool composed : {false, true}) {
    Device device;
    KernelSpec spec;
    spec.op = OpKind::attention_backward;
    spec.features = 8;
    spec.composed = composed;
    TestCall call(spec, csr, {8, 8, 1}, engine);
    TestCall drawn = call;
    Status status = call.run([&](const Operands &ops) -> Status {
      SimtMemory memory(spec, ops);
      auto options = probeOptions();
      PlanPtr plan;
      if (makePlan(device.context.get(), spec, ops, nullptr, plan, &options))
        return Error{autosage_plan_last_error()};
      Decision d = decisionOf(plan);
      EXPECT_EQ(d.decidedBy, DecidedBy::probe);
      EXPECT_TRUE(d.baseline && d.baseline->name == "composed" &&
                  d.baseline->schedule.find("attention = composed") !=
                      std::string::npos);
      EXPECT_EQ(d.schedule.find("attention = composed") != std::string::npos,
                composed)
          << d.schedule;
      autosage_operands c = toC(ops);
      if (autosage_plan_run(plan.get(), &c, nullptr))
        return Error{autosage_plan_last_error()};
      return Status::success();
    });
    ASSERT_TRUE(status) << status.error();
    std::vector<double> expected, lse;
    drawn.evaluate(expected, lse);
    for (const TestCall::OutputError &e : call.errors(expected, lse))
      EXPECT_TRUE(e.isSmall()) << e.name << ": " << e.error << " > " << e.bound;
  }
}

TEST(PlanOracleDevice, ASampleStaysOnTheDevice) {
  for (bool transpose : {false, true}) {
    Workload work(400, 4);
    work.spec.transpose = transpose;
    Device device;
    static int64_t largest, least;
    largest = 0;
    least = static_cast<int64_t>(work.colind.size()) * 4;
    device.counting.api.download = [](void *to, const void *from,
                                      int64_t bytes) {
      if (bytes == least)
        ++largest;
      autosage_simt_device_api()->download(to, from, bytes);
    };
    Operands ops = work.operands();
    SimtMemory memory(work.spec, ops);
    auto options = probeOptions();
    options.probe_fraction = 0.25;
    PlanPtr plan;
    ASSERT_EQ(
        makePlan(device.context.get(), work.spec, ops, nullptr, plan, &options),
        AUTOSAGE_PLAN_OK)
        << autosage_plan_last_error();
    Decision d = decisionOf(plan);
    EXPECT_EQ(d.decidedBy, DecidedBy::probe) << d.reason;
    for (const oracle::CandidateRecord &c : d.candidates)
      EXPECT_EQ(c.rejected, "") << c.schedule;
    // Columns are chosen on the host, which needs the entries.
    EXPECT_EQ(largest, transpose ? 1 : 0);
    if (!transpose)
      runAndCheck(plan, work);
    plan.reset();
    EXPECT_EQ(device.counting.counts.allocs, device.counting.counts.frees);
  }
}

TEST(PlanOracleDevice, WhatCannotLaunchIsNamedAndLeavesNothing) {
  Workload work;
  Device device;
  device.counting.api.launch_kernel =
      [](autosage_image *image, const char *kernel, int64_t, int64_t, int64_t,
         int64_t, int64_t, int64_t, int64_t, void *const *args, int64_t count) {
        // More threads in a block than there are.
        return autosage_simt_device_api()->launch_kernel(
            image, kernel, 1, 1, 1, 4096, 1, 1, 0, args, count);
      };
  Operands ops = work.operands();
  SimtMemory memory(work.spec, ops);
  auto options = probeOptions();
  PlanPtr plan;
  ASSERT_EQ(
      makePlan(device.context.get(), work.spec, ops, nullptr, plan, &options),
      AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  Decision d = decisionOf(plan);
  EXPECT_EQ(d.schedule, "vendor, alg = 3");
  for (const oracle::CandidateRecord &c : d.candidates)
    EXPECT_NE(c.rejected, "") << c.schedule;
  EXPECT_EQ(liveEvents, 0);
  runAndCheck(plan, work);
  plan.reset();
  EXPECT_EQ(device.counting.counts.allocs, device.counting.counts.frees);
  const char *message = nullptr;
  EXPECT_EQ(device.counting.api.take_error(&message), 0) << message;
}

//===----------------------------------------------------------------------===//
// Online
//===----------------------------------------------------------------------===//

TEST(PlanOracleDevice, AnOnlineGuardrailWaitsForNothing) {
  for (bool libraryWins : {false, true}) {
    Workload work;
    Device device;
    Operands ops = work.operands();
    SimtMemory memory(work.spec, ops);
    auto options = probeOptions();
    options.guardrail = AUTOSAGE_GUARDRAIL_ONLINE;
    options.deterministic = 0;
    PlanPtr plan;
    ASSERT_EQ(
        makePlan(device.context.get(), work.spec, ops, nullptr, plan, &options),
        AUTOSAGE_PLAN_OK)
        << autosage_plan_last_error();
    Decision open = decisionOf(plan);
    ASSERT_TRUE(open.guardrail);
    EXPECT_FALSE(open.guardrail->decided);
    if (libraryWins)
      vendorMs = 0.01;
    // The device is behind: nothing is known, and nobody waits.
    passed = deviceNow;
    for (int i = 0; i < 8; ++i)
      runAndCheck(plan, work);
    EXPECT_GT(liveEvents, 0);
    EXPECT_FALSE(decisionOf(plan).guardrail->decided);
    passed = HUGE_VAL;
    for (int i = 0; i < 60; ++i)
      runAndCheck(plan, work);
    EXPECT_EQ(waitsForEvents, 0);
    Decision decided = decisionOf(plan);
    ASSERT_TRUE(decided.guardrail->decided);
    EXPECT_EQ(decided.guardrail->keptBaseline, libraryWins);
    EXPECT_EQ(decided.schedule == decided.baseline->schedule, libraryWins);
    int64_t before = events;
    runAndCheck(plan, work);
    EXPECT_EQ(events, before) << "it is over";
    plan.reset();
    EXPECT_EQ(liveEvents, 0);
    EXPECT_EQ(device.counting.counts.allocs, device.counting.counts.frees);
  }
}

TEST(PlanOracleDevice, AnOnlineGuardrailMeasuresNothingUnderCapture) {
  Workload work;
  Device device;
  Operands ops = work.operands();
  SimtMemory memory(work.spec, ops);
  auto options = probeOptions();
  options.guardrail = AUTOSAGE_GUARDRAIL_ONLINE;
  options.deterministic = 0;
  PlanPtr plan;
  ASSERT_EQ(
      makePlan(device.context.get(), work.spec, ops, nullptr, plan, &options),
      AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  int64_t before = events;
  device.counting.capturing = true;
  for (int i = 0; i < 70; ++i)
    runAndCheck(plan, work);
  EXPECT_EQ(events, before);
  EXPECT_FALSE(decisionOf(plan).guardrail->decided);
  device.counting.capturing = false;
}

TEST(PlanOracleDevice, ADeterministicPlanDecidesBeforeItRuns) {
  Workload work;
  Device device;
  Operands ops = work.operands();
  SimtMemory memory(work.spec, ops);
  auto options = probeOptions();
  options.guardrail = AUTOSAGE_GUARDRAIL_ONLINE;
  PlanPtr plan;
  ASSERT_EQ(
      makePlan(device.context.get(), work.spec, ops, nullptr, plan, &options),
      AUTOSAGE_PLAN_OK);
  EXPECT_TRUE(decisionOf(plan).guardrail->decided);
}
