//===- Context.h - a device that plans work on ------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_PLAN_CONTEXT_H
#define AUTOSAGE_LIB_RUNTIME_PLAN_CONTEXT_H

#include "../Cuda/Driver.h"
#include "../Cusparse/Execution.h"
#include "../Kernel/LoadedKernel.h"

#include "autosage/Core/DeviceFacts.h"
#include "autosage/Runtime/Plan.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace autosage::runtime {

/// What went wrong, with its code of Plan.h.
struct Failure {
  autosage_plan_status code = AUTOSAGE_PLAN_OK;
  std::string message;
  explicit operator bool() const { return code != AUTOSAGE_PLAN_OK; }
};

/// Of a code of Device.h or Vendor.h.
autosage_plan_status statusOf(int32_t deviceCode);

class Decisions;

class Context {
public:
  /// Expects options of a known version, all their fields there.
  static Failure create(const autosage_context_options &options,
                        std::shared_ptr<Context> &context);
  ~Context();

  const Target target;
  /// Null for the cpu.
  const autosage_device_api *const api;
  const autosage_symbol *const symbols;
  const std::string compiler;
  Warnings warnings;
  KernelCache cache;
  /// The caller has not said where it is.
  const bool hasDefaultCache;
  /// Compiles kernels that nobody may be waiting for any more.
  Background background;
  /// As "sm_90"; of nvptx.
  std::string chip;
  std::string deviceName;
  /// Of simt and nvptx, from the device.
  autosage_device_info info = {};

  /// What estimates know of the device. `vectorBits` is for the cpu, 0: this
  /// machine's.
  DeviceFacts facts(int64_t vectorBits) const;
  /// Whether its times say something. Those of the emulator do not; an api for
  /// simt that says which compute capability it has is taken for a device.
  bool tellsTime() const {
    return target != Target::simt || info.compute_capability > 0;
  }

  /// Frees what could not be freed when its plan was destroyed. Expects a
  /// DeviceGuard.
  void freeKept();
  void keep(std::vector<void *> pointers);
  void keep(std::unique_ptr<cusparse::Execution> execution);

  /// Those of a file, opened by the first who asks; without a path the default
  /// place (Oracle/Decide.h).
  Decisions &decisions(const std::optional<std::string> &path);

private:
  friend class DeviceGuard;
  explicit Context(const autosage_context_options &options);
  Failure findDevice(int32_t device);

  // Of nvptx with the CUDA driver: the context that is made current.
  const cuda::Driver *driver = nullptr;
  cuda::Context cudaContext = nullptr;
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Decisions>> stores; // by path
  std::vector<void *> kept;
  std::vector<std::unique_ptr<cusparse::Execution>> keptExecutions;
};

/// Makes the context's device and a stream current for the calling thread, and
/// what was before when it ends, also after an error.
class DeviceGuard {
public:
  DeviceGuard(const Context &context, void *stream);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard &) = delete;
  DeviceGuard &operator=(const DeviceGuard &) = delete;

  /// An error that the thread had before, or that the driver gave.
  const Failure &failure() const { return failed; }
  /// What has failed since; OK where nothing has.
  Failure takeError() const;
  bool isCapturing() const;

private:
  const Context &context;
  Failure failed;
  bool restoresContext = false, restoresStream = false;
  cuda::Context before = nullptr;
  void *streamBefore = nullptr;
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_PLAN_CONTEXT_H
