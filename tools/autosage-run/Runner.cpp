//===- Runner.cpp - prepares, runs, checks and times ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "Execution.h"
#include "Messages.h"
#include "Timing.h"
#include "autosage/Runtime/Runtime.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <fstream>
#include <iostream>

using namespace autosage;
using namespace autosage::run;
using compiler::EdgeValues;

//===----------------------------------------------------------------------===//
// Work of a kernel (docs/running.md)
//===----------------------------------------------------------------------===//

/// Floating-point operations by convention: a multiplication and an addition
/// an edge and element whether or not edges have values; five operations an
/// edge and head for a softmax.
static double operations(const Workload &w) {
  double edges = static_cast<double>(w.graph.csr.nnz()) * w.heads;
  double softmax = 5 * edges;
  switch (w.spec.op) {
  case OpKind::spmm:
    return 2 * edges * w.features;
  case OpKind::sddmm:
    return w.spec.combine == Combine::dot ? 2 * edges * w.features : edges;
  case OpKind::row_softmax:
    return softmax;
  case OpKind::attention:
    break;
  case OpKind::attention_backward: {
    // Scores, do . v, and the sums of dq, dk and dv; of gatv2 there are vec and
    // the sum of its gradient beside them.
    double ofFeature = w.spec.score == Score::gatv2 ? 14 : 6;
    double scores =
        edges * (w.spec.score == Score::gat ? 4 : ofFeature * w.features);
    return scores + softmax + 4 * edges * w.valueFeatures;
  }
  }
  double score = 2 * edges; // gat
  if (w.spec.score == Score::dot)
    score = 2 * edges * w.features;
  else if (w.spec.score == Score::gatv2)
    score = 4 * edges * w.features;
  return score + softmax + 2 * edges * w.valueFeatures;
}

