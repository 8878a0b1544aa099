//===- PlanTrack.cpp - plans that race on scratch operands ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanTrack.h"

#include "../Kernel/Stopwatch.h"
#include "Sample.h"

#include "autosage/Runtime/DeviceCpp.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

using namespace autosage;
using namespace autosage::runtime;
using oracle::Course;

/// A measurement of less is repeated until it takes as long.
static constexpr double leastMs = 0.05;
static constexpr int64_t mostRepetitions = 512;
/// Elements of an output that are compared.
static constexpr int64_t mostCompared = int64_t{1} << 20;
/// Of the entries of a scout to those of the sample; that of Race.cpp.
static constexpr double scoutShare = 1.0 / 32;
/// A sample of more is not worth its making.
static constexpr double mostFraction = 0.5;
/// A row of so large a share of a sample's entries would stand for too much.
static constexpr double longestShare = 0.25;

static size_t indexOf(Course course) { return static_cast<size_t>(course); }

PlanTrack::PlanTrack(const TrackInput &in)
    : input(in), memory(in.context->api) {
  patterns[indexOf(Course::whole)] = in.shapes.a;
}

PlanTrack::~PlanTrack() = default;

double PlanTrack::now() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Status PlanTrack::deviceStatus() const {
  return input.context->api ? runtime::deviceStatus(*input.context->api)
                            : Status::success();
}

//===----------------------------------------------------------------------===//
// Entering
//===----------------------------------------------------------------------===//

std::vector<Status> PlanTrack::enter(const std::vector<Schedule> &schedules) {
  std::vector<Status> out(schedules.size());
  std::vector<size_t> kernels;
  for (size_t i = 0; i < schedules.size(); ++i) {
    runners.push_back({schedules[i], {}});
    if (schedules[i].family != "vendor")
      kernels.push_back(i);
  }
  Stopwatch compiling;
  std::atomic<bool> hasCompiled{false};
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t k; (k = next++) < kernels.size();) {
      size_t i = kernels[k];
      KernelRequest request = input.request;
      request.spec.schedule = schedules[i];
      try {
        double ms = 0;
        auto kernel = getKernel(request, input.context->cache,
                                input.context->warnings, &ms);
        if (ms > 0)
          hasCompiled = true;
        if (!kernel)
          out[i] = Error{kernel.error()};
      } catch (const std::exception &e) {
        out[i] = Error{e.what()};
      }
    }
  };
  // Kernels are compiled next to each other; one at hand takes no thread.
  std::vector<std::thread> helpers;
  size_t wanted =
      std::min<size_t>(kernels.size(), std::thread::hardware_concurrency());
  for (size_t i = 1; i < wanted; ++i) {
    try {
      helpers.emplace_back(work);
    } catch (const std::exception &) {
      break; // no more threads: those that are there do it
    }
  }
  work();
  for (std::thread &helper : helpers)
    helper.join();
  if (hasCompiled && input.compileMs)
    *input.compileMs += compiling.milliseconds();
  return out;
}

//===----------------------------------------------------------------------===//
// Courses
//===----------------------------------------------------------------------===//

/// The pattern in the device's memory; the host's arrays stay the caller's.
CsrView PlanTrack::place(const Csr &csr) {
  CsrView view = csr.view();
  if (!input.context->api)
    return view;
  auto upload = [&](IndexView &array) {
    int64_t bytes = array.size * sizeOf(array.type);
    void *data = memory.alloc(bytes);
    if (data)
      memory.copyIn(data, array.data, bytes);
    array.data = data;
  };
  upload(view.rowptr);
  upload(view.colind);
  return view;
}

Result<double> PlanTrack::layOut(double fraction) {
  const CsrView &whole = input.hostPattern;
  if (fraction < 1 && input.stats.nnz > 0)
    fraction = std::max(
        fraction, static_cast<double>(input.stats.max) /
                      (longestShare * static_cast<double>(input.stats.nnz)));
  if (fraction > mostFraction || whole.nnz() == 0)
    return 1.0;
  auto sample = [&](const CsrView &csr, double part) {
    return input.bound.transpose ? sampleColumns(csr, part)
                                 : sampleRows(csr, part);
  };
  sampleCsr = sample(whole, fraction);
  scoutCsr = sample(sampleCsr.view(), scoutShare);
  double share =
      static_cast<double>(sampleCsr.nnz()) / static_cast<double>(whole.nnz());
  if (share <= 0 || share > mostFraction)
    return 1.0;
  patterns[indexOf(Course::sample)] = place(sampleCsr);
  patterns[indexOf(Course::scout)] = place(scoutCsr);
  if (Status status = deviceStatus(); !status)
    return Error{status.error()};
  return share;
}

