//===- CollectiveTest.cpp - shuffles, votes, matches, reductions ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGrid.h"

#include <cmath>
#include <cstring>

using namespace autosage::simt_test;

namespace {
struct Shuffle {
  int32_t kind;
  uint32_t offset, clamp;
  uint32_t value[32];
  uint8_t valid[32];
};
} // namespace

static void shuffleKernel(void *const *args) {
  auto *s = arg<Shuffle>(args, 0);
  uint8_t valid = 2;
  s->value[lane()] = autosage_simt_shuffle(s->kind, ~0u, 100 + lane(),
                                           s->offset, s->clamp, &valid, SITE);
  s->valid[lane()] = valid;
}

/// The pseudo code of the PTX manual's shfl.sync, line by line.
static void manualShuffle(const Shuffle &s, int lane, int &j, bool &p) {
  int bval = static_cast<int>(s.offset & 0x1f);
  int cval = static_cast<int>(s.clamp & 0x1f);
  int mask = static_cast<int>((s.clamp >> 8) & 0x1f);
  int maxLane = (lane & mask) | (cval & ~mask);
  int minLane = (lane & mask);
  switch (s.kind) {
  case 1:
    j = lane - bval;
    p = (j >= maxLane);
    break;
  case 2:
    j = lane + bval;
    p = (j <= maxLane);
    break;
  case 0:
    j = lane ^ bval;
    p = (j <= maxLane);
    break;
  default:
    j = minLane | (bval & ~mask);
    p = (j <= maxLane);
    break;
  }
  if (!p)
    j = lane;
}

TEST(SimtShuffle, AllKindsFollowTheManual) {
  int invalid = 0;
  for (int32_t kind = 0; kind < 4; ++kind)
    for (uint32_t width : {1u, 2u, 8u, 32u})
      for (uint32_t offset = 0; offset < 40; ++offset) {
        // As __shfl_*_sync has it; 0x0f and 7 are clamps that it never makes.
        uint32_t segments = ((32 - width) << 8);
        for (uint32_t clamp : {0u, 31u, 15u, 7u}) {
          Shuffle s = {kind, offset, segments | clamp, {}, {}};
          ASSERT_EQ(launch(shuffleKernel, {1}, {32}, {&s}).message, "");
          for (int i = 0; i < 32; ++i) {
            int j = 0;
            bool p = false;
            manualShuffle(s, i, j, p);
            ASSERT_EQ(s.value[i], 100u + static_cast<uint32_t>(j))
                << "kind " << kind << ", offset " << offset << ", width "
                << width << ", clamp " << clamp << ", lane " << i;
            ASSERT_EQ(s.valid[i], p);
            invalid += !p;
          }
        }
      }
  EXPECT_GT(invalid, 1000); // the clamp was at work
}

static void subWarps(void *const *args) {
  // Groups of 8 lanes with masks of their own take different numbers of steps.
  auto *out = arg<uint32_t>(args, 0);
  uint32_t group = lane() / 8, mask = 0xffu << group * 8, sum = lane();
  for (uint32_t i = 0; i <= group; ++i)
    for (uint32_t step = 4; step; step /= 2)
      sum += autosage_simt_shuffle(0, mask, sum, step, 0x1f | 24 << 8, nullptr,
                                   SITE);
  out[tid()] = sum;
}

TEST(SimtShuffle, GroupsOfLanesGoTheirOwnWays) {
  uint32_t out[64];
  ASSERT_EQ(launch(subWarps, {1}, {64}, {out}).message, "");
  for (uint32_t t = 0; t < 64; ++t) {
    uint32_t group = t % 32 / 8, sum = 0;
    for (uint32_t i = 0; i < 8; ++i)
      sum += group * 8 + i;
    for (uint32_t i = 0; i < group; ++i)
      sum *= 8;
    EXPECT_EQ(out[t], sum);
  }
}

namespace {
struct Results {
  uint32_t any, all, ballot, uni, matchAny, matchAll, elected, add, umax, smin,
      exclusive, popc, both, either, fmin, active;
  uint8_t allSame;
};
} // namespace

