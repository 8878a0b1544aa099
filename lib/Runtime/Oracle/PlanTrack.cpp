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
#include <chrono>
#include <cmath>
#include <numeric>

using namespace autosage;
using namespace autosage::runtime;
using oracle::Course;

/// A measurement of less is repeated until it takes as long. The clock of a
/// device has a grain of half a microsecond.
static constexpr double leastHostMs = 0.05, leastDeviceMs = 0.2;
static constexpr int64_t mostRepetitions = 512;
/// Elements of an output that are compared.
static constexpr int64_t mostCompared = int64_t{1} << 16;
/// A sample of more is not worth its making.
static constexpr double mostFraction = 0.5;
/// Windows of a device's sample: each is a copy, which takes microseconds.
static constexpr int64_t mostDeviceWindows = 8192;
/// Rows of the smallest pattern.
static constexpr int64_t smallestRows = 8;
/// A row of so large a share of a sample's entries would stand for too much.
static constexpr double longestShare = 0.25;

static size_t indexOf(Course course) { return static_cast<size_t>(course); }

PlanTrack::PlanTrack(const TrackInput &in)
    : input(in), memory(in.context->api) {
  parts[indexOf(Course::whole)].pattern = in.shapes.a;
  if (in.context->api == autosage_cuda_device_api())
    kept.emplace();
}

PlanTrack::~PlanTrack() { close(); }

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

void PlanTrack::noteWait(double ms) {
  waitedMs += ms;
  if (input.compileMs)
    *input.compileMs += ms;
}

void PlanTrack::enter(const std::vector<Schedule> &schedules) {
  Stopwatch starting;
  std::vector<KernelRequest> requests;
  size_t first = runners.size();
  for (const Schedule &schedule : schedules) {
    runners.emplace_back();
    runners.back().schedule = schedule;
    if (schedule.family == "vendor")
      continue;
    requests.push_back(input.request);
    requests.back().spec.schedule = schedule;
    requests.back().spec.transposeGiven =
        !input.context->api &&
        HostTranspose::isGiven(input.request.spec, input.shapes.a);
  }
  Context &context = *input.context;
  std::vector<std::shared_future<MadeKernel>> kernels = startKernels(
      requests, context.cache, context.warnings, context.background);
  auto kernel = kernels.begin();
  bool isAnyFresh = false;
  for (size_t i = first; i < runners.size(); ++i)
    if (runners[i].schedule.family != "vendor") {
      runners[i].kernel = std::move(*kernel++);
      runners[i].isFresh =
          runners[i].kernel.wait_for(std::chrono::seconds(0)) !=
          std::future_status::ready;
      isAnyFresh |= runners[i].isFresh;
    }
  // The compiler is loaded with the first of them.
  if (isAnyFresh)
    noteWait(starting.milliseconds());
}

std::optional<Status> PlanTrack::entered(size_t number, double until) {
  Runner &runner = runners[number];
  if (runner.kernel.valid()) {
    Stopwatch waiting;
    bool isThere = true;
    if (std::isinf(until)) {
      runner.kernel.wait();
    } else {
      std::chrono::duration<double, std::milli> left(
          std::max(until - now(), 0.0));
      isThere = runner.kernel.wait_for(left) == std::future_status::ready;
    }
    if (!isThere || runner.isFresh)
      noteWait(waiting.milliseconds());
    if (!isThere)
      return std::nullopt;
    if (const MadeKernel &made = runner.kernel.get(); !made)
      return Status(Error{made.error()});
  }
  return Status::success();
}

/// On a device, loads what a plan of the schedule uses.
Status PlanTrack::load(size_t number) {
  const Runner &runner = runners[number];
  if (!input.context->api)
    return Status::success();
  makeSmallest();
  if (Status status = deviceStatus(); !status)
    return status;
  auto plan =
      planFor(runner, shapesFor(input.bound, input.shapes, smallest.pattern));
  Status status = deviceStatus();
  if (!plan)
    return Error{plan.error()};
  destroy(*plan);
  return status;
}

//===----------------------------------------------------------------------===//
// Courses
//===----------------------------------------------------------------------===//

IndexArray PlanTrack::download(const IndexView &view) const {
  auto copy = [&](auto word) {
    std::vector<decltype(word)> host(static_cast<size_t>(view.size));
    input.context->api->download(host.data(), view.data,
                                 view.size * static_cast<int64_t>(sizeof word));
    return IndexArray(std::move(host));
  };
  return view.type == IndexType::i32 ? copy(int32_t()) : copy(int64_t());
}

/// A pattern of the host in the memory of the device.
PlanTrack::Part PlanTrack::place(Csr csr) {
  Part part;
  part.host = std::move(csr);
  part.pattern = part.host.view();
  if (!input.context->api)
    return part;
  auto upload = [&](IndexView &array) {
    int64_t bytes = array.size * sizeOf(array.type);
    void *data = memory.alloc(bytes);
    if (data)
      memory.copyIn(data, array.data, bytes);
    array.data = data;
  };
  upload(part.pattern.rowptr);
  upload(part.pattern.colind);
  return part;
}

