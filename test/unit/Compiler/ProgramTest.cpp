//===- ProgramTest.cpp - the programs of examples/ on every target --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From tensors to results through one pipeline: sparse and dense ops, own
// kernels and calls of the vendor's library, against f64. Skipped where there
// is no GPU.
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "TestProgram.h"

#include "autosage/Core/Reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::test;

static const char gcnText[] =
#include "gcn.mlir.inc"
    ;
static const char sageText[] =
#include "sage.mlir.inc"
    ;
static const char gatText[] =
#include "gat.mlir.inc"
    ;

//===----------------------------------------------------------------------===//
// Inputs and dense references
//===----------------------------------------------------------------------===//

static std::vector<NamedGraph> squareGraphs() {
  std::mt19937_64 engine(11);
  std::vector<int64_t> skewed(1000), sparse(37);
  for (int64_t &degree : skewed)
    degree = static_cast<int64_t>(40 / (1 + engine() % 40));
  skewed[500] = 900;
  for (int64_t &degree : sparse)
    degree = static_cast<int64_t>(engine() % 3);
  return {{"skewed", randomCsr(skewed, 1000, engine)},
          {"sparse", randomCsr(sparse, 37, engine)},
          {"no_entries", randomCsr({0, 0, 0}, 3, engine)},
          {"nothing", randomCsr({}, 0, engine)}};
}

namespace {
/// The numbers of one run: what a program gets is in f32, what the reference
/// computes with is the same in f64.
class Inputs {
public:
  Inputs(const Csr &csr, TestProgram &program) : program(program) {
    CsrView view = csr.view();
    for (int64_t i = 0; i <= csr.rows; ++i)
      rowptr.push_back(static_cast<int32_t>(view.rowptr[i]));
    for (int64_t e = 0; e < csr.nnz(); ++e)
      colind.push_back(static_cast<int32_t>(view.colind[e]));
    program.tensor(rowptr, {csr.rows + 1});
    program.tensor(colind, {csr.nnz()});
  }
  std::vector<double> draw(const std::vector<int64_t> &shape) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> values(count);
    for (float &value : values)
      value = uniform(engine);
    program.tensor(values, shape);
    return {values.begin(), values.end()};
  }

private:
  TestProgram &program;
  std::mt19937_64 engine{5};
  std::vector<int32_t> rowptr, colind;
};
} // namespace

/// sum += x w, with rows of x `inner` wide.
static void addProduct(const std::vector<double> &x,
                       const std::vector<double> &w, int64_t inner,
                       std::vector<double> &sum) {
  int64_t columns = static_cast<int64_t>(w.size()) / inner;
  for (size_t i = 0; i < sum.size() / columns; ++i)
    for (int64_t k = 0; k < inner; ++k)
      for (int64_t j = 0; j < columns; ++j)
        sum[i * columns + j] += x[i * inner + k] * w[k * columns + j];
}

/// `rows` times the bias.
static std::vector<double> repeated(const std::vector<double> &bias,
                                    int64_t rows) {
  std::vector<double> all;
  for (int64_t i = 0; i < rows; ++i)
    all.insert(all.end(), bias.begin(), bias.end());
  return all;
}

static std::vector<double> relu(std::vector<double> values) {
  for (double &value : values)
    value = std::max(value, 0.0);
  return values;
}

static void expectNear(const std::vector<float> &out,
                       const std::vector<double> &expected) {
  ASSERT_EQ(out.size(), expected.size());
  std::vector<double> got(out.begin(), out.end());
  EXPECT_LE(reference::relativeError(got.data(), expected.data(),
                                     static_cast<int64_t>(got.size())),
            1e-5);
}

static void expectResult(TestProgram &program, size_t output,
                         const std::vector<double> &expected) {
  Status ran = program.run();
  ASSERT_TRUE(ran) << ran.error();
  expectNear(program.download<float>(output), expected);
}

//===----------------------------------------------------------------------===//
// The programs
//===----------------------------------------------------------------------===//

using Schedules = std::vector<std::string>;

static std::vector<double> gcnLayer(const Csr &csr,
                                    const std::vector<double> &weights,
                                    const std::vector<double> &x,
                                    const std::vector<double> &w, int64_t inner,
                                    const std::vector<double> &bias) {
  auto columns = static_cast<int64_t>(bias.size());
  std::vector<double> xw(csr.rows * columns), sum(xw.size());
  addProduct(x, w, inner, xw);
  reference::SpmmParams params;
  params.features = columns;
  reference::spmm(csr.view(), {weights.data(), 1}, xw.data(), sum.data(),
                  params);
  std::vector<double> all = repeated(bias, csr.rows);
  for (size_t i = 0; i < sum.size(); ++i)
    sum[i] += all[i];
  return sum;
}

