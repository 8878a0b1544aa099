//===- Types.h - element types, index types, op kinds -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary that every layer shares. The spelling of each enumerator is
// its text form in IR, on command lines, in JSON and in cache keys.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_TYPES_H
#define AUTOSAGE_CORE_TYPES_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace autosage {

enum class DType : uint8_t { f32, f64, f16, bf16 };
enum class IndexType : uint8_t { i32, i64 };
enum class OpKind : uint8_t {
  spmm,
  sddmm,
  row_softmax,
  attention,
  attention_backward
};
/// Attention or its gradients.
inline bool isAttention(OpKind op) {
  return op == OpKind::attention || op == OpKind::attention_backward;
}
/// Reduction of `spmm` over the edges of a row.
enum class Reduction : uint8_t { sum, mean, max, min };
/// How `sddmm` combines the two end points of an edge.
enum class Combine : uint8_t { dot, add };
/// Score function of `attention`.
enum class Score : uint8_t { dot, gat, gatv2 };
/// Order of the entries of a task list.
enum class TaskOrder : uint8_t { stored, length, locality };
/// Who chose a schedule, in falling order of authority.
enum class DecidedBy : uint8_t {
  user,
  cache,
  class_,
  probe,
  estimate,
  fallback
};

std::string_view toString(DType);
std::string_view toString(IndexType);
std::string_view toString(OpKind);
std::string_view toString(Reduction);
std::string_view toString(Combine);
std::string_view toString(Score);
std::string_view toString(TaskOrder);
std::string_view toString(DecidedBy);

std::optional<DType> parseDType(std::string_view);
std::optional<IndexType> parseIndexType(std::string_view);
std::optional<OpKind> parseOpKind(std::string_view);
std::optional<Reduction> parseReduction(std::string_view);
std::optional<Combine> parseCombine(std::string_view);
std::optional<Score> parseScore(std::string_view);
std::optional<TaskOrder> parseTaskOrder(std::string_view);
std::optional<DecidedBy> parseDecidedBy(std::string_view);

/// Bytes of one element.
int64_t sizeOf(DType);
int64_t sizeOf(IndexType);

} // namespace autosage

#endif // AUTOSAGE_CORE_TYPES_H
