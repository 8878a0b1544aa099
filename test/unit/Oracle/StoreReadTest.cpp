//===- StoreReadTest.cpp - what was read before, and others' writes -------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store keeps the decisions that it has read. Whatever happens to the file
// under it, the next look-up gives what a store that has just been opened
// would.
//
//===----------------------------------------------------------------------===//

#include "TestStore.h"

#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <unistd.h>

using namespace autosage;
using namespace autosage::test;
using namespace autosage::oracle;

using Place = Stored::Place;

namespace {
/// With a write-ahead log, where what was read is kept, and with a rollback
/// journal.
class StoreRead : public StoreOfEitherJournal {};
} // namespace

INSTANTIATE_TEST_SUITE_P(Journals, StoreRead, testing::Bool(), nameOfJournal);

static std::string whereGraphIs(int graph) {
  char text[64];
  std::snprintf(text, sizeof text, " WHERE key LIKE '%%graph=%%%04x\n%%'",
                static_cast<unsigned>(graph));
  return text;
}

TEST_P(StoreRead, AnotherConnectionsReplacementIsSeen) {
  TestStore one(options()), two(options());
  one.put(1, 64);
  for (int64_t grain : {32, 16, 8}) {
    for (int i = 0; i < 3; ++i)
      one.find(1);
    EXPECT_EQ(
        two.store.store(keyOf(1), decisionOf(grain), Existing::replace).place,
        Place::file);
    EXPECT_EQ(one.find(1), scheduleOf(grain));
    EXPECT_EQ(toJson(*one.store.find(keyOf(1))), toJson(decisionOf(grain)));
  }
  EXPECT_TRUE(one.warnings.empty() && two.warnings.empty());
}

TEST_P(StoreRead, ARowThatIsRemovedIsAMiss) {
  TestStore one(options());
  one.put(1, 64);
  one.put(2, 32);
  EXPECT_EQ(one.find(1), scheduleOf(64));
  EXPECT_EQ(one.find(2), scheduleOf(32));
  runSql(path, "DELETE FROM decisions" + whereGraphIs(1));
  EXPECT_EQ(one.find(1), "miss");
  EXPECT_EQ(one.find(2), scheduleOf(32));
  runSql(path, "DELETE FROM decisions");
  EXPECT_EQ(one.find(2), "miss");
  EXPECT_EQ(one.put(2, 4), Place::file);
  EXPECT_EQ(one.find(2), scheduleOf(4));
  EXPECT_TRUE(one.warnings.empty());
}

TEST_P(StoreRead, ARowThatIsDamagedIsAMiss) {
  for (const char *change :
       {"value = replace(value, '64', '63')", "schedule = 'row_parallel'",
        "decided_by = 'estimate'", "checksum = ''", "key = 'k' || key"}) {
    std::string file = folder.path + "/" + std::to_string(change[0]) +
                       std::to_string(change[1]) + ".sqlite";
    StoreOptions other = options();
    other.path = file;
    TestStore one(other);
    one.put(1, 64);
    EXPECT_EQ(one.find(1), scheduleOf(64));
    EXPECT_EQ(one.find(1), scheduleOf(64));
    runSql(file, std::string("UPDATE decisions SET ") + change);
    EXPECT_EQ(one.find(1), "miss") << change;
    EXPECT_LE(one.warnings.size(), 1u) << change;
  }
}

