//===- AutosageAttrs.cpp - layouts, statistics, schedules -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes are Core's structs in another dress: their meaning, text form and
// verification live there, this file converts.
//
//===----------------------------------------------------------------------===//

#include "AutosageAsm.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::autosage;

#define GET_ATTRDEF_CLASSES
#include "autosage/Dialect/Autosage/IR/AutosageAttrs.cpp.inc"

void AutosageDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "autosage/Dialect/Autosage/IR/AutosageAttrs.cpp.inc"
      >();
}

// The keywords of the dialect are those of Core, in the same order.
static_assert(static_cast<int>(Reduction::Min) ==
              static_cast<int>(::autosage::Reduction::min));
static_assert(static_cast<int>(Combine::Add) ==
              static_cast<int>(::autosage::Combine::add));
static_assert(static_cast<int>(Score::Gatv2) ==
              static_cast<int>(::autosage::Score::gatv2));
static_assert(static_cast<int>(TaskOrder::Locality) ==
              static_cast<int>(::autosage::TaskOrder::locality));
static_assert(static_cast<int>(DecidedBy::Fallback) ==
              static_cast<int>(::autosage::DecidedBy::fallback));

::autosage::Reduction mlir::autosage::toCore(Reduction value) {
  return static_cast<::autosage::Reduction>(value);
}
::autosage::Combine mlir::autosage::toCore(Combine value) {
  return static_cast<::autosage::Combine>(value);
}
::autosage::Score mlir::autosage::toCore(Score value) {
  return static_cast<::autosage::Score>(value);
}
::autosage::TaskOrder mlir::autosage::toCore(TaskOrder value) {
  return static_cast<::autosage::TaskOrder>(value);
}

std::optional<::autosage::DType> mlir::autosage::toCoreDType(Type type) {
  if (type.isF32())
    return ::autosage::DType::f32;
  if (type.isF64())
    return ::autosage::DType::f64;
  if (type.isF16())
    return ::autosage::DType::f16;
  if (type.isBF16())
    return ::autosage::DType::bf16;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

LayoutAttr LayoutAttr::getCsr(MLIRContext *context) {
  return get(context, LayoutKind::Csr, 0, TaskOrder::Stored);
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 LayoutKind kind, int64_t chunk,
                                 TaskOrder order) {
  // layout_c1
  if (kind == LayoutKind::Tasks && chunk < 1)
    return emitError() << "expects chunk to be at least 1, got " << chunk;
  return success();
}

//===----------------------------------------------------------------------===//
// Stats
//===----------------------------------------------------------------------===//

/// Calls `count(key, field)` or `number(key, field)` for each statistic but the
/// fingerprint: the one list of keys.
template <typename Stats, typename Count, typename Number>
static void forEachStatistic(Stats &stats, Count &&count, Number &&number) {
  count("rows", stats.rows);
  count("cols", stats.cols);
  count("nnz", stats.nnz);
  count("max", stats.max);
  count("p50", stats.p50);
  count("p90", stats.p90);
  count("p99", stats.p99);
  count("p999", stats.p999);
  count("empty_rows", stats.emptyRows);
  number("mean", stats.mean);
  number("cv", stats.cv);
  number("hub_fraction", stats.hubFraction);
  number("locality", stats.locality);
}

namespace {
enum class StatisticKind { count, number, fingerprint };
} // namespace

/// Nothing where no statistic has that key.
static std::optional<StatisticKind> findStatistic(StringRef key) {
  std::optional<StatisticKind> kind;
  if (key == "fingerprint")
    kind = StatisticKind::fingerprint;
  ::autosage::InputStats any;
  forEachStatistic(
      any,
      [&](StringRef name, int64_t) {
        if (name == key)
          kind = StatisticKind::count;
      },
      [&](StringRef name, double) {
        if (name == key)
          kind = StatisticKind::number;
      });
  return kind;
}

LogicalResult StatsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                DictionaryAttr entries) {
  for (NamedAttribute entry : entries) {
    StringRef key = entry.getName().getValue();
    std::optional<StatisticKind> kind = findStatistic(key);
    if (!kind)
      return emitError() << "unknown statistic '" << key << "'";
    switch (*kind) {
    // stats_c1
    case StatisticKind::count: {
      auto value = dyn_cast<IntegerAttr>(entry.getValue());
      if (!value || !value.getType().isSignlessInteger(64))
        return emitError() << "expects statistic '" << key
                           << "' to be an integer, got " << entry.getValue();
      if (value.getInt() < 0)
        return emitError() << "expects statistic '" << key
                           << "' to be at least 0, got " << value.getInt();
      break;
    }
    // stats_c2
    case StatisticKind::number: {
      auto value = dyn_cast<FloatAttr>(entry.getValue());
      if (!value || !value.getType().isF64())
        return emitError() << "expects statistic '" << key
                           << "' to be a number, got " << entry.getValue();
      if (!value.getValue().isFinite() || value.getValueAsDouble() < 0)
        return emitError() << "expects statistic '" << key
                           << "' to be finite and at least 0, got "
                           << entry.getValue();
      break;
    }
    // stats_c3
    case StatisticKind::fingerprint: {
      auto value = dyn_cast<StringAttr>(entry.getValue());
      if (!value || !::autosage::Fingerprint::parse(value.getValue()))
        return emitError() << "expects statistic 'fingerprint' to be 32 "
                              "hexadecimal digits, got "
                           << entry.getValue();
      break;
    }
    }
  }
  return success();
}

