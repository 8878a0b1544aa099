//===- DeviceFacts.cpp - known chips, and the CPU at hand -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/DeviceFacts.h"

#include "autosage/Core/GpuChip.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

using namespace autosage;

namespace {
/// Data sheets: multiprocessors, boost clock, second-level cache, memory.
struct Row {
  int32_t computeCapability;
  const char *product;
  int64_t multiprocessors;
  double clockGhz;
  int64_t cacheMegabytes;
  double memoryBandwidth;
};
constexpr Row rows[] = {
    {80, "A100", 108, 1.41, 40, 1555},   {86, "RTX A6000", 84, 1.80, 6, 768},
    {89, "L40S", 142, 2.52, 96, 864},    {90, "H100 SXM", 132, 1.98, 50, 3350},
    {100, "B200", 148, 1.97, 126, 8000}, {120, "RTX 5090", 170, 2.41, 96, 1792},
};

/// Bytes that the shared cache gives a multiprocessor in a cycle: what gathers
/// of neighbours reached on an H200, 9.3 TB/s over 132 at 1.98 GHz.
constexpr double cacheBytesPerCycle = 42;
/// Back-to-back launches on one stream.
constexpr double gpuLaunchUs = 2.2;
} // namespace

Result<DeviceFacts> autosage::gpuFacts(std::string_view chip) {
  Result<GpuChip> limits = findGpuChip(chip);
  if (!limits)
    return Error{limits.error()};
  const Row *closest = rows;
  for (const Row &row : rows)
    if (std::abs(row.computeCapability - limits->computeCapability) <
        std::abs(closest->computeCapability - limits->computeCapability))
      closest = &row;
  DeviceFacts facts;
  facts.target = Target::nvptx;
  facts.name = closest->product;
  facts.computeCapability = limits->computeCapability;
  facts.multiprocessors = closest->multiprocessors;
  facts.threadsPerMultiprocessor = limits->threadsPerMultiprocessor;
  facts.clockGhz = closest->clockGhz;
  facts.cacheBytes = closest->cacheMegabytes << 20;
  facts.memoryBandwidth = reachedMemoryShare * closest->memoryBandwidth;
  facts.cacheBandwidth = cacheBytesPerCycle * facts.clockGhz *
                         static_cast<double>(facts.multiprocessors);
  facts.launchUs = gpuLaunchUs;
  return facts;
}

static int64_t cacheSize(int name, int64_t otherwise) {
  long size = sysconf(name);
  return size > 0 ? static_cast<int64_t>(size) : otherwise;
}

int64_t autosage::machineVectorBits() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    return 512;
  if (__builtin_cpu_supports("avx"))
    return 256;
#endif
  return 128; // SSE2, NEON
}

DeviceFacts autosage::cpuFacts(int64_t threads) {
  // Bytes a nanosecond that gathers of whole rows reach a core, and all cores
  // together: measured on server processors with AVX-512 (docs/estimate.md).
  constexpr double cachePerThread = 88, memoryPerThread = 9, memoryMost = 160;
  DeviceFacts facts;
  facts.target = Target::cpu;
  facts.name = "cpu";
  facts.threads = std::max<int64_t>(1, threads);
  facts.vectorBits = machineVectorBits();
  facts.l1Bytes = cacheSize(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  facts.coreL2Bytes = cacheSize(_SC_LEVEL2_CACHE_SIZE, 1 << 20);
  facts.cacheBytes = cacheSize(_SC_LEVEL3_CACHE_SIZE, 16 << 20);
  auto t = static_cast<double>(facts.threads);
  facts.cacheBandwidth = cachePerThread * t;
  facts.memoryBandwidth = std::min(memoryPerThread * t, memoryMost);
  facts.launchUs = facts.threads > 1 ? 5 : 0.2;
  facts.clockGhz = 2.6;
  return facts;
}
