//===- Measure.cpp - times on the device ----------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "../autosage-run/Timing.h"

#include "autosage/Core/KernelSpecC.h"
#include "autosage/Core/Vendor.h"
#include "autosage/Emulation/Simt.h"
#include "autosage/Runtime/PlanCpp.h"
#include "autosage/Runtime/Vendor.h"

#include <algorithm>
#include <ctime>

using namespace autosage;
using namespace autosage::bench;
using run::Clock;
using run::median;
using run::millisecondsSince;

static_assert(sizeof(autosage_symbol) == sizeof(autosage_simt_symbol),
              "the emulator's list is one of symbols");

static Status deviceStatus(const Options &o) {
  return runtime::deviceStatus(*o.api);
}

/// Of a CPU with one thread, the time that this thread had: others on the
/// machine count for less.
static double threadMs() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 +
         static_cast<double>(now.tv_nsec) * 1e-6;
}

/// Milliseconds of one run, over `batch` of them.
static Result<double> timeBatch(const Options &o, int64_t batch,
                                llvm::function_ref<Status()> run) {
  const autosage_device_api &api = *o.api;
  bool ownTime = o.target == Target::cpu && o.facts.threads == 1;
  double start = ownTime ? threadMs() : 0;
  void *begin = api.event_record();
  for (int64_t i = 0; i < batch; ++i)
    if (Status status = run(); !status)
      return Error{status.error()};
  void *end = api.event_record();
  double ms = api.event_elapsed(begin, end);
  if (ownTime)
    ms = threadMs() - start;
  if (Status status = deviceStatus(o); !status)
    return Error{status.error()};
  return ms / static_cast<double>(batch);
}

namespace {
/// One contestant: a run for the result, then samples.
class Sampling {
public:
  Sampling(Workload &workload, const Options &o,
           llvm::function_ref<Status()> run) {
    if (Status status = begin(workload, o, run); !status)
      m.failure = status.error();
  }

  void add(const Options &o, llvm::function_ref<Status()> run) {
    if (!m.failure.empty())
      return;
    Result<double> sample = timeBatch(o, batch, run);
    if (sample)
      samples.push_back(*sample);
    else
      m.failure = sample.error();
  }

  Measurement take() {
    if (m.failure.empty()) {
      m.medianMs = median(samples);
      m.minMs = *std::min_element(samples.begin(), samples.end());
    }
    return std::move(m);
  }

private:
  Status begin(Workload &workload, const Options &o,
               llvm::function_ref<Status()> run) {
    workload.poison();
    if (Status status = run(); !status)
      return status;
    Result<double> error = workload.error();
    if (!error)
      return Error{error.error()};
    m.relError = *error;
    // Warms up, and says how many runs a sample has room for.
    Result<double> once = timeBatch(o, 1, run);
    if (once && *once < o.sampleMs)
      once = timeBatch(o, 3, run);
    if (!once)
      return Error{once.error()};
    constexpr double mostRuns = 1000;
    batch = static_cast<int64_t>(
        std::clamp(o.sampleMs / std::max(*once, 1e-4), 1.0, mostRuns));
    return Status::success();
  }

  Measurement m;
  int64_t batch = 1;
  std::vector<double> samples;
};
} // namespace

Measurement bench::measure(Workload &workload, const Options &o,
                           llvm::function_ref<Status()> run) {
  Sampling sampling(workload, o, run);
  for (int32_t i = 0; i < o.samples; ++i)
    sampling.add(o, run);
  return sampling.take();
}

std::pair<Measurement, Measurement>
bench::measurePair(Workload &workload, const Options &o,
                   llvm::function_ref<Status()> first,
                   llvm::function_ref<Status()> second) {
  Sampling a(workload, o, first), b(workload, o, second);
  for (int32_t i = 0; i < o.samples; ++i) {
    a.add(o, first);
    b.add(o, second);
  }
  return {a.take(), b.take()};
}

