//===- OracleOnDeviceTest.cpp - decisions on a GPU ------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Skipped without a device, as PlanDeviceTest.cpp. Which schedule wins is the
// device's affair; that it is right, no slower than what it had to beat,
// remembered and repeated is not.
//
//===----------------------------------------------------------------------===//

#include "../Compiler/TestDevice.h"
#include "OracleSupport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <unistd.h>

using namespace autosage;
using namespace autosage::test;
using oracle::Decision;

static const autosage_device_api &api() { return *autosage_cuda_device_api(); }

namespace {
/// Random graphs with i32 indices: rows alike, hubs, empty rows, or few rows
/// that are long.
enum Kind { alike, hubs, holes, few };

Csr graphOf(Kind kind) {
  std::mt19937_64 engine(11 + kind);
  std::vector<int64_t> degrees;
  int64_t rows = kind == few ? 300 : 60000;
  for (int64_t i = 0; i < rows; ++i) {
    auto random = static_cast<int64_t>(engine() % 16);
    degrees.push_back(kind == alike   ? 16
                      : kind == hubs  ? (i % 2000 == 7 ? 20000 : random)
                      : kind == holes ? (i % 3 ? 0 : 3 * random)
                                      : 4000 + 10 * random);
  }
  std::vector<int32_t> rowptr = {0}, colind;
  for (int64_t degree : degrees) {
    for (; degree > 0; --degree)
      colind.push_back(static_cast<int32_t>(engine() % 60000));
    rowptr.push_back(static_cast<int32_t>(colind.size()));
  }
  return {rows, 60000, IndexArray(rowptr), IndexArray(colind)};
}

/// An operation on a graph with random operands, and its f64 result.
class Call {
public:
  KernelSpec spec;

  Call(OpKind op, const Csr &csr, int64_t width, bool transpose = false)
      : csr(csr), width(width),
        rowptr(api(), csr.rowptr.data(), (csr.rows + 1) * 4),
        colind(api(), csr.colind.data(), csr.nnz() * 4) {
    spec.op = op;
    spec.features = width;
    spec.transpose = transpose;
    std::mt19937 random(5);
    auto draw = [&](int64_t count) {
      std::vector<float> values(static_cast<size_t>(count));
      for (float &value : values)
        value = static_cast<float>(random() % 2001) / 1000 - 1;
      return values;
    };
    int64_t inRows = transpose ? csr.rows : csr.cols;
    outRows = op == OpKind::sddmm ? csr.nnz() : transpose ? csr.cols : csr.rows;
    outWidth = op == OpKind::sddmm ? 1 : width;
    if (op == OpKind::spmm) {
      spec.edgeValues = EdgeValues::perEdge;
      edges = draw(csr.nnz());
      deviceEdges = DeviceBuffer(api(), edges);
    } else {
      left = draw(csr.rows * width);
      deviceLeft = DeviceBuffer(api(), left);
    }
    right = draw(inRows * width);
    deviceRight = DeviceBuffer(api(), right);
    poison();
  }

  void poison() {
    out = DeviceBuffer(
        api(),
        std::vector<float>(static_cast<size_t>(outRows * outWidth), NAN));
  }
  bool isPoisoned() const {
    std::vector<float> got = out.download<float>();
    return std::all_of(got.begin(), got.end(),
                       [](float value) { return std::isnan(value); });
  }

  Operands operands() const {
    Operands ops;
    ops.a = {csr.rows,
             csr.cols,
             {rowptr.data(), csr.rows + 1, IndexType::i32},
             {colind.data(), csr.nnz(), IndexType::i32}};
    int64_t inRows = spec.transpose ? csr.rows : csr.cols;
    if (spec.op == OpKind::spmm) {
      ops.edgeValues = {deviceEdges.data(), csr.nnz(), 1, 1, 0};
      ops.x = {deviceRight.data(), inRows, 1, width, 0};
    } else {
      ops.q = {deviceLeft.data(), csr.rows, 1, width, 0};
      ops.k = {deviceRight.data(), csr.cols, 1, width, 0};
    }
    ops.out = {out.data(), outRows, 1, outWidth, 0};
    return ops;
  }

  std::vector<float> result() const { return out.download<float>(); }

