//===- DecisionKey.cpp - under what a decision is remembered --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/DecisionKey.h"

#include "../Core/Text.h"
#include "Hash.h"

#include "autosage/Core/KernelArguments.h"

#include <algorithm>

using namespace autosage;
using namespace autosage::oracle;

static constexpr std::array<std::string_view, keyFieldCount> names = {
    "schema",
    "op",
    "reduction",
    "combine",
    "score",
    "features",
    "value_features",
    "heads",
    "dtype",
    "out_dtype",
    "rowptr",
    "colind",
    "edge_values",
    "flags",
    "alignment",
    "deterministic",
    "expected_calls",
    "graph",
    "target",
    "device",
    "capability",
    "units",
    "driver",
    "cusparse",
    "code"};
static constexpr size_t problemFields = static_cast<size_t>(KeyField::target);
static constexpr std::string_view classPrefix = "class:";

std::string_view oracle::nameOf(KeyField field) {
  return names[static_cast<size_t>(field)];
}

//===----------------------------------------------------------------------===//
// The key as text
//===----------------------------------------------------------------------===//

static std::string
textOfFields(const std::array<std::string, keyFieldCount> &values,
             size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text.append(names[i]).append("=").append(values[i]).append("\n");
  return text;
}

std::string DecisionKey::str() const {
  return textOfFields(values, keyFieldCount);
}

std::string DecisionKey::problemText() const {
  return textOfFields(values, problemFields);
}

std::string DecisionKey::id() const { return hashText(str()); }

bool DecisionKey::isClass() const {
  return (*this)[KeyField::graph].rfind(classPrefix, 0) == 0;
}

