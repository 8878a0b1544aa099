//===- StoreTest.cpp - what a store gives back ----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestStore.h"

#include "autosage/Oracle/DecisionLog.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <sys/stat.h>
#include <thread>

using namespace autosage;
using namespace autosage::test;
using namespace autosage::oracle;

using Place = Stored::Place;

namespace {
class Store : public testing::Test {
protected:
  TempFolder folder;
  const std::string path = folder.path + "/cache/decisions.sqlite";
};
} // namespace

TEST_F(Store, GivesWhatWasStored) {
  {
    TestStore one(path);
    EXPECT_EQ(one.find(1), "miss");
    EXPECT_FALSE(std::filesystem::exists(folder.path + "/cache"))
        << "looking up makes no file";
    EXPECT_EQ(one.put(1, 64), Place::file);
    EXPECT_EQ(one.put(2, 128), Place::file);
    EXPECT_EQ(one.find(1), scheduleOf(64));
    EXPECT_TRUE(one.warnings.empty());
  }
  TestStore two(path);
  EXPECT_EQ(two.find(1), scheduleOf(64));
  EXPECT_EQ(two.find(2), scheduleOf(128));
  EXPECT_EQ(two.find(3), "miss");
  std::optional<Decision> found = two.store.find(keyOf(1));
  ASSERT_TRUE(found);
  EXPECT_EQ(toJson(*found), toJson(decisionOf(64))) << "with every number";
  EXPECT_TRUE(two.warnings.empty());
}

