//===- CpuKnobs.h - what the CPU families share --------------- -*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every family for the CPU walks the entries of a row with a tile of feature
// columns in vector registers; `vec` and `tile` mean the same in each.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CORE_SCHEDULE_CPUKNOBS_H
#define AUTOSAGE_LIB_CORE_SCHEDULE_CPUKNOBS_H

#include "Families.h"

namespace autosage::schedule {

KnobSpec integerKnob(std::string_view name, int64_t min, int64_t max,
                     bool powerOfTwo, int64_t defaultValue,
                     std::string_view help);

KnobSpec vecKnob();
KnobSpec tileKnob();
KnobSpec unrollKnob();
KnobSpec prefetchKnob();

/// The rules between the two, and the limit on their quotient.
Status verifyCpuKnobs(const KnobMap &knobs);
Status verifyCpuKnobsForTarget(const KnobMap &knobs, Target target,
                               const Problem &problem);

} // namespace autosage::schedule

#endif // AUTOSAGE_LIB_CORE_SCHEDULE_CPUKNOBS_H
