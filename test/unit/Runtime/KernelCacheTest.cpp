//===- KernelCacheTest.cpp - kernels on disk, and what can go wrong -------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Runtime/Kernel/KernelCache.h"
#include "PlanSupport.h"
#include "Subprocess.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utime.h>

using namespace autosage;
using namespace autosage::runtime;
using namespace autosage::test;

namespace {
class Cache : public testing::Test {
protected:
  TempFolder folder;
  std::vector<std::string> given;
  Warnings warnings{[](void *list, const char *message) {
                      static_cast<std::vector<std::string> *>(list)->push_back(
                          message);
                    },
                    &given};
  KernelCache cache{folder.path + "/kernels", 1 << 20, warnings};

  std::vector<std::string> kernels() const {
    return listFiles(folder.path + "/kernels", ".kernel");
  }
  void expectOneWarning(const std::string &part) {
    ASSERT_EQ(given.size(), 1u);
    EXPECT_NE(given[0].find(part), std::string::npos) << given[0];
  }
};
} // namespace

static std::string contentsOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void write(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST_F(Cache, GivesWhatWasStored) {
  EXPECT_FALSE(cache.load("key"));
  std::string value("value\0with zero", 15);
  cache.store("key", value);
  cache.store("other", "x");
  EXPECT_EQ(cache.load("key"), value);
  EXPECT_EQ(cache.load("other"), "x");
  EXPECT_FALSE(cache.load("kez"));
  EXPECT_TRUE(given.empty());
  struct stat info;
  ASSERT_EQ(stat((folder.path + "/kernels").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u) << "a folder of this user alone";
}

TEST_F(Cache, EveryDamagedByteIsAMissWithOneWarning) {
  cache.store("key", "some value");
  ASSERT_EQ(kernels().size(), 1u);
  std::string path = kernels()[0], whole = contentsOf(path);
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    write(path, damaged);
    chmod(path.c_str(), 0600);
    auto loaded = cache.load("key");
    // `reserved` says nothing.
    EXPECT_TRUE(!loaded || *loaded == "some value") << "byte " << i;
    if (i < 12 || i >= 16)
      EXPECT_FALSE(loaded) << "byte " << i;
  }
  expectOneWarning("the kernel is compiled again");
  cache.store("key", "some value");
  EXPECT_EQ(cache.load("key"), "some value") << "the file is made anew";
}

TEST_F(Cache, EveryTruncationIsAMiss) {
  cache.store("key", "some value");
  std::string path = kernels().at(0), whole = contentsOf(path);
  for (size_t size = 0; size < whole.size(); ++size) {
    write(path, whole.substr(0, size));
    chmod(path.c_str(), 0600);
    EXPECT_FALSE(cache.load("key")) << size;
    EXPECT_TRUE(kernels().empty()) << "what is damaged is removed";
  }
  expectOneWarning("the kernel is compiled again");
}

TEST_F(Cache, AnotherKeyUnderTheSameNameIsAMiss) {
  cache.store("key", "value");
  std::string path = kernels().at(0);
  cache.store("other", "its value");
  std::string other = kernels()[0] == path ? kernels()[1] : kernels()[0];
  write(path, contentsOf(other));
  EXPECT_FALSE(cache.load("key"));
  EXPECT_TRUE(given.empty());
}

TEST_F(Cache, IsBoundedAndKeepsWhatWasUsedLast) {
  KernelCache small(folder.path + "/kernels", 5000, warnings);
  std::string value(1000, 'v');
  for (int i = 0; i < 4; ++i) {
    small.store("key" + std::to_string(i), value);
    // Times of files may be coarse: the order is written into them.
    for (const std::string &path : kernels()) {
      struct stat info;
      stat(path.c_str(), &info);
      utimbuf earlier = {info.st_atime - 10, info.st_mtime - 10};
      utime(path.c_str(), &earlier);
    }
  }
  EXPECT_TRUE(small.load("key0")) << "now the one used last";
  small.store("key4", value);
  EXPECT_EQ(kernels().size(), 4u);
  EXPECT_TRUE(small.load("key0"));
  EXPECT_FALSE(small.load("key1")) << "the one not used for longest";
  EXPECT_TRUE(small.load("key4"));
  small.store("large", std::string(6000, 'x'));
  EXPECT_FALSE(small.load("large"));
  EXPECT_EQ(kernels().size(), 4u) << "what never fits displaces nothing";
  EXPECT_TRUE(given.empty());
}

TEST_F(Cache, AFolderThatOthersMayWriteIsNotUsed) {
  cache.store("key", "value");
  for (mode_t mode : {0770, 0707}) {
    chmod((folder.path + "/kernels").c_str(), mode);
    EXPECT_FALSE(cache.load("key"));
    cache.store("second", "value");
    EXPECT_EQ(kernels().size(), 1u);
  }
  expectOneWarning("may be written by other users");
}

TEST_F(Cache, AFileThatOthersMayWriteIsNotUsed) {
  cache.store("key", "value");
  chmod(kernels().at(0).c_str(), 0666);
  EXPECT_FALSE(cache.load("key"));
  expectOneWarning("is not a file of this user alone");
}

TEST_F(Cache, ASymbolicLinkIsNotFollowed) {
  cache.store("key", "value");
  std::string path = kernels().at(0), moved = folder.path + "/moved";
  ASSERT_EQ(rename(path.c_str(), moved.c_str()), 0);
  ASSERT_EQ(symlink(moved.c_str(), path.c_str()), 0);
  EXPECT_FALSE(cache.load("key"));
  expectOneWarning("cannot be opened");
}

TEST_F(Cache, AForeignFolderIsNotUsed) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root may give folders away";
  cache.store("key", "value");
  ASSERT_EQ(chown((folder.path + "/kernels").c_str(), 65534, 65534), 0);
  EXPECT_FALSE(cache.load("key"));
  cache.store("second", "value");
  EXPECT_EQ(kernels().size(), 1u);
  expectOneWarning("belongs to another user");
}