Status PlanTrack::makeScratch() {
  if (scratch)
    return Status::success();
  auto made = Scratch::make(memory, input.bound, input.shapes);
  Status status = deviceStatus();
  if (!made)
    return Error{made.error()};
  if (!status)
    return status;
  scratch = std::move(*made);
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Result<std::unique_ptr<Plan>> PlanTrack::planFor(const Runner &runner,
                                                 const CsrView &pattern) {
  if (Status status = makeScratch(); !status)
    return Error{status.error()};
  PlanOptions options;
  options.validate = false;
  options.deterministic = input.options.deterministic;
  options.workspaceLimit = input.options.workspaceLimit;
  KernelSpec spec = input.request.spec;
  spec.schedule = runner.schedule;
  Operands shapes = scratch->operandsFor(pattern);
  std::unique_ptr<Plan> plan;
  if (Failure failure = Plan::create(input.context, std::move(spec),
                                     input.request.cpu, input.request.features,
                                     shapes, options, input.stream, plan))
    return Error{failure.message};
  if (runner.schedule.family == "vendor" && !plan->usesVendor())
    return Error{"cuSPARSE does not take it"};
  return plan;
}

/// Milliseconds of one of so many repetitions, less what the clock takes.
Result<double> PlanTrack::measure(Plan &plan, const CsrView &pattern,
                                  int64_t repetitions) {
  const autosage_device_api *api = input.context->api;
  Operands operands = scratch->operandsFor(pattern);
  void *begin = nullptr;
  double from = 0;
  if (api)
    begin = api->event_record();
  else
    from = now();
  Failure failure;
  for (int64_t i = 0; i < repetitions && !failure; ++i) {
    Operands copy = operands;
    failure = plan.run(copy, input.stream);
  }
  double ms = 0;
  if (api) {
    void *end = api->event_record();
    ms = api->event_elapsed(begin, end);
  } else {
    ms = now() - from;
  }
  Status status = deviceStatus();
  if (failure)
    return Error{failure.message};
  if (!status)
    return Error{status.error()};
  if (clockMs < 0) {
    clockMs = 0; // of the least of a few looks
    for (int i = 0; i < 5; ++i) {
      double look = 0;
      if (api) {
        void *first = api->event_record();
        look = api->event_elapsed(first, api->event_record());
      } else {
        double first = now();
        look = now() - first;
      }
      clockMs = i == 0 ? look : std::min(clockMs, look);
    }
    clockMs = std::max(clockMs, 0.0);
    if (Status after = deviceStatus(); !after)
      return Error{after.error()};
  }
  // A time is positive, whatever the clock's grain.
  return std::max(ms - clockMs, 1e-6) / static_cast<double>(repetitions);
}

/// What a run takes that has nothing to do: one row without entries.
double PlanTrack::launchCost(const Runner &runner) {
  if (emptyCsr.rows == 0) {
    auto positions = input.request.spec.rowptrType == IndexType::i32
                         ? IndexArray(std::vector<int32_t>{0, 0})
                         : IndexArray(std::vector<int64_t>{0, 0});
    auto columns = input.request.spec.colindType == IndexType::i32
                       ? IndexArray(std::vector<int32_t>{})
                       : IndexArray(std::vector<int64_t>{});
    emptyCsr = Csr{1, 1, std::move(positions), std::move(columns)};
    emptyPattern = place(emptyCsr);
  }
  auto plan = planFor(runner, emptyPattern);
  if (!plan)
    return 0; // nothing is subtracted
  double least = 0;
  for (int i = 0; i < 4; ++i) {
    auto ms = measure(**plan, emptyPattern, 4);
    if (!ms)
      return 0;
    least = i == 0 ? *ms : std::min(least, *ms);
  }
  return least;
}

Result<double> PlanTrack::prepare(size_t number, Course course) {
  Runner &runner = runners[number];
  Entry &entry = runner.entries[indexOf(course)];
  entry = Entry();
  // Operands are made by whoever comes first, and are nobody's preparation.
  if (Status status = makeScratch(); !status)
    return Error{status.error()};
  double from = now();
  auto plan = planFor(runner, patterns[indexOf(course)]);
  double ms = now() - from;
  if (!plan) {
    (void)deviceStatus();
    return Error{plan.error()};
  }
  entry.plan = std::move(*plan);
  // On the whole input a launch's cost is part of the truth.
  if (course != Course::whole)
    entry.launchMs = launchCost(runner);
  return ms;
}

Result<double> PlanTrack::run(size_t number, Course course) {
  Entry &entry = runners[number].entries[indexOf(course)];
  const CsrView &pattern = patterns[indexOf(course)];
  if (!entry.plan)
    return Error{"expects a runner that was prepared"};
  if (!entry.hasRun)
    scratch->reset(pattern);
  Result<double> ms = measure(*entry.plan, pattern, entry.repetitions);
  if (!ms)
    return ms;
  if (!entry.hasRun) {
    entry.hasRun = true;
    entry.first = scratch->look(pattern, mostCompared);
    if (Status status = deviceStatus(); !status)
      return Error{status.error()};
    entry.repetitions = std::clamp<int64_t>(
        static_cast<int64_t>(std::ceil(leastMs / *ms)), 1, mostRepetitions);
  }
  return std::max(*ms - entry.launchMs, 1e-6);
}

Status PlanTrack::compare(size_t runner, size_t reference, Course course) {
  const Entry &own = runners[runner].entries[indexOf(course)];
  const Entry &other = runners[reference].entries[indexOf(course)];
  int64_t width = std::max(input.bound.features, input.bound.valueFeatures);
  // Of the transpose, the longest row is not known.
  int64_t longest = input.bound.transpose ? input.stats.nnz : input.stats.max;
  return compareResults(own.first, other.first, input.bound,
                        std::max(width, longest));
}

void PlanTrack::retire(size_t runner) {
  for (Entry &entry : runners[runner].entries)
    entry.plan.reset();
}
