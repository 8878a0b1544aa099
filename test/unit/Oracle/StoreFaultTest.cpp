//===- StoreFaultTest.cpp - stores that cannot be used --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the file is: a miss or the right decision, at most one warning, and
// a decision that is remembered at least by this object. Permissions are tested
// as another user, since root may do anything.
//
//===----------------------------------------------------------------------===//

#include "TestStore.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace autosage;
using namespace autosage::test;
using namespace autosage::oracle;

using Place = Stored::Place;

namespace {
class StoreFault : public testing::Test {
protected:
  TempFolder folder;
  const std::string path = folder.path + "/decisions.sqlite";

  /// One warning that names the file and says `part`.
  void expectOneWarning(const TestStore &store, const std::string &part) {
    ASSERT_EQ(store.warnings.size(), 1u)
        << (store.warnings.empty() ? "none" : store.warnings[1]);
    EXPECT_NE(store.warnings[0].find(path), std::string::npos)
        << store.warnings[0];
    EXPECT_NE(store.warnings[0].find(part), std::string::npos)
        << store.warnings[0];
  }
  /// A miss, and then what is stored is found, twice.
  void expectInMemory(TestStore &store, const std::string &part) {
    EXPECT_EQ(store.find(1), "miss");
    EXPECT_EQ(store.put(1, 64), Place::memory);
    EXPECT_EQ(store.find(1), scheduleOf(64));
    EXPECT_EQ(store.put(2, 32), Place::memory);
    EXPECT_EQ(store.find(2), scheduleOf(32));
    expectOneWarning(store, part);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

// C01
TEST_F(StoreFault, C01_GarbageIsMovedAsideAndAFreshStoreBegun) {
  std::string random(256, '\0');
  uint32_t state = 1;
  for (char &c : random)
    c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  int number = 0;
  for (const std::string &bytes : {random, std::string("[1,2,3]"),
                                   std::string("\xff\xfe{\"a\":\"\xc3\x28\"}"),
                                   std::string("SQLite format 3")}) {
    std::string file = folder.path + "/" + std::to_string(number++) + ".sqlite";
    writeFile(file, bytes);
    TestStore one(file);
    EXPECT_EQ(one.find(1), "miss");
    EXPECT_EQ(one.put(1, 64), Place::file);
    EXPECT_EQ(one.find(1), scheduleOf(64));
    ASSERT_EQ(one.warnings.size(), 1u);
    EXPECT_NE(one.warnings[0].find(file), std::string::npos);
    EXPECT_EQ(contentsOf(file + ".damaged"), bytes) << "nothing is lost";
    TestStore next(file);
    EXPECT_EQ(next.find(1), scheduleOf(64));
    EXPECT_TRUE(next.warnings.empty());
    EXPECT_EQ(querySql(file, "PRAGMA integrity_check"), "ok");
  }
}

// C01, case 4: damage of one entry
TEST_F(StoreFault, C01_ADamagedEntryLeavesTheOthers) {
  {
    TestStore one(path);
    one.put(1, 64);
    one.put(2, 32);
    one.put(3, 16);
  }
  runSql(path, "UPDATE decisions SET value = replace(value, '\"probe_ms\":1.0',"
               " '\"probe_ms\":\"fast\"') WHERE key LIKE '%0002\n%'");
  runSql(path, "UPDATE decisions SET value = x'fffe00c328' "
               "WHERE key LIKE '%0003\n%'");
  TestStore one(path);
  EXPECT_EQ(one.find(2), "miss");
  EXPECT_EQ(one.find(3), "miss");
  EXPECT_EQ(one.find(1), scheduleOf(64));
  EXPECT_EQ(one.put(2, 8), Place::file) << "who was first holds nothing";
  EXPECT_EQ(one.put(3, 4), Place::file);
  expectOneWarning(one, "damaged decision");
  TestStore next(path);
  EXPECT_EQ(next.find(2), scheduleOf(8));
  EXPECT_EQ(next.find(3), scheduleOf(4));
  EXPECT_TRUE(next.warnings.empty());
  EXPECT_FALSE(std::filesystem::exists(path + ".damaged"));
}

namespace {
/// A closed store with some decisions, and what each key may give.
std::string makeWholeStore(const std::string &path, int64_t count) {
  {
    TestStore one(path);
    for (int64_t i = 1; i <= count; ++i)
      one.put(static_cast<uint64_t>(i), i);
  }
  return contentsOf(path);
}
} // namespace

TEST_F(StoreFault, EveryTruncationIsAMissOrRight) {
  const std::string whole = makeWholeStore(path, 30);
  ASSERT_GT(whole.size(), 8192u);
  std::vector<size_t> sizes = {0, 1, 15, 16, 17, 50, 99, 100, 101, 512};
  for (size_t size = 1000; size < whole.size(); size += 1777)
    sizes.push_back(size);
  for (size_t pages = 1; pages * 4096 < whole.size(); ++pages)
    sizes.push_back(pages * 4096);
  for (size_t size : sizes) {
    // A path of its own: a file warns once.
    std::string file = folder.path + "/" + std::to_string(size) + ".sqlite";
    writeFile(file, whole.substr(0, size));
    TestStore one(file);
    for (int64_t i : {1, 15, 30}) {
      std::string found = one.find(static_cast<uint64_t>(i));
      EXPECT_TRUE(found == "miss" || found == scheduleOf(i)) << size << found;
    }
    EXPECT_EQ(one.put(99, 99), Place::file) << size;
    EXPECT_EQ(one.find(99), scheduleOf(99)) << size;
    EXPECT_LE(one.warnings.size(), 1u) << size << one.warnings.back();
    TestStore next(file);
    EXPECT_EQ(next.find(99), scheduleOf(99)) << size;
  }
}

TEST_F(StoreFault, EveryFlippedBitIsAMissOrRight) {
  const std::string whole = makeWholeStore(path, 12);
  std::vector<size_t> offsets;
  for (size_t i = 0; i < 128; ++i)
    offsets.push_back(i);
  for (size_t i = 128; i < whole.size(); i += 131)
    offsets.push_back(i);
  int damaged = 0, notHealed = 0;
  for (size_t offset : offsets) {
    std::string file = folder.path + "/" + std::to_string(offset);
    std::string bytes = whole;
    bytes[offset] = static_cast<char>(bytes[offset] ^ (1 << (offset % 8)));
    writeFile(file, bytes);
    TestStore one(file);
    for (int64_t i = 1; i <= 12; ++i) {
      std::string found = one.find(static_cast<uint64_t>(i));
      EXPECT_TRUE(found == "miss" || found == scheduleOf(i))
          << offset << " gave " << found;
    }
    Place place = one.put(99, 99);
    EXPECT_EQ(one.find(99), scheduleOf(99)) << offset;
    EXPECT_LE(one.warnings.size(), 1u) << offset;
    damaged += !one.warnings.empty();
    notHealed += place != Place::file;
    // The version may be a later one's: such a file is left alone.
    if (place != Place::file) {
      EXPECT_TRUE(offset >= 60 && offset < 64) << offset;
      EXPECT_EQ(one.warnings.size(), 1u) << offset;
    }
    for (const char *ending : {"", "-wal", "-shm", ".damaged"})
      std::remove((file + ending).c_str());
  }
  EXPECT_GT(damaged, 20);
  EXPECT_LE(notHealed, 4);
}

TEST_F(StoreFault, ADamagedLogOfWritesIsNoWrongDecision) {
  // The log stays where a process ends without closing.
  ASSERT_EQ(runInChild([&] {
              auto *one = new TestStore(path);
              for (int64_t i = 1; i <= 12; ++i)
                one->put(static_cast<uint64_t>(i), i);
              return 0;
            }),
            0);
  const std::string main = contentsOf(path), wal = contentsOf(path + "-wal");
  ASSERT_GT(wal.size(), 4096u);
  int misses = 0;
  for (size_t offset = 0; offset < wal.size(); offset += 1013) {
    std::string file = folder.path + "/" + std::to_string(offset);
    std::string bytes = wal;
    bytes[offset] = static_cast<char>(bytes[offset] ^ 0x10);
    writeFile(file, main);
    writeFile(file + "-wal", offset % 2 ? bytes : wal.substr(0, offset));
    TestStore one(file);
    for (int64_t i = 1; i <= 12; ++i) {
      std::string found = one.find(static_cast<uint64_t>(i));
      EXPECT_TRUE(found == "miss" || found == scheduleOf(i))
          << offset << " gave " << found;
      misses += found == "miss";
    }
    EXPECT_EQ(one.put(99, 99), Place::file) << offset;
    EXPECT_EQ(one.find(99), scheduleOf(99)) << offset;
    EXPECT_LE(one.warnings.size(), 1u) << offset;
  }
  EXPECT_GT(misses, 0);
}

TEST_F(StoreFault, DamageIsFoundByAStoreThatIsOpen) {
  TestStore one(path);
  for (int64_t i = 1; i <= 200; ++i)
    one.put(static_cast<uint64_t>(i), i);
  runSql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
  // All but the header, under the open connection.
  std::FILE *file = std::fopen(path.c_str(), "r+b");
  std::fseek(file, 0, SEEK_END);
  long size = std::ftell(file);
  std::fseek(file, 4096, SEEK_SET);
  std::string junk(static_cast<size_t>(size) - 4096, 'x');
  std::fwrite(junk.data(), 1, junk.size(), file);
  std::fclose(file);
  for (int64_t i = 1; i <= 200; ++i) {
    std::string found = one.find(static_cast<uint64_t>(i));
    EXPECT_TRUE(found == "miss" || found == scheduleOf(i)) << found;
  }
  EXPECT_EQ(one.put(500, 500), Place::file);
  EXPECT_EQ(TestStore(path).find(500), scheduleOf(500));
  EXPECT_LE(one.warnings.size(), 1u);
}

//===----------------------------------------------------------------------===//
// Not ours
//===----------------------------------------------------------------------===//

TEST_F(StoreFault, ALaterVersionIsLeftAlone) {
  makeWholeStore(path, 1);
  runSql(path, "PRAGMA user_version = 2");
  std::string before = contentsOf(path);
  TestStore one(path);
  expectInMemory(one, "newer version (schema 2, expects 1)");
  EXPECT_EQ(contentsOf(path), before);
}

TEST_F(StoreFault, ADatabaseOfAnotherProgramIsLeftAlone) {
  runSql(path, "CREATE TABLE bookmarks(url TEXT);"
               "INSERT INTO bookmarks VALUES('kept')");
  chmod(path.c_str(), 0600);
  std::string before = contentsOf(path);
  TestStore one(path);
  expectInMemory(one, "of another program");
  EXPECT_EQ(contentsOf(path), before);
}

TEST_F(StoreFault, AFolderInItsPlace) {
  std::filesystem::create_directory(path);
  TestStore one(path);
  expectInMemory(one, "is a folder");
}

TEST_F(StoreFault, ANameOfAFolderMakesNone) {
  StoreOptions options = storeOptionsFor(path + "/new/");
  TestStore one(options);
  EXPECT_EQ(one.put(1, 64), Place::memory);
  EXPECT_EQ(one.find(1), scheduleOf(64));
  expectOneWarning(one, "is a folder");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(StoreFault, WhatIsNoFileIsNotOpened) {
  // To open a pipe that nobody writes to would wait for ever.
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  TestStore one(path);
  expectInMemory(one, "is not a regular file");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  // The same beside a store.
  std::string good = folder.path + "/good.sqlite";
  {
    TestStore(good).put(1, 64);
  }
  ASSERT_EQ(mkfifo((good + "-journal").c_str(), 0600), 0);
  TestStore two(good);
  EXPECT_EQ(two.find(1), "miss");
  EXPECT_EQ(two.put(1, 32), Place::memory);
  EXPECT_EQ(two.warnings.size(), 1u);
}

TEST_F(StoreFault, AFileInThePlaceOfTheFolder) {
  writeFile(path, "x");
  TestStore one(path + "/decisions.sqlite");
  expectInMemory(one, "Not a directory");
}

// /proc is what even root cannot make a folder in.
TEST_F(StoreFault, AFolderThatCannotBeMade) {
  std::string file = "/proc/autosage-" + std::to_string(getpid()) + "/x.sqlite";
  TestStore one(file);
  EXPECT_EQ(one.find(1), "miss");
  EXPECT_EQ(one.put(1, 64), Place::memory);
  EXPECT_EQ(one.find(1), scheduleOf(64));
  ASSERT_EQ(one.warnings.size(), 1u);
  EXPECT_NE(one.warnings[0].find("cannot be made"), std::string::npos);
}

// C25
TEST_F(StoreFault, C25_LinksAndForeignFilesAreNotTrusted) {
  makeWholeStore(folder.path + "/real.sqlite", 1);
  std::filesystem::create_symlink(folder.path + "/real.sqlite", path);
  {
    TestStore one(path);
    expectInMemory(one, "is a symbolic link");
  }
  // A folder that is a link, where the folder is the project's own.
  std::filesystem::create_directory(folder.path + "/elsewhere");
  std::filesystem::create_directory_symlink(folder.path + "/elsewhere",
                                            folder.path + "/autosage");
  StoreOptions options = storeOptionsFor(folder.path + "/autosage/d.sqlite");
  options.ownFolder = true;
  TestStore two(options);
  EXPECT_EQ(two.put(1, 64), Place::memory);
  ASSERT_EQ(two.warnings.size(), 1u);
  EXPECT_NE(two.warnings[0].find("symbolic link"), std::string::npos);
  EXPECT_TRUE(filesIn(folder.path + "/elsewhere").empty());
  // One that others may write to.
  std::filesystem::create_directory(folder.path + "/open");
  chmod((folder.path + "/open").c_str(), 0777);
  options.path = folder.path + "/open/d.sqlite";
  TestStore three(options);
  EXPECT_EQ(three.put(1, 64), Place::memory);
  ASSERT_EQ(three.warnings.size(), 1u);
  EXPECT_NE(three.warnings[0].find("other users may write"), std::string::npos);
}

TEST_F(StoreFault, AFileThatOthersMayWriteToIsNotUsed) {
  makeWholeStore(path, 1);
  chmod(path.c_str(), 0666);
  TestStore one(path);
  expectInMemory(one, "may be written by other users");
}

static constexpr uid_t nobody = 65534;
/// Root may do anything: goes on as another user. Others are one.
static bool becomePlainUser() {
  return geteuid() != 0 || (setgid(nobody) == 0 && setuid(nobody) == 0);
}
static void giveToPlainUser(const std::string &path) {
  if (geteuid() == 0)
    ASSERT_EQ(chown(path.c_str(), nobody, nobody), 0);
}

#define NEEDS_ROOT()                                                           \
  if (geteuid() != 0)                                                          \
  GTEST_SKIP() << "needs root, to be two users"

TEST_F(StoreFault, C25_AStoreOfAnotherUserIsNotUsed) {
  NEEDS_ROOT();
  makeWholeStore(path, 1);
  ASSERT_EQ(chown(path.c_str(), nobody, nobody), 0);
  {
    TestStore one(path);
    expectInMemory(one, "belongs to another user");
  }
  // Nor a log that someone has put beside it.
  std::string other = folder.path + "/other.sqlite";
  makeWholeStore(other, 1);
  writeFile(other + "-wal", "");
  ASSERT_EQ(chown((other + "-wal").c_str(), nobody, nobody), 0);
  TestStore two(other);
  EXPECT_EQ(two.find(1), "miss");
  EXPECT_EQ(two.warnings.size(), 1u);
}

// C25: two users, each with a place of his own below one folder for all.
TEST_F(StoreFault, C25_TwoUsersOfOneSharedFolder) {
  NEEDS_ROOT();
  chmod(folder.path.c_str(), 01777);
  for (uid_t user : {uid_t{0}, nobody})
    EXPECT_EQ(
        runInChild([&] {
          if (user && (setgid(user) || setuid(user)))
            return 2;
          TestStore one(folder.path + "/" + std::to_string(user) + "/d.sqlite");
          bool good = one.put(1, 64) == Place::file &&
                      one.find(1) == scheduleOf(64) && one.warnings.empty();
          return good ? 0 : 1;
        }),
        0)
        << user;
  EXPECT_EQ(runInChild([&] {
              if (setgid(nobody) || setuid(nobody))
                return 2;
              TestStore one(folder.path + "/0/d.sqlite");
              bool good = one.find(1) == "miss" &&
                          one.put(1, 32) == Place::memory &&
                          one.warnings.size() == 1;
              return good ? 0 : 1;
            }),
            0);
}

//===----------------------------------------------------------------------===//
// Read-only and full
//===----------------------------------------------------------------------===//

// C05
TEST_F(StoreFault, C05_AReadOnlyHomeKeepsDecisionsInMemory) {
  std::string home = folder.path + "/home";
  std::filesystem::create_directory(home);
  chmod(folder.path.c_str(), 0755);
  giveToPlainUser(home);
  chmod(home.c_str(), 0555);
  EXPECT_EQ(runInChild([&] {
              if (!becomePlainUser())
                return 2;
              setenv("HOME", home.c_str(), 1);
              unsetenv("XDG_CACHE_HOME");
              unsetenv("AUTOSAGE_CACHE_DIR");
              unsetenv("AUTOSAGE_DECISION_CACHE");
              TestStore one(defaultStoreOptions());
              if (one.find(1) != "miss" || one.put(1, 64) != Place::memory ||
                  one.find(1) != scheduleOf(64))
                return 1;
              return one.warnings.size() == 1 ? 0 : 3;
            }),
            0);
}

TEST_F(StoreFault, C05_EntriesThatCannotBeWrittenAreStillUsed) {
  makeWholeStore(path, 3);
  chmod(folder.path.c_str(), 0755);
  // The file alone, and then the folder too, where SQLite can make nothing.
  for (bool isFolderToo : {false, true}) {
    giveToPlainUser(path);
    giveToPlainUser(folder.path);
    chmod(path.c_str(), 0444);
    chmod(folder.path.c_str(), isFolderToo ? 0555 : 0755);
    EXPECT_EQ(runInChild([&] {
                if (!becomePlainUser())
                  return 2;
                TestStore one(path);
                if (one.find(1) != scheduleOf(1) || !one.warnings.empty())
                  return 1;
                if (one.put(9, 64) != Place::memory ||
                    one.find(9) != scheduleOf(64) ||
                    one.put(8, 32) != Place::memory ||
                    one.find(3) != scheduleOf(3))
                  return 3;
                return one.warnings.size() == 1 ? 0 : 4;
              }),
              0)
        << isFolderToo;
  }
  chmod(folder.path.c_str(), 0700);
}

TEST_F(StoreFault, AFullDiskIsOneWarningAndAStoreThatStaysWhole) {
  makeWholeStore(path, 3);
  // A limit on file sizes: what it stops would else end the process.
  for (rlim_t limit : {0, 100, 5000, 20000, 40000})
    EXPECT_EQ(runInChild([&] {
                rlimit bytes = {limit, limit};
                if (setrlimit(RLIMIT_FSIZE, &bytes))
                  return 2;
                TestStore one(path);
                int inMemory = 0;
                for (int64_t i = 10; i < 60; ++i) {
                  auto graph = static_cast<uint64_t>(limit) * 100 +
                               static_cast<uint64_t>(i);
                  inMemory += one.put(graph, i) == Place::memory;
                  if (one.find(graph) != scheduleOf(i))
                    return 1;
                }
                if (inMemory == 0)
                  return 3;
                return one.warnings.size() == 1 ? 0 : 4;
              }),
              0)
        << limit;
  TestStore one(path);
  for (int64_t i = 1; i <= 3; ++i)
    EXPECT_EQ(one.find(static_cast<uint64_t>(i)), scheduleOf(i));
  EXPECT_EQ(one.put(5000, 64), Place::file);
  EXPECT_TRUE(one.warnings.empty());
  EXPECT_EQ(querySql(path, "PRAGMA integrity_check"), "ok");
}

//===----------------------------------------------------------------------===//
// Locked
//===----------------------------------------------------------------------===//

TEST_F(StoreFault, ALockThatIsHeldCostsOneWait) {
  makeWholeStore(path, 1);
  int ready[2], done[2];
  ASSERT_EQ(pipe(ready) | pipe(done), 0);
  for (const char *sql : {"BEGIN IMMEDIATE",
                          "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"}) {
    pid_t holder = spawn([&] {
      runSql(path, "PRAGMA journal_mode = DELETE");
      sqlite3 *handle = nullptr;
      if (sqlite3_open(path.c_str(), &handle) != SQLITE_OK ||
          sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        return 1;
      char c = 'r';
      return write(ready[1], &c, 1) == 1 && read(done[0], &c, 1) == 1 ? 0 : 1;
    });
    char c;
    ASSERT_EQ(read(ready[0], &c, 1), 1);
    StoreOptions options = storeOptionsFor(path);
    options.patienceMs = 200;
    auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(runInChild([&] {
                TestStore one(options);
                for (uint64_t i = 10; i < 60; ++i) {
                  if (one.put(i, 64) != Place::memory ||
                      one.find(i) != scheduleOf(64))
                    return 1;
                }
                return one.warnings.size() == 1 ? 0 : 2;
              }),
              0)
        << sql;
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    EXPECT_LT(time.count(), 3) << "not a wait for each of fifty";
    ASSERT_EQ(write(done[1], &c, 1), 1);
    EXPECT_EQ(statusOf(holder), 0);
  }
  TestStore one(path);
  EXPECT_EQ(one.put(2, 32), Place::file) << "when it is free again";
  EXPECT_TRUE(one.warnings.empty());
}