static void expectGcn(Target target, const Schedules &schedules) {
  auto kernel = compileForTest(withSchedules(gcnText, schedules), target);
  for (const NamedGraph &graph : squareGraphs()) {
    SCOPED_TRACE(graph.name);
    const Csr &csr = graph.csr;
    TestProgram program(kernel, target);
    Inputs inputs(csr, program);
    auto weights = inputs.draw({csr.nnz()});
    auto x = inputs.draw({csr.rows, 32});
    auto w1 = inputs.draw({32, 16}), b1 = inputs.draw({16});
    auto w2 = inputs.draw({16, 8}), b2 = inputs.draw({8});
    size_t out = program.output<float>({csr.rows, 8});
    auto hidden = relu(gcnLayer(csr, weights, x, w1, 32, b1));
    expectResult(program, out, gcnLayer(csr, weights, hidden, w2, 16, b2));
  }
}

static void expectSage(Target target, const Schedules &schedules) {
  auto kernel = compileForTest(withSchedules(sageText, schedules), target);
  for (const NamedGraph &graph : squareGraphs()) {
    SCOPED_TRACE(graph.name);
    const Csr &csr = graph.csr;
    TestProgram program(kernel, target);
    Inputs inputs(csr, program);
    auto x = inputs.draw({csr.rows, 32});
    auto own = inputs.draw({32, 16}), neighbours = inputs.draw({32, 16});
    auto bias = inputs.draw({16});
    size_t out = program.output<float>({csr.rows, 16});
    std::vector<double> mean(x.size());
    reference::SpmmParams params;
    params.reduction = Reduction::mean;
    params.features = 32;
    reference::spmm(csr.view(), {}, x.data(), mean.data(), params);
    std::vector<double> sum = repeated(bias, csr.rows);
    addProduct(x, own, 32, sum);
    addProduct(mean, neighbours, 32, sum);
    expectResult(program, out, relu(sum));
  }
}

static void expectGat(Target target, const Schedules &schedules) {
  auto kernel = compileForTest(withSchedules(gatText, schedules), target);
  const int64_t heads = 4, width = 8;
  for (const NamedGraph &graph : squareGraphs()) {
    SCOPED_TRACE(graph.name);
    const Csr &csr = graph.csr;
    TestProgram program(kernel, target);
    Inputs inputs(csr, program);
    auto x = inputs.draw({csr.rows, 16}), w = inputs.draw({16, heads * width});
    auto left = inputs.draw({heads, width}),
         right = inputs.draw({heads, width});
    auto bias = inputs.draw({heads * width});
    size_t out = program.output<float>({csr.rows, heads * width});
    std::vector<double> h(csr.rows * heads * width), sum(h.size());
    addProduct(x, w, 16, h);
    std::vector<double> l(csr.rows * heads), r(l.size());
    for (size_t i = 0; i < l.size(); ++i)
      for (int64_t f = 0; f < width; ++f) {
        l[i] += h[i * width + f] * left[i % heads * width + f];
        r[i] += h[i * width + f] * right[i % heads * width + f];
      }
    reference::AttentionParams params;
    params.score = Score::gat;
    params.heads = heads;
    params.valueFeatures = width;
    reference::attention(csr.view(), {}, l.data(), r.data(), h.data(), nullptr,
                         sum.data(), nullptr, params);
    std::vector<double> all = repeated(bias, csr.rows);
    for (size_t i = 0; i < sum.size(); ++i) {
      double value = sum[i] + all[i];
      sum[i] = value > 0 ? value : std::expm1(value);
    }
    expectResult(program, out, sum);
  }
}

//===----------------------------------------------------------------------===//
// On each target
//===----------------------------------------------------------------------===//

static const Schedules gcnSchedules[] = {{"vendor", "row_group"},
                                         {"row_tasks, chunk = 32", "vendor"},
                                         {"row_group", "row_tasks"},
                                         {"", ""}};
static const Schedules gatSchedules[] = {
    {"", "", ""},
    {"row_tasks, chunk = 32", "row_group", "row_tasks, chunk = 32"}};

static void expectGpuPrograms(Target target,
                              void (*expect)(Target, const Schedules &),
                              const std::vector<Schedules> &choices) {
  for (const Schedules &schedules : choices) {
    std::string names;
    for (const std::string &schedule : schedules)
      names += "<" + schedule + ">";
    SCOPED_TRACE(names);
    expect(target, schedules);
  }
}

