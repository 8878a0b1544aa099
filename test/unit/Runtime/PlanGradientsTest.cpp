//===- PlanGradientsTest.cpp - plans of the gradients of attention --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a plan prepares once, and what its runs leave alone; that results are
// right is part of PlanProperty.
//
//===----------------------------------------------------------------------===//

#include "PlanSupport.h"

#include "autosage/Runtime/PlanCpp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstring>

using namespace autosage;
using namespace autosage::test;

static void *streamOf(int number) {
  return reinterpret_cast<void *>(static_cast<intptr_t>(number) * 0x1000);
}

static void expectNear(const TestCall &call, const TestCall &drawn) {
  std::vector<double> expected, lse;
  drawn.evaluate(expected, lse);
  for (const TestCall::OutputError &e : call.errors(expected, lse))
    EXPECT_TRUE(e.isSmall()) << e.name << ": " << e.error << " > " << e.bound;
}

namespace {
class Gradients : public testing::Test {
protected:
  std::mt19937_64 engine{29};
  // Columns without entries, empty rows, one longer than a chunk, duplicates.
  Csr csr = randomCsr({3, 90, 0, 5, 31}, 40, engine);
  CountingApi counting;
  ContextPtr simt, cpu;

  void SetUp() override {
    autosage_context_options options = optionsFor(AUTOSAGE_TARGET_SIMT);
    options.api = &counting.api;
    simt = makeContext(options);
    cpu = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
    ASSERT_TRUE(simt && cpu);
  }
  static KernelSpec specOf(Score score, const char *schedule = "") {
    KernelSpec spec;
    spec.op = OpKind::attention_backward;
    spec.score = score;
    spec.features = 8;
    spec.heads = 2;
    spec.edgeValues = EdgeValues::perEdge;
    spec.biasGradient = true;
    if (*schedule)
      spec.schedule = parseSchedule(schedule).value();
    return spec;
  }
  TestCall callOf(const KernelSpec &spec) {
    return TestCall(spec, csr, {8, 8, 2}, engine);
  }
};

class PlanGradients : public Gradients,
                      public testing::WithParamInterface<const char *> {};
class PlanGradientsOnce : public Gradients {};
} // namespace

TEST_P(PlanGradients, RunsBuildAndAllocateNothing) {
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    SCOPED_TRACE(toString(score));
    TestCall call = callOf(specOf(score, GetParam()));
    TestCall drawn = call;
    std::vector<double> first;
    Status status = call.run([&](const Operands &ops) -> Status {
      SimtMemory memory(call.spec, ops);
      PlanPtr plan;
      if (makePlan(simt.get(), call.spec, ops, streamOf(1), plan))
        return Error{autosage_plan_last_error()};
      EXPECT_GE(autosage_plan_workspace_bytes(plan.get()),
                (2 * csr.nnz() + csr.cols + 1) * 4)
          << "of the transposed pattern alone";
      int64_t before = counting.counts.preparing();
      autosage_operands c = toC(ops);
      counting.capturing = true; // a captured run is one like any other
      for (int i = 0; i < 3; ++i)
        if (autosage_plan_run(plan.get(), &c, streamOf(1)))
          return Error{autosage_plan_last_error()};
      counting.capturing = false;
      EXPECT_EQ(counting.counts.preparing(), before);
      plan.reset();
      EXPECT_EQ(counting.counts.allocs, counting.counts.frees);
      return Status::success();
    });
    ASSERT_TRUE(status) << status.error();
    expectNear(call, drawn);
  }
}

TEST_P(PlanGradients, StreamsShareTheTransposedPattern) {
  TestCall call = callOf(specOf(Score::dot, GetParam()));
  TestCall drawn = call;
  std::vector<float> results[2];
  Status status = call.run([&](const Operands &ops) -> Status {
    SimtMemory memory(call.spec, ops);
    PlanPtr plan;
    if (makePlan(simt.get(), call.spec, ops, streamOf(1), plan))
      return Error{autosage_plan_last_error()};
    int64_t builds = counting.counts.builds;
    EXPECT_GT(builds, 0);
    EXPECT_EQ(autosage_plan_prepare_stream(plan.get(), streamOf(2)), 0)
        << autosage_plan_last_error();
    EXPECT_EQ(counting.counts.builds, builds) << "built once";
    int64_t before = counting.counts.preparing();
    autosage_operands c = toC(ops);
    // The same bits from each stream and each run.
    for (int i = 0; i < 4; ++i) {
      auto *dq = static_cast<float *>(c.dq.data);
      int64_t all = (call.q.size() + call.k.size() + call.v.size());
      std::fill(dq, dq + all, NAN);
      if (autosage_plan_run(plan.get(), &c, streamOf(1 + i % 2)))
        return Error{autosage_plan_last_error()};
      results[i > 0].assign(dq, dq + all);
      EXPECT_EQ(std::memcmp(results[0].data(), results[i > 0].data(),
                            results[0].size() * sizeof(float)),
                0)
          << "run " << i;
    }
    EXPECT_EQ(counting.counts.preparing(), before);
    return Status::success();
  });
  ASSERT_TRUE(status) << status.error();
  expectNear(call, drawn);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, PlanGradients,
    testing::Values("row_group", "row_group, attention = composed",
                    "row_tasks, chunk = 32",
                    "row_tasks, chunk = 32, attention = composed"),
    [](const testing::TestParamInfo<const char *> &info) {
      std::string name;
      for (char c : std::string(info.param))
        name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
      return name;
    });

