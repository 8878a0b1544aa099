//===- TestStore.cpp - keys, decisions and processes for tests ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestStore.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace autosage;
using namespace autosage::test;
using namespace autosage::oracle;

std::string test::contentsOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void test::writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  chmod(path.c_str(), 0600);
}

std::vector<std::string> test::filesIn(const std::string &folder) {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

//===----------------------------------------------------------------------===//
// Keys and decisions
//===----------------------------------------------------------------------===//

Environment test::testEnvironment() {
  Environment environment;
  environment.device = "Test CPU";
  environment.capability = "avx2";
  environment.units = 8;
  environment.code = "1.0+llvm-22";
  return environment;
}

DecisionKey test::keyOf(uint64_t graph) {
  KernelSpec spec;
  spec.features = 64;
  return makeKey(spec, Fingerprint{1, graph}, CallFacts(), testEnvironment());
}

std::string test::scheduleOf(int64_t grain) {
  return "row_parallel, grain = " + std::to_string(grain);
}

Decision test::decisionOf(int64_t grain) {
  Decision d;
  d.schedule = scheduleOf(grain);
  d.decidedBy = DecidedBy::probe;
  d.reason = "fastest of two";
  d.baseline = BaselineRecord{"row_parallel", "row_parallel", 2.0};
  d.candidates.push_back({d.schedule, 1.1, 1.0, 0.99, 1.01, 5, ""});
  d.candidates.push_back({"nnz_parallel", 1.2, 0, 0, 0, 0, "wrong result"});
  d.guardrail = GuardrailRecord{true, 10.0, 20.0, 0.02, false};
  d.budget = {50, 12.5, false};
  d.time = 1700000000;
  return d;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

StoreOptions TestStore::withWarnings(StoreOptions options) {
  options.warn = [this](const std::string &message) {
    warnings.push_back(message);
  };
  return options;
}

TestStore::TestStore(StoreOptions options)
    : store(withWarnings(std::move(options))) {}

TestStore::TestStore(const std::string &path)
    : TestStore(storeOptionsFor(path)) {}

std::string TestStore::find(uint64_t graph) {
  std::optional<Decision> found = store.find(keyOf(graph));
  return found ? found->schedule : "miss";
}

Stored::Place TestStore::put(uint64_t graph, int64_t grain) {
  return store.store(keyOf(graph), decisionOf(grain)).place;
}

//===----------------------------------------------------------------------===//
// Processes, and other programs
//===----------------------------------------------------------------------===//

pid_t test::spawn(const std::function<int()> &body) {
  pid_t child = fork();
  if (child == 0)
    _exit(body());
  return child;
}

int test::statusOf(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string test::querySql(const std::string &path, const std::string &sql) {
  sqlite3 *handle = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  std::string out;
  char *error = nullptr;
  int code = sqlite3_exec(
      handle, sql.c_str(),
      [](void *text, int columns, char **values, char **) {
        for (int i = 0; i < columns; ++i)
          static_cast<std::string *>(text)->append(values[i] ? values[i] : "");
        return 0;
      },
      &out, &error);
  EXPECT_EQ(code, SQLITE_OK) << (error ? error : "") << "\n" << sql;
  sqlite3_free(error);
  sqlite3_close(handle);
  return out;
}

void test::runSql(const std::string &path, const std::string &sql) {
  (void)querySql(path, sql);
}

StoreOptions StoreOfEitherJournal::options() const {
  StoreOptions options = storeOptionsFor(path);
  options.rollbackJournal = GetParam();
  // Machines that run tests are busy.
  options.patienceMs = 20000;
  return options;
}

std::string test::nameOfJournal(const testing::TestParamInfo<bool> &info) {
  return info.param ? "Rollback" : "WriteAhead";
}
