//===- TasksTest.cpp - task lists and orders of rows ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Tasks.h"

#include "TestPatterns.h"
#include "autosage/Core/Stats.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

using namespace autosage;
using namespace autosage::test;

/// The lines of a task list, as 64-bit numbers.
static std::vector<std::vector<int64_t>> tasksOf(const Csr &csr, int64_t chunk,
                                                 TaskOrder order) {
  int64_t count = countTasks(csr.view().rowptr, chunk);
  std::vector<std::vector<int64_t>> lines;
  auto fill = [&](auto word) {
    std::vector<decltype(word)> raw(static_cast<size_t>(4 * count), word);
    buildTasks(csr.view(), chunk, order, raw.data());
    for (int64_t t = 0; t < count; ++t)
      lines.emplace_back(raw.begin() + 4 * t, raw.begin() + 4 * t + 4);
  };
  if (csr.view().rowptr.type == IndexType::i32)
    fill(int32_t(-7));
  else
    fill(int64_t(-7));
  return lines;
}

TEST(Tasks, PiecesOfARow) {
  EXPECT_EQ(piecesOfRow(0, 4), 1);
  EXPECT_EQ(piecesOfRow(6, 4), 1); // one and a half chunks
  EXPECT_EQ(piecesOfRow(7, 4), 2);
  EXPECT_EQ(piecesOfRow(8, 4), 2);
  EXPECT_EQ(piecesOfRow(9, 4), 3);
  EXPECT_EQ(piecesOfRow(1, 1), 1);
  EXPECT_EQ(piecesOfRow(2, 1), 2);
  EXPECT_EQ(piecesOfRow(int64_t(1) << 62, (int64_t(1) << 62) - 1), 1);
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(piecesOfRow(100, most), 1);
  EXPECT_EQ(piecesOfRow(most, most), 1);
  EXPECT_EQ(piecesOfRow(most, 1), most);
}

TEST(Tasks, StoredOrderCutsLongRows) {
  Csr csr = pattern(3, {0, 0, 2, 9}, {0, 1, 0, 1, 2, 0, 1, 2, 0});
  std::vector<std::vector<int64_t>> expected = {
      {0, 0, 0, 0}, {1, 0, 2, 0}, {2, 2, 5, 1}, {2, 5, 8, 2}, {2, 8, 9, 3}};
  EXPECT_EQ(tasksOf(csr, 3, TaskOrder::stored), expected);
}

TEST(Tasks, LengthOrderIsFallingAndStable) {
  Csr csr = pattern(3, {0, 1, 3, 4, 6}, {0, 1, 0, 1, 2, 0});
  std::vector<std::vector<int64_t>> expected = {
      {1, 1, 3, 0}, {3, 4, 6, 0}, {0, 0, 1, 0}, {2, 3, 4, 0}};
  EXPECT_EQ(tasksOf(csr, 8, TaskOrder::length), expected);
}

TEST(Tasks, LengthOrderPutsPiecesOfLikePlacesTogether) {
  Csr csr = pattern(8, {0, 8, 12, 20}, {0, 1, 2, 3, 4, 5, 6, 7, 0, 3,
                                        5, 6, 0, 1, 2, 3, 4, 5, 6, 7});
  std::vector<std::vector<int64_t>> expected = {
      {0, 0, 2, 1},   {1, 8, 10, 1}, {2, 12, 14, 1}, {0, 2, 4, 2},
      {2, 14, 16, 2}, {0, 4, 6, 3},  {1, 10, 12, 2}, {2, 16, 18, 3},
      {0, 6, 8, 4},   {2, 18, 20, 4}};
  EXPECT_EQ(tasksOf(csr, 2, TaskOrder::length), expected);
}

TEST(Tasks, EveryOrderCoversEveryEntryOnce) {
  forRandomPatterns([](const Csr &random, std::mt19937 &) {
    forAllIndexTypes(random, [](const Csr &csr) {
      auto stored = tasksOf(csr, 5, TaskOrder::stored);
      int64_t at = 0;
      for (const auto &line : stored) {
        EXPECT_EQ(line[1], at);
        at = line[2];
      }
      EXPECT_EQ(at, csr.nnz());
      std::sort(stored.begin(), stored.end());
      for (TaskOrder order : {TaskOrder::length, TaskOrder::locality}) {
        auto lines = tasksOf(csr, 5, order);
        std::sort(lines.begin(), lines.end());
        EXPECT_EQ(lines, stored) << toString(order);
      }
    });
  });
}

/// Communities of 50 rows whose rows refer to each other, nine times in ten,
/// with rows and columns renamed at random.
static Csr shuffledCommunities(std::mt19937 &rng, int64_t rows) {
  std::vector<int64_t> name(static_cast<size_t>(rows)), old(name.size());
  std::iota(name.begin(), name.end(), int64_t(0));
  std::shuffle(name.begin(), name.end(), rng);
  for (size_t i = 0; i < name.size(); ++i)
    old[static_cast<size_t>(name[i])] = static_cast<int64_t>(i);
  Ints rowptr = {0}, colind;
  for (int64_t i = 0; i < rows; ++i) {
    int64_t base = old[static_cast<size_t>(i)] / 50 * 50;
    for (int e = 0; e < 12; ++e) {
      int64_t member = rng() % 10 ? base + rng() % 50 : rng() % rows;
      colind.push_back(name[static_cast<size_t>(member)]);
    }
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  return pattern(rows, std::move(rowptr), std::move(colind));
}

/// The pattern with its rows in the given order.
static Csr rowsInOrder(const Csr &csr, const std::vector<int64_t> &order) {
  Ints rowptr = {0}, colind;
  for (int64_t row : order) {
    for (int64_t e = csr.rowptr[row]; e < csr.rowptr[row + 1]; ++e)
      colind.push_back(csr.colind[e]);
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  return pattern(csr.cols, std::move(rowptr), std::move(colind));
}

TEST(LocalityOrder, FindsPlantedCommunities) {
  std::mt19937 rng(7);
  Csr csr = shuffledCommunities(rng, 50000);
  double stored = computeStats(csr.view()).locality;
  double ordered =
      computeStats(rowsInOrder(csr, localityOrder(csr.view())).view()).locality;
  EXPECT_GT(ordered, 2 * stored) << "stored " << stored;
}

TEST(LocalityOrder, FindsEqualRowsOfRectangularPatterns) {
  std::mt19937 rng(11);
  // Each of 1,000 sets of columns occurs in 40 rows, far apart.
  Ints rowptr = {0}, colind;
  for (int64_t i = 0; i < 40000; ++i) {
    std::mt19937 set(static_cast<uint32_t>(i % 1000));
    for (int e = 0; e < 8; ++e)
      colind.push_back(set() % 30000);
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  Csr csr = pattern(30000, std::move(rowptr), std::move(colind));
  double stored = computeStats(csr.view()).locality;
  double ordered =
      computeStats(rowsInOrder(csr, localityOrder(csr.view())).view()).locality;
  EXPECT_GT(ordered, 8 * stored) << "stored " << stored;
}

TEST(LocalityOrder, IsAPermutation) {
  forRandomPatterns([](const Csr &csr, std::mt19937 &) {
    std::vector<int64_t> order = localityOrder(csr.view());
    EXPECT_EQ(static_cast<int64_t>(order.size()), csr.rows);
    EXPECT_EQ(std::set<int64_t>(order.begin(), order.end()).size(),
              order.size());
    for (int64_t row : order)
      EXPECT_TRUE(row >= 0 && row < csr.rows);
  });
}
