//===- DeviceTest.cpp - Device.h without a device -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Runtime/Device.h"

#include "gtest/gtest.h"

#include <string>
#include <thread>

static int32_t takeError(std::string &text) {
  const char *message = nullptr;
  int32_t code = autosage_device_take_error(&message);
  text = message;
  return code;
}

/// Tests of what happens where there is nothing to run on.
class DeviceWithoutDriver : public ::testing::Test {
protected:
  void SetUp() override {
    autosage_device_info info = {};
    info.struct_size = sizeof(info);
    info.version = AUTOSAGE_DEVICE_VERSION;
    if (autosage_device_get_info(&info) == AUTOSAGE_DEVICE_OK)
      GTEST_SKIP() << "there is a device";
    std::string text;
    ASSERT_EQ(takeError(text), AUTOSAGE_DEVICE_NONE);
    EXPECT_NE(text.find("expects an NVIDIA"), std::string::npos) << text;
  }
};

TEST_F(DeviceWithoutDriver, TheFirstErrorStaysUntilTaken) {
  EXPECT_EQ(autosage_device_alloc(16), nullptr);
  EXPECT_EQ(autosage_device_alloc(-1), nullptr);
  EXPECT_NE(autosage_device_synchronize(), 0);
  std::string text;
  EXPECT_EQ(takeError(text), AUTOSAGE_DEVICE_NONE);
  EXPECT_NE(text.find("driver"), std::string::npos) << text;
  EXPECT_EQ(takeError(text), AUTOSAGE_DEVICE_OK);
  EXPECT_EQ(text, "");
}

TEST_F(DeviceWithoutDriver, ErrorsBelongToTheirThread) {
  EXPECT_EQ(autosage_device_alloc(16), nullptr);
  int32_t other = -1;
  std::thread([&] {
    std::string text;
    other = takeError(text);
  }).join();
  EXPECT_EQ(other, AUTOSAGE_DEVICE_OK);
  std::string text;
  EXPECT_EQ(takeError(text), AUTOSAGE_DEVICE_NONE);
}

TEST_F(DeviceWithoutDriver, EveryEntryPointReturns) {
  autosage_image image = {};
  image.struct_size = sizeof(image);
  image.version = AUTOSAGE_DEVICE_VERSION;
  image.kind = AUTOSAGE_IMAGE_PTX;
  image.name = "module";
  EXPECT_EQ(autosage_launch_kernel(&image, "kernel", 1, 1, 1, 32, 1, 1, 0,
                                   nullptr, 0),
            AUTOSAGE_DEVICE_NONE);
  char bytes[16] = {};
  autosage_device_copy(bytes, bytes, 8);
  autosage_device_upload(bytes, bytes, 8);
  autosage_device_download(bytes, bytes, 8);
  autosage_device_free(bytes);
  EXPECT_EQ(autosage_event_record(), nullptr);
  EXPECT_LT(autosage_event_elapsed(nullptr, nullptr), 0);
  EXPECT_EQ(autosage_count_tasks(bytes, 1, 4, 8), 0);
  autosage_build_tasks(bytes, bytes, 1, 1, 0, 4, 4, 8, 0, bytes, 0);
  autosage_build_transpose(bytes, bytes, 1, 1, 0, 4, 4, 4, bytes, bytes, bytes);
  EXPECT_EQ(autosage_validate_pattern(bytes, bytes, 1, 1, 0, 4, 4),
            AUTOSAGE_DEVICE_NONE);
  autosage_input_stats stats = {};
  stats.struct_size = sizeof(stats);
  stats.version = AUTOSAGE_DEVICE_VERSION;
  EXPECT_EQ(autosage_pattern_stats(bytes, bytes, 1, 1, 0, 4, 4, &stats),
            AUTOSAGE_DEVICE_NONE);
  std::string text;
  EXPECT_EQ(takeError(text), AUTOSAGE_DEVICE_NONE);
}

TEST(Device, StatsOfAnotherVersionAreRefused) {
  autosage_input_stats stats = {};
  stats.struct_size = sizeof(stats) - 1;
  stats.version = AUTOSAGE_DEVICE_VERSION;
  for (autosage_input_stats *out :
       {static_cast<autosage_input_stats *>(nullptr), &stats}) {
    EXPECT_EQ(autosage_pattern_stats(nullptr, nullptr, 0, 0, 0, 4, 4, out),
              AUTOSAGE_DEVICE_INVALID_ARGUMENT);
    std::string text;
    EXPECT_EQ(takeError(text), AUTOSAGE_DEVICE_INVALID_ARGUMENT);
    EXPECT_EQ(text, "expects stats with its size and version set");
  }
}

TEST(Device, AnEmptyGridLaunchesNothing) {
  EXPECT_EQ(autosage_launch_kernel(nullptr, "kernel", 0, 1, 1, 32, 1, 1, 0,
                                   nullptr, 0),
            AUTOSAGE_DEVICE_OK);
}

TEST(Device, InfoOfAnotherVersionIsRefused) {
  autosage_device_info info = {};
  info.struct_size = sizeof(info);
  info.version = AUTOSAGE_DEVICE_VERSION + 1;
  EXPECT_EQ(autosage_device_get_info(&info), AUTOSAGE_DEVICE_INVALID_ARGUMENT);
  std::string text;
  EXPECT_EQ(takeError(text), AUTOSAGE_DEVICE_INVALID_ARGUMENT);
}

TEST(Device, StreamsBelongToTheirThread) {
  int stream = 0;
  autosage_set_stream(&stream);
  EXPECT_EQ(autosage_get_stream(), &stream);
  std::thread([] { EXPECT_EQ(autosage_get_stream(), nullptr); }).join();
  autosage_set_stream(nullptr);
}

TEST(Device, TheTableIsComplete) {
  const autosage_device_api *api = autosage_cuda_device_api();
  ASSERT_NE(api, nullptr);
  EXPECT_EQ(api->struct_size, sizeof(autosage_device_api));
  EXPECT_EQ(api->version, AUTOSAGE_DEVICE_VERSION);
  EXPECT_EQ(api->launch_kernel, autosage_launch_kernel);
  EXPECT_EQ(api->take_error, autosage_device_take_error);
}