static bool isPlain(const std::string &value) {
  return std::none_of(value.begin(), value.end(),
                      [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

Status DecisionKey::check() const {
  for (size_t i = 0; i < keyFieldCount; ++i) {
    const std::string &value = values[i];
    if (value.empty() || value == "unknown")
      return Error{"expects key field " + std::string(names[i]) +
                   " to be known, got " +
                   (value.empty() ? "nothing" : "unknown")};
    if (!isPlain(value) || value.size() > 1024)
      return Error{"expects key field " + std::string(names[i]) +
                   " to be a line of at most 1024 characters"};
  }
  if ((*this)[KeyField::schema] != std::to_string(keySchema))
    return Error{"expects key field schema to be " + std::to_string(keySchema) +
                 ", got " + autosage::quoted((*this)[KeyField::schema])};
  return Status::success();
}

Result<DecisionKey> DecisionKey::fromFields(
    const std::vector<std::pair<std::string, std::string>> &fields) {
  DecisionKey key;
  std::array<bool, keyFieldCount> seen = {};
  for (const auto &[name, value] : fields) {
    const auto *found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      return Error{"expects no key field of another name, got " +
                   autosage::quoted(name)};
    auto index = static_cast<size_t>(found - names.begin());
    if (seen[index])
      return Error{"expects key field " + name + " once, got it twice"};
    seen[index] = true;
    key.values[index] = value;
  }
  for (size_t i = 0; i < keyFieldCount; ++i)
    if (!seen[i])
      return Error{"expects key field " + std::string(names[i]) +
                   ", got nothing"};
  if (Status status = key.check(); !status)
    return Error{status.error()};
  return key;
}

Result<DecisionKey> DecisionKey::parse(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> fields;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    size_t equals = line.find('=');
    if (equals == std::string_view::npos)
      return Error{"expects lines of the form name=value"};
    fields.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  }
  return fromFields(fields);
}

std::vector<std::string> oracle::differences(const DecisionKey &stored,
                                             const DecisionKey &here) {
  std::vector<std::string> out;
  for (size_t i = 0; i < keyFieldCount; ++i) {
    auto field = static_cast<KeyField>(i);
    if (stored[field] != here[field])
      out.push_back(std::string(names[i]) + ": stored " + stored[field] +
                    ", here " + here[field]);
  }
  return out;
}

//===----------------------------------------------------------------------===//
// From a call
//===----------------------------------------------------------------------===//

int64_t oracle::contiguousAlignment(const KernelSpec &spec) {
  int64_t alignment = alignedBytes;
  for (const Argument &arg : signatureOf(spec)) {
    if (!arg.hasWidth || arg.extent == Extent::heads)
      continue;
    int64_t bytes = sizeOf(arg.dtype);
    for (int64_t size : arg.inner) {
      if (size == dynamic)
        return 0;
      bytes *= size;
    }
    while (alignment > 1 && bytes % alignment != 0)
      alignment /= 2;
  }
  return alignment;
}

static std::string textOfWidth(int64_t width) {
  return width == dynamic ? "dynamic" : std::to_string(width);
}

static std::string flagsOf(const KernelSpec &spec) {
  const std::pair<bool, const char *> flags[] = {
      {spec.transpose, "transpose"},
      {spec.accumulate, "accumulate"},
      {spec.lse, "lse"},
      {spec.biasGradient, "bias_gradient"},
      {spec.composed, "composed"},
      {spec.strided, "strided"}};
  std::string text;
  for (auto [set, name] : flags)
    if (set)
      text += (text.empty() ? "" : "+") + std::string(name);
  return text.empty() ? std::string(notApplicable) : text;
}

std::string oracle::expectedCallsClass(int64_t calls) {
  if (calls <= 0)
    return "unstated";
  int64_t power = 1;
  while (power < 10000 && calls / 10 >= power)
    power *= 10;
  return std::to_string(power);
}

static DecisionKey keyOf(const KernelSpec &spec, std::string graph,
                         const CallFacts &call,
                         const Environment &environment) {
  DecisionKey key;
  auto word = [](bool applies, std::string_view text) {
    return std::string(applies ? text : notApplicable);
  };
  bool spmm = spec.op == OpKind::spmm, sddmm = spec.op == OpKind::sddmm;
  bool attention = isAttention(spec.op);
  key.set(KeyField::schema, std::to_string(keySchema));
  key.set(KeyField::op, std::string(toString(spec.op)));
  key.set(KeyField::reduction, word(spmm, toString(spec.reduction)));
  key.set(KeyField::combine, word(sddmm, toString(spec.combine)));
  key.set(KeyField::score, word(attention, toString(spec.score)));
  key.set(KeyField::features, textOfWidth(spec.features));
  // Without a width of its own v has that of q and k.
  key.set(KeyField::valueFeatures,
          word(attention, textOfWidth(spec.valueFeatures == dynamic
                                          ? spec.features
                                          : spec.valueFeatures)));
  key.set(KeyField::heads, std::to_string(spec.heads));
  key.set(KeyField::dtype, std::string(toString(spec.dtype)));
  key.set(KeyField::outDtype,
          std::string(spec.f32Out ? "f32" : toString(spec.dtype)));
  key.set(KeyField::rowptr, std::string(toString(spec.rowptrType)));
  key.set(KeyField::colind, std::string(toString(spec.colindType)));
  key.set(KeyField::edgeValues, std::string(toString(spec.edgeValues)));
  key.set(KeyField::flags, flagsOf(spec));
  key.set(KeyField::alignment, std::to_string(call.alignment));
  key.set(KeyField::deterministic, call.deterministic ? "yes" : "no");
  key.set(KeyField::expectedCalls, expectedCallsClass(call.expectedCalls));
  key.set(KeyField::graph, std::move(graph));
  key.set(KeyField::target, std::string(toString(environment.target)));
  key.set(KeyField::device, environment.device);
  key.set(KeyField::capability, environment.capability);
  key.set(KeyField::units, environment.units > 0
                               ? std::to_string(environment.units)
                               : std::string("unknown"));
  key.set(KeyField::driver, environment.driver);
  key.set(KeyField::cusparse, environment.cusparse);
  key.set(KeyField::code, environment.code);
  return key;
}

DecisionKey oracle::makeKey(const KernelSpec &spec, const Fingerprint &graph,
                            const CallFacts &call,
                            const Environment &environment) {
  return keyOf(spec, graph.str(), call, environment);
}

DecisionKey oracle::makeClassKey(const KernelSpec &spec,
                                 const InputStats &stats, const CallFacts &call,
                                 const Environment &environment) {
  return keyOf(spec, std::string(classPrefix) + statsClass(stats), call,
               environment);
}
