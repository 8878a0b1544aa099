//===- GpuChip.cpp - limits of NVIDIA chips -------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/GpuChip.h"

namespace autosage {
namespace {

struct Row {
  int32_t computeCapability;
  int64_t sharedKilobytesPerBlock, sharedKilobytes, threads, blocks;
  int32_t ptxVersion;
  /// Variants with instructions that later chips do not have (sm_90a), and
  /// those of a family (sm_100f).
  bool architectureSpecific, familySpecific;
};

// A block gets 1 KB less than the multiprocessor has, which the system keeps
// from 8.0 on.
constexpr Row rows[] = {
    {70, 96, 96, 2048, 32, 83, false, false},
    {75, 64, 64, 1024, 16, 83, false, false},
    {80, 163, 164, 2048, 32, 83, false, false},
    {86, 99, 100, 1536, 16, 83, false, false},
    {87, 163, 164, 1536, 16, 83, false, false},
    {89, 99, 100, 1536, 24, 83, false, false},
    {90, 227, 228, 2048, 32, 83, true, false},
    {100, 227, 228, 2048, 32, 86, true, true},
    {103, 227, 228, 2048, 32, 88, true, true},
    {110, 227, 228, 1536, 24, 90, true, true},
    {120, 99, 100, 1536, 24, 87, true, true},
    {121, 99, 100, 1536, 24, 88, true, true},
};

std::string knownChips() {
  std::string text;
  for (const Row &row : rows)
    text += (text.empty() ? "sm_" : ", sm_") +
            std::to_string(row.computeCapability);
  return text;
}

} // namespace

Result<GpuChip> findGpuChip(std::string_view name) {
  if (name.empty())
    return Error{"expects a chip such as sm_90, got an empty name"};
  std::string quoted = "'" + std::string(name) + "'";
  if (name.substr(0, 3) != "sm_")
    return Error{quoted + " is not an NVVM chip, expects one of " +
                 knownChips()};
  for (const Row &row : rows) {
    std::string base = "sm_" + std::to_string(row.computeCapability);
    bool found = name == base ||
                 (row.architectureSpecific && name == base + "a") ||
                 (row.familySpecific && name == base + "f");
    if (!found)
      continue;
    GpuChip chip;
    chip.name = name;
    chip.computeCapability = row.computeCapability;
    chip.sharedBytesPerBlock = row.sharedKilobytesPerBlock * 1024;
    chip.sharedBytesPerMultiprocessor = row.sharedKilobytes * 1024;
    chip.threadsPerMultiprocessor = row.threads;
    chip.blocksPerMultiprocessor = row.blocks;
    // Names with f came with PTX 8.8.
    bool family = name.back() == 'f';
    chip.ptxVersion = family && row.ptxVersion < 88 ? 88 : row.ptxVersion;
    return chip;
  }
  return Error{"unknown chip " + quoted + ", expects one of " + knownChips()};
}

} // namespace autosage
