//===- Stopwatch.h - elapsed time -------------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNEL_STOPWATCH_H
#define AUTOSAGE_LIB_RUNTIME_KERNEL_STOPWATCH_H

#include <chrono>

namespace autosage::runtime {

/// Runs from when it is made.
class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start)
        .count();
  }

private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNEL_STOPWATCH_H
