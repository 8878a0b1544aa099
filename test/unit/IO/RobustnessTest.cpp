//===- RobustnessTest.cpp - readers on damaged and hostile files ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Truncated and mutated files of every format must give an error or a valid
// graph. The loops are short here; run them under sanitizers to see more.
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define AUTOSAGE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define AUTOSAGE_SANITIZED 1
#endif
#endif

using namespace autosage;
using namespace autosage::io;
using namespace autosage::io::test;

namespace {

struct Sample {
  const char *name;
  Bytes bytes;
};

} // namespace

static std::vector<Sample> graphSamples() {
  Members csr =
      scipyMembers("csr", {2, 4}, {0, 3, 5}, {3, 0, 2, 1, 0}, {1, 2, 3, 4, 5});
  Members csc = scipyMembers("csc", {2, 3}, {0, 1, 2, 3}, {0, 1, 0}, {1, 3, 2});
  Csr small{2, 3, IndexArray(std::vector<int32_t>{0, 2, 3}),
            IndexArray(std::vector<int32_t>{2, 0, 2})};
  const double values[] = {1, 2, 3};
  TempFile extended(".bin");
  EXPECT_TRUE(writeRaw(extended.path(), small.view(), values));
  return {{"coordinate", "%%MatrixMarket matrix coordinate real symmetric\n"
                         "% note\n3 3 3\n1 1 1.5\n2 1 -3e2\n\n3 2 4\n"},
          {"integer", "%%MatrixMarket matrix coordinate integer general\n"
                      "2 2 2\n1 1 77\n2 1 -3\n"},
          {"array", "%%MatrixMarket matrix array real skew-symmetric\n"
                    "3 3\n1\n2.5\n3\n"},
          {"npz", zipOf(csr)},
          {"deflated", zipOf(csr, /*deflated=*/true)},
          {"csc", zipOf(csc)},
          {"zip64", zip64Of(csr)},
          {"plain", rawPlain(2, 3, {0, 2, 3}, {2, 0, 2})},
          {"extended", extended.contents()}};
}

/// Reads the file; what loads must be valid, what fails must say why in one
/// line that begins with the name of the file.
static void expectErrorOrValid(const std::string &path) {
  Result<Graph> graph = readGraph(path);
  if (!graph) {
    ASSERT_EQ(graph.error().compare(0, path.size() + 2, path + ": "), 0)
        << graph.error();
    ASSERT_EQ(graph.error().find('\n'), std::string::npos);
    return;
  }
  ASSERT_TRUE(validate(graph->csr.view()));
  if (graph->values) {
    ASSERT_EQ(static_cast<int64_t>(graph->values->size()), graph->csr.nnz());
  }
}

TEST(Robustness, EveryPrefixOfEveryFormat) {
  for (const Sample &sample : graphSamples()) {
    SCOPED_TRACE(sample.name);
    TempFile file(".txt");
    for (size_t length = 0; length <= sample.bytes.size(); ++length) {
      file.rewrite(std::string_view(sample.bytes).substr(0, length));
      ASSERT_NO_FATAL_FAILURE(expectErrorOrValid(file.path())) << length;
    }
  }
}

TEST(Robustness, EveryPrefixOfAnArray) {
  Bytes bytes = npyF64({1, 2, 3});
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(parseNpy(std::string_view(bytes).substr(0, length), "x.npy"))
        << length;
  EXPECT_TRUE(parseNpy(bytes, "x.npy"));
}

/// Changes, removes or doubles a few bytes.
static Bytes mutate(Bytes bytes, std::mt19937 &random) {
  constexpr std::string_view likely = "0123456789 -+.eE\n%\0\xFF(),'";
  int edits = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < edits && !bytes.empty(); ++i) {
    size_t at = random() % bytes.size();
    switch (random() % 5) {
    case 0:
      bytes[at] = static_cast<char>(random());
      break;
    case 1:
      bytes[at] = likely[random() % likely.size()];
      break;
    case 2:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      break;
    case 3:
      bytes.erase(at, 1 + random() % 4);
      break;
    default:
      bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 8));
      break;
    }
  }
  return bytes;
}

TEST(Robustness, MutatedGraphs) {
  std::mt19937 random(20251);
  for (const Sample &sample : graphSamples()) {
    SCOPED_TRACE(sample.name);
    TempFile file(".mtx");
    for (int i = 0; i < 1000; ++i) {
      file.rewrite(mutate(sample.bytes, random));
      ASSERT_NO_FATAL_FAILURE(expectErrorOrValid(file.path())) << i;
    }
  }
}

