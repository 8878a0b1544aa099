//===- Plan.cpp - plans of cuSPARSE, and their timing ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DeviceError.h"
#include "Execution.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>

using namespace autosage;
using namespace autosage::runtime;
using cusparse::Outcome;

struct autosage_vendor_plan {
  autosage_vendor_spec spec;
  autosage_vendor_operands arrays; // rowptr and colind that it was made for
  cuda::Context context;
  cusparse::Execution execution;
  std::atomic<bool> busy{false};
};

static int32_t report(Outcome outcome) {
  return outcome ? AUTOSAGE_DEVICE_OK
                 : deviceError().set(outcome.code, std::move(outcome.message));
}

/// The plan's own context, whatever the thread's is.
namespace {
class InContext {
public:
  InContext(const cuda::Scope &scope, cuda::Context context) : scope(scope) {
    if (scope.context() == context)
      return;
    previous = scope.context();
    isValid = scope.check(scope->ctxSetCurrent(context), "cuCtxSetCurrent");
    changed = isValid;
  }
  ~InContext() {
    if (changed)
      scope->ctxSetCurrent(previous);
  }
  explicit operator bool() const { return isValid; }

private:
  const cuda::Scope &scope;
  cuda::Context previous = nullptr;
  bool changed = false, isValid = true;
};
} // namespace

static int32_t noDevice() {
  return deviceError().set(AUTOSAGE_DEVICE_NONE, "no device");
}

int32_t autosage_vendor_get_info(autosage_vendor_info *info) noexcept {
  if (!info || info->struct_size < sizeof(autosage_vendor_info) ||
      info->version != AUTOSAGE_VENDOR_VERSION)
    return report({AUTOSAGE_DEVICE_INVALID_ARGUMENT,
                   "expects info with its size and version set"});
  const Result<cusparse::Library> &library = cusparse::library();
  if (!library)
    return report({AUTOSAGE_VENDOR_MISSING, library.error()});
  info->cusparse_version = library->version;
  info->reserved = 0;
  std::memset(info->path, 0, sizeof info->path);
  library->path.copy(info->path, sizeof info->path - 1);
  return AUTOSAGE_DEVICE_OK;
}

static std::optional<int> knownVersion() {
  const Result<cusparse::Library> &library = cusparse::library();
  return library ? std::optional<int>(library->version) : std::nullopt;
}

static Outcome checkSupport(const autosage_vendor_spec *spec,
                            const autosage_vendor_operands *operands) {
  if (Outcome outcome = cusparse::checkSpec(spec); !outcome)
    return outcome;
  return cusparse::checkSupport(*spec, operands, knownVersion());
}

static int32_t answer(Outcome outcome, const char **reason) {
  static thread_local std::string text;
  text = std::move(outcome.message);
  if (reason)
    *reason = text.c_str();
  return outcome.code;
}

int32_t autosage_vendor_supports(const autosage_vendor_spec *spec,
                                 const char **reason) noexcept {
  return answer(checkSupport(spec, nullptr), reason);
}

int32_t
autosage_vendor_supports_operands(const autosage_vendor_spec *spec,
                                  const autosage_vendor_operands *operands,
                                  const char **reason) noexcept {
  Outcome outcome = cusparse::checkSpec(spec);
  if (outcome)
    outcome = cusparse::checkOperands(*spec, operands);
  if (outcome)
    outcome = checkSupport(spec, operands);
  return answer(std::move(outcome), reason);
}

int32_t autosage_vendor_plan_create(const autosage_vendor_spec *spec,
                                    const autosage_vendor_operands *operands,
                                    void *stream,
                                    autosage_vendor_plan **plan) noexcept {
  if (!plan)
    return report(
        {AUTOSAGE_DEVICE_INVALID_ARGUMENT, "expects a place for the plan"});
  *plan = nullptr;
  if (Outcome outcome = checkSupport(spec, nullptr); !outcome)
    return report(outcome);
  if (Outcome outcome = cusparse::checkOperands(*spec, operands); !outcome)
    return report(outcome);
  if (Outcome outcome = checkSupport(spec, operands); !outcome)
    return report(outcome);
  const Result<cusparse::Library> &library = cusparse::library();
  if (!library)
    return report({AUTOSAGE_VENDOR_MISSING, library.error()});
  cuda::Scope scope;
  if (!scope)
    return noDevice();

  std::unique_ptr<autosage_vendor_plan> made(
      new (std::nothrow) autosage_vendor_plan{
          *spec,
          *operands,
          scope.context(),
          {*library, *spec, static_cast<cuda::Stream>(stream),
           cusparse::Lifetime::plan}});
  if (!made)
    return report({AUTOSAGE_DEVICE_OUT_OF_MEMORY, "out of host memory"});
  if (Outcome outcome = made->execution.prepare(scope, *operands); !outcome) {
    made->execution.release(scope);
    return report(outcome);
  }
  *plan = made.release();
  return AUTOSAGE_DEVICE_OK;
}

static Outcome checkSamePattern(const autosage_vendor_plan &plan,
                                const autosage_vendor_operands &operands) {
  auto differs = [](const void *wanted, const void *known) {
    return wanted && wanted != known;
  };
  if (differs(operands.rowptr, plan.arrays.rowptr) ||
      differs(operands.colind, plan.arrays.colind))
    return {AUTOSAGE_DEVICE_INVALID_ARGUMENT,
            "expects the rowptr and colind that the plan was made for"};
  return {};
}