/// The same of rows of a pattern whose entries are there already; `rowptr` is
/// the host's.
PlanTrack::Part PlanTrack::placeRows(const Part &whole, const IndexView &rowptr,
                                     double fraction) {
  int64_t width =
      std::max(sampleWindow, (whole.pattern.rows + mostDeviceWindows - 1) /
                                 mostDeviceWindows);
  std::vector<Range> rows = chooseRows(rowptr, fraction, width);
  Part part;
  part.host.cols = whole.pattern.cols;
  part.host.rowptr = positionsOf(rowptr, rows);
  part.host.rows = part.host.rowptr.size() - 1;
  int64_t entries = part.host.rowptr[part.host.rows];
  IndexView columns = whole.pattern.colind;
  int64_t size = sizeOf(columns.type);
  auto *to = static_cast<char *>(memory.alloc(entries * size));
  auto *from = static_cast<const char *>(columns.data);
  int64_t done = 0;
  for (const Range &range : rows) {
    int64_t begin = rowptr[range.begin] * size;
    int64_t bytes = rowptr[range.end] * size - begin;
    if (to && bytes > 0)
      input.context->api->copy(to + done, from + begin, bytes);
    done += bytes;
  }
  part.pattern = part.host.view();
  int64_t bytes = part.pattern.rowptr.size * sizeOf(part.pattern.rowptr.type);
  void *positionsThere = memory.alloc(bytes);
  if (positionsThere)
    memory.copyIn(positionsThere, part.pattern.rowptr.data, bytes);
  part.pattern.rowptr.data = positionsThere;
  part.pattern.colind = {to, entries, columns.type};
  return part;
}

void PlanTrack::sampleHere(double fraction) {
  CsrView whole = input.shapes.a;
  IndexArray columns;
  if (input.context->api) {
    positions = download(whole.rowptr);
    columns = download(whole.colind);
    whole.rowptr = positions.view();
    whole.colind = columns.view();
  }
  auto sample = [&](const CsrView &csr, double part) {
    return input.bound.transpose ? sampleColumns(csr, part)
                                 : sampleRows(csr, part);
  };
  Csr part = sample(whole, fraction);
  parts[indexOf(Course::scout)] =
      place(sample(part.view(), oracle::scoutShare));
  parts[indexOf(Course::sample)] = place(std::move(part));
}

/// Entries do not leave the device.
void PlanTrack::sampleOnDevice(double fraction) {
  positions = download(input.shapes.a.rowptr);
  if (!deviceStatus())
    return; // the next call of the device says why
  Part &sample = parts[indexOf(Course::sample)];
  sample = placeRows(parts[indexOf(Course::whole)], positions.view(), fraction);
  parts[indexOf(Course::scout)] =
      placeRows(sample, sample.host.rowptr.view(), oracle::scoutShare);
}

Result<double> PlanTrack::layOut(double fraction) {
  const InputStats &stats = input.stats;
  if (fraction < 1 && stats.nnz > 0)
    fraction =
        std::max(fraction, static_cast<double>(stats.max) /
                               (longestShare * static_cast<double>(stats.nnz)));
  if (fraction > mostFraction || stats.nnz == 0)
    return 1.0;
  if (input.context->api && !input.bound.transpose)
    sampleOnDevice(fraction);
  else
    sampleHere(fraction);
  if (Status status = deviceStatus(); !status)
    return Error{status.error()};
  double share = static_cast<double>(patternOf(Course::sample).nnz()) /
                 static_cast<double>(stats.nnz);
  return share <= 0 || share > mostFraction ? 1.0 : share;
}

/// A diagonal: cuSPARSE takes no matrix without entries.
void PlanTrack::makeSmallest() {
  if (smallest.pattern.rows > 0)
    return;
  const CsrView &whole = input.shapes.a;
  int64_t rows = std::min({smallestRows, whole.rows, whole.cols, whole.nnz()});
  auto count = [&](IndexType type, int64_t size) {
    auto numbers = [&](auto word) {
      std::vector<decltype(word)> out(static_cast<size_t>(size));
      std::iota(out.begin(), out.end(), decltype(word){0});
      return IndexArray(std::move(out));
    };
    return type == IndexType::i32 ? numbers(int32_t()) : numbers(int64_t());
  };
  smallest = place({rows, rows, count(whole.rowptr.type, rows + 1),
                    count(whole.colind.type, rows)});
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
                                                 const Operands &shapes) {
  PlanOptions options;
  options.validate = false;
  options.deterministic = input.options.deterministic;
  options.workspaceLimit = input.options.workspaceLimit;
  options.vendorAlone = true;
  KernelSpec spec = input.request.spec;
  spec.schedule = runner.schedule;
  std::unique_ptr<Plan> plan;
  if (Failure failure = Plan::create(input.context, std::move(spec),
                                     input.request.cpu, input.request.features,
                                     shapes, options, input.stream, plan))
    return Error{failure.message};
  return plan;
}

