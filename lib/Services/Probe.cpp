//===- Probe.cpp - measured schedules for passes --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan for the op, made as any caller's, decides and stores: what the pass
// finds is what a plan would run.
//
//===----------------------------------------------------------------------===//

#include "autosage/Services/Services.h"

#include "autosage/Core/KernelArguments.h"
#include "autosage/Core/KernelSpecC.h"
#include "autosage/Dialect/Autosage/Transforms/PassServices.h"
#include "autosage/Oracle/Decision.h"
#include "autosage/Runtime/DeviceCpp.h"
#include "autosage/Runtime/PlanCpp.h"

#include "llvm/ADT/STLExtras.h"

#include <mutex>

using namespace mlir::autosage;
namespace core = ::autosage;

/// Sizes of a call on the pattern, with contiguous operands.
static core::Operands shapesOf(const core::KernelSpec &spec,
                               const core::CsrView &pattern) {
  core::Operands shapes;
  shapes.a = pattern;
  for (const core::Argument &arg : core::signatureOf(spec)) {
    int64_t rows = 0;
    switch (arg.extent) {
    case core::Extent::none:
      break;
    case core::Extent::rows:
      rows = pattern.rows;
      break;
    case core::Extent::cols:
      rows = pattern.cols;
      break;
    case core::Extent::nnz:
      rows = pattern.nnz();
      break;
    case core::Extent::heads:
      rows = std::max<int64_t>(1, spec.heads);
      break;
    }
    core::visitOperand(shapes, arg.kind, [&](auto &dense) {
      dense.rows = rows;
      dense.heads = arg.hasHeads && !arg.inner.empty() ? arg.inner.front() : 1;
      dense.width = arg.hasWidth && !arg.inner.empty() ? arg.inner.back() : 1;
    });
  }
  return shapes;
}

namespace {
/// The pattern in the memory of the device, or where it is for the cpu.
class PlacedPattern {
public:
  PlacedPattern(const core::Csr &csr, const autosage_device_api *api)
      : view(csr.view()) {
    if (!api)
      return;
    auto place = [&](core::IndexView &array) {
      buffers.emplace_back(*api, array.data,
                           array.size * core::sizeOf(array.type));
      array.data = buffers.back().data();
    };
    place(view.rowptr);
    if (view.nnz() > 0)
      place(view.colind);
  }
  core::CsrView view;

private:
  std::vector<core::runtime::DeviceBuffer> buffers;
};
} // namespace

static core::Result<ScheduleAnswer> probe(const ScheduleQuestion &q,
                                          const core::CsrView &given,
                                          const ProbeOptions &options) {
  for (const core::Argument &arg : core::signatureOf(q.spec))
    if (llvm::is_contained(arg.inner, core::dynamic))
      return core::Error{"the width of " + std::string(arg.name) +
                         " is not known"};
  // Times of one are not those of several at once.
  static std::mutex one;
  std::lock_guard<std::mutex> lock(one);

  autosage_context_options contextOptions;
  autosage_context_options_init(&contextOptions, sizeof contextOptions);
  const autosage_device_api *api = nullptr;
  if (q.target == core::Target::nvptx) {
    contextOptions.target = AUTOSAGE_TARGET_NVPTX;
    contextOptions.chip = q.chip.c_str();
    api = autosage_cuda_device_api();
  } else {
    contextOptions.target = AUTOSAGE_TARGET_CPU;
    contextOptions.device = -1;
  }
  auto context = core::runtime::ContextHandle::create(contextOptions);
  if (!context)
    return core::Error{context.error()};

  // In the index types of the op.
  core::Csr copy;
  copy.rows = given.rows;
  copy.cols = given.cols;
  auto wide = [](const core::IndexView &view) {
    std::vector<int64_t> numbers(static_cast<size_t>(view.size));
    for (int64_t i = 0; i < view.size; ++i)
      numbers[static_cast<size_t>(i)] = view[i];
    return core::IndexArray(std::move(numbers));
  };
  copy.rowptr = wide(given.rowptr);
  copy.colind = wide(given.colind);
  core::Result<core::Csr> csr =
      copy.convertedTo(q.spec.rowptrType, q.spec.colindType);
  if (!csr)
    return core::Error{csr.error()};
  PlacedPattern placed(*csr, api);
  if (api)
    if (core::Status status = core::runtime::deviceStatus(*api); !status)
      return core::Error{status.error()};

  autosage_plan_options planOptions;
  autosage_plan_options_init(&planOptions, sizeof planOptions);
  planOptions.oracle = AUTOSAGE_ORACLE_PROBE;
  planOptions.probe_k = static_cast<uint32_t>(options.probeK);
  planOptions.probe_budget_ms = options.budgetMs;
  planOptions.guardrail_alpha = options.guardrail;
  planOptions.expected_calls = q.expectedCalls;
  if (!q.cache.empty())
    planOptions.decision_cache = q.cache.c_str();
  std::string none;
  autosage_kernel_spec spec = core::writeSpec(q.spec, none);
  core::Operands shapes = shapesOf(q.spec, placed.view);
  auto plan = context->plan(spec, core::runtime::patternOf(placed.view),
                            core::runtime::toC(shapes), nullptr, &planOptions);
  if (!plan)
    return core::Error{plan.error()};
  core::Result<core::oracle::Decision> decision =
      core::oracle::parseDecision(plan->decision());
  if (!decision)
    return core::Error{decision.error()};
  core::Result<core::Schedule> schedule =
      core::parseSchedule(decision->schedule);
  if (!schedule)
    return core::Error{schedule.error()};
  if (decision->decidedBy == core::DecidedBy::fallback)
    return core::Error{decision->reason};
  ScheduleAnswer answer;
  answer.schedule = std::move(*schedule);
  answer.decidedBy = decision->decidedBy;
  answer.reason = decision->reason;
  if (decision->guardrail) {
    answer.chosenMs = decision->guardrail->chosenMs;
    answer.baselineMs = decision->guardrail->baselineMs;
  }
  return answer;
}

void mlir::autosage::registerProbeService() { passServices().probe = probe; }
