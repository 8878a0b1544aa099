//===- SuiteReport.cpp - experiments as JSON and Markdown -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Suite.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>

using namespace autosage;
using namespace autosage::bench;

static const char *const method =
    "Experiments: reddit, products, erdos-renyi and hub-skew decide by a probe "
    "and time all of cuSPARSE's algorithms beside; of hub-split ours_ms is the "
    "faster of rows that are cut and rows that are not; each setting of "
    "guardrail, probe and overhead decides anew, with decisions of its own and "
    "kernels that may be compiled already; attention times the rule's schedule "
    "fused and composed beside, and three plans, of which SDDMM and SpMM are "
    "cuSPARSE's on a GPU, with the fastest of its algorithms; replay makes "
    "plans in a context of its own (first), "
    "in the same "
    "context (replay, the least of five) and in a new one that finds the "
    "decision and the kernels on disk.";

std::string bench::suiteJson(const Options &o, const SuiteResults &results) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 1);
  auto fields = [&](const std::vector<Field> &all) {
    for (const Field &field : all)
      json.attribute(field.name, field.value);
  };
  Options head = o;
  head.oracle = AUTOSAGE_ORACLE_PROBE; // for what it says of the method
  json.object([&] {
    json.attribute("suite", "autosage");
    writeHead(json, head);
    json.attribute("experiments_method", method);
    json.attribute("target", std::string(toString(o.target)));
    json.attribute("seed", static_cast<int64_t>(o.seed));
    json.attribute("quick", o.quick);
    json.attribute("seconds", results.seconds);
    json.attributeArray("graphs", [&] {
      for (const SuiteGraph &graph : results.graphs)
        json.object([&] {
          json.attribute("name", graph.name);
          json.attribute("origin", graph.origin);
          json.attribute("rows", graph.stats.rows);
          json.attribute("nnz", graph.stats.nnz);
          json.attribute("mean", graph.stats.mean);
          json.attribute("max", graph.stats.max);
          json.attribute("fingerprint", graph.stats.fingerprint.str());
          json.attribute("seconds", graph.seconds);
        });
    });
    json.attributeArray("cells", [&] {
      for (const Record &record : results.records)
        json.object([&] {
          json.attribute("experiment", record.experiment);
          json.attributeObject("setting", [&] { fields(record.setting); });
          json.attributeObject("extra", [&] { fields(record.extra); });
          writeCell(json, o, record.cell);
        });
    });
  });
  stream << "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Markdown
//===----------------------------------------------------------------------===//

std::string bench::shown(double value) {
  if (!std::isfinite(value))
    return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string bench::shown(const llvm::json::Value &value) {
  if (auto text = value.getAsString())
    return text->str();
  if (auto flag = value.getAsBoolean())
    return *flag ? "yes" : "no";
  if (auto number = value.getAsNumber())
    return shown(*number);
  return "-";
}

/// Columns of a record, in order; which there are is the experiment's.
static std::vector<std::pair<std::string, std::string>>
columnsOf(const Record &record) {
  const Cell &cell = record.cell;
  std::vector<std::pair<std::string, std::string>> row = {
      {"op", std::string(toString(cell.op))},
      {"graph", cell.graph},
      {"F", std::to_string(cell.features)}};
  for (const Field &field : record.setting)
    row.emplace_back(field.name, shown(field.value));
  bool ran = cell.ran();
  const Decided *d = cell.decided ? &*cell.decided : nullptr;
  double ours = !ran ? NAN : d ? d->chosen.medianMs : cell.again.medianMs;
  row.emplace_back("ours ms", shown(ours));
  if (d && record.experiment != "replay") {
    bool has =
        ran && !d->baselineSchedule.empty() && d->baseline.failure.empty();
    row.emplace_back("baseline", d->baselineSchedule);
    row.emplace_back("baseline / ours", shown(has ? 1 / d->ratio() : NAN));
  }
  if (!cell.vendor.empty()) {
    const VendorResult &byDefault = cell.vendor.front();
    const VendorResult *any = bestVendor(cell, false);
    row.emplace_back("cuSPARSE default / ours",
                     shown(byDefault.measurement.failure.empty()
                               ? byDefault.measurement.medianMs / ours
                               : NAN));
    row.emplace_back("cuSPARSE best / ours",
                     shown(any ? any->measurement.medianMs / ours : NAN));
  }
  for (const Field &field : record.extra)
    row.emplace_back(field.name, shown(field.value));
  if (d) {
    double baselineMs = d->choice.baseline ? d->choice.baseline->ms : 0;
    row.emplace_back("schedule", d->choice.schedule);
    row.emplace_back("decided by", d->choice.decidedBy);
    row.emplace_back("compile ms", shown(d->compileMs));
    row.emplace_back("probe ms", shown(d->probeMs));
    row.emplace_back("probe in baseline runs",
                     shown(baselineMs > 0 ? d->probeMs / baselineMs : NAN));
    row.emplace_back("replay us", shown(d->replayUs < 0 ? NAN : d->replayUs));
  }
  return row;
}

/// Rows may lack columns that others have; a new one goes behind the column
/// that it follows in its row.
static std::string tableOf(
    const std::vector<std::vector<std::pair<std::string, std::string>>> &rows) {
  std::vector<std::string> names;
  for (const auto &row : rows) {
    auto at = names.begin();
    for (const auto &[name, value] : row) {
      auto found = std::find(names.begin(), names.end(), name);
      at = found != names.end() ? found + 1 : names.insert(at, name) + 1;
    }
  }
  std::string text = "|";
  for (const std::string &name : names)
    text += " " + name + " |";
  text += "\n|";
  for (size_t i = 0; i < names.size(); ++i)
    text += "---|";
  text += "\n";
  for (const auto &row : rows) {
    text += "|";
    for (const std::string &name : names) {
      auto found =
          std::find_if(row.begin(), row.end(), [&](const auto &column) {
            return column.first == name;
          });
      text += " " + (found == row.end() ? "-" : found->second) + " |";
    }
    text += "\n";
  }
  return text;
}

std::string bench::suiteMarkdown(const Options &o,
                                 const SuiteResults &results) {
  std::string text = "# Experiments of the AutoSAGE paper\n\n" + o.device;
  if (!o.driver.empty())
    text += ", " + o.driver;
  if (o.target == Target::cpu)
    text += ", " + std::to_string(o.facts.threads) + " threads";
  if (!o.commit.empty())
    text += ", commit " + o.commit;
  text +=
      llvm::formatv(", {0}, seed {1}, {2:f0} s in all. Times are medians in "
                    "ms, ratios above 1 are in favour of ours.\n\n",
                    std::string(toString(o.dtype)), o.seed, results.seconds)
          .str();
  std::vector<std::vector<std::pair<std::string, std::string>>> rows;
  for (const SuiteGraph &graph : results.graphs)
    rows.push_back({{"graph", graph.name},
                    {"rows", std::to_string(graph.stats.rows)},
                    {"entries", std::to_string(graph.stats.nnz)},
                    {"longest row", std::to_string(graph.stats.max)},
                    {"from", graph.origin},
                    {"s", shown(graph.seconds)}});
  text += tableOf(rows);
  for (const Experiment &experiment : allExperiments()) {
    rows.clear();
    for (const Record &record : results.records)
      if (record.experiment == experiment.name)
        rows.push_back(columnsOf(record));
    if (!rows.empty())
      text += "\n## " + experiment.name + "\n\n" + experiment.title + ".\n\n" +
              tableOf(rows);
  }
  return text;
}
