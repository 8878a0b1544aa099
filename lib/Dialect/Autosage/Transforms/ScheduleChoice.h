//===- ScheduleChoice.h - what selection decides for an op ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_DIALECT_TRANSFORMS_SCHEDULECHOICE_H
#define AUTOSAGE_LIB_DIALECT_TRANSFORMS_SCHEDULECHOICE_H

#include "autosage/Core/Estimate.h"
#include "autosage/Dialect/Autosage/IR/KernelSpecOf.h"
#include "autosage/Dialect/Autosage/Transforms/PassServices.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mlir::autosage {

/// A schedule, who chose it, and the numbers behind it: the entries of the
/// decision attribute and the metrics of the remark.
struct ScheduleChoice {
  using Fact = std::variant<int64_t, double, std::string>;

  ::autosage::Schedule schedule;
  DecidedBy by = DecidedBy::Estimate;
  std::vector<std::pair<std::string, Fact>> facts;

  void add(std::string name, Fact fact) {
    facts.emplace_back(std::move(name), std::move(fact));
  }
};

/// What choosing depends on beside the op.
struct ChoiceSettings {
  ::autosage::Target target = ::autosage::Target::cpu;
  std::string chip; // of nvptx
  ::autosage::DeviceFacts facts;
  int64_t vectorBits = 512;
  int64_t expectedCalls = 0; // 0: not stated
};

/// The rule over types and widths, for an op of whose pattern nothing is known.
ScheduleChoice chooseByRule(SparseOpInterface op,
                            const ChoiceSettings &settings);

/// The cheapest by the model of costs. Statistics are complete.
ScheduleChoice chooseByEstimate(SparseOpInterface op,
                                const ::autosage::InputStats &stats,
                                const ChoiceSettings &settings);

/// A decision of the store or the probe.
ScheduleChoice chooseByAnswer(const ScheduleAnswer &answer);

/// At most `most` schedules of a GPU for any pattern: first one that needs no
/// preparation, then what the model of costs takes for typical graphs.
std::vector<::autosage::Schedule> chooseVersions(SparseOpInterface op,
                                                 const ChoiceSettings &settings,
                                                 int64_t most);

/// The layout that the schedule wants of a pattern value; null where it is csr,
/// or the op's kernels make their own.
LayoutAttr layoutFor(SparseOpInterface op,
                     const ::autosage::Schedule &schedule);

/// Several versions in place of the op, behind the runtime's choice.
void emitVersions(SparseOpInterface op,
                  ArrayRef<::autosage::Schedule> versions);

} // namespace mlir::autosage

#endif // AUTOSAGE_LIB_DIALECT_TRANSFORMS_SCHEDULECHOICE_H
