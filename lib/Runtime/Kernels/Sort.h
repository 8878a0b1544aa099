//===- Sort.h - sizes of prefix sums and of the radix sort ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels and those who launch them agree on.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNELS_SORT_H
#define AUTOSAGE_LIB_RUNTIME_KERNELS_SORT_H

namespace autosage::kernels {

constexpr unsigned scanTile = 2048;
constexpr unsigned scanSharedBytes = 64;

constexpr unsigned sortDigitBits = 8;
constexpr unsigned sortDigits = 1 << sortDigitBits;
constexpr unsigned sortTile = 4096;
constexpr unsigned histogramSharedBytes = 4 * sortDigits;
/// Of a block, besides its tile of keys: sums of warps, places of digits, and a
/// counter for each digit and warp.
constexpr unsigned sortFixedBytes = 64 + 8 * sortDigits + 8 * 4 * sortDigits;

} // namespace autosage::kernels

#endif // AUTOSAGE_LIB_RUNTIME_KERNELS_SORT_H
