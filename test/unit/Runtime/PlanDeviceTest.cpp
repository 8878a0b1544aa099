//===- PlanDeviceTest.cpp - plans on a GPU --------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Skipped without a device. A program of its own, which the bundle brings: it
// takes the compiler that lies beside the runtime.
//
//===----------------------------------------------------------------------===//

#include "../Compiler/TestDevice.h"
#include "PlanSupport.h"

#include "autosage/Core/Vendor.h"
#include "autosage/Runtime/Vendor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <numeric>
#include <thread>
#include <unistd.h>

using namespace autosage;
using namespace autosage::test;

static const autosage_device_api &api() { return *autosage_cuda_device_api(); }

static ContextPtr deviceContext(const char *cache = "",
                                const char *compiler = nullptr) {
  autosage_context_options options;
  autosage_context_options_init(&options, sizeof options);
  options.target = AUTOSAGE_TARGET_NVPTX;
  options.cache_dir = cache;
  options.compiler = compiler;
  return makeContext(options);
}

static std::string explained(const PlanPtr &plan) {
  return autosage_plan_explain(plan.get());
}

/// Those under which cuSPARSE is taken where it is asked for.
static autosage_plan_options optionsOf(const KernelSpec &spec) {
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  bool isVendor = spec.schedule && spec.schedule->family == "vendor";
  options.deterministic = !isVendor || vendorRepeatsBits(spec.op);
  return options;
}

//===----------------------------------------------------------------------===//
// Every operation
//===----------------------------------------------------------------------===//

static void expectPlansMatchReference(Config config) {
  ContextPtr context = deviceContext();
  ASSERT_TRUE(context);
  expectMatchesReference(
      config,
      [&](const Operands &ops) -> Status {
        PlanPtr plan;
        Operands own = ops;
        if (config.spec.composed)
          own.workspace = {}; // the plan brings it
        autosage_plan_options options = optionsOf(config.spec);
        if (makePlan(context.get(), config.spec, own, nullptr, plan, &options))
          return Error{autosage_plan_last_error()};
        autosage_operands c = toC(own);
        if (autosage_plan_run(plan.get(), &c, nullptr))
          return Error{autosage_plan_last_error()};
        api().synchronize();
        return deviceStatus(api());
      },
      planGraphs(), &api());
}

class PlanOnDeviceProperty : public testing::TestWithParam<size_t> {};

TEST_P(PlanOnDeviceProperty, MatchesReference) {
  if (testGpu().chip.empty())
    GTEST_SKIP() << testGpu().missing;
  // Each under two schedules.
  for (size_t round : {0, 2}) {
    Config config = planConfigs()[GetParam()];
    std::string schedule = gpuPlanSchedule(GetParam() + round);
    SCOPED_TRACE(schedule);
    if (!schedule.empty())
      config.spec.schedule = parseSchedule(schedule).value();
    expectPlansMatchReference(config);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlanOnDeviceProperty,
                         testing::Range(size_t{0}, planConfigs().size()),
                         [](const testing::TestParamInfo<size_t> &info) {
                           return std::to_string(info.param) + "_" +
                                  nameOf(planConfigs()[info.param].spec);
                         });

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

// Spins for a number of nanoseconds.
static const char busyPtx[] = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry busy(.param .u64 ns)
{
  .reg .u64 %now, %end;
  .reg .pred %p;
  ld.param.u64 %end, [ns];
  mov.u64 %now, %globaltimer;
  add.u64 %end, %end, %now;
again:
  mov.u64 %now, %globaltimer;
  setp.lt.u64 %p, %now, %end;
  @%p bra again;
  ret;
}
)";

namespace {
class PlanOnDevice : public testing::Test {
protected:
  Driver driver;
  std::vector<void *> streams;
  ContextPtr context;
  autosage_image busyImage = {sizeof(autosage_image),
                              AUTOSAGE_DEVICE_VERSION,
                              AUTOSAGE_IMAGE_PTX,
                              0,
                              "busy",
                              busyPtx,
                              sizeof busyPtx,
                              nullptr};

