//===- Candidates.h - who takes part in a race ------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_ORACLE_CANDIDATES_H
#define AUTOSAGE_LIB_RUNTIME_ORACLE_CANDIDATES_H

#include "autosage/Core/DeviceFacts.h"
#include "autosage/Core/Kernel.h"
#include "autosage/Oracle/Race.h"

namespace autosage::runtime {

/// The rule's choice (docs/scheduling.md). `vectorBits` here and below is for
/// the cpu, 0: this machine's.
Schedule ruleOf(Target target, const Problem &problem, int64_t vectorBits);

/// The schedules that the model of costs ranks, the cheapest first, with what
/// it says of a run; without cuSPARSE. Each passes verifyForTarget. The
/// baseline is measured in any case.
std::vector<oracle::RaceEntry> candidatesOf(const DeviceFacts &facts,
                                            const KernelSpec &bound,
                                            const InputStats &stats,
                                            int64_t expectedCalls,
                                            const Schedule &baseline);

/// What the winner has to beat, without cuSPARSE: on the cpu the rule's
/// row_parallel, on a device the rule's schedule; of attention the rule's with
/// three walks.
oracle::BaselineEntry plainBaseline(Target target, const Problem &problem,
                                    int64_t vectorBits);

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_ORACLE_CANDIDATES_H
