//===- MatrixMarketTest.cpp - the Matrix Market reader --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests whose names begin with a case id (F01) are the handed cases of group
// io-formats; the expected numbers come from there.
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

#include <cmath>
#include <limits>

using namespace autosage;
using namespace autosage::io;
using namespace autosage::io::test;

using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;

/// A coordinate file of one entry, whose value is `text`.
static Result<Graph> oneValue(const std::string &field,
                              const std::string &text) {
  return parseMatrixMarket("%%MatrixMarket matrix coordinate " + field +
                               " general\n1 1 1\n1 1 " + text + "\n",
                           "test.mtx");
}
static double valueOf(const std::string &text) {
  Graph graph = expectGraph(oneValue("real", text));
  return graph.values ? graph.values->at(0) : -99.0;
}

//===----------------------------------------------------------------------===//
// Symmetry
//===----------------------------------------------------------------------===//

TEST(MatrixMarket, F01SymmetricPatternWithDiagonal) {
  Graph graph = parse("%%MatrixMarket matrix coordinate pattern symmetric\n"
                      "3 3 4\n1 1\n2 1\n3 2\n3 3\n");
  EXPECT_EQ(graph.csr.nnz(), 6);
  EXPECT_EQ(toVector(graph.csr.rowptr), (Ints{0, 2, 4, 6}));
  EXPECT_EQ(toVector(graph.csr.colind), (Ints{0, 1, 0, 2, 1, 2}));
  EXPECT_FALSE(graph.values.has_value());
  EXPECT_EQ(graph.duplicates, 0);
  EXPECT_TRUE(graph.notes.empty());
  EXPECT_EQ(spmm(graph, {1, 10, 100}), (Reals{11, 101, 110}));
}

TEST(MatrixMarket, F02SkewSymmetricCoordinates) {
  Graph graph = parse("%%MatrixMarket matrix coordinate real skew-symmetric\n"
                      "3 3 2\n2 1 5.0\n3 1 -2.5\n");
  EXPECT_EQ(toDense(graph), (Reals{0, -5, 2.5, 5, 0, 0, -2.5, 0, 0}));
  EXPECT_EQ(spmm(graph, {1, 10, 100}), (Reals{200, 5, -2.5}));
}

TEST(MatrixMarket, SkewSymmetricRefusesDiagonal) {
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real skew-symmetric\n"
                       "2 2 1\n2 2 1\n"),
            "test.mtx: line 3: entry (2, 2) is on the diagonal, which is zero "
            "in a skew-symmetric matrix");
}

TEST(MatrixMarket, SkewSymmetricPatternIsRefused) {
  EXPECT_EQ(
      parseError("%%MatrixMarket matrix coordinate pattern skew-symmetric\n"
                 "2 2 0\n"),
      "test.mtx: line 1: symmetry 'skew-symmetric' is not possible with field "
      "'pattern', which has no signs");
}

TEST(MatrixMarket, MirrorFollowsItsOriginal) {
  // Row 1 gets the mirror of the first entry, its own entry, then the mirror
  // of the third: the order of the entries in the file.
  Graph graph = parse("%%MatrixMarket matrix coordinate real symmetric\n"
                      "3 3 3\n3 1 1\n1 1 2\n2 1 3\n");
  EXPECT_EQ(toVector(graph.csr.rowptr), (Ints{0, 3, 4, 5}));
  EXPECT_EQ(toVector(graph.csr.colind), (Ints{2, 0, 1, 0, 0}));
  EXPECT_EQ(*graph.values, (Reals{1, 2, 3, 3, 1}));
}

