//===- RandomGraph.cpp - random patterns for property tests ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"

#include <algorithm>

using namespace autosage;

Csr test::randomCsr(const std::vector<int64_t> &degrees, int64_t cols,
                    std::mt19937_64 &engine) {
  std::vector<int64_t> rowptr = {0}, colind;
  for (int64_t degree : degrees) {
    for (int64_t i = 0; i < degree; ++i) {
      // Every fourth entry repeats the one before: duplicates in every row.
      if (i % 4 == 3)
        colind.push_back(colind.back());
      else
        colind.push_back(static_cast<int64_t>(engine() % cols));
    }
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  return {static_cast<int64_t>(degrees.size()), cols, std::move(rowptr),
          std::move(colind)};
}

std::vector<test::NamedGraph> test::propertyGraphs(uint64_t seed) {
  std::mt19937_64 engine(seed);
  auto degrees = [&](int64_t rows, auto degree) {
    std::vector<int64_t> all(rows);
    for (int64_t i = 0; i < rows; ++i)
      all[i] = degree(i);
    return all;
  };
  // Degrees like 1/u: most rows short, a few long.
  auto skewed = [&](int64_t) {
    double u = static_cast<double>(engine() >> 11) * 0x1.0p-53;
    return std::min<int64_t>(60, static_cast<int64_t>(1.0 / (u + 0.01)));
  };
  auto sparse = [&](int64_t i) -> int64_t { return i % 3 ? 0 : engine() % 6; };
  std::vector<NamedGraph> graphs;
  graphs.push_back({"skewed", randomCsr(degrees(37, skewed), 41, engine)});
  graphs.push_back({"empty_rows", randomCsr(degrees(50, sparse), 7, engine)});
  graphs.push_back({"hub", randomCsr({0, 3, 700, 0, 1, 17, 0}, 300, engine)});
  // More rows than a block of any default schedule, no multiple of one, and the
  // longest row in the last block.
  auto blocks = degrees(203, [&](int64_t) -> int64_t { return engine() % 4; });
  blocks[201] = 150;
  graphs.push_back({"blocks", randomCsr(blocks, 90, engine)});
  graphs.push_back({"wide", randomCsr({5, 2}, 200, engine)});
  graphs.push_back({"one", randomCsr({1}, 1, engine)});
  graphs.push_back({"no_entries", randomCsr({0, 0, 0}, 4, engine)});
  graphs.push_back({"no_rows", randomCsr({}, 5, engine)});
  graphs.push_back({"no_columns", randomCsr({0, 0}, 0, engine)});
  graphs.push_back({"nothing", randomCsr({}, 0, engine)});
  return graphs;
}
