//===- Findings.h - what a validation finds ---------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels and those who launch them agree on.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNELS_FINDINGS_H
#define AUTOSAGE_LIB_RUNTIME_KERNELS_FINDINGS_H

namespace autosage::kernels {

/// Of a pattern, in device memory; -1 is no index.
struct Findings {
  long long badPosition; // the first one, from 1 on
  long long badEntry;    // the first one whose column is out of range
  long long first, last; // positions
  long long before, at;  // the position before the bad one, and that
  long long column, row; // of the bad entry; the row of a pattern else valid
};

} // namespace autosage::kernels

#endif // AUTOSAGE_LIB_RUNTIME_KERNELS_FINDINGS_H