  /// Of all elements.
  double error() const {
    std::vector<double> expected(static_cast<size_t>(outRows * outWidth), 0);
    for (int64_t i = 0; i < csr.rows; ++i)
      for (int64_t e = csr.rowptr[i]; e < csr.rowptr[i + 1]; ++e) {
        int64_t j = csr.colind[e];
        if (spec.op == OpKind::sddmm) {
          for (int64_t f = 0; f < width; ++f)
            expected[static_cast<size_t>(e)] +=
                static_cast<double>(left[static_cast<size_t>(i * width + f)]) *
                right[static_cast<size_t>(j * width + f)];
          continue;
        }
        int64_t to = spec.transpose ? j : i, from = spec.transpose ? i : j;
        for (int64_t f = 0; f < width; ++f)
          expected[static_cast<size_t>(to * width + f)] +=
              static_cast<double>(edges[static_cast<size_t>(e)]) *
              right[static_cast<size_t>(from * width + f)];
      }
    std::vector<float> got = result();
    double difference = 0, norm = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      difference += (got[i] - expected[i]) * (got[i] - expected[i]);
      norm += expected[i] * expected[i];
    }
    double relative = std::sqrt(difference / norm);
    return std::isnan(relative) ? HUGE_VAL : relative;
  }

private:
  const Csr &csr;
  const int64_t width;
  int64_t outRows, outWidth;
  DeviceBuffer rowptr, colind;
  std::vector<float> edges, left, right;
  DeviceBuffer deviceEdges, deviceLeft, deviceRight, out;
};

ContextPtr contextWith(const char *cache,
                       std::vector<std::string> *warnings = nullptr) {
  autosage_context_options options =
      optionsFor(AUTOSAGE_TARGET_NVPTX, warnings);
  options.cache_dir = cache;
  return makeContext(options);
}

/// Medians of both by turns, each sample of back-to-back runs.
std::pair<double, double> timesOf(const PlanPtr &a, const PlanPtr &b,
                                  const Call &call) {
  autosage_operands c = toC(call.operands());
  auto sample = [&](const PlanPtr &plan, int64_t runs) {
    void *begin = api().event_record();
    for (int64_t i = 0; i < runs; ++i)
      EXPECT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0);
    double ms = api().event_elapsed(begin, api().event_record());
    return ms / static_cast<double>(runs);
  };
  double first = std::max(sample(a, 5), sample(b, 5));
  auto runs = std::clamp<int64_t>(static_cast<int64_t>(1 / first), 1, 1000);
  std::vector<double> times[2];
  for (int i = 0; i < 15; ++i) {
    times[0].push_back(sample(a, runs));
    times[1].push_back(sample(b, runs));
  }
  for (auto &list : times)
    std::sort(list.begin(), list.end());
  return {times[0][7], times[1][7]};
}

class OracleOnDevice : public testing::Test {
protected:
  void SetUp() override {
    if (testGpu().chip.empty())
      GTEST_SKIP() << testGpu().missing;
  }
  void TearDown() override {
    if (!testGpu().chip.empty())
      EXPECT_TRUE(deviceStatus(api()));
  }
};
} // namespace