TEST(MatrixMarket, SymmetricNeedsSquare) {
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real symmetric\n"
                       "3 4 0\n"),
            "test.mtx: line 2: expects a square matrix for this symmetry, got "
            "3 x 4");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST(MatrixMarket, F05LargeIntegers) {
  Graph graph = parse("%%MatrixMarket matrix coordinate integer general\n"
                      "2 2 2\n1 1 2147483648\n2 2 16777217\n");
  ASSERT_TRUE(graph.values.has_value());
  EXPECT_EQ(*graph.values, (Reals{2147483648.0, 16777217.0}));
  EXPECT_EQ(static_cast<float>((*graph.values)[0]), 2147483648.0f);
  EXPECT_EQ(static_cast<float>((*graph.values)[1]), 16777216.0f);
}

TEST(MatrixMarket, IntegersAre64BitsWide) {
  Graph graph = expectGraph(oneValue("integer", "-9223372036854775808"));
  EXPECT_EQ(graph.values->at(0), -0x1p63);
  EXPECT_EQ(errorOf(oneValue("integer", "9223372036854775808")),
            "test.mtx: line 3: value '9223372036854775808' is out of range, "
            "expects a 64-bit integer");
  EXPECT_EQ(errorOf(oneValue("integer", "1.5")),
            "test.mtx: line 3: expects an integer as value, got '1.5'");
}

TEST(MatrixMarket, EveryFormOfANumber) {
  EXPECT_EQ(valueOf("1.e5"), 1e5);
  EXPECT_EQ(valueOf("9."), 9.0);
  EXPECT_EQ(valueOf(".25"), 0.25);
  EXPECT_EQ(valueOf("+3"), 3.0);
  EXPECT_EQ(valueOf("-3.1E2"), -310.0);
  EXPECT_EQ(valueOf("1D5"), 1e5);
  EXPECT_EQ(valueOf("-2.5d-1"), -0.25);
  EXPECT_EQ(valueOf("+1D+2"), 100.0);
  EXPECT_EQ(valueOf("0.1"), 0.1);
  EXPECT_EQ(valueOf("inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(valueOf("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(valueOf("nan")));
  EXPECT_TRUE(std::isnan(valueOf("-NaN")));
  EXPECT_EQ(valueOf("5e-324"), 5e-324);
}

TEST(MatrixMarket, TooSmallIsZeroTooLargeIsAnError) {
  EXPECT_EQ(valueOf("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(valueOf("-1e-400")));
  EXPECT_EQ(valueOf("0.0001D-5000"), 0.0);
  for (const char *text : {"1e400", "-1D99999999999999999999", "10000e306"})
    EXPECT_EQ(errorOf(oneValue("real", text)),
              "test.mtx: line 3: value '" + std::string(text) +
                  "' is out of range, expects a double");
}

TEST(MatrixMarket, WhatIsNotANumber) {
  for (const char *text : {"zero", "+-3", "++3", "1.0x", "0x10", "1e", "e5",
                           "D5", "--1", "1,5", "+"})
    EXPECT_EQ(errorOf(oneValue("real", text)),
              "test.mtx: line 3: expects a number as value, got '" +
                  std::string(text) + "'");
  EXPECT_EQ(errorOf(oneValue("real", "")),
            "test.mtx: line 3: expects a number as value, got the end of the "
            "line");
  EXPECT_EQ(errorOf(oneValue("real", "1 2")),
            "test.mtx: line 3: expects the end of the line after an entry, got "
            "'2'");
}

TEST(MatrixMarket, MessagesShowOnlyPrintableText) {
  EXPECT_EQ(errorOf(oneValue("real", "\x01\xFF" + std::string(100, 'x'))),
            "test.mtx: line 3: expects a number as value, got '??" +
                std::string(30, 'x') + "...'");
}

TEST(MatrixMarket, ComplexAndHermitianAreRefusedByName) {
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate complex general\n"
                       "1 1 1\n1 1 2 3\n"),
            "test.mtx: line 1: field 'complex' is not supported, expects real, "
            "integer or pattern");
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real hermitian\n"
                       "1 1 1\n1 1 2\n"),
            "test.mtx: line 1: symmetry 'hermitian' is not supported, expects "
            "general, symmetric or skew-symmetric");
}