static void allCollectives(void *const *args) {
  Results &r = arg<Results>(args, 0)[tid()];
  uint32_t full = ~0u, t = tid();
  r.active = autosage_simt_activemask();
  r.any = autosage_simt_vote(0, full, t == 3, SITE);
  r.all = autosage_simt_vote(1, full, t < 32, SITE);
  r.ballot = autosage_simt_vote(2, full, t % 3 == 0, SITE);
  r.uni = autosage_simt_vote(3, full, t % 32 == 1, SITE);
  r.matchAny =
      autosage_simt_match(0, full, (uint64_t{t % 4} << 40), nullptr, SITE);
  r.matchAll = autosage_simt_match(1, full, t / 32, &r.allSame, SITE);
  r.elected = autosage_simt_elect(full, SITE);
  r.add = autosage_simt_redux(1, full, t, 0, SITE);
  r.umax = autosage_simt_redux(6, full, t - 5, 0, SITE);
  r.smin = autosage_simt_redux(4, full, t - 5, 0, SITE);
  r.exclusive = autosage_simt_redux(8, full, 1u << t % 32, 0, SITE);
  float f = t % 32 == 7 ? NAN : static_cast<float>(t);
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  r.fmin = autosage_simt_redux(9, full, bits, 0, SITE);
  r.popc = autosage_simt_barrier_reduce(0, t % 2, SITE);
  r.both = autosage_simt_barrier_reduce(1, t < 40, SITE);
  r.either = autosage_simt_barrier_reduce(2, t == 39, SITE);
}

TEST(SimtCollectives, FollowTheManualAlsoInAPartOfAWarp) {
  // 40 threads: the second warp has 8 lanes.
  std::vector<Results> out(40);
  ASSERT_EQ(launch(allCollectives, {1}, {40}, {out.data()}).message, "");
  for (uint32_t t = 0; t < 40; ++t) {
    const Results &r = out[t];
    bool first = t < 32;
    uint32_t lanes = first ? ~0u : 0xffu;
    uint32_t ballot = 0, same = 0;
    for (uint32_t l = 0; l < (first ? 32u : 8u); ++l) {
      uint32_t thread = (first ? 0 : 32) + l;
      ballot |= (thread % 3 == 0 ? 1u : 0u) << l;
      same |= (thread % 4 == t % 4 ? 1u : 0u) << l;
    }
    EXPECT_EQ(r.any, first);
    EXPECT_EQ(r.all, first);
    EXPECT_EQ(r.ballot, ballot);
    EXPECT_EQ(r.uni, 0u);
    EXPECT_EQ(r.matchAny, same);
    EXPECT_EQ(r.matchAll, lanes);
    EXPECT_EQ(r.allSame, 1);
    EXPECT_EQ(r.elected, t % 32 == 0);
    EXPECT_EQ(r.add, first ? 496u : 284u);
    EXPECT_EQ(r.umax, first ? ~0u : 34u); // t - 5 wraps for the first
    EXPECT_EQ(static_cast<int32_t>(r.smin), first ? -5 : 27);
    EXPECT_EQ(r.exclusive, lanes);
    float fmin;
    std::memcpy(&fmin, &r.fmin, 4);
    EXPECT_EQ(fmin, first ? 0.0f : 32.0f); // a NaN does not count
    EXPECT_EQ(r.popc, 20u);
    EXPECT_EQ(r.both, 1u);
    EXPECT_EQ(r.either, 1u);
    EXPECT_EQ(r.active, lanes);
  }
}

TEST(SimtArithmetic, Approximations) {
  float subnormal = std::ldexp(1.0f, -140);
  EXPECT_EQ(autosage_simt_approximate(AUTOSAGE_SIMT_EX2, 1, 3), 8);
  EXPECT_EQ(autosage_simt_approximate(AUTOSAGE_SIMT_RCP, 0, 4), 0.25f);
  EXPECT_EQ(autosage_simt_approximate(AUTOSAGE_SIMT_RSQRT, 0, 4), 0.5f);
  EXPECT_EQ(autosage_simt_approximate(AUTOSAGE_SIMT_EX2, 1, -140), 0);
  EXPECT_EQ(autosage_simt_approximate(AUTOSAGE_SIMT_EX2, 0, -140), subnormal);
  EXPECT_EQ(autosage_simt_approximate(AUTOSAGE_SIMT_RCP, 1, subnormal),
            INFINITY);
  EXPECT_TRUE(std::isnan(autosage_simt_approximate(AUTOSAGE_SIMT_EX2, 1, NAN)));
  // 1 + 2^-11 lies between two numbers of tf32.
  EXPECT_EQ(autosage_simt_to_tf32(1 + std::ldexp(1.0f, -11), 1), 0x3f802000u);
  EXPECT_EQ(autosage_simt_to_tf32(1 + std::ldexp(1.0f, -11), 0), 0x3f800000u);
}
