//===- Main.cpp - autosage-bench -----------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exit status: 0 success, 1 where no schedule ran right in some cell, 2 bad
// usage or bad input.
//
//===----------------------------------------------------------------------===//

#include "Reestimate.h"
#include "Report.h"
#include "Suite.h"

#include "autosage/Emulation/Simt.h"
#include "autosage/Runtime/Runtime.h"

#include <exception>
#include <fstream>
#include <iostream>
#include <tuple>

using namespace autosage;
using namespace autosage::bench;

static int fail(const std::string &message) {
  std::cerr << "error: " << message << "\n";
  return 2;
}

static std::string cpuName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") < line.size())
      return line.substr(line.find(": ") + 2);
  return "CPU";
}

static Status findDevice(Options &o) {
  if (o.target == Target::cpu) {
    if (o.threads)
      autosage_set_num_threads(o.threads);
    o.vendor = false;
    o.api = autosage_simt_device_api(); // memory and clock of the host
    o.facts = cpuFacts(autosage_get_num_threads());
    o.device = cpuName();
    return Status::success();
  }
  if (o.target == Target::simt) {
    o.vendor = false;
    o.api = autosage_simt_device_api();
    o.chip = "sm_90"; // the emulator has no facts of its own
    Result<DeviceFacts> facts = gpuFacts(o.chip);
    if (!facts)
      return Error{facts.error()};
    o.facts = *facts;
    o.device = "emulator on " + cpuName();
    return Status::success();
  }
  o.api = autosage_cuda_device_api();
  Result<autosage_device_info> info =
      runtime::deviceInfo(*autosage_cuda_device_api());
  if (!info)
    return Error{info.error()};
  o.chip = "sm_" + std::to_string(info->compute_capability);
  Result<DeviceFacts> facts = runtime::deviceFacts(*info);
  if (!facts)
    return Error{facts.error()};
  o.facts = *facts;
  o.device = info->name;
  o.driver = "CUDA " + std::to_string(info->driver_version / 1000) + "." +
             std::to_string(info->driver_version % 1000 / 10);
  return Status::success();
}

static Cell measureCell(const GraphOnDevice &graph, OpKind op, int64_t features,
                        int64_t heads, const Options &o) {
  Workload workload(graph, op, features, o, heads);
  Cell cell = cellOf(workload);
  if (o.oracle)
    cell.decided = decide(workload, o);
  else
    cell.ours = search(workload, o);
  cell.vendor = measureVendors(workload, o);
  if (const Candidate *found = best(cell.ours))
    cell.again = measureSchedule(workload, o, found->schedule);
  if (isAttention(op) && o.forms)
    cell.forms = measureForms(workload, o, cell.schedule());
  if (op == OpKind::attention_backward)
    cell.forward = measureForward(graph, features, heads, o);
  return cell;
}

/// Those of a graph: op, width and heads.
static std::vector<std::tuple<OpKind, int64_t, int64_t>>
cellsOf(const Options &o) {
  std::vector<std::tuple<OpKind, int64_t, int64_t>> cells;
  for (OpKind op : o.ops)
    for (int64_t features : o.features)
      for (int64_t heads : isAttention(op) ? o.heads : std::vector<int64_t>{1})
        cells.push_back({op, features, heads});
  return cells;
}

static int runTool(int argc, char **argv) {
  Options o;
  if (std::optional<int> status = parseOptions(argc, argv, o))
    return *status;
  if (!o.estimateOf.empty()) {
    Status status = estimateReport(o);
    return status ? 0 : fail(status.error());
  }
  if (Status status = findDevice(o); !status)
    return fail("--target nvptx: " + status.error());

  if (o.suite) {
    Result<bool> allRan = runSuite(o);
    return !allRan ? fail(allRan.error()) : *allRan ? 0 : 1;
  }
  std::ostream &table = o.json == "-" ? std::cerr : std::cout;
  table << tableLine(nullptr) << std::endl;
  std::vector<Cell> cells;
  bool allRan = true;
  for (const std::string &path : o.graphs) {
    Result<GraphOnDevice> graph = GraphOnDevice::load(path, o);
    if (!graph)
      return fail(graph.error());
    for (auto [op, features, heads] : cellsOf(o)) {
      cells.push_back(measureCell(*graph, op, features, heads, o));
      table << tableLine(&cells.back()) << std::endl;
      allRan &= cells.back().ran();
      if (o.json.empty() || o.json == "-")
        continue;
      // After each cell: what was measured is kept if a later one fails.
      if (!replaceFile(o.json, jsonReport(o, cells)))
        return fail("--json: cannot write " + o.json);
    }
  }
  if (o.json == "-")
    std::cout << jsonReport(o, cells) << std::flush;
  return allRan ? 0 : 1;
}

int main(int argc, char **argv) {
  try {
    return runTool(argc, argv);
  } catch (const std::bad_alloc &) {
    return fail("not enough memory for these graphs and widths");
  } catch (const std::exception &error) {
    return fail(error.what());
  }
}
