//===- Report.cpp - what was measured, as a table and JSON ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>

using namespace autosage;
using namespace autosage::bench;

const VendorResult *bench::bestVendor(const Cell &cell, bool deterministic) {
  return fastest(cell.vendor, [&](const VendorResult &v) {
    return v.deterministic || !deterministic;
  });
}

bool Cell::ran() const {
  if (decided)
    return decided->failure.empty() && decided->chosen.failure.empty();
  return best(ours) != nullptr;
}

std::string Cell::schedule() const {
  if (!ran())
    return "";
  return decided ? decided->choice.schedule : best(ours)->schedule.str();
}

Cell bench::cellOf(const Workload &w) {
  Cell cell;
  cell.op = w.spec.op;
  cell.graph = w.graph.name;
  cell.stats = w.graph.stats;
  cell.features = w.features;
  cell.heads = w.heads;
  cell.score = w.spec.score;
  cell.compulsoryBytes = w.compulsoryBytes();
  return cell;
}

/// `64`, or with heads `8x32`.
static std::string widthOf(const Cell &cell) {
  std::string features = std::to_string(cell.features);
  return cell.heads > 1 ? std::to_string(cell.heads) + "x" + features
                        : features;
}

static std::string decidedLine(const Cell &cell) {
  const Decided &d = *cell.decided;
  char line[320];
  if (!cell.ran())
    return std::string(toString(cell.op)) + " " + cell.graph + ": " +
           d.failure + d.chosen.failure;
  std::snprintf(line, sizeof line,
                "%-6s %-16s %5s %9.4f %9.4f %6.2f  %s (%s; probe %.1f ms, "
                "replay %.0f us)",
                std::string(toString(cell.op)).c_str(), cell.graph.c_str(),
                widthOf(cell).c_str(), d.chosen.medianMs, d.baseline.medianMs,
                1 / d.ratio(), d.choice.schedule.c_str(),
                d.choice.decidedBy.c_str(), d.probeMs, d.replayUs);
  return line;
}

std::string bench::tableLine(const Cell *cell) {
  char line[256];
  if (cell && cell->decided)
    return decidedLine(*cell);
  if (!cell) {
    std::snprintf(line, sizeof line, "%-6s %-16s %5s %9s %9s %6s  %s", "op",
                  "graph", "F", "ours ms", "other ms", "ratio", "schedule");
    return line;
  }
  const Candidate *ours = best(cell->ours);
  const VendorResult *vendor = bestVendor(*cell, false);
  double ms = ours ? cell->again.medianMs : NAN;
  double vendorMs = vendor ? vendor->measurement.medianMs : NAN;
  std::snprintf(line, sizeof line, "%-6s %-16s %5s %9.4f %9.4f %6.2f  %s",
                std::string(toString(cell->op)).c_str(), cell->graph.c_str(),
                widthOf(*cell).c_str(), ms, vendorMs, vendorMs / ms,
                ours ? ours->schedule.str().c_str() : "none ran");
  return line;
}

bool bench::replaceFile(const std::string &path, const std::string &text) {
  namespace fs = std::filesystem;
  std::error_code error;
  // A device or a pipe is written to as it is.
  bool isPlain = !fs::exists(path, error) || fs::is_regular_file(path, error);
  std::string part = isPlain ? path + ".part" : path;
  std::ofstream file(part, std::ios::binary);
  file << text << std::flush;
  file.close();
  if (!file)
    return false;
  if (isPlain)
    fs::rename(part, path, error);
  return !error;
}

llvm::json::Value bench::number(double value) {
  if (!std::isfinite(value))
    return nullptr;
  return value;
}

static void writeMeasurement(llvm::json::OStream &json, const Measurement &m) {
  if (!m.failure.empty()) {
    json.attribute("failure", llvm::json::fixUTF8(m.failure));
    return;
  }
  json.attribute("ms", number(m.medianMs));
  json.attribute("min_ms", number(m.minMs));
  json.attribute("rel_err", number(m.relError));
  json.attribute("prepare_ms", number(m.prepareMs));
  json.attribute("workspace_bytes", m.workspaceBytes);
}

static void writeStats(llvm::json::OStream &json, const InputStats &s) {
  json.attribute("rows", s.rows);
  json.attribute("cols", s.cols);
  json.attribute("nnz", s.nnz);
  json.attribute("mean", s.mean);
  json.attribute("max", s.max);
  json.attribute("cv", s.cv);
  json.attribute("p50", s.p50);
  json.attribute("p90", s.p90);
  json.attribute("p99", s.p99);
  json.attribute("p999", s.p999);
  json.attribute("empty_rows", s.emptyRows);
  json.attribute("hub_fraction", s.hubFraction);
  json.attribute("locality", s.locality);
  json.attribute("fingerprint", s.fingerprint.str());
}

