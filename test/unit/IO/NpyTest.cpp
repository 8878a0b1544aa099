//===- NpyTest.cpp - the .npy reader --------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::io;
using namespace autosage::io::test;

using Reals = std::vector<double>;
using Shape = std::vector<int64_t>;

static DenseArray expectArray(std::string_view bytes) {
  Result<DenseArray> array = parseNpy(bytes, "test.npy");
  if (array)
    return std::move(*array);
  ADD_FAILURE() << "expects an array, got the error: " << array.error();
  return {};
}
static std::string errorOfBytes(std::string_view bytes) {
  return errorOf(parseNpy(bytes, "test.npy"));
}
/// Reads `values` as stored, then with all bytes swapped and the other order.
template <typename T>
static void expectBothOrders(const std::string &kind,
                             const std::vector<T> &values) {
  Reals expected(values.begin(), values.end());
  std::string shape = "(" + std::to_string(values.size()) + ",)";
  EXPECT_EQ(expectArray(npy("<" + kind, shape, bytesOf(values))).values,
            expected)
      << kind;
  std::vector<T> swapped = values;
  for (T &value : swapped) {
    auto *bytes = reinterpret_cast<char *>(&value);
    std::reverse(bytes, bytes + sizeof(T));
  }
  EXPECT_EQ(expectArray(npy(">" + kind, shape, bytesOf(swapped))).values,
            expected)
      << kind;
}

TEST(Npy, EveryTypeInBothByteOrders) {
  expectBothOrders<int8_t>("i1", {-128, 127, 0});
  expectBothOrders<uint8_t>("u1", {255, 1});
  expectBothOrders<int16_t>("i2", {-32768, 258});
  expectBothOrders<uint16_t>("u2", {65535, 258});
  expectBothOrders<int32_t>("i4", {INT32_MIN, 16909060});
  expectBothOrders<uint32_t>("u4", {UINT32_MAX, 16909060});
  expectBothOrders<int64_t>("i8", {INT64_MIN, 1 << 20});
  expectBothOrders<uint64_t>("u8", {uint64_t(1) << 63, 5});
  expectBothOrders<float>("f4", {1.5f, -3.25e30f});
  expectBothOrders<double>("f8", {0.1, -1e300});
}

TEST(Npy, HalfPrecision) {
  std::vector<uint16_t> bits{0x3C00, 0xC000, 0x0001, 0x7BFF,
                             0x7C00, 0xFC00, 0x8000, 0x3555};
  DenseArray array = expectArray(npy("<f2", "(8,)", bytesOf(bits)));
  EXPECT_EQ(array.values,
            (Reals{1, -2, 0x1p-24, 65504, HUGE_VAL, -HUGE_VAL, 0, 0x1.554p-2}));
  EXPECT_TRUE(std::signbit(array.values[6]));
  EXPECT_TRUE(std::isnan(
      expectArray(npy("<f2", "()", bytesOf(std::vector<uint16_t>{0x7E00})))
          .values[0]));
}

TEST(Npy, BoolsAreZeroAndOne) {
  for (const char *descr : {"|b1", "?", "|?"})
    EXPECT_EQ(expectArray(npy(descr, "(3,)", std::string("\0\1\2", 3))).values,
              (Reals{0, 1, 1}));
}

TEST(Npy, ShapesAndDType) {
  DenseArray scalar = expectArray(npy("<f8", "()", bytesOf(Reals{2.5})));
  EXPECT_EQ(scalar.shape, Shape{});
  EXPECT_EQ(scalar.values, Reals{2.5});
  EXPECT_EQ(scalar.dtype, "<f8");
  DenseArray empty = expectArray(npy("<f4", "(0, 5)", ""));
  EXPECT_EQ(empty.shape, (Shape{0, 5}));
  EXPECT_EQ(empty.size(), 0);
  DenseArray strange = expectArray(
      npy("<f4", "(4611686018427387904, 4611686018427387904, 0)", "", true));
  EXPECT_EQ(strange.size(), 0);
}

TEST(Npy, FortranOrderBecomesCOrder) {
  // Element (i, j, k) of a 2x3x2 array holds 100 i + 10 j + k.
  Reals stored, expected;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        stored.push_back(100 * i + 10 * j + k);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k)
        expected.push_back(100 * i + 10 * j + k);
  DenseArray array =
      expectArray(npy("<f8", "(2, 3, 2)", bytesOf(stored), true));
  EXPECT_EQ(array.values, expected);
  EXPECT_EQ(array.shape, (Shape{2, 3, 2}));
}

