//===- PlanErrorsTest.cpp - misuse of contexts and plans ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSupport.h"

#include "autosage/Compiler/CompilerC.h"

#include "autosage/Emulation/Simt.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <thread>

using namespace autosage;
using namespace autosage::test;

static void expectError(autosage_plan_status got, autosage_plan_status code,
                        const std::string &part) {
  EXPECT_EQ(got, code);
  std::string text = autosage_plan_last_error();
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

static void expectNoContext(const autosage_context_options &options,
                            autosage_plan_status code,
                            const std::string &part) {
  autosage_context *context = reinterpret_cast<autosage_context *>(8);
  expectError(autosage_context_create(&options, &context), code, part);
  EXPECT_EQ(context, nullptr);
}

TEST(ContextErrors, Options) {
  autosage_context *context = nullptr;
  expectError(autosage_context_create(nullptr, &context),
              AUTOSAGE_PLAN_INVALID_ARGUMENT,
              "expects options to be given, got null");
  autosage_context_options good = optionsFor(AUTOSAGE_TARGET_CPU);
  expectError(autosage_context_create(&good, nullptr),
              AUTOSAGE_PLAN_INVALID_ARGUMENT, "expects context to point");
  autosage_context_options bad = good;
  bad.version = AUTOSAGE_PLAN_VERSION + 1;
  expectNoContext(bad, AUTOSAGE_PLAN_UNSUPPORTED_VERSION,
                  "expects options of version 1 to 3, got 4");
  bad = good;
  bad.struct_size = 8;
  expectNoContext(bad, AUTOSAGE_PLAN_INVALID_ARGUMENT,
                  "expects struct_size of options to be at least");
  bad = good;
  bad.target = 3;
  expectNoContext(bad, AUTOSAGE_PLAN_INVALID_ARGUMENT,
                  "expects target to be below 3, got 3");
  bad = good;
  bad.device = 0;
  expectNoContext(bad, AUTOSAGE_PLAN_INVALID_ARGUMENT,
                  "expects device to be -1, or of nvptx a number, got 0");
  bad = good;
  bad.api = autosage_simt_device_api();
  expectNoContext(bad, AUTOSAGE_PLAN_INVALID_ARGUMENT,
                  "expects no api for the cpu, got one");
  bad = optionsFor(AUTOSAGE_TARGET_SIMT);
  bad.api = nullptr;
  expectNoContext(bad, AUTOSAGE_PLAN_INVALID_ARGUMENT,
                  "expects the emulator's api for simt");
  autosage_device_api older = *autosage_simt_device_api();
  older.struct_size = 16;
  bad.api = &older;
  expectNoContext(bad, AUTOSAGE_PLAN_UNSUPPORTED_VERSION,
                  "expects an api of version 1");
  bad = good;
  bad.cache_bytes = -1;
  expectNoContext(bad, AUTOSAGE_PLAN_INVALID_ARGUMENT,
                  "expects cache_bytes to be 0 or more, got -1");
  bad = good;
  bad.chip = "sm_90";
  expectNoContext(bad, AUTOSAGE_PLAN_INVALID_ARGUMENT,
                  "expects chip to be null but for nvptx, got 'sm_90'");
}

TEST(ContextErrors, AnOlderCallersStructIsShorter) {
  autosage_context_options options = optionsFor(AUTOSAGE_TARGET_CPU);
  options.version = 1;
  options.struct_size = offsetof(autosage_context_options, chip);
  // What lies behind it is the caller's affair.
  options.chip = "sm_90";
  EXPECT_NE(makeContext(options), nullptr);
}

TEST(ContextErrors, InitWritesNoMoreThanItIsGiven) {
  autosage_context_options options;
  std::memset(&options, 0x55, sizeof options);
  size_t known = offsetof(autosage_context_options, api);
  autosage_context_options_init(&options, known);
  EXPECT_EQ(options.struct_size, known);
  EXPECT_EQ(options.device, -1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(options.api), 0x5555555555555555u);
}

namespace {
/// Both targets that run here.
class PlanErrors : public testing::TestWithParam<uint32_t> {
protected:
  ContextPtr context = makeContext(optionsFor(GetParam()));
  SmallSpmm small;
  Operands ops = small.operands();
  SimtMemory memory{small.spec, ops};

  void expectNoPlan(const KernelSpec &spec, const Operands &operands,
                    autosage_plan_status code, const std::string &part,
                    const autosage_plan_options *options = nullptr) {
    PlanPtr plan;
    expectError(makePlan(context.get(), spec, operands, nullptr, plan, options),
                code, part);
    EXPECT_EQ(plan, nullptr);
  }
};
} // namespace

TEST_P(PlanErrors, Shapes) {
  Operands wrong = ops;
  wrong.x.rows = 3;
  expectNoPlan(small.spec, wrong, AUTOSAGE_PLAN_INVALID_ARGUMENT,
               "expects x to have 2 rows, got 3");
  wrong = ops;
  wrong.out.width = 2;
  expectNoPlan(small.spec, wrong, AUTOSAGE_PLAN_INVALID_ARGUMENT,
               "expects out to have 1 columns, got 2");
  wrong = ops;
  wrong.x.leadingDimension = 7;
  expectNoPlan(small.spec, wrong, AUTOSAGE_PLAN_INVALID_ARGUMENT,
               "expects x to be contiguous");
  wrong = ops;
  wrong.a.rows = -1;
  expectNoPlan(small.spec, wrong, AUTOSAGE_PLAN_INVALID_ARGUMENT, "rows");
  wrong = ops;
  wrong.a.rowptr.data = nullptr;
  expectNoPlan(small.spec, wrong, AUTOSAGE_PLAN_INVALID_ARGUMENT,
               "expects rowptr of the pattern, got a null pointer");
  wrong = ops;
  wrong.a.colind.data = nullptr;
  expectNoPlan(small.spec, wrong, AUTOSAGE_PLAN_INVALID_ARGUMENT,
               "expects colind of the pattern, got a null pointer");
}

TEST_P(PlanErrors, Specs) {
  KernelSpec bad = small.spec;
  bad.lse = true;
  expectNoPlan(bad, ops, AUTOSAGE_PLAN_INVALID_ARGUMENT,
               "expects lse only with attention, got spmm");
  autosage_kernel_spec c = toC(small.spec, "");
  c.op = 9;
  autosage_pattern pattern = patternOf(ops.a);
  autosage_operands shapes = toC(ops);
  autosage_plan *plan = nullptr;
  expectError(autosage_plan_create(context.get(), &c, &pattern, &shapes,
                                   nullptr, nullptr, &plan),
              AUTOSAGE_PLAN_INVALID_ARGUMENT, "expects op below 5, got 9");
  c = toC(small.spec, "");
  c.version = AUTOSAGE_COMPILER_VERSION + 1;
  expectError(autosage_plan_create(context.get(), &c, &pattern, &shapes,
                                   nullptr, nullptr, &plan),
              AUTOSAGE_PLAN_UNSUPPORTED_VERSION,
              "expects spec of version 1 to");
  c.version = AUTOSAGE_COMPILER_VERSION; // as the compile service fills it in
  ASSERT_EQ(autosage_plan_create(context.get(), &c, &pattern, &shapes, nullptr,
                                 nullptr, &plan),
            0)
      << autosage_plan_last_error();
  autosage_plan_destroy(plan);
  c = toC(small.spec, "");
  c.schedule = "no_such_family";
  expectError(autosage_plan_create(context.get(), &c, &pattern, &shapes,
                                   nullptr, nullptr, &plan),
              AUTOSAGE_PLAN_INVALID_ARGUMENT, "unknown schedule family");
  c.schedule = GetParam() == AUTOSAGE_TARGET_CPU ? "row_group" : "row_parallel";
  expectError(autosage_plan_create(context.get(), &c, &pattern, &shapes,
                                   nullptr, nullptr, &plan),
              AUTOSAGE_PLAN_INVALID_ARGUMENT, c.schedule);
  c = toC(small.spec, "");
  expectError(autosage_plan_create(nullptr, &c, &pattern, &shapes, nullptr,
                                   nullptr, &plan),
              AUTOSAGE_PLAN_INVALID_ARGUMENT, "expects context to be given");
  expectError(autosage_plan_create(context.get(), nullptr, &pattern, &shapes,
                                   nullptr, nullptr, &plan),
              AUTOSAGE_PLAN_INVALID_ARGUMENT, "expects spec to be given");
  expectError(autosage_plan_create(context.get(), &c, nullptr, &shapes, nullptr,
                                   nullptr, &plan),
              AUTOSAGE_PLAN_INVALID_ARGUMENT, "expects pattern to be given");
  EXPECT_EQ(plan, nullptr);
}

TEST_P(PlanErrors, PatternsAreValidatedUnlessTurnedOff) {
  small.rowptr[1] = 5;
  expectNoPlan(small.spec, ops, AUTOSAGE_PLAN_INVALID_PATTERN, "rowptr");
  small.rowptr[1] = 2;
  small.colind[2] = 2;
  expectNoPlan(small.spec, ops, AUTOSAGE_PLAN_INVALID_PATTERN,
               "column 2 is outside [0, 2)");
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.validate = 0;
  PlanPtr plan;
  EXPECT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan, &options),
            0)
      << autosage_plan_last_error();
  std::string text = autosage_plan_explain(plan.get());
  EXPECT_NE(text.find("validated no"), std::string::npos) << text;
}

