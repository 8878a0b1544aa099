//===- Workload.h - one operation on one graph ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_WORKLOAD_H
#define AUTOSAGE_TOOLS_BENCH_WORKLOAD_H

#include "../autosage-run/HostArray.h"
#include "Options.h"

#include "autosage/Compiler/Compiler.h"
#include "autosage/IO/Graph.h"
#include "autosage/Runtime/DeviceCpp.h"

namespace autosage::bench {

using runtime::DeviceBuffer;

/// A graph on the host and on the device.
struct GraphOnDevice {
  std::string name;
  Csr csr;
  InputStats stats;
  DeviceBuffer rowptr, colind;

  static Result<GraphOnDevice> load(const std::string &path,
                                    const Options &options);
  /// Expects a valid pattern with i32 indices.
  static Result<GraphOnDevice> of(std::string name, Csr csr,
                                  const Options &options);
};

/// One op with operands that are drawn from the seed: spmm with a value for
/// each edge, sddmm without; attention with heads, and dot products, scaled by
/// 1/sqrt(F), or the scores of GAT.
class Workload {
public:
  Workload(const GraphOnDevice &graph, OpKind op, int64_t features,
           const Options &options, int64_t heads = 1);

  const GraphOnDevice &graph;
  compiler::KernelSpec spec;
  int64_t features, heads;
  const autosage_device_api &api;

  /// Of the device's memory.
  compiler::Operands operands() const;

  /// Fills the output with NaN.
  void poison();
  /// Relative error against f64 on whole rows: all of them where that is
  /// little work, else evenly spaced ones and the longest. Waits for the GPU.
  Result<double> error();

  /// Bytes that have to move: every operand once.
  double compulsoryBytes() const;

private:
  run::HostArray w, left, right, values;
  DeviceBuffer deviceW, deviceLeft, deviceRight, deviceValues, deviceOut,
      devicePoison;
  std::vector<int64_t> checkedRows;
  std::vector<double> expected;

  void chooseRows();
  void evaluate();
  bool perRow() const { return spec.op != OpKind::sddmm; }
  /// Elements of a row of each dense operand.
  int64_t columns() const { return heads * features; }
  /// Of q and k in a head; GAT has a number of each.
  int64_t scoreWidth() const { return spec.score == Score::gat ? 1 : features; }
  double dot(int64_t row, int64_t column, int64_t head) const;
  double logit(int64_t row, int64_t column, int64_t head) const;
};

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_WORKLOAD_H
