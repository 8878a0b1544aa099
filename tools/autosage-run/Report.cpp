//===- Report.cpp - what the tool tells at the end ------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>
#include <fstream>

using namespace autosage;
using namespace autosage::run;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static std::string utf8(std::string_view text) {
  return llvm::json::fixUTF8(llvm::StringRef(text.data(), text.size()));
}

/// JSON has no infinity; it is the string "inf", as in the handed cases.
static llvm::json::Value number(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : "inf";
}

static void writeGraph(llvm::json::OStream &json, const Options &o,
                       const Workload &w) {
  json.attributeObject("graph", [&] {
    json.attribute("path", utf8(o.graph));
    json.attribute("rows", w.graph.csr.rows);
    json.attribute("cols", w.graph.csr.cols);
    json.attribute("nnz", w.graph.csr.nnz());
    json.attribute("fingerprint", w.stats.fingerprint.str());
  });
}

static void writeChoice(llvm::json::OStream &json, const Choice &choice) {
  json.attribute("schedule", choice.schedule);
  json.attribute("decided_by", choice.decidedBy);
  json.attributeArray("candidates", [&] {
    for (const Choice::Candidate &c : choice.candidates)
      json.object([&] {
        json.attribute("schedule", c.schedule);
        json.attribute("estimate_ms", number(c.estimateMs));
        json.attribute("probe_ms", number(c.probeMs));
        if (c.rejected.empty())
          json.attribute("rejected", nullptr);
        else
          json.attribute("rejected", c.rejected);
      });
  });
  if (!choice.baseline)
    json.attribute("baseline", nullptr);
  else
    json.attributeObject("baseline", [&] {
      json.attribute("name", choice.baseline->name);
      json.attribute("ms", number(choice.baseline->ms));
      json.attribute("schedule", choice.baseline->schedule);
    });
  if (!choice.guardrail)
    json.attribute("guardrail", nullptr);
  else
    json.attributeObject("guardrail", [&] {
      json.attribute("decided", choice.guardrail->decided);
      json.attribute("chosen_ms", number(choice.guardrail->chosenMs));
      json.attribute("baseline_ms", number(choice.guardrail->baselineMs));
      json.attribute("margin", number(choice.guardrail->margin));
      json.attribute("kept_baseline", choice.guardrail->keptBaseline);
    });
}

std::string run::jsonReport(const Options &o, const Workload &w,
                            const Outcome &outcome) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 2);
  json.object([&] {
    writeGraph(json, o, w);
    json.attribute("op", utf8(autosage::toString(w.spec.op)));
    json.attribute("features", w.features);
    json.attribute("heads", w.heads);
    json.attribute("dtype", utf8(autosage::toString(w.spec.dtype)));
    json.attribute("out_dtype", utf8(autosage::toString(w.out.dtype())));
    json.attribute("target", targetName(o));
    writeChoice(json, outcome.choice);
    json.attributeObject("run", [&] {
      json.attribute("median_ms", number(outcome.medianMs));
      json.attribute("min_ms", number(outcome.minMs));
      json.attribute("gflops", number(outcome.gflops));
      json.attribute("gbytes_per_s", number(outcome.gbytesPerSecond));
    });
    json.attribute("compile_ms", number(outcome.compileMs));
    json.attribute("probe_ms", number(outcome.probeMs));
    json.attribute("prepare_ms", number(outcome.prepareMs));
    json.attribute("workspace_bytes", outcome.workspaceBytes);
    if (outcome.check)
      json.attributeObject("check", [&] {
        json.attribute("reference", "f64 loops");
        json.attribute("rel_err", number(outcome.check->relError));
        json.attribute("tolerance", number(outcome.check->tolerance));
        json.attribute("passed", outcome.check->passed);
      });
    else
      json.attribute("check", nullptr);
  });
  stream << "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

template <typename... Args>
static std::string format(const char *form, Args... args) {
  int size = std::snprintf(nullptr, 0, form, args...);
  std::string text(size + 1, '\0');
  std::snprintf(text.data(), text.size(), form, args...);
  text.pop_back();
  return text;
}

static std::string variant(const compiler::KernelSpec &spec) {
  std::string name(autosage::toString(spec.op));
  if (spec.op == OpKind::spmm)
    name += " " + std::string(autosage::toString(spec.reduction));
  if (spec.op == OpKind::sddmm)
    name += " " + std::string(autosage::toString(spec.combine));
  if (isAttention(spec.op))
    name += " " + std::string(autosage::toString(spec.score));
  if (spec.transpose)
    name += " transpose";
  if (spec.accumulate)
    name += " accumulate";
  if (spec.composed)
    name += " composed";
  return name;
}

static std::string line(const char *label, const std::string &text) {
  return format("%-10s", label) + text + "\n";
}

