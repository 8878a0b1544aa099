//===- Locality.h - sizes of the locality order -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels and those who launch them agree on.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNELS_LOCALITY_H
#define AUTOSAGE_LIB_RUNTIME_KERNELS_LOCALITY_H

namespace autosage::kernels {

/// Those of Core's localityOrder: the orders would differ.
constexpr unsigned sampledNeighbours = 64;
constexpr unsigned localityRounds = 6;
constexpr unsigned maxCommunity = 1 << 14;

/// Rows with more entries are hashed by many blocks.
constexpr unsigned longRow = 8192;

} // namespace autosage::kernels

#endif // AUTOSAGE_LIB_RUNTIME_KERNELS_LOCALITY_H