  void SetUp() override {
    if (testGpu().chip.empty())
      GTEST_SKIP() << testGpu().missing;
    driver.enter();
    context = deviceContext();
    ASSERT_TRUE(context);
  }
  void TearDown() override {
    api().set_stream(nullptr);
    for (void *stream : streams)
      EXPECT_EQ(driver.streamDestroy(stream), 0);
    autosage_image_unload(&busyImage);
    EXPECT_TRUE(deviceStatus(api()));
  }
  void *stream() {
    void *made = nullptr;
    EXPECT_EQ(driver.streamCreate(&made, 1 /* CU_STREAM_NON_BLOCKING */), 0);
    streams.push_back(made);
    return made;
  }
  void busy(void *on, uint64_t milliseconds) {
    uint64_t ns = milliseconds * 1000000;
    void *args[] = {&ns};
    api().set_stream(on);
    EXPECT_EQ(
        api().launch_kernel(&busyImage, "busy", 1, 1, 1, 1, 1, 1, 0, args, 1),
        0);
    api().set_stream(nullptr);
  }
};

/// An operation on one graph whose dense operands are all the same rows, and
/// whose edges weigh 1.
struct Uniform {
  static constexpr int64_t width = 64;
  Csr csr;
  KernelSpec spec;
  DeviceBuffer rowptr, colind, w, x, out;
  int64_t outSize;

  Uniform(OpKind op, Csr graph, const char *schedule = "")
      : csr(graph.convertedTo(IndexType::i32, IndexType::i32).value()),
        rowptr(api(), csr.rowptr.view().data, (csr.rows + 1) * 4),
        colind(api(), csr.colind.view().data, csr.nnz() * 4),
        w(api(), std::vector<float>(static_cast<size_t>(csr.nnz()), 1.0f)),
        x(api(), std::vector<float>(static_cast<size_t>(csr.cols * width), 0)) {
    spec.op = op;
    if (op != OpKind::row_softmax)
      spec.features = width;
    if (op == OpKind::row_softmax || op == OpKind::spmm)
      spec.edgeValues = EdgeValues::perEdge;
    if (op == OpKind::sddmm || op == OpKind::attention)
      spec.scale = 1.0 / width;
    if (*schedule)
      spec.schedule = parseSchedule(schedule).value();
    bool isEdge = op == OpKind::sddmm || op == OpKind::row_softmax;
    outSize = isEdge ? csr.nnz() : csr.rows * width;
    out = DeviceBuffer(api(),
                       std::vector<float>(static_cast<size_t>(outSize), NAN));
  }
  Operands operands() const {
    Operands ops;
    ops.a = {csr.rows,
             csr.cols,
             {rowptr.data(), csr.rows + 1, IndexType::i32},
             {colind.data(), csr.nnz(), IndexType::i32}};
    if (spec.edgeValues != EdgeValues::none)
      ops.edgeValues = {w.data(), csr.nnz(), 1, 1, 0};
    DenseIn rows = {x.data(), csr.cols, 1, width, 0};
    if (spec.op == OpKind::spmm)
      ops.x = rows;
    if (spec.op == OpKind::sddmm || spec.op == OpKind::attention)
      ops.q = ops.k = rows;
    if (spec.op == OpKind::attention)
      ops.v = rows;
    if (outSize == csr.nnz() && spec.op != OpKind::spmm &&
        spec.op != OpKind::attention)
      ops.out = {out.data(), csr.nnz(), 1, 1, 0};
    else
      ops.out = {out.data(), csr.rows, 1, width, 0};
    return ops;
  }
  /// How many of the outputs are not `value`.
  int64_t others(float value) const {
    std::vector<float> got = out.download<float>();
    return std::count_if(got.begin(), got.end(), [&](float g) {
      return !(std::abs(g - value) < 1e-5f);
    });
  }
};

constexpr OpKind allOps[] = {OpKind::spmm, OpKind::sddmm, OpKind::row_softmax,
                             OpKind::attention};

Csr diagonal(int64_t rows) {
  std::vector<int32_t> rowptr, colind;
  for (int64_t i = 0; i <= rows; ++i)
    rowptr.push_back(static_cast<int32_t>(i));
  for (int64_t i = 0; i < rows; ++i)
    colind.push_back(static_cast<int32_t>(i));
  return {rows, rows, std::move(rowptr), std::move(colind)};
}

Csr skewed() {
  std::mt19937_64 engine(5);
  std::vector<int64_t> degrees;
  for (int64_t i = 0; i < 1000; ++i)
    degrees.push_back(i % 100 == 0 ? 2000
                                   : static_cast<int64_t>(engine() % 30));
  return randomCsr(degrees, 1000, engine);
}
} // namespace

