//===- ThreadsTest.cpp - kernels in several threads -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One kernel gives the same bits with any number of threads, and work is shared
// out as its family says.
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "TestKernel.h"
#include "autosage/Runtime/Runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

namespace {
struct Case {
  const char *name;
  KernelSpec spec;
  Widths widths;
};

/// Replaces the way loops run; the runtime's comes back at the end.
struct HostLoops {
  HostLoops(autosage_parallel_for_fn fn, void *data) {
    autosage_set_parallel_for(fn, data);
  }
  ~HostLoops() { autosage_set_parallel_for(nullptr, nullptr); }
};
} // namespace

/// Large enough for many iterations: 1500 rows, of which one has a third of the
/// edges, one a tenth, and some hundred at the end none.
static Csr skewedGraph() {
  std::mt19937_64 engine(3);
  std::vector<int64_t> degrees(1500);
  for (size_t i = 0; i < 1400; ++i)
    degrees[i] = static_cast<int64_t>(engine() % 20);
  degrees[0] = 2000;
  degrees[700] = 7001;
  return randomCsr(degrees, 900, engine);
}

static std::vector<Case> cases() {
  std::vector<Case> all;
  for (Reduction r :
       {Reduction::sum, Reduction::mean, Reduction::max, Reduction::min}) {
    KernelSpec spec;
    spec.reduction = r;
    spec.features = 67;
    spec.edgeValues = EdgeValues::perEdge;
    all.push_back({"spmm", spec, {67, 1, 1}});
  }
  KernelSpec heads;
  heads.heads = dynamic;
  heads.edgeValues = EdgeValues::perHead;
  heads.dtype = DType::f64;
  heads.accumulate = true;
  all.push_back({"spmm_heads_accumulate", heads, {31, 1, 3}});
  KernelSpec transpose;
  transpose.features = 64;
  transpose.transpose = true;
  all.push_back({"spmm_transpose", transpose, {64, 1, 1}});

  KernelSpec sddmm;
  sddmm.op = OpKind::sddmm;
  sddmm.features = 64;
  all.push_back({"sddmm", sddmm, {64, 1, 1}});

  KernelSpec softmax;
  softmax.op = OpKind::row_softmax;
  softmax.edgeValues = EdgeValues::perEdge;
  all.push_back({"row_softmax", softmax, {1, 1, 1}});
  softmax.edgeValues = EdgeValues::perHead;
  softmax.heads = dynamic;
  all.push_back({"row_softmax_heads", softmax, {1, 1, 19}});

  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    KernelSpec attention;
    attention.op = OpKind::attention;
    attention.score = score;
    attention.features = 24;
    attention.valueFeatures = 33;
    attention.heads = 3;
    attention.scale = 0.25;
    attention.lse = true;
    all.push_back({"attention", attention, {24, 33, 3}});
  }
  return all;
}