TEST_F(Cache, AFolderThatCannotBeMadeIsDoneWithout) {
  write(folder.path + "/file", "");
  KernelCache below(folder.path + "/file/kernels", 1 << 20, warnings);
  below.store("key", "value");
  below.store("key", "value");
  EXPECT_FALSE(below.load("key"));
  expectOneWarning("cannot make");
}

TEST_F(Cache, AReadOnlyFolderIsReadAndNotWritten) {
  cache.store("key", "value");
  // Root may write to any folder, but not as another user.
  if (geteuid() == 0) {
    std::string kernels = folder.path + "/kernels";
    ASSERT_EQ(chown(folder.path.c_str(), 65534, 65534), 0);
    ASSERT_EQ(chown(kernels.c_str(), 65534, 65534), 0);
    ASSERT_EQ(chown(this->kernels().at(0).c_str(), 65534, 65534), 0);
    ASSERT_EQ(seteuid(65534), 0);
  }
  chmod((folder.path + "/kernels").c_str(), 0500);
  auto loaded = cache.load("key");
  cache.store("second", "value");
  cache.store("third", "value");
  chmod((folder.path + "/kernels").c_str(), 0700);
  if (geteuid() == 65534)
    ASSERT_EQ(seteuid(0), 0);
  EXPECT_EQ(loaded, "value");
  EXPECT_EQ(kernels().size(), 1u);
  expectOneWarning("cannot write");
}

