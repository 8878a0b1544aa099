//===- GpuKnobs.h - what the GPU families share -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every family for the GPU lets a sub-warp of lanes walk the entries of a row
// or of a piece of it, each lane with its columns of the features in registers.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CORE_SCHEDULE_GPUKNOBS_H
#define AUTOSAGE_LIB_CORE_SCHEDULE_GPUKNOBS_H

#include "Families.h"

namespace autosage::schedule {

/// `unroll`, `vec`, `tile`, `min_blocks` and `attention`.
std::vector<KnobSpec> gpuKnobs();

/// The limit on the registers that loads in flight take, which depends on how
/// the op's kernels share out columns.
Status verifyGpuKnobsForTarget(const KnobMap &knobs, Target target,
                               const Problem &problem);

/// Blocks of 128 threads for `min_blocks` that leave fused attention the
/// registers for `unroll` rows of k and v in flight, with vectors of 16 bytes;
/// 0 where that needs no bound. `columns` are those of a head: of a row of k
/// and of one of v.
int64_t fusedMinBlocks(int64_t scoreColumns, int64_t columns,
                       int64_t elementBytes, int64_t unroll);

} // namespace autosage::schedule

#endif // AUTOSAGE_LIB_CORE_SCHEDULE_GPUKNOBS_H
