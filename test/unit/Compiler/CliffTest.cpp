//===- CliffTest.cpp - handed cases of performance cliffs on the CPU ------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes a cliff is counted where it can be: the entries of the heaviest
// iteration, the buffers that a kernel asks for. Times are those of the thread,
// the least of interleaved rounds, and their bounds are twice those of the
// cases: they find a fallback that is several times slower, on a busy machine
// too.
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"
#include "autosage/Runtime/Runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

namespace {
constexpr int64_t kRows = 65536, kPerRow = 16;

/// Rows of these many entries with columns of a fixed sequence.
Csr patternOf(const std::vector<int64_t> &degrees, int64_t cols) {
  std::vector<int32_t> rowptr{0}, colind;
  for (size_t row = 0; row < degrees.size(); ++row) {
    for (int64_t e = 0; e < degrees[row]; ++e)
      colind.push_back(
          static_cast<int32_t>((int64_t(row) * 7919 + e * 4099) % cols));
    rowptr.push_back(static_cast<int32_t>(colind.size()));
  }
  return {static_cast<int64_t>(degrees.size()), cols,
          IndexArray(std::move(rowptr)), IndexArray(std::move(colind))};
}

Csr balanced() {
  return patternOf(std::vector<int64_t>(kRows, kPerRow), kRows);
}

/// The same number of entries, half of them in the first row.
Csr skewed() {
  int64_t hub = kRows * kPerRow / 2;
  std::vector<int64_t> degrees(kRows, kPerRow / 2);
  for (int64_t row = 1; row <= kPerRow / 2; ++row)
    ++degrees[row];
  degrees[0] = hub;
  return patternOf(degrees, kRows);
}

double threadTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

/// The least times of the calls, taken in turns.
std::vector<double> leastTimes(std::vector<std::function<void()>> calls) {
  std::vector<double> least(calls.size(), INFINITY);
  for (int round = 0; round < 6; ++round)
    for (size_t i = 0; i < calls.size(); ++i) {
      double start = threadTime();
      calls[i]();
      least[i] = std::min(least[i], threadTime() - start);
    }
  return least;
}

/// All loops in the calling thread.
struct OneThread {
  OneThread() { autosage_set_num_threads(1); }
  ~OneThread() { autosage_set_num_threads(0); }
};

std::unique_ptr<CompiledKernel> compiled(const KernelSpec &spec,
                                         bool keepIr = false) {
  CompileOptions options;
  options.keepIr = keepIr;
  auto kernel = compileCpu(spec, options);
  EXPECT_TRUE(kernel) << kernel.error();
  return kernel ? std::move(*kernel) : nullptr;
}

/// Runs one iteration of every loop, and says how many there were.
struct OneIteration {
  int64_t iterations = 0;
  int64_t number = 0;

  static void parallelFor(void *data, int64_t count, autosage_loop_body body,
                          void *context) {
    auto *self = static_cast<OneIteration *>(data);
    self->iterations = std::max(self->iterations, count);
    if (self->number < count)
      body(context, self->number, self->number + 1);
  }
};
} // namespace

TEST(Cliffs, Cases_P01_HubRow) {
  // No iteration may hold more than four times what it would hold in the
  // balanced graph, so that the time in many threads does not either.
  std::mt19937_64 engine(1);
  KernelSpec spec;
  spec.op = OpKind::sddmm;
  spec.features = 64;
  Csr graph = skewed();
  ASSERT_EQ(graph.nnz(), kRows * kPerRow);
  spec.stats = computeStats(graph.view());
  auto kernel = compiled(spec);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->selections()[0].schedule.family, "nnz_parallel");
  TestCall call(spec, graph, {64, 1, 1}, engine);
  OneIteration one;
  autosage_set_parallel_for(OneIteration::parallelFor, &one);
  // The hub is at the front: these are the iterations that have it.
  for (int64_t number : {0, 1, 2, 100}) {
    one.number = number;
    std::fill(call.out.begin(), call.out.end(), std::nan(""));
    EXPECT_TRUE(call.run(*kernel));
    int64_t edges = std::count_if(call.out.begin(), call.out.end(),
                                  [](double v) { return !std::isnan(v); });
    ASSERT_GT(one.iterations, 100);
    EXPECT_GT(edges, 0) << number;
    EXPECT_LE(edges, 4 * graph.nnz() / one.iterations) << number;
  }
  autosage_set_parallel_for(nullptr, nullptr);
}

