//===- Families.h - declarations of the schedule families -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function a family, named in Families.def and defined in a file of its
// own.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CORE_SCHEDULE_FAMILIES_H
#define AUTOSAGE_LIB_CORE_SCHEDULE_FAMILIES_H

#include "autosage/Core/Schedule.h"

namespace autosage::schedule {

#define AUTOSAGE_SCHEDULE_FAMILY(NAME) const FamilySpec &NAME##Family();
#include "Families.def"
#undef AUTOSAGE_SCHEDULE_FAMILY

/// The knob `attention` of families that run it in either form.
KnobSpec attentionKnob();

/// An integer knob of a map that holds every knob of its family.
inline int64_t knob(const KnobMap &withDefaults, std::string_view name) {
  return std::get<int64_t>(withDefaults.find(name)->second);
}

} // namespace autosage::schedule

#endif // AUTOSAGE_LIB_CORE_SCHEDULE_FAMILIES_H
