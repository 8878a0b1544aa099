//===- RawTest.cpp - the raw CSR reader and its layouts -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

using namespace autosage;
using namespace autosage::io;
using namespace autosage::io::test;

using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;

static std::string loadError(const Bytes &bytes) {
  TempFile file(".bin", bytes);
  std::string error = errorOf(readGraph(file.path()));
  EXPECT_EQ(error.substr(0, file.path().size()), file.path());
  return error.substr(file.path().size());
}
static Graph load(const Bytes &bytes) {
  TempFile file(".bin", bytes);
  return expectGraph(readRaw(file.path()));
}

/// A header of the extended layout.
static Bytes extended(int64_t rows, int64_t cols, int64_t nnz,
                      uint8_t rowptrBytes, uint8_t colindBytes,
                      uint8_t valueType, uint32_t version = 1,
                      uint8_t flags = 0) {
  Bytes out = bytesOf(Ints{0x32525343, rows, cols, nnz}) +
              bytesOf(std::vector<uint32_t>{version});
  for (uint8_t byte : {rowptrBytes, colindBytes, valueType, flags})
    out += static_cast<char>(byte);
  return out + Bytes(8, '\0');
}

static Graph smallGraph(bool values) {
  Graph graph;
  graph.csr = {2, 3, IndexArray(std::vector<int32_t>{0, 2, 3}),
               IndexArray(std::vector<int32_t>{2, 0, 2})};
  if (values)
    graph.values = Reals{0.1, -2, 1e300};
  return graph;
}

TEST(Raw, PlainLayout) {
  Graph graph = load(rawPlain(2, 3, {0, 2, 3}, {2, 0, 2}));
  EXPECT_EQ(toDense(graph), (Reals{1, 0, 1, 0, 0, 1}));
  EXPECT_EQ(toVector(graph.csr.colind), (Ints{2, 0, 2}));
  EXPECT_FALSE(graph.values.has_value());
}

TEST(Raw, WriterPicksThePlainLayoutWithoutValues) {
  TempFile file(".bin");
  ASSERT_TRUE(writeRaw(file.path(), smallGraph(false).csr.view(), nullptr));
  EXPECT_EQ(file.contents(), rawPlain(2, 3, {0, 2, 3}, {2, 0, 2}));
}

TEST(Raw, WriterPicksTheExtendedLayoutForValues) {
  TempFile file(".bin");
  Graph graph = smallGraph(true);
  ASSERT_TRUE(writeRaw(file.path(), graph.csr.view(), graph.values->data()));
  Bytes pad(4, '\0');
  EXPECT_EQ(file.contents(), extended(2, 3, 3, 4, 4, 2) +
                                 bytesOf(std::vector<int32_t>{0, 2, 3}) + pad +
                                 bytesOf(std::vector<int32_t>{2, 0, 2}) + pad +
                                 bytesOf(Reals{0.1, -2, 1e300}));
  Graph back = expectGraph(readGraph(file.path()));
  EXPECT_EQ(*back.values, *graph.values);
  EXPECT_EQ(toVector(back.csr.colind), (Ints{2, 0, 2}));
}

TEST(Raw, WideColumnsRoundTrip) {
  const int64_t column = int64_t(1) << 40;
  Csr csr{1, column + 1, IndexArray(Ints{0, 2}), IndexArray(Ints{column, 7})};
  TempFile file(".bin");
  ASSERT_TRUE(writeRaw(file.path(), csr.view(), nullptr));
  Graph back = expectGraph(readGraph(file.path()));
  EXPECT_EQ(back.csr.cols, column + 1);
  EXPECT_EQ(toVector(back.csr.colind), (Ints{column, 7}));
  EXPECT_EQ(back.csr.rowptr.type(), IndexType::i32);
  EXPECT_EQ(back.csr.colind.type(), IndexType::i64);
}

TEST(Raw, ExtendedReadsF32ValuesAndWideArrays) {
  Graph graph =
      load(extended(1, 2, 2, 8, 8, 1) + bytesOf(Ints{0, 2}) +
           bytesOf(Ints{1, 0}) + bytesOf(std::vector<float>{1.5f, 2.5f}));
  EXPECT_EQ(*graph.values, (Reals{1.5, 2.5}));
  EXPECT_EQ(graph.csr.rowptr.type(), IndexType::i32);
  EXPECT_EQ(graph.csr.colind.type(), IndexType::i32);
}

