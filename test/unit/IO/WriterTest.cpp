//===- WriterTest.cpp - the Matrix Market and .npy writers ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <sys/stat.h>

using namespace autosage;
using namespace autosage::io;
using namespace autosage::io::test;

using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;

static Csr unsortedPattern() {
  return {3, 4, IndexArray(std::vector<int32_t>{0, 3, 3, 6}),
          IndexArray(std::vector<int32_t>{3, 0, 0, 2, 1, 2})};
}

TEST(Writer, MatrixMarketPattern) {
  TempFile file(".mtx");
  Csr csr = unsortedPattern();
  ASSERT_TRUE(writeMatrixMarket(file.path(), csr.view(), nullptr));
  EXPECT_EQ(file.contents(),
            "%%MatrixMarket matrix coordinate pattern general\n3 4 6\n"
            "1 4\n1 1\n1 1\n3 3\n3 2\n3 3\n");
  Graph back = expectGraph(readGraph(file.path()));
  EXPECT_EQ(toVector(back.csr.rowptr), (Ints{0, 3, 3, 6}));
  EXPECT_EQ(toVector(back.csr.colind), (Ints{3, 0, 0, 2, 1, 2}));
  EXPECT_FALSE(back.values.has_value());
  EXPECT_EQ(back.duplicates, 2);
}

TEST(Writer, MatrixMarketValuesRoundTripExactly) {
  TempFile file(".mtx");
  Csr csr = unsortedPattern();
  const Reals values{0.1,
                     -0.0,
                     std::numeric_limits<double>::denorm_min(),
                     std::numeric_limits<double>::max(),
                     -std::numeric_limits<double>::infinity(),
                     -2.2250738585072014e-308};
  ASSERT_TRUE(writeMatrixMarket(file.path(), csr.view(), values.data()));
  Graph back = expectGraph(readGraph(file.path()));
  ASSERT_EQ(back.values->size(), values.size());
  EXPECT_EQ(std::memcmp(back.values->data(), values.data(),
                        values.size() * sizeof(double)),
            0);
  EXPECT_NE(file.contents().find("\n1 4 0.1\n"), std::string::npos);
}

TEST(Writer, MatrixMarketNaN) {
  TempFile file(".mtx");
  Csr csr{1, 1, IndexArray(std::vector<int32_t>{0, 1}),
          IndexArray(std::vector<int32_t>{0})};
  double nan = std::nan("");
  ASSERT_TRUE(writeMatrixMarket(file.path(), csr.view(), &nan));
  EXPECT_TRUE(std::isnan(expectGraph(readGraph(file.path())).values->at(0)));
}

TEST(Writer, MatrixMarketWideIndicesAndEmpty) {
  TempFile file(".mtx");
  const int64_t column = int64_t(1) << 40;
  Csr csr{1, column + 1, IndexArray(Ints{0, 1}), IndexArray(Ints{column})};
  ASSERT_TRUE(writeMatrixMarket(file.path(), csr.view(), nullptr));
  EXPECT_EQ(expectGraph(readGraph(file.path())).csr.colind[0], column);
  Csr empty{0, 0, IndexArray(std::vector<int32_t>{0}), IndexArray()};
  ASSERT_TRUE(writeMatrixMarket(file.path(), empty.view(), nullptr));
  EXPECT_EQ(expectGraph(readGraph(file.path())).csr.rows, 0);
}

TEST(Writer, InvalidPatternsAreNotWritten) {
  Csr csr{1, 1, IndexArray(std::vector<int32_t>{0, 5}),
          IndexArray(std::vector<int32_t>{0})};
  TempFile file(".mtx", "kept");
  const std::string message =
      file.path() +
      ": cannot write: rowptr: last element is 5, expects nnz = 1";
  EXPECT_EQ(writeMatrixMarket(file.path(), csr.view(), nullptr).error(),
            message);
  EXPECT_EQ(writeRaw(file.path(), csr.view(), nullptr).error(), message);
  EXPECT_EQ(file.contents(), "kept");
}

