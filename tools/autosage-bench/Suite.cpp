//===- Suite.cpp - all experiments in one run -----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Suite.h"

#include "../autosage-run/Timing.h"
#include "Generate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

using namespace autosage;
using namespace autosage::bench;
using run::Clock;
using run::millisecondsSince;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
struct Source {
  std::string name, text;
  std::function<Csr(uint64_t seed)> make;
};
} // namespace

static Source communities(const std::string &name, const Communities &c) {
  char text[160];
  std::snprintf(text, sizeof text,
                "block model of %lld nodes, %lld entries, %lld the longest "
                "row, %lld communities, %g within",
                static_cast<long long>(c.nodes),
                static_cast<long long>(c.entries),
                static_cast<long long>(c.maxDegree),
                static_cast<long long>(c.communities), c.within);
  return {name, text, [=](uint64_t seed) { return communityGraph(c, seed); }};
}

static Source oneHub(int64_t n, int64_t degree, int64_t hubDegree) {
  return {
      "one_hub_" + std::to_string(hubDegree),
      std::to_string(n) + " rows of " + std::to_string(degree) + ", one of " +
          std::to_string(hubDegree),
      [=](uint64_t seed) { return hubRows(n, degree, 1, hubDegree, seed); }};
}

/// The paper's inputs, or small ones of the same kinds. Nodes, entries and
/// longest rows of the first two are those of the data sets.
static std::vector<Source> sources(bool quick) {
  int64_t n = quick ? 1000 : 200'000;
  double p = 4.0 / static_cast<double>(n);
  std::string rows = std::to_string(n);
  char erdos[64];
  std::snprintf(erdos, sizeof erdos, "G(n, p), n = %lld, p = %g",
                static_cast<long long>(n), p);
  return {
      communities("reddit",
                  quick ? Communities{600, 12'000, 200, 4, 0.75}
                        : Communities{232'965, 114'615'892, 21'657, 50, 0.75}),
      communities("products", quick ? Communities{1'200, 12'000, 100, 20, 0.7}
                                    : Communities{2'449'029, 123'718'280,
                                                  17'481, 2'000, 0.7}),
      {"erdos_renyi", erdos,
       [=](uint64_t seed) { return erdosRenyi(n, p, seed); }},
      {"hub_skew",
       "synthhub:" + rows + ":4:0.15: 4 rows of " +
           std::to_string(n * 15 / 100) + ", and " + std::to_string(n / 2) +
           " random entries",
       [=](uint64_t seed) { return hubSkew(n, 4, 0.15, seed); }},
      {"hub_rows", rows + " rows of 4, 15 % of them of 64",
       [=](uint64_t seed) { return hubRows(n, 4, n * 15 / 100, 64, seed); }},
      quick ? oneHub(400, 16, 200) : oneHub(20'000, 64, 5'000),
      quick ? oneHub(400, 8, 300) : oneHub(20'000, 32, 12'000),
  };
}

/// Files stand in for the graph whose name theirs begins with.
static std::string fileFor(const Options &o, const Source &source) {
  std::string found;
  for (const std::string &path : o.graphs)
    if (std::filesystem::path(path).filename().string().rfind(source.name, 0) ==
        0)
      found = path;
  return found;
}

static Status checkFiles(const Options &o) {
  for (const std::string &path : o.graphs) {
    std::string name = std::filesystem::path(path).filename().string();
    if (name.rfind("reddit", 0) != 0 && name.rfind("products", 0) != 0)
      return Error{"--suite expects files whose names begin with reddit or "
                   "products, got '" +
                   path + "'"};
  }
  return Status::success();
}

static Result<GraphOnDevice> makeGraph(const Options &o, const Source &source,
                                       SuiteGraph &about) {
  about.name = source.name;
  auto start = Clock::now();
  std::string file = fileFor(o, source);
  Result<GraphOnDevice> graph =
      file.empty() ? GraphOnDevice::of(source.name, source.make(o.seed), o)
                   : GraphOnDevice::load(file, o);
  if (!graph)
    return graph;
  about.origin =
      file.empty() ? "generated: " + source.text
                   : "file: " + std::filesystem::path(file).filename().string();
  graph->name = source.name;
  about.stats = graph->stats;
  about.seconds = millisecondsSince(start) / 1000;
  return graph;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

namespace {
/// Gone with all in it at the end.
class TempFolder {
public:
  TempFolder() {
    std::error_code none;
    std::string pattern =
        (std::filesystem::temp_directory_path(none) / "autosage-bench-XXXXXX")
            .string();
    if (mkdtemp(pattern.data()))
      folder = pattern;
  }
  ~TempFolder() {
    std::error_code ignored;
    if (!folder.empty())
      std::filesystem::remove_all(folder, ignored);
  }
  TempFolder(const TempFolder &) = delete;
  TempFolder &operator=(const TempFolder &) = delete;

  bool exists() const { return !folder.empty(); }
  std::string freshPath() { return folder + "/" + std::to_string(++count); }

private:
  std::string folder;
  int count = 0;
};

class SuiteRun {
public:
  explicit SuiteRun(const Options &o) : o(o) {
    for (const Experiment &experiment : allExperiments()) {
      bool named = std::find(o.experiments.begin(), o.experiments.end(),
                             experiment.name) != o.experiments.end();
      bool fits = o.target != Target::simt || experiment.onSimt;
      if (o.experiments.empty() ? fits : named)
        experiments.push_back(&experiment);
    }
  }

  Result<bool> run() {
    if (Status status = checkFiles(o); !status)
      return Error{status.error()};
    if (!folder.exists())
      return Error{"no folder for decisions can be made in $TMPDIR"};
    for (const Source &source : sources(o.quick)) {
      if (!wanted(source.name))
        continue;
      SuiteGraph about;
      Result<GraphOnDevice> graph = makeGraph(o, source, about);
      if (!graph)
        return Error{graph.error()};
      results.graphs.push_back(about);
      for (OpKind op : {OpKind::spmm, OpKind::sddmm, OpKind::attention})
        for (int64_t width : o.features)
          if (Status status = runCell(*graph, op, width); !status)
            return Error{status.error()};
    }
    if (o.json == "-") {
      results.seconds = millisecondsSince(start) / 1000;
      std::cout << suiteJson(o, results) << std::flush;
    }
    return allRan;
  }

private:
  bool covers(const Experiment &experiment, const std::string &graph, OpKind op,
              int64_t width) const {
    return experiment.covers(graph, op, width == o.features.front());
  }

  bool wanted(const std::string &graph) const {
    for (const Experiment *experiment : experiments)
      for (OpKind op : {OpKind::spmm, OpKind::sddmm, OpKind::attention})
        if (experiment->covers(graph, op, true))
          return true;
    return false;
  }

  Status runCell(const GraphOnDevice &graph, OpKind op, int64_t width) {
    std::optional<Workload> workload;
    for (const Experiment *experiment : experiments) {
      if (!covers(*experiment, graph.name, op, width))
        continue;
      // Operands of large graphs take seconds: all experiments share them.
      if (!workload)
        workload.emplace(graph, op, width, o);
      Status status = Status::success();
      experiment->run({*workload, o, [&] { return folder.freshPath(); },
                       [&](Record record) {
                         record.experiment = experiment->name;
                         if (Status s = add(std::move(record)); !s)
                           status = s;
                       }});
      if (!status)
        return status;
    }
    return Status::success();
  }

  /// After each: what was measured is kept if a later one fails.
  Status add(Record record) {
    results.records.push_back(std::move(record));
    const Record &added = results.records.back();
    allRan &= added.cell.ran();
    std::ostream &table = o.json == "-" ? std::cerr : std::cout;
    std::string setting;
    for (const Field &field : added.setting)
      setting += " " + field.name + "=" + shown(field.value);
    results.seconds = millisecondsSince(start) / 1000;
    char head[80];
    std::snprintf(head, sizeof head, "%6.1f s %s%s: ", results.seconds,
                  added.experiment.c_str(), setting.c_str());
    table << head << tableLine(&added.cell) << std::endl;
    if (!o.json.empty() && o.json != "-" &&
        !replaceFile(o.json, suiteJson(o, results)))
      return Error{"--json: cannot write " + o.json};
    if (!o.markdown.empty() &&
        !replaceFile(o.markdown, suiteMarkdown(o, results)))
      return Error{"--markdown: cannot write " + o.markdown};
    return Status::success();
  }

  const Options &o;
  std::vector<const Experiment *> experiments;
  TempFolder folder;
  Clock::time_point start = Clock::now();
  SuiteResults results;
  bool allRan = true;
};
} // namespace

Result<bool> bench::runSuite(const Options &o) { return SuiteRun(o).run(); }