/// The least of a few looks at the clock.
Result<double> PlanTrack::lookAtClock() {
  if (clockMs >= 0)
    return clockMs;
  const autosage_device_api *api = input.context->api;
  double least = HUGE_VAL;
  for (int i = 0; i < 5; ++i) {
    double look = 0;
    if (api) {
      void *first = api->event_record();
      look = api->event_elapsed(first, api->event_record());
    } else {
      double first = now();
      look = now() - first;
    }
    least = std::min(least, look);
  }
  if (Status status = deviceStatus(); !status)
    return Error{status.error()};
  clockMs = std::max(least, 0.0);
  return clockMs;
}

/// Milliseconds of one of so many repetitions, less what the clock takes.
Result<double> PlanTrack::measure(Plan &plan, const CsrView &pattern,
                                  int64_t repetitions) {
  Result<double> clock = lookAtClock();
  if (!clock)
    return clock;
  const autosage_device_api *api = input.context->api;
  Operands operands = scratch->operandsFor(pattern);
  void *begin = api ? api->event_record() : nullptr;
  double from = now();
  Failure failure;
  for (int64_t i = 0; i < repetitions && !failure; ++i) {
    Operands copy = operands;
    failure = plan.run(copy, input.stream);
  }
  double ms = now() - from;
  if (api) {
    void *end = api->event_record();
    ms = api->event_elapsed(begin, end);
  }
  Status status = deviceStatus();
  if (failure)
    return Error{failure.message};
  if (!status)
    return Error{status.error()};
  // A time is positive, whatever the clock's grain.
  return std::max(ms - *clock, 1e-6) / static_cast<double>(repetitions);
}

/// What a run takes that has next to nothing to do.
double PlanTrack::launchCost(const Runner &runner) {
  makeSmallest();
  auto plan = planFor(runner, scratch->operandsFor(smallest.pattern));
  if (!plan)
    return 0; // nothing is subtracted
  double least = 0;
  for (int i = 0; i < 4; ++i) {
    auto ms = measure(**plan, smallest.pattern, 4);
    if (!ms)
      return 0;
    least = i == 0 ? *ms : std::min(least, *ms);
  }
  return least;
}

Result<double> PlanTrack::prepare(size_t number, Course course) {
  Runner &runner = runners[number];
  Entry &entry = runner.entries[indexOf(course)];
  destroy(entry.plan);
  entry = Entry();
  // Operands are made by whoever comes first, and are nobody's preparation.
  if (Status status = makeScratch(); !status)
    return Error{status.error()};
  Operands shapes = scratch->operandsFor(patternOf(course));
  double from = now();
  auto plan = planFor(runner, shapes);
  double ms = now() - from;
  if (!plan) {
    (void)deviceStatus();
    return Error{plan.error()};
  }
  entry.plan = std::move(*plan);
  // On the whole input a launch's cost is part of the truth.
  if (course != Course::whole) {
    if (runner.launchMs < 0)
      runner.launchMs = launchCost(runner);
    entry.launchMs = runner.launchMs;
  }
  return ms;
}

Result<double> PlanTrack::run(size_t number, Course course) {
  Entry &entry = runners[number].entries[indexOf(course)];
  const CsrView &pattern = patternOf(course);
  if (!entry.plan)
    return Error{"expects a runner that was prepared"};
  if (!entry.hasRun)
    scratch->reset(pattern);
  Result<double> ms = measure(*entry.plan, pattern, entry.repetitions);
  if (!ms)
    return ms;
  if (!entry.hasRun) {
    entry.hasRun = true;
    if (course != Course::scout) // which is compared with nobody
      entry.first = scratch->look(pattern, mostCompared);
    if (Status status = deviceStatus(); !status)
      return Error{status.error()};
    entry.repetitions = std::clamp<int64_t>(
        static_cast<int64_t>(std::ceil(leastMs() / *ms)), 1, mostRepetitions);
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
    destroy(entry.plan);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

void PlanTrack::destroy(std::unique_ptr<Plan> &plan) {
  if (!plan)
    return;
  double from = now();
  plan.reset();
  destroyMs = std::max(destroyMs, now() - from);
}

double PlanTrack::leastMs() const {
  return input.context->api ? leastDeviceMs : leastHostMs;
}

double PlanTrack::closingMs() const {
  int64_t plans = 0;
  for (const Runner &runner : runners)
    for (const Entry &entry : runner.entries)
      plans += entry.plan != nullptr;
  return memory.releaseMs() + static_cast<double>(plans) * destroyMs;
}

void PlanTrack::close() {
  for (size_t i = 0; i < runners.size(); ++i)
    retire(i);
  scratch.reset();
  memory.release();
  if (!kept)
    return;
  kept.reset();
  // Memory goes back to the system with the next wait, which is better here
  // than in the caller's work.
  input.context->api->synchronize();
}
