//===- PlanCpp.h - contexts and plans with destructors ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plan.h for C++: the same calls, owned handles, errors as values.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_RUNTIME_PLANCPP_H
#define AUTOSAGE_RUNTIME_PLANCPP_H

#include "autosage/Core/Kernel.h"
#include "autosage/Core/Result.h"
#include "autosage/Runtime/Plan.h"

#include <memory>

namespace autosage::runtime {

/// Fails with the thread's message where `status` is a failure.
inline Status toStatus(autosage_plan_status status) {
  return status == AUTOSAGE_PLAN_OK ? Status::success()
                                    : Error{autosage_plan_last_error()};
}

/// Operands as Plan.h has them.
inline autosage_operands toC(const Operands &operands) {
  auto dense = [](const auto &d) {
    return autosage_dense{const_cast<void *>(static_cast<const void *>(d.data)),
                          d.rows, d.heads, d.width, d.leadingDimension};
  };
  autosage_operands c;
  autosage_operands_init(&c, sizeof c);
  c.edge_values = dense(operands.edgeValues);
  c.x = dense(operands.x);
  c.q = dense(operands.q);
  c.k = dense(operands.k);
  c.v = dense(operands.v);
  c.vec = dense(operands.vec);
  c.out = dense(operands.out);
  c.lse = dense(operands.lse);
  c.workspace = dense(operands.workspace);
  c.o = dense(operands.o);
  c.d_o = dense(operands.dO);
  c.dq = dense(operands.dq);
  c.dk = dense(operands.dk);
  c.dv = dense(operands.dv);
  c.dvec = dense(operands.dvec);
  c.dbias = dense(operands.dbias);
  return c;
}

inline autosage_pattern patternOf(const CsrView &csr) {
  autosage_pattern pattern;
  autosage_pattern_init(&pattern, sizeof pattern);
  pattern.rows = csr.rows;
  pattern.cols = csr.cols;
  pattern.nnz = csr.nnz();
  pattern.rowptr = csr.rowptr.data;
  pattern.colind = csr.colind.data;
  return pattern;
}

class PlanHandle {
public:
  Status prepareStream(void *stream) {
    return toStatus(autosage_plan_prepare_stream(plan.get(), stream));
  }
  Status run(const autosage_operands &operands, void *stream = nullptr) {
    return toStatus(autosage_plan_run(plan.get(), &operands, stream));
  }
  const char *explain() const { return autosage_plan_explain(plan.get()); }
  const char *decision() const { return autosage_plan_decision(plan.get()); }
  int64_t workspaceBytes() const {
    return autosage_plan_workspace_bytes(plan.get());
  }
  autosage_plan_times times() const {
    autosage_plan_times times;
    autosage_plan_times_init(&times, sizeof times);
    autosage_plan_get_times(plan.get(), &times);
    return times;
  }

private:
  friend class ContextHandle;
  struct Destroy {
    void operator()(autosage_plan *p) const { autosage_plan_destroy(p); }
  };
  explicit PlanHandle(autosage_plan *plan) : plan(plan) {}
  std::unique_ptr<autosage_plan, Destroy> plan;
};

class ContextHandle {
public:
  static Result<ContextHandle> create(const autosage_context_options &options) {
    autosage_context *made = nullptr;
    if (Status status = toStatus(autosage_context_create(&options, &made));
        !status)
      return Error{status.error()};
    return ContextHandle(made);
  }

  Result<PlanHandle> plan(const autosage_kernel_spec &spec,
                          const autosage_pattern &pattern,
                          const autosage_operands &shapes,
                          void *stream = nullptr,
                          const autosage_plan_options *options = nullptr) {
    autosage_plan *made = nullptr;
    if (Status status = toStatus(autosage_plan_create(
            context.get(), &spec, &pattern, &shapes, options, stream, &made));
        !status)
      return Error{status.error()};
    return PlanHandle(made);
  }

private:
  struct Destroy {
    void operator()(autosage_context *c) const { autosage_context_destroy(c); }
  };
  explicit ContextHandle(autosage_context *context) : context(context) {}
  std::unique_ptr<autosage_context, Destroy> context;
};

} // namespace autosage::runtime

#endif // AUTOSAGE_RUNTIME_PLANCPP_H
