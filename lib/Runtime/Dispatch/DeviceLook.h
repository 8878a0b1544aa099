//===- DeviceLook.h - a look at a pattern in device memory ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_DISPATCH_DEVICELOOK_H
#define AUTOSAGE_LIB_RUNTIME_DISPATCH_DEVICELOOK_H

#include "Versions.h"

#include "autosage/Runtime/DeviceCpp.h"

namespace autosage::runtime {

/// Through a device's table of functions; remembers nothing.
class DeviceLook : public PatternLook {
public:
  explicit DeviceLook(const autosage_device_api &api) : api(api) {}

  std::optional<InputStats> stats(const CsrView &csr) override {
    // It would wait, which a capture does not allow.
    if (api.is_capturing && api.is_capturing())
      return std::nullopt;
    // An error that the thread has, or a pattern that is none, stays the
    // thread's error: what is launched next does nothing.
    if (api.validate_pattern(csr.rowptr.data, csr.colind.data, csr.rows,
                             csr.cols, csr.nnz(),
                             static_cast<int32_t>(sizeOf(csr.rowptr.type)),
                             static_cast<int32_t>(sizeOf(csr.colind.type))))
      return std::nullopt;
    // Without memory for it the first version still runs.
    Result<InputStats> found = patternStats(api, csr);
    return found ? std::optional<InputStats>(std::move(*found)) : std::nullopt;
  }

  Result<DeviceFacts> facts() override {
    Result<autosage_device_info> info = deviceInfo(api);
    if (!info)
      return Error{info.error()};
    // The emulator stands for the chip that kernels are compiled for.
    return info->compute_capability ? deviceFacts(*info) : gpuFacts("sm_90");
  }

  std::optional<Schedule> recall(const KernelSpec &,
                                 const InputStats &) override {
    return std::nullopt;
  }
  void note(const KernelSpec &, const InputStats &, const Schedule &, DecidedBy,
            const std::string &) override {}

protected:
  const autosage_device_api &api;
};

/// The pattern as Device.h's functions get it.
inline CsrView patternOf(const void *rowptr, const void *colind, int64_t rows,
                         int64_t cols, int64_t nnz, int32_t positionBytes,
                         int32_t coordinateBytes) {
  auto typeOf = [](int32_t bytes) {
    return bytes == 8 ? IndexType::i64 : IndexType::i32;
  };
  return {rows,
          cols,
          {rowptr, rows + 1, typeOf(positionBytes)},
          {colind, nnz, typeOf(coordinateBytes)}};
}

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_DISPATCH_DEVICELOOK_H
