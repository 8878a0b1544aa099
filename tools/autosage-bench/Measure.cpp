//===- Measure.cpp - times on the device ----------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "../autosage-run/Timing.h"

#include "autosage/Core/KernelSpecC.h"
#include "autosage/Runtime/PlanCpp.h"
#include "autosage/Runtime/Vendor.h"

#include <algorithm>
#include <ctime>

using namespace autosage;
using namespace autosage::bench;
using run::Clock;
using run::median;
using run::millisecondsSince;

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
/// One that is timed: checked first, then sample by sample.
class Contestant {
public:
  Contestant(Workload &workload, const Options &o,
             llvm::function_ref<Status()> run)
      : workload(workload), o(o), run(run) {}

  void start() {
    constexpr double mostRuns = 1000;
    workload.poison();
    if (Status status = run(); !status)
      return failed(status.error());
    Result<double> error = workload.error();
    if (!error)
      return failed(error.error());
    m.relError = *error;
    // Warms up, and says how many runs a sample has room for.
    Result<double> once = timeBatch(o, 3, run);
    if (!once)
      return failed(once.error());
    batch = static_cast<int64_t>(
        std::clamp(o.sampleMs / std::max(*once, 1e-4), 1.0, mostRuns));
  }
  void sample() {
    if (!m.failure.empty())
      return;
    Result<double> sample = timeBatch(o, batch, run);
    if (!sample)
      return failed(sample.error());
    samples.push_back(*sample);
  }
  Measurement finish() {
    if (m.failure.empty() && !samples.empty()) {
      m.medianMs = median(samples);
      m.minMs = *std::min_element(samples.begin(), samples.end());
    }
    return m;
  }

private:
  Workload &workload;
  const Options &o;
  llvm::function_ref<Status()> run;
  Measurement m;
  int64_t batch = 1;
  std::vector<double> samples;

  void failed(const std::string &why) { m.failure = why; }
};
} // namespace

Measurement bench::measure(Workload &workload, const Options &o,
                           llvm::function_ref<Status()> run) {
  Contestant contestant(workload, o, run);
  contestant.start();
  for (int32_t i = 0; i < o.samples; ++i)
    contestant.sample();
  return contestant.finish();
}

std::pair<Measurement, Measurement>
bench::measurePair(Workload &workload, const Options &o,
                   llvm::function_ref<Status()> first,
                   llvm::function_ref<Status()> second) {
  Contestant a(workload, o, first), b(workload, o, second);
  a.start();
  b.start();
  for (int32_t i = 0; i < o.samples; ++i) {
    a.sample();
    b.sample();
  }
  return {a.finish(), b.finish()};
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

//===----------------------------------------------------------------------===//
// Schedules of ours
//===----------------------------------------------------------------------===//

Result<runtime::ContextHandle> &bench::context(const Options &o) {
  static Result<runtime::ContextHandle> instance = [&] {
    autosage_context_options options;
    autosage_context_options_init(&options, sizeof options);
    options.target =
        o.target == Target::cpu ? AUTOSAGE_TARGET_CPU : AUTOSAGE_TARGET_NVPTX;
    options.cache_dir = ""; // what is timed was compiled by this build
    return runtime::ContextHandle::create(options);
  }();
  return instance;
}

Measurement bench::measureSchedule(Workload &workload, const Options &o,
                                   const Schedule &schedule) {
  Measurement failed;
  if (!context(o)) {
    failed.failure = context(o).error();
    return failed;
  }
  std::string text = schedule.str();
  autosage_kernel_spec spec = writeSpec(workload.spec, text);
  Operands operands = workload.operands();
  autosage_operands c = runtime::toC(operands);
  autosage_pattern pattern = runtime::patternOf(operands.a);
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.validate = 0; // the host has looked at it
  auto start = Clock::now();
  Result<runtime::PlanHandle> plan =
      context(o)->plan(spec, pattern, c, nullptr, &options);
  if (!plan) {
    failed.failure = plan.error();
    return failed;
  }
  double prepareMs = millisecondsSince(start);
  Measurement m = measure(workload, o, [&] { return plan->run(c); });
  m.prepareMs = prepareMs;
  m.workspaceBytes = plan->workspaceBytes();
  return m;
}
