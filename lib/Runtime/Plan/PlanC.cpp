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

/// All structs have the fields of version 1; later ones only grow.
template <typename T> static Failure check(const T *value, const char *name) {
  if (!value)
    return invalid(std::string("expects ") + name + " to be given, got null");
  if (value->version == 0 || value->version > AUTOSAGE_PLAN_VERSION)
    return {AUTOSAGE_PLAN_UNSUPPORTED_VERSION,
            std::string("expects ") + name + " of version 1 to " +
                std::to_string(AUTOSAGE_PLAN_VERSION) + ", got " +
                std::to_string(value->version)};
  if (value->struct_size < sizeof(T))
    return invalid(std::string("expects struct_size of ") + name +
                   " to be at least " + std::to_string(sizeof(T)) + ", got " +
                   std::to_string(value->struct_size));
  return {};
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
        &full.out, &full.lse, &full.workspace})
    dense->heads = dense->width = 1;
  initialise(operands, size, full);
}

void autosage_plan_options_init(autosage_plan_options *options,
                                size_t size) noexcept {
  autosage_plan_options full = {};
  full.validate = full.deterministic = 1;
  full.workspace_limit = -1;
  initialise(options, size, full);
}

static Operands read(const autosage_operands &c) {
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
    if (Failure failure = check(options, "options"))
      return failure;
    auto handle = std::make_unique<autosage_context>();
    if (Failure failure = Context::create(*options, handle->context))
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

static Failure readOptions(const autosage_plan_options *c,
                           PlanOptions &options) {
  if (!c)
    return {};
  if (Failure failure = check(c, "options"))
    return failure;
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
  return {};
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
          check(shapes, "shapes"), readOptions(options, planOptions)})
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
    if (Failure failure = check(operands, "operands"))
      return failure;
    Operands read = ::read(*operands);
    return plan->plan->run(read, stream);
  });
}

const char *autosage_plan_explain(const autosage_plan *plan) noexcept {
  return plan ? plan->plan->explain().c_str() : "";
}

int64_t autosage_plan_workspace_bytes(const autosage_plan *plan) noexcept {
  return plan ? plan->plan->workspaceBytes() : 0;
}

void autosage_plan_destroy(autosage_plan *plan) noexcept { delete plan; }