// It needs memory, and says so before the device is asked for any.
TEST_F(PlanGradientsOnce, CannotBeMadeUnderCapture) {
  TestCall call = callOf(specOf(Score::dot));
  counting.capturing = true;
  int64_t before = counting.counts.allocs;
  EXPECT_TRUE(call.run([&](const Operands &ops) -> Status {
    SimtMemory memory(call.spec, ops);
    PlanPtr plan;
    EXPECT_EQ(makePlan(simt.get(), call.spec, ops, streamOf(1), plan),
              AUTOSAGE_PLAN_NOT_PREPARED);
    EXPECT_NE(std::string(autosage_plan_last_error())
                  .find("call autosage_plan_create before the capture begins"),
              std::string::npos)
        << autosage_plan_last_error();
    return Status::success();
  }));
  EXPECT_EQ(counting.counts.allocs, before);
  counting.capturing = false;
}

// On the CPU the plan holds the transposed pattern; without room for it each
// run makes it, with the same bits.
TEST_F(PlanGradientsOnce, TheCpuTransposesOnce) {
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    SCOPED_TRACE(toString(score));
    TestCall call = callOf(specOf(score));
    TestCall drawn = call, without = call;
    int64_t bytes = (2 * csr.nnz() + csr.cols + 1) * 4;
    auto run = [&](TestCall &call, int64_t limit, bool holds) {
      autosage_plan_options options;
      autosage_plan_options_init(&options, sizeof options);
      options.workspace_limit = limit;
      Status status = call.run([&](const Operands &ops) -> Status {
        PlanPtr plan;
        if (makePlan(cpu.get(), call.spec, ops, nullptr, plan, &options))
          return Error{autosage_plan_last_error()};
        EXPECT_EQ(autosage_plan_workspace_bytes(plan.get()), holds ? bytes : 0);
        std::string text = autosage_plan_explain(plan.get());
        EXPECT_EQ(text.find("and transposed by the plan") != std::string::npos,
                  holds)
            << text;
        autosage_operands c = toC(ops);
        for (int i = 0; i < 2; ++i)
          if (autosage_plan_run(plan.get(), &c, nullptr))
            return Error{autosage_plan_last_error()};
        return Status::success();
      });
      ASSERT_TRUE(status) << status.error();
    };
    run(call, bytes, true);
    run(without, bytes - 1, false);
    EXPECT_EQ(call.out, without.out);
    expectNear(call, drawn);
  }
}

// Callers of version 2 have no operands of gradients, and are told so.
TEST_F(PlanGradientsOnce, OlderCallersHaveNoPlaceForGradients) {
  SmallSpmm small;
  Operands ops = small.operands();
  autosage_operands c = toC(ops);
  c.version = 2;
  c.struct_size = offsetof(autosage_operands, o);
  // What lies behind the struct is not the library's to read.
  c.o.rows = c.dq.rows = -7;
  autosage_pattern pattern = patternOf(ops.a);
  autosage_plan *made = nullptr;
  autosage_kernel_spec spec = toC(small.spec, "");
  ASSERT_EQ(autosage_plan_create(cpu.get(), &spec, &pattern, &c, nullptr,
                                 nullptr, &made),
            0)
      << autosage_plan_last_error();
  PlanPtr plan(made);
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), 0)
      << autosage_plan_last_error();
  EXPECT_EQ(small.out, (std::vector<float>{21, 30}));
  c.struct_size -= 1;
  EXPECT_EQ(autosage_plan_run(plan.get(), &c, nullptr),
            AUTOSAGE_PLAN_INVALID_ARGUMENT);

  KernelSpec gradients = specOf(Score::dot);
  gradients.heads = 0;
  spec = toC(gradients, "");
  c = autosage_operands();
  autosage_operands_init(&c, sizeof c);
  c.version = 2;
  c.struct_size = offsetof(autosage_operands, o);
  c.edge_values.rows = 3;
  c.q.rows = c.k.rows = c.v.rows = 2;
  c.q.width = c.k.width = c.v.width = 8;
  EXPECT_EQ(autosage_plan_create(cpu.get(), &spec, &pattern, &c, nullptr,
                                 nullptr, &made),
            AUTOSAGE_PLAN_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(autosage_plan_last_error()),
            "expects o to have 2 rows, got 0");
}

// Nothing to compute is legal, and gives zeros where there is something.
TEST_F(PlanGradientsOnce, EmptyGraphs) {
  for (auto [rows, cols] :
       {std::pair<int64_t, int64_t>(3, 4), {0, 4}, {3, 0}, {0, 0}})
    for (autosage_context *context : {cpu.get(), simt.get()}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols));
      csr = {rows, cols,
             IndexArray(std::vector<int32_t>(static_cast<size_t>(rows) + 1)),
             IndexArray(std::vector<int32_t>())};
      for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
        TestCall call = callOf(specOf(score));
        Status status = call.run([&](const Operands &ops) -> Status {
          SimtMemory memory(call.spec, ops);
          PlanPtr plan;
          autosage_operands c = toC(ops);
          if (makePlan(context, call.spec, ops, nullptr, plan) ||
              autosage_plan_run(plan.get(), &c, nullptr))
            return Error{autosage_plan_last_error()};
          return Status::success();
        });
        ASSERT_TRUE(status) << status.error();
        for (double value : call.out)
          EXPECT_EQ(value, 0) << toString(score);
      }
    }
}

TEST_F(PlanGradientsOnce, APlanTransposesByItself) {
  KernelSpec spec = specOf(Score::dot);
  TestCall call = callOf(spec);
  spec.transposeGiven = true;
  EXPECT_TRUE(call.run([&](const Operands &ops) -> Status {
    PlanPtr plan;
    EXPECT_EQ(makePlan(cpu.get(), spec, ops, nullptr, plan),
              AUTOSAGE_PLAN_INVALID_ARGUMENT);
    EXPECT_STREQ(autosage_plan_last_error(),
                 "expects no transposed pattern: the plan makes it");
    return Status::success();
  }));
}