TEST_F(Store, FilesAreOfThisUserAlone) {
  TestStore one(path);
  one.put(1, 64);
  struct stat info;
  ASSERT_EQ(stat((folder.path + "/cache").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  for (const char *ending : {"", "-wal", "-shm"}) {
    ASSERT_EQ(stat((path + ending).c_str(), &info), 0) << ending;
    EXPECT_EQ(info.st_mode & 0777, 0600u) << ending;
  }
}

TEST_F(Store, WhoIsFirstDecidesForAll) {
  TestStore one(path), two(path);
  one.put(1, 64);
  Stored second = two.store.store(keyOf(1), decisionOf(128));
  EXPECT_EQ(second.place, Place::existing);
  EXPECT_EQ(second.decision.schedule, scheduleOf(64));
  EXPECT_EQ(one.find(1), scheduleOf(64));
  second = two.store.store(keyOf(1), decisionOf(128), Existing::replace);
  EXPECT_EQ(second.place, Place::file);
  EXPECT_EQ(one.find(1), scheduleOf(128));
}

TEST_F(Store, AProbeReplacesAnEstimateAndNotTheOtherWayRound) {
  TestStore one(path);
  Decision estimate = decisionOf(32);
  estimate.decidedBy = DecidedBy::estimate;
  EXPECT_EQ(one.store.store(keyOf(1), estimate).place, Place::file);
  EXPECT_TRUE(one.store.find(keyOf(1)));
  EXPECT_FALSE(one.store.find(keyOf(1), DecidedBy::probe));
  EXPECT_EQ(one.put(1, 64), Place::file);
  EXPECT_EQ(one.store.store(keyOf(1), estimate).place, Place::existing);
  EXPECT_EQ(one.store.find(keyOf(1), DecidedBy::probe)->schedule,
            scheduleOf(64));
}

// C17, C19: what was rejected.
TEST_F(Store, C17_NothingWrongIsKept) {
  TestStore one(path);
  Decision wrong = decisionOf(64);
  wrong.schedule = "nnz_parallel"; // rejected
  Stored stored = one.store.store(keyOf(1), wrong);
  EXPECT_EQ(stored.place, Place::refused);
  EXPECT_NE(stored.why.find("not rejected"), std::string::npos) << stored.why;
  EXPECT_EQ(one.find(1), "miss") << "not in memory either";
  EXPECT_TRUE(one.warnings.empty());
}

TEST_F(Store, WithoutAFileDecisionsLiveInMemory) {
  TestStore one{std::string()};
  EXPECT_EQ(one.put(1, 64), Place::memory);
  EXPECT_EQ(one.find(1), scheduleOf(64));
  EXPECT_EQ(one.store.noteClass(keyOf(2)), 1);
  EXPECT_EQ(one.store.noteClass(keyOf(2)), 2);
  EXPECT_TRUE(one.warnings.empty());
}

// C21: what replay-only asks of the store.
TEST_F(Store, C21_ReplayWritesNothing) {
  {
    TestStore(path).put(1, 64);
  }
  std::string before = contentsOf(path);
  StoreOptions options = storeOptionsFor(path);
  options.readOnly = true;
  {
    TestStore replay(options);
    EXPECT_EQ(replay.find(1), scheduleOf(64));
    EXPECT_EQ(replay.find(2), "miss");
    EXPECT_EQ(replay.put(2, 32), Place::memory);
    EXPECT_EQ(replay.find(2), scheduleOf(32));
    EXPECT_TRUE(replay.warnings.empty());
  }
  EXPECT_EQ(contentsOf(path), before);
  EXPECT_EQ(TestStore(path).find(2), "miss");
}

TEST_F(Store, AFileThatIsGoneIsMadeAnew) {
  TestStore one(path);
  one.put(1, 64);
  std::filesystem::remove_all(folder.path + "/cache");
  EXPECT_EQ(one.find(1), "miss");
  EXPECT_EQ(one.put(2, 32), Place::file);
  EXPECT_EQ(TestStore(path).find(2), scheduleOf(32));
  EXPECT_TRUE(one.warnings.empty());
}

TEST_F(Store, AFileThatIsRemovedAloneLeavesNothingToTheNext) {
  TestStore one(path), two(path);
  for (uint64_t i = 0; i < 20; ++i)
    one.put(i, 64);
  EXPECT_EQ(two.find(1), scheduleOf(64));
  std::filesystem::remove(path); // its log stays
  EXPECT_EQ(one.put(100, 32), Place::file);
  EXPECT_EQ(two.put(101, 16), Place::file);
  for (TestStore *store : {&one, &two}) {
    EXPECT_EQ(store->find(1), "miss");
    EXPECT_EQ(store->find(100), scheduleOf(32));
    EXPECT_EQ(store->find(101), scheduleOf(16));
    EXPECT_TRUE(store->warnings.empty());
  }
  EXPECT_EQ(querySql(path, "PRAGMA integrity_check"), "ok");
}

TEST_F(Store, ManyThreadsUseOneObject) {
  TestStore one(path);
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < 25; ++i) {
        uint64_t graph = t * 25 + i;
        one.put(graph, static_cast<int64_t>(graph + 1));
        EXPECT_EQ(one.find(graph), scheduleOf(static_cast<int64_t>(graph + 1)));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(querySql(path, "SELECT count(*) FROM decisions"), "200");
}

//===----------------------------------------------------------------------===//
// Keys of another environment
//===----------------------------------------------------------------------===//

// C07
TEST_F(Store, C07_AnEntryOfAnotherEnvironmentIsAMissThatSaysWhy) {
  Environment here = testEnvironment();
  here.target = Target::nvptx;
  here.capability = "sm_90";
  here.driver = "560.1";
  here.cusparse = "12.5";
  auto keyIn = [&](const Environment &environment) {
    return makeKey(KernelSpec(), Fingerprint{1, 1}, CallFacts(), environment);
  };
  Environment chip = here, library = here, driver = here;
  chip.capability = "sm_80";
  library.cusparse = "12.1";
  driver.driver = "550.9";
  std::string logPath = folder.path + "/log.jsonl";
  int64_t grain = 0;
  for (const Environment &other : {chip, library, driver, here}) {
    std::string file = folder.path + "/" + std::to_string(++grain) + ".sqlite";
    DecisionLog log(logPath);
    StoreOptions options = storeOptionsFor(file);
    options.log = &log;
    TestStore one(options);
    one.store.store(keyIn(other), decisionOf(grain));
    std::optional<Decision> found = one.store.find(keyIn(here));
    EXPECT_EQ(found ? found->schedule : "miss",
              grain == 4 ? scheduleOf(4) : "miss");
    EXPECT_EQ(one.store.find(keyIn(other))->schedule, scheduleOf(grain))
        << "kept for its own environment";
    EXPECT_TRUE(one.warnings.empty());
  }
  std::string text = contentsOf(logPath);
  for (const char *line : {"[\"capability: stored sm_80, here sm_90\"]",
                           "[\"cusparse: stored 12.1, here 12.5\"]",
                           "[\"driver: stored 550.9, here 560.1\"]"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

// C08
TEST_F(Store, C08_UnknownEnvironmentFieldsHealThemselves) {
  DecisionKey unknown = keyOf(1), empty = keyOf(1);
  unknown.set(KeyField::driver, "unknown");
  empty.set(KeyField::driver, "");
  TestStore one(path);
  for (const DecisionKey &key : {unknown, empty}) {
    EXPECT_EQ(one.store.store(key, decisionOf(8)).place, Place::memory)
        << "not written under a key that nobody can trust";
    EXPECT_EQ(one.store.find(key)->schedule, scheduleOf(8))
        << "but used by this process";
  }
  // As another program could have written them, the last one without a field.
  std::string absent = keyOf(1).str();
  absent.erase(absent.find("driver="), 12);
  EXPECT_EQ(one.put(9, 9), Place::file); // makes the tables
  int id = 0;
  for (const std::string &key : {unknown.str(), empty.str(), absent})
    runSql(path, "INSERT INTO decisions(id, problem, key, schedule, "
                 "decided_by, value, checksum, created, used) VALUES(" +
                     std::to_string(++id) + ", 0, '" + key +
                     "', '', '', '{}', '', 0, 0)");
  TestStore two(path);
  EXPECT_EQ(two.find(1), "miss");
  EXPECT_EQ(two.put(1, 64), Place::file);
  TestStore next(path);
  EXPECT_EQ(next.find(1), scheduleOf(64));
  EXPECT_TRUE(one.warnings.empty() && two.warnings.empty() &&
              next.warnings.empty());
}

// C09
TEST_F(Store, C09_OtherGraphsAreOtherEntries) {
  TestStore one(path);
  one.put(1, 64);
  one.put(2, 32);
  TestStore again(path);
  EXPECT_EQ(again.find(1), scheduleOf(64));
  EXPECT_EQ(again.find(2), scheduleOf(32));
}

//===----------------------------------------------------------------------===//
// Classes, bounds, settings
//===----------------------------------------------------------------------===//

TEST_F(Store, ClassesAreCountedOverAllProcesses) {
  InputStats stats;
  stats.rows = 1000;
  DecisionKey key =
      makeClassKey(KernelSpec(), stats, CallFacts(), testEnvironment());
  for (int64_t i = 1; i <= 3; ++i)
    EXPECT_EQ(TestStore(path).store.noteClass(key), i);
  EXPECT_EQ(classSightings, 3) << "now it is worth probing";
  EXPECT_EQ(TestStore(path).store.noteClass(keyOf(1)), 1);
  TestStore one(path);
  EXPECT_EQ(one.store.store(key, decisionOf(64)).place, Place::file);
  EXPECT_EQ(TestStore(path).store.find(key)->schedule, scheduleOf(64));
}

TEST_F(Store, IsBoundedAndKeepsWhatWasUsedLast) {
  StoreOptions options = storeOptionsFor(path);
  options.mostBytes = 200000;
  TestStore one(options);
  one.put(0, 1);
  for (uint64_t i = 1; i <= 300; ++i) {
    one.put(i, static_cast<int64_t>(i + 1));
    // All within a second: their order is written into them.
    runSql(path, "UPDATE decisions SET used = 2000000000 + " +
                     std::to_string(i) + " WHERE used < 2000000000");
    if (i % 10 == 0) // the first one is in use
      runSql(path, "UPDATE decisions SET used = 2000001000 WHERE key LIKE "
                   "'%graph=00000000000000010000000000000000%'");
  }
  EXPECT_EQ(one.find(0), scheduleOf(1));
  EXPECT_EQ(one.find(1), "miss");
  EXPECT_EQ(one.find(300), scheduleOf(301));
  runSql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_LE(info.st_size, 220000);
  EXPECT_TRUE(one.warnings.empty());
}

TEST_F(Store, WhatIsTooOldGoes) {
  {
    TestStore(path).put(1, 64);
  }
  runSql(path, "UPDATE decisions SET used = 1000");
  {
    TestStore one(path);
    EXPECT_EQ(one.find(1), scheduleOf(64)) << "and now it is in use";
    one.put(2, 32);
  }
  runSql(path, "UPDATE decisions SET used = 1000 WHERE key LIKE "
               "'%graph=00000000000000010000000000000001%'");
  {
    TestStore(path).put(3, 32);
  }
  EXPECT_EQ(TestStore(path).find(1), "miss");
  EXPECT_EQ(TestStore(path).find(2), scheduleOf(32));
}

TEST_F(Store, AUseIsNotedOnceADay) {
  {
    TestStore(path).put(1, 64);
  }
  auto used = [&] { return querySql(path, "SELECT used FROM decisions"); };
  std::string fresh = used();
  {
    TestStore(path).find(1);
  }
  EXPECT_EQ(used(), fresh);
  for (const char *wrong : {"used - 100000", "used + 100000", "4102444800"}) {
    runSql(path, std::string("UPDATE decisions SET used = ") + wrong);
    {
      TestStore(path).find(1);
    }
    EXPECT_GE(std::stoll(used()), std::stoll(fresh)) << wrong;
    EXPECT_LE(std::stoll(used()), std::stoll(fresh) + 1000) << wrong;
  }
}

namespace {
/// Sets an environment variable, or removes it, for a while.
class Variable {
public:
  Variable(const char *name, const char *value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { before ? setenv(name, before->c_str(), 1) : unsetenv(name); }

private:
  const char *name;
  std::optional<std::string> before;
};
} // namespace

TEST(StoreSettings, WhereTheFileIs) {
  Variable home("HOME", "/h"), xdg("XDG_CACHE_HOME", nullptr),
      own("AUTOSAGE_CACHE_DIR", nullptr),
      file("AUTOSAGE_DECISION_CACHE", nullptr);
  std::vector<std::string> warnings;
  auto warn = [&](const std::string &message) { warnings.push_back(message); };
  auto path = [&] { return defaultStoreOptions(warn).path; };
  EXPECT_EQ(path(), "/h/.cache/autosage/decisions.sqlite");
  EXPECT_TRUE(defaultStoreOptions().ownFolder);
  {
    Variable set("XDG_CACHE_HOME", "/x");
    EXPECT_EQ(path(), "/x/autosage/decisions.sqlite");
  }
  {
    Variable set("AUTOSAGE_CACHE_DIR", "/c");
    EXPECT_EQ(path(), "/c/decisions.sqlite");
  }
  {
    Variable set("AUTOSAGE_CACHE_DIR", "");
    EXPECT_EQ(path(), "") << "none is wanted";
  }
  {
    Variable set("AUTOSAGE_DECISION_CACHE", "mine.db");
    EXPECT_EQ(path(), "mine.db");
    EXPECT_FALSE(defaultStoreOptions().ownFolder);
  }
  EXPECT_TRUE(warnings.empty());
  Variable none("HOME", nullptr);
  EXPECT_EQ(path(), "");
  EXPECT_EQ(path(), "");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("HOME"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// The log
//===----------------------------------------------------------------------===//

static std::vector<nlohmann::json> linesOf(const std::string &path) {
  std::vector<nlohmann::json> lines;
  std::istringstream text(contentsOf(path));
  for (std::string line; std::getline(text, line);)
    lines.push_back(nlohmann::json::parse(line, nullptr, false));
  return lines;
}

TEST_F(Store, C15_C17_TheLogSaysWhatWasDecided) {
  std::string logPath = folder.path + "/log.jsonl";
  DecisionLog log(logPath);
  StoreOptions options = storeOptionsFor(path);
  options.log = &log;
  TestStore one(options);
  one.find(1);
  Decision ended = decisionOf(64);
  ended.budget.ended = true;
  one.store.store(keyOf(1), ended);
  one.find(1);
  one.put(1, 32);
  ended.guardrail->decided = false;
  one.store.store(keyOf(2), ended);
  std::vector<nlohmann::json> lines = linesOf(logPath);
  std::vector<std::string> events;
  for (const nlohmann::json &line : lines) {
    ASSERT_TRUE(line.is_object());
    events.push_back(line["event"]);
    EXPECT_EQ(line.size(), 14u) << "all keys are always there: " << line;
  }
  EXPECT_EQ(events, (std::vector<std::string>{"miss", "stored", "hit", "kept",
                                              "refused"}));
  // C15, C17: how far the search came, and what it rejected.
  EXPECT_EQ(lines[1]["measured"], 1);
  EXPECT_EQ(lines[1]["budget_ended"], true);
  EXPECT_EQ(lines[1]["rejected"][0]["schedule"], "nnz_parallel");
  EXPECT_EQ(lines[1]["rejected"][0]["reason"], "wrong result");
  EXPECT_EQ(lines[1]["key"], keyOf(1).id());
  EXPECT_TRUE(lines[0]["schedule"].is_null());
  EXPECT_EQ(lines[4]["why"], "expects the guardrail to have decided");
}

TEST_F(Store, LinesOfManyProcessesStayWhole) {
  std::string logPath = folder.path + "/log.jsonl";
  std::vector<pid_t> children;
  for (int p = 0; p < 8; ++p)
    children.push_back(spawn([&] {
      DecisionLog log(logPath);
      Decision decision = decisionOf(64);
      decision.candidates.resize(40, decision.candidates[0]);
      DecisionKey key = keyOf(1);
      for (int i = 0; i < 100; ++i)
        log.write({"stored", &key, &decision, std::string(i, 'x'), {}});
      return 0;
    }));
  for (pid_t child : children)
    EXPECT_EQ(statusOf(child), 0);
  std::vector<nlohmann::json> lines = linesOf(logPath);
  EXPECT_EQ(lines.size(), 800u);
  for (const nlohmann::json &line : lines)
    EXPECT_TRUE(line.is_object());
}

TEST_F(Store, ALogThatCannotBeWrittenIsOneWarning) {
  std::vector<std::string> warnings;
  DecisionLog log("/dev/full",
                  [&](const std::string &text) { warnings.push_back(text); });
  log.write({"hit", nullptr, nullptr, "", {}});
  log.write({"hit", nullptr, nullptr, "", {}});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("/dev/full"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
static constexpr double slowdown = 20;
#else
static constexpr double slowdown = 1;
#endif

TEST_F(Store, ALookUpTakesMicroseconds) {
  TestStore one(path);
  Decision decision = decisionOf(64);
  while (decision.candidates.size() < 16)
    decision.candidates.push_back({"row_tasks, chunk = 512, order = locality",
                                   1.25, 0.875, 0.8, 0.9, 7, ""});
  for (uint64_t i = 0; i < 1000; ++i)
    one.store.store(keyOf(i), decision);
  std::vector<DecisionKey> keys;
  for (uint64_t i = 0; i < 1000; ++i)
    keys.push_back(keyOf(i * 7919 % 1000));
  auto medianOf = [&](Detail detail) {
    std::vector<double> times;
    for (const DecisionKey &key : keys) {
      auto begin = std::chrono::steady_clock::now();
      std::optional<Decision> found =
          one.store.find(key, DecidedBy::estimate, detail);
      std::chrono::duration<double, std::micro> time =
          std::chrono::steady_clock::now() - begin;
      EXPECT_TRUE(found && found->schedule == scheduleOf(64));
      times.push_back(time.count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  };
  double choice = medianOf(Detail::choice), full = medianOf(Detail::full);
  double again = medianOf(Detail::full);
  std::printf("look-up: %.1f us, with 16 candidates' numbers %.1f us, again "
              "%.1f us\n",
              choice, full, again);
  EXPECT_LE(choice, 50 * slowdown);
  EXPECT_LE(full, 400 * slowdown);
  EXPECT_LE(again, full / 2) << "what was read is kept";
}