static bool sameBits(const std::vector<double> &a,
                     const std::vector<double> &b) {
  return a.size() == b.size() &&
         (a.empty() ||
          std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

//===----------------------------------------------------------------------===//
// The number of threads
//===----------------------------------------------------------------------===//

class Threads : public testing::TestWithParam<const char *> {};

TEST_P(Threads, DoNotChangeABit) {
  std::mt19937_64 engine(17);
  Csr graph = skewedGraph();
  int loopsOfMany = 0;
  for (Case c : cases()) {
    c.spec.schedule = *parseSchedule(GetParam());
    SCOPED_TRACE(c.name);
    auto kernel = compileCpu(c.spec);
    ASSERT_TRUE(kernel) << kernel.error();
    TestCall call(c.spec, graph, c.widths, engine);
    std::vector<double> initial = call.out, expected, expectedLse;
    call.evaluate(expected, expectedLse);

    // How many iterations the loops have.
    auto counting = [](void *data, int64_t count, autosage_loop_body body,
                       void *context) {
      *static_cast<int *>(data) += count > 3;
      body(context, 0, count);
    };
    int before = loopsOfMany;
    std::vector<double> out, lse;
    {
      HostLoops host(counting, &loopsOfMany);
      ASSERT_TRUE(call.run(**kernel));
      out = call.out;
      lse = call.lse;
    }
    EXPECT_GT(loopsOfMany, before) << "nothing to share out";
    TestCall::Bounds bounds = call.bounds(expected, expectedLse);
    EXPECT_LE(relativeError(out, expected), bounds.out);
    EXPECT_LE(relativeError(lse, expectedLse), bounds.lse);
    for (int32_t threads : {1, 2, 3, 7}) {
      autosage_set_num_threads(threads);
      for (int round = 0; round < 5; ++round) {
        call.out = initial;
        ASSERT_TRUE(call.run(**kernel));
        EXPECT_TRUE(sameBits(call.out, out)) << threads << " threads";
        EXPECT_TRUE(sameBits(call.lse, lse)) << threads << " threads";
      }
    }
    autosage_set_num_threads(0);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Threads,
                         testing::Values("row_parallel, grain = 1",
                                         "nnz_parallel",
                                         "nnz_parallel, parts = 64",
                                         "nnz_parallel, parts = 5"),
                         [](const testing::TestParamInfo<const char *> &info) {
                           std::string name;
                           for (char c : std::string(info.param))
                             if (std::isalnum(c))
                               name += c;
                           return name;
                         });

TEST(SmallProblems, RunInTheCallersThread) {
  // The cut-off: a loop of one iteration never reaches the host's threads.
  std::mt19937_64 engine(19);
  Csr graph = randomCsr(std::vector<int64_t>(100, 5), 100, engine);
  auto counting = [](void *data, int64_t count, autosage_loop_body body,
                     void *context) {
    ++*static_cast<int *>(data);
    body(context, 0, count);
  };
  for (const char *schedule : {"row_parallel, grain = 1", "nnz_parallel"}) {
    KernelSpec spec;
    spec.schedule = *parseSchedule(schedule);
    auto kernel = compileCpu(spec);
    ASSERT_TRUE(kernel) << kernel.error();
    int loops = 0;
    HostLoops host(counting, &loops);
    TestCall small(spec, graph, {16, 1, 1}, engine);
    ASSERT_TRUE(small.run(**kernel));
    EXPECT_EQ(loops, 0) << schedule;
    TestCall large(spec, graph, {4096, 1, 1}, engine);
    ASSERT_TRUE(large.run(**kernel));
    EXPECT_GT(loops, 0) << schedule;
  }
}

//===----------------------------------------------------------------------===//
// nnz_parallel
//===----------------------------------------------------------------------===//

namespace {
/// Runs one iteration of every loop, and says how many there were.
struct OneIteration {
  int64_t number, count = 0;

  static void parallelFor(void *data, int64_t count, autosage_loop_body body,
                          void *context) {
    auto *one = static_cast<OneIteration *>(data);
    one->count = count;
    body(context, one->number, one->number + 1);
  }
};
} // namespace

TEST(NnzParallel, PartsHaveEqualNumbersOfEdgesWhateverTheSkew) {
  std::mt19937_64 engine(23);
  std::vector<int64_t> uniform(3000, 8), hub(3000, 4), atEnd(3000, 0);
  hub[1200] = 12000;
  atEnd.back() = 24000;
  for (const auto &degrees : {uniform, hub, atEnd}) {
    KernelSpec spec;
    spec.op = OpKind::sddmm;
    spec.schedule = *parseSchedule("nnz_parallel, parts = 10");
    auto kernel = compileCpu(spec);
    ASSERT_TRUE(kernel) << kernel.error();
    TestCall call(spec, randomCsr(degrees, 500, engine), {4, 1, 1}, engine);
    double items = static_cast<double>(call.csr.nnz() + call.csr.rows);
    int64_t total = 0;
    for (int64_t part = 0; part < 10; ++part) {
      std::fill(call.out.begin(), call.out.end(), std::nan(""));
      OneIteration one{part};
      HostLoops host(OneIteration::parallelFor, &one);
      ASSERT_TRUE(call.run(**kernel));
      EXPECT_EQ(one.count, 10);
      int64_t edges = std::count_if(call.out.begin(), call.out.end(),
                                    [](double v) { return !std::isnan(v); });
      // A short row, an eighth of a part, may go to the next part.
      EXPECT_LE(edges, items / 10 * (1 + 1.0 / 8) + 1) << part;
      total += edges;
    }
    EXPECT_EQ(total, call.csr.nnz()) << "each edge in one part";
  }
}

TEST(NnzParallel, PiecesWithoutALogitAboveMinusInfinity) {
  // A third of a long row is all -inf: the pieces there have no maximum of
  // their own, the row has. A row of nothing else gives zeros.
  double inf = std::numeric_limits<double>::infinity();
  std::mt19937_64 engine(29);
  for (double front : {1.0, -inf})
    for (int64_t heads : {int64_t(0), int64_t(3)}) {
      KernelSpec spec;
      spec.op = OpKind::row_softmax;
      spec.heads = heads;
      spec.edgeValues = heads ? EdgeValues::perHead : EdgeValues::perEdge;
      spec.schedule = *parseSchedule("nnz_parallel, parts = 9");
      TestCall call(spec, randomCsr({90, 3}, 50, engine),
                    {1, 1, heads ? heads : 1}, engine);
      size_t width = heads ? heads : 1;
      for (size_t i = 0; i < 90 * width; ++i)
        call.w[i] = i < 60 * width ? front * (1 + i % 5) : -inf;
      std::vector<double> expected, lse;
      call.evaluate(expected, lse);
      auto kernel = compileCpu(spec);
      ASSERT_TRUE(kernel) << kernel.error();
      ASSERT_TRUE(call.run(**kernel));
      EXPECT_LE(relativeError(call.out, expected), 5e-6) << front;
      if (front == -inf)
        EXPECT_EQ(call.out[0], 0.0);
    }
}

TEST(NnzParallel, SoftmaxInPlace) {
  // Cut rows are read twice; the output may be the input (rule 8).
  std::mt19937_64 engine(31);
  for (int64_t heads : {int64_t(1), int64_t(5)}) {
    Csr graph = randomCsr({300, 4, 500}, 60, engine)
                    .convertedTo(IndexType::i32, IndexType::i32)
                    .value();
    KernelSpec spec;
    spec.op = OpKind::row_softmax;
    spec.heads = heads;
    spec.edgeValues = EdgeValues::perHead;
    spec.schedule = *parseSchedule("nnz_parallel, parts = 16");
    auto kernel = compileCpu(spec);
    ASSERT_TRUE(kernel) << kernel.error();
    std::vector<float> s(graph.nnz() * heads), out(s.size());
    for (float &value : s)
      value = static_cast<float>(engine() % 64) / 16;
    Operands operands;
    operands.a = graph.view();
    operands.edgeValues = {s.data(), graph.nnz(), heads, 1};
    operands.out = {out.data(), graph.nnz(), heads, 1};
    Status apart = (*kernel)->run(operands);
    ASSERT_TRUE(apart) << apart.error();
    operands.out.data = s.data();
    Status inPlace = (*kernel)->run(operands);
    ASSERT_TRUE(inPlace) << inPlace.error();
    EXPECT_EQ(s, out) << heads;
  }
}
