//===- DecisionJson.cpp - decisions as JSON -------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading looks at every type itself: nothing here throws, whatever the bytes
// are. Unknown keys are ignored, so that later versions may add some.
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/Decision.h"

#include "../Core/Text.h"

#include <nlohmann/json.hpp>

using namespace autosage;
using namespace autosage::oracle;

using Json = nlohmann::ordered_json;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// A text that is not UTF-8 has its bad bytes replaced.
static std::string dump(const Json &json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

static Json jsonOf(const CandidateRecord &c) {
  Json json = {{"schedule", c.schedule}, {"estimate_ms", c.estimateMs},
               {"probe_ms", c.probeMs},  {"interval_ms", {c.lowMs, c.highMs}},
               {"samples", c.samples},   {"rejected", nullptr}};
  if (!c.rejected.empty())
    json["rejected"] = c.rejected;
  return json;
}

static Json jsonOf(const Decision &d) {
  Json json = {
      {"schedule", d.schedule},      {"decided_by", toString(d.decidedBy)},
      {"reason", d.reason},          {"baseline", nullptr},
      {"candidates", Json::array()}, {"guardrail", nullptr}};
  if (d.baseline)
    json["baseline"] = {{"name", d.baseline->name},
                        {"schedule", d.baseline->schedule},
                        {"ms", d.baseline->ms}};
  for (const CandidateRecord &c : d.candidates)
    json["candidates"].push_back(jsonOf(c));
  if (d.guardrail)
    json["guardrail"] = {{"decided", d.guardrail->decided},
                         {"chosen_ms", d.guardrail->chosenMs},
                         {"baseline_ms", d.guardrail->baselineMs},
                         {"margin", d.guardrail->margin},
                         {"kept_baseline", d.guardrail->keptBaseline}};
  json["budget"] = {
      {"limit_ms", d.budget.limitMs},       {"spent_ms", d.budget.spentMs},
      {"setup_ms", d.budget.setupMs},       {"runs_ms", d.budget.runsMs},
      {"teardown_ms", d.budget.teardownMs}, {"ended", d.budget.ended}};
  json["time"] = d.time;
  return json;
}

std::string oracle::toJson(const Decision &decision) {
  return dump(jsonOf(decision));
}

std::string oracle::toJson(const DecisionKey &key, const Decision &decision,
                           int indent) {
  Json fields = Json::object();
  for (size_t i = 0; i < keyFieldCount; ++i) {
    auto field = static_cast<KeyField>(i);
    fields[std::string(nameOf(field))] = key[field];
  }
  return dump(Json{{"key", fields}, {"decision", jsonOf(decision)}}, indent);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Takes members of one object; the first thing that is wrong stays in `error`.
class Reader {
public:
  Reader(const Json &json, std::string where, std::string &error)
      : json(json), where(std::move(where)), error(error) {
    if (!json.is_object())
      wrong("", "an object", json);
  }

  void text(const char *name, std::string &value) {
    const Json *member = find(name);
    if (!member)
      return;
    if (member->is_string())
      value = member->get_ref<const std::string &>();
    else
      wrong(name, "text", *member);
  }
  void number(const char *name, double &value) {
    const Json *member = find(name);
    if (!member)
      return;
    if (member->is_number())
      value = member->get<double>();
    else
      wrong(name, "a number", *member);
  }
  void numberIfThere(const char *name, double &value) {
    if (json.is_object() && json.contains(name))
      number(name, value);
  }
  void integer(const char *name, int64_t &value) {
    const Json *member = find(name);
    if (!member)
      return;
    // Beyond 63 bits a number is unsigned.
    if (member->is_number_integer() &&
        (!member->is_number_unsigned() ||
         member->get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX)))
      value = member->get<int64_t>();
    else
      wrong(name, "an integer", *member);
  }
  void flag(const char *name, bool &value) {
    const Json *member = find(name);
    if (!member)
      return;
    if (member->is_boolean())
      value = member->get<bool>();
    else
      wrong(name, "true or false", *member);
  }
  /// Null where the member is null or not as it should be.
  const Json *optional(const char *name) {
    const Json *member = find(name);
    return member && !member->is_null() ? member : nullptr;
  }
  void wrong(const std::string &name, const char *expected, const Json &got) {
    if (error.empty())
      error = "expects " + path(name) + " to be " + expected + ", got " +
              got.type_name();
  }
  std::string path(const std::string &name) const {
    return where.empty() ? name : name.empty() ? where : where + "." + name;
  }

private:
  const Json *find(const char *name) {
    if (!json.is_object())
      return nullptr;
    auto found = json.find(name);
    if (found != json.end())
      return &*found;
    if (error.empty())
      error = "expects " + path(name) + ", got nothing";
    return nullptr;
  }

  const Json &json;
  const std::string where;
  std::string &error;
};
} // namespace

