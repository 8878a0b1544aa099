//===- Ties.h - the same winner from noisy times ----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ORACLE_TIES_H
#define AUTOSAGE_ORACLE_TIES_H

#include <cstddef>
#include <optional>
#include <vector>

namespace autosage::oracle {

/// Times this close are a tie: what clocks and frequencies move between two
/// processes.
inline constexpr double tieBand = 0.02;

/// The middle of the samples, the mean of the middle two where they are even;
/// NaN and infinities count as the slowest. Expects at least one.
double medianOf(std::vector<double> samples);

/// The first, in the given order, of those whose time is at most the best times
/// 1 + band. The order is that of the estimate, which has no noise, so that
/// processes that measure a tie agree. Times that are not positive and finite
/// are no candidates; empty where none is left.
std::optional<size_t> pickWinner(const std::vector<double> &times,
                                 double band = tieBand);

} // namespace autosage::oracle

#endif // AUTOSAGE_ORACLE_TIES_H
