//===- Execution.cpp - a plan and the operands of its runs ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "Messages.h"
#include "Timing.h"

#include "autosage/Core/KernelSpecC.h"
#include "autosage/Core/Vendor.h"
#include "autosage/Emulation/Simt.h"

using namespace autosage;
using namespace autosage::run;
using runtime::ContextHandle;
using runtime::deviceStatus;
using runtime::PlanHandle;

Status run::resolveTarget(Options &o) {
  bool wantsDevice = o.target == Target::nvptx;
  if (!wantsDevice && !o.targetIsAuto)
    return Status::success();
  Result<autosage_device_info> info =
      runtime::deviceInfo(*autosage_cuda_device_api());
  if (!info) {
    if (wantsDevice)
      return Error{"--target nvptx: " + info.error()};
    o.target = Target::cpu;
    addNote("--target auto: cpu");
    return Status::success();
  }
  o.target = Target::nvptx;
  if (o.chip.empty())
    o.chip = "sm_" + std::to_string(info->compute_capability);
  if (o.targetIsAuto)
    addNote("--target auto: nvptx:" + o.chip + " (" + info->name + ")");
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
/// An array of the workload, and the operand that it is.
struct Placed {
  const char *name;
  HostArray Workload::*array;
  autosage_dense autosage_operands::*place;
  bool output = false;
};
} // namespace

static const Placed placed[] = {
    {"w", &Workload::edgeValues, &autosage_operands::edge_values},
    {"x", &Workload::x, &autosage_operands::x},
    {"q", &Workload::q, &autosage_operands::q},
    {"k", &Workload::k, &autosage_operands::k},
    {"v", &Workload::v, &autosage_operands::v},
    {"a", &Workload::a, &autosage_operands::vec},
    {"out", &Workload::out, &autosage_operands::out, true},
    {"o", &Workload::o, &autosage_operands::o},
    {"lse", &Workload::lse, &autosage_operands::lse},
    {"d_o", &Workload::dO, &autosage_operands::d_o},
    {"dq", &Workload::dq, &autosage_operands::dq, true},
    {"dk", &Workload::dk, &autosage_operands::dk, true},
    {"dv", &Workload::dv, &autosage_operands::dv, true},
    {"da", &Workload::da, &autosage_operands::dvec, true},
    {"dw", &Workload::dw, &autosage_operands::dbias, true}};

Execution::Execution(const Options &options, Workload &workload)
    : options(options), workload(workload), graph(workload.graph.csr.view()),
      operands(runtime::toC(operandsOf(workload))) {}

void Execution::copyToDevice() {
  device = autosage_cuda_device_api();
  auto copyOf = [&](const void *host, int64_t bytes) {
    copies.emplace_back(*device, host, bytes);
    return copies.back().data();
  };
  for (IndexView *view : {&graph.rowptr, &graph.colind})
    view->data = copyOf(view->data, view->size * sizeOf(view->type));
  for (const Placed &p : placed)
    if (autosage_dense &dense = operands.*p.place; dense.data)
      dense.data =
          copyOf((workload.*p.array).data(), (workload.*p.array).bytes());
}

/// The emulator's kernels access nothing else, and what it finds names these.
void Execution::showToEmulator() {
  auto show = [&](const void *data, int64_t bytes, const char *name,
                  bool readOnly) {
    if (bytes > 0 && autosage_simt_register_buffer(
                         data, bytes, name, readOnly) == AUTOSAGE_SIMT_OK)
      shown.push_back(data);
  };
  for (auto [view, name] :
       {std::pair(graph.rowptr, "rowptr"), std::pair(graph.colind, "colind")})
    show(view.data, view.size * sizeOf(view.type), name, true);
  for (const Placed &p : placed)
    show((workload.*p.array).data(), (workload.*p.array).bytes(), p.name,
         !p.output);
}