TEST_F(OracleOnDevice, TheGuardrailHolds) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  std::vector<std::string> warnings;
  ContextPtr context = contextWith("", &warnings);
  ASSERT_TRUE(context);
  for (Kind kind : {alike, hubs, holes, few})
    for (OpKind op : {OpKind::spmm, OpKind::sddmm})
      for (int64_t width : {32, 100, 128}) {
        SCOPED_TRACE(std::string(toString(op)) + " graph " +
                     std::to_string(kind) + " F " + std::to_string(width));
        Csr csr = graphOf(kind);
        Call call(op, csr, width);
        Operands ops = call.operands();
        auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, cache);
        // With every algorithm of cuSPARSE to be beaten, and without: results
        // of our own kernels are the same bits either way.
        options.deterministic = width == 100;
        PlanPtr plan, other, again;
        ASSERT_EQ(
            makePlan(context.get(), call.spec, ops, nullptr, plan, &options), 0)
            << autosage_plan_last_error();
        EXPECT_TRUE(call.isPoisoned())
            << "probing wrote to the caller's output";
        Decision d = decisionOf(plan);
        EXPECT_EQ(d.decidedBy, DecidedBy::probe) << d.reason;
        EXPECT_TRUE(checkStorable(d));
        ASSERT_TRUE(d.baseline && d.guardrail && d.guardrail->decided);
        bool isRule = options.deterministic && op == OpKind::spmm;
        EXPECT_EQ(d.baseline->name, isRule ? "rule" : "cusparse");
        for (const oracle::CandidateRecord &c : d.candidates) {
          EXPECT_EQ(c.rejected, "") << c.schedule;
          EXPECT_GT(c.estimateMs, 0);
        }
        autosage_operands c = toC(ops);
        ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0)
            << autosage_plan_last_error();
        EXPECT_LE(call.error(), 1e-5);
        std::vector<float> first = call.result();

        KernelSpec plain = call.spec;
        plain.schedule = *parseSchedule(d.baseline->schedule);
        auto given = oracleOptions(AUTOSAGE_ORACLE_RULE, "");
        given.deterministic = options.deterministic;
        ASSERT_EQ(makePlan(context.get(), plain, ops, nullptr, other, &given),
                  0)
            << autosage_plan_last_error();
        auto [chosenMs, baselineMs] = timesOf(plan, other, call);
        EXPECT_LE(chosenMs, 1.02 * baselineMs)
            << autosage_plan_explain(plan.get());

        // Replayed: the same schedule, and with it the same bits.
        call.poison();
        ops = call.operands();
        options.oracle = AUTOSAGE_ORACLE_REPLAY;
        ASSERT_EQ(
            makePlan(context.get(), call.spec, ops, nullptr, again, &options),
            0);
        EXPECT_EQ(decisionOf(again).decidedBy, DecidedBy::cache);
        EXPECT_EQ(decisionOf(again).schedule, d.schedule);
        c = toC(ops);
        ASSERT_EQ(autosage_plan_run(again.get(), &c, nullptr), 0);
        if (d.schedule.rfind("vendor", 0) != 0 || op == OpKind::sddmm)
          EXPECT_EQ(std::memcmp(call.result().data(), first.data(),
                                first.size() * sizeof(float)),
                    0);
        // In milliseconds, with 50 of them for the probe or five runs.
        autosage_plan_times times;
        autosage_plan_times_init(&times, sizeof times);
        autosage_plan_get_times(plan.get(), &times);
        RecordProperty("probe_ms", std::to_string(times.probe_ms));
        std::printf("%s %d F %lld: %.4f of %.4f ms, probe %.1f ms, %s\n",
                    std::string(toString(op)).c_str(), kind,
                    static_cast<long long>(width), chosenMs, baselineMs,
                    times.probe_ms, d.schedule.c_str());
      }
  EXPECT_TRUE(warnings.empty()) << warnings.front();
}

TEST_F(OracleOnDevice, ASampleDecidesAsWell) {
  ContextPtr context = contextWith("");
  for (bool transpose : {false, true}) {
    Csr csr = graphOf(alike);
    Call call(OpKind::spmm, csr, 64, transpose);
    auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, "");
    options.probe_fraction = 0.2;
    options.probe_budget_ms = 20000;
    Operands ops = call.operands();
    PlanPtr plan;
    ASSERT_EQ(makePlan(context.get(), call.spec, ops, nullptr, plan, &options),
              0)
        << autosage_plan_last_error();
    Decision d = decisionOf(plan);
    EXPECT_EQ(d.decidedBy, DecidedBy::probe) << d.reason;
    for (const oracle::CandidateRecord &c : d.candidates) {
      EXPECT_EQ(c.rejected, "") << c.schedule;
      EXPECT_GT(c.probeMs, 0) << c.schedule;
    }
    EXPECT_TRUE(call.isPoisoned());
    autosage_operands c = toC(ops);
    ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0);
    EXPECT_LE(call.error(), 1e-5);
  }
}

TEST_F(OracleOnDevice, AnEstimateMeasuresNothing) {
  ContextPtr context = contextWith("");
  Csr csr = graphOf(hubs);
  Call call(OpKind::spmm, csr, 64);
  auto options = oracleOptions(AUTOSAGE_ORACLE_ESTIMATE, "");
  Operands ops = call.operands();
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), call.spec, ops, nullptr, plan, &options), 0)
      << autosage_plan_last_error();
  Decision d = decisionOf(plan);
  EXPECT_EQ(d.decidedBy, DecidedBy::estimate);
  ASSERT_FALSE(d.candidates.empty());
  EXPECT_EQ(d.candidates.front().schedule, d.schedule);
  for (const oracle::CandidateRecord &c : d.candidates)
    EXPECT_EQ(c.probeMs, 0);
  autosage_operands c = toC(ops);
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0);
  EXPECT_LE(call.error(), 1e-5);
}

