//===- ImageTest.cpp - GPU modules are loaded and given back --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the fake driver, which this program links: the runtime takes a libcuda
// that the process has.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include "autosage/Compiler/Compiler.h"
#include "autosage/Runtime/Device.h"

#include "gtest/gtest.h"

using namespace autosage;
using namespace autosage::compiler;

static FakeCudaState &cuda() { return *fakeCudaState(); }

static autosage_image makeImage(uint32_t kind = AUTOSAGE_IMAGE_PTX) {
  autosage_image image = {};
  image.struct_size = sizeof(image);
  image.version = AUTOSAGE_DEVICE_VERSION;
  image.kind = kind;
  image.name = "module";
  image.data = "";
  return image;
}

static int32_t launch(autosage_image &image) {
  return autosage_launch_kernel(&image, "kernel", 1, 1, 1, 32, 1, 1, 0, nullptr,
                                0);
}

TEST(Image, UnloadGivesBackWhatWasLoaded) {
  autosage_image image = makeImage();
  int loads = cuda().loads;
  ASSERT_EQ(launch(image), AUTOSAGE_DEVICE_OK);
  ASSERT_EQ(launch(image), AUTOSAGE_DEVICE_OK);
  EXPECT_EQ(cuda().loads, loads + 1);
  EXPECT_EQ(cuda().modules.size(), 1u);

  int waits = cuda().synchronized;
  autosage_image_unload(&image);
  EXPECT_EQ(cuda().modules.size(), 0u);
  EXPECT_EQ(cuda().synchronized, waits + 1);
  EXPECT_EQ(image.handle, nullptr);
  autosage_image_unload(&image); // nothing is left
  EXPECT_EQ(cuda().mistakes, 0);

  ASSERT_EQ(launch(image), AUTOSAGE_DEVICE_OK);
  EXPECT_EQ(cuda().loads, loads + 2);
  autosage_image_unload(&image);
  EXPECT_EQ(cuda().modules.size(), 0u);
}

TEST(Image, UnloadReachesEveryContext) {
  autosage_image image = makeImage();
  for (int context : {1, 2, 3}) {
    cuda().current = fakeContext(context);
    ASSERT_EQ(launch(image), AUTOSAGE_DEVICE_OK);
  }
  EXPECT_EQ(cuda().modules.size(), 3u);
  cuda().current = fakeContext(2);
  autosage_image_unload(&image);
  EXPECT_EQ(cuda().modules.size(), 0u);
  EXPECT_EQ(cuda().mistakes, 0);
  EXPECT_EQ(cuda().current, fakeContext(2)) << "the caller's context stays";
  cuda().current = nullptr;
}

TEST(Image, UnloadOfNothing) {
  autosage_image_unload(nullptr);
  autosage_image image = makeImage();
  autosage_image_unload(&image);
  // What simt keeps there is not the driver's.
  autosage_image simt = makeImage(AUTOSAGE_IMAGE_SIMT);
  simt.handle = &simt;
  autosage_image_unload(&simt);
  EXPECT_EQ(simt.handle, &simt);
}

TEST(Image, UnloadLeavesTheThreadsErrorAlone) {
  autosage_image image = makeImage();
  ASSERT_EQ(launch(image), AUTOSAGE_DEVICE_OK);
  EXPECT_EQ(autosage_device_alloc(16), nullptr); // the fake has no memory
  autosage_image_unload(&image);
  EXPECT_EQ(cuda().modules.size(), 0u);
  EXPECT_EQ(autosage_device_take_error(nullptr), AUTOSAGE_DEVICE_OUT_OF_MEMORY);
}

// A compiled kernel's image is a global of its code.
TEST(Image, AKernelTakesItsImageAlong) {
  KernelSpec spec;
  spec.features = 8;
  spec.schedule = *parseSchedule("row_group");
  auto kernel = compileNvptx(spec);
  ASSERT_TRUE(kernel) << kernel.error();
  alignas(16) float x[16] = {}, y[16] = {};
  int32_t rowptr[] = {0, 1, 2}, colind[] = {0, 1};
  Operands operands;
  operands.a = {2, 2, {rowptr, 3, IndexType::i32}, {colind, 2, IndexType::i32}};
  operands.x = {x, 2, 1, 8, 0};
  operands.out = {y, 2, 1, 8, 0};
  int launches = cuda().launches;
  Status status = (*kernel)->run(operands);
  ASSERT_TRUE(status) << status.error();
  EXPECT_GT(cuda().launches, launches);
  EXPECT_EQ(cuda().modules.size(), 1u);
  kernel->reset();
  EXPECT_EQ(cuda().modules.size(), 0u);
  EXPECT_EQ(cuda().mistakes, 0);
}

TEST(Image, AKernelThatNeverRanHasNothingToGiveBack) {
  int loads = cuda().loads;
  {
    KernelSpec spec;
    spec.features = 8;
    ASSERT_TRUE(compileNvptx(spec));
  }
  EXPECT_EQ(cuda().loads, loads);
  EXPECT_EQ(cuda().mistakes, 0);
}
