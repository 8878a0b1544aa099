//===- SharedDataTest.cpp - the readers on real graphs --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers come from the table beside the files, where they were counted by
// another reader. Skipped where the folder is absent.
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>

using namespace autosage;
using namespace autosage::io;
using namespace autosage::io::test;

static std::string dataFolder() {
  const char *fromEnvironment = std::getenv("AUTOSAGE_SHARED_DIR");
  std::string shared = fromEnvironment ? fromEnvironment : AUTOSAGE_SHARED_DIR;
  return shared.empty() ? shared : shared + "/data/";
}

#define SKIP_WITHOUT_DATA()                                                    \
  if (dataFolder().empty() || !std::ifstream(dataFolder() + "README.md"))      \
  GTEST_SKIP() << "the folder of test graphs is absent"

namespace {

struct Expected {
  const char *file;
  int64_t rows, cols, nnz, max;
  bool values;
};

void PrintTo(const Expected &expected, std::ostream *out) {
  *out << expected.file;
}

class WellFormed : public testing::TestWithParam<Expected> {};

} // namespace

TEST_P(WellFormed, MatchesTheTable) {
  SKIP_WITHOUT_DATA();
  const Expected &expected = GetParam();
  Graph graph = expectGraph(readGraph(dataFolder() + expected.file));
  const Csr &csr = graph.csr;
  EXPECT_EQ(csr.rows, expected.rows);
  EXPECT_EQ(csr.cols, expected.cols);
  EXPECT_EQ(csr.nnz(), expected.nnz);
  int64_t longest = 0;
  for (int64_t i = 0; i < csr.rows; ++i)
    longest = std::max(longest, csr.rowptr[i + 1] - csr.rowptr[i]);
  EXPECT_EQ(longest, expected.max);
  EXPECT_EQ(graph.values.has_value(), expected.values);
  EXPECT_EQ(graph.duplicates, 0);
  EXPECT_TRUE(graph.notes.empty());
}

INSTANTIATE_TEST_SUITE_P(
    SharedData, WellFormed,
    testing::Values(Expected{"cora.mtx", 2708, 2708, 13264, 169, true},
                    Expected{"citeseer.mtx", 3327, 3327, 9228, 99, true},
                    Expected{"pubmed.mtx", 19717, 19717, 88651, 171, true},
                    Expected{"p2p-Gnutella31.mtx", 62586, 62586, 147892, 78,
                             true},
                    Expected{"cora.npz", 2708, 2708, 5429, 166, true},
                    Expected{"karate.mtx", 34, 34, 156, 17, false},
                    Expected{"bcsstk13.mtx", 2003, 2003, 83883, 95, true},
                    Expected{"cryg2500.mtx", 2500, 2500, 12349, 5, true},
                    Expected{"n1024-l1.mtx", 1024, 1024, 32768, 32, true},
                    Expected{"test_FW_2003.mtx", 2003, 2003, 23973, 38, true},
                    Expected{"lp_afiro.mtx", 27, 51, 102, 10, true},
                    Expected{"west0067_jumbled.mtx", 67, 67, 294, 6, true},
                    Expected{"empty.mtx", 3, 4, 0, 0, true}),
    [](const auto &info) {
      std::string name = info.param.file;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(c); },
          '_');
      return name;
    });

