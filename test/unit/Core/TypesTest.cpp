//===- TypesTest.cpp - text forms of the enumerations ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every enumerator prints as documented and parses back to itself.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Types.h"
#include "autosage/Core/Schedule.h"

#include "gtest/gtest.h"

#include <utility>
#include <vector>

using namespace autosage;

namespace {

template <typename E, typename Parse>
void roundTrips(Parse parse,
                const std::vector<std::pair<E, std::string_view>> &words) {
  for (auto [value, text] : words) {
    EXPECT_EQ(toString(value), text);
    EXPECT_EQ(parse(text), value);
  }
  for (std::string_view other : {"", "F32", "su", "summ", " sum", "class_"})
    EXPECT_FALSE(parse(other)) << other;
}

TEST(Types, RoundTrip) {
  roundTrips<DType>(parseDType, {{DType::f32, "f32"},
                                 {DType::f64, "f64"},
                                 {DType::f16, "f16"},
                                 {DType::bf16, "bf16"}});
  roundTrips<IndexType>(parseIndexType,
                        {{IndexType::i32, "i32"}, {IndexType::i64, "i64"}});
  roundTrips<OpKind>(parseOpKind,
                     {{OpKind::spmm, "spmm"},
                      {OpKind::sddmm, "sddmm"},
                      {OpKind::row_softmax, "row_softmax"},
                      {OpKind::attention, "attention"},
                      {OpKind::attention_backward, "attention_backward"}});
  roundTrips<Reduction>(parseReduction, {{Reduction::sum, "sum"},
                                         {Reduction::mean, "mean"},
                                         {Reduction::max, "max"},
                                         {Reduction::min, "min"}});
  roundTrips<Combine>(parseCombine,
                      {{Combine::dot, "dot"}, {Combine::add, "add"}});
  roundTrips<Score>(
      parseScore,
      {{Score::dot, "dot"}, {Score::gat, "gat"}, {Score::gatv2, "gatv2"}});
  roundTrips<TaskOrder>(parseTaskOrder, {{TaskOrder::stored, "stored"},
                                         {TaskOrder::length, "length"},
                                         {TaskOrder::locality, "locality"}});
  roundTrips<DecidedBy>(parseDecidedBy, {{DecidedBy::user, "user"},
                                         {DecidedBy::cache, "cache"},
                                         {DecidedBy::class_, "class"},
                                         {DecidedBy::probe, "probe"},
                                         {DecidedBy::estimate, "estimate"},
                                         {DecidedBy::fallback, "fallback"}});
  roundTrips<Target>(
      parseTarget,
      {{Target::cpu, "cpu"}, {Target::simt, "simt"}, {Target::nvptx, "nvptx"}});
}

TEST(Types, Sizes) {
  EXPECT_EQ(sizeOf(DType::f64), 8);
  EXPECT_EQ(sizeOf(DType::f32), 4);
  EXPECT_EQ(sizeOf(DType::f16), 2);
  EXPECT_EQ(sizeOf(DType::bf16), 2);
  EXPECT_EQ(sizeOf(IndexType::i32), 4);
  EXPECT_EQ(sizeOf(IndexType::i64), 8);
}

} // namespace
