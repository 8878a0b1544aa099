//===- Digit.h - the digit that a pass sorts by -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNELS_DIGIT_H
#define AUTOSAGE_LIB_RUNTIME_KERNELS_DIGIT_H

#include "Sort.h"
#include "Thread.h"

namespace autosage::kernels {

template <typename Key> AUTOSAGE_DEVICE u32 digitOf(Key key, u64 shift) {
  return (u32)(key >> shift) % sortDigits;
}

} // namespace autosage::kernels

#endif // AUTOSAGE_LIB_RUNTIME_KERNELS_DIGIT_H
