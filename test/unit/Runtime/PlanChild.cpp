//===- PlanChild.cpp - a process of its own that runs plans ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests start it with an environment of their own: `plan-child SCENARIO`.
// It tells on standard output what happened, a line each; warnings go to
// standard error. Status 0 where all calls succeeded.
//
//===----------------------------------------------------------------------===//

#include "PlanSupport.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace autosage;
using namespace autosage::test;

static bool isLoaded(const char *part) {
  struct Search {
    const char *part;
    bool found = false;
  } search{part};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        auto *search = static_cast<Search *>(data);
        if (info->dlpi_name && std::strstr(info->dlpi_name, search->part))
          search->found = true;
        return 0;
      },
      &search);
  return search.found;
}

static int fail(const char *what) {
  std::printf("failed %s: %s\n", what, autosage_plan_last_error());
  return 1;
}

static std::string lineOf(const std::string &text, const std::string &key) {
  size_t at = text.find(key + " ");
  return at == std::string::npos ? ""
                                 : text.substr(at, text.find('\n', at) - at);
}

/// A context whose cache and compiler come from the environment.
static autosage_context *context(uint32_t target, int32_t device = -1) {
  autosage_context_options options = optionsFor(target);
  options.cache_dir = nullptr;
  options.compiler = nullptr;
  options.device = device;
  autosage_context *made = nullptr;
  autosage_context_create(&options, &made);
  return made;
}

static int spmm(uint32_t target) {
  ContextPtr owner(context(target));
  if (!owner)
    return fail("context");
  SmallSpmm small;
  Operands ops = small.operands();
  std::optional<SimtMemory> memory;
  if (target == AUTOSAGE_TARGET_SIMT)
    memory.emplace(small.spec, ops);
  PlanPtr plan;
  if (makePlan(owner.get(), small.spec, ops, nullptr, plan))
    return fail("plan");
  autosage_operands c = toC(ops);
  if (autosage_plan_run(plan.get(), &c, nullptr))
    return fail("run");
  std::printf("out %g %g\n%s\ncompiler %s\ndriver %s\n", small.out[0],
              small.out[1],
              lineOf(autosage_plan_explain(plan.get()), "origin").c_str(),
              isLoaded("libAutosageCompiler") ? "loaded" : "not loaded",
              isLoaded("libcuda") ? "loaded" : "not loaded");
  return 0;
}

/// On the GPU of the process, or of a driver that pretends.
static int device(const char *scenario) {
  const autosage_device_api &api = *autosage_cuda_device_api();
  bool onSecond = std::strcmp(scenario, "second-device") == 0;
  ContextPtr owner(context(AUTOSAGE_TARGET_NVPTX, onSecond ? 1 : -1));
  if (!owner)
    return fail("context");
  SmallSpmm small;
  Operands ops = small.operands();
  if (std::strcmp(scenario, "scores") == 0) {
    // Needs memory for its scores, and no result of a kernel to be prepared:
    // kernels of a driver that pretends give none.
    small.spec = KernelSpec();
    small.spec.op = OpKind::attention;
    small.spec.features = small.spec.valueFeatures = 1;
    small.spec.schedule = parseSchedule("row_group").value();
    ops.edgeValues = {};
    ops.q = ops.k = ops.v = ops.x;
    ops.x = {};
  }
  void *stream = reinterpret_cast<void *>(intptr_t{0x5712});
  PlanPtr plan;
  if (makePlan(owner.get(), small.spec, ops, stream, plan))
    return fail("plan");
  std::printf(
      "workspace %lld\n",
      static_cast<long long>(autosage_plan_workspace_bytes(plan.get())));
  autosage_operands c = toC(ops);
  std::puts("run");
  std::fflush(stdout);
  if (autosage_plan_run(plan.get(), &c, stream))
    return fail("run");
  std::puts("ran");
  std::fflush(stdout);
  if (api.get_stream())
    std::puts("the thread's stream was not restored");
  plan.reset();
  std::puts("destroyed");
  return 0;
}