TEST_P(StoreRead, AnotherProcessesWritesAreSeen) {
  // Made before there is a connection, which a fork would close.
  int ask[2], answer[2];
  ASSERT_EQ(pipe(ask), 0);
  ASSERT_EQ(pipe(answer), 0);
  pid_t child = spawn([&] {
    close(ask[1]);
    TestStore two(options());
    char what;
    while (read(ask[0], &what, 1) == 1) {
      if (what == 'd')
        runSql(path, "DELETE FROM decisions");
      else
        two.store.store(keyOf(1), decisionOf(what), Existing::replace);
      if (write(answer[1], &what, 1) != 1)
        return 1;
    }
    return two.warnings.empty() ? 0 : 2;
  });
  close(ask[0]);
  TestStore one(options());
  one.put(1, 64);
  for (char what : {'\1', '\2', 'd', '\3', '\4', 'd'}) {
    one.find(1);
    one.find(1);
    char done;
    ASSERT_EQ(write(ask[1], &what, 1), 1);
    ASSERT_EQ(read(answer[0], &done, 1), 1);
    EXPECT_EQ(one.find(1), what == 'd' ? "miss" : scheduleOf(what));
  }
  close(ask[1]);
  EXPECT_EQ(statusOf(child), 0);
  close(answer[0]);
  close(answer[1]);
  EXPECT_TRUE(one.warnings.empty());
}

TEST_P(StoreRead, AFileInThePlaceOfTheOldOneIsSeen) {
  std::string other = folder.path + "/other.sqlite";
  {
    StoreOptions its = options();
    its.path = other;
    TestStore(its).put(1, 8);
  }
  TestStore one(options());
  one.put(1, 64);
  EXPECT_EQ(one.find(1), scheduleOf(64));
  // Else the log of the old one would be that of the new one.
  runSql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
  EXPECT_EQ(one.find(1), scheduleOf(64));
  std::filesystem::rename(other, path);
  EXPECT_EQ(one.find(1), scheduleOf(8));
  EXPECT_EQ(one.find(1), scheduleOf(8));
  std::filesystem::remove(path);
  EXPECT_EQ(one.find(1), "miss");
  EXPECT_TRUE(one.warnings.empty());
}

TEST_P(StoreRead, TheLeastAuthorityIsThatOfEachLookUp) {
  TestStore one(options());
  Decision estimate = decisionOf(32);
  estimate.decidedBy = DecidedBy::estimate;
  one.store.store(keyOf(1), estimate);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(one.store.find(keyOf(1)));
    EXPECT_FALSE(one.store.find(keyOf(1), DecidedBy::probe));
    std::optional<Decision> choice =
        one.store.find(keyOf(1), DecidedBy::estimate, Detail::choice);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->schedule, scheduleOf(32));
  }
}

// The order of what happens is drawn; a store that has just been opened is what
// the one that stays open is compared with.
TEST_P(StoreRead, ALongLivedStoreIsAsGoodAsAFreshOne) {
  std::mt19937 random(7);
  TestStore one(options()), two(options());
  const int rounds = GetParam() ? 150 : 600;
  one.put(1, 64);
  std::map<uint64_t, std::string> expected = {{1, scheduleOf(64)}};
  for (int i = 0; i < rounds; ++i) {
    auto graph = 1 + random() % 5;
    auto grain = static_cast<int64_t>(1 + random() % 1000);
    TestStore &writer = random() % 2 ? one : two;
    switch (random() % 8) {
    case 0:
    case 1:
      writer.store.store(keyOf(graph), decisionOf(grain), Existing::replace);
      expected[graph] = scheduleOf(grain);
      break;
    case 2:
      runSql(path,
             "DELETE FROM decisions" + whereGraphIs(static_cast<int>(graph)));
      expected.erase(graph);
      break;
    case 3:
      runSql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
      break;
    case 4:
      writer.store.noteClass(keyOf(99));
      break;
    default:
      break;
    }
    for (uint64_t g = 1; g <= 5; ++g) {
      auto known = expected.find(g);
      std::string right = known == expected.end() ? "miss" : known->second;
      ASSERT_EQ(one.find(g), right) << "round " << i;
      ASSERT_EQ(two.find(g), right) << "round " << i;
    }
    if (i % 50 == 0)
      for (uint64_t g = 1; g <= 5; ++g)
        ASSERT_EQ(TestStore(options()).find(g), one.find(g));
  }
  EXPECT_TRUE(one.warnings.empty() && two.warnings.empty());
}
