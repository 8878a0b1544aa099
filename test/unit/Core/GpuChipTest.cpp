//===- GpuChipTest.cpp - limits of NVIDIA chips ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/GpuChip.h"

#include "gtest/gtest.h"

using namespace autosage;

TEST(GpuChip, SharedMemoryOfABlock) {
  EXPECT_EQ(findGpuChip("sm_70")->sharedBytesPerBlock, 98304);
  EXPECT_EQ(findGpuChip("sm_80")->sharedBytesPerBlock, 166912);
  EXPECT_EQ(findGpuChip("sm_90")->sharedBytesPerBlock, 232448);
  EXPECT_EQ(findGpuChip("sm_120")->sharedBytesPerBlock, 101376);
}

TEST(GpuChip, VariantsOfAChip) {
  EXPECT_EQ(findGpuChip("sm_90a")->computeCapability, 90);
  EXPECT_EQ(findGpuChip("sm_90a")->name, "sm_90a");
  EXPECT_EQ(findGpuChip("sm_100f")->ptxVersion, 88);
  EXPECT_EQ(findGpuChip("sm_100a")->ptxVersion, 86);
  EXPECT_FALSE(findGpuChip("sm_80a"));
  EXPECT_FALSE(findGpuChip("sm_90f"));
}

TEST(GpuChip, Cases_M03_NamesThatAreNone) {
  EXPECT_EQ(findGpuChip("").error(),
            "expects a chip such as sm_90, got an empty name");
  std::string unknown = findGpuChip("sm_999").error();
  EXPECT_EQ(unknown.find("unknown chip 'sm_999', expects one of sm_70, "), 0u)
      << unknown;
  EXPECT_NE(unknown.find("sm_90"), std::string::npos);
  std::string amd = findGpuChip("gfx90a").error();
  EXPECT_EQ(amd.find("'gfx90a' is not an NVVM chip"), 0u) << amd;
  EXPECT_FALSE(findGpuChip("sm_"));
  EXPECT_FALSE(findGpuChip("sm_9"));
  EXPECT_FALSE(findGpuChip("sm_90 "));
}