static void writeEstimate(llvm::json::OStream &json, const Estimate &e) {
  json.attribute("estimate_ms", e.ms);
  json.attribute("estimate_prepare_ms", e.prepareMs);
  json.attributeObject("estimate", [&] {
    json.attribute("bytes", e.bytes);
    json.attribute("launch_ms", e.breakdown.launchMs);
    json.attribute("memory_ms", e.breakdown.memoryMs);
    json.attribute("cache_ms", e.breakdown.cacheMs);
    json.attribute("compute_ms", e.breakdown.computeMs);
    json.attribute("tail_ms", e.breakdown.tailMs);
  });
}

/// What was decided, what it took, and how it stands to the baseline.
static void writeDecided(llvm::json::OStream &json, const Decided &d) {
  const run::Choice &choice = d.choice;
  double baselineMs = choice.baseline ? choice.baseline->ms : 0;
  json.attribute("baseline", choice.baseline ? choice.baseline->name : "");
  json.attribute("baseline_schedule", d.baselineSchedule);
  bool hasBaseline = !d.baselineSchedule.empty() && d.baseline.failure.empty();
  json.attribute("baseline_ms",
                 number(hasBaseline ? d.baseline.medianMs : NAN));
  json.attribute("ratio", number(hasBaseline ? d.ratio() : NAN));
  json.attribute("compile_ms", d.compileMs);
  json.attribute("probe_ms", d.probeMs);
  json.attribute("probe_baseline_runs",
                 number(baselineMs > 0 ? d.probeMs / baselineMs : NAN));
  json.attribute("decide_ms", d.decideMs);
  json.attribute("replay_us", number(d.replayUs < 0 ? NAN : d.replayUs));
  llvm::Expected<llvm::json::Value> decision = llvm::json::parse(d.json);
  if (decision)
    json.attribute("decision", *decision);
  else
    llvm::consumeError(decision.takeError());
}

/// Attention's forms beside what was chosen.
static void writeForms(llvm::json::OStream &json, OpKind op,
                       const AttentionForms &forms) {
  for (bool fused : {true, false}) {
    const Candidate *found = forms.best(fused);
    std::string name = fused ? "fused" : "composed";
    json.attribute(name + "_ms",
                   number(found ? found->measurement.medianMs : NAN));
    json.attribute(name + "_schedule", found ? found->schedule.str() : "");
  }
  if (op == OpKind::attention) {
    const Composite *composite = forms.bestComposite();
    json.attribute("composite_ms",
                   number(composite ? composite->measurement.medianMs : NAN));
    json.attribute("composite", composite ? composite->name : "");
    json.attributeArray("composites", [&] {
      for (const Composite &c : forms.composites)
        json.object([&] {
          json.attribute("name", c.name);
          writeMeasurement(json, c.measurement);
        });
    });
  }
  json.attributeArray("forms", [&] {
    for (const Candidate &c : forms.tried)
      json.object([&] {
        json.attribute("schedule", c.schedule.str());
        writeMeasurement(json, c.measurement);
        json.attribute("estimate_ms", c.estimate.ms);
      });
  });
}