static std::vector<Schedules> gcnChoices() {
  return {std::begin(gcnSchedules), std::end(gcnSchedules)};
}
static std::vector<Schedules> gatChoices() {
  return {std::begin(gatSchedules), std::end(gatSchedules)};
}
static const std::vector<Schedules> sageChoices = {
    {""}, {"row_group"}, {"row_tasks, chunk = 32"}};

TEST(CpuProgram, Gcn) {
  expectGcn(Target::cpu, {});
  expectGcn(Target::cpu, {"row_parallel", "nnz_parallel"});
}
TEST(CpuProgram, Sage) { expectSage(Target::cpu, {}); }
TEST(CpuProgram, Gat) { expectGat(Target::cpu, {}); }

TEST(SimtProgram, Gcn) {
  expectGpuPrograms(Target::simt, expectGcn, gcnChoices());
}
TEST(SimtProgram, Sage) {
  expectGpuPrograms(Target::simt, expectSage, sageChoices);
}
TEST(SimtProgram, Gat) {
  expectGpuPrograms(Target::simt, expectGat, gatChoices());
}

namespace {
class NvptxProgram : public testing::Test {
protected:
  void SetUp() override {
    if (testGpu().chip.empty())
      GTEST_SKIP() << testGpu().missing;
  }
};
} // namespace

TEST_F(NvptxProgram, Gcn) {
  expectGpuPrograms(Target::nvptx, expectGcn, gcnChoices());
}
TEST_F(NvptxProgram, Sage) {
  expectGpuPrograms(Target::nvptx, expectSage, sageChoices);
}
TEST_F(NvptxProgram, Gat) {
  expectGpuPrograms(Target::nvptx, expectGat, gatChoices());
}

// Temporaries become nodes of the graph, so that it runs with other features.
TEST_F(NvptxProgram, CaptureAndReplay) {
  Driver driver;
  driver.enter();
  const autosage_device_api &api = *autosage_cuda_device_api();
  void *stream = nullptr;
  ASSERT_EQ(driver.streamCreate(&stream, 1), 0);
  api.set_stream(stream);
  {
    NamedGraph graph = squareGraphs().front();
    const Csr &csr = graph.csr;
    TestProgram program(withSchedules(gcnText, {"row_group", "row_group"}),
                        Target::nvptx);
    Inputs inputs(csr, program);
    auto weights = inputs.draw({csr.nnz()});
    auto x = inputs.draw({csr.rows, 32});
    auto w1 = inputs.draw({32, 16}), b1 = inputs.draw({16});
    auto w2 = inputs.draw({16, 8}), b2 = inputs.draw({8});
    size_t out = program.output<float>({csr.rows, 8});
    Status ran = program.run(); // loads the modules
    ASSERT_TRUE(ran) << ran.error();
    void *captured = nullptr, *executable = nullptr;
    ASSERT_EQ(driver.beginCapture(stream, 0), 0);
    ran = program.enqueue();
    EXPECT_TRUE(ran) << ran.error();
    ASSERT_EQ(driver.endCapture(stream, &captured), 0);
    Status recorded = deviceStatus(api);
    ASSERT_TRUE(recorded) << recorded.error();
    ASSERT_EQ(driver.instantiate(&executable, captured, 0), 0);
    for (int times = 0; times < 2; ++times) {
      std::reverse(x.begin(), x.end());
      x.front() += 1;
      program.upload(3, std::vector<float>(x.begin(), x.end()));
      for (double &value : x)
        value = static_cast<float>(value);
      program.upload(out, std::vector<float>(csr.rows * 8, NAN));
      ASSERT_EQ(driver.launch(executable, stream), 0);
      api.synchronize();
      auto hidden = relu(gcnLayer(csr, weights, x, w1, 32, b1));
      expectNear(program.download<float>(out),
                 gcnLayer(csr, weights, hidden, w2, 16, b2));
    }
  }
  api.set_stream(nullptr);
  EXPECT_EQ(driver.streamDestroy(stream), 0);
}

// A node that is none: its column is found where it is read.
TEST(SimtProgram, ReportsWhatItReadsOutOfBounds) {
  TestProgram program(withSchedules(sageText, {"row_group"}), Target::simt);
  std::mt19937_64 engine(1);
  Inputs inputs(
      {2, 2, std::vector<int32_t>{0, 1, 2}, std::vector<int32_t>{1, 2}},
      program);
  inputs.draw({2, 32});
  inputs.draw({32, 16});
  inputs.draw({32, 16});
  inputs.draw({16});
  program.output<float>({2, 16});
  Status ran = program.run();
  ASSERT_FALSE(ran);
  EXPECT_NE(ran.error().find("kernel 'spmm_mean'"), std::string::npos)
      << ran.error();
}