TEST_F(PlanOnDevice, S01RunsAreOrderedOnTheCallersStream) {
  void *side = stream();
  for (OpKind op : allOps) {
    SCOPED_TRACE(std::string(toString(op)));
    Uniform call(op, diagonal(1000));
    PlanPtr plan;
    Operands ops = call.operands();
    ASSERT_EQ(makePlan(context.get(), call.spec, ops, side, plan), 0)
        << autosage_plan_last_error();
    size_t count = static_cast<size_t>(call.csr.cols * Uniform::width);
    DeviceBuffer ones(api(), std::vector<float>(count, 1.0f)),
        zeros(api(), std::vector<float>(count, 0.0f));
    autosage_operands c = toC(ops);
    for (int round = 0; round < 25; ++round) {
      api().set_stream(side);
      api().copy(call.x.data(), zeros.data(), zeros.size());
      api().synchronize();
      busy(side, round == 0 ? 50 : 2);
      api().set_stream(side);
      api().copy(call.x.data(), ones.data(), ones.size());
      api().set_stream(nullptr);
      ASSERT_EQ(autosage_plan_run(plan.get(), &c, side), 0)
          << autosage_plan_last_error();
      ASSERT_EQ(driver.synchronize(side), 0);
      ASSERT_EQ(call.others(1), 0) << "round " << round;
    }
  }
}

// The graph is made once and replayed on the contents of the moment.
TEST_F(PlanOnDevice, S03CaptureAndReplay) {
  void *side = stream();
  for (const char *schedule :
       {"", "row_group", "row_tasks, chunk = 32", "vendor"})
    for (OpKind op : allOps) {
      if (std::string(schedule) == "vendor" && op != OpKind::spmm &&
          op != OpKind::sddmm)
        continue;
      SCOPED_TRACE(std::string(toString(op)) + ", " + schedule);
      Uniform call(op, skewed(), schedule);
      Operands ops = call.operands();
      autosage_plan_options options = optionsOf(call.spec);
      PlanPtr plan;
      ASSERT_EQ(makePlan(context.get(), call.spec, ops, side, plan, &options),
                0)
          << autosage_plan_last_error();
      autosage_operands c = toC(ops);
      void *graph = nullptr, *executable = nullptr;
      ASSERT_EQ(driver.beginCapture(side, 0 /* global */), 0);
      EXPECT_EQ(autosage_plan_run(plan.get(), &c, side), 0)
          << autosage_plan_last_error();
      ASSERT_EQ(driver.endCapture(side, &graph), 0);
      ASSERT_EQ(driver.instantiate(&executable, graph, 0), 0);
      // Replays and runs do the same on what is there.
      for (float value : {1.0f, 3.0f}) {
        std::vector<float> x(
            static_cast<size_t>(call.csr.cols * Uniform::width), value);
        std::vector<float> poison(static_cast<size_t>(call.outSize), NAN);
        api().upload(call.x.data(), x.data(), call.x.size());
        api().upload(call.out.data(), poison.data(), call.out.size());
        ASSERT_EQ(driver.launch(executable, side), 0);
        ASSERT_EQ(driver.synchronize(side), 0);
        std::vector<float> replayed = call.out.download<float>();
        api().upload(call.out.data(), poison.data(), call.out.size());
        ASSERT_EQ(autosage_plan_run(plan.get(), &c, side), 0);
        ASSERT_EQ(driver.synchronize(side), 0);
        EXPECT_EQ(std::memcmp(replayed.data(),
                              call.out.download<float>().data(),
                              replayed.size() * sizeof(float)),
                  0);
        float sum = 0;
        for (float r : replayed)
          sum += r;
        EXPECT_TRUE(std::isfinite(sum));
        if (op == OpKind::sddmm)
          EXPECT_EQ(call.others(value * value), 0);
        if (op == OpKind::spmm) {
          // Sums of ones times the value: degrees.
          std::vector<double> expected(
              static_cast<size_t>(call.csr.rows * Uniform::width));
          IndexView positions = call.csr.rowptr.view();
          auto *at = static_cast<const int32_t *>(positions.data);
          for (int64_t i = 0; i < call.csr.rows; ++i)
            for (int64_t f = 0; f < Uniform::width; ++f)
              expected[i * Uniform::width + f] =
                  double(value) * (at[i + 1] - at[i]);
          EXPECT_LE(relativeError({replayed.begin(), replayed.end()}, expected),
                    1e-5);
        }
      }
    }
}