Measurement bench::measureVendor(Workload &workload, const Options &o,
                                 int32_t algorithm) {
  compiler::Operands ops = workload.operands();
  bool isSpmm = workload.spec.op == OpKind::spmm;
  autosage_vendor_spec spec = {};
  spec.struct_size = sizeof spec;
  spec.version = AUTOSAGE_VENDOR_VERSION;
  spec.op = isSpmm ? AUTOSAGE_VENDOR_SPMM : AUTOSAGE_VENDOR_SDDMM;
  spec.dtype = spec.out_dtype = static_cast<int32_t>(workload.spec.dtype);
  spec.position_bytes = spec.coordinate_bytes = 4;
  spec.algorithm = algorithm;
  spec.flags =
      AUTOSAGE_VENDOR_NONDETERMINISTIC | (isSpmm ? AUTOSAGE_VENDOR_VALUES : 0);
  spec.rows = ops.a.rows;
  spec.cols = ops.a.cols;
  spec.nnz = ops.a.nnz();
  spec.features = workload.features;
  spec.left_stride = spec.right_stride = spec.out_stride = workload.features;
  spec.scale = 1;
  autosage_vendor_operands operands = {};
  operands.struct_size = sizeof operands;
  operands.version = AUTOSAGE_VENDOR_VERSION;
  operands.rowptr = ops.a.rowptr.data;
  operands.colind = ops.a.colind.data;
  operands.values = isSpmm ? ops.edgeValues.data : nullptr;
  operands.left = isSpmm ? ops.x.data : ops.q.data;
  operands.right = isSpmm ? nullptr : ops.k.data;
  operands.out = ops.out.data;

  Measurement failed;
  auto start = Clock::now();
  autosage_vendor_plan *plan = nullptr;
  if (autosage_vendor_plan_create(&spec, &operands, nullptr, &plan) !=
      AUTOSAGE_DEVICE_OK) {
    Status status = deviceStatus(o);
    failed.failure = status ? "no plan" : status.error();
    return failed;
  }
  double prepareMs = millisecondsSince(start);
  Measurement m = measure(workload, o, [&]() -> Status {
    if (autosage_vendor_plan_run(plan, &operands) == AUTOSAGE_DEVICE_OK)
      return Status::success();
    Status status = deviceStatus(o);
    return status ? Error{"cuSPARSE failed"} : status;
  });
  m.prepareMs = prepareMs;
  m.workspaceBytes = autosage_vendor_plan_workspace_bytes(plan);
  autosage_vendor_plan_destroy(plan);
  return m;
}

std::string bench::vendorAlgorithmName(int64_t algorithm) {
  return algorithm ? "CSR_ALG" + std::to_string(algorithm) : "default";
}

std::vector<VendorResult> bench::measureVendors(Workload &workload,
                                                const Options &o) {
  OpKind op = workload.spec.op;
  std::vector<VendorResult> results;
  if (!o.vendor || isAttention(op))
    return results;
  // SpMM has several, of which NVIDIA documents one as deterministic; what was
  // seen of its bits is in docs/cusparse.md.
  int64_t algorithms = op == OpKind::spmm ? vendorAlgorithms : 1;
  for (int32_t algorithm = 0; algorithm < algorithms; ++algorithm)
    results.push_back(
        {vendorAlgorithmName(algorithm),
         op == OpKind::sddmm || algorithm == deterministicVendorAlgorithm,
         measureVendor(workload, o, algorithm)});
  return results;
}

//===----------------------------------------------------------------------===//
// Schedules of ours
//===----------------------------------------------------------------------===//

Result<runtime::ContextHandle> bench::makeContext(const Options &o,
                                                  const std::string &cacheDir) {
  autosage_context_options options;
  autosage_context_options_init(&options, sizeof options);
  options.target = o.target == Target::cpu    ? AUTOSAGE_TARGET_CPU
                   : o.target == Target::simt ? AUTOSAGE_TARGET_SIMT
                                              : AUTOSAGE_TARGET_NVPTX;
  if (o.target == Target::simt) {
    options.api = o.api;
    options.symbols =
        reinterpret_cast<const autosage_symbol *>(autosage_simt_symbols());
  }
  options.cache_dir = cacheDir.c_str();
  return runtime::ContextHandle::create(options);
}

Result<runtime::ContextHandle> &bench::context(const Options &o) {
  // What is timed was compiled by this build.
  static Result<runtime::ContextHandle> instance = makeContext(o, "");
  return instance;
}

std::vector<Measurement>
bench::measureSchedules(Workload &workload, const Options &o,
                        const std::vector<Schedule> &all) {
  std::vector<Measurement> results(all.size());
  if (!context(o)) {
    for (Measurement &m : results)
      m.failure = context(o).error();
    return results;
  }
  Operands operands = workload.operands();
  autosage_operands c = runtime::toC(operands);
  autosage_pattern pattern = runtime::patternOf(operands.a);
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.validate = 0; // the host has looked at it
  struct Contestant {
    size_t place;
    runtime::PlanHandle plan;
    double prepareMs;
    Sampling sampling;
  };
  std::vector<Contestant> contestants;
  for (size_t i = 0; i < all.size(); ++i) {
    std::string text = all[i].str();
    autosage_kernel_spec spec = writeSpec(workload.spec, text);
    auto start = Clock::now();
    Result<runtime::PlanHandle> plan =
        context(o)->plan(spec, pattern, c, nullptr, &options);
    if (!plan) {
      results[i].failure = plan.error();
      continue;
    }
    double prepareMs = millisecondsSince(start);
    Sampling sampling(workload, o, [&] { return plan->run(c); });
    contestants.push_back(
        {i, std::move(*plan), prepareMs, std::move(sampling)});
  }
  for (int32_t round = 0; round < o.samples; ++round)
    for (Contestant &contestant : contestants)
      contestant.sampling.add(o, [&] { return contestant.plan.run(c); });
  for (Contestant &contestant : contestants) {
    Measurement &m = results[contestant.place];
    m = contestant.sampling.take();
    m.prepareMs = contestant.prepareMs;
    m.workspaceBytes = contestant.plan.workspaceBytes();
  }
  return results;
}

Measurement bench::measureSchedule(Workload &workload, const Options &o,
                                   const Schedule &schedule) {
  return measureSchedules(workload, o, {schedule}).front();
}
