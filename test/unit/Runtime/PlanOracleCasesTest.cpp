//===- PlanOracleCasesTest.cpp - handed cases of probing and replay -------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Those of the group cache-scheduling that are about every operation.
//
//===----------------------------------------------------------------------===//

#include "OracleSupport.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace autosage;
using namespace autosage::test;
using oracle::Decision;

namespace {
/// A plan that knows the caller's buffers while it is made.
PlanPtr planWithData(autosage_context *context, const KernelSpec &spec,
                     const Operands &operands,
                     const autosage_plan_options &options) {
  autosage_kernel_spec c = toC(spec, "");
  autosage_pattern pattern = patternOf(operands.a);
  autosage_operands data = toC(operands);
  autosage_plan *plan = nullptr;
  EXPECT_EQ(autosage_plan_create(context, &c, &pattern, &data, &options,
                                 nullptr, &plan),
            AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  return PlanPtr(plan);
}

/// G1 of the handed cases: 37 rows, 29 columns, unsorted, some rows empty.
Csr unsorted() {
  std::vector<int32_t> rowptr = {0}, colind;
  for (int i = 0; i < 37; ++i) {
    for (int e = 0; e < 7 * i % 11; ++e)
      colind.push_back((13 * i + 5 * e) % 29);
    rowptr.push_back(static_cast<int32_t>(colind.size()));
  }
  return {37, 29, IndexArray(rowptr), IndexArray(colind)};
}

/// Forward and backward of each operation.
std::vector<KernelSpec> everyOperation() {
  std::vector<KernelSpec> specs;
  auto add = [&](OpKind op, auto &&fill) {
    KernelSpec spec;
    spec.op = op;
    if (op != OpKind::row_softmax)
      spec.features = 33;
    fill(spec);
    specs.push_back(spec);
  };
  auto nothing = [](KernelSpec &) {};
  auto weighted = [](KernelSpec &s) { s.edgeValues = EdgeValues::perEdge; };
  add(OpKind::spmm, weighted);
  add(OpKind::spmm, [&](KernelSpec &s) {
    weighted(s);
    s.transpose = true;
  });
  add(OpKind::spmm, [](KernelSpec &s) { s.reduction = Reduction::max; });
  add(OpKind::sddmm, nothing);
  add(OpKind::sddmm, [](KernelSpec &s) {
    s.combine = Combine::add;
    s.features = dynamic;
    s.heads = 3;
  });
  add(OpKind::row_softmax, weighted);
  add(OpKind::attention, nothing);
  add(OpKind::attention, [](KernelSpec &s) {
    s.score = Score::gat;
    s.heads = 2;
    s.lse = true;
  });
  add(OpKind::attention_backward, nothing);
  add(OpKind::attention_backward, [&](KernelSpec &s) {
    weighted(s);
    s.score = Score::gatv2;
    s.heads = 2;
    s.biasGradient = true;
  });
  return specs;
}

struct Answer {
  Decision decision;
  double probeMs = 0;
  std::vector<double> out;
  bool isRight = false;
};

Answer ask(autosage_context *context, const KernelSpec &spec, uint32_t oracle,
           const char *cache) {
  Csr csr = unsorted();
  std::mt19937_64 engine(33);
  Widths widths;
  widths.features = widths.valueFeatures = 33;
  widths.heads = std::max<int64_t>(spec.heads, 1);
  TestCall call(spec, csr, widths, engine);
  Answer answer;
  auto options = oracleOptions(oracle, cache);
  Status status = call.run([&](const Operands &ops) -> Status {
    PlanPtr plan = planWithData(context, spec, ops, options);
    if (!plan)
      return Error{autosage_plan_last_error()};
    answer.decision = decisionOf(plan);
    autosage_plan_times times;
    autosage_plan_times_init(&times, sizeof times);
    autosage_plan_get_times(plan.get(), &times);
    answer.probeMs = times.probe_ms;
    autosage_operands c = toC(ops);
    if (autosage_plan_run(plan.get(), &c, nullptr))
      return Error{autosage_plan_last_error()};
    return Status::success();
  });
  EXPECT_TRUE(status) << (status ? "" : status.error());
  answer.out = call.out;
  std::vector<double> expected, expectedLse;
  call.evaluate(expected, expectedLse);
  answer.isRight = static_cast<bool>(status);
  for (const TestCall::OutputError &e : call.errors(expected, expectedLse))
    answer.isRight &= e.isSmall();
  return answer;
}

/// In a process of its own.
template <typename Fn> void inAnotherProcess(Fn &&fn) {
  pid_t child = fork();
  if (child == 0) {
    fn();
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
} // namespace

// Handed case C21.
TEST(PlanOracleCases, C21ReplayCoversEveryOperation) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite",
              empty = folder.path + "/none.sqlite";
  std::vector<KernelSpec> specs = everyOperation();
  std::vector<Answer> first;
  {
    ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
    for (const KernelSpec &spec : specs) {
      SCOPED_TRACE(textOf(spec));
      first.push_back(
          ask(context.get(), spec, AUTOSAGE_ORACLE_PROBE, cache.c_str()));
      EXPECT_EQ(first.back().decision.decidedBy, DecidedBy::probe);
      EXPECT_TRUE(first.back().isRight);
      for (const oracle::CandidateRecord &c : first.back().decision.candidates)
        EXPECT_EQ(c.rejected, "") << c.schedule;
    }
  }
  inAnotherProcess([&] {
    ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
    for (size_t i = 0; i < specs.size(); ++i) {
      SCOPED_TRACE(textOf(specs[i]));
      Answer again =
          ask(context.get(), specs[i], AUTOSAGE_ORACLE_REPLAY, cache.c_str());
      EXPECT_EQ(again.decision.decidedBy, DecidedBy::cache);
      EXPECT_EQ(again.decision.schedule, first[i].decision.schedule);
      EXPECT_EQ(again.probeMs, 0);
      EXPECT_EQ(again.out.size(), first[i].out.size());
      EXPECT_EQ(std::memcmp(again.out.data(), first[i].out.data(),
                            first[i].out.size() * sizeof(double)),
                0);
    }
  });
  inAnotherProcess([&] {
    std::vector<std::string> warnings;
    ContextPtr context =
        makeContext(optionsFor(AUTOSAGE_TARGET_CPU, &warnings));
    for (const KernelSpec &spec : specs) {
      SCOPED_TRACE(textOf(spec));
      Answer none =
          ask(context.get(), spec, AUTOSAGE_ORACLE_REPLAY, empty.c_str());
      EXPECT_EQ(none.decision.decidedBy, DecidedBy::fallback);
      EXPECT_NE(none.decision.reason.find("nothing was decided"),
                std::string::npos);
      EXPECT_EQ(none.probeMs, 0);
      EXPECT_TRUE(none.isRight);
    }
    EXPECT_FALSE(warnings.empty()) << "a miss is said, once in the same words";
    EXPECT_NE(access(empty.c_str(), F_OK), 0) << "nothing is stored";
  });
}

// Handed case C18: out += A x.
TEST(PlanOracleCases, C18AccumulatingRunsOnce) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  SmallSpmm small;
  small.rowptr = {0, 1, 2};
  small.colind = {0, 1};
  small.w = {2, 3};
  small.x = {1, 1};
  small.spec.accumulate = true;
  for (DecidedBy by : {DecidedBy::probe, DecidedBy::cache}) {
    small.out = {100, 100};
    Operands ops = small.operands();
    ops.a.colind.size = ops.edgeValues.rows = 2;
    PlanPtr plan =
        planWithData(context.get(), small.spec, ops,
                     oracleOptions(AUTOSAGE_ORACLE_PROBE, cache.c_str()));
    EXPECT_EQ(small.out, (std::vector<float>{100, 100}));
    EXPECT_EQ(decisionOf(plan).decidedBy, by);
    autosage_operands c = toC(ops);
    ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), AUTOSAGE_PLAN_OK);
    EXPECT_EQ(small.out, (std::vector<float>{102, 103}));
  }
}

