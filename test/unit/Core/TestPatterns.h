//===- TestPatterns.h - patterns for the tests of Core ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Literal patterns, random ones with everything that is legal (empty rows, hub
// rows, duplicates, unsorted columns), and all four combinations of index
// types.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_UNIT_CORE_TESTPATTERNS_H
#define AUTOSAGE_TEST_UNIT_CORE_TESTPATTERNS_H

#include "autosage/Core/Csr.h"

#include "gtest/gtest.h"

#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace autosage::test {

using Ints = std::vector<int64_t>;
using Doubles = std::vector<double>;

inline Csr pattern(int64_t cols, Ints rowptr, Ints colind) {
  auto rows = static_cast<int64_t>(rowptr.size()) - 1;
  return {rows, cols, IndexArray(std::move(rowptr)),
          IndexArray(std::move(colind))};
}

inline Ints toInts(const IndexArray &array) {
  Ints out;
  for (int64_t i = 0; i < array.size(); ++i)
    out.push_back(array[i]);
  return out;
}

/// Rows are empty, short or (rarely) long; columns are drawn with repetition.
inline Csr randomPattern(std::mt19937 &rng, int64_t rows, int64_t cols) {
  Ints rowptr = {0}, colind;
  for (int64_t i = 0; i < rows; ++i) {
    uint32_t kind = rng() % 10;
    int64_t degree = kind < 3 ? 0 : kind < 9 ? rng() % 8 : rng() % 60;
    for (int64_t e = 0; cols > 0 && e < degree; ++e)
      colind.push_back(static_cast<int64_t>(rng() % cols));
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  return pattern(cols, std::move(rowptr), std::move(colind));
}

/// Small patterns of many shapes, zero sizes among them.
template <typename Fn> void forRandomPatterns(Fn &&fn) {
  std::mt19937 rng(20240607);
  for (int64_t rows : {0, 1, 2, 7, 40})
    for (int64_t cols : {0, 1, 3, 50})
      for (int repeat = 0; repeat < 4; ++repeat) {
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols) +
                     ", repeat " + std::to_string(repeat));
        fn(randomPattern(rng, rows, cols), rng);
      }
}

/// Calls `fn` with the pattern in all four combinations of index types.
template <typename Fn> void forAllIndexTypes(const Csr &csr, Fn &&fn) {
  for (IndexType position : {IndexType::i32, IndexType::i64})
    for (IndexType coordinate : {IndexType::i32, IndexType::i64}) {
      SCOPED_TRACE(std::string(toString(position)) + " positions, " +
                   std::string(toString(coordinate)) + " coordinates");
      Result<Csr> converted = csr.convertedTo(position, coordinate);
      ASSERT_TRUE(converted) << converted.error();
      ASSERT_EQ(converted->rowptr.type(), position);
      ASSERT_EQ(converted->colind.type(), coordinate);
      fn(*converted);
    }
}

inline Doubles randomValues(std::mt19937 &rng, int64_t count) {
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  Doubles out(static_cast<size_t>(count));
  for (double &value : out)
    value = uniform(rng);
  return out;
}

/// The cells of the table rows in a page that follow the line `header`, without
/// blanks at the ends and backquotes.
inline std::vector<std::vector<std::string>>
readTable(const std::string &page, const std::string &header) {
  std::ifstream file(std::string(AUTOSAGE_DOCS_DIR) + "/" + page);
  EXPECT_TRUE(file.good()) << page;
  std::vector<std::vector<std::string>> rows;
  std::string line;
  while (std::getline(file, line) && line != header) {
  }
  std::getline(file, line); // the rule below the header
  while (std::getline(file, line) && line.rfind("|", 0) == 0) {
    std::vector<std::string> cells;
    for (size_t begin = 1; begin < line.size();) {
      size_t end = line.find('|', begin);
      std::string cell = line.substr(begin, end - begin);
      cell.erase(0, cell.find_first_not_of(" `"));
      cell.erase(cell.find_last_not_of(" `") + 1);
      cells.push_back(cell);
      begin = end + 1;
    }
    rows.push_back(cells);
  }
  return rows;
}

} // namespace autosage::test

#endif // AUTOSAGE_TEST_UNIT_CORE_TESTPATTERNS_H
