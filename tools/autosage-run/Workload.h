//===- Workload.h - the graph and the operands of one run -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that a kernel reads, in its element type: read from `.npy` files
// or drawn from the seed. Shapes are settled before anything is allocated.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_WORKLOAD_H
#define AUTOSAGE_TOOLS_RUN_WORKLOAD_H

#include "HostArray.h"
#include "Options.h"

#include "autosage/Compiler/Compiler.h"
#include "autosage/IO/Graph.h"

namespace autosage::run {

struct Workload {
  io::Graph graph;
  InputStats stats;
  compiler::KernelSpec spec;

  int64_t features = 0;      // of x, q, k, or of v for gat; 0 where unused
  int64_t valueFeatures = 0; // of v and the output of attention
  int64_t heads = 1;

  HostArray edgeValues, x, q, k, v, a;
  /// The output's shape, and its contents before the run. Of the gradients of
  /// attention it is empty.
  HostArray out;
  /// What attention gave, the gradient of that, and the gradients.
  HostArray o, lse, dO, dq, dk, dv, da, dw;

  /// Those of them that the op has, with the names of docs/running.md.
  std::vector<std::pair<const char *, const HostArray *>> gradients() const;

  /// Rows of the output; edge outputs have one an edge.
  int64_t outRows = 0;
};

/// Reads the graph, settles the shapes, reads or draws the operands. Notes and
/// warnings go to stderr.
Result<Workload> prepare(const Options &options);

/// What runs take; the plan brings workspace.
compiler::Operands operandsOf(Workload &workload);

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_WORKLOAD_H
