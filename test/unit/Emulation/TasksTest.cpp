//===- TasksTest.cpp - task lists and transposes --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGrid.h"

#include <algorithm>
#include <array>
#include <set>

namespace {
using Task = std::array<int64_t, 4>;

/// Rows of 0, 3, 4, 1, 10, 6 entries; rows 1 and 4 begin with the same columns.
const std::vector<int32_t> rowptr = {0, 0, 3, 7, 8, 18, 24};
const std::vector<int32_t> colind = {5, 6, 7, 0, 1, 2, 3, 9, 5, 6, 7, 5,
                                     6, 7, 5, 6, 7, 5, 8, 8, 1, 2, 3, 4};

template <typename P, typename C> std::vector<Task> build(int32_t order) {
  std::vector<P> positions(rowptr.begin(), rowptr.end());
  std::vector<C> columns(colind.begin(), colind.end());
  int64_t count = autosage_simt_count_tasks(positions.data(), 6, sizeof(P), 4);
  std::vector<P> lines(static_cast<size_t>(count) * 4 + 1, -7);
  autosage_simt_build_tasks(positions.data(), columns.data(), 6, 10, 24,
                            sizeof(P), sizeof(C), 4, order, lines.data(),
                            count);
  EXPECT_EQ(autosage_simt_take_error(nullptr), 0);
  EXPECT_EQ(lines.back(), -7); // nothing beyond the list
  std::vector<Task> tasks;
  for (size_t i = 0; i + 4 < lines.size(); i += 4)
    tasks.push_back({lines[i], lines[i + 1], lines[i + 2], lines[i + 3]});
  return tasks;
}
} // namespace

// With a chunk of 4 a row of 6 stays whole, one of 10 becomes 3 pieces.
TEST(SimtTasks, StoredAndLength) {
  std::vector<Task> stored = {{0, 0, 0, 0},   {1, 0, 3, 0},  {2, 3, 7, 0},
                              {3, 7, 8, 0},   {4, 8, 12, 1}, {4, 12, 16, 2},
                              {4, 16, 18, 3}, {5, 18, 24, 0}};
  EXPECT_EQ((build<int32_t, int32_t>(0)), stored);
  EXPECT_EQ((build<int64_t, int32_t>(0)), stored);
  EXPECT_EQ((build<int32_t, int64_t>(0)), stored);
  std::vector<Task> length = {{5, 18, 24, 0}, {2, 3, 7, 0}, {4, 8, 12, 1},
                              {4, 12, 16, 2}, {1, 0, 3, 0}, {4, 16, 18, 3},
                              {3, 7, 8, 0},   {0, 0, 0, 0}};
  EXPECT_EQ((build<int32_t, int32_t>(1)), length);
}

TEST(SimtTasks, LocalityKeepsTheTasksAndJoinsRowsOfEqualColumns) {
  std::vector<Task> tasks = build<int32_t, int32_t>(2);
  std::vector<Task> stored = build<int32_t, int32_t>(0);
  EXPECT_EQ(std::multiset<Task>(tasks.begin(), tasks.end()),
            std::multiset<Task>(stored.begin(), stored.end()));
  size_t row1 = 0, row4 = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i][0] == 1)
      row1 = i;
    if (tasks[i][0] == 4 && tasks[i][3] == 1)
      row4 = i;
  }
  EXPECT_EQ(row4, row1 + 1);
}

TEST(SimtTasks, WrongArgumentsAreErrors) {
  const char *message = nullptr;
  EXPECT_EQ(autosage_simt_count_tasks(rowptr.data(), 6, 4, 0), 0);
  EXPECT_NE(autosage_simt_take_error(&message), 0);
  EXPECT_STREQ(message, "expects a chunk of at least 1, got 0");
  EXPECT_EQ(autosage_simt_count_tasks(rowptr.data(), 6, 2, 4), 0);
  EXPECT_NE(autosage_simt_take_error(&message), 0);
  EXPECT_STREQ(message, "expects positions of 4 or 8 bytes, got 2");
  int32_t lines[4 * 9];
  autosage_simt_build_tasks(rowptr.data(), colind.data(), 6, 10, 24, 4, 4, 4, 0,
                            lines, 9);
  EXPECT_NE(autosage_simt_take_error(&message), 0);
  EXPECT_STREQ(message, "build_tasks expects place for 8 tasks, got 9");
}

TEST(SimtTasks, Transpose) {
  std::vector<int64_t> starts(11), permutation(24);
  std::vector<int32_t> rows(24);
  std::vector<int64_t> positions(rowptr.begin(), rowptr.end());
  autosage_simt_build_transpose(positions.data(), colind.data(), 6, 10, 24, 8,
                                4, 4, starts.data(), rows.data(),
                                permutation.data());
  ASSERT_EQ(autosage_simt_take_error(nullptr), 0);
  EXPECT_EQ(starts[0], 0);
  EXPECT_EQ(starts[10], 24);
  for (int64_t c = 0; c < 10; ++c)
    for (int64_t e = starts[static_cast<size_t>(c)];
         e < starts[static_cast<size_t>(c) + 1]; ++e) {
      auto place = static_cast<size_t>(e);
      int64_t edge = permutation[place];
      EXPECT_EQ(colind[static_cast<size_t>(edge)], c);
      EXPECT_LE(rowptr[static_cast<size_t>(rows[place])], edge);
      EXPECT_LT(edge, rowptr[static_cast<size_t>(rows[place]) + 1]);
      if (e > starts[static_cast<size_t>(c)]) {
        EXPECT_LT(permutation[place - 1], edge); // the original order
      }
    }
}
