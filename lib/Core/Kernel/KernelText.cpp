//===- KernelText.cpp - a spec from its line of text ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The other way of `textOf`: programs carry their kernels as text, so that the
// layout of no struct is part of compiled code.
//
//===----------------------------------------------------------------------===//

#include "../Text.h"
#include "autosage/Core/Kernel.h"

#include <cstdlib>

using namespace autosage;

namespace {
/// Takes `key=value` after `key=value`; remembers the first thing that is
/// wrong.
class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) {}

  bool isNext(std::string_view key) const {
    return rest.substr(0, key.size()) == key &&
           rest.substr(key.size(), 1) == "=";
  }

  std::string_view word(std::string_view key) {
    if (!error.empty())
      return {};
    std::string start = std::string(key) + "=";
    if (!isNext(key)) {
      fail(key, "a value", rest);
      return {};
    }
    rest.remove_prefix(start.size());
    // A schedule has blanks, in brackets.
    bool isBracketed = !rest.empty() && rest.front() == '[';
    size_t end = isBracketed ? rest.find(']') : rest.find(' ');
    if (isBracketed && end != std::string_view::npos)
      ++end;
    std::string_view value = rest.substr(0, end);
    rest.remove_prefix(value.size());
    if (!rest.empty() && rest.front() == ' ')
      rest.remove_prefix(1);
    return value;
  }

  template <typename T>
  void read(std::string_view key, T &field,
            std::optional<T> (*parse)(std::string_view)) {
    std::string_view text = word(key);
    if (!error.empty())
      return;
    if (std::optional<T> value = parse(text))
      field = *value;
    else
      fail(key, "a word of its own", text);
  }

  void read(std::string_view key, int64_t &field) {
    std::string text(word(key));
    char *end = nullptr;
    long long value = std::strtoll(text.c_str(), &end, 10);
    if (error.empty() && (text.empty() || *end))
      fail(key, "an integer", text);
    field = value;
  }

  void read(std::string_view key, bool &field) {
    int64_t value = 0;
    read(key, value);
    if (error.empty() && value != 0 && value != 1)
      fail(key, "0 or 1", std::to_string(value));
    field = value == 1;
  }

  void read(std::string_view key, double &field) {
    std::string text(word(key));
    char *end = nullptr;
    double value = std::strtod(text.c_str(), &end);
    if (error.empty() && (text.empty() || *end))
      fail(key, "a number", text);
    field = value;
  }

  void finish() {
    if (error.empty() && !rest.empty())
      error = "expects nothing behind the schedule of a kernel, got " +
              quoted(rest);
  }
  void fail(std::string_view key, std::string_view expected,
            std::string_view got) {
    if (error.empty())
      error = "expects " + std::string(key) + " of a kernel to be " +
              std::string(expected) + ", got " + quoted(got);
  }

  std::string error;

private:
  std::string_view rest;
};
} // namespace

static std::optional<EdgeValues> parseEdgeValues(std::string_view text) {
  for (EdgeValues values : {EdgeValues::none, EdgeValues::perEdge,
                            EdgeValues::column, EdgeValues::perHead})
    if (toString(values) == text)
      return values;
  return std::nullopt;
}

Result<KernelSpec> autosage::parseKernelText(std::string_view text) {
  KernelSpec spec;
  Reader r(text);
  r.read("op", spec.op, parseOpKind);
  r.read("reduction", spec.reduction, parseReduction);
  r.read("combine", spec.combine, parseCombine);
  r.read("score", spec.score, parseScore);
  r.read("features", spec.features);
  r.read("value_features", spec.valueFeatures);
  r.read("heads", spec.heads);
  r.read("dtype", spec.dtype, parseDType);
  r.read("f32_out", spec.f32Out);
  r.read("rowptr", spec.rowptrType, parseIndexType);
  r.read("colind", spec.colindType, parseIndexType);
  r.read("edges", spec.edgeValues, parseEdgeValues);
  r.read("transpose", spec.transpose);
  r.read("accumulate", spec.accumulate);
  r.read("scale", spec.scale);
  r.read("negative_slope", spec.negativeSlope);
  r.read("lse", spec.lse);
  if (r.isNext("bias_gradient"))
    r.read("bias_gradient", spec.biasGradient);
  if (r.isNext("transpose_given"))
    r.read("transpose_given", spec.transposeGiven);
  r.read("composed", spec.composed);
  r.read("strided", spec.strided);
  r.read("aligned", spec.aligned);
  std::string_view schedule = r.word("schedule");
  r.finish();
  if (r.error.empty() && (schedule.size() < 2 || schedule.front() != '['))
    r.fail("schedule", "in brackets", schedule);
  if (!r.error.empty())
    return Error{r.error};
  schedule = schedule.substr(1, schedule.size() - 2);
  if (!schedule.empty()) {
    Result<Schedule> parsed = parseSchedule(schedule);
    if (!parsed)
      return Error{parsed.error()};
    spec.schedule = std::move(*parsed);
  }
  // A schedule is one of some target; which one is not part of the text.
  KernelSpec plain = spec;
  plain.schedule.reset();
  if (Status status = verify(plain); !status)
    return Error{status.error()};
  return spec;
}
