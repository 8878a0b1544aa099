//===- Timing.h - what tools that time things share -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_TIMING_H
#define AUTOSAGE_TOOLS_RUN_TIMING_H

#include <algorithm>
#include <chrono>
#include <vector>

namespace autosage::run {

using Clock = std::chrono::steady_clock;

inline double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// Expects at least one value.
inline double median(std::vector<double> values) {
  size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  double upper = values[middle];
  if (values.size() % 2)
    return upper;
  return (upper + *std::max_element(values.begin(), values.begin() + middle)) /
         2;
}

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_TIMING_H
