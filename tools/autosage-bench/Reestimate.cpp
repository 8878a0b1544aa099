//===- Reestimate.cpp - estimates for a stored report ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reestimate.h"
#include "Search.h"

#include "autosage/IO/Graph.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <filesystem>
#include <map>

using namespace autosage;
using namespace autosage::bench;
namespace json = llvm::json;

static InputStats readStats(const json::Object &o) {
  InputStats s;
  auto integer = [&](const char *key) { return o.getInteger(key).value_or(0); };
  auto number = [&](const char *key) { return o.getNumber(key).value_or(0); };
  s.rows = integer("rows");
  s.cols = integer("cols");
  s.nnz = integer("nnz");
  s.mean = number("mean");
  s.max = integer("max");
  s.cv = number("cv");
  s.p50 = integer("p50");
  s.p90 = integer("p90");
  s.p99 = integer("p99");
  s.p999 = integer("p999");
  s.emptyRows = integer("empty_rows");
  s.hubFraction = number("hub_fraction");
  s.locality = number("locality");
  return s;
}

static json::Object writeStats(const InputStats &s) {
  return json::Object{{"rows", s.rows},
                      {"cols", s.cols},
                      {"nnz", s.nnz},
                      {"mean", s.mean},
                      {"max", s.max},
                      {"cv", s.cv},
                      {"p50", s.p50},
                      {"p90", s.p90},
                      {"p99", s.p99},
                      {"p999", s.p999},
                      {"empty_rows", s.emptyRows},
                      {"hub_fraction", s.hubFraction},
                      {"locality", s.locality}};
}

static Result<DeviceFacts> factsOf(const Options &o,
                                   const json::Object &report) {
  if (o.target == Target::cpu) {
    DeviceFacts facts = cpuFacts(report.getInteger("threads").value_or(1));
    // Of the machine that was measured, where the report says so.
    const json::Object *found = report.getObject("facts");
    auto take = [&](const char *key, int64_t &fact) {
      if (std::optional<int64_t> value = found->getInteger(key);
          value && *value > 0)
        fact = *value;
    };
    if (found) {
      take("vector_bits", facts.vectorBits);
      take("l1_bytes", facts.l1Bytes);
      take("core_l2_bytes", facts.coreL2Bytes);
      take("cache_bytes", facts.cacheBytes);
    }
    return facts;
  }
  Result<DeviceFacts> facts = gpuFacts(o.chip.empty() ? "sm_90" : o.chip);
  // The one product beside the preset that reports are about.
  if (facts && report.getString("device").value_or("").contains("H200"))
    facts->memoryBandwidth = reachedMemoryShare * 4917;
  return facts;
}

