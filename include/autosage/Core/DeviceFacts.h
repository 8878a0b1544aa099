//===- DeviceFacts.h - what an estimate knows of a device -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_DEVICEFACTS_H
#define AUTOSAGE_CORE_DEVICEFACTS_H

#include "autosage/Core/Result.h"
#include "autosage/Core/Schedule.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace autosage {

/// Sizes and speeds, of a GPU or of the CPU. Bandwidths are what kernels reach,
/// in bytes a nanosecond (GB/s).
struct DeviceFacts {
  Target target = Target::cpu;
  std::string name;

  // GPU
  int32_t computeCapability = 0;
  int64_t multiprocessors = 0;
  int64_t threadsPerMultiprocessor = 0;
  double clockGhz = 0;

  // CPU
  int64_t threads = 0; // that kernels use
  int64_t vectorBits = 0;
  int64_t l1Bytes = 0;     // of a core
  int64_t coreL2Bytes = 0; // of a core

  /// Of the cache that all share: the second level of a GPU, the last of a CPU.
  int64_t cacheBytes = 0;
  double cacheBandwidth = 0;
  double memoryBandwidth = 0;
  /// Of a launch, or of handing work to threads.
  double launchUs = 0;
};

/// Kernels that gather whole lines reach this share of a GPU's bandwidth on
/// paper (H200: 4.2 of 4.8 TB/s).
inline constexpr double reachedMemoryShare = 0.88;

/// Of a product with that architecture (sm_80: A100, sm_86: A6000, sm_89: L40S,
/// sm_90: H100, sm_100: B200, sm_120: RTX 5090); other chips get those of the
/// closest. For `simt` as well.
Result<DeviceFacts> gpuFacts(std::string_view chip);

/// Width of this machine's vectors in bits: what the compiler chooses for, as
/// far as it can be known without it, which takes half of 512 on processors
/// whose clock these slow.
int64_t machineVectorBits();

/// The machine at hand, with so many threads.
DeviceFacts cpuFacts(int64_t threads);

} // namespace autosage

#endif // AUTOSAGE_CORE_DEVICEFACTS_H