TEST(Cliffs, Cases_P02_JustAboveAVectorWidth) {
  OneThread one;
  Csr graph = balanced();
  std::vector<std::unique_ptr<CompiledKernel>> kernels;
  std::vector<std::function<void()>> calls;
  for (int64_t width = 8; width <= 17; ++width) {
    KernelSpec spec;
    spec.features = width;
    spec.stats = computeStats(graph.view());
    kernels.push_back(compiled(spec));
    ASSERT_TRUE(kernels.back());
    // The operands are made once; only the kernel is timed.
    auto x = std::make_shared<std::vector<float>>(kRows * width, 1.0f);
    auto y = std::make_shared<std::vector<float>>(kRows * width);
    calls.push_back([&, x, y, width, kernel = kernels.back().get()] {
      Operands operands;
      operands.a = graph.view();
      operands.x = {x->data(), kRows, 1, width};
      operands.out = {y->data(), kRows, 1, width};
      EXPECT_TRUE(kernel->run(operands));
    });
  }
  std::vector<double> times = leastTimes(calls);
  for (size_t i = 1; i < times.size(); ++i)
    EXPECT_LE(times[i], 3 * times[i - 1]) << "width " << 8 + i;
  EXPECT_LE(times.back(), 6 * times.front());
}

TEST(Cliffs, Cases_P05_WideIndices) {
  OneThread one;
  Csr graph = balanced();
  std::vector<Csr> graphs;
  std::vector<std::unique_ptr<CompiledKernel>> kernels;
  std::vector<float> x(kRows * 64, 1.0f), y(kRows * 64);
  std::vector<std::function<void()>> calls;
  IndexType types[][2] = {{IndexType::i32, IndexType::i32},
                          {IndexType::i64, IndexType::i32},
                          {IndexType::i64, IndexType::i64}};
  for (auto [rowptr, colind] : types)
    graphs.push_back(*graph.convertedTo(rowptr, colind));
  for (const Csr &converted : graphs) {
    KernelSpec spec;
    spec.features = 64;
    spec.rowptrType = converted.rowptr.type();
    spec.colindType = converted.colind.type();
    // Parts of equal work keep what they have of cut rows in memory of their
    // own.
    spec.schedule = Schedule{"row_parallel", {}};
    kernels.push_back(compiled(spec, /*keepIr=*/true));
    ASSERT_TRUE(kernels.back());
    // A conversion would need room for what it converts.
    EXPECT_EQ(kernels.back()->llvmIr().find("malloc"), std::string::npos);
    calls.push_back([&, kernel = kernels.back().get()] {
      Operands operands;
      operands.a = converted.view();
      operands.x = {x.data(), kRows, 1, 64};
      operands.out = {y.data(), kRows, 1, 64};
      EXPECT_TRUE(kernel->run(operands));
    });
  }
  std::vector<double> times = leastTimes(calls);
  EXPECT_LE(times[1], 3 * times[0]);
  EXPECT_LE(times[2], 3 * times[0]);
}

//===----------------------------------------------------------------------===//
// P07
//===----------------------------------------------------------------------===//

#ifdef __linux__
/// A line of /proc/self/status, in bytes.
static int64_t statusBytes(const std::string &key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(key + ":", 0) == 0)
      return std::stoll(line.substr(key.size() + 1)) * 1024;
  return 0;
}

TEST(Cliffs, Cases_P07_ScratchDoesNotGrowWithTheLargestDegree) {
  constexpr int64_t rows = 200000, width = 16;
  std::vector<int64_t> degrees(rows, 5);
  degrees[0] = rows;
  Csr graph = patternOf(degrees, rows);
  std::vector<float> q(rows * width, 0.5f), out(rows * width, 0.0f),
      s(graph.nnz(), 0.5f), a(graph.nnz(), 0.0f);
  for (OpKind op : {OpKind::attention, OpKind::row_softmax})
    for (const char *schedule : {"", "row_parallel", "nnz_parallel"}) {
      SCOPED_TRACE(schedule);
      KernelSpec spec;
      spec.op = op;
      bool softmax = op == OpKind::row_softmax;
      if (softmax)
        spec.edgeValues = EdgeValues::perEdge;
      else
        spec.features = width;
      if (*schedule)
        spec.schedule = *parseSchedule(schedule);
      spec.stats = computeStats(graph.view());
      auto kernel = compiled(spec);
      ASSERT_TRUE(kernel);
      Operands operands;
      operands.a = graph.view();
      operands.edgeValues = {softmax ? s.data() : nullptr,
                             softmax ? graph.nnz() : 0};
      operands.q = operands.k = operands.v = {q.data(), rows, 1, width};
      operands.out = {softmax ? a.data() : out.data(),
                      softmax ? graph.nnz() : rows, 1, softmax ? 1 : width};
      if (softmax)
        operands.q = operands.k = operands.v = {};
      // Makes the high-water mark what is resident now, where that is allowed;
      // elsewhere an earlier peak may hide a smaller one.
      std::ofstream("/proc/self/clear_refs") << "5" << std::flush;
      int64_t before = statusBytes("VmHWM");
      Status status = kernel->run(operands);
      ASSERT_TRUE(status) << status.error();
      EXPECT_LE(statusBytes("VmHWM") - before, 64 * graph.nnz());
    }
  // Equal scores: what comes out of either is the mean of equal numbers.
  EXPECT_NEAR(out[0], 0.5, 1e-4);
  EXPECT_NEAR(a[0] * rows, 1.0, 1e-3);
}
#endif
