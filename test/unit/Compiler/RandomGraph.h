//===- RandomGraph.h - random patterns for property tests -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_COMPILER_RANDOMGRAPH_H
#define AUTOSAGE_TEST_COMPILER_RANDOMGRAPH_H

#include "autosage/Core/Csr.h"

#include <random>
#include <string>

namespace autosage::test {

struct NamedGraph {
  std::string name;
  Csr csr; // i64 arrays
};

/// A row of `degrees[i]` random columns each, unsorted, with duplicates.
Csr randomCsr(const std::vector<int64_t> &degrees, int64_t cols,
              std::mt19937_64 &engine);

/// Skewed, hub, empty rows, several blocks, rectangular both ways, no rows, no
/// columns, no entries, one entry.
std::vector<NamedGraph> propertyGraphs(uint64_t seed);

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_RANDOMGRAPH_H