// The transposed pattern, task lists and what is between the steps are there
// before the capture.
TEST_F(PlanOnDevice, GradientsAreCapturedAndReplayed) {
  void *side = stream();
  std::mt19937_64 engine(23);
  Csr csr = randomCsr({3, 900, 0, 40, 129, 1, 0, 65}, 500, engine);
  for (const char *schedule :
       {"row_group", "row_tasks, chunk = 32, order = length",
        "row_group, attention = composed",
        "row_tasks, chunk = 32, attention = composed"})
    for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
      SCOPED_TRACE(std::string(toString(score)) + ", " + schedule);
      KernelSpec spec;
      spec.op = OpKind::attention_backward;
      spec.score = score;
      spec.features = 16;
      spec.heads = 2;
      spec.edgeValues = EdgeValues::perEdge;
      spec.biasGradient = true;
      spec.schedule = parseSchedule(schedule).value();
      TestCall call(spec, csr, {16, 16, 2}, engine);
      TestCall drawn = call;
      Status status = call.run(
          [&](const Operands &ops) -> Status {
            PlanPtr plan;
            if (makePlan(context.get(), spec, ops, side, plan))
              return Error{autosage_plan_last_error()};
            EXPECT_GE(autosage_plan_workspace_bytes(plan.get()),
                      (2 * csr.nnz() + csr.cols + 1) * 4)
                << "of the transposed pattern alone";
            autosage_operands c = toC(ops);
            auto results = [&] {
              std::vector<float> all;
              for (const autosage_dense *d :
                   {&c.dq, &c.dk, &c.dv, &c.dvec, &c.dbias}) {
                std::vector<float> one(
                    static_cast<size_t>(d->rows * d->heads * d->width));
                auto bytes = static_cast<int64_t>(one.size() * sizeof(float));
                if (d->data) {
                  api().download(one.data(), d->data, bytes);
                  all.insert(all.end(), one.begin(), one.end());
                  std::fill(one.begin(), one.end(), NAN);
                  api().upload(d->data, one.data(), bytes);
                }
              }
              return all;
            };
            void *graph = nullptr, *executable = nullptr;
            EXPECT_EQ(driver.beginCapture(side, 0 /* global */), 0);
            EXPECT_EQ(autosage_plan_run(plan.get(), &c, side), 0)
                << autosage_plan_last_error();
            EXPECT_EQ(driver.endCapture(side, &graph), 0);
            EXPECT_EQ(driver.instantiate(&executable, graph, 0), 0);
            std::vector<float> replayed;
            for (int i = 0; i < 2; ++i) {
              EXPECT_EQ(driver.launch(executable, side), 0);
              EXPECT_EQ(driver.synchronize(side), 0);
              replayed = results();
            }
            EXPECT_EQ(autosage_plan_run(plan.get(), &c, side), 0);
            EXPECT_EQ(driver.synchronize(side), 0);
            std::vector<float> run = results();
            EXPECT_EQ(std::memcmp(replayed.data(), run.data(),
                                  run.size() * sizeof(float)),
                      0);
            // For the comparison, which the poison would fail.
            EXPECT_EQ(autosage_plan_run(plan.get(), &c, side), 0);
            EXPECT_EQ(driver.synchronize(side), 0);
            return Status::success();
          },
          &api());
      ASSERT_TRUE(status) << status.error();
      std::vector<double> expected, lse;
      drawn.evaluate(expected, lse);
      for (const TestCall::OutputError &e : call.errors(expected, lse))
        EXPECT_TRUE(e.isSmall())
            << e.name << ": " << e.error << " > " << e.bound;
    }
}