// Handed case C18: the output of row_softmax is its input.
TEST(PlanOracleCases, C18SoftmaxInPlaceRunsOnce) {
  TempFolder folder;
  std::string cache = folder.path + "/d.sqlite";
  ContextPtr context = makeContext(optionsFor(AUTOSAGE_TARGET_CPU));
  Csr csr = unsorted();
  KernelSpec spec;
  spec.op = OpKind::row_softmax;
  spec.edgeValues = EdgeValues::perEdge;
  std::vector<float> scores;
  for (int64_t e = 0; e < csr.nnz(); ++e)
    scores.push_back(static_cast<float>(e * 7 % 23) / 5 - 2);
  std::vector<float> results[2];
  for (std::vector<float> &result : results) {
    std::vector<float> buffer = scores;
    Operands ops;
    ops.a = csr.view();
    ops.edgeValues = {buffer.data(), csr.nnz(), 1, 1, 0};
    ops.out = {buffer.data(), csr.nnz(), 1, 1, 0};
    PlanPtr plan =
        planWithData(context.get(), spec, ops,
                     oracleOptions(AUTOSAGE_ORACLE_PROBE, cache.c_str()));
    EXPECT_EQ(buffer, scores);
    autosage_operands c = toC(ops);
    ASSERT_EQ(autosage_plan_run(plan.get(), &c, nullptr), AUTOSAGE_PLAN_OK)
        << autosage_plan_last_error();
    result = buffer;
  }
  EXPECT_EQ(results[0], results[1]);
  for (int64_t i = 0; i < csr.rows; ++i) {
    double sum = 0;
    for (int64_t e = csr.rowptr[i]; e < csr.rowptr[i + 1]; ++e)
      sum += std::exp(static_cast<double>(scores[static_cast<size_t>(e)]));
    for (int64_t e = csr.rowptr[i]; e < csr.rowptr[i + 1]; ++e)
      EXPECT_NEAR(
          results[0][static_cast<size_t>(e)],
          std::exp(static_cast<double>(scores[static_cast<size_t>(e)])) / sum,
          1e-6);
  }
}