/// Bytes that have to move: index arrays, edge values and operands of the rows
/// once, gathered operands once an edge, the output once.
static double bytes(const Workload &w) {
  CsrView a = w.graph.csr.view();
  double element = sizeOf(w.spec.dtype);
  double edges = static_cast<double>(a.nnz()) * w.heads;
  double total = static_cast<double>(a.rowptr.size) * sizeOf(a.rowptr.type) +
                 static_cast<double>(a.nnz()) * sizeOf(a.colind.type) +
                 w.edgeValues.bytes() + w.out.bytes();
  switch (w.spec.op) {
  case OpKind::spmm:
    // Transposed, x is read by row and y is gathered: read and written.
    if (w.spec.transpose)
      return total + w.x.bytes() +
             2 * edges * w.features * sizeOf(w.out.dtype());
    return total + edges * w.features * element +
           (w.spec.accumulate ? w.out.bytes() : 0);
  case OpKind::sddmm: {
    double width = w.spec.combine == Combine::dot ? w.features : 1;
    return total + w.q.bytes() + edges * width * element;
  }
  case OpKind::row_softmax:
    return total;
  case OpKind::attention_backward: {
    // Two walks: rows of k and v are gathered, then rows of q and do.
    double width = w.spec.score == Score::gat ? 1 : w.features;
    for (const HostArray *array : {&w.q, &w.k, &w.v, &w.a, &w.o, &w.lse, &w.dO})
      total += array->bytes();
    for (auto [name, gradient] : w.gradients())
      total += gradient->bytes();
    return total + edges * ((2 * width + w.valueFeatures) * element +
                            w.valueFeatures * sizeOf(w.dO.dtype()));
  }
  case OpKind::attention:
    break;
  }
  double width = w.spec.score == Score::gat ? 1 : w.features;
  double scores = w.spec.composed ? 4 * edges * element : 0;
  return total + w.q.bytes() + w.a.bytes() + scores +
         edges * (width + w.valueFeatures) * element;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static Status writeMlir(const std::string &path, const Workload &w) {
  compiler::KernelSpec spec = w.spec;
  spec.stats.reset(); // the text serves any graph
  std::string text = compiler::buildModule(spec);
  if (path == "-") {
    std::cout << text << std::flush;
    return Status::success();
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.flush();
  if (!file)
    return Error{"--emit-mlir: cannot write " + path};
  return Status::success();
}

/// One file, or one for each gradient.
static Status writeOutputs(const std::string &path, const Workload &w) {
  auto write = [](const std::string &path, const HostArray &array) {
    return io::writeNpy(path, array.data(), array.dtype(), array.shape());
  };
  if (w.spec.op != OpKind::attention_backward)
    return write(path, w.out);
  constexpr std::string_view ending = ".npy";
  std::string stem = path;
  if (stem.size() > ending.size() &&
      stem.compare(stem.size() - ending.size(), ending.size(), ending) == 0)
    stem.resize(stem.size() - ending.size());
  for (auto [name, gradient] : w.gradients())
    if (Status s = write(stem + "." + name + ".npy", *gradient); !s)
      return s;
  return Status::success();
}

/// Runs until `repeat` runs are done, or 0.3 s and five runs.
static Result<std::vector<double>>
timeRuns(const Options &o, llvm::function_ref<Result<double>()> timeRun) {
  constexpr double budgetMs = 300;
  constexpr int64_t leastRuns = 5, mostRuns = 100000;
  std::vector<double> times;
  double total = 0;
  auto enough = [&] {
    int64_t runs = static_cast<int64_t>(times.size());
    if (o.repeat)
      return runs >= *o.repeat;
    return runs >= mostRuns || (runs >= leastRuns && total >= budgetMs);
  };
  Progress progress("timing");
  while (!enough()) {
    Result<double> time = timeRun();
    if (!time)
      return Error{time.error()};
    times.push_back(*time);
    total += times.back();
  }
  return times;
}

/// What the plan says of itself.
static Status describe(const runtime::PlanHandle &plan, Outcome &outcome) {
  Result<Choice> choice = parseChoice(plan.decision());
  if (!choice)
    return Error{choice.error()};
  outcome.choice = std::move(*choice);
  outcome.workspaceBytes = plan.workspaceBytes();
  autosage_plan_times times = plan.times();
  outcome.compileMs = times.compile_ms;
  outcome.probeMs = times.probe_ms;
  outcome.prepareMs = times.prepare_ms;
  return Status::success();
}

Result<Outcome> run::execute(const Options &o, Workload &w) {
  if (o.emitMlir)
    if (Status s = writeMlir(*o.emitMlir, w); !s)
      return Error{s.error()};

  if (o.threads)
    autosage_set_num_threads(static_cast<int32_t>(*o.threads));
  Result<std::unique_ptr<Execution>> made = [&] {
    Progress progress(o.oracle.kind == OracleKind::probe ? "probing"
                                                         : "compiling");
    return Execution::make(o, w);
  }();
  if (!made)
    return Error{made.error()};
  Execution &execution = **made;

  Outcome outcome;
  HostArray initial = o.check ? w.out : HostArray();
  {
    Progress progress("running");
    if (Status s = execution.run(); !s)
      return Error{s.error()};
    if (Status s = execution.download(); !s)
      return Error{s.error()};
  }
  if (o.output)
    if (Status s = writeOutputs(*o.output, w); !s)
      return Error{"--output: " + s.error()};
  if (o.check) {
    Progress progress("checking against the reference");
    outcome.check = w.spec.op == OpKind::attention_backward
                        ? checkGradients(w)
                        : check(w, initial, w.out);
  }

  Result<std::vector<double>> times =
      timeRuns(o, [&] { return execution.time(); });
  if (!times)
    return Error{times.error()};
  outcome.runs = static_cast<int64_t>(times->size());
  outcome.medianMs = median(*times);
  outcome.minMs = *std::min_element(times->begin(), times->end());
  // A clock that did not advance says nothing about speed.
  if (outcome.medianMs > 0) {
    outcome.gflops = operations(w) / outcome.medianMs / 1e6;
    outcome.gbytesPerSecond = bytes(w) / outcome.medianMs / 1e6;
  }
  // Now: an online guardrail decides by the runs.
  if (Status s = describe(execution.getPlan(), outcome); !s)
    return Error{s.error()};
  return outcome;
}