TEST_F(PlanOnDevice, S04APlanMadeUnderCaptureLeavesItValid) {
  void *side = stream();
  Uniform call(OpKind::spmm, diagonal(1000));
  Operands ops = call.operands();
  std::vector<float> x(static_cast<size_t>(call.csr.cols * Uniform::width), 2);
  api().upload(call.x.data(), x.data(), call.x.size());
  Uniform transposed(OpKind::spmm, diagonal(1000));
  transposed.spec.transpose = true;
  autosage_operands c = toC(ops);
  void *graph = nullptr, *executable = nullptr;
  ASSERT_EQ(driver.beginCapture(side, 0), 0);
  PlanPtr plan, refused;
  EXPECT_EQ(makePlan(context.get(), transposed.spec, transposed.operands(),
                     side, refused),
            AUTOSAGE_PLAN_NOT_PREPARED);
  EXPECT_EQ(makePlan(context.get(), call.spec, ops, side, plan), 0)
      << autosage_plan_last_error();
  EXPECT_EQ(autosage_plan_run(plan.get(), &c, side), 0)
      << autosage_plan_last_error();
  ASSERT_EQ(driver.endCapture(side, &graph), 0);
  ASSERT_EQ(driver.instantiate(&executable, graph, 0), 0);
  ASSERT_EQ(driver.launch(executable, side), 0);
  ASSERT_EQ(driver.synchronize(side), 0);
  EXPECT_EQ(call.others(2), 0);
  EXPECT_NE(explained(plan).find("made under capture"), std::string::npos);
}

TEST_F(PlanOnDevice, S07RunsReturnBeforeTheDeviceIsDone) {
  void *side = stream();
  std::mt19937_64 engine(7);
  Uniform call(OpKind::spmm,
               randomCsr(std::vector<int64_t>(1000, 10), 1000, engine));
  Operands ops = call.operands();
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), call.spec, ops, side, plan), 0);
  autosage_operands c = toC(ops);
  ASSERT_EQ(autosage_plan_run(plan.get(), &c, side), 0);
  busy(side, 1); // loads its module
  ASSERT_EQ(driver.synchronize(side), 0);
  busy(side, 200);
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(autosage_plan_run(plan.get(), &c, side), 0);
  double ms = std::chrono::duration<double, std::milli>(
                  std::chrono::steady_clock::now() - start)
                  .count();
  EXPECT_EQ(driver.query(side), 600) << "CUDA_ERROR_NOT_READY";
  EXPECT_LT(ms, 20);
  EXPECT_EQ(driver.synchronize(side), 0);
}

TEST_F(PlanOnDevice, TwoStreamsOfOnePlan) {
  for (const char *schedule :
       {"row_group", "row_tasks, chunk = 32", "vendor"}) {
    SCOPED_TRACE(schedule);
    Uniform first(OpKind::spmm, skewed(), schedule);
    void *pair[] = {stream(), stream()};
    PlanPtr plan;
    Operands ops = first.operands();
    autosage_plan_options options = optionsOf(first.spec);
    ASSERT_EQ(makePlan(context.get(), first.spec, ops, pair[0], plan, &options),
              0);
    ASSERT_EQ(autosage_plan_prepare_stream(plan.get(), pair[1]), 0);
    // The same pattern, other operands.
    Uniform second(OpKind::spmm, skewed(), schedule);
    std::vector<float> x(static_cast<size_t>(first.csr.cols * Uniform::width),
                         1);
    api().upload(first.x.data(), x.data(), first.x.size());
    api().upload(second.x.data(), x.data(), second.x.size());
    autosage_operands calls[] = {toC(ops), toC(second.operands())};
    for (int round = 0; round < 20; ++round)
      for (int i = 0; i < 2; ++i)
        ASSERT_EQ(autosage_plan_run(plan.get(), &calls[i], pair[i]), 0)
            << autosage_plan_last_error();
    for (void *each : pair)
      ASSERT_EQ(driver.synchronize(each), 0);
    std::vector<float> a = first.out.download<float>(),
                       b = second.out.download<float>();
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)), 0);
    EXPECT_TRUE(std::isfinite(std::accumulate(a.begin(), a.end(), 0.0)));
  }
}

