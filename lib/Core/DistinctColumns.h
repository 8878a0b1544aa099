//===- DistinctColumns.h - count distinct columns of a stretch --*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A marker per column is fastest, but its memory follows the column count,
// which a file's header may set to anything. Beyond a small multiple of nnz the
// stretch is sorted instead.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CORE_DISTINCTCOLUMNS_H
#define AUTOSAGE_LIB_CORE_DISTINCTCOLUMNS_H

#include "autosage/Core/Csr.h"

#include <algorithm>
#include <vector>

namespace autosage {

template <typename C> class DistinctColumns {
public:
  explicit DistinctColumns(const CsrView &csr) {
    constexpr int64_t always = 1 << 16;
    if (csr.cols <= always || csr.cols / 4 <= csr.nnz())
      lastSeen.resize(static_cast<size_t>(csr.cols));
  }

  /// Number of distinct values among `[begin, end)`, all of them columns of the
  /// pattern. Calls are independent of each other.
  int64_t count(const C *begin, const C *end) {
    return lastSeen.empty() ? countSorted(begin, end) : countMarked(begin, end);
  }

private:
  int64_t countMarked(const C *begin, const C *end) {
    if (++stamp == 0) { // wrapped: old marks would count as new
      std::fill(lastSeen.begin(), lastSeen.end(), 0);
      stamp = 1;
    }
    int64_t distinct = 0;
    for (const C *c = begin; c != end; ++c) {
      uint32_t &mark = lastSeen[static_cast<size_t>(*c)];
      distinct += mark != stamp;
      mark = stamp;
    }
    return distinct;
  }

  int64_t countSorted(const C *begin, const C *end) {
    sorted.assign(begin, end);
    std::sort(sorted.begin(), sorted.end());
    return std::unique(sorted.begin(), sorted.end()) - sorted.begin();
  }

  std::vector<uint32_t> lastSeen; // the last call that met a column
  uint32_t stamp = 0;
  std::vector<C> sorted;
};

} // namespace autosage

#endif // AUTOSAGE_LIB_CORE_DISTINCTCOLUMNS_H