TEST(SharedData, MalformedFilesAreRefusedWithTheirFault) {
  SKIP_WITHOUT_DATA();
  const std::pair<const char *, const char *> faults[] = {
      {"mangled1", "line 1: expects object 'matrix', got 'mangled'"},
      {"mangled2", "line 1: expects format 'coordinate' or 'array', got "
                   "'mangled'"},
      {"mangled3", "line 1: expects field 'real', 'integer' or 'pattern', got "
                   "'mangled'"},
      {"mangled4", "line 1: expects symmetry 'general', 'symmetric' or "
                   "'skew-symmetric', got 'mangled'"},
      {"mangled5", "line 1: symmetry 'hermitian' is not supported, expects "
                   "general, symmetric or skew-symmetric"},
      {"mangled6", "line 1: symmetry 'hermitian' is not supported, expects "
                   "general, symmetric or skew-symmetric"},
      {"mangled7", "line 5: expects a number as value, got the end of the "
                   "line"},
      {"mangled8", "line 4: expects 3 sizes (rows, columns, entries), got 1"},
      {"mangled9", "line 4: expects a square matrix for this symmetry, got 3 x "
                   "4"},
      {"mangled10", "line 6: expects 3 entries, got 2 (truncated file)"},
      {"mangled11", "line 5: expects a column index, got 'zero'"},
      {"mangled12", "line 5: expects a number as value, got the end of the "
                    "line"},
      {"mangled13", "line 7: column index 9999 is outside [1, 4]; indices are "
                    "1-based"},
      {"mangled15", "line 5: expects the end of the line after a value, got "
                    "'.959'"},
      {"mangled16", "line 5: expects the end of the line after a value, got "
                    "'.959'"},
      {"mangled_format", "line 1: field 'pattern' is not possible in an array "
                         "file, expects real or integer"}};
  for (auto [file, fault] : faults) {
    std::string path = dataFolder() + file + ".mtx";
    EXPECT_EQ(errorOf(readGraph(path)), path + ": " + fault);
  }
}

TEST(SharedData, TypedAndDuplicateFilesLoad) {
  SKIP_WITHOUT_DATA();
  for (const char *file :
       {"bool", "int8", "int16", "int32", "uint8", "uint16", "uint32"}) {
    Graph graph =
        expectGraph(readGraph(dataFolder() + "mangled_" + file + ".mtx"));
    EXPECT_EQ(graph.csr.nnz(), 12) << file;
    EXPECT_EQ(graph.duplicates, 0) << file;
  }
  EXPECT_EQ(expectGraph(readGraph(dataFolder() + "mangled_skew.mtx")).csr.nnz(),
            20);
  Graph twice = expectGraph(readGraph(dataFolder() + "mangled14.mtx"));
  EXPECT_EQ(twice.csr.nnz(), 3);
  EXPECT_EQ(twice.duplicates, 1);
}

TEST(SharedData, RowOrderOfTheArchiveSurvives) {
  SKIP_WITHOUT_DATA();
  Graph graph = expectGraph(readGraph(dataFolder() + "cora.npz"));
  int64_t unsortedRows = 0;
  for (int64_t i = 0; i < graph.csr.rows; ++i) {
    bool sorted = true;
    for (int64_t e = graph.csr.rowptr[i] + 1; e < graph.csr.rowptr[i + 1]; ++e)
      sorted &= graph.csr.colind[e - 1] < graph.csr.colind[e];
    unsortedRows += !sorted;
  }
  EXPECT_EQ(unsortedRows, 731);
}

TEST(SharedData, StoredZerosAreEntries) {
  SKIP_WITHOUT_DATA();
  Graph graph = expectGraph(readGraph(dataFolder() + "p2p-Gnutella31.mtx"));
  EXPECT_EQ(std::count(graph.values->begin(), graph.values->end(), 0.0), 14989);
}

TEST(SharedData, WritersRoundTripEveryGraph) {
  SKIP_WITHOUT_DATA();
  for (const char *file :
       {"cora.mtx", "cora.npz", "karate.mtx", "bcsstk13.mtx", "lp_afiro.mtx"}) {
    Graph graph = expectGraph(readGraph(dataFolder() + file));
    const double *values = graph.values ? graph.values->data() : nullptr;
    TempFile market(".mtx"), raw(".bin");
    ASSERT_TRUE(writeMatrixMarket(market.path(), graph.csr.view(), values));
    ASSERT_TRUE(writeRaw(raw.path(), graph.csr.view(), values));
    for (const TempFile *written : {&market, &raw}) {
      Graph back = expectGraph(readGraph(written->path()));
      EXPECT_EQ(back.csr.cols, graph.csr.cols);
      EXPECT_EQ(toVector(back.csr.rowptr), toVector(graph.csr.rowptr));
      EXPECT_EQ(toVector(back.csr.colind), toVector(graph.csr.colind));
      EXPECT_EQ(back.values, graph.values) << file;
    }
  }
}