/// Fills in one cell.
static Status estimateCell(const Options &o, const DeviceFacts &facts,
                           const std::map<std::string, InputStats> &known,
                           json::Object &cell) {
  std::string graph = cell.getString("graph").value_or("").str();
  InputStats stats;
  if (const json::Object *stored = cell.getObject("stats"))
    stats = readStats(*stored);
  else if (auto it = known.find(graph); it != known.end())
    stats = it->second;
  else
    return Error{"expects the graph '" + graph +
                 "', of which the report has no statistics"};
  cell["stats"] = writeStats(stats);
  KernelSpec spec;
  std::optional<OpKind> op =
      parseOpKind(cell.getString("op").value_or("").str());
  std::optional<DType> dtype =
      parseDType(cell.getString("dtype").value_or("").str());
  if (!op || !dtype)
    return Error{"expects cells with an op and a dtype"};
  spec.op = *op;
  spec.dtype = *dtype;
  spec.features = cell.getInteger("features").value_or(1);
  if (int64_t heads = cell.getInteger("heads").value_or(1); heads > 1)
    spec.heads = heads;
  if (std::optional<Score> score =
          parseScore(cell.getString("score").value_or("").str()))
    spec.score = *score;
  if (spec.op == OpKind::spmm)
    spec.edgeValues = EdgeValues::perEdge;
  std::vector<RankedSchedule> ranked =
      rankCandidates(facts, spec, stats, o.expectedCalls);
  json::Array candidates;
  for (const RankedSchedule &r : ranked)
    candidates.push_back(json::Object{{"schedule", r.schedule.str()},
                                      {"estimate_ms", r.estimate.ms},
                                      {"cost_ms", r.costMs}});
  cell["candidates"] = std::move(candidates);
  json::Array *grid = cell.getArray("grid");
  if (!grid)
    return Error{"expects cells with a grid of schedules"};
  std::vector<RankedSchedule> measured;
  for (json::Value &value : *grid) {
    json::Object *entry = value.getAsObject();
    if (!entry)
      return Error{"expects schedules in the grid"};
    std::string text = entry->getString("schedule").value_or("").str();
    Result<Schedule> schedule = parseSchedule(text);
    if (!schedule)
      return Error{schedule.error()};
    Estimate e = estimate(facts, spec, stats, *schedule);
    (*entry)["estimate_ms"] = e.ms;
    (*entry)["estimate_prepare_ms"] = e.prepareMs;
    (*entry)["estimate"] = json::Object{{"bytes", e.bytes},
                                        {"launch_ms", e.breakdown.launchMs},
                                        {"memory_ms", e.breakdown.memoryMs},
                                        {"cache_ms", e.breakdown.cacheMs},
                                        {"compute_ms", e.breakdown.computeMs},
                                        {"tail_ms", e.breakdown.tailMs}};
    int64_t rank = -1;
    for (size_t i = 0; i < ranked.size() && rank < 0; ++i)
      if (ranked[i].schedule == *schedule)
        rank = static_cast<int64_t>(i);
    (*entry)["rank"] = rank;
    if (entry->getNumber("ms"))
      measured.push_back({*schedule, e, e.ms + e.prepareMs / o.expectedCalls});
  }
  std::vector<std::string> order = probeOrderOf(std::move(measured));
  for (json::Value &value : *grid) {
    json::Object *entry = value.getAsObject();
    std::string text = entry->getString("schedule").value_or("").str();
    auto it = std::find(order.begin(), order.end(), text);
    if (it != order.end())
      (*entry)["probe"] = it - order.begin();
  }
  return Status::success();
}

Status bench::estimateReport(const Options &o) {
  auto file = llvm::MemoryBuffer::getFile(o.estimateOf);
  if (!file)
    return Error{"--estimate-of: cannot read " + o.estimateOf};
  llvm::Expected<json::Value> parsed = json::parse((*file)->getBuffer());
  if (!parsed)
    return Error{o.estimateOf + ": " + llvm::toString(parsed.takeError())};
  json::Object *report = parsed->getAsObject();
  json::Array *cells = report ? report->getArray("cells") : nullptr;
  if (!cells)
    return Error{o.estimateOf + ": expects an object with cells"};
  std::map<std::string, InputStats> known;
  for (const std::string &path : o.graphs) {
    Result<io::Graph> graph = io::readGraph(path);
    if (!graph)
      return Error{graph.error()};
    known[std::filesystem::path(path).stem().string()] =
        computeStats(graph->csr.view());
  }
  Result<DeviceFacts> facts = factsOf(o, *report);
  if (!facts)
    return Error{facts.error()};
  for (json::Value &value : *cells)
    if (json::Object *cell = value.getAsObject())
      if (Status status = estimateCell(o, *facts, known, *cell); !status)
        return Error{o.estimateOf + ": " + status.error()};
  std::error_code error;
  llvm::raw_fd_ostream out(o.json.empty() ? "-" : o.json, error);
  if (error)
    return Error{"--json: cannot write " + o.json};
  out << llvm::formatv("{0:1}", *parsed) << "\n";
  return Status::success();
}
