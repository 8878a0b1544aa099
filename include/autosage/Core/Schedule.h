//===- Schedule.h - schedules as plain structs with a text form -*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is a family name and knobs. Its text form, `family, key = value,
// ...`, is what `#autosage.schedule<...>` prints, what `--schedule` takes and
// what caches store. Each family is described by a table of its knobs in one
// source file (lib/Core/Schedule/<Family>.cpp); parsing, printing, defaults and
// verification come from that table, so that a family is known nowhere else in
// Core or the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_SCHEDULE_H
#define AUTOSAGE_CORE_SCHEDULE_H

#include "autosage/Core/Result.h"
#include "autosage/Core/Stats.h"
#include "autosage/Core/Types.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace autosage {

/// An integer or a keyword.
using KnobValue = std::variant<int64_t, std::string>;
/// Ordered by name, so that equal schedules have equal text.
using KnobMap = std::map<std::string, KnobValue, std::less<>>;

enum class Target : uint8_t { cpu, simt, nvptx };
std::string_view toString(Target);
std::optional<Target> parseTarget(std::string_view);

/// What a knob may hold. An integer knob has bounds (and may have to be a
/// power of two); a keyword knob has a list of words.
struct KnobSpec {
  std::string_view name;
  int64_t min = 0, max = 0;
  bool powerOfTwo = false;
  std::vector<std::string_view> words; // non-empty: a keyword knob
  KnobValue defaultValue;
  std::string_view help;
};

struct Problem;

struct FamilySpec {
  std::string_view name;
  std::vector<Target> targets;
  std::vector<KnobSpec> knobs;
  std::string_view help;
  /// Rules between knobs; empty when there are none.
  Status (*verify)(const KnobMap &withDefaults) = nullptr;
  /// Limits of a target that the family runs on; empty when there are none.
  Status (*verifyForTarget)(const KnobMap &withDefaults, Target target,
                            const Problem &problem) = nullptr;
};

/// All known families, in a fixed order.
const std::vector<const FamilySpec *> &scheduleFamilies();
const FamilySpec *findFamily(std::string_view name);

struct Schedule {
  std::string family;
  KnobMap knobs; // only those that were written

  bool operator==(const Schedule &o) const {
    return family == o.family && knobs == o.knobs;
  }
  /// `family` or `family, a = 1, b = word`.
  std::string str() const;
  /// The value of a knob, or its default. Expects an integer knob of the
  /// family.
  int64_t get(std::string_view knob) const;
  /// The same for a keyword knob.
  std::string_view getWord(std::string_view knob) const;
};

/// Checks the family, every knob's name and range, and the rules between them.
/// Messages: `unknown schedule family 'x', expects one of ...`,
/// `unknown knob 'x' of row_parallel, expects one of ...`,
/// `expects vec to be a power of two in [1, 64], got 3`.
Status verifySchedule(const Schedule &schedule);

/// Parses and verifies a text form.
Result<Schedule> parseSchedule(std::string_view text);

/// What `verifyForTarget` and the estimate need to know of a call.
struct Problem {
  OpKind op = OpKind::spmm;
  DType dtype = DType::f32;
  std::optional<int64_t> features; // per head; empty when unknown
  int64_t heads = 1;               // 0 when unknown
  std::optional<InputStats> stats; // empty when unknown
  /// Of attention, whose `features` are those of v: what a score sums over, 1
  /// where it adds two numbers; empty when unknown.
  std::optional<int64_t> scoreFeatures;
  /// Of attention: there is no composed form.
  bool fusedOnly = false;
  /// Of its gradients: no other form is wanted.
  bool composedOnly = false;
};

/// Rejects what the target cannot run, with the number that exceeds the limit.
Status verifyForTarget(const Schedule &schedule, Target target,
                       const Problem &problem);

/// The rule-of-thumb choice (docs/scheduling.md), with no measurement: the
/// first form of the `estimate` oracle.
Schedule estimateCpuSchedule(const Problem &problem, int64_t vectorBits);

/// The same for simt and nvptx. Without statistics rows are taken to be alike.
Schedule estimateGpuSchedule(const Problem &problem);

} // namespace autosage

#endif // AUTOSAGE_CORE_SCHEDULE_H