TEST_P(PlanErrors, PlanOptions) {
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.validate = 2;
  expectNoPlan(small.spec, ops, AUTOSAGE_PLAN_INVALID_ARGUMENT,
               "expects validate and deterministic to be 0 or 1", &options);
  options.validate = 1;
  options.workspace_limit = -2;
  expectNoPlan(small.spec, ops, AUTOSAGE_PLAN_INVALID_ARGUMENT,
               "expects workspace_limit to be -1 or more, got -2", &options);
  options.workspace_limit = -1;
  options.vector_bits = -1;
  expectNoPlan(small.spec, ops, AUTOSAGE_PLAN_INVALID_ARGUMENT,
               "expects vector_bits to be 0 to 2048, got -1", &options);
}

TEST_P(PlanErrors, Runs) {
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
      << autosage_plan_last_error();
  autosage_operands c = toC(ops);
  expectError(autosage_plan_run(nullptr, &c, nullptr),
              AUTOSAGE_PLAN_INVALID_ARGUMENT, "expects plan to be given");
  expectError(autosage_plan_run(plan.get(), nullptr, nullptr),
              AUTOSAGE_PLAN_INVALID_ARGUMENT, "expects operands to be given");
  c.x.data = nullptr;
  expectError(autosage_plan_run(plan.get(), &c, nullptr),
              AUTOSAGE_PLAN_INVALID_ARGUMENT,
              "expects x to hold 2 elements, got a null pointer");
  c = toC(ops);
  c.out.data = c.x.data;
  expectError(autosage_plan_run(plan.get(), &c, nullptr),
              AUTOSAGE_PLAN_INVALID_ARGUMENT,
              "expects out and x to be apart, got overlapping memory");
  c = toC(ops);
  c.x.width = 2;
  expectError(autosage_plan_run(plan.get(), &c, nullptr),
              AUTOSAGE_PLAN_INVALID_ARGUMENT,
              "expects x to have 1 columns, got 2");
  c = toC(ops);
  c.struct_size = 16;
  expectError(autosage_plan_run(plan.get(), &c, nullptr),
              AUTOSAGE_PLAN_INVALID_ARGUMENT,
              "expects struct_size of operands to be at least");
  c = toC(ops);
  EXPECT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0);
  EXPECT_STREQ(autosage_plan_last_error(), "");
  EXPECT_EQ(small.out, (std::vector<float>{21, 30}));
}

