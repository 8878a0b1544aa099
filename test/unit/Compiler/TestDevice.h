//===- TestDevice.h - a GPU and its memory, for tests -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_COMPILER_TESTDEVICE_H
#define AUTOSAGE_TEST_COMPILER_TESTDEVICE_H

#include "autosage/Compiler/Compiler.h"
#include "autosage/Runtime/Device.h"

#include <string>
#include <vector>

namespace autosage::test {

/// The GPU to test on, like "sm_90", and why there is none where it is empty.
struct TestGpu {
  std::string chip;
  std::string missing;
};
inline const TestGpu &testGpu() {
  static const TestGpu gpu = []() -> TestGpu {
    const autosage_device_api &api = *autosage_cuda_device_api();
    autosage_device_info info = {};
    info.struct_size = sizeof info;
    info.version = AUTOSAGE_DEVICE_VERSION;
    api.get_info(&info);
    const char *message = nullptr;
    if (api.take_error(&message) != AUTOSAGE_DEVICE_OK)
      return {"", message};
    return {"sm_" + std::to_string(info.compute_capability), ""};
  }();
  return gpu;
}

/// The error that this thread's calls of the device left, if any.
inline Status deviceStatus(const autosage_device_api &api) {
  const char *message = nullptr;
  if (api.take_error(&message) != AUTOSAGE_DEVICE_OK)
    return Error{message};
  return Status::success();
}

/// Bytes in a device's memory.
class DeviceBuffer {
public:
  DeviceBuffer(const autosage_device_api &api, int64_t bytes)
      : api(&api), pointer(api.alloc(bytes)), bytes(bytes) {}
  DeviceBuffer(const autosage_device_api &api, const void *host, int64_t bytes)
      : DeviceBuffer(api, bytes) {
    api.upload(pointer, host, bytes);
  }
  template <typename T>
  DeviceBuffer(const autosage_device_api &api, const std::vector<T> &host)
      : DeviceBuffer(api, host.data(),
                     static_cast<int64_t>(host.size() * sizeof(T))) {}
  ~DeviceBuffer() {
    if (pointer)
      api->free(pointer);
  }
  DeviceBuffer(DeviceBuffer &&other) noexcept
      : api(other.api), pointer(other.pointer), bytes(other.bytes) {
    other.pointer = nullptr;
  }
  DeviceBuffer &operator=(DeviceBuffer &&) = delete;

  void *data() const { return pointer; }
  char *at(int64_t byte) const { return static_cast<char *>(pointer) + byte; }

  /// Waits for the device.
  template <typename T> std::vector<T> download() const {
    std::vector<T> host(static_cast<size_t>(bytes) / sizeof(T));
    api->download(host.data(), pointer, bytes);
    return host;
  }

private:
  const autosage_device_api *api;
  void *pointer;
  int64_t bytes;
};

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_TESTDEVICE_H
