//===- StatsClass.cpp - classes of graphs with like statistics ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples of one data set differ a little in every number; steps are so wide
// that most of them fall together, and no wider than schedules care about.
// Bounds are powers of two, exact in any arithmetic, so that any two machines
// agree.
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/DecisionKey.h"

#include <cmath>

using namespace autosage;

/// Whole powers of `base` in a value of at least 1; -1 below that.
static int powersOf(double base, double value) {
  int power = -1;
  for (double bound = 1; value >= bound && power < 64; bound *= base)
    ++power;
  return power;
}

/// Quarters of a share in [0, 1]: 0 for none, 1 to 4 for a part.
static int quarters(double share) {
  return share <= 0 ? 0 : 1 + static_cast<int>(std::fmin(share * 4, 3));
}

std::string oracle::statsClass(const InputStats &stats) {
  double rows = stats.rows > 0 ? static_cast<double>(stats.rows) : 1;
  double mean = stats.mean > 0 ? stats.mean : 1;
  std::string text;
  auto add = [&](const char *name, int step) {
    text += (text.empty() ? "" : ",") + std::string(name) + "=" +
            std::to_string(step);
  };
  add("rows", powersOf(2, static_cast<double>(stats.rows)));
  add("cols", powersOf(2, static_cast<double>(stats.cols)));
  add("mean", powersOf(2, stats.mean));
  add("cv", powersOf(2, stats.cv * 4)); // from 1/4 on
  add("p99", powersOf(4, static_cast<double>(stats.p99) / mean));
  add("max", powersOf(8, static_cast<double>(stats.max) / mean));
  add("empty", quarters(static_cast<double>(stats.emptyRows) / rows));
  add("hub", quarters(stats.hubFraction));
  add("locality", powersOf(2, stats.locality));
  return text;
}
