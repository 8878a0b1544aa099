//===- StoreProcessTest.cpp - many processes, and dying ones --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestStore.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <unistd.h>

using namespace autosage;
using namespace autosage::test;
using namespace autosage::oracle;

using Place = Stored::Place;

namespace {
class StoreProcess : public StoreOfEitherJournal {};
} // namespace

INSTANTIATE_TEST_SUITE_P(Journals, StoreProcess, testing::Bool(),
                         nameOfJournal);

/// Children that begin together.
static std::vector<pid_t> spawnTogether(int count,
                                        const std::function<int(int)> &body) {
  int gate[2];
  if (pipe(gate) != 0)
    return {};
  std::vector<pid_t> children;
  for (int p = 0; p < count; ++p)
    children.push_back(spawn([&] {
      close(gate[1]);
      char c;
      if (read(gate[0], &c, 1) != 0)
        return 9;
      return body(p);
    }));
  close(gate[0]);
  close(gate[1]);
  return children;
}

// C03
TEST_P(StoreProcess, C03_SixteenProcessesWriteAtOnce) {
  // A rollback journal waits for the disk with every write.
  const int rounds = GetParam() ? 5 : 20;
  for (int round = 0; round < rounds; ++round) {
    for (const std::string &name : filesIn(folder.path))
      std::filesystem::remove(folder.path + "/" + name);
    std::vector<pid_t> writers = spawnTogether(16, [&](int p) {
      TestStore one(options());
      for (int j = 0; j < 8; ++j) {
        auto k = static_cast<uint64_t>(8 * p + j);
        if (one.put(k, static_cast<int64_t>(k) + 1) != Place::file)
          return 1;
      }
      return one.warnings.empty() ? 0 : 2;
    });
    // A reader, all the while: what it sees is right.
    pid_t reader = spawn([&] {
      for (int i = 0; i < 50; ++i) {
        TestStore one(options());
        for (uint64_t k = 0; k < 128; k += 17) {
          std::string found = one.find(k);
          if (found != "miss" &&
              found != scheduleOf(static_cast<int64_t>(k) + 1))
            return 1;
        }
        if (!one.warnings.empty())
          return 2;
      }
      return 0;
    });
    for (pid_t child : writers)
      ASSERT_EQ(statusOf(child), 0) << "round " << round;
    ASSERT_EQ(statusOf(reader), 0) << "round " << round;
    TestStore one(options());
    for (uint64_t k = 0; k < 128; ++k)
      ASSERT_EQ(one.find(k), scheduleOf(static_cast<int64_t>(k) + 1));
    EXPECT_TRUE(one.warnings.empty());
  }
  EXPECT_EQ(querySql(path, "SELECT count(*) FROM decisions"), "128");
  EXPECT_EQ(querySql(path, "PRAGMA integrity_check"), "ok");
  EXPECT_EQ(filesIn(folder.path), std::vector<std::string>{"decisions.sqlite"})
      << "nothing is left behind";
}

TEST_P(StoreProcess, SixteenProcessesAgreeOnOneDecision) {
  std::vector<pid_t> children = spawnTogether(16, [&](int p) {
    TestStore one(options());
    Stored stored = one.store.store(keyOf(1), decisionOf(p + 1));
    // What it is told to use is what anyone finds.
    return one.find(1) == stored.decision.schedule ? 0 : 1;
  });
  for (pid_t child : children)
    EXPECT_EQ(statusOf(child), 0);
}

TEST_P(StoreProcess, ClassCountsLoseNothing) {
  std::vector<pid_t> children = spawnTogether(8, [&](int) {
    TestStore one(options());
    for (int i = 0; i < 25; ++i)
      one.store.noteClass(keyOf(1));
    return one.warnings.empty() ? 0 : 1;
  });
  for (pid_t child : children)
    EXPECT_EQ(statusOf(child), 0);
  EXPECT_EQ(TestStore(options()).store.noteClass(keyOf(1)), 201);
}

TEST_P(StoreProcess, DamageIsMovedAsideOnceForAll) {
  for (int round = 0; round < 5; ++round) {
    for (const std::string &name : filesIn(folder.path))
      std::filesystem::remove(folder.path + "/" + name);
    writeFile(path, std::string(3000, 'x'));
    std::vector<pid_t> children = spawnTogether(16, [&](int p) {
      TestStore one(options());
      auto k = static_cast<uint64_t>(p);
      one.find(k);
      if (one.put(k, p + 1) != Place::file)
        return 1;
      return one.warnings.size() <= 1 ? 0 : 2;
    });
    for (pid_t child : children)
      ASSERT_EQ(statusOf(child), 0) << "round " << round;
    TestStore one(options());
    for (int p = 0; p < 16; ++p)
      EXPECT_EQ(one.find(static_cast<uint64_t>(p)), scheduleOf(p + 1))
          << "no fresh store was moved aside";
    EXPECT_EQ(contentsOf(path + ".damaged"), std::string(3000, 'x'));
  }
}