//===----------------------------------------------------------------------===//
// Array files
//===----------------------------------------------------------------------===//

TEST(MatrixMarket, F07ArrayIsColumnMajor) {
  Graph graph = parse("%%MatrixMarket matrix array real general\n"
                      "2 3\n1\n2\n3\n4\n0\n6\n");
  EXPECT_EQ(toDense(graph), (Reals{1, 3, 0, 2, 4, 6}));
  EXPECT_EQ(spmm(graph, {1, 10, 100}), (Reals{31, 642}));
  EXPECT_EQ(graph.csr.nnz(), 5);
}

TEST(MatrixMarket, SymmetricArraysHoldTheLowerTriangle) {
  Graph symmetric = parse("%%MatrixMarket matrix array integer symmetric\n"
                          "3 3\n1\n2\n3\n4\n5\n6\n");
  EXPECT_EQ(toDense(symmetric), (Reals{1, 2, 3, 2, 4, 5, 3, 5, 6}));
  Graph skew = parse("%%MatrixMarket matrix array real skew-symmetric\n"
                     "3 3\n1\n2\n3\n");
  EXPECT_EQ(toDense(skew), (Reals{0, -1, -2, 1, 0, -3, 2, 3, 0}));
}

TEST(MatrixMarket, ArrayKeepsNaNAndDropsNegativeZero) {
  Graph graph = parse("%%MatrixMarket matrix array real general\n"
                      "1 2\nnan\n-0.0\n");
  ASSERT_EQ(graph.csr.nnz(), 1);
  EXPECT_TRUE(std::isnan(graph.values->at(0)));
}

TEST(MatrixMarket, ArrayLengthMustMatch) {
  const std::string banner = "%%MatrixMarket matrix array real general\n";
  EXPECT_EQ(parseError(banner + "2 2\n1\n2\n3\n"),
            "test.mtx: line 5: expects 4 values, got 3 (truncated file)");
  EXPECT_EQ(parseError(banner + "1 1\n1\n2\n"),
            "test.mtx: line 4: expects 1 values, got more");
  EXPECT_EQ(parseError(banner + "1 2\n1 2\n"),
            "test.mtx: line 3: expects the end of the line after a value, got "
            "'2'");
  EXPECT_EQ(parseError(banner + "4294967296 4294967296\n1\n"),
            "test.mtx: line 2: an array of 4294967296 x 4294967296 values is "
            "out of range");
}

TEST(MatrixMarket, ArrayOfPatternIsRefused) {
  EXPECT_EQ(parseError("%%MatrixMarket matrix array pattern general\n1 1\n"),
            "test.mtx: line 1: field 'pattern' is not possible in an array "
            "file, expects real or integer");
}

TEST(MatrixMarket, ArrayWithoutValues) {
  Graph graph = parse("%%MatrixMarket matrix array real general\n"
                      "0 4611686018427387904\n");
  EXPECT_EQ(graph.csr.rows, 0);
  EXPECT_EQ(graph.csr.cols, int64_t(1) << 62);
}

//===----------------------------------------------------------------------===//
// Indices and counts
//===----------------------------------------------------------------------===//

TEST(MatrixMarket, F08ZeroBasedIndex) {
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real general\n"
                       "2 2 2\n0 1 1.0\n1 2 1.0\n"),
            "test.mtx: line 3: row index 0 is outside [1, 2]; indices are "
            "1-based");
}

