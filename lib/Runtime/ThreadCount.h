//===- ThreadCount.h - how many threads a loop may use ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_THREADCOUNT_H
#define AUTOSAGE_LIB_RUNTIME_THREADCOUNT_H

#include <cstdint>

namespace autosage::runtime {

/// What was set, else the environment's, else the OpenMP runtime's; at least 1.
/// Whether threads can be used at all is not asked here.
int32_t wantedThreads();

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_THREADCOUNT_H