int32_t
autosage_vendor_plan_run(autosage_vendor_plan *plan,
                         const autosage_vendor_operands *operands) noexcept {
  if (!plan || !operands)
    return report({AUTOSAGE_DEVICE_INVALID_ARGUMENT,
                   "expects a plan and operands, got null"});
  if (plan->busy.exchange(true, std::memory_order_acquire))
    return report({AUTOSAGE_VENDOR_BUSY,
                   "expects one thread at a time to run a plan, got two"});
  struct Release {
    std::atomic<bool> &busy;
    ~Release() { busy.store(false, std::memory_order_release); }
  } release{plan->busy};

  autosage_vendor_operands all = *operands;
  if (operands->struct_size >= sizeof(autosage_vendor_operands) &&
      operands->version == AUTOSAGE_VENDOR_VERSION) {
    if (Outcome outcome = checkSamePattern(*plan, all); !outcome)
      return report(outcome);
    all.rowptr = plan->arrays.rowptr;
    all.colind = plan->arrays.colind;
  }
  if (Outcome outcome = cusparse::checkOperands(plan->spec, &all); !outcome)
    return report(outcome);
  // These need not lie where those of the first call did.
  if (Outcome outcome =
          cusparse::checkSupport(plan->spec, &all, knownVersion());
      !outcome)
    return report(outcome);
  cuda::Scope scope;
  if (!scope)
    return noDevice();
  InContext current(scope, plan->context);
  if (!current)
    return noDevice();
  return report(plan->execution.run(all));
}

int64_t autosage_vendor_plan_workspace_bytes(
    const autosage_vendor_plan *plan) noexcept {
  return plan ? plan->execution.deviceBytes() : 0;
}

void autosage_vendor_plan_destroy(autosage_vendor_plan *plan) noexcept {
  if (!plan)
    return;
  std::unique_ptr<autosage_vendor_plan> owner(plan);
  // An error that nobody has taken yet must not keep memory.
  const char *message = nullptr;
  int32_t code = deviceError().take(&message);
  std::string text = message;
  {
    cuda::Scope scope;
    if (scope) {
      InContext current(scope, plan->context);
      scope->streamSynchronize(plan->execution.getStream());
      plan->execution.release(scope);
    }
  }
  if (code)
    deviceError().set(code, std::move(text));
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

namespace {
struct Event {
  const cuda::Scope &scope;
  cuda::Event event = nullptr;

  explicit Event(const cuda::Scope &scope) : scope(scope) {
    scope.check(scope->eventCreate(&event, 0), "cuEventCreate");
  }
  ~Event() {
    if (event)
      scope->eventDestroy(event);
  }
  bool record(cuda::Stream stream) {
    return event &&
           scope.check(scope->eventRecord(event, stream), "cuEventRecord");
  }
};

struct PlanDeleter {
  void operator()(autosage_vendor_plan *plan) const {
    autosage_vendor_plan_destroy(plan);
  }
};
} // namespace

static int32_t measure(autosage_vendor_plan *plan,
                       const autosage_vendor_operands *operands, void *stream,
                       int32_t warmUp, int32_t samples, int32_t batch,
                       double *ms) {
  auto repeat = [&](int32_t times) {
    int32_t code = AUTOSAGE_DEVICE_OK;
    for (int32_t i = 0; i < times && code == AUTOSAGE_DEVICE_OK; ++i)
      code = autosage_vendor_plan_run(plan, operands);
    return code;
  };
  if (int32_t code = repeat(warmUp))
    return code;
  cuda::Scope scope;
  if (!scope)
    return noDevice();
  auto cudaStream = static_cast<cuda::Stream>(stream);
  Event begin(scope), end(scope);
  for (int32_t sample = 0; sample < samples; ++sample) {
    float elapsed = 0;
    if (!begin.record(cudaStream))
      return noDevice();
    if (int32_t code = repeat(batch))
      return code;
    if (!end.record(cudaStream) ||
        !scope.check(scope->eventSynchronize(end.event),
                     "cuEventSynchronize") ||
        !scope.check(scope->eventElapsed(&elapsed, begin.event, end.event),
                     "cuEventElapsedTime"))
      return noDevice();
    ms[sample] = double(elapsed) / batch;
  }
  return AUTOSAGE_DEVICE_OK;
}

int32_t autosage_vendor_measure(const autosage_vendor_spec *spec,
                                const autosage_vendor_operands *operands,
                                void *stream, int32_t warmUp, int32_t samples,
                                int32_t batch, double *ms,
                                double *planMs) noexcept {
  using Clock = std::chrono::steady_clock;
  if (warmUp < 0 || samples < 1 || batch < 1 || !ms)
    return report({AUTOSAGE_DEVICE_INVALID_ARGUMENT,
                   "expects at least one sample of at least one run, and a "
                   "place for the times"});
  Clock::time_point start = Clock::now();
  autosage_vendor_plan *made = nullptr;
  if (int32_t code = autosage_vendor_plan_create(spec, operands, stream, &made))
    return code;
  std::unique_ptr<autosage_vendor_plan, PlanDeleter> plan(made);
  if (planMs)
    *planMs =
        std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return measure(made, operands, stream, warmUp, samples, batch, ms);
}
