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
#include "autosage/Core/Reference.h"
#include "autosage/Oracle/DecisionStore.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
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

/// Compiles once, and runs on a graph of either kind, twice.
static void expectAdapts(Target target, int64_t rows, int64_t hub) {
  auto kernel = compileForTest(loopText, target);
  ASSERT_TRUE(kernel);
  Csr hubs = graphOf(rows, hub, 1), even = graphOf(rows, 0, 2);
  takeChoices();
  std::string ofHubs;
  {
    SCOPED_TRACE("hubs");
    expectMeans(kernel, target, hubs);
    std::vector<Choice> choices = takeChoices();
    // One for the loop, which the compiler took out of it.
    ASSERT_EQ(choices.size(), 1u);
    ofHubs = choices[0].schedule;
    EXPECT_EQ(ofHubs.rfind("row_tasks", 0), 0u) << ofHubs;
    EXPECT_EQ(choices[0].by, "estimate");
    std::printf("hubs: %s\n", ofHubs.c_str());
  }
  {
    SCOPED_TRACE("even");
    expectMeans(kernel, target, even);
    std::vector<Choice> choices = takeChoices();
    ASSERT_EQ(choices.size(), 1u);
    // Of either family: a list of tasks that cuts nothing is nearly free.
    EXPECT_NE(choices[0].schedule, ofHubs);
    std::printf("even: %s\n", choices[0].schedule.c_str());
  }
}

TEST(SimtVersions, OneProgramRunsOtherKernelsOnOtherGraphs) {
  expectAdapts(Target::simt, 1500, 700);
}

TEST(SimtVersions, GraphsWithoutRowsOrEntries) {
  auto kernel = compileForTest(loopText, Target::simt);
  ASSERT_TRUE(kernel);
  std::mt19937_64 engine(1);
  takeChoices();
  expectMeans(kernel, Target::simt, randomCsr({0, 0, 0}, 3, engine));
  expectMeans(kernel, Target::simt, randomCsr({}, 0, engine));
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
  expectAdapts(Target::nvptx, 20000, 4000);
}
