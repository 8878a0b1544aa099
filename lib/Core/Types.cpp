//===- Types.cpp - text forms of the shared enumerations ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table an enumeration, read in both directions, so that printing and
// parsing cannot disagree.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Types.h"

#include <utility>

namespace autosage {
namespace {

template <typename E> struct Word {
  E value;
  std::string_view text;
};

constexpr Word<DType> dtypes[] = {{DType::f32, "f32"},
                                  {DType::f64, "f64"},
                                  {DType::f16, "f16"},
                                  {DType::bf16, "bf16"}};
constexpr Word<IndexType> indexTypes[] = {{IndexType::i32, "i32"},
                                          {IndexType::i64, "i64"}};
constexpr Word<OpKind> opKinds[] = {
    {OpKind::spmm, "spmm"},
    {OpKind::sddmm, "sddmm"},
    {OpKind::row_softmax, "row_softmax"},
    {OpKind::attention, "attention"},
    {OpKind::attention_backward, "attention_backward"}};
constexpr Word<Reduction> reductions[] = {{Reduction::sum, "sum"},
                                          {Reduction::mean, "mean"},
                                          {Reduction::max, "max"},
                                          {Reduction::min, "min"}};
constexpr Word<Combine> combines[] = {{Combine::dot, "dot"},
                                      {Combine::add, "add"}};
constexpr Word<Score> scores[] = {
    {Score::dot, "dot"}, {Score::gat, "gat"}, {Score::gatv2, "gatv2"}};
constexpr Word<TaskOrder> taskOrders[] = {{TaskOrder::stored, "stored"},
                                          {TaskOrder::length, "length"},
                                          {TaskOrder::locality, "locality"}};
constexpr Word<DecidedBy> deciders[] = {
    {DecidedBy::user, "user"},         {DecidedBy::cache, "cache"},
    {DecidedBy::class_, "class"},      {DecidedBy::probe, "probe"},
    {DecidedBy::estimate, "estimate"}, {DecidedBy::fallback, "fallback"}};

template <typename E, size_t N>
std::string_view print(const Word<E> (&words)[N], E value) {
  for (const Word<E> &word : words)
    if (word.value == value)
      return word.text;
  return {};
}

template <typename E, size_t N>
std::optional<E> parse(const Word<E> (&words)[N], std::string_view text) {
  for (const Word<E> &word : words)
    if (word.text == text)
      return word.value;
  return std::nullopt;
}

} // namespace

std::string_view toString(DType value) { return print(dtypes, value); }
std::string_view toString(IndexType value) { return print(indexTypes, value); }
std::string_view toString(OpKind value) { return print(opKinds, value); }
std::string_view toString(Reduction value) { return print(reductions, value); }
std::string_view toString(Combine value) { return print(combines, value); }
std::string_view toString(Score value) { return print(scores, value); }
std::string_view toString(TaskOrder value) { return print(taskOrders, value); }
std::string_view toString(DecidedBy value) { return print(deciders, value); }

std::optional<DType> parseDType(std::string_view text) {
  return parse(dtypes, text);
}
std::optional<IndexType> parseIndexType(std::string_view text) {
  return parse(indexTypes, text);
}
std::optional<OpKind> parseOpKind(std::string_view text) {
  return parse(opKinds, text);
}
std::optional<Reduction> parseReduction(std::string_view text) {
  return parse(reductions, text);
}
std::optional<Combine> parseCombine(std::string_view text) {
  return parse(combines, text);
}
std::optional<Score> parseScore(std::string_view text) {
  return parse(scores, text);
}
std::optional<TaskOrder> parseTaskOrder(std::string_view text) {
  return parse(taskOrders, text);
}
std::optional<DecidedBy> parseDecidedBy(std::string_view text) {
  return parse(deciders, text);
}

int64_t sizeOf(DType type) {
  switch (type) {
  case DType::f64:
    return 8;
  case DType::f32:
    return 4;
  case DType::f16:
  case DType::bf16:
    return 2;
  }
  return 0;
}

int64_t sizeOf(IndexType type) { return type == IndexType::i32 ? 4 : 8; }

} // namespace autosage