TEST_P(PlanErrors, AWidthThatTheSpecLeavesOpenIsThePlans) {
  small.spec.features = dynamic;
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
      << autosage_plan_last_error();
  std::vector<float> wide(4), wideOut(4);
  Operands other = ops;
  other.x = {wide.data(), 2, 1, 2, 0};
  other.out = {wideOut.data(), 2, 1, 2, 0};
  autosage_operands c = toC(other);
  expectError(autosage_plan_run(plan.get(), &c, nullptr),
              AUTOSAGE_PLAN_INVALID_ARGUMENT,
              "expects x to have 1 columns, got 2");
}

TEST_P(PlanErrors, MessagesBelongToTheirThread) {
  expectError(autosage_plan_run(nullptr, nullptr, nullptr),
              AUTOSAGE_PLAN_INVALID_ARGUMENT, "expects plan");
  std::thread([] { EXPECT_STREQ(autosage_plan_last_error(), ""); }).join();
  EXPECT_STRNE(autosage_plan_last_error(), "");
}

TEST_P(PlanErrors, NullIsDestroyed) {
  autosage_plan_destroy(nullptr);
  autosage_context_destroy(nullptr);
  EXPECT_STREQ(autosage_plan_explain(nullptr), "");
  EXPECT_EQ(autosage_plan_workspace_bytes(nullptr), 0);
}

INSTANTIATE_TEST_SUITE_P(All, PlanErrors,
                         testing::Values(uint32_t{AUTOSAGE_TARGET_CPU},
                                         uint32_t{AUTOSAGE_TARGET_SIMT}),
                         [](const auto &info) {
                           return info.param == AUTOSAGE_TARGET_CPU ? "cpu"
                                                                    : "simt";
                         });