Execution::~Execution() {
  plan.reset();
  for (const void *data : shown)
    autosage_simt_unregister_buffer(data);
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

static_assert(sizeof(autosage_symbol) == sizeof(autosage_simt_symbol),
              "the emulator's list is one of symbols");

Result<ContextHandle> Execution::makeContext() const {
  autosage_context_options c;
  autosage_context_options_init(&c, sizeof c);
  switch (options.target) {
  case Target::cpu:
    c.target = AUTOSAGE_TARGET_CPU;
    break;
  case Target::simt:
    c.target = AUTOSAGE_TARGET_SIMT;
    c.api = autosage_simt_device_api();
    c.symbols =
        reinterpret_cast<const autosage_symbol *>(autosage_simt_symbols());
    break;
  case Target::nvptx:
    c.target = AUTOSAGE_TARGET_NVPTX;
    c.chip = options.chip.c_str();
    break;
  }
  c.warn = [](void *, const char *message) { printWarning(message); };
  return ContextHandle::create(c);
}

/// A schedule that has results of other bits in each run, or says that it may,
/// is the wish for it.
static bool isDeterministic(const Options &o) {
  if (!o.schedule)
    return !o.nondeterministic;
  auto knob = o.schedule->knobs.find("deterministic");
  bool refuses = knob != o.schedule->knobs.end() &&
                 knob->second == KnobValue(std::string("false"));
  bool isVendor = o.schedule->family == "vendor";
  return !o.nondeterministic && !refuses &&
         !(isVendor && !vendorRepeatsBits(o.op));
}

static uint32_t number(OracleKind kind) {
  switch (kind) {
  case OracleKind::estimate:
    return AUTOSAGE_ORACLE_ESTIMATE;
  case OracleKind::probe:
    return AUTOSAGE_ORACLE_PROBE;
  case OracleKind::replay:
    return AUTOSAGE_ORACLE_REPLAY;
  }
  return AUTOSAGE_ORACLE_RULE;
}

static uint32_t number(GuardrailKind kind) {
  switch (kind) {
  case GuardrailKind::on:
    return AUTOSAGE_GUARDRAIL_ON;
  case GuardrailKind::off:
    return AUTOSAGE_GUARDRAIL_OFF;
  case GuardrailKind::online:
    return AUTOSAGE_GUARDRAIL_ONLINE;
  }
  return AUTOSAGE_GUARDRAIL_ON;
}

Result<PlanHandle> Execution::makePlan(ContextHandle &context) const {
  const std::optional<Schedule> &given = workload.spec.schedule;
  std::string schedule = given ? given->str() : "";
  autosage_kernel_spec spec = writeSpec(workload.spec, schedule);
  spec.cpu = options.cpu.empty() ? nullptr : options.cpu.c_str();
  spec.cpu_features =
      options.cpuFeatures.empty() ? nullptr : options.cpuFeatures.c_str();

  const OracleOptions &oracle = options.oracle;
  autosage_plan_options c;
  autosage_plan_options_init(&c, sizeof c);
  c.deterministic = isDeterministic(options);
  c.oracle = number(oracle.kind);
  c.guardrail = number(oracle.guardrail);
  c.graphs_never_repeat = oracle.neverRepeats;
  if (oracle.probeK)
    c.probe_k = static_cast<uint32_t>(*oracle.probeK);
  c.probe_budget_ms = oracle.budgetMs.value_or(c.probe_budget_ms);
  c.probe_fraction = oracle.fraction.value_or(c.probe_fraction);
  if (oracle.margin)
    c.guardrail_alpha = 1 - *oracle.margin;
  c.expected_calls = oracle.expectedCalls.value_or(c.expected_calls);
  if (oracle.cache)
    c.decision_cache = oracle.cache->c_str();
  if (options.target == Target::cpu) {
    compiler::CompileOptions cpu;
    cpu.cpu = options.cpu;
    cpu.features = options.cpuFeatures;
    Result<int64_t> bits = compiler::vectorBitsOf(cpu);
    if (!bits)
      return Error{bits.error()};
    c.vector_bits = *bits;
  }
  return context.plan(spec, runtime::patternOf(graph), operands, nullptr, &c);
}

Result<std::unique_ptr<Execution>> Execution::make(const Options &o,
                                                   Workload &workload) {
  std::unique_ptr<Execution> result(new Execution(o, workload));
  if (o.target == Target::nvptx) {
    result->copyToDevice();
    if (Status status = deviceStatus(*result->device); !status)
      return Error{status.error()};
  }
  if (o.target == Target::simt)
    result->showToEmulator();
  Result<ContextHandle> context = result->makeContext();
  if (!context)
    return Error{context.error()};
  Result<PlanHandle> plan = result->makePlan(*context);
  if (!plan)
    return Error{plan.error()};
  result->plan = std::move(*plan);
  return result;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Status Execution::download() {
  if (!device)
    return Status::success();
  for (const Placed &p : placed)
    if (HostArray &array = workload.*p.array; p.output && array.bytes() > 0)
      device->download(array.data(), (operands.*p.place).data, array.bytes());
  device->synchronize();
  return deviceStatus(*device);
}

Result<double> Execution::time() {
  if (!device) {
    Clock::time_point start = Clock::now();
    if (Status status = run(); !status)
      return Error{status.error()};
    return millisecondsSince(start);
  }
  void *begin = device->event_record();
  Status ran = run();
  void *end = device->event_record();
  double ms = device->event_elapsed(begin, end);
  if (!ran)
    return Error{ran.error()};
  if (Status status = deviceStatus(*device); !status)
    return Error{status.error()};
  return ms;
}