static size_t kernelFiles(const std::string &folder) {
  size_t files = 0;
  if (DIR *dir = opendir(folder.c_str())) {
    while (const dirent *item = readdir(dir)) {
      std::string name = item->d_name;
      files += name.size() > 7 && name.substr(name.size() - 7) == ".kernel";
    }
    closedir(dir);
  }
  return files;
}

TEST_F(PlanOnDevice, S12EightThreadsOnAColdCache) {
  TempFolder folder;
  std::string kernels = folder.path + "/kernels";
  context = deviceContext(kernels.c_str());
  std::vector<void *> own;
  for (int t = 0; t < 8; ++t)
    own.push_back(stream());
  std::atomic<int> ready{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      driver.enter();
      api().set_stream(own[t]);
      Uniform call(OpKind::spmm, diagonal(1000));
      // A slope that no other test has, so that no kernel is at hand.
      call.spec.negativeSlope = 0.2 + 2e-3;
      std::vector<float> x(static_cast<size_t>(call.csr.cols * Uniform::width),
                           5);
      api().upload(call.x.data(), x.data(), call.x.size());
      Operands ops = call.operands();
      autosage_operands c = toC(ops);
      for (++ready; ready < 8;)
        std::this_thread::yield();
      for (int round = 0; round < 50; ++round) {
        PlanPtr plan;
        if (makePlan(context.get(), call.spec, ops, own[t], plan) ||
            autosage_plan_run(plan.get(), &c, own[t]))
          ++wrong;
        driver.synchronize(own[t]);
      }
      wrong += call.others(5) != 0;
      api().synchronize();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(kernelFiles(kernels), 1u);
}

//===----------------------------------------------------------------------===//
// The second start, the cost of a run
//===----------------------------------------------------------------------===//

static const char cacheVariable[] = "AUTOSAGE_TEST_KERNELS";

/// One that no other test has, so that no kernel of this process is at hand.
static constexpr double unusedSlope = 0.2 + 3e-3;

/// What the second process does: there is no compiler, and all is at hand.
TEST_F(PlanOnDevice, SecondStart) {
  const char *kernels = std::getenv(cacheVariable);
  if (!kernels)
    GTEST_SKIP() << "run by ASecondStartCompilesNothing";
  context = deviceContext(kernels, "/nowhere/libAutosageCompiler.so");
  for (OpKind op : allOps) {
    Uniform call(op, diagonal(100));
    call.spec.negativeSlope = unusedSlope;
    PlanPtr plan;
    ASSERT_EQ(
        makePlan(context.get(), call.spec, call.operands(), nullptr, plan), 0)
        << autosage_plan_last_error();
    EXPECT_NE(explained(plan).find("origin cache\n"), std::string::npos)
        << explained(plan);
  }
}

TEST_F(PlanOnDevice, ASecondStartCompilesNothing) {
  TempFolder folder;
  std::string kernels = folder.path + "/kernels";
  context = deviceContext(kernels.c_str());
  for (OpKind op : allOps) {
    Uniform call(op, diagonal(100));
    call.spec.negativeSlope = unusedSlope;
    PlanPtr plan;
    ASSERT_EQ(
        makePlan(context.get(), call.spec, call.operands(), nullptr, plan), 0)
        << autosage_plan_last_error();
  }
  ASSERT_EQ(kernelFiles(kernels), std::size(allOps));
  char self[4096] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
  std::string command = std::string(cacheVariable) + "='" + kernels + "' '" +
                        self +
                        "' --gtest_filter=PlanOnDevice.SecondStart "
                        "--gtest_output= --gtest_brief=1";
  // The one test that runs there must not lie in another shard.
  unsetenv("GTEST_TOTAL_SHARDS");
  unsetenv("GTEST_SHARD_INDEX");
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(PlanOnDevice, ARunCostsLittleOverALaunch) {
  void *side = stream();
  Uniform call(OpKind::spmm, diagonal(4), "row_group");
  Operands ops = call.operands();
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), call.spec, ops, side, plan), 0);
  autosage_operands c = toC(ops);
  using Launch =
      int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
              unsigned, unsigned, void *, void **, void **);
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  auto launch = reinterpret_cast<Launch>(dlsym(library, "cuLaunchKernel"));
  auto load = reinterpret_cast<int (*)(void **, const void *)>(
      dlsym(library, "cuModuleLoadData"));
  auto find = reinterpret_cast<int (*)(void **, void *, const char *)>(
      dlsym(library, "cuModuleGetFunction"));
  void *module = nullptr, *function = nullptr;
  ASSERT_EQ(load(&module, busyPtx), 0);
  ASSERT_EQ(find(&function, module, "busy"), 0);
  uint64_t ns = 0;
  void *args[] = {&ns};
  // Few enough to be enqueued without waiting for room.
  auto least = [&](auto &&once) {
    double best = 1e9;
    for (int round = 0; round < 50; ++round) {
      auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 200; ++i)
        once();
      best = std::min(best, std::chrono::duration<double, std::micro>(
                                std::chrono::steady_clock::now() - start)
                                    .count() /
                                200);
      driver.synchronize(side);
    }
    return best;
  };
  int failures = 0;
  double run =
      least([&] { failures += autosage_plan_run(plan.get(), &c, side) != 0; });
  double bare = least([&] {
    failures +=
        launch(function, 1, 1, 1, 32, 1, 1, 0, side, args, nullptr) != 0;
  });
  EXPECT_EQ(failures, 0);
  std::printf("run %.3f us, launch %.3f us, over %.3f us\n", run, bare,
              run - bare);
  RecordProperty("run_us", std::to_string(run));
  RecordProperty("launch_us", std::to_string(bare));
  EXPECT_LE(run - bare, 3.0);
}

