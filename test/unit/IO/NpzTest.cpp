//===- NpzTest.cpp - the .npz reader --------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

#include "autosage/Core/Reference.h"

using namespace autosage;
using namespace autosage::io;
using namespace autosage::io::test;

using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;

static Graph load(const Bytes &bytes) {
  TempFile file(".npz", bytes);
  return expectGraph(readNpz(file.path()));
}
/// The message with the file's own name taken off.
static std::string loadError(const Bytes &bytes) {
  TempFile file(".npz", bytes);
  std::string error = errorOf(readGraph(file.path()));
  EXPECT_EQ(error.substr(0, file.path().size()), file.path());
  return error.substr(file.path().size());
}
static Members replaced(Members members, const std::string &name, Bytes bytes) {
  for (auto &[member, contents] : members)
    if (member == name)
      contents = std::move(bytes);
  return members;
}
static Members without(Members members, const std::string &name) {
  Members out;
  for (auto &member : members)
    if (member.first != name)
      out.push_back(member);
  return out;
}

static Members unsorted() {
  return scipyMembers("csr", {2, 4}, {0, 3, 5}, {3, 0, 2, 1, 0},
                      {1, 2, 3, 4, 5});
}

TEST(Npz, F21UnsortedIndices) {
  Graph graph = load(zipOf(unsorted()));
  const Reals x{1, 10, 100, 1000}, u{1, 2};
  auto check = [&](const Graph &g) {
    EXPECT_EQ(spmm(g, x), (Reals{1302, 45}));
    Reals scores(5);
    reference::sddmm(g.csr.view(), {}, u.data(), x.data(), scores.data(), {});
    EXPECT_EQ(scores, (Reals{1000, 1, 100, 20, 2}));
    EXPECT_EQ(toVector(g.csr.colind), (Ints{3, 0, 2, 1, 0}));
    EXPECT_EQ(*g.values, (Reals{1, 2, 3, 4, 5}));
  };
  check(graph);
  TempFile market(".mtx"), raw(".bin");
  ASSERT_TRUE(
      writeMatrixMarket(market.path(), graph.csr.view(), graph.values->data()));
  check(expectGraph(readGraph(market.path())));
  ASSERT_TRUE(writeRaw(raw.path(), graph.csr.view(), graph.values->data()));
  check(expectGraph(readGraph(raw.path())));
}

TEST(Npz, F22ColumnCompressedIsConverted) {
  Graph graph = load(
      zipOf(scipyMembers("csc", {2, 3}, {0, 1, 2, 3}, {0, 1, 0}, {1, 3, 2})));
  EXPECT_EQ(graph.csr.rows, 2);
  EXPECT_EQ(graph.csr.cols, 3);
  EXPECT_EQ(spmm(graph, {1, 10, 100}), (Reals{201, 30}));
  EXPECT_EQ(graph.notes,
            (std::vector<std::string>{"converted from csc to csr"}));
}

TEST(Npz, OtherFormatsAreRefusedByName) {
  for (const char *format : {"bsr", "coo", "dia", "lil"})
    EXPECT_EQ(loadError(zipOf(scipyMembers(format, {2, 3}, {0}, {}, {}))),
              ": member 'format.npy': format '" + std::string(format) +
                  "' is not supported, expects 'csr' or 'csc'");
}

TEST(Npz, FormatMayBeUnicodeInEitherByteOrder) {
  Bytes little("c\0\0\0s\0\0\0r\0\0\0", 12), big("\0\0\0c\0\0\0s\0\0\0r", 12);
  EXPECT_EQ(
      load(zipOf(replaced(unsorted(), "format.npy", npy("<U3", "()", little))))
          .csr.nnz(),
      5);
  EXPECT_EQ(
      load(zipOf(replaced(unsorted(), "format.npy", npy(">U3", "()", big))))
          .csr.nnz(),
      5);
  EXPECT_EQ(load(zipOf(replaced(unsorted(), "format.npy",
                                npy("|S8", "()", Bytes("csr\0\0\0\0\0", 8)))))
                .csr.nnz(),
            5);
  EXPECT_EQ(loadError(zipOf(replaced(unsorted(), "format.npy", npyI32({1})))),
            ": member 'format.npy': expects one string, got dtype '<i4' with 1 "
            "elements");
}

TEST(Npz, DeflatedAndZip64) {
  EXPECT_EQ(
      spmm(load(zipOf(unsorted(), /*deflated=*/true)), {1, 10, 100, 1000}),
      (Reals{1302, 45}));
  EXPECT_EQ(spmm(load(zip64Of(unsorted())), {1, 10, 100, 1000}),
            (Reals{1302, 45}));
}

TEST(Npz, AdjLayoutAndGeneratorLayout) {
  Graph adj = load(zipOf({{"adj_data.npy", npyF64({2, 3})},
                          {"adj_indices.npy", npyI64({1, 0})},
                          {"adj_indptr.npy", npyI64({0, 1, 2})},
                          {"adj_shape.npy", npyI64({2, 2})},
                          {"labels.npy", "not looked at"}}));
  EXPECT_EQ(toDense(adj), (Reals{0, 2, 3, 0}));
  EXPECT_EQ(adj.csr.rowptr.type(), IndexType::i32);
  Graph generated = load(zipOf({{"rowptr.npy", npyI32({0, 1, 2})},
                                {"colind.npy", npyI32({1, 0})},
                                {"shape.npy", npyI64({2, 2})}}));
  EXPECT_EQ(toDense(generated), (Reals{0, 1, 1, 0}));
  EXPECT_FALSE(generated.values.has_value());
  Graph valued = load(zipOf({{"rowptr.npy", npyI32({0, 1, 2})},
                             {"colind.npy", npyI32({1, 0})},
                             {"shape.npy", npyI64({2, 2})},
                             {"values.npy", npyF64({4, 5})}}));
  EXPECT_EQ(toDense(valued), (Reals{0, 4, 5, 0}));
}

