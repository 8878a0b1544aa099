//===- PlanTest.cpp - plans against the reference -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSupport.h"

#include "autosage/Runtime/PlanCpp.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace autosage;
using namespace autosage::test;

//===----------------------------------------------------------------------===//
// Every operation
//===----------------------------------------------------------------------===//

class PlanProperty
    : public testing::TestWithParam<std::tuple<uint32_t, size_t>> {};

TEST_P(PlanProperty, MatchesReference) {
  auto [target, index] = GetParam();
  Config config = planConfigs()[index];
  bool isSimt = target == AUTOSAGE_TARGET_SIMT;
  std::string schedule = isSimt ? gpuPlanSchedule(index) : "";
  if (!schedule.empty())
    config.spec.schedule = parseSchedule(schedule).value();
  CountingApi counting;
  autosage_context_options options = optionsFor(target);
  if (isSimt)
    options.api = &counting.api;
  ContextPtr context = makeContext(options);
  ASSERT_TRUE(context);
  expectMatchesReference(
      config,
      [&](const Operands &ops) -> Status {
        std::optional<SimtMemory> memory;
        if (isSimt)
          memory.emplace(config.spec, ops);
        PlanPtr plan;
        Operands own = ops;
        if (config.spec.composed)
          own.workspace = {}; // the plan brings it
        if (makePlan(context.get(), config.spec, own, nullptr, plan))
          return Error{autosage_plan_last_error()};
        int64_t before = counting.counts.preparing();
        autosage_operands c = toC(own);
        if (autosage_plan_run(plan.get(), &c, nullptr))
          return Error{autosage_plan_last_error()};
        if (counting.counts.preparing() != before)
          return Error{"a run asked the device for more than launches"};
        plan.reset();
        if (counting.counts.allocs != counting.counts.frees)
          return Error{"memory is left"};
        return Status::success();
      },
      planGraphs());
}

static std::string
propertyName(const testing::TestParamInfo<PlanProperty::ParamType> &info) {
  auto [target, index] = info.param;
  return std::string(target == AUTOSAGE_TARGET_SIMT ? "simt_" : "cpu_") +
         std::to_string(index) + "_" + nameOf(planConfigs()[index].spec);
}

INSTANTIATE_TEST_SUITE_P(
    All, PlanProperty,
    testing::Combine(testing::Values(uint32_t{AUTOSAGE_TARGET_CPU},
                                     uint32_t{AUTOSAGE_TARGET_SIMT}),
                     testing::Range(size_t{0}, planConfigs().size())),
    propertyName);

//===----------------------------------------------------------------------===//
// Transposed by the plan
//===----------------------------------------------------------------------===//

/// Runs a plan of the cpu for the call's operands twice; the second result
/// stays.
static Status runPlanTwice(const KernelSpec &spec, const Operands &ops,
                           std::string &explanation, int64_t &workspace,
                           const autosage_plan_options *options = nullptr) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  PlanPtr plan;
  if (makePlan(context.get(), spec, ops, nullptr, plan, options))
    return Error{autosage_plan_last_error()};
  explanation = autosage_plan_explain(plan.get());
  workspace = autosage_plan_workspace_bytes(plan.get());
  autosage_operands c = toC(ops);
  for (int i = 0; i < 2; ++i)
    if (autosage_plan_run(plan.get(), &c, nullptr))
      return Error{autosage_plan_last_error()};
  return Status::success();
}

namespace {
class PlanTransposed : public testing::TestWithParam<EdgeValues> {
protected:
  std::mt19937_64 engine{23};
  // More edges than one block of values, columns without entries, duplicates.
  Csr csr = randomCsr(std::vector<int64_t>(90, 120), 70, engine);
  KernelSpec spec;
  Widths widths;

  void SetUp() override {
    spec.transpose = true;
    spec.features = 5;
    spec.edgeValues = GetParam();
    if (spec.edgeValues == EdgeValues::perHead)
      spec.heads = 3;
    widths.features = 5;
    widths.heads = std::max<int64_t>(spec.heads, 1);
  }
};
} // namespace

/// Without room for the transposed pattern the kernel makes it, in every run.
TEST_P(PlanTransposed, TheBitsOfTheKernelThatTransposes) {
  autosage_plan_options little;
  autosage_plan_options_init(&little, sizeof little);
  little.workspace_limit = 4 * csr.nnz();
  for (DType dtype : {DType::f32, DType::f64, DType::bf16}) {
    spec.dtype = dtype;
    TestCall call(spec, csr, widths, engine), same = call;
    std::string explanation;
    int64_t workspace = 0;
    Status status = call.run([&](const Operands &ops) {
      return runPlanTwice(spec, ops, explanation, workspace, &little);
    });
    ASSERT_TRUE(status) << status.error();
    EXPECT_EQ(explanation.find("transposed by the plan"), std::string::npos);
    EXPECT_EQ(workspace, 0);
    status = same.run([&](const Operands &ops) {
      return runPlanTwice(spec, ops, explanation, workspace);
    });
    ASSERT_TRUE(status) << status.error();
    EXPECT_NE(explanation.find("transposed by the plan"), std::string::npos);
    EXPECT_GT(workspace, 4 * csr.nnz());
    std::vector<double> expected, lse;
    call.evaluate(expected, lse);
    EXPECT_LE(relativeError(call.out, expected),
              call.bounds(expected, lse).out);
    EXPECT_EQ(same.out, call.out);
  }
}

