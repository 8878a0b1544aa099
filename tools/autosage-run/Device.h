//===- Device.h - operands in device memory ---------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_DEVICE_H
#define AUTOSAGE_TOOLS_RUN_DEVICE_H

#include "Workload.h"

#include "autosage/Runtime/Device.h"

namespace autosage::run {

/// Settles what the target is: `auto` and a missing chip follow from the
/// device. Fails where a GPU is asked for and there is none.
Status resolveTarget(Options &options);

/// Copies of a workload's operands in the memory of an NVIDIA GPU.
class DeviceOperands {
public:
  /// Allocates and uploads.
  static Result<std::unique_ptr<DeviceOperands>> make(Workload &workload);
  ~DeviceOperands();
  DeviceOperands(const DeviceOperands &) = delete;
  DeviceOperands &operator=(const DeviceOperands &) = delete;

  const compiler::Operands &operands() const { return device; }
  /// Waits for the kernel and copies the output to the workload.
  Status download(Workload &workload);
  /// One run; the milliseconds between events around it.
  Result<double> time(const compiler::CompiledKernel &kernel);

private:
  DeviceOperands() = default;
  /// A copy of host memory; null for no bytes.
  void *copyOf(const void *host, int64_t bytes);

  const autosage_device_api *api = autosage_cuda_device_api();
  std::vector<void *> owned;
  compiler::Operands device;
};

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_DEVICE_H