void bench::writeCell(llvm::json::OStream &json, const Options &o,
                      const Cell &cell) {
  const Decided *decided = cell.decided ? &*cell.decided : nullptr;
  const Measurement &ours = decided ? decided->chosen : cell.again;
  bool ran = cell.ran();
  const VendorResult *any = bestVendor(cell, false);
  const VendorResult *deterministic = bestVendor(cell, true);
  auto ms = [](const VendorResult *v) {
    return number(v ? v->measurement.medianMs : NAN);
  };
  json.attribute("op", std::string(toString(cell.op)));
  json.attribute("graph", cell.graph);
  json.attribute("rows", cell.stats.rows);
  json.attribute("cols", cell.stats.cols);
  json.attribute("nnz", cell.stats.nnz);
  json.attributeObject("stats", [&] { writeStats(json, cell.stats); });
  json.attribute("features", cell.features);
  json.attribute("heads", cell.heads);
  json.attribute("dtype", std::string(toString(o.dtype)));
  if (isAttention(cell.op))
    json.attribute("score", std::string(toString(cell.score)));
  json.attribute("ours_ms", number(ran ? ours.medianMs : NAN));
  json.attribute("schedule", cell.schedule());
  json.attribute("decided_by", decided ? decided->choice.decidedBy : "user");
  json.attribute("rel_err", number(ran ? ours.relError : NAN));
  json.attribute("workspace_bytes", ran ? ours.workspaceBytes : 0);
  if (decided && !decided->failure.empty())
    json.attribute("failure", llvm::json::fixUTF8(decided->failure));
  else if (decided)
    json.attributeObject("oracle", [&] { writeDecided(json, *decided); });
  json.attribute("cusparse_ms", ms(any));
  json.attribute("cusparse_det_ms", ms(deterministic));
  if (cell.forms)
    writeForms(json, cell.op, *cell.forms);
  if (cell.forward) {
    const Measurement &forward = cell.forward->measurement;
    json.attribute("forward_ms",
                   number(forward.failure.empty() ? forward.medianMs : NAN));
    json.attribute("forward_schedule", cell.forward->schedule.str());
  }
  json.attribute("peer_ms", nullptr);
  json.attribute("floor_ms", nullptr);
  json.attribute("compulsory_bytes", cell.compulsoryBytes);
  json.attributeArray("cusparse", [&] {
    for (const VendorResult &v : cell.vendor)
      json.object([&] {
        json.attribute("algorithm", v.name);
        json.attribute("deterministic", v.deterministic);
        writeMeasurement(json, v.measurement);
      });
  });
  std::vector<RankedSchedule> measured;
  for (const Candidate &c : cell.ours)
    if (c.measurement.failure.empty())
      measured.push_back(
          {c.schedule, c.estimate,
           c.estimate.ms + c.estimate.prepareMs / o.expectedCalls});
  std::vector<std::string> order = probeOrderOf(std::move(measured));
  json.attributeArray("grid", [&] {
    for (const Candidate &c : cell.ours)
      json.object([&] {
        json.attribute("schedule", c.schedule.str());
        writeMeasurement(json, c.measurement);
        writeEstimate(json, c.estimate);
        json.attribute("rank", c.rank);
        auto it = std::find(order.begin(), order.end(), c.schedule.str());
        if (it != order.end())
          json.attribute("probe", it - order.begin());
      });
  });
}

void bench::writeHead(llvm::json::OStream &json, const Options &o) {
  char date[16];
  std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  std::strftime(date, sizeof date, "%Y-%m-%d", &utc);
  json.attribute("device", o.device);
  json.attribute("driver", o.driver);
  json.attribute("commit", o.commit);
  if (o.target == Target::cpu) {
    json.attribute("threads", o.facts.threads);
    // What was found of the machine, for estimates elsewhere.
    json.attributeObject("facts", [&] {
      json.attribute("vector_bits", o.facts.vectorBits);
      json.attribute("l1_bytes", o.facts.l1Bytes);
      json.attribute("core_l2_bytes", o.facts.coreL2Bytes);
      json.attribute("cache_bytes", o.facts.cacheBytes);
    });
  }
  json.attribute("date", date);
  bool ownTime = o.target == Target::cpu && o.facts.threads == 1;
  std::string clock = o.target != Target::cpu ? "events"
                      : ownTime               ? "the thread's CPU time"
                                              : "the clock";
  json.attribute(
      "method",
      "One process. Operands are drawn from a seed; spmm has a value for "
      "each edge. Every contestant is prepared once (not timed), checked on "
      "a poisoned output against f64 on whole rows, then timed by " +
          clock + " around batches of back-to-back runs of " +
          std::to_string(o.sampleMs) + " ms: ms is the median of " +
          std::to_string(o.samples) + " batches, per run" +
          (o.target == Target::cpu && !o.oracle
               ? ", a batch of each contestant in turn"
               : "") +
          ". Inputs are not rotated: caches stay warm. " +
          std::string(o.oracle ? "ours_ms is what a plan decided on, timed by "
                                 "turns with the baseline that it had to beat; "
                                 "probe_ms is what measuring took, without "
                                 "compilation."
                               : "ours_ms is the best schedule of the grid, "
                                 "measured again next to cuSPARSE."));
}

std::string bench::jsonReport(const Options &o,
                              const std::vector<Cell> &cells) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 1);
  json.object([&] {
    writeHead(json, o);
    json.attributeArray("cells", [&] {
      for (const Cell &cell : cells)
        json.object([&] { writeCell(json, o, cell); });
    });
  });
  stream << "\n";
  return text;
}
