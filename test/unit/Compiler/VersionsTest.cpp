//===- VersionsTest.cpp - programs that adapt to their graph --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is compiled once, without statistics, and runs other kernels on a
// graph with hubs than on one without. Which version was chosen is read from
// the log of decisions, as a user would.
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "TestProgram.h"

#include "autosage/Core/Artifact.h"
#include "autosage/Core/KernelSpecC.h"
#include "autosage/Core/Reference.h"
#include "autosage/Oracle/DecisionStore.h"
#include "autosage/Runtime/PlanCpp.h"
#include "autosage/Runtime/Runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <tuple>
#include <unistd.h>

using namespace autosage;
using namespace autosage::test;

namespace {
/// Log and store of this process, named before the runtime asks for them.
struct Files {
  std::string log, store;
  Files() {
    std::string base =
        testing::TempDir() + "autosage-versions-" + std::to_string(getpid());
    log = base + ".log";
    store = base + ".sqlite";
    setenv("AUTOSAGE_DECISION_LOG", log.c_str(), 1);
    setenv("AUTOSAGE_DECISION_CACHE", store.c_str(), 1);
  }
  ~Files() {
    std::remove(log.c_str());
    for (const char *ending : {"", "-wal", "-shm", ".lock"})
      std::remove((store + ending).c_str());
  }
} files;

/// The value of a key in a line of JSON whose values are strings.
std::string valueOf(const std::string &line, const std::string &key) {
  std::string start = "\"" + key + "\":";
  size_t at = line.find(start);
  if (at == std::string::npos)
    return "";
  at = line.find('"', at + start.size());
  return line.substr(at + 1, line.find('"', at + 1) - at - 1);
}

struct Choice {
  std::string schedule, by;
};

/// The choices of versions since the last call.
std::vector<Choice> takeChoices() {
  static std::streamoff read = 0;
  std::vector<Choice> choices;
  std::ifstream in(files.log);
  in.seekg(read);
  for (std::string line; std::getline(in, line);) {
    read += static_cast<std::streamoff>(line.size()) + 1;
    if (valueOf(line, "event") == "version")
      choices.push_back(
          {valueOf(line, "schedule"), valueOf(line, "decided_by")});
  }
  return choices;
}
} // namespace

/// Three products on one graph, in a loop.
static const char loopText[] = R"mlir(
func.func @main(%rowptr: tensor<?xi32>, %colind: tensor<?xi32>, %x0: tensor<?x32xf32>, %out: memref<?x32xf32>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %nodes = tensor.dim %x0, %c0 : tensor<?x32xf32>
  %graph = autosage.pattern %rowptr, %colind, %nodes : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %x0) -> tensor<?x32xf32> {
    %empty = tensor.empty(%nodes) : tensor<?x32xf32>
    %y = autosage.spmm mean %graph, %x outs(%empty)
       : !autosage.pattern<?x?, i32, i32>, tensor<?x32xf32> -> tensor<?x32xf32>
    scf.yield %y : tensor<?x32xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out
      : (tensor<?x32xf32>, memref<?x32xf32>) -> ()
  return
}
)mlir";

/// Rows of 4 entries; every 50th has `hub` ones.
static Csr graphOf(int64_t rows, int64_t hub, uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<int64_t> degrees(static_cast<size_t>(rows), 4);
  for (size_t i = 7; hub && i < degrees.size(); i += 50)
    degrees[i] = hub;
  return randomCsr(degrees, rows, engine);
}