TEST(Raw, EmptyGraphs) {
  EXPECT_EQ(load(rawPlain(0, 0, {0}, {})).csr.nnz(), 0);
  EXPECT_EQ(toVector(load(rawPlain(2, 0, {0, 0, 0}, {})).csr.rowptr),
            (Ints{0, 0, 0}));
}

TEST(Raw, LengthMustMatchTheHeader) {
  Bytes good = rawPlain(2, 3, {0, 2, 3}, {2, 0, 2});
  EXPECT_EQ(loadError(good.substr(0, good.size() - 1)),
            ": expects 56 bytes for 2 rows and 3 entries, got 55");
  EXPECT_EQ(loadError(good + "x"),
            ": expects 56 bytes for 2 rows and 3 entries, got 57");
  EXPECT_EQ(loadError(bytesOf(Ints{0x31525343, int64_t(1) << 40, 3, 3})),
            ": expects 4398046511152 bytes for 1099511627776 rows and 3 "
            "entries, got 32");
  EXPECT_EQ(loadError(bytesOf(Ints{0x31525343, INT64_MAX - 1, 3, 3})),
            ": offset 8: 9223372036854775806 rows and 3 entries are out of "
            "range");
  EXPECT_EQ(loadError(bytesOf(Ints{0x31525343, 2, 3, INT64_MAX})),
            ": offset 8: 2 rows and 9223372036854775807 entries are out of "
            "range");
}

TEST(Raw, HeadersThatAreRefused) {
  EXPECT_EQ(loadError(bytesOf(Ints{0x31525343, -1, 3, 3})),
            ": row count -1 is out of range");
  EXPECT_EQ(loadError(bytesOf(Ints{0x31525343, 1, -3, 3})),
            ": column count -3 is out of range");
  EXPECT_EQ(loadError(bytesOf(Ints{0x31525343, 1, 3, -1})),
            ": offset 24: expects an entry count of at least 0, got -1");
  EXPECT_EQ(loadError(bytesOf(Ints{0x31525343, 1, 3})),
            ": offset 24: expects a header of 32 bytes, got the end of the "
            "file");
  EXPECT_EQ(loadError("short"), ": not a raw CSR file, expects a header of 32 "
                                "bytes, got 5");
  EXPECT_EQ(loadError("something else"),
            ": offset 0: not a raw CSR file, expects the magic 'CSR1' or "
            "'CSR2' and 4 zero bytes");
}

TEST(Raw, ExtensionsThatAreRefused) {
  EXPECT_EQ(loadError(extended(0, 0, 0, 4, 4, 0, 2)),
            ": offset 32: expects version 1, got 2");
  EXPECT_EQ(loadError(extended(0, 0, 0, 2, 4, 0)),
            ": offset 36: expects positions of 4 or 8 bytes, got 2");
  EXPECT_EQ(loadError(extended(0, 0, 0, 4, 1, 0)),
            ": offset 37: expects columns of 4 or 8 bytes, got 1");
  EXPECT_EQ(loadError(extended(0, 0, 0, 4, 4, 3)),
            ": offset 38: expects value type 0 (none), 1 (f32) or 2 (f64), got "
            "3");
  EXPECT_EQ(loadError(extended(0, 0, 0, 4, 4, 0, 1, 1)),
            ": offset 39: expects reserved bytes to be 0");
  EXPECT_EQ(loadError(extended(0, 0, 0, 4, 4, 0).substr(0, 40)),
            ": offset 40: expects an extended header of 48 bytes, got the end "
            "of the file");
}

TEST(Raw, ContentsAreValidated) {
  EXPECT_EQ(loadError(rawPlain(2, 3, {0, 2, 3}, {2, 0, 3})),
            ": entry 2 (row 1): column 3 is outside [0, 3)");
  EXPECT_EQ(loadError(rawPlain(2, 3, {0, 4, 3}, {2, 0, 2})),
            ": rowptr decreases at index 2 (4 -> 3)");
  EXPECT_EQ(loadError(rawPlain(2, 3, {1, 2, 3}, {2, 0, 2})),
            ": rowptr: first element is 1, expects 0");
}
