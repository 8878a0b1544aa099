//===- DecisionKey.h - under what a decision is remembered ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A key is a fixed list of named texts: all that a measured choice depends on.
// The first part is the problem (operation, types, widths, flags, graph), the
// second the environment (device, driver, libraries, generated code). Keys are
// equal when every field is; whatever differs is a miss.
//
// In place of one graph a key may name a class of graphs with like statistics,
// for callers whose graphs never repeat.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ORACLE_DECISIONKEY_H
#define AUTOSAGE_ORACLE_DECISIONKEY_H

#include "autosage/Core/Kernel.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autosage::oracle {

/// Version of the keys' fields and of what the fields mean. 1: the first.
inline constexpr int keySchema = 1;

/// A word for a field that does not apply, like the driver of a CPU.
inline constexpr std::string_view notApplicable = "none";

/// Where a measurement holds. A text that could not be determined is empty or
/// `unknown`; a decision under such a key is never stored.
struct Environment {
  Target target = Target::cpu;
  std::string device;     // name of the GPU, model of the CPU
  std::string capability; // compute capability; features of the CPU
  int64_t units = 0;      // SMs; threads. 0: unknown
  std::string driver{notApplicable};
  std::string cusparse{notApplicable};
  std::string code; // codeVersion() of Core/Artifact.h
};

/// Beside the kernel and the graph, what a decision is made for.
struct CallFacts {
  /// Bytes that all dense operands are aligned to, as far as it matters: a
  /// power of two up to 16.
  int64_t alignment = 16;
  bool deterministic = true;
  /// How often the caller expects to call; 0: it did not say.
  int64_t expectedCalls = 0;
};

/// The alignment of contiguous operands of a spec's widths, each of which
/// begins at a multiple of 16 bytes; 0 where a width is open.
int64_t contiguousAlignment(const KernelSpec &spec);

enum class KeyField : uint8_t {
  schema,
  op,
  reduction,
  combine,
  score,
  features,
  valueFeatures,
  heads,
  dtype,
  outDtype,
  rowptr,
  colind,
  edgeValues,
  flags,
  alignment,
  deterministic,
  expectedCalls,
  graph,
  target, // here the environment begins
  device,
  capability,
  units,
  driver,
  cusparse,
  code,
};
inline constexpr size_t keyFieldCount = static_cast<size_t>(KeyField::code) + 1;

std::string_view nameOf(KeyField field);

class DecisionKey {
public:
  DecisionKey() = default;
  /// Expects every field once, in any order, and nothing else; texts without
  /// control characters.
  static Result<DecisionKey>
  fromFields(const std::vector<std::pair<std::string, std::string>> &fields);

  const std::string &operator[](KeyField field) const {
    return values[static_cast<size_t>(field)];
  }
  void set(KeyField field, std::string value) {
    values[static_cast<size_t>(field)] = std::move(value);
  }

  /// The canonical text: `name=value`, a line a field.
  std::string str() const;
  /// Reads it back.
  static Result<DecisionKey> parse(std::string_view text);
  /// Of the problem's fields alone.
  std::string problemText() const;
  /// 32 hexadecimal digits that name the key, XXH3-128 of its text.
  std::string id() const;
  /// Success when every field is known and this version's own.
  Status check() const;
  bool isClass() const;

  bool operator==(const DecisionKey &o) const { return values == o.values; }
  bool operator!=(const DecisionKey &o) const { return !(*this == o); }

private:
  std::array<std::string, keyFieldCount> values;
};

/// The key of one graph. The spec's schedule and statistics play no part, nor
/// do numbers that change no kernel's speed (scale, slope).
DecisionKey makeKey(const KernelSpec &spec, const Fingerprint &graph,
                    const CallFacts &call, const Environment &environment);

/// The key of the class of graphs that these statistics fall into.
DecisionKey makeClassKey(const KernelSpec &spec, const InputStats &stats,
                         const CallFacts &call, const Environment &environment);

/// Quantised statistics as text; docs/cache.md lists the steps.
std::string statsClass(const InputStats &stats);

/// `1`, `10`, `100`, `1000` or `10000`: the power of ten below, at most the
/// last; `unstated` for 0.
std::string expectedCallsClass(int64_t calls);

/// The fields in which two keys differ: `driver: stored 550.1, here 560.2`.
std::vector<std::string> differences(const DecisionKey &stored,
                                     const DecisionKey &here);

} // namespace autosage::oracle

#endif // AUTOSAGE_ORACLE_DECISIONKEY_H