TEST_F(OracleOnDevice, AnOnlineGuardrailDecidesFromTheCallersRuns) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  ContextPtr context = contextWith("");
  Csr csr = graphOf(hubs);
  Call call(OpKind::sddmm, csr, 64);
  auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, cache);
  options.guardrail = AUTOSAGE_GUARDRAIL_ONLINE;
  options.deterministic = 0;
  Operands ops = call.operands();
  PlanPtr plan, again;
  ASSERT_EQ(makePlan(context.get(), call.spec, ops, nullptr, plan, &options), 0)
      << autosage_plan_last_error();
  autosage_operands c = toC(ops);
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0);
    if (i % 20 == 0)
      ASSERT_LE(call.error(), 1e-5);
  }
  api().synchronize();
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0);
  Decision d = decisionOf(plan);
  ASSERT_TRUE(d.guardrail);
  EXPECT_TRUE(d.guardrail->decided);
  ASSERT_EQ(makePlan(context.get(), call.spec, ops, nullptr, again, &options),
            0);
  EXPECT_EQ(decisionOf(again).decidedBy, DecidedBy::cache);
  EXPECT_EQ(decisionOf(again).schedule, d.schedule);
}

//===----------------------------------------------------------------------===//
// Another process
//===----------------------------------------------------------------------===//

static const char folderVariable[] = "AUTOSAGE_ORACLE_TEST_FOLDER";

/// One that no other test has: kernels that are at hand in the process are not
/// written to another folder.
static constexpr int64_t unusedWidth = 56;

TEST_F(OracleOnDevice, SecondProcess) {
  const char *folder = std::getenv(folderVariable);
  if (!folder)
    GTEST_SKIP() << "run by ASecondProcessMeasuresNothing";
  std::string kernels = std::string(folder) + "/kernels",
              cache = std::string(folder) + "/d.sqlite";
  autosage_context_options contextOptions = optionsFor(AUTOSAGE_TARGET_NVPTX);
  contextOptions.cache_dir = kernels.c_str();
  contextOptions.compiler = "/nowhere/libAutosageCompiler.so";
  ContextPtr context = makeContext(contextOptions);
  Csr csr = graphOf(hubs);
  Call call(OpKind::spmm, csr, unusedWidth);
  auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, cache);
  Operands ops = call.operands();
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), call.spec, ops, nullptr, plan, &options), 0)
      << autosage_plan_last_error();
  EXPECT_EQ(decisionOf(plan).decidedBy, DecidedBy::cache);
  autosage_plan_times times;
  autosage_plan_times_init(&times, sizeof times);
  autosage_plan_get_times(plan.get(), &times);
  EXPECT_EQ(times.probe_ms, 0);
  EXPECT_EQ(times.compile_ms, 0);
  autosage_operands c = toC(ops);
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0);
  EXPECT_LE(call.error(), 1e-5);
}

TEST_F(OracleOnDevice, ASecondProcessMeasuresNothing) {
  TempFolder folder;
  std::string kernels = folder.path + "/kernels",
              cache = folder.path + "/d.sqlite";
  ContextPtr context = contextWith(kernels.c_str());
  Csr csr = graphOf(hubs);
  Call call(OpKind::spmm, csr, unusedWidth);
  auto options = oracleOptions(AUTOSAGE_ORACLE_PROBE, cache);
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), call.spec, call.operands(), nullptr, plan,
                     &options),
            0)
      << autosage_plan_last_error();
  EXPECT_EQ(decisionOf(plan).decidedBy, DecidedBy::probe);
  char self[4096] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
  std::string command = std::string(folderVariable) + "='" + folder.path +
                        "' '" + self +
                        "' --gtest_filter=OracleOnDevice.SecondProcess "
                        "--gtest_output= --gtest_brief=1";
  unsetenv("GTEST_TOTAL_SHARDS");
  unsetenv("GTEST_SHARD_INDEX");
  EXPECT_EQ(std::system(command.c_str()), 0);
}