/// Runs the program on the graph and checks what comes out.
static void expectMeans(std::shared_ptr<const compiler::CompiledKernel> kernel,
                        Target target, const Csr &csr) {
  TestProgram program(std::move(kernel), target);
  CsrView view = csr.view();
  std::vector<int32_t> rowptr, colind;
  for (int64_t i = 0; i <= csr.rows; ++i)
    rowptr.push_back(static_cast<int32_t>(view.rowptr[i]));
  for (int64_t e = 0; e < csr.nnz(); ++e)
    colind.push_back(static_cast<int32_t>(view.colind[e]));
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> x(static_cast<size_t>(csr.rows) * 32);
  for (float &value : x)
    value = uniform(engine);
  program.tensor(rowptr, {csr.rows + 1});
  program.tensor(colind, {csr.nnz()});
  program.tensor(x, {csr.rows, 32});
  size_t out = program.output<float>({csr.rows, 32});
  Status ran = program.run();
  ASSERT_TRUE(ran) << ran.error();
  std::vector<double> now(x.begin(), x.end()), next(now.size());
  reference::SpmmParams params;
  params.reduction = Reduction::mean;
  params.features = 32;
  for (int times = 0; times < 3; ++times) {
    reference::spmm(view, {}, now.data(), next.data(), params);
    now.swap(next);
  }
  std::vector<float> got = program.download<float>(out);
  std::vector<double> wide(got.begin(), got.end());
  EXPECT_LE(reference::relativeError(wide.data(), now.data(),
                                     static_cast<int64_t>(now.size())),
            1e-5);
}

/// Compiles once, and runs on a graph of either kind; each takes a version
/// whose text begins so.
static void expectAdapts(Target target, const Csr &hubs, const Csr &even,
                         const std::string &forHubs,
                         const std::string &forEven) {
  auto kernel = compileForTest(loopText, target);
  ASSERT_TRUE(kernel);
  takeChoices();
  std::vector<std::string> chosen;
  const std::tuple<const char *, const Csr &, const std::string &> runs[] = {
      {"hubs", hubs, forHubs}, {"even", even, forEven}};
  for (const auto &[name, csr, expected] : runs) {
    SCOPED_TRACE(name);
    expectMeans(kernel, target, csr);
    std::vector<Choice> choices = takeChoices();
    // One for the loop, which the compiler took out of it.
    ASSERT_EQ(choices.size(), 1u);
    EXPECT_EQ(choices[0].schedule.rfind(expected, 0), 0u)
        << choices[0].schedule;
    EXPECT_EQ(choices[0].by, "estimate");
    std::printf("%s: %s\n", name, choices[0].schedule.c_str());
    chosen.push_back(choices[0].schedule);
  }
  EXPECT_NE(chosen[0], chosen[1]);
}

/// Graphs of which there is nothing to know: no version is looked for.
static void expectNoLook(Target target) {
  auto kernel = compileForTest(loopText, target);
  ASSERT_TRUE(kernel);
  std::mt19937_64 engine(1);
  takeChoices();
  expectMeans(kernel, target, randomCsr({0, 0, 0}, 3, engine));
  expectMeans(kernel, target, randomCsr({}, 0, engine));
  EXPECT_TRUE(takeChoices().empty());
}

TEST(SimtVersions, OneProgramRunsOtherKernelsOnOtherGraphs) {
  expectAdapts(Target::simt, graphOf(1500, 700, 1), graphOf(1500, 0, 2),
               "row_tasks", "row_group");
}

TEST(SimtVersions, GraphsWithoutRowsOrEntries) { expectNoLook(Target::simt); }

namespace {
/// With as many threads as a server has: what is chosen counts on them.
class CpuVersions : public testing::Test {
protected:
  CpuVersions() { autosage_set_num_threads(8); }
  ~CpuVersions() override { autosage_set_num_threads(0); }

  /// One row has as many entries as all others.
  static Csr withOneHub(int64_t rows) {
    std::mt19937_64 engine(1);
    std::vector<int64_t> degrees(static_cast<size_t>(rows), 4);
    degrees[7] = 4 * rows;
    return randomCsr(degrees, rows, engine);
  }
};
} // namespace

TEST_F(CpuVersions, OneProgramRunsOtherKernelsOnOtherGraphs) {
  expectAdapts(Target::cpu, withOneHub(20000), graphOf(20000, 0, 2),
               "nnz_parallel", "row_parallel");
}