TEST_F(Cache, AFullDiskIsDoneWithout) {
  // A limit on the size of files stands for it: the write fails part of the
  // way, and raises a signal that would end the process.
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit low = {512, before.rlim_max};
  cache.store("key", "value");
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
  cache.store("large", std::string(5000, 'x'));
  cache.store("larger", std::string(6000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(cache.load("large"));
  EXPECT_EQ(cache.load("key"), "value");
  EXPECT_EQ(listFiles(folder.path + "/kernels", "").size(), 1u)
      << "no part of a file is left";
  expectOneWarning("cannot write");
}

TEST_F(Cache, StaleTemporaryFilesAreRemoved) {
  cache.store("key", "value");
  std::string stale = folder.path + "/kernels/.tmp-1-0",
              fresh = folder.path + "/kernels/.tmp-1-1";
  write(stale, "part");
  write(fresh, "part");
  utimbuf old = {1, 1};
  utime(stale.c_str(), &old);
  cache.store("second", "value");
  EXPECT_NE(access(stale.c_str(), F_OK), 0);
  EXPECT_EQ(access(fresh.c_str(), F_OK), 0) << "another process writes it";
}

TEST_F(Cache, ManyThreadsShareAFolder) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      KernelCache own(folder.path + "/kernels", 4000, warnings);
      for (int i = 0; i < 50; ++i) {
        std::string key = "key" + std::to_string((t + i) % 5);
        std::string value(700, static_cast<char>('a' + (t + i) % 5));
        own.store(key, value);
        auto loaded = own.load(key);
        if (loaded && *loaded != value)
          ++wrong;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(given.empty()) << given[0];
}

//===----------------------------------------------------------------------===//
// Whole processes
//===----------------------------------------------------------------------===//

static std::vector<std::string> environment(const TempFolder &folder,
                                            const std::string &compiler) {
  return {"AUTOSAGE_CACHE_DIR=" + folder.path + "/kernels",
          "AUTOSAGE_COMPILER=" + compiler};
}

TEST(KernelCacheProcess, ASecondStartCompilesNothing) {
  for (const char *scenario : {"spmm-cpu", "spmm-simt"}) {
    TempFolder folder;
    Finished first =
        runChild({scenario}, environment(folder, AUTOSAGE_COMPILER_LIBRARY));
    EXPECT_EQ(first.status, 0) << first.out << first.err;
    EXPECT_EQ(first.out, "out 21 30\norigin compiled\ncompiler loaded\n"
                         "driver not loaded\n");
    EXPECT_EQ(first.err, "");
    Finished second =
        runChild({scenario}, environment(folder, "/nowhere/compiler.so"));
    EXPECT_EQ(second.status, 0) << second.out << second.err;
    EXPECT_EQ(second.out, "out 21 30\norigin cache\ncompiler not loaded\n"
                          "driver not loaded\n");
    EXPECT_EQ(second.err, "");
  }
}

TEST(KernelCacheProcess, WithoutCompilerAndCacheThereIsOneClearError) {
  TempFolder folder;
  Finished child =
      runChild({"spmm-cpu"}, environment(folder, "/nowhere/compiler.so"));
  EXPECT_EQ(child.status, 1);
  EXPECT_NE(child.out.find("failed plan: cannot load the compiler"),
            std::string::npos)
      << child.out;
  EXPECT_EQ(std::count(child.out.begin(), child.out.end(), '\n'), 1);
}

TEST(KernelCacheProcess, DamagedKernelsAreCompiledAgain) {
  TempFolder folder;
  auto env = environment(folder, AUTOSAGE_COMPILER_LIBRARY);
  ASSERT_EQ(runChild({"spmm-cpu"}, env).status, 0);
  std::string path = listFiles(folder.path + "/kernels", ".kernel").at(0);
  std::string whole = contentsOf(path);
  whole[whole.size() / 2] ^= 1;
  write(path, whole);
  Finished child = runChild({"spmm-cpu"}, env);
  EXPECT_EQ(child.status, 0) << child.out;
  EXPECT_EQ(child.out.find("out 21 30\norigin compiled"), 0u) << child.out;
  EXPECT_EQ(child.err.find("warning: kernel cache: "), 0u) << child.err;
  EXPECT_EQ(std::count(child.err.begin(), child.err.end(), '\n'), 1);
  EXPECT_EQ(runChild({"spmm-cpu"}, env).out.find("out 21 30\norigin cache"),
            0u);
}

TEST(KernelCacheProcess, SixteenProcessesAtOnce) {
  TempFolder folder;
  auto env = environment(folder, AUTOSAGE_COMPILER_LIBRARY);
  std::vector<Finished> finished(16);
  std::vector<std::thread> threads;
  for (Finished &one : finished)
    threads.emplace_back([&] { one = runChild({"spmm-cpu"}, env); });
  for (std::thread &thread : threads)
    thread.join();
  for (const Finished &one : finished) {
    EXPECT_EQ(one.status, 0) << one.out << one.err;
    EXPECT_EQ(one.out.find("out 21 30\n"), 0u) << one.out;
    EXPECT_EQ(one.err, "");
  }
  EXPECT_EQ(listFiles(folder.path + "/kernels", "").size(), 1u);
  EXPECT_EQ(runChild({"spmm-cpu"}, environment(folder, "/nowhere"))
                .out.find("out 21 30\norigin cache"),
            0u);
}