/// A data loader's worker: a graph of its own, on the CPU.
static bool workerIsRight() {
  ContextPtr owner(context(AUTOSAGE_TARGET_CPU));
  SmallSpmm small;
  small.rowptr = {0, 1, 2};
  small.colind = {1, 0};
  small.w = {2, 3};
  Operands ops = small.operands();
  ops.a.colind.size = ops.edgeValues.rows = 2;
  PlanPtr plan;
  if (!owner || makePlan(owner.get(), small.spec, ops, nullptr, plan))
    return false;
  autosage_operands c = toC(ops);
  return autosage_plan_run(plan.get(), &c, nullptr) == 0 &&
         small.out == std::vector<float>{20, 3} && !isLoaded("libcuda");
}

/// Four workers in forks of a process that has or has not worked on the CPU
/// itself; then that process uses the GPU.
static int forkWorkers(bool parentWorksFirst) {
  if (parentWorksFirst && !workerIsRight())
    return fail("parent");
  std::vector<pid_t> workers;
  for (int i = 0; i < 4; ++i) {
    pid_t worker = fork();
    if (worker == 0) {
      alarm(60);
      _exit(workerIsRight() ? 0 : 1);
    }
    workers.push_back(worker);
  }
  int right = 0;
  for (pid_t worker : workers) {
    int status = 0;
    waitpid(worker, &status, 0);
    right += WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  std::printf("workers right %d\ndriver %s\n", right,
              isLoaded("libcuda") ? "loaded" : "not loaded");
  return device("spmm");
}

/// cuSPARSE in a plan, on stand-ins that compute: `vendor SCHEDULE [OP
/// [OFFSET]]`, OFFSET in elements between an aligned address and x in the run.
static int vendor(int argc, char **argv) {
  ContextPtr owner(context(AUTOSAGE_TARGET_NVPTX));
  if (!owner)
    return fail("context");
  std::string op = argc > 1 ? argv[1] : "sum";
  int offset = argc > 2 ? std::atoi(argv[2]) : 0;
  constexpr int64_t width = 4;
  alignas(16) static float x[16], out[8], scores[3];
  std::fill(std::begin(out), std::end(out), NAN);
  std::fill(std::begin(scores), std::end(scores), NAN);
  for (int i = 0; i < 8; ++i)
    x[offset + i] = static_cast<float>(i + 1);
  SmallSpmm small;
  KernelSpec &spec = small.spec;
  spec.features = width;
  spec.schedule = parseSchedule(argv[0]).value();
  Operands ops = small.operands();
  ops.x = {x + offset, 2, 1, width, 0};
  ops.out = {out, 2, 1, width, 0};
  if (op == "mean")
    spec.reduction = Reduction::mean;
  if (op == "dot") {
    spec.op = OpKind::sddmm;
    spec.edgeValues = EdgeValues::none;
    ops.q = ops.k = ops.x;
    ops.x = {};
    ops.edgeValues = {};
    ops.out = {scores, 3, 1, 1, 0};
  }
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.deterministic = std::getenv("DETERMINISTIC") != nullptr;
  if (const char *limit = std::getenv("LIMIT"))
    options.workspace_limit = std::atoi(limit);
  void *streams[] = {reinterpret_cast<void *>(intptr_t{0x5712}),
                     reinterpret_cast<void *>(intptr_t{0x5713})};
  PlanPtr plan;
  if (makePlan(owner.get(), spec, ops, streams[0], plan, &options))
    return fail("plan");
  if (autosage_plan_prepare_stream(plan.get(), streams[1]))
    return fail("stream");
  std::printf("%s", autosage_plan_explain(plan.get()));
  autosage_operands c = toC(ops);
  for (void *stream : streams) {
    std::printf("run\n");
    if (autosage_plan_run(plan.get(), &c, stream))
      return fail("run");
    std::printf("ran\nresult");
    for (float value : op == "dot" ? std::vector<float>(scores, scores + 3)
                                   : std::vector<float>(out, out + 8))
      std::printf(" %g", value);
    std::printf("\n");
  }
  plan.reset();
  return 0;
}

/// A plan that decides, on a driver whose kernels do nothing and a cuSPARSE
/// that computes.
static int decides() {
  ContextPtr owner(context(AUTOSAGE_TARGET_NVPTX));
  if (!owner)
    return fail("context");
  alignas(16) static float x[] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8];
  SmallSpmm small;
  small.spec.features = 4;
  Operands ops = small.operands();
  ops.x = {x, 2, 1, 4, 0};
  ops.out = {out, 2, 1, 4, 0};
  std::fill(std::begin(out), std::end(out), NAN);
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.oracle = AUTOSAGE_ORACLE_PROBE;
  options.decision_cache = "";
  options.probe_k = 1;
  options.deterministic = std::getenv("DETERMINISTIC") != nullptr;
  void *stream = reinterpret_cast<void *>(intptr_t{0x5712});
  PlanPtr plan;
  if (makePlan(owner.get(), small.spec, ops, stream, plan, &options))
    return fail("plan");
  std::printf("%suntouched %d\nrun\n", autosage_plan_explain(plan.get()),
              std::isnan(out[0]) && std::isnan(out[7]));
  std::fflush(stdout);
  autosage_operands c = toC(ops);
  if (autosage_plan_run(plan.get(), &c, stream))
    return fail("run");
  std::printf("ran\nresult");
  for (float value : out)
    std::printf(" %g", value);
  std::printf("\n");
  plan.reset();
  return 0;
}

