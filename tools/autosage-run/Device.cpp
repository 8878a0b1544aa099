//===- Device.cpp - operands in device memory -----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "Messages.h"
#include "autosage/Runtime/DeviceCpp.h"

using namespace autosage;
using namespace autosage::run;
using runtime::deviceStatus;

Status run::resolveTarget(Options &o) {
  bool wantsDevice = o.target == Target::nvptx;
  if (!wantsDevice && !o.targetIsAuto)
    return Status::success();
  Result<autosage_device_info> info =
      runtime::deviceInfo(*autosage_cuda_device_api());
  if (!info) {
    if (wantsDevice)
      return Error{"--target nvptx: " + info.error()};
    o.target = Target::cpu;
    addNote("--target auto: cpu");
    return Status::success();
  }
  o.target = Target::nvptx;
  if (o.chip.empty())
    o.chip = "sm_" + std::to_string(info->compute_capability);
  if (o.targetIsAuto)
    addNote("--target auto: nvptx:" + o.chip + " (" + info->name + ")");
  return Status::success();
}

void *DeviceOperands::copyOf(const void *host, int64_t bytes) {
  if (bytes == 0)
    return nullptr;
  void *copy = api->alloc(bytes);
  if (copy)
    owned.push_back(copy);
  api->upload(copy, host, bytes);
  return copy;
}

Result<std::unique_ptr<DeviceOperands>> DeviceOperands::make(Workload &w) {
  std::unique_ptr<DeviceOperands> result(new DeviceOperands());
  compiler::Operands &device = result->device;
  device = operandsOf(w);
  auto copyIndices = [&](IndexView &view) {
    view.data = result->copyOf(view.data, view.size * sizeOf(view.type));
  };
  copyIndices(device.a.rowptr);
  copyIndices(device.a.colind);
  auto copyDense = [&](auto &dense, const HostArray &array) {
    if (dense.data)
      dense.data = result->copyOf(array.data(), array.bytes());
  };
  copyDense(device.edgeValues, w.edgeValues);
  copyDense(device.x, w.x);
  copyDense(device.q, w.q);
  copyDense(device.k, w.k);
  copyDense(device.v, w.v);
  copyDense(device.vec, w.a);
  copyDense(device.out, w.out);
  copyDense(device.workspace, w.workspace);
  if (Status status = deviceStatus(*result->api); !status)
    return Error{status.error()};
  return result;
}

DeviceOperands::~DeviceOperands() {
  for (void *pointer : owned)
    api->free(pointer);
}

Status DeviceOperands::download(Workload &w) {
  if (w.out.bytes() > 0)
    api->download(w.out.data(), device.out.data, w.out.bytes());
  api->synchronize();
  return deviceStatus(*api);
}

Result<double> DeviceOperands::time(const compiler::CompiledKernel &kernel) {
  void *begin = api->event_record();
  Status ran = kernel.run(device);
  void *end = api->event_record();
  double ms = api->event_elapsed(begin, end);
  if (!ran)
    return Error{ran.error()};
  if (Status status = deviceStatus(*api); !status)
    return Error{status.error()};
  return ms;
}
