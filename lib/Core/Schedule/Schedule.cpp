//===- Schedule.cpp - printing and verification of schedules --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything here reads the knob tables of the families and knows none of them.
//
//===----------------------------------------------------------------------===//

#include "../Text.h"
#include "Families.h"

#include <algorithm>
#include <cassert>

namespace autosage {
namespace {

constexpr std::pair<Target, std::string_view> targets[] = {
    {Target::cpu, "cpu"}, {Target::simt, "simt"}, {Target::nvptx, "nvptx"}};

std::string familyNames(const std::vector<const FamilySpec *> &families) {
  return joined(families,
                [](const FamilySpec *f) { return std::string(f->name); });
}

const KnobSpec *findKnob(const FamilySpec &family, std::string_view name) {
  for (const KnobSpec &knob : family.knobs)
    if (knob.name == name)
      return &knob;
  return nullptr;
}

bool isPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

bool accepts(const KnobSpec &spec, const KnobValue &value) {
  if (const auto *word = std::get_if<std::string>(&value))
    return std::find(spec.words.begin(), spec.words.end(), *word) !=
           spec.words.end();
  int64_t number = std::get<int64_t>(value);
  return spec.words.empty() && number >= spec.min && number <= spec.max &&
         (!spec.powerOfTwo || isPowerOfTwo(number));
}

std::string expectation(const KnobSpec &spec) {
  if (!spec.words.empty())
    return "one of " + joined(spec.words, [](std::string_view w) {
             return std::string(w);
           });
  return std::string(spec.powerOfTwo ? "a power of two in [" : "in [") +
         std::to_string(spec.min) + ", " + std::to_string(spec.max) + "]";
}

KnobMap withDefaults(const FamilySpec &family, const KnobMap &written) {
  KnobMap all = written;
  for (const KnobSpec &knob : family.knobs)
    all.emplace(knob.name, knob.defaultValue); // keeps what was written
  return all;
}

/// The value that was written, else the default; null for an unknown knob.
const KnobValue *lookUp(const Schedule &schedule, std::string_view name) {
  auto it = schedule.knobs.find(name);
  if (it != schedule.knobs.end())
    return &it->second;
  const FamilySpec *family = findFamily(schedule.family);
  const KnobSpec *knob = family ? findKnob(*family, name) : nullptr;
  return knob ? &knob->defaultValue : nullptr;
}

} // namespace

std::string_view toString(Target target) {
  for (auto &[value, text] : targets)
    if (value == target)
      return text;
  return {};
}

std::optional<Target> parseTarget(std::string_view name) {
  for (auto &[value, text] : targets)
    if (text == name)
      return value;
  return std::nullopt;
}

const std::vector<const FamilySpec *> &scheduleFamilies() {
  static const std::vector<const FamilySpec *> families = {
#define AUTOSAGE_SCHEDULE_FAMILY(NAME) &schedule::NAME##Family(),
#include "Families.def"
#undef AUTOSAGE_SCHEDULE_FAMILY
  };
  return families;
}

const FamilySpec *findFamily(std::string_view name) {
  for (const FamilySpec *family : scheduleFamilies())
    if (family->name == name)
      return family;
  return nullptr;
}

std::string Schedule::str() const {
  std::string out = family;
  for (auto &[name, value] : knobs) {
    out += ", " + name + " = ";
    if (const auto *word = std::get_if<std::string>(&value))
      out += *word;
    else
      out += std::to_string(std::get<int64_t>(value));
  }
  return out;
}

int64_t Schedule::get(std::string_view knob) const {
  const KnobValue *value = lookUp(*this, knob);
  const auto *number = value ? std::get_if<int64_t>(value) : nullptr;
  assert(number && "not an integer knob of the family");
  return number ? *number : 0;
}

std::string_view Schedule::getWord(std::string_view knob) const {
  const KnobValue *value = lookUp(*this, knob);
  const auto *word = value ? std::get_if<std::string>(value) : nullptr;
  assert(word && "not a keyword knob of the family");
  return word ? std::string_view(*word) : std::string_view();
}

Status verifySchedule(const Schedule &schedule) {
  const FamilySpec *family = findFamily(schedule.family);
  if (!family)
    return Error{"unknown schedule family " + quoted(schedule.family) +
                 ", expects one of " + familyNames(scheduleFamilies())};
  for (auto &[name, value] : schedule.knobs) {
    const KnobSpec *spec = findKnob(*family, name);
    if (!spec)
      return Error{"unknown knob " + quoted(name) + " of " + schedule.family +
                   ", expects one of " +
                   joined(family->knobs, [](const KnobSpec &k) {
                     return std::string(k.name);
                   })};
    if (accepts(*spec, value))
      continue;
    const auto *word = std::get_if<std::string>(&value);
    return Error{
        "expects " + name + " to be " + expectation(*spec) + ", got " +
        (word ? quoted(*word) : std::to_string(std::get<int64_t>(value)))};
  }
  if (family->verify)
    return family->verify(withDefaults(*family, schedule.knobs));
  return Status::success();
}

Status verifyForTarget(const Schedule &schedule, Target target,
                       const Problem &problem) {
  if (Status status = verifySchedule(schedule); !status)
    return status;
  const FamilySpec *family = findFamily(schedule.family);
  auto runsOn = [&](const FamilySpec *f) {
    return std::find(f->targets.begin(), f->targets.end(), target) !=
           f->targets.end();
  };
  if (!runsOn(family)) {
    std::vector<const FamilySpec *> others;
    for (const FamilySpec *other : scheduleFamilies())
      if (runsOn(other))
        others.push_back(other);
    return Error{"schedule family '" + schedule.family + "' does not run on " +
                 std::string(toString(target)) + ", expects one of " +
                 familyNames(others)};
  }
  KnobMap knobs = withDefaults(*family, schedule.knobs);
  auto attention = knobs.find("attention");
  if (problem.fusedOnly && attention != knobs.end() &&
      std::get<std::string>(attention->second) != "fused")
    return Error{"expects attention = fused for one walk of its gradients, got "
                 "composed"};
  if (problem.composedOnly &&
      (attention == knobs.end() ||
       std::get<std::string>(attention->second) != "composed"))
    return Error{"expects attention = composed for gradients of that form, got "
                 "fused"};
  if (family->verifyForTarget)
    return family->verifyForTarget(knobs, target, problem);
  return Status::success();
}

KnobSpec schedule::attentionKnob() {
  return {"attention",
          0,
          0,
          false,
          {"fused", "composed"},
          std::string("fused"),
          "attention in one walk without scores in memory, or as scores, "
          "softmax and weighted sums"};
}

} // namespace autosage
