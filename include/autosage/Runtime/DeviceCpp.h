//===- DeviceCpp.h - a device's errors, facts and memory --------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device.h for C++: errors as values, memory with a destructor.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_RUNTIME_DEVICECPP_H
#define AUTOSAGE_RUNTIME_DEVICECPP_H

#include "autosage/Core/Result.h"
#include "autosage/Runtime/Device.h"

#include <utility>
#include <vector>

namespace autosage::runtime {

/// The error that this thread's calls of the device left, which it takes.
inline Status deviceStatus(const autosage_device_api &api) {
  const char *message = nullptr;
  if (api.take_error(&message) != AUTOSAGE_DEVICE_OK)
    return Error{message};
  return Status::success();
}

/// What the device is, or why there is none.
inline Result<autosage_device_info> deviceInfo(const autosage_device_api &api) {
  autosage_device_info info = {};
  info.struct_size = sizeof info;
  info.version = AUTOSAGE_DEVICE_VERSION;
  api.get_info(&info);
  if (Status status = deviceStatus(api); !status)
    return Error{status.error()};
  return info;
}

/// Bytes in a device's memory. What fails shows in `deviceStatus`.
class DeviceBuffer {
public:
  DeviceBuffer() = default;
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
  DeviceBuffer(DeviceBuffer &&other) noexcept { *this = std::move(other); }
  DeviceBuffer &operator=(DeviceBuffer &&other) noexcept {
    std::swap(api, other.api);
    std::swap(pointer, other.pointer);
    std::swap(bytes, other.bytes);
    return *this;
  }

  void *data() const { return pointer; }
  char *at(int64_t byte) const { return static_cast<char *>(pointer) + byte; }
  int64_t size() const { return bytes; }

  /// Waits for the device.
  template <typename T> std::vector<T> download() const {
    std::vector<T> host(static_cast<size_t>(bytes) / sizeof(T));
    api->download(host.data(), pointer, bytes);
    return host;
  }

private:
  const autosage_device_api *api = nullptr;
  void *pointer = nullptr;
  int64_t bytes = 0;
};

} // namespace autosage::runtime

#endif // AUTOSAGE_RUNTIME_DEVICECPP_H
