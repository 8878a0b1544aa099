//===- Shapes.h - the shapes of a run's operands ----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Widths and heads come from the command line or from the files, which have to
// agree with it and with the graph. This is decided on shapes alone.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_SHAPES_H
#define AUTOSAGE_TOOLS_RUN_SHAPES_H

#include "HostArray.h"
#include "Options.h"

#include "autosage/IO/Graph.h"

#include <map>

namespace autosage::run {

/// The `.npy` files that were given, by option (`--x`).
using Files = std::map<std::string, io::DenseArray>;

struct Shapes {
  int64_t features = 0;
  int64_t valueFeatures = 0;
  int64_t heads = 1;
  /// Operands and outputs have a head dimension of their own.
  bool hasHeads = false;

  /// The shape of each operand that the op reads, by option.
  std::map<std::string, Shape> operands;
  Shape out;
  int64_t outRows = 0;
};

/// Expects the files' contents to be read already.
Result<Shapes> settleShapes(const Options &options, const CsrView &graph,
                            const Files &files);

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_SHAPES_H