TEST(Npz, IndicesBeyondDoublePrecisionAreExact) {
  const int64_t column = (int64_t(1) << 60) + 1;
  Graph graph = load(zipOf({{"rowptr.npy", npyI64({0, 1})},
                            {"colind.npy", npyI64({column})},
                            {"shape.npy", npyI64({1, column + 1})}}));
  EXPECT_EQ(graph.csr.colind.type(), IndexType::i64);
  EXPECT_EQ(graph.csr.colind[0], column);
}

TEST(Npz, EmptyMatrix) {
  Graph graph = load(zipOf(scipyMembers("csr", {0, 3}, {0}, {}, {})));
  EXPECT_EQ(graph.csr.rows, 0);
  EXPECT_EQ(graph.csr.cols, 3);
  Graph columns = load(zipOf(scipyMembers("csc", {3, 0}, {0}, {}, {})));
  EXPECT_EQ(toVector(columns.csr.rowptr), (Ints{0, 0, 0, 0}));
}

TEST(Npz, DuplicatesAreCounted) {
  Graph graph =
      load(zipOf(scipyMembers("csr", {1, 2}, {0, 3}, {1, 1, 1}, {1, 2, 3})));
  EXPECT_EQ(graph.duplicates, 2);
  EXPECT_EQ(spmm(graph, {0, 1}), Reals{6});
}

TEST(Npz, MembersMustAgree) {
  EXPECT_EQ(
      loadError(zipOf(replaced(unsorted(), "indptr.npy", npyI32({0, 5})))),
      ": member 'indptr.npy': expects 3 positions for 2 rows, got 2");
  EXPECT_EQ(loadError(zipOf(replaced(unsorted(), "data.npy", npyF64({1})))),
            ": member 'data.npy': expects 5 values, one an index, got 1");
  EXPECT_EQ(loadError(zipOf(replaced(unsorted(), "shape.npy", npyI64({4})))),
            ": member 'shape.npy': expects 2 numbers (rows, columns), got 1");
  EXPECT_EQ(
      loadError(zipOf(replaced(unsorted(), "shape.npy", npyI64({-2, 4})))),
      ": member 'shape.npy': row count -2 is out of range");
  EXPECT_EQ(loadError(zipOf(replaced(unsorted(), "indices.npy", npyF64({1})))),
            ": member 'indices.npy': expects integers, got dtype '<f8'");
  EXPECT_EQ(loadError(zipOf(replaced(unsorted(), "indices.npy",
                                     npy("<i4", "(5, 1)", Bytes(20, '\0'))))),
            ": member 'indices.npy': expects 1 dimension, got 2");
  EXPECT_EQ(
      loadError(zipOf(replaced(
          unsorted(), "indices.npy",
          npy("<u8", "(1,)", bytesOf(std::vector<uint64_t>{UINT64_MAX}))))),
      ": member 'indices.npy': element 0 is out of range, got "
      "18446744073709551615");
  EXPECT_EQ(loadError(zipOf(
                replaced(unsorted(), "indices.npy", npyI32({3, 0, 4, 1, 0})))),
            ": entry 2 (row 0): column 4 is outside [0, 4)");
  EXPECT_EQ(
      loadError(zipOf(replaced(unsorted(), "indptr.npy", npyI32({0, 6, 5})))),
      ": rowptr decreases at index 2 (6 -> 5)");
}

TEST(Npz, MissingMembers) {
  EXPECT_EQ(loadError(zipOf(without(unsorted(), "data.npy"))),
            ": member 'data.npy': missing");
  EXPECT_EQ(loadError(zipOf(without(unsorted(), "format.npy"))),
            ": member 'format.npy': missing, expects 'csr' or 'csc'");
  EXPECT_EQ(loadError(zipOf({{"x.npy", npyI32({1})}})),
            ": expects the members of scipy.sparse.save_npz, adj_indptr, "
            "adj_indices and adj_shape, or rowptr, colind and shape, got "
            "'x.npy'");
}

TEST(Npz, ColumnCompressedRowCountMustBeInProportion) {
  EXPECT_EQ(loadError(zipOf(
                scipyMembers("csc", {int64_t(1) << 40, 1}, {0, 1}, {0}, {1}))),
            ": row count 1099511627776 is out of proportion to the size of the "
            "file, expects at most 16777215");
}

TEST(Npz, DamageIsReported) {
  Bytes good = zipOf(unsorted());
  EXPECT_NE(loadError(good.substr(0, good.size() / 2))
                .find("not a readable zip archive"),
            std::string::npos);
  // One bit of the data: the check sum of the member tells.
  Bytes flipped = good;
  flipped[flipped.find("\x93NUMPY") + 130] ^= 1;
  EXPECT_NE(loadError(flipped).find("member 'indices.npy': CRC"),
            std::string::npos);
}