std::string run::tableReport(const Options &o, const Workload &w,
                             const Outcome &outcome) {
  const Csr &csr = w.graph.csr;
  std::string text;
  text += line("graph", o.graph + ", " + std::to_string(csr.rows) + " x " +
                            std::to_string(csr.cols) + ", nnz " +
                            std::to_string(csr.nnz()));
  text +=
      line("op", variant(w.spec) + ", features " + std::to_string(w.features) +
                     ", heads " + std::to_string(w.heads) + ", " +
                     std::string(autosage::toString(w.spec.dtype)) +
                     (w.spec.f32Out ? " to f32" : "") + ", index " +
                     std::string(autosage::toString(w.spec.rowptrType)) +
                     ", target " + targetName(o));
  text += line("schedule", outcome.choice.schedule + " (decided by " +
                               outcome.choice.decidedBy + ")");
  text += line("compile", format("%.1f ms", outcome.compileMs));
  if (outcome.probeMs > 0)
    text += line("probe", format("%.1f ms", outcome.probeMs));
  text += line("prepare", format("%.1f ms", outcome.prepareMs));
  text += line("run",
               format("%.4g ms median of %lld, %.4g ms min", outcome.medianMs,
                      static_cast<long long>(outcome.runs), outcome.minMs));
  text += line("rate", format("%.2f GFLOP/s, %.2f GB/s", outcome.gflops,
                              outcome.gbytesPerSecond));
  if (outcome.check)
    text +=
        line("check", format("relative error %.2e, tolerance %.2e: %s",
                             outcome.check->relError, outcome.check->tolerance,
                             outcome.check->passed ? "passed" : "FAILED"));
  return text;
}

static std::string milliseconds(double ms) { return format("%.4g ms", ms); }

static std::string describe(const Choice::Candidate &c) {
  std::string text = c.schedule + ":";
  if (c.estimateMs > 0)
    text += " estimate " + milliseconds(c.estimateMs) + ",";
  if (!c.rejected.empty())
    return text + " rejected: " + c.rejected;
  return text + (c.probeMs > 0 ? " probe " + milliseconds(c.probeMs)
                               : " not measured");
}

static std::string describe(const Choice::Guardrail &g) {
  if (!g.decided)
    return "open";
  return (g.keptBaseline ? "the baseline stays: " : "passed: ") +
         milliseconds(g.chosenMs) + " against " + milliseconds(g.baselineMs) +
         format(", margin %.3g", g.margin);
}

static std::string reasons(const Choice &choice) {
  std::string why =
      choice.decidedBy == "user" ? "given by --schedule" : choice.reason;
  std::string text =
      line("chosen", choice.schedule + " by " + choice.decidedBy +
                         (why.empty() ? "" : ": " + why));
  for (const Choice::Candidate &c : choice.candidates)
    text += line("candidate", describe(c));
  if (choice.baseline)
    text += line("baseline", choice.baseline->name + " (" +
                                 choice.baseline->schedule +
                                 "): " + milliseconds(choice.baseline->ms));
  if (choice.guardrail)
    text += line("guardrail", describe(*choice.guardrail));
  if (choice.budgetEnded)
    text += line("budget", "ended the search");
  return text;
}

std::string run::explanation(const Workload &w, const Outcome &outcome) {
  const InputStats &s = w.stats;
  auto count = [](int64_t n) { return static_cast<long long>(n); };
  std::string text;
  text += line("rows",
               format("entries: mean %.2f, cv %.2f, p50 %lld, p90 "
                      "%lld, p99 %lld, p99.9 %lld, max %lld; %lld empty",
                      s.mean, s.cv, count(s.p50), count(s.p90), count(s.p99),
                      count(s.p999), count(s.max), count(s.emptyRows)));
  text +=
      line("structure", format("%.1f%% of entries in hub rows, locality %.2f, "
                               "fingerprint %s",
                               100 * s.hubFraction, s.locality,
                               s.fingerprint.str().c_str()));
  return text + reasons(outcome.choice);
}

Status run::report(const Options &o, const Workload &w,
                   const Outcome &outcome) {
  bool jsonOnStdout = o.json && *o.json == "-";
  bool mlirOnStdout = o.emitMlir && *o.emitMlir == "-";
  FILE *people = jsonOnStdout || mlirOnStdout ? stderr : stdout;
  std::string text;
  if (!jsonOnStdout)
    text += tableReport(o, w, outcome);
  if (o.explain)
    text += explanation(w, outcome);
  std::fputs(text.c_str(), people);
  std::fflush(people);

  if (!o.json)
    return Status::success();
  std::string json = jsonReport(o, w, outcome);
  if (jsonOnStdout) {
    std::fputs(json.c_str(), stdout);
    if (std::fflush(stdout) != 0)
      return Error{"--json: cannot write to stdout"};
    return Status::success();
  }
  std::ofstream file(*o.json, std::ios::binary);
  file << json;
  file.flush();
  if (!file)
    return Error{"--json: cannot write " + *o.json};
  return Status::success();
}
