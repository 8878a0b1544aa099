//===- MatrixTest.cpp - ldmatrix, stmatrix, mma ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts here are written out from the formulas of the PTX manual
// ("Matrix Fragments for mma.m16n8k16 with floating point type" and others).
//
//===----------------------------------------------------------------------===//

#include "TestGrid.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace autosage::simt_test;

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

static void ldmatrixKernel(void *const *args) {
  auto *out = arg<uint32_t>(args, 0);
  int32_t mode = *arg<int32_t>(args, 1); // bit 0: transposed
  // 32 rows of 8 elements, 24 elements apart; element = 100 row + column.
  auto *tile =
      static_cast<uint16_t *>(autosage_simt_shared(0, 32 * 24 * 2, "tile"));
  for (uint32_t c = 0; c < 8; ++c)
    store(tile + lane() * 24 + c, static_cast<uint16_t>(100 * lane() + c),
          SITE);
  autosage_simt_syncwarp(~0u, SITE);
  autosage_simt_ldmatrix(tile + lane() * 24, 4, mode & 1, out + 4 * lane(), all,
                         SITE);
}

TEST(SimtMatrix, LdmatrixLayout) {
  for (int32_t transposed : {0, 1}) {
    std::vector<uint32_t> out(128);
    ASSERT_EQ(
        launch(ldmatrixKernel, {1}, {32}, {out.data(), &transposed}).message,
        "");
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t matrix = 0; matrix < 4; ++matrix)
        for (uint32_t half = 0; half < 2; ++half) {
          uint32_t r = lane / 4, c = 2 * (lane % 4) + half;
          uint32_t row = transposed ? c : r, column = transposed ? r : c;
          uint32_t value = out[4 * lane + matrix] >> (16 * half) & 0xffff;
          EXPECT_EQ(value, 100 * (8 * matrix + row) + column);
        }
  }
}

static void stmatrixKernel(void *const *args) {
  auto *out = arg<uint16_t>(args, 0);
  auto *tile =
      static_cast<uint16_t *>(autosage_simt_shared(0, 16 * 8 * 2, "tile"));
  uint32_t registers[2];
  for (uint32_t m = 0; m < 2; ++m)
    registers[m] = (1000 * m + 2 * lane()) | (1000 * m + 2 * lane() + 1) << 16;
  autosage_simt_stmatrix(tile + lane() % 16 * 8, 2, 0, registers, all, SITE);
  autosage_simt_syncwarp(~0u, SITE);
  for (uint32_t i = 0; i < 4; ++i)
    out[4 * lane() + i] = load(tile + 4 * lane() + i, SITE);
}

TEST(SimtMatrix, StmatrixLayout) {
  std::vector<uint16_t> out(128);
  ASSERT_EQ(launch(stmatrixKernel, {1}, {32}, {out.data()}).message, "");
  for (uint32_t i = 0; i < 128; ++i)
    EXPECT_EQ(out[i], 1000 * (i / 64) + i % 64);
}

static void partOfAWarp(void *const *) {
  uint32_t registers[4];
  autosage_simt_ldmatrix(nullptr, 4, 0, registers, 0, SITE);
}

