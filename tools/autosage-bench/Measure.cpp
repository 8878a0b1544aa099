//===- Measure.cpp - times on the GPU -------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "autosage/Core/Vendor.h"
#include "autosage/Runtime/Vendor.h"

#include <algorithm>
#include <chrono>

using namespace autosage;
using namespace autosage::bench;
using Clock = std::chrono::steady_clock;

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

double bench::median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

/// Milliseconds of one run, over `batch` of them.
static Result<double> timeBatch(int64_t batch,
                                llvm::function_ref<Status()> run) {
  const autosage_device_api &api = *autosage_cuda_device_api();
  void *begin = api.event_record();
  for (int64_t i = 0; i < batch; ++i)
    if (Status status = run(); !status)
      return Error{status.error()};
  void *end = api.event_record();
  double ms = api.event_elapsed(begin, end);
  if (Status status = deviceStatus(); !status)
    return Error{status.error()};
  return ms / static_cast<double>(batch);
}

Measurement bench::measure(Workload &workload, const Options &o,
                           llvm::function_ref<Status()> run) {
  constexpr double mostRuns = 1000;
  Measurement m;
  auto failed = [&](const std::string &why) {
    m.failure = why;
    return m;
  };
  workload.poison();
  if (Status status = run(); !status)
    return failed(status.error());
  Result<double> error = workload.error();
  if (!error)
    return failed(error.error());
  m.relError = *error;

  // Warms up, and says how many runs a sample has room for.
  Result<double> once = timeBatch(3, run);
  if (!once)
    return failed(once.error());
  auto batch = static_cast<int64_t>(
      std::clamp(o.sampleMs / std::max(*once, 1e-4), 1.0, mostRuns));
  std::vector<double> samples;
  for (int32_t i = 0; i < o.samples; ++i) {
    Result<double> sample = timeBatch(batch, run);
    if (!sample)
      return failed(sample.error());
    samples.push_back(*sample);
  }
  m.medianMs = median(samples);
  m.minMs = *std::min_element(samples.begin(), samples.end());
  return m;
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
    Status status = deviceStatus();
    failed.failure = status ? "no plan" : status.error();
    return failed;
  }
  double prepareMs = millisecondsSince(start);
  Measurement m = measure(workload, o, [&]() -> Status {
    if (autosage_vendor_plan_run(plan, &operands) == AUTOSAGE_DEVICE_OK)
      return Status::success();
    Status status = deviceStatus();
    return status ? Error{"cuSPARSE failed"} : status;
  });
  m.prepareMs = prepareMs;
  m.workspaceBytes = autosage_vendor_plan_workspace_bytes(plan);
  autosage_vendor_plan_destroy(plan);
  return m;
}

Measurement bench::measureSchedule(Workload &workload, const Options &o,
                                   const Schedule &schedule) {
  Measurement failed;
  compiler::KernelSpec spec = workload.spec;
  spec.schedule = schedule;
  auto kernel = compiler::compileNvptx(spec, {}, {o.chip});
  if (!kernel) {
    failed.failure = kernel.error();
    return failed;
  }
  compiler::Operands operands = workload.operands();
  Measurement m =
      measure(workload, o, [&] { return (*kernel)->run(operands); });
  m.compileMs = (*kernel)->compileMs();
  return m;
}
