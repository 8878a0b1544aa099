//===- TestStore.h - keys, decisions and processes for tests ----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_ORACLE_TESTSTORE_H
#define AUTOSAGE_TEST_ORACLE_TESTSTORE_H

#include "../TempFolder.h"

#include "autosage/Oracle/DecisionStore.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace autosage::test {

std::string contentsOf(const std::string &path);
/// For this user alone, as the store makes its files.
void writeFile(const std::string &path, const std::string &bytes);
/// Names, sorted.
std::vector<std::string> filesIn(const std::string &folder);

oracle::Environment testEnvironment();
/// The key of a graph with this number, for SpMM of width 64 on a CPU.
oracle::DecisionKey keyOf(uint64_t graph);
/// A probed choice of `row_parallel, grain = <n>` among two.
oracle::Decision decisionOf(int64_t grain);

/// A store and the warnings that it has given.
struct TestStore {
  explicit TestStore(const std::string &path);
  explicit TestStore(oracle::StoreOptions options);
  std::vector<std::string> warnings;
  oracle::DecisionStore store;

  /// The schedule found under `keyOf(graph)`, or `miss`.
  std::string find(uint64_t graph);
  oracle::Stored::Place put(uint64_t graph, int64_t grain);

private:
  oracle::StoreOptions withWarnings(oracle::StoreOptions options);
};

/// `row_parallel, grain = <n>`.
std::string scheduleOf(int64_t grain);

/// Runs in a child, which ends with what it returns.
pid_t spawn(const std::function<int()> &body);
/// Its status; 128 + the signal that ended it.
int statusOf(pid_t child);
inline int runInChild(const std::function<int()> &body) {
  return statusOf(spawn(body));
}

/// Runs SQL on the file, as another program would.
void runSql(const std::string &path, const std::string &sql);
std::string querySql(const std::string &path, const std::string &sql);

/// With a write-ahead log, and with a rollback journal where the parameter is
/// true.
class StoreOfEitherJournal : public testing::TestWithParam<bool> {
protected:
  TempFolder folder;
  const std::string path = folder.path + "/decisions.sqlite";

  oracle::StoreOptions options() const;
};
std::string nameOfJournal(const testing::TestParamInfo<bool> &info);

} // namespace autosage::test

#endif // AUTOSAGE_TEST_ORACLE_TESTSTORE_H