static CandidateRecord readCandidate(const Json &json, const std::string &where,
                                     std::string &error) {
  CandidateRecord c;
  Reader reader(json, where, error);
  reader.text("schedule", c.schedule);
  reader.number("estimate_ms", c.estimateMs);
  reader.number("probe_ms", c.probeMs);
  if (const Json *interval = reader.optional("interval_ms")) {
    if (interval->is_array() && interval->size() == 2 &&
        (*interval)[0].is_number() && (*interval)[1].is_number()) {
      c.lowMs = (*interval)[0].get<double>();
      c.highMs = (*interval)[1].get<double>();
    } else {
      reader.wrong("interval_ms", "two numbers", *interval);
    }
  }
  reader.integer("samples", c.samples);
  if (reader.optional("rejected"))
    reader.text("rejected", c.rejected);
  return c;
}

static Result<Decision> readDecision(const Json &json) {
  Decision d;
  std::string error, decidedBy;
  Reader reader(json, "decision", error);
  reader.text("schedule", d.schedule);
  reader.text("decided_by", decidedBy);
  reader.text("reason", d.reason);
  if (const Json *baseline = reader.optional("baseline")) {
    Reader inner(*baseline, reader.path("baseline"), error);
    d.baseline.emplace();
    inner.text("name", d.baseline->name);
    inner.text("schedule", d.baseline->schedule);
    inner.number("ms", d.baseline->ms);
  }
  if (const Json *candidates = reader.optional("candidates")) {
    if (!candidates->is_array())
      reader.wrong("candidates", "an array", *candidates);
    else
      for (size_t i = 0; i < candidates->size(); ++i)
        d.candidates.push_back(readCandidate(
            (*candidates)[i],
            reader.path("candidates[" + std::to_string(i) + "]"), error));
  }
  if (const Json *guardrail = reader.optional("guardrail")) {
    Reader inner(*guardrail, reader.path("guardrail"), error);
    d.guardrail.emplace();
    inner.flag("decided", d.guardrail->decided);
    inner.number("chosen_ms", d.guardrail->chosenMs);
    inner.number("baseline_ms", d.guardrail->baselineMs);
    inner.number("margin", d.guardrail->margin);
    inner.flag("kept_baseline", d.guardrail->keptBaseline);
  }
  if (const Json *budget = reader.optional("budget")) {
    Reader inner(*budget, reader.path("budget"), error);
    inner.number("limit_ms", d.budget.limitMs);
    inner.number("spent_ms", d.budget.spentMs);
    // Older versions have not written them.
    inner.numberIfThere("setup_ms", d.budget.setupMs);
    inner.numberIfThere("runs_ms", d.budget.runsMs);
    inner.numberIfThere("teardown_ms", d.budget.teardownMs);
    inner.flag("ended", d.budget.ended);
  }
  reader.integer("time", d.time);
  if (!error.empty())
    return Error{error};
  std::optional<DecidedBy> by = parseDecidedBy(decidedBy);
  if (!by)
    return Error{"expects decision.decided_by to be one of user, cache, class, "
                 "probe, estimate, fallback, got " +
                 autosage::quoted(decidedBy)};
  d.decidedBy = *by;
  return d;
}

static Result<Json> parse(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return Error{"expects JSON"};
  return json;
}

Result<Decision> oracle::parseDecision(std::string_view text) {
  Result<Json> json = parse(text);
  if (!json)
    return Error{json.error()};
  return readDecision(*json);
}

Result<KeyedDecision> oracle::parseKeyedDecision(std::string_view text) {
  Result<Json> json = parse(text);
  if (!json)
    return Error{json.error()};
  for (const char *name : {"key", "decision"})
    if (!json->is_object() || !json->contains(name) ||
        !(*json)[name].is_object())
      return Error{std::string("expects an object with the object ") + name};
  std::vector<std::pair<std::string, std::string>> fields;
  for (const auto &[name, value] : (*json)["key"].items()) {
    if (!value.is_string())
      return Error{"expects key field " + autosage::quoted(name) +
                   " to be text, got " + value.type_name()};
    fields.emplace_back(name, value.get_ref<const std::string &>());
  }
  Result<DecisionKey> key = DecisionKey::fromFields(fields);
  if (!key)
    return Error{key.error()};
  Result<Decision> decision = readDecision((*json)["decision"]);
  if (!decision)
    return Error{decision.error()};
  return KeyedDecision{std::move(*key), std::move(*decision)};
}