TEST(MatrixMarket, IndicesOutsideTheMatrix) {
  const std::string head = "%%MatrixMarket matrix coordinate pattern general\n"
                           "2 3 1\n";
  EXPECT_EQ(parseError(head + "3 1\n"), "test.mtx: line 3: row index 3 is "
                                        "outside [1, 2]; indices are 1-based");
  EXPECT_EQ(parseError(head + "2 4\n"), "test.mtx: line 3: column index 4 is "
                                        "outside [1, 3]; indices are 1-based");
  EXPECT_EQ(parseError(head + "-1 1\n"), "test.mtx: line 3: row index -1 is "
                                         "outside [1, 2]; indices are 1-based");
  EXPECT_EQ(parseError(head + "1 18446744073709551617\n"),
            "test.mtx: line 3: column index 18446744073709551617 is outside "
            "[1, 3]; indices are 1-based");
  EXPECT_EQ(parseError(head + "1.0 1\n"),
            "test.mtx: line 3: expects a row index, got '1.0'");
  EXPECT_EQ(
      parseError(head + "1\n"),
      "test.mtx: line 3: expects a column index, got the end of the line");
}

TEST(MatrixMarket, F13DuplicatesAreKeptAndCounted) {
  Graph graph = parse("%%MatrixMarket matrix coordinate real general\n"
                      "2 2 4\n1 1 1\n1 1 2\n2 1 4\n2 2 0\n");
  EXPECT_EQ(spmm(graph, {1, 10}), (Reals{3, 4}));
  EXPECT_EQ(graph.csr.nnz(), 4);
  EXPECT_EQ(*graph.values, (Reals{1, 2, 4, 0}));
  EXPECT_EQ(graph.duplicates, 1);
  EXPECT_EQ(graph.notes, (std::vector<std::string>{
                             "1 duplicate entry kept as a separate edge"}));
}

TEST(MatrixMarket, DuplicatesByMirroringAreCounted) {
  Graph graph = parse("%%MatrixMarket matrix coordinate pattern symmetric\n"
                      "2 2 2\n1 2\n2 1\n");
  EXPECT_EQ(graph.duplicates, 2);
  EXPECT_EQ(graph.notes, (std::vector<std::string>{
                             "2 duplicate entries kept as separate edges"}));
}

TEST(MatrixMarket, F14FewerEntriesThanAnnounced) {
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real general\n"
                       "3 3 5\n1 1 1.0\n2 2 1.0\n3 3 1.0\n"),
            "test.mtx: line 5: expects 5 entries, got 3 (truncated file)");
}

TEST(MatrixMarket, MoreEntriesThanAnnounced) {
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real general\n"
                       "3 3 2\n1 1 1.0\n2 2 1.0\n\n3 3 1.0\n"),
            "test.mtx: line 6: expects 2 entries, got more");
}

TEST(MatrixMarket, F16EntryCountOutOfRange) {
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real general\n"
                       "3 3 18446744073709551615\n2 1 4.5\n"),
            "test.mtx: line 2: entry count 18446744073709551615 is out of "
            "range");
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real general\n"
                       "3 3 9223372036854775806\n2 1 4.5\n"),
            "test.mtx: line 3: expects 9223372036854775806 entries, got 1 "
            "(truncated file)");
}

TEST(MatrixMarket, SizesMustBeCounts) {
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(
      parseError(banner + "3\n"),
      "test.mtx: line 2: expects 3 sizes (rows, columns, entries), got 1");
  EXPECT_EQ(parseError(banner + "3 3 1 1\n"),
            "test.mtx: line 2: expects the end of the line after the sizes, "
            "got '1'");
  EXPECT_EQ(parseError(banner + "-3 3 0\n"),
            "test.mtx: line 2: row count -3 is out of range");
  EXPECT_EQ(parseError(banner + "3 x 0\n"),
            "test.mtx: line 2: expects an integer as column count in the size "
            "line, got 'x'");
  EXPECT_EQ(parseError(banner + "9223372036854775807 3 0\n"),
            "test.mtx: line 2: row count 9223372036854775807 is out of range");
}

