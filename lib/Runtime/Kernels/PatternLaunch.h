//===- PatternLaunch.h - what all launchers of kernels use ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the sources that define PatternKernels.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNELS_PATTERNLAUNCH_H
#define AUTOSAGE_LIB_RUNTIME_KERNELS_PATTERNLAUNCH_H

#include "PatternKernels.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace autosage::runtime {

/// As Thread.h says.
constexpr uint64_t blockThreads = 256;
/// Of kernels that loop over what a grid does not cover at once: enough to fill
/// any device many times.
constexpr uint64_t maxLoopBlocks = 1 << 14;

inline uint64_t blocksOf(uint64_t size, uint64_t perBlock) {
  return size / perBlock + (size % perBlock != 0);
}
inline uint64_t loopBlocks(uint64_t size, uint64_t perBlock = blockThreads) {
  return std::min(blocksOf(size, perBlock), maxLoopBlocks);
}
inline uint64_t u(int64_t value) { return static_cast<uint64_t>(value); }

/// Bits of numbers up to `largest`.
inline uint64_t bitsFor(uint64_t largest) {
  uint64_t bits = 1;
  while (bits < 64 && largest >> bits)
    ++bits;
  return bits;
}

inline Status checkBytes(const char *what, int32_t bytes) {
  if (bytes == 4 || bytes == 8)
    return Status::success();
  return Error{"expects " + std::string(what) + " of 4 or 8 bytes, got " +
               std::to_string(bytes)};
}
inline Status checkTypes(const DevicePattern &pattern) {
  if (Status status = checkBytes("positions", pattern.positionBytes); !status)
    return status;
  return checkBytes("coordinates", pattern.coordinateBytes);
}
/// Device memory for the length of a scope, or of what was enqueued in it.
class PatternKernels::Scratch {
public:
  Scratch() = default;
  Scratch(const autosage_device_api &api, uint64_t elements, uint64_t bytes)
      : api(&api) {
    // A number that does not fit is more than any device has.
    uint64_t most = u(std::numeric_limits<int64_t>::max());
    pointer = api.alloc(static_cast<int64_t>(
        elements > most / bytes ? most
                                : std::max<uint64_t>(1, elements) * bytes));
  }
  Scratch(Scratch &&other) noexcept { swap(other); }
  Scratch &operator=(Scratch &&other) noexcept {
    Scratch taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Scratch() {
    if (pointer)
      api->free(pointer);
  }

  explicit operator bool() const { return pointer; }
  void *data() const { return pointer; }

private:
  void swap(Scratch &other) {
    std::swap(api, other.api);
    std::swap(pointer, other.pointer);
  }

  const autosage_device_api *api = nullptr;
  void *pointer = nullptr;
};

template <typename... Args>
bool PatternKernels::launch(autosage_image &image, const char *kernel,
                            uint64_t blocks, uint64_t sharedBytes,
                            Args... args) {
  // Every parameter of every kernel has 8 bytes.
  static_assert(((sizeof(Args) == 8) && ...));
  void *pointers[] = {const_cast<void *>(static_cast<const void *>(&args))...};
  return api.launch_kernel(&image, kernel, static_cast<int64_t>(blocks), 1, 1,
                           static_cast<int64_t>(blockThreads), 1, 1,
                           static_cast<int64_t>(sharedBytes), pointers,
                           sizeof...(Args)) == AUTOSAGE_DEVICE_OK;
}

/// What a sort gives: where each key stood, and the keys.
struct PatternKernels::Sorted {
  Scratch order, keys;
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNELS_PATTERNLAUNCH_H