/// Runs take turns between two plans, each of which has the values of the edges
/// in an order of its own.
TEST_P(PlanTransposed, WithAnOnlineGuardrail) {
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.deterministic = 0;
  options.oracle = AUTOSAGE_ORACLE_PROBE;
  options.guardrail = AUTOSAGE_GUARDRAIL_ONLINE;
  options.decision_cache = "";
  TestCall call(spec, csr, widths, engine);
  std::vector<double> expected, lse;
  call.evaluate(expected, lse);
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  PlanPtr plan;
  for (int i = 0; i < 60; ++i) {
    std::fill(call.out.begin(), call.out.end(), NAN);
    Status status = call.run([&](const Operands &ops) -> Status {
      autosage_operands c = toC(ops);
      if ((!plan &&
           makePlan(context.get(), spec, ops, nullptr, plan, &options)) ||
          autosage_plan_run(plan.get(), &c, nullptr))
        return Error{autosage_plan_last_error()};
      return Status::success();
    });
    ASSERT_TRUE(status) << status.error();
    ASSERT_LE(relativeError(call.out, expected), call.bounds(expected, lse).out)
        << "run " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(EdgeValues, PlanTransposed,
                         testing::Values(EdgeValues::none, EdgeValues::perEdge,
                                         EdgeValues::column,
                                         EdgeValues::perHead));

TEST(PlanTransposedErrors, AnInvalidPatternIsRefused) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  SmallSpmm small;
  small.spec.transpose = true;
  small.colind[1] = 7;
  PlanPtr plan;
  EXPECT_EQ(
      makePlan(context.get(), small.spec, small.operands(), nullptr, plan),
      AUTOSAGE_PLAN_INVALID_PATTERN);
}

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

TEST(Plan, ExplainsItself) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_SIMT));
  SmallSpmm small;
  Operands ops = small.operands();
  SimtMemory memory(small.spec, ops);
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
      << autosage_plan_last_error();
  std::string text = autosage_plan_explain(plan.get());
  for (const char *part :
       {"op=spmm", "device simt", "pattern 2 x 2, nnz 3", "schedule row_group",
        "decided_by estimate (statistics known)", "validated yes",
        "workspace 0 bytes"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(Plan, AScheduleOfTheUserWins) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_SIMT));
  SmallSpmm small;
  small.spec.schedule = parseSchedule("row_tasks, chunk = 32").value();
  Operands ops = small.operands();
  SimtMemory memory(small.spec, ops);
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
      << autosage_plan_last_error();
  std::string text = autosage_plan_explain(plan.get());
  EXPECT_NE(text.find("schedule row_tasks, chunk = 32"), std::string::npos)
      << text;
  EXPECT_NE(text.find("decided_by user"), std::string::npos) << text;
  EXPECT_GT(autosage_plan_workspace_bytes(plan.get()), 0);
  autosage_operands c = toC(ops);
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0)
      << autosage_plan_last_error();
  EXPECT_EQ(small.out, (std::vector<float>{21, 30}));
}

TEST(Plan, SaysWhatMakingItTook) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  SmallSpmm small;
  small.spec.edgeValues = EdgeValues::column; // no other test's kernel
  small.spec.reduction = Reduction::max;
  Operands ops = small.operands();
  PlanPtr plans[2];
  autosage_plan_times times[2];
  for (int i : {0, 1}) {
    ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plans[i]), 0)
        << autosage_plan_last_error();
    autosage_plan_times_init(&times[i], sizeof times[i]);
    autosage_plan_get_times(plans[i].get(), &times[i]);
    EXPECT_GT(times[i].prepare_ms, 0);
    EXPECT_EQ(times[i].probe_ms, 0);
  }
  EXPECT_GT(times[0].compile_ms, times[0].prepare_ms);
  EXPECT_EQ(times[1].compile_ms, 0) << "the kernel was at hand";
  autosage_plan_get_times(nullptr, &times[0]);
  EXPECT_EQ(times[0].compile_ms + times[0].prepare_ms, 0);
}

TEST(Plan, ChoosesForTheVectorsOfTheNamedCpu) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  SmallSpmm small;
  std::vector<float> x(2 * 64), out(2 * 64);
  small.spec.features = 64;
  Operands ops = small.operands();
  ops.x = {x.data(), 2, 1, 64, 0};
  ops.out = {out.data(), 2, 1, 64, 0};
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  for (auto [bits, knob] : {std::pair(128, "vec = 4"), {256, "vec = 8"}}) {
    options.vector_bits = bits;
    PlanPtr plan;
    ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan, &options),
              0)
        << autosage_plan_last_error();
    std::string text = autosage_plan_explain(plan.get());
    EXPECT_NE(text.find(knob), std::string::npos) << text;
  }
}

TEST(Plan, OutlivesItsContext) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  SmallSpmm small;
  Operands ops = small.operands();
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
      << autosage_plan_last_error();
  context.reset();
  autosage_operands c = toC(ops);
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0)
      << autosage_plan_last_error();
  EXPECT_EQ(small.out, (std::vector<float>{21, 30}));
}

TEST(Plan, CppHandlesRunTheSame) {
  auto context =
      runtime::ContextHandle::create(optionsFor(AUTOSAGE_TARGET_CPU));
  ASSERT_TRUE(context) << context.error();
  SmallSpmm small;
  Operands ops = small.operands();
  autosage_operands c = toC(ops);
  auto plan = context->plan(toC(small.spec, ""), patternOf(ops.a), c);
  ASSERT_TRUE(plan) << plan.error();
  Status status = plan->run(c);
  ASSERT_TRUE(status) << status.error();
  EXPECT_EQ(small.out, (std::vector<float>{21, 30}));
  c.x.rows = 5;
  status = plan->run(c);
  EXPECT_FALSE(status);
  EXPECT_EQ(status.error(), "expects x to have 2 rows, got 5");
}