TEST_P(StoreProcess, KilledInTheMiddleOfWriting) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> delay(0, 30000);
  uint64_t first = 0;
  int kept = 0;
  for (int round = 0; round < 40; ++round, first += 100000) {
    int said[2];
    ASSERT_EQ(pipe(said), 0);
    pid_t child = spawn([&] {
      auto *one = new TestStore(options());
      for (uint64_t k = first;; ++k) {
        if (one->put(k, 64) != Place::file)
          return 1;
        if (write(said[1], &k, sizeof k) != sizeof k)
          return 2;
      }
    });
    close(said[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(delay(random)));
    kill(child, SIGKILL);
    ASSERT_EQ(statusOf(child), 128 + SIGKILL);
    TestStore one(options());
    uint64_t k;
    while (read(said[0], &k, sizeof k) == sizeof k) {
      ++kept;
      ASSERT_EQ(one.find(k), scheduleOf(64)) << "said to be stored";
    }
    close(said[0]);
    EXPECT_EQ(one.put(first + 99999, 32), Place::file);
    EXPECT_TRUE(one.warnings.empty());
  }
  EXPECT_GT(kept, 0);
  EXPECT_EQ(querySql(path, "PRAGMA integrity_check"), "ok");
}

TEST_P(StoreProcess, KilledWhileTheFileIsMade) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> delay(0, 4000);
  for (int round = 0; round < 60; ++round) {
    for (const std::string &name : filesIn(folder.path))
      std::filesystem::remove(folder.path + "/" + name);
    pid_t child = spawn([&] {
      TestStore one(options());
      return one.put(1, 64) == Place::file ? 0 : 1;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(delay(random)));
    kill(child, SIGKILL);
    statusOf(child);
    TestStore one(options());
    std::string found = one.find(1);
    EXPECT_TRUE(found == "miss" || found == scheduleOf(64)) << found;
    EXPECT_EQ(one.put(2, 32), Place::file);
    EXPECT_TRUE(one.warnings.empty())
        << "half a store is no damage: " << one.warnings[0];
  }
}

// What is removed in the middle of a call may not be written, but nothing wrong
// is found, no call fails, and the store that is there in the end is whole.
TEST_P(StoreProcess, RemovedUnderEveryonesFeet) {
  std::vector<pid_t> children = spawnTogether(6, [&](int p) {
    TestStore one(options());
    for (uint64_t i = 0; i < 60; ++i) {
      auto k = static_cast<uint64_t>(p) * 1000 + i;
      Place place = one.put(k, 64);
      if (place != Place::file && place != Place::memory)
        return 1;
      std::string found = one.find(k);
      if (found != scheduleOf(64) && (found != "miss" || place != Place::file))
        return 2;
    }
    return one.warnings.size() <= 2 ? 0 : 3;
  });
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::remove(path.c_str());
  }
  for (pid_t child : children)
    EXPECT_EQ(statusOf(child), 0);
  EXPECT_FALSE(std::filesystem::exists(path + ".damaged"));
  TestStore one(options());
  EXPECT_EQ(one.put(99999, 32), Place::file);
  EXPECT_EQ(one.find(99999), scheduleOf(32));
  EXPECT_TRUE(one.warnings.empty());
  EXPECT_EQ(querySql(path, "PRAGMA integrity_check"), "ok");
}

TEST_P(StoreProcess, AForkHasAConnectionOfItsOwn) {
  TestStore one(options());
  one.put(1, 64);
  std::vector<pid_t> children;
  for (int p = 0; p < 4; ++p)
    children.push_back(spawn([&, p] {
      for (uint64_t i = 0; i < 20; ++i) {
        auto k = static_cast<uint64_t>(p) * 100 + 100 + i;
        if (one.put(k, 8) != Place::file || one.find(1) != scheduleOf(64))
          return 1;
      }
      return one.warnings.empty() ? 0 : 2;
    }));
  for (uint64_t i = 0; i < 20; ++i)
    EXPECT_EQ(one.put(1000 + i, 16), Place::file);
  for (pid_t child : children)
    EXPECT_EQ(statusOf(child), 0);
  EXPECT_EQ(querySql(path, "SELECT count(*) FROM decisions"), "101");
  EXPECT_EQ(querySql(path, "PRAGMA integrity_check"), "ok");
}

TEST_P(StoreProcess, ForksWhileOtherThreadsWrite) {
  TestStore one(options());
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; !stop; ++i)
        one.put(static_cast<uint64_t>(t) * 1000000 + i, 8);
    });
  for (int i = 0; i < 30; ++i)
    EXPECT_EQ(runInChild([&] {
                return one.put(9000000 + static_cast<uint64_t>(i), 16) ==
                               Place::file
                           ? 0
                           : 1;
              }),
              0);
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  for (uint64_t i = 0; i < 30; ++i)
    EXPECT_EQ(one.find(9000000 + i), scheduleOf(16));
  EXPECT_TRUE(one.warnings.empty());
  EXPECT_EQ(querySql(path, "PRAGMA integrity_check"), "ok");
}

// C13, over the store: what one process decided, all others replay.
TEST_P(StoreProcess, TwentyProcessesReplayOneDecision) {
  {
    TestStore(options()).put(1, 48);
  }
  StoreOptions replay = options();
  replay.readOnly = true;
  for (pid_t child : spawnTogether(20, [&](int) {
         TestStore one(replay);
         return one.find(1) == scheduleOf(48) && one.find(2) == "miss" &&
                        one.warnings.empty()
                    ? 0
                    : 1;
       }))
    EXPECT_EQ(statusOf(child), 0);
}
