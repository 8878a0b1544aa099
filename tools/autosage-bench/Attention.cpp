//===- Attention.cpp - attention fused, composed and in three calls -------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

#include "autosage/Core/KernelSpecC.h"
#include "autosage/Core/Vendor.h"

#include <algorithm>

using namespace autosage;
using namespace autosage::bench;

//===----------------------------------------------------------------------===//
// Three calls
//===----------------------------------------------------------------------===//

/// One head of an operand whose heads lie side by side.
template <typename Pointer>
static Dense<Pointer> headOf(Dense<Pointer> whole, int64_t head, DType dtype) {
  using Byte =
      std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>,
                         const char, char>;
  Dense<Pointer> one = whole;
  one.data =
      static_cast<Byte *>(whole.data) + head * whole.width * sizeOf(dtype);
  one.heads = 1;
  if (whole.heads > 1)
    one.leadingDimension = whole.stride();
  return one;
}

/// Scores, softmax and sums of a head, through the scores in between.
static std::vector<Operands> stepsOf(const Workload &w, int64_t head,
                                     void *scores) {
  Operands whole = w.operands();
  DType dtype = w.spec.dtype;
  int64_t nnz = w.graph.csr.nnz();
  std::vector<Operands> steps(3);
  for (Operands &step : steps)
    step.a = whole.a;
  steps[0].q = headOf(whole.q, head, dtype);
  steps[0].k = headOf(whole.k, head, dtype);
  steps[0].out = steps[1].out = {scores, nnz, 1, 1, 0};
  steps[1].edgeValues = steps[2].edgeValues = {scores, nnz, 1, 1, 0};
  steps[2].x = headOf(whole.v, head, dtype);
  steps[2].out = headOf(whole.out, head, dtype);
  return steps;
}

static std::vector<KernelSpec> stepSpecs(const Workload &w) {
  std::vector<KernelSpec> specs(3);
  for (KernelSpec &spec : specs)
    spec.dtype = w.spec.dtype;
  specs[0].op = OpKind::sddmm;
  specs[1].op = OpKind::row_softmax;
  specs[2].op = OpKind::spmm;
  specs[0].features = specs[2].features = w.features;
  specs[0].strided = specs[2].strided = w.heads > 1;
  specs[0].scale = w.spec.scale;
  specs[1].edgeValues = specs[2].edgeValues = EdgeValues::perEdge;
  return specs;
}

/// `schedules`: of the three steps; an empty one is the rule's.
static Measurement measureSteps(Workload &w, const Options &o,
                                const std::vector<std::string> &schedules) {
  auto fail = [&](const std::string &why) {
    Measurement failed;
    failed.failure = why;
    return failed;
  };
  if (!context(o))
    return fail(context(o).error());
  DeviceBuffer scores(w.api, w.graph.csr.nnz() * sizeOf(w.spec.dtype));
  if (Status status = runtime::deviceStatus(w.api); !status)
    return fail(status.error());
  autosage_plan_options options;
  autosage_plan_options_init(&options, sizeof options);
  options.validate = 0; // the host has looked at it
  // With it no algorithm of cuSPARSE's SpMM would be there.
  options.deterministic = 0;

  std::vector<KernelSpec> specs = stepSpecs(w);
  std::vector<Operands> first = stepsOf(w, 0, scores.data());
  std::vector<runtime::PlanHandle> plans;
  for (size_t i = 0; i < specs.size(); ++i) {
    autosage_kernel_spec spec = writeSpec(specs[i], schedules[i]);
    autosage_operands operands = runtime::toC(first[i]);
    Result<runtime::PlanHandle> plan = context(o)->plan(
        spec, runtime::patternOf(first[i].a), operands, nullptr, &options);
    if (!plan)
      return fail(plan.error());
    plans.push_back(std::move(*plan));
  }
  std::vector<autosage_operands> calls;
  for (int64_t head = 0; head < w.heads; ++head)
    for (const Operands &step : stepsOf(w, head, scores.data()))
      calls.push_back(runtime::toC(step));
  Measurement m = measure(w, o, [&]() -> Status {
    for (size_t i = 0; i < calls.size(); ++i)
      if (Status status = plans[i % plans.size()].run(calls[i]); !status)
        return status;
    return Status::success();
  });
  m.workspaceBytes = scores.size();
  for (const runtime::PlanHandle &plan : plans)
    m.workspaceBytes += plan.workspaceBytes();
  judge(w, m);
  return m;
}