/// Host time of a run beside that of a bare launch, in one process: the least
/// of several rounds, in microseconds.
static int cost() {
  ContextPtr owner(context(AUTOSAGE_TARGET_NVPTX));
  if (!owner)
    return fail("context");
  SmallSpmm small;
  small.spec.schedule = parseSchedule("row_group").value();
  Operands ops = small.operands();
  PlanPtr plan;
  if (makePlan(owner.get(), small.spec, ops, nullptr, plan))
    return fail("plan");
  autosage_operands c = toC(ops);
  using Launch =
      int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
              unsigned, unsigned, void *, void **, void **);
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  auto launch = reinterpret_cast<Launch>(dlsym(driver, "cuLaunchKernel"));
  if (!launch)
    return fail("cuLaunchKernel");
  auto least = [](auto &&once) {
    double best = 1e9;
    for (int round = 0; round < 20; ++round) {
      auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 1000; ++i)
        once();
      best = std::min(best, std::chrono::duration<double, std::micro>(
                                std::chrono::steady_clock::now() - start)
                                    .count() /
                                1000);
    }
    return best;
  };
  int failures = 0;
  double run = least(
      [&] { failures += autosage_plan_run(plan.get(), &c, nullptr) != 0; });
  void *args[1] = {};
  double bare = least(
      [&] { launch(nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, args, nullptr); });
  std::printf("run %.3f us, launch %.3f us, over %.3f\n", run, bare,
              run - bare);
  return failures ? fail("run") : 0;
}

int main(int argc, char **argv) {
  std::string scenario = argc > 1 ? argv[1] : "";
  if (scenario == "spmm-cpu")
    return spmm(AUTOSAGE_TARGET_CPU);
  if (scenario == "spmm-simt")
    return spmm(AUTOSAGE_TARGET_SIMT);
  if (scenario == "fork-workers" || scenario == "fork-workers-later")
    return forkWorkers(scenario == "fork-workers-later");
  if (scenario == "cost")
    return cost();
  if (scenario == "decides")
    return decides();
  if (scenario == "vendor")
    return vendor(argc - 2, argv + 2);
  return device(scenario.c_str());
}
