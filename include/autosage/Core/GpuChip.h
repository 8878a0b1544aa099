//===- GpuChip.h - limits of NVIDIA chips -----------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the compiler has to know of a chip it may never see: limits that decide
// whether a schedule can run, and the PTX that describes it. From the CUDA C++
// programming guide, "Compute capabilities", tables of technical
// specifications, and the PTX ISA manual, "Release notes".
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_GPUCHIP_H
#define AUTOSAGE_CORE_GPUCHIP_H

#include "autosage/Core/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace autosage {

struct GpuChip {
  std::string name;              // as it was given: sm_90, sm_90a
  int32_t computeCapability = 0; // 90
  /// Shared memory of one block, with opt-in: static and dynamic together.
  int64_t sharedBytesPerBlock = 0;
  int64_t sharedBytesPerMultiprocessor = 0;
  int64_t threadsPerMultiprocessor = 0;
  int64_t blocksPerMultiprocessor = 0;
  /// The PTX version to write, 83 for 8.3: the oldest that knows the chip, and
  /// no older than 8.3, so that drivers for CUDA 12.3 and later can finish it.
  int32_t ptxVersion = 0;

  // The same for all chips here.
  static constexpr int64_t registersPerMultiprocessor = 65536;
  static constexpr int64_t registersPerThread = 255;
  static constexpr int64_t threadsPerBlock = 1024;
  static constexpr int64_t maxGridX = 2147483647, maxGridYZ = 65535;
};

/// Fails with `unknown chip 'sm_999', expects one of sm_70, ...`, for a name
/// that is not NVIDIA's with `'gfx90a' is not an NVVM chip`, for an empty one
/// with `expects a chip such as sm_90, got an empty name`.
Result<GpuChip> findGpuChip(std::string_view name);

struct Schedule;

/// Rejects a schedule of the GPU whose blocks do not fit a multiprocessor of
/// the chip as often as it asks for, with the limit and the number that exceeds
/// it. Others pass.
Status verifyForChip(const Schedule &schedule, const GpuChip &chip);

} // namespace autosage

#endif // AUTOSAGE_CORE_GPUCHIP_H