std::vector<Composite> bench::measureComposites(Workload &w, const Options &o) {
  std::vector<Composite> composites;
  auto add = [&](const std::string &name,
                 const std::vector<std::string> &schedules) {
    composites.push_back({name, measureSteps(w, o, schedules)});
  };
  if (w.spec.score != Score::dot) {
    composites.push_back({"three plans", {}});
    composites.back().measurement.failure =
        "scores of " + std::string(toString(w.spec.score)) +
        " are no products, which is all that SDDMM computes";
  } else if (o.target == Target::cpu) {
    add("three plans", {"", "", ""});
  } else if (o.target == Target::simt || o.vendor) {
    // The emulator has a stand-in for the library.
    for (int64_t algorithm = 0; algorithm < vendorAlgorithms; ++algorithm)
      add("cuSPARSE, SpMM " + vendorAlgorithmName(algorithm),
          {"vendor", "",
           "vendor, alg = " + std::to_string(algorithm) +
               ", deterministic = false"});
  }
  return composites;
}

//===----------------------------------------------------------------------===//
// Fused and composed
//===----------------------------------------------------------------------===//

bool bench::isFused(const Schedule &schedule) {
  return schedule.getWord("attention") == "fused";
}

const Candidate *AttentionForms::best(bool fused) const {
  return fastest(
      tried, [&](const Candidate &c) { return isFused(c.schedule) == fused; });
}

const Composite *AttentionForms::bestComposite() const {
  return fastest(composites, [](const Composite &) { return true; });
}

AttentionForms bench::measureForms(Workload &w, const Options &o,
                                   const std::string &chosen) {
  std::vector<Schedule> schedules;
  auto add = [&](Schedule schedule) {
    for (const Schedule &known : schedules)
      if (known.str() == schedule.str())
        return;
    schedules.push_back(std::move(schedule));
  };
  if (Result<Schedule> schedule = parseSchedule(chosen))
    add(*schedule);
  std::vector<RankedSchedule> ranked =
      rankCandidates(o.facts, w.spec, w.graph.stats, o.expectedCalls);
  Result<Schedule> rule = context(o)
                              ? parseSchedule(ruleSchedule(w, *context(o), o))
                              : Error{context(o).error()};
  for (bool fused : {true, false}) {
    uint32_t taken = 0;
    for (const RankedSchedule &r : ranked)
      if (taken < o.probeK && isFused(r.schedule) == fused) {
        add(r.schedule);
        ++taken;
      }
    if (!rule)
      continue;
    if (fused) {
      rule->knobs.erase("attention"); // the default
    } else {
      // What fused attention keeps in registers is not the composed one's.
      rule->knobs["attention"] = std::string("composed");
      rule->knobs.erase("min_blocks");
    }
    add(*rule);
  }
  AttentionForms forms;
  // One at a time: scores of all heads in memory are gigabytes.
  for (const Schedule &schedule : schedules) {
    Measurement m = measureSchedule(w, o, schedule);
    judge(w, m);
    forms.tried.push_back({schedule, std::move(m),
                           estimate(o.facts, w.spec, w.graph.stats, schedule),
                           -1});
  }
  if (w.spec.op == OpKind::attention)
    forms.composites = measureComposites(w, o);
  return forms;
}

Candidate bench::measureForward(const GraphOnDevice &graph, int64_t features,
                                int64_t heads, const Options &o) {
  Workload w(graph, OpKind::attention, features, o, heads);
  std::vector<RankedSchedule> ranked =
      rankCandidates(o.facts, w.spec, graph.stats, o.expectedCalls);
  auto first =
      std::find_if(ranked.begin(), ranked.end(),
                   [](const RankedSchedule &r) { return isFused(r.schedule); });
  Candidate forward;
  if (first == ranked.end()) {
    forward.measurement.failure = "no fused candidate";
    return forward;
  }
  forward = {first->schedule, measureSchedule(w, o, first->schedule),
             first->estimate, first - ranked.begin()};
  judge(w, forward.measurement);
  return forward;
}
