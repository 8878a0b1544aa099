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

#include "autosage/Core/DeviceFacts.h"
#include "autosage/Core/Result.h"
#include "autosage/Core/Stats.h"
#include "autosage/Core/Types.h"
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

/// What estimates need of a device: its architecture's product, corrected by
/// what the driver says of this one.
inline Result<DeviceFacts> deviceFacts(const autosage_device_info &info) {
  Result<DeviceFacts> facts =
      gpuFacts("sm_" + std::to_string(info.compute_capability));
  if (!facts)
    return facts;
  facts->name = info.name;
  double perMultiprocessor =
      facts->cacheBandwidth /
      (static_cast<double>(facts->multiprocessors) * facts->clockGhz);
  if (info.multiprocessors > 0)
    facts->multiprocessors = info.multiprocessors;
  if (info.clock_khz > 0)
    facts->clockGhz = static_cast<double>(info.clock_khz) * 1e-6;
  if (info.l2_bytes > 0)
    facts->cacheBytes = info.l2_bytes;
  if (info.threads_per_multiprocessor > 0)
    facts->threadsPerMultiprocessor = info.threads_per_multiprocessor;
  facts->cacheBandwidth = perMultiprocessor * facts->clockGhz *
                          static_cast<double>(facts->multiprocessors);
  // Two transfers a clock.
  if (info.memory_clock_khz > 0 && info.memory_bus_bits > 0)
    facts->memoryBandwidth = reachedMemoryShare * 2e-6 *
                             static_cast<double>(info.memory_clock_khz) *
                             static_cast<double>(info.memory_bus_bits) / 8;
  return facts;
}

/// As Device.h has them; size and version stay.
inline void toC(const InputStats &s, autosage_input_stats &stats) {
  stats.rows = s.rows;
  stats.cols = s.cols;
  stats.nnz = s.nnz;
  stats.mean = s.mean;
  stats.max = s.max;
  stats.cv = s.cv;
  stats.p50 = s.p50;
  stats.p90 = s.p90;
  stats.p99 = s.p99;
  stats.p999 = s.p999;
  stats.empty_rows = s.emptyRows;
  stats.hub_fraction = s.hubFraction;
  stats.locality = s.locality;
  stats.fingerprint_high = s.fingerprint.high;
  stats.fingerprint_low = s.fingerprint.low;
}

/// Statistics of a valid pattern whose arrays are in the device's memory.
inline Result<InputStats> patternStats(const autosage_device_api &api,
                                       const CsrView &csr) {
  autosage_input_stats c = {};
  c.struct_size = sizeof c;
  c.version = AUTOSAGE_DEVICE_VERSION;
  api.pattern_stats(csr.rowptr.data, csr.colind.data, csr.rows, csr.cols,
                    csr.nnz(), static_cast<int32_t>(sizeOf(csr.rowptr.type)),
                    static_cast<int32_t>(sizeOf(csr.colind.type)), &c);
  if (Status status = deviceStatus(api); !status)
    return Error{status.error()};
  InputStats stats;
  stats.rows = c.rows;
  stats.cols = c.cols;
  stats.nnz = c.nnz;
  stats.mean = c.mean;
  stats.max = c.max;
  stats.cv = c.cv;
  stats.p50 = c.p50;
  stats.p90 = c.p90;
  stats.p99 = c.p99;
  stats.p999 = c.p999;
  stats.emptyRows = c.empty_rows;
  stats.hubFraction = c.hub_fraction;
  stats.locality = c.locality;
  stats.fingerprint = {c.fingerprint_high, c.fingerprint_low};
  return stats;
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
