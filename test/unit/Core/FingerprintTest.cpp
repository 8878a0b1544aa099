//===- FingerprintTest.cpp - the documented fingerprint -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vectors of docs/fingerprint.md, and what must and must not change the
// value.
//
//===----------------------------------------------------------------------===//

#include "TestPatterns.h"
#include "autosage/Core/Stats.h"

#include <set>
#include <sstream>

using namespace autosage;
using namespace autosage::test;

namespace {

Ints parseInts(const std::string &text) {
  Ints out;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');)
    out.push_back(std::stoll(item));
  return out;
}

TEST(Fingerprint, DocumentedVectors) {
  auto table = readTable("fingerprint.md",
                         "| rows | cols | rowptr | colind | fingerprint |");
  EXPECT_EQ(table.size(), 10u);
  for (auto &cells : table) {
    ASSERT_EQ(cells.size(), 5u);
    Csr csr =
        pattern(std::stoll(cells[1]), parseInts(cells[2]), parseInts(cells[3]));
    ASSERT_EQ(csr.rows, std::stoll(cells[0]));
    ASSERT_TRUE(validate(csr.view()));
    EXPECT_EQ(fingerprint(csr.view()).str(), cells[4]);
  }
}

// The terms of the worked example add up to the vector of its pattern.
TEST(Fingerprint, DocumentedTerms) {
  auto table = readTable(
      "fingerprint.md", "| domain | position | value | high term | low term |");
  EXPECT_EQ(table.size(), 8u);
  Fingerprint sum;
  for (auto &cells : table) {
    ASSERT_EQ(cells.size(), 5u);
    auto term = Fingerprint::parse(cells[3] + cells[4]);
    ASSERT_TRUE(term);
    sum.high += term->high;
    sum.low += term->low;
  }
  EXPECT_EQ(sum.str(), fingerprint(pattern(3, {0, 1, 2}, {2, 0}).view()).str());
}

TEST(Fingerprint, IndependentOfIndexWidth) {
  forRandomPatterns([](const Csr &csr, std::mt19937 &) {
    Fingerprint expected = fingerprint(csr.view());
    forAllIndexTypes(csr, [&](const Csr &typed) {
      EXPECT_EQ(fingerprint(typed.view()).str(), expected.str());
    });
  });
}

TEST(Fingerprint, EverySingleChangeShows) {
  Ints rowptr = {0, 2, 2, 5}, colind = {1, 4, 4, 0, 2};
  std::set<std::string> seen = {
      fingerprint(pattern(6, rowptr, colind).view()).str()};
  size_t changes = 1;
  auto add = [&](const Csr &csr) {
    ++changes;
    seen.insert(fingerprint(csr.view()).str());
  };
  for (size_t i = 1; i + 1 < rowptr.size(); ++i) {
    Ints changed = rowptr;
    changed[i] += 1;
    add(pattern(6, changed, colind));
  }
  for (size_t e = 0; e < colind.size(); ++e) {
    Ints changed = colind;
    changed[e] = 5;
    add(pattern(6, rowptr, changed));
    if (e + 1 < colind.size() && colind[e] != colind[e + 1]) {
      changed = colind;
      std::swap(changed[e], changed[e + 1]);
      add(pattern(6, rowptr, changed));
    }
  }
  add(pattern(7, rowptr, colind));
  add(pattern(6, {0, 2, 2, 5, 5}, colind));
  add(pattern(6, {0, 0, 2, 2, 5}, colind));
  EXPECT_EQ(seen.size(), changes);
}

TEST(Fingerprint, RandomPatternsDiffer) {
  std::mt19937 rng(11);
  std::set<uint64_t> high, low;
  for (int i = 0; i < 500; ++i) {
    Fingerprint value = fingerprint(randomPattern(rng, 20, 30).view());
    high.insert(value.high);
    low.insert(value.low);
  }
  EXPECT_EQ(high.size(), 500u);
  EXPECT_EQ(low.size(), 500u);
}

TEST(Fingerprint, TextForm) {
  Fingerprint value{0x0123456789abcdef, 0x00000000000000ff};
  EXPECT_EQ(value.str(), "0123456789abcdef00000000000000ff");
  EXPECT_EQ(Fingerprint::parse(value.str()), value);
  EXPECT_EQ(Fingerprint().str(), std::string(32, '0'));
  for (std::string bad :
       {std::string(), std::string(31, '0'), std::string(33, '0'),
        std::string(31, '0') + "g", std::string(31, '0') + "F",
        "0x" + std::string(30, '0'), " " + std::string(31, '0')})
    EXPECT_FALSE(Fingerprint::parse(bad)) << bad;
}

} // namespace
