//===- PlanC.cpp - C ABI of contexts and plans ----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads versioned structs, and turns whatever is thrown into codes.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "autosage/Compiler/CompilerC.h"
#include "autosage/Core/KernelSpecC.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

using namespace autosage;
using namespace autosage::runtime;

struct autosage_context {
  std::shared_ptr<Context> context;
};
struct autosage_plan {
  std::unique_ptr<Plan> plan;
};

static std::string &lastError() {
  static thread_local std::string message;
  return message;
}

const char *autosage_plan_last_error() noexcept { return lastError().c_str(); }

template <typename Fn> static autosage_plan_status guarded(Fn &&fn) noexcept {
  try {
    Failure failure = fn();
    lastError() = std::move(failure.message);
    return failure.code;
  } catch (const std::bad_alloc &) {
    lastError() = "out of memory";
    return AUTOSAGE_PLAN_OUT_OF_MEMORY;
  } catch (const std::exception &e) {
    lastError() = e.what();
    return AUTOSAGE_PLAN_INTERNAL;
  } catch (...) {
    lastError() = "unknown failure";
    return AUTOSAGE_PLAN_INTERNAL;
  }
}

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

static Failure invalid(std::string message) {
  return {AUTOSAGE_PLAN_INVALID_ARGUMENT, std::move(message)};
}

/// All structs have the fields of version 1; later ones only grow. `size` is
/// what the first version had, where that is less than now.
template <typename T>
static Failure check(const T *value, const char *name,
                     size_t size = sizeof(T)) {
  if (!value)
    return invalid(std::string("expects ") + name + " to be given, got null");
  if (value->version == 0 || value->version > AUTOSAGE_PLAN_VERSION)
    return {AUTOSAGE_PLAN_UNSUPPORTED_VERSION,
            std::string("expects ") + name + " of version 1 to " +
                std::to_string(AUTOSAGE_PLAN_VERSION) + ", got " +
                std::to_string(value->version)};
  if (value->struct_size < size)
    return invalid(std::string("expects struct_size of ") + name +
                   " to be at least " + std::to_string(size) + ", got " +
                   std::to_string(value->struct_size));
  return {};
}

/// What an older caller does not know has its default.
template <typename T>
static T completed(const T *given, void (*init)(T *, size_t)) {
  T full;
  init(&full, sizeof full);
  std::memcpy(static_cast<void *>(&full), given,
              std::min<size_t>(given->struct_size, sizeof full));
  return full;
}

template <typename T> static void initialise(T *value, size_t size, T full) {
  if (!value)
    return;
  full.struct_size = static_cast<uint32_t>(size);
  full.version = AUTOSAGE_PLAN_VERSION;
  std::memset(static_cast<void *>(value), 0, size);
  std::memcpy(static_cast<void *>(value), &full, std::min(size, sizeof full));
}

void autosage_context_options_init(autosage_context_options *options,
                                   size_t size) noexcept {
  autosage_context_options full = {};
  full.device = -1;
  initialise(options, size, full);
}

void autosage_plan_times_init(autosage_plan_times *times,
                              size_t size) noexcept {
  initialise(times, size, autosage_plan_times());
}

void autosage_plan_spec_init(autosage_kernel_spec *spec, size_t size) noexcept {
  initSpec(spec, size, AUTOSAGE_KERNEL_SPEC_VERSION);
}

void autosage_pattern_init(autosage_pattern *pattern, size_t size) noexcept {
  initialise(pattern, size, autosage_pattern());
}

void autosage_operands_init(autosage_operands *operands, size_t size) noexcept {
  autosage_operands full = {};
  for (autosage_dense *dense :
       {&full.edge_values, &full.x, &full.q, &full.k, &full.v, &full.vec,
        &full.out, &full.lse, &full.workspace, &full.o, &full.d_o, &full.dq,
        &full.dk, &full.dv, &full.dvec, &full.dbias})
    dense->heads = dense->width = 1;
  initialise(operands, size, full);
}

void autosage_plan_options_init(autosage_plan_options *options,
                                size_t size) noexcept {
  autosage_plan_options full = {};
  full.validate = full.deterministic = 1;
  full.workspace_limit = -1;
  full.probe_k = 3;
  full.guardrail_alpha = 0.98;
  initialise(options, size, full);
}

/// The operands before version 3.
static constexpr size_t firstOperandsSize = offsetof(autosage_operands, o);