TEST_F(CpuVersions, GraphsWithoutRowsOrEntries) { expectNoLook(Target::cpu); }

// A plan's decision for the same call is found, in the process's store.
TEST_F(CpuVersions, TakeWhatAPlanDecided) {
  Csr csr = withOneHub(3000);
  KernelSpec spec;
  spec.features = 48;
  spec.rowptrType = spec.colindType = IndexType::i64;
  Operands shapes;
  shapes.a = csr.view();
  shapes.x = {nullptr, csr.cols, 1, 48, 0};
  shapes.out = {nullptr, csr.rows, 1, 48, 0};
  autosage_context_options contextOptions;
  autosage_context_options_init(&contextOptions, sizeof contextOptions);
  contextOptions.target = AUTOSAGE_TARGET_CPU;
  contextOptions.cache_dir = "";
  Result<runtime::ContextHandle> context =
      runtime::ContextHandle::create(contextOptions);
  ASSERT_TRUE(context) << context.error();
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.oracle = AUTOSAGE_ORACLE_ESTIMATE;
  Result<runtime::PlanHandle> plan =
      context->plan(writeSpec(spec, ""), runtime::patternOf(csr.view()),
                    runtime::toC(shapes), nullptr, &options);
  ASSERT_TRUE(plan) << plan.error();
  std::string decided;
  std::istringstream lines(plan->explain());
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("schedule ", 0) == 0)
      decided = line.substr(line.find_first_not_of(' ', 8));
  ASSERT_NE(decided, "") << plan->explain();

  std::string kernel = textOf(spec), versions = "row_parallel, grain = 8192";
  versions.append(1, '\0').append(decided).append(1, '\0');
  autosage_site site = {sizeof site,    AUTOSAGE_DEVICE_VERSION, 2,      0,
                        kernel.c_str(), versions.c_str(),        nullptr};
  takeChoices();
  auto choose = [&] {
    return autosage_choose_version_host(&site, csr.rowptr.data(),
                                        csr.colind.data(), csr.rows, csr.cols,
                                        csr.nnz(), 8, 8);
  };
  EXPECT_EQ(choose(), 1);
  std::vector<Choice> choices = takeChoices();
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_EQ(choices[0].by, "cache");
  EXPECT_EQ(choices[0].schedule, decided);
  // It is remembered: the log says nothing of a look-up.
  EXPECT_EQ(choose(), 1);
  EXPECT_TRUE(takeChoices().empty());
}

TEST_F(CpuVersions, AnInvalidPatternRunsTheFirst) {
  const int32_t rowptr[] = {0, 1, 2}, colind[] = {1, 2};
  std::string kernel = textOf(KernelSpec());
  const char versions[] = "row_parallel\0nnz_parallel\0";
  autosage_site site = {sizeof site, AUTOSAGE_DEVICE_VERSION, 2,
                        0,           kernel.c_str(),          versions,
                        nullptr};
  takeChoices();
  EXPECT_EQ(autosage_choose_version_host(&site, rowptr, colind, 2, 2, 2, 4, 4),
            0);
  EXPECT_TRUE(takeChoices().empty());
}

TEST(SimtVersions, AnInvalidPatternIsAnError) {
  TestProgram program(loopText, Target::simt);
  program.tensor(std::vector<int32_t>{0, 1, 2}, {3});
  program.tensor(std::vector<int32_t>{1, 2}, {2});
  program.tensor(std::vector<float>(64), {2, 32});
  program.output<float>({2, 32});
  Status ran = program.run();
  ASSERT_FALSE(ran);
  EXPECT_NE(ran.error().find("column 2 is outside [0, 2)"), std::string::npos)
      << ran.error();
}

//===----------------------------------------------------------------------===//
// The look-up
//===----------------------------------------------------------------------===//