TEST(Writer, NpyLayoutAndRoundTrip) {
  TempFile file(".npy");
  const Reals values{1, 2.5, -3, 0.1, 5, 6};
  ASSERT_TRUE(writeNpy(file.path(), values.data(), DType::f64, {2, 3}));
  Bytes bytes = file.contents();
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(bytes.size(), 128 + 48u);
  EXPECT_EQ(bytes.substr(10, 59),
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }");
  EXPECT_EQ(bytes[127], '\n');
  Result<DenseArray> back = readNpy(file.path());
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->values, values);
  EXPECT_EQ(back->shape, (Ints{2, 3}));

  const std::vector<float> narrow{0.1f, -7};
  ASSERT_TRUE(writeNpy(file.path(), narrow.data(), DType::f32, {2}));
  back = readNpy(file.path());
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->values, (Reals{0.1f, -7}));
  EXPECT_EQ(back->shape, (Ints{2}));
  EXPECT_EQ(back->dtype, "<f4");
}

TEST(Writer, NpyHalvesAndBrainFloats) {
  TempFile file(".npy");
  const std::vector<uint16_t> half{0x3C00, 0xC000}, brain{0x3F80, 0xC049};
  ASSERT_TRUE(writeNpy(file.path(), half.data(), DType::f16, {2}));
  Result<DenseArray> back = readNpy(file.path());
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->values, (Reals{1, -2}));
  EXPECT_EQ(back->dtype, "<f2");
  ASSERT_TRUE(writeNpy(file.path(), brain.data(), DType::bf16, {2, 1}));
  back = readNpy(file.path());
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->values, (Reals{1, -3.140625}));
  EXPECT_EQ(back->dtype, "<f4");
}

TEST(Writer, NpyScalarsAndEmptyShapes) {
  TempFile file(".npy");
  const double value = 4;
  ASSERT_TRUE(writeNpy(file.path(), &value, DType::f64, {}));
  Result<DenseArray> back = readNpy(file.path());
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->shape, Ints{});
  EXPECT_EQ(back->values, Reals{4});
  ASSERT_TRUE(writeNpy(file.path(), nullptr, DType::f32, {0, 7}));
  back = readNpy(file.path());
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->shape, (Ints{0, 7}));
  EXPECT_EQ(writeNpy(file.path(), nullptr, DType::f32, {-1}).error(),
            file.path() + ": expects extents of at least 0, got -1");
  EXPECT_EQ(
      writeNpy(file.path(), nullptr, DType::f64, {1 << 30, 1 << 30, 8}).error(),
      file.path() + ": the size of the shape is out of range");
}

TEST(Writer, UnwritablePathsAreReported) {
  Csr csr = unsortedPattern();
  const Reals values(6, 1.0);
  const std::string missing = testing::TempDir() + "no-such-folder/x";
  const std::string expected =
      missing + ": cannot write: No such file or directory";
  EXPECT_EQ(writeMatrixMarket(missing, csr.view(), nullptr).error(), expected);
  EXPECT_EQ(writeRaw(missing, csr.view(), nullptr).error(), expected);
  EXPECT_EQ(writeNpy(missing, values.data(), DType::f64, {6}).error(),
            expected);
  EXPECT_EQ(writeRaw(testing::TempDir(), csr.view(), nullptr).error(),
            testing::TempDir() + ": cannot write: Is a directory");
}

TEST(Writer, FullDiskIsReported) {
  struct stat info;
  if (::stat("/dev/full", &info) != 0)
    GTEST_SKIP() << "no /dev/full on this system";
  Csr csr = unsortedPattern();
  const Reals values(6, 1.0);
  const std::string expected =
      "/dev/full: cannot write: No space left on device";
  EXPECT_EQ(writeMatrixMarket("/dev/full", csr.view(), nullptr).error(),
            expected);
  EXPECT_EQ(writeRaw("/dev/full", csr.view(), values.data()).error(), expected);
  EXPECT_EQ(writeNpy("/dev/full", values.data(), DType::f64, {6}).error(),
            expected);
}