static Operands read(const autosage_operands &given) {
  bool isShort = given.struct_size < sizeof given;
  const autosage_operands known =
      isShort ? completed(&given, autosage_operands_init) : autosage_operands();
  const autosage_operands &c = isShort ? known : given;
  auto in = [](const autosage_dense &d) {
    return DenseIn{d.data, d.rows, d.heads, d.width, d.leading_dimension};
  };
  auto out = [](const autosage_dense &d) {
    return DenseOut{d.data, d.rows, d.heads, d.width, d.leading_dimension};
  };
  Operands operands;
  operands.edgeValues = in(c.edge_values);
  operands.x = in(c.x);
  operands.q = in(c.q);
  operands.k = in(c.k);
  operands.v = in(c.v);
  operands.vec = in(c.vec);
  operands.out = out(c.out);
  operands.lse = out(c.lse);
  operands.workspace = out(c.workspace);
  operands.o = in(c.o);
  operands.dO = in(c.d_o);
  operands.dq = out(c.dq);
  operands.dk = out(c.dk);
  operands.dv = out(c.dv);
  operands.dvec = out(c.dvec);
  operands.dbias = out(c.dbias);
  return operands;
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

autosage_plan_status
autosage_context_create(const autosage_context_options *options,
                        autosage_context **context) noexcept {
  return guarded([&]() -> Failure {
    if (!context)
      return invalid("expects context to point to a handle, got null");
    *context = nullptr;
    constexpr size_t firstSize = offsetof(autosage_context_options, chip);
    if (Failure failure = check(options, "options", firstSize))
      return failure;
    auto handle = std::make_unique<autosage_context>();
    if (Failure failure = Context::create(
            completed(options, autosage_context_options_init), handle->context))
      return failure;
    *context = handle.release();
    return {};
  });
}

void autosage_context_destroy(autosage_context *context) noexcept {
  delete context;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static Failure readRequest(const autosage_kernel_spec *c, KernelSpec &spec) {
  if (!c)
    return invalid("expects spec to be given, got null");
  // The compile service fills in its own version.
  constexpr uint32_t newest = AUTOSAGE_COMPILER_VERSION;
  static_assert(newest >= AUTOSAGE_KERNEL_SPEC_VERSION);
  if (c->version == 0 || c->version > newest)
    return {AUTOSAGE_PLAN_UNSUPPORTED_VERSION,
            "expects spec of version 1 to " + std::to_string(newest) +
                ", got " + std::to_string(c->version)};
  if (Status status = readSpec(*c, spec); !status)
    return invalid(status.error());
  return {};
}

/// The fields of version 2.
static Failure readOracle(const autosage_plan_options &c,
                          OracleOptions &options) {
  if (c.oracle > AUTOSAGE_ORACLE_REPLAY)
    return invalid("expects oracle to be below 4, got " +
                   std::to_string(c.oracle));
  if (c.guardrail > AUTOSAGE_GUARDRAIL_ONLINE)
    return invalid("expects guardrail to be below 3, got " +
                   std::to_string(c.guardrail));
  if (c.probe_k < 1 || c.probe_k > 64)
    return invalid("expects probe_k to be 1 to 64, got " +
                   std::to_string(c.probe_k));
  if (c.graphs_never_repeat > 1)
    return invalid("expects graphs_never_repeat to be 0 or 1, got " +
                   std::to_string(c.graphs_never_repeat));
  // NaN is none of these.
  if (!(c.probe_budget_ms >= 0 && c.probe_budget_ms <= 1e9))
    return invalid("expects probe_budget_ms to be 0 to 1e9, got " +
                   std::to_string(c.probe_budget_ms));
  if (!(c.guardrail_alpha > 0 && c.guardrail_alpha <= 1))
    return invalid("expects guardrail_alpha to be above 0 and at most 1, got " +
                   std::to_string(c.guardrail_alpha));
  if (!(c.probe_fraction >= 0 && c.probe_fraction <= 1))
    return invalid("expects probe_fraction to be 0 to 1, got " +
                   std::to_string(c.probe_fraction));
  if (c.expected_calls < 0)
    return invalid("expects expected_calls to be 0 or more, got " +
                   std::to_string(c.expected_calls));
  options.oracle = c.oracle;
  options.guardrail = c.guardrail;
  options.probeK = c.probe_k;
  options.graphsNeverRepeat = c.graphs_never_repeat;
  options.budgetMs = c.probe_budget_ms;
  options.alpha = c.guardrail_alpha;
  options.fraction = c.probe_fraction;
  options.expectedCalls = c.expected_calls;
  if (c.decision_cache)
    options.decisionCache = c.decision_cache;
  return {};
}

static Failure readOptions(const autosage_plan_options *given,
                           PlanOptions &options) {
  if (!given)
    return {};
  constexpr size_t firstSize = offsetof(autosage_plan_options, oracle);
  if (Failure failure = check(given, "options", firstSize))
    return failure;
  autosage_plan_options full = completed(given, autosage_plan_options_init);
  const autosage_plan_options *c = &full;
  if (c->validate > 1 || c->deterministic > 1)
    return invalid("expects validate and deterministic to be 0 or 1, got " +
                   std::to_string(c->validate) + " and " +
                   std::to_string(c->deterministic));
  if (c->workspace_limit < -1)
    return invalid("expects workspace_limit to be -1 or more, got " +
                   std::to_string(c->workspace_limit));
  options.validate = c->validate;
  options.deterministic = c->deterministic;
  options.workspaceLimit = c->workspace_limit;
  if (c->vector_bits < 0 || c->vector_bits > 2048)
    return invalid("expects vector_bits to be 0 to 2048, got " +
                   std::to_string(c->vector_bits));
  options.vectorBits = c->vector_bits;
  return readOracle(full, options.oracle);
}

autosage_plan_status autosage_plan_create(autosage_context *context,
                                          const autosage_kernel_spec *spec,
                                          const autosage_pattern *pattern,
                                          const autosage_operands *shapes,
                                          const autosage_plan_options *options,
                                          void *stream,
                                          autosage_plan **plan) noexcept {
  return guarded([&]() -> Failure {
    if (!plan)
      return invalid("expects plan to point to a handle, got null");
    *plan = nullptr;
    if (!context)
      return invalid("expects context to be given, got null");
    KernelSpec kernel;
    PlanOptions planOptions;
    for (Failure failure :
         {readRequest(spec, kernel), check(pattern, "pattern"),
          check(shapes, "shapes", firstOperandsSize),
          readOptions(options, planOptions)})
      if (failure)
        return failure;
    Operands operands = read(*shapes);
    operands.a = {pattern->rows,
                  pattern->cols,
                  {pattern->rowptr, pattern->rows + 1, kernel.rowptrType},
                  {pattern->colind, pattern->nnz, kernel.colindType}};
    auto handle = std::make_unique<autosage_plan>();
    if (Failure failure = Plan::create(
            context->context, std::move(kernel), spec->cpu ? spec->cpu : "",
            spec->cpu_features ? spec->cpu_features : "", operands, planOptions,
            stream, handle->plan))
      return failure;
    *plan = handle.release();
    return {};
  });
}

autosage_plan_status autosage_plan_prepare_stream(autosage_plan *plan,
                                                  void *stream) noexcept {
  return guarded([&]() -> Failure {
    return plan ? plan->plan->prepareStream(stream)
                : invalid("expects plan to be given, got null");
  });
}

autosage_plan_status autosage_plan_run(autosage_plan *plan,
                                       const autosage_operands *operands,
                                       void *stream) noexcept {
  return guarded([&]() -> Failure {
    if (!plan)
      return invalid("expects plan to be given, got null");
    if (Failure failure = check(operands, "operands", firstOperandsSize))
      return failure;
    Operands read = ::read(*operands);
    return plan->plan->run(read, stream);
  });
}

const char *autosage_plan_explain(const autosage_plan *plan) noexcept {
  return plan ? plan->plan->explain().c_str() : "";
}

const char *autosage_plan_decision(const autosage_plan *plan) noexcept {
  return plan ? plan->plan->decision() : "";
}

int64_t autosage_plan_workspace_bytes(const autosage_plan *plan) noexcept {
  return plan ? plan->plan->workspaceBytes() : 0;
}

void autosage_plan_get_times(const autosage_plan *plan,
                             autosage_plan_times *times) noexcept {
  if (!times)
    return;
  PlanTimes spent = plan ? plan->plan->times() : PlanTimes();
  times->compile_ms = spent.compileMs;
  times->probe_ms = spent.probeMs;
  times->prepare_ms =
      std::max(spent.totalMs - spent.compileMs - spent.probeMs, 0.0);
  if (times->struct_size >= sizeof *times) // added in the end
    times->decide_ms = spent.decideMs;
}

void autosage_plan_destroy(autosage_plan *plan) noexcept { delete plan; }