TEST(Robustness, MutatedArrays) {
  std::mt19937 random(20252);
  const Bytes samples[] = {
      npyF64({1, 2, 3}), npy("<f2", "(2, 3)", Bytes(12, '\x11'), true),
      npy(">u4", "()", "abcd"),
      npyWithHeader("{'descr': '|b1', 'fortran_order': True, 'shape': (2, 2)}",
                    "abcd", 3)};
  for (const Bytes &sample : samples)
    for (int i = 0; i < 4000; ++i) {
      Result<DenseArray> array = parseNpy(mutate(sample, random), "x.npy");
      if (array) {
        int64_t count = 1;
        for (int64_t extent : array->shape)
          count *= extent;
        ASSERT_EQ(array->size(), count);
      } else {
        ASSERT_EQ(array.error().compare(0, 7, "x.npy: "), 0);
      }
    }
}

TEST(Robustness, PipesAreRead) {
  for (const Sample &sample : graphSamples()) {
    SCOPED_TRACE(sample.name);
    TempFile name(".pipe");
    ASSERT_EQ(::unlink(name.path().c_str()), 0);
    ASSERT_EQ(::mkfifo(name.path().c_str(), 0600), 0);
    std::thread writer(
        [&] { std::ofstream(name.path(), std::ios::binary) << sample.bytes; });
    Graph graph = expectGraph(readGraph(name.path()));
    writer.join();
    EXPECT_GT(graph.csr.nnz(), 0);
  }
}

/// Runs `load` in a child process and returns by how many bytes its peak of
/// resident memory grew, or -1 when it succeeded against expectation.
static int64_t peakGrowthOfFailing(const std::function<bool()> &load) {
  int channel[2];
  if (::pipe(channel) != 0)
    return -1;
  pid_t child = ::fork();
  if (child == 0) {
    auto peak = [] {
      struct rusage usage;
      ::getrusage(RUSAGE_SELF, &usage);
      return static_cast<int64_t>(usage.ru_maxrss) * 1024;
    };
    int64_t before = peak();
    bool loaded = load();
    int64_t growth = loaded ? -1 : peak() - before;
    ssize_t wrote = ::write(channel[1], &growth, sizeof(growth));
    ::_exit(wrote == sizeof(growth) ? 0 : 1);
  }
  int64_t growth = -1;
  ssize_t got = ::read(channel[0], &growth, sizeof(growth));
  ::close(channel[0]);
  ::close(channel[1]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return got == sizeof(growth) ? growth : -1;
}

TEST(Robustness, F16HeadersReserveNoMemory) {
  const Bytes liars[] = {
      "%%MatrixMarket matrix coordinate real general\n"
      "3 3 18446744073709551615\n2 1 4.5\n",
      "%%MatrixMarket matrix coordinate real general\n"
      "3 3 4611686018427387904\n2 1 4.5\n",
      "%%MatrixMarket matrix coordinate real general\n"
      "4611686018427387904 3 1\n2 1 4.5\n",
      "%%MatrixMarket matrix coordinate real general\n"
      "16777215 3 2\n2 1 4.5\n",
      "%%MatrixMarket matrix array real general\n"
      "2147483648 2147483648\n4.5\n",
      zipOf({{"shape.npy", npyI64({1, 1})},
             {"rowptr.npy", npy("<i8", "(1000000000000,)", "abcdefgh")}}),
      zipOfLiars({{"shape.npy", npyI64({1, 1})},
                  {"rowptr.npy", npy("<i8", "(536870880,)", "abcdefgh")}}),
      bytesOf(std::vector<int64_t>{0x31525343, int64_t(1) << 34, 3, 3})};
  for (const Bytes &liar : liars) {
    TempFile file(".mtx", liar);
    auto start = std::chrono::steady_clock::now();
    int64_t growth = peakGrowthOfFailing(
        [&] { return static_cast<bool>(readGraph(file.path())); });
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    EXPECT_GE(growth, 0) << "expects a failure: " << liar.substr(0, 80);
    EXPECT_LT(growth, int64_t(100) << 20) << liar.substr(0, 80);
    EXPECT_LT(seconds.count(), 10.0);
  }
}

TEST(Robustness, MatrixMarketSpeed) {
#if !defined(__OPTIMIZE__) || defined(AUTOSAGE_SANITIZED)
  GTEST_SKIP() << "measured in optimised builds without sanitizers only";
#endif
  std::mt19937 random(3);
  constexpr int64_t rows = 100000, entries = 800000;
  std::string text = "%%MatrixMarket matrix coordinate real general\n";
  text += std::to_string(rows) + " " + std::to_string(rows) + " " +
          std::to_string(entries) + "\n";
  for (int64_t e = 0; e < entries; ++e)
    text += std::to_string(1 + random() % rows) + " " +
            std::to_string(1 + random() % rows) + " 0." +
            std::to_string(random()) + "\n";
  // Processor time, so that a busy machine does not count.
  std::clock_t start = std::clock();
  Graph graph = parse(text);
  double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(graph.csr.nnz(), entries);
  double megabytesPerSecond = static_cast<double>(text.size()) / 1e6 / seconds;
  RecordProperty("megabytes_per_second", std::to_string(megabytesPerSecond));
  // The reader does several times as much; this only catches a collapse.
  EXPECT_GE(megabytesPerSecond, 30.0);
}
