//===- Interval.h - what measured times say ---------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_ORACLE_INTERVAL_H
#define AUTOSAGE_LIB_ORACLE_INTERVAL_H

#include "autosage/Oracle/Race.h"

#include <cmath>

namespace autosage::oracle {

inline bool areSeparate(const Interval &fast, const Interval &slow) {
  return fast.high < slow.low;
}

inline bool isTime(double ms) { return std::isfinite(ms) && ms > 0; }

} // namespace autosage::oracle

#endif // AUTOSAGE_LIB_ORACLE_INTERVAL_H