namespace {
struct Site {
  std::string kernel, versions;
  autosage_site site;
  explicit Site(const std::vector<std::string> &schedules, int64_t features) {
    KernelSpec spec;
    spec.features = features;
    kernel = textOf(spec);
    for (const std::string &schedule : schedules)
      versions.append(schedule).append(1, '\0');
    site = {sizeof(autosage_site),
            AUTOSAGE_DEVICE_VERSION,
            static_cast<uint32_t>(schedules.size()),
            0,
            kernel.c_str(),
            versions.c_str(),
            nullptr};
  }
  int64_t choose(const DeviceBuffer &rowptr, const DeviceBuffer &colind,
                 const Csr &csr) {
    return autosage_choose_version_on(autosage_simt_device_api(), &site,
                                      rowptr.data(), colind.data(), csr.rows,
                                      csr.cols, csr.nnz(), 8, 8);
  }
};

DeviceBuffer placed(const IndexArray &array) {
  return {*autosage_simt_device_api(), array.data(), array.size() * 8};
}
} // namespace

TEST(VersionLookUp, TakesLessThanAMicrosecondOnceDecided) {
  Csr csr = graphOf(1500, 700, 1);
  DeviceBuffer rowptr = placed(csr.rowptr), colind = placed(csr.colind);
  Site site({"row_group", "row_tasks, chunk = 128"}, 64);
  ASSERT_EQ(site.choose(rowptr, colind, csr), 1);
  const int calls = 20000;
  double best = 1e9;
  for (int round = 0; round < 10; ++round) {
    int64_t sum = 0;
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i)
      sum += site.choose(rowptr, colind, csr);
    std::chrono::duration<double, std::micro> took =
        std::chrono::steady_clock::now() - begin;
    ASSERT_EQ(sum, calls);
    best = std::min(best, took.count() / calls);
  }
  std::printf("look-up: %.3f us\n", best);
  EXPECT_LE(best, 1.0);
}

// A plan's decision for the same call stands above the model.
TEST(VersionLookUp, TakesWhatTheStoreRemembers) {
  Csr csr = graphOf(1500, 700, 5);
  InputStats stats = computeStats(csr.view());
  KernelSpec spec;
  spec.features = 48;
  oracle::Environment here;
  here.target = Target::simt;
  here.device = "simt (sm_0)";
  here.capability = "simt 0";
  here.units = 1;
  here.code = codeVersion();
  oracle::Decision decision;
  decision.schedule = "row_group";
  decision.decidedBy = DecidedBy::probe;
  decision.reason = "measured";
  decision.candidates.push_back({"row_group", 0, 1.0, 0.9, 1.1, 3, ""});
  oracle::DecisionStore store(oracle::storeOptionsFor(files.store));
  oracle::Stored stored =
      store.store(oracle::makeKey(spec, stats.fingerprint, {}, here), decision);
  ASSERT_EQ(stored.place, oracle::Stored::Place::file) << stored.why;

  DeviceBuffer rowptr = placed(csr.rowptr), colind = placed(csr.colind);
  takeChoices();
  Site site({"row_tasks, chunk = 128", "row_group"}, 48);
  EXPECT_EQ(site.choose(rowptr, colind, csr), 1);
  std::vector<Choice> choices = takeChoices();
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_EQ(choices[0].by, "cache");
  // Without it, the model would take the other.
  Site other({"row_tasks, chunk = 128", "row_group"}, 52);
  EXPECT_EQ(other.choose(rowptr, colind, csr), 0);
}

//===----------------------------------------------------------------------===//
// On a GPU
//===----------------------------------------------------------------------===//

namespace {
class NvptxVersions : public testing::Test {
protected:
  void SetUp() override {
    if (testGpu().chip.empty())
      GTEST_SKIP() << testGpu().missing;
  }
};
} // namespace

TEST_F(NvptxVersions, OneProgramRunsOtherKernelsOnOtherGraphs) {
  // A list of tasks that cuts nothing is nearly free: of either family.
  expectAdapts(Target::nvptx, graphOf(20000, 4000, 1), graphOf(20000, 0, 2),
               "row_tasks", "row_");
}
