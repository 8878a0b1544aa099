//===- PlanTest.cpp - plans against the reference -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSupport.h"

#include "autosage/Runtime/PlanCpp.h"

#include <gtest/gtest.h>

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
