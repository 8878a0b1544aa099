//===- Chip.h - what is known of each GPU -----------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The chips that kernels can be made for, and their limits.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_CHIP_H
#define AUTOSAGE_CORE_CHIP_H

#include "autosage/Core/Result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace autosage {

struct Chip {
  std::string_view name;       // sm_90
  int64_t sharedBytes;         // of a block, the most that can be asked for
  std::string_view ptxFeature; // lowest PTX version for it and our kernels
};

const std::vector<Chip> &allChips();

/// `unknown chip 'sm_999', expects one of ...`; `empty chip, ...`; `'gfx90a' is
/// not an NVVM chip, ...`.
Result<Chip> findChip(std::string_view name);

} // namespace autosage

#endif // AUTOSAGE_CORE_CHIP_H