std::optional<int64_t> StatsAttr::getCount(StringRef key) const {
  if (auto value = getEntries().getAs<IntegerAttr>(key))
    return value.getInt();
  return std::nullopt;
}

std::optional<::autosage::InputStats> StatsAttr::getInputStats() const {
  ::autosage::InputStats stats;
  for (StringRef key : {"rows", "nnz", "mean", "max"})
    if (!getEntries().contains(key))
      return std::nullopt;
  forEachStatistic(
      stats,
      [&](StringRef key, int64_t &field) { field = getCount(key).value_or(0); },
      [&](StringRef key, double &field) {
        if (auto value = getEntries().getAs<FloatAttr>(key))
          field = value.getValueAsDouble();
      });
  if (auto text = getEntries().getAs<StringAttr>("fingerprint"))
    stats.fingerprint = *::autosage::Fingerprint::parse(text.getValue());
  return stats;
}

StatsAttr StatsAttr::get(MLIRContext *context,
                         const ::autosage::InputStats &stats) {
  Builder b(context);
  NamedAttrList entries;
  forEachStatistic(
      stats,
      [&](StringRef key, int64_t value) {
        entries.append(key, b.getI64IntegerAttr(value));
      },
      [&](StringRef key, double value) {
        entries.append(key, b.getF64FloatAttr(value));
      });
  entries.append("fingerprint", b.getStringAttr(stats.fingerprint.str()));
  return get(context, entries.getDictionary(context));
}

StatsAttr StatsAttr::mergedWith(StatsAttr other) const {
  NamedAttrList entries(getEntries());
  for (NamedAttribute entry : other.getEntries())
    entries.set(entry.getName(), entry.getValue());
  return get(getContext(), entries.getDictionary(getContext()));
}

//===----------------------------------------------------------------------===//
// Schedule and decision
//===----------------------------------------------------------------------===//

/// Core's schedule of the attribute's parts, or the entry that is neither an
/// integer nor a keyword.
static std::variant<::autosage::Schedule, NamedAttribute>
toCoreSchedule(StringAttr family, DictionaryAttr knobs) {
  ::autosage::Schedule schedule;
  schedule.family = family.getValue().str();
  for (NamedAttribute knob : knobs) {
    std::string key = knob.getName().getValue().str();
    auto integer = dyn_cast<IntegerAttr>(knob.getValue());
    if (integer && integer.getType().isSignlessInteger(64))
      schedule.knobs[key] = integer.getInt();
    else if (auto word = dyn_cast<StringAttr>(knob.getValue()))
      schedule.knobs[key] = word.getValue().str();
    else
      return knob;
  }
  return schedule;
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringAttr family, DictionaryAttr knobs) {
  auto converted = toCoreSchedule(family, knobs);
  // schedule_c2
  if (auto *knob = std::get_if<NamedAttribute>(&converted))
    return emitError() << "expects knob '" << knob->getName().getValue()
                       << "' to be an integer or a keyword, got "
                       << knob->getValue();
  // schedule_c1, schedule_c2
  ::autosage::Status status =
      ::autosage::verifySchedule(std::get<::autosage::Schedule>(converted));
  if (!status)
    return emitError() << status.error();
  return success();
}

::autosage::Schedule ScheduleAttr::getSchedule() const {
  return std::get<::autosage::Schedule>(
      toCoreSchedule(getFamily(), getKnobs()));
}

ScheduleAttr ScheduleAttr::get(MLIRContext *context,
                               const ::autosage::Schedule &schedule) {
  Builder b(context);
  NamedAttrList knobs;
  for (const auto &[key, value] : schedule.knobs) {
    if (auto *integer = std::get_if<int64_t>(&value))
      knobs.append(key, b.getI64IntegerAttr(*integer));
    else
      knobs.append(key, b.getStringAttr(std::get<std::string>(value)));
  }
  return get(context, b.getStringAttr(schedule.family),
             knobs.getDictionary(context));
}

LogicalResult DecisionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   DecidedBy by, DictionaryAttr entries) {
  // decision_c1
  for (NamedAttribute entry : entries)
    if (auto number = dyn_cast<FloatAttr>(entry.getValue()))
      if (!number.getValue().isFinite())
        return emitError() << "expects '" << entry.getName().getValue()
                           << "' to be finite, got " << entry.getValue();
  return success();
}