TEST(MatrixMarket, RowCountMustBeInProportion) {
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real general\n"
                       "4611686018427387904 3 1\n2 1 4.5\n"),
            "test.mtx: row count 4611686018427387904 is out of proportion to "
            "the size of the file, expects at most 16777215");
  Graph tall = parse("%%MatrixMarket matrix coordinate pattern general\n"
                     "16777215 1 1\n16777215 1\n");
  EXPECT_EQ(tall.csr.rowptr[16777215], 1);
}

TEST(MatrixMarket, WideMatricesHave64BitColumns) {
  Graph graph = parse("%%MatrixMarket matrix coordinate real general\n"
                      "2 1099511627776 2\n2 1099511627776 7\n1 1 8\n");
  EXPECT_EQ(graph.csr.colind.type(), IndexType::i64);
  EXPECT_EQ(graph.csr.rowptr.type(), IndexType::i32);
  EXPECT_EQ(toVector(graph.csr.colind), (Ints{0, 1099511627775}));
  EXPECT_EQ(*graph.values, (Reals{8, 7}));
}

TEST(MatrixMarket, F18EmptyMatrices) {
  Graph first = parse("%%MatrixMarket matrix coordinate real general\n3 4 0\n");
  EXPECT_EQ(toVector(first.csr.rowptr), (Ints{0, 0, 0, 0}));
  EXPECT_EQ(spmm(first, Reals(8, 1.0), 2), Reals(6, 0.0));
  Graph second =
      parse("%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  EXPECT_EQ(second.csr.rows, 0);
  EXPECT_EQ(second.csr.cols, 0);
  EXPECT_EQ(toVector(second.csr.rowptr), (Ints{0}));
}

TEST(MatrixMarket, F25DeclaredSizesAreKept) {
  Graph graph = parse("%%MatrixMarket matrix coordinate pattern general\n"
                      "5 6 2\n1 1\n3 2\n");
  EXPECT_EQ(graph.csr.rows, 5);
  EXPECT_EQ(graph.csr.cols, 6);
  EXPECT_EQ(toVector(graph.csr.rowptr), (Ints{0, 1, 1, 2, 2, 2}));
  EXPECT_EQ(spmm(graph, Reals(6, 1.0)), (Reals{1, 0, 1, 0, 0}));
}

//===----------------------------------------------------------------------===//
// Layout of the text
//===----------------------------------------------------------------------===//

TEST(MatrixMarket, F10FreeFormLayout) {
  Graph graph = parse("%%MatrixMarket  MATRIX   Coordinate Real General\n"
                      "%\n% a comment\n\n   2  2   3\n\n1 1   1.0\n"
                      "\t2 1  -3.1E2\n\n2   2  9.\n\n");
  EXPECT_EQ(toDense(graph), (Reals{1, 0, -310, 9}));
  EXPECT_EQ(graph.csr.nnz(), 3);
}

TEST(MatrixMarket, F11LineEndsAndMarks) {
  const std::string text = "%%MatrixMarket matrix coordinate real general\r\n"
                           "2 2 1\r\n1 2 3.5\r\n";
  for (const std::string &variant :
       {text,
        std::string(" %%MatrixMarket matrix coordinate real general\n"
                    "2 2 1\n1 2 3.5"),
        "\xEF\xBB\xBF" + text, "\xEF\xBB\xBF \r\n" + text}) {
    EXPECT_EQ(toDense(parse(variant)), (Reals{0, 3.5, 0, 0})) << variant;
    TempFile file(".txt", variant);
    EXPECT_EQ(toDense(expectGraph(readGraph(file.path()))),
              (Reals{0, 3.5, 0, 0}));
  }
}

TEST(MatrixMarket, CommentsAmongEntriesAndGraphBlasLine) {
  Graph graph = parse("%%matrixmarket matrix coordinate double general\n"
                      "%%GraphBLAS type int8_t\n2 2 2\n1 1 300\n% note\n"
                      "  %% another\n2 2 400\n% last");
  EXPECT_EQ(toDense(graph), (Reals{300, 0, 0, 400}));
}

TEST(MatrixMarket, BannerWords) {
  EXPECT_EQ(parseError("%%MatrixMarket vector coordinate real general\n"),
            "test.mtx: line 1: expects object 'matrix', got 'vector'");
  EXPECT_EQ(parseError("%%MatrixMarket matrix csr real general\n"),
            "test.mtx: line 1: expects format 'coordinate' or 'array', got "
            "'csr'");
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate float general\n"),
            "test.mtx: line 1: expects field 'real', 'integer' or 'pattern', "
            "got 'float'");
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real upper\n"),
            "test.mtx: line 1: expects symmetry 'general', 'symmetric' or "
            "'skew-symmetric', got 'upper'");
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate\n"),
            "test.mtx: line 1: expects the banner '%%MatrixMarket matrix "
            "FORMAT FIELD SYMMETRY', got 2 of the 4 words");
  EXPECT_EQ(parseError("%%MatrixMarket matrix coordinate real general x\n"),
            "test.mtx: line 1: expects the end of the line after the banner, "
            "got 'x'");
}