TEST(SimtMatrix, NeedsAllLanes) {
  Outcome outcome = launch(partOfAWarp, {1}, {24}, {});
  EXPECT_EQ(outcome.code, AUTOSAGE_SIMT_COLLECTIVE);
  EXPECT_NE(outcome.message.find("ldmatrix expects all 32 lanes, got 24"),
            std::string::npos)
      << outcome.message;
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

namespace {
struct Mma {
  int32_t type, k, half;
  uint32_t a[32][4], b[32][2], c[32][4], d[32][4];
};
} // namespace

static void mmaKernel(void *const *args) {
  auto *m = arg<Mma>(args, 0);
  uint32_t l = lane();
  autosage_simt_mma(m->type, m->k, m->half, m->a[l], m->b[l], m->c[l], m->d[l],
                    SITE);
}

/// Small integers and halves: exact in every type, and so are their sums.
static double draw(std::mt19937 &random) {
  return (static_cast<int>(random() % 33) - 16) / 2.0;
}

static uint32_t bitsOf(int32_t type, double value) {
  auto f = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  if (type == 2)
    return bits | 0x1fff; // the low bits of tf32 are not read
  if (type == 1)
    return bits >> 16;
  if (f == 0)
    return 0;
  // f16 from its definition: 1 sign, 5 exponent bits with bias 15, 10 others.
  int exponent = 0;
  double fraction = std::frexp(std::fabs(value), &exponent); // [0.5, 1)
  auto mantissa = static_cast<uint32_t>((fraction * 2 - 1) * 1024);
  return (value < 0 ? 0x8000u : 0u) |
         static_cast<uint32_t>(exponent - 1 + 15) << 10 | mantissa;
}

static double halfValue(uint32_t h) {
  double magnitude =
      (h >> 10 & 31) == 0
          ? std::ldexp(h & 1023, -24)
          : std::ldexp(1024 + (h & 1023), static_cast<int>(h >> 10 & 31) - 25);
  return h & 0x8000 ? -magnitude : magnitude;
}

static void checkMma(int32_t type, int32_t k, int32_t half) {
  std::mt19937 random(static_cast<unsigned>(type * 100 + k + half));
  double a[16][16] = {}, b[16][8] = {}, c[16][8];
  for (auto &row : a)
    for (double &v : row)
      v = draw(random);
  for (auto &row : b)
    for (double &v : row)
      v = draw(random);
  for (auto &row : c)
    for (double &v : row)
      v = draw(random);
  Mma m = {};
  m.type = type;
  m.k = k;
  m.half = half;
  for (int lane = 0; lane < 32; ++lane) {
    int group = lane >> 2, in = lane % 4;
    if (type == 2) {
      // row = group for a0, a2, else group + 8; col = in for a0, a1, else in +
      // 4
      for (int i = 0; i < k / 2; ++i)
        m.a[lane][i] = bitsOf(
            type, a[i == 0 || i == 2 ? group : group + 8][i < 2 ? in : in + 4]);
      for (int i = 0; i < k / 4; ++i)
        m.b[lane][i] = bitsOf(type, b[i == 0 ? in : in + 4][group]);
    } else {
      for (int i = 0; i < k / 2; ++i) {
        bool upper = k == 16 ? (i < 2 || (i >= 4 && i < 6)) : i < 2;
        int row = upper ? group : group + 8;
        int column = in * 2 + (i & 1) + (i >= 4 ? 8 : 0);
        m.a[lane][i / 2] |= bitsOf(type, a[row][column]) << (16 * (i & 1));
      }
      for (int i = 0; i < k / 4; ++i) {
        int row = in * 2 + (i & 1) + (i >= 2 ? 8 : 0);
        m.b[lane][i / 2] |= bitsOf(type, b[row][group]) << (16 * (i & 1));
      }
    }
    for (int i = 0; i < 4; ++i) {
      double value = c[i < 2 ? group : group + 8][in * 2 + (i & 1)];
      if (half)
        m.c[lane][i / 2] |= bitsOf(0, value) << (16 * (i & 1));
      else {
        auto f = static_cast<float>(value);
        std::memcpy(&m.c[lane][i], &f, 4);
      }
    }
  }
  ASSERT_EQ(launch(mmaKernel, {1}, {32}, {&m}).message, "");
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      int row = (lane >> 2) + (i < 2 ? 0 : 8), column = lane % 4 * 2 + (i & 1);
      double want = c[row][column];
      for (int p = 0; p < k; ++p)
        want += a[row][p] * b[p][column];
      double got = 0;
      if (half) {
        got = halfValue(m.d[lane][i / 2] >> (16 * (i & 1)) & 0xffff);
      } else {
        float f;
        std::memcpy(&f, &m.d[lane][i], 4);
        got = f;
      }
      // Multiples of 1/4 below 2^10 + 8: exact in f32; f16 has 11 bits.
      double tolerance = half ? std::ldexp(std::fabs(want), -11) : 0;
      EXPECT_LE(std::fabs(got - want), tolerance)
          << "type " << type << ", k " << k << ", row " << row << ", column "
          << column;
    }
}

TEST(SimtMatrix, MmaOfEveryTypeIsExact) {
  for (int32_t type : {0, 1})
    for (int32_t k : {8, 16})
      checkMma(type, k, 0);
  for (int32_t k : {4, 8})
    checkMma(2, k, 0);
}

TEST(SimtMatrix, MmaWithHalfAccumulators) {
  checkMma(0, 8, 1);
  checkMma(0, 16, 1);
}
