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

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>

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
  /// Of attention, where the op is its gradients: log-sum-exp and all.
  compiler::Operands forwardOperands() const;

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

  uint64_t seed;

  /// Of the gradients of attention: what it gave, and the gradient of that.
  run::HostArray dO;
  DeviceBuffer deviceDO, deviceO, deviceLse;
  std::array<DeviceBuffer, 3> gradients; // of q, k and v
  std::vector<int64_t> checkedColumns;
  std::array<std::vector<double>, 3> expectedGradients;
  /// Of the gradients of logits that those of q and of k sum up.
  std::array<double, 2> termNorms = {};
  std::string failure; // of the forward pass

  void draw(run::HostArray &array, const run::Shape &shape, uint64_t operand);
  void poison(const DeviceBuffer &buffer);
  /// Rows of `width` elements, or from one beginning to the next, as f64.
  std::vector<double> download(const DeviceBuffer &from,
                               const std::vector<int64_t> &rows,
                               int64_t width) const;
  std::vector<double>
  download(const DeviceBuffer &from, const std::vector<int64_t> &rows,
           llvm::function_ref<int64_t(int64_t)> begin) const;
  void prepareGradients(const Options &options);
  void evaluateGradients();
  double gradientBytes() const;
  Result<double> gradientError();
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