TEST(Npy, VersionsAndSpacing) {
  const std::string data = bytesOf(Reals{7});
  for (int version : {1, 2, 3})
    EXPECT_EQ(expectArray(npyWithHeader("{'descr': '<f8', 'fortran_order': "
                                        "False, 'shape': (1,), }\n",
                                        data, version))
                  .values,
              Reals{7});
  EXPECT_EQ(expectArray(npyWithHeader("{\"shape\":(1L,),\"descr\":\"<f8\" , "
                                      "\"fortran_order\" :True}",
                                      data))
                .values,
            Reals{7});
  EXPECT_EQ(errorOfBytes(npyWithHeader("{}", "", 4)),
            "test.npy: offset 6: expects .npy version 1.0, 2.0 or 3.0, got "
            "4.0");
}

TEST(Npy, TypesThatAreRefused) {
  const std::string prefix = "test.npy: offset 10: bad .npy header: ";
  EXPECT_EQ(errorOfBytes(npy("|O", "(1,)", "x")),
            prefix + "object arrays are not supported, they hold pickled "
                     "Python objects");
  EXPECT_EQ(errorOfBytes(npy("<c16", "()", std::string(16, '\0'))),
            prefix + "complex arrays are not supported, got dtype '<c16'");
  for (const char *descr : {"<f16", "<M8", "|V4", "<i3", "", "<", "f", "<f4x",
                            "<i99999999999999999999"})
    EXPECT_EQ(errorOfBytes(npy(descr, "()", "")),
              prefix + "dtype '" + descr +
                  "' is not supported, expects bool, integers, f16, f32, "
                  "f64 or bf16 (V2)");
  EXPECT_EQ(errorOfBytes(npy("<U2", "()", std::string(8, '\0'))),
            "test.npy: expects numbers, got dtype '<U2'");
}

TEST(Npy, HeadersThatAreRefused) {
  auto headerError = [](const std::string &header) {
    std::string error = errorOfBytes(npyWithHeader(header, ""));
    const std::string prefix = "test.npy: offset 10: bad .npy header: ";
    EXPECT_EQ(error.substr(0, prefix.size()), prefix);
    return error.substr(prefix.size());
  };
  EXPECT_EQ(headerError("import os"), "expects '{'");
  EXPECT_EQ(headerError("{'descr': '<f8', 'shape': ()}"),
            "key 'fortran_order' is missing");
  EXPECT_EQ(headerError("{'descr': '<f8', 'descr': '<f8'}"),
            "key 'descr' occurs twice");
  EXPECT_EQ(headerError("{'extra': 1}"),
            "expects the keys descr, fortran_order and shape, got 'extra'");
  EXPECT_EQ(headerError("{'descr': [('a', '<f8')]}"),
            "structured arrays are not supported");
  EXPECT_EQ(headerError("{'shape': (3)}"),
            "expects shape to be a tuple, got a number");
  EXPECT_EQ(headerError("{'shape': (1 2)}"), "expects ',' or ')' in shape");
  EXPECT_EQ(headerError("{'shape': (-1,)}"),
            "expects extents of at least 0 in shape, got -1");
  EXPECT_EQ(headerError("{'shape': (99999999999999999999,)}"),
            "an extent of shape is out of range");
  EXPECT_EQ(headerError("{'fortran_order': 0}"),
            "expects fortran_order to be True or False");
  EXPECT_EQ(headerError("{'shape': (1,)} x"), "expects nothing after '}'");
  EXPECT_EQ(headerError("{'shape': (1,) 'x'"),
            "expects ',' or '}' after the value of 'shape'");
}

TEST(Npy, DataMustMatchTheShape) {
  EXPECT_EQ(errorOfBytes(npy("<f8", "(2,)", std::string(15, '\0'))),
            "test.npy: offset 128: expects 16 bytes of data, got 15");
  EXPECT_EQ(errorOfBytes(npy("<f8", "(2,)", std::string(24, '\0'))),
            "test.npy: offset 128: expects 16 bytes of data, got 24");
  EXPECT_EQ(errorOfBytes(npy("<f8", "(4294967296, 4294967296)", "")),
            "test.npy: offset 10: bad .npy header: the size of shape is out of "
            "range");
  EXPECT_EQ(errorOfBytes(npy("<f8", "(1152921504606846976, 2)", "")),
            "test.npy: offset 10: bad .npy header: the size of shape is out of "
            "range");
  EXPECT_EQ(errorOfBytes(npy("<f4", "(1152921504606846976,)", "abcd")),
            "test.npy: offset 128: expects 4611686018427387904 bytes of data, "
            "got 4");
}

TEST(Npy, FilesThatAreNone) {
  EXPECT_EQ(errorOfBytes(""), "test.npy: empty file");
  EXPECT_EQ(errorOfBytes("PK\x03\x04"),
            "test.npy: offset 0: not a .npy array, expects the magic "
            "\\x93NUMPY");
  EXPECT_EQ(errorOf(readNpy("no-such-file.npy")),
            "no-such-file.npy: no such file");
  TempFile file(".npy", npyF64({1, 2}));
  Result<DenseArray> array = readNpy(file.path());
  ASSERT_TRUE(array) << array.error();
  EXPECT_EQ(array->values, (Reals{1, 2}));
}