//===----------------------------------------------------------------------===//
// cuSPARSE
//===----------------------------------------------------------------------===//

TEST_F(PlanOnDevice, VendorPlansMatchTheReference) {
  autosage_vendor_info info = {};
  info.struct_size = sizeof info;
  info.version = AUTOSAGE_VENDOR_VERSION;
  if (autosage_vendor_get_info(&info) != AUTOSAGE_DEVICE_OK)
    GTEST_SKIP() << deviceStatus(api()).error();
  for (OpKind op : {OpKind::spmm, OpKind::sddmm})
    for (DType dtype : {DType::f32, DType::f64, DType::f16})
      for (IndexType index : {IndexType::i32, IndexType::i64}) {
        SCOPED_TRACE(std::string(toString(op)) + " " +
                     std::string(toString(dtype)));
        Config config;
        config.spec.op = op;
        config.spec.dtype = dtype;
        config.spec.rowptrType = config.spec.colindType = index;
        config.spec.schedule = parseSchedule("vendor").value();
        if (op == OpKind::spmm)
          config.spec.edgeValues = EdgeValues::perEdge;
        // Taken, and refused for SpMM.
        config.widths = {{32, 32, 1}, {3, 3, 1}};
        expectPlansMatchReference(config);
      }
  Uniform call(OpKind::spmm, skewed(), "vendor");
  autosage_plan_options options = optionsOf(call.spec);
  PlanPtr plan;
  ASSERT_EQ(makePlan(context.get(), call.spec, call.operands(), nullptr, plan,
                     &options),
            0);
  EXPECT_NE(explained(plan).find("origin cuSPARSE "), std::string::npos)
      << explained(plan);
  // Which gives other bits in each run on long rows.
  options.deterministic = 1;
  ASSERT_EQ(makePlan(context.get(), call.spec, call.operands(), nullptr, plan,
                     &options),
            0);
  EXPECT_NE(explained(plan).find("decided_by fallback (cuSPARSE expects "
                                 "deterministic = 0 for spmm"),
            std::string::npos)
      << explained(plan);
}