TEST(PlanErrorsSimt, WorkspaceLimits) {
  CountingApi counting;
  autosage_context_options contextOptions = optionsFor(AUTOSAGE_TARGET_SIMT);
  contextOptions.api = &counting.api;
  ContextPtr context = makeContext(contextOptions);
  SmallSpmm small;
  small.spec.transpose = true;
  Operands ops = small.operands();
  SimtMemory memory(small.spec, ops);
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
      << autosage_plan_last_error();
  int64_t bytes = autosage_plan_workspace_bytes(plan.get());
  ASSERT_GT(bytes, 0);
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.workspace_limit = bytes - 1;
  PlanPtr other;
  expectError(
      makePlan(context.get(), small.spec, ops, nullptr, other, &options),
      AUTOSAGE_PLAN_WORKSPACE_LIMIT,
      "expects a workspace of at most " + std::to_string(bytes - 1) +
          " bytes, got a plan that needs " + std::to_string(bytes));
  options.workspace_limit = bytes;
  EXPECT_EQ(makePlan(context.get(), small.spec, ops, nullptr, other, &options),
            0)
      << autosage_plan_last_error();
  autosage_operands c = toC(ops);
  EXPECT_EQ(autosage_plan_run(other.get(), &c, nullptr), 0);
  EXPECT_EQ(small.out, (std::vector<float>{1, 32}));
  plan.reset();
  other.reset();
  EXPECT_EQ(counting.counts.allocs, counting.counts.frees);
}

TEST(PlanErrorsSimt, DevicePatternsAreValidatedWhereTheyAre) {
  CountingApi counting;
  autosage_context_options options = optionsFor(AUTOSAGE_TARGET_SIMT);
  options.api = &counting.api;
  ContextPtr context = makeContext(options);
  SmallSpmm small;
  Operands ops = small.operands();
  SimtMemory memory(small.spec, ops);
  PlanPtr plan;
  small.spec.schedule = parseSchedule("row_group").value();
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
      << autosage_plan_last_error();
  EXPECT_EQ(counting.counts.validations, 1);
  EXPECT_EQ(counting.counts.stats, 0) << "the schedule is the caller's";
  small.spec.schedule.reset();
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0);
  EXPECT_EQ(counting.counts.validations, 2);
  EXPECT_EQ(counting.counts.stats, 1);
  small.colind[1] = -1;
  expectError(makePlan(context.get(), small.spec, ops, nullptr, plan),
              AUTOSAGE_PLAN_INVALID_PATTERN,
              "entry 1 (row 0): column -1 is outside [0, 2)");
  EXPECT_EQ(counting.counts.stats, 1);
  EXPECT_EQ(counting.counts.transfers, 0);
}

TEST(PlanErrorsSimt, MemoryThatTheDeviceDoesNotKnow) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_SIMT));
  SmallSpmm small;
  Operands ops = small.operands();
  PlanPtr plan;
  expectError(makePlan(context.get(), small.spec, ops, nullptr, plan),
              AUTOSAGE_PLAN_DEVICE_FAILED, "an address in no known buffer");
  std::optional<SimtMemory> memory(std::in_place, small.spec, ops);
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0)
      << autosage_plan_last_error();
  memory.reset();
  autosage_operands c = toC(ops);
  expectError(autosage_plan_run(plan.get(), &c, nullptr),
              AUTOSAGE_PLAN_DEVICE_FAILED, "spmm");
  const char *left = nullptr;
  EXPECT_EQ(autosage_simt_take_error(&left), 0)
      << "taken by the plan: " << left;
}

TEST(PlanErrorsSimt, AnOlderErrorOfTheThreadIsReportedAndNotLost) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_SIMT));
  SmallSpmm small;
  Operands ops = small.operands();
  SimtMemory memory(small.spec, ops);
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), small.spec, ops, nullptr, plan), 0);
  autosage_simt_device_alloc(-1);
  autosage_operands c = toC(ops);
  expectError(autosage_plan_run(plan.get(), &c, nullptr),
              AUTOSAGE_PLAN_DEVICE_FAILED,
              "an earlier call of this thread failed: device allocation "
              "expects a size of 0 or more bytes, got -1");
  EXPECT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0);
}

TEST(PlanErrorsCpu, StreamsAreForDevices) {
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  SmallSpmm small;
  Operands ops = small.operands();
  PlanPtr plan;
  expectError(makePlan(context.get(), small.spec, ops, &small, plan),
              AUTOSAGE_PLAN_INVALID_ARGUMENT,
              "expects stream to be null on the cpu, got one");
}