//===----------------------------------------------------------------------===//
// Files that are none
//===----------------------------------------------------------------------===//

TEST(ReadGraph, F19WrongFiles) {
  TempFile empty(".mtx", "");
  EXPECT_EQ(errorOf(readGraph(empty.path())), empty.path() + ": empty file");
  TempFile banner(".mtx", "%%MatrixMarket matrix coordinate real general\n");
  EXPECT_EQ(errorOf(readGraph(banner.path())),
            banner.path() + ": line 1: missing size line, expects 3 sizes "
                            "(rows, columns, entries)");
  TempFile comments(".mtx", "%%MatrixMarket matrix array real general\n"
                            "% one\n% two\n");
  EXPECT_EQ(errorOf(readGraph(comments.path())),
            comments.path() +
                ": line 3: missing size line, expects 2 sizes (rows, columns)");
  TempFile image(".mtx", std::string_view("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16));
  EXPECT_EQ(errorOf(readGraph(image.path())),
            image.path() + ": line 1: not a MatrixMarket file, expects it to "
                           "start with '%%MatrixMarket'");
  EXPECT_EQ(errorOf(readGraph(testing::TempDir())),
            testing::TempDir() + ": is a directory");
  EXPECT_EQ(errorOf(readGraph("no-such-file.mtx")),
            "no-such-file.mtx: no such file");
}

TEST(ReadGraph, ContentComesBeforeExtension) {
  TempFile text(".npz", "%%MatrixMarket matrix coordinate pattern general\n"
                        "1 1 1\n1 1\n");
  EXPECT_EQ(expectGraph(readGraph(text.path())).csr.nnz(), 1);
  TempFile binary(".mtx", rawPlain(1, 2, {0, 2}, {1, 0}));
  EXPECT_EQ(toVector(expectGraph(readGraph(binary.path())).csr.colind),
            (Ints{1, 0}));
  TempFile archive(".bin",
                   zipOf(scipyMembers("csr", {1, 1}, {0, 1}, {0}, {5})));
  EXPECT_EQ(*expectGraph(readGraph(archive.path())).values, Reals{5});
}

TEST(ReadGraph, OtherContents) {
  TempFile array(".npz", npyF64({1, 2}));
  EXPECT_EQ(errorOf(readGraph(array.path())),
            array.path() + ": expects a graph, got a .npy array");
  TempFile zipped(".mtx", "\x1F\x8B\x08");
  EXPECT_EQ(errorOf(readGraph(zipped.path())),
            zipped.path() + ": expects an uncompressed file, got gzip");
  TempFile other(".txt", "hello");
  EXPECT_EQ(errorOf(readGraph(other.path())),
            other.path() +
                ": unknown format, expects Matrix Market, .npz or raw CSR");
  EXPECT_EQ(errorOf(readGraph("/dev/zero")),
            "/dev/zero: expects a regular file or a pipe");
}
