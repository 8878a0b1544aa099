//===- GeneratedPattern.h - the pattern of cases N13 and N15 ----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference and compiled kernels are held to the same literal results.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_UNIT_CORE_GENERATEDPATTERN_H
#define AUTOSAGE_TEST_UNIT_CORE_GENERATEDPATTERN_H

#include "autosage/Core/Csr.h"

#include <vector>

namespace autosage::test {

/// 37 x 29, unsorted, with stored zeros: row i has 7 i mod 11 entries; entry e
/// has column (13 i + 5 e) mod 29 and value (i + 3 e) mod 5 - 2.
inline Csr generatedPattern(std::vector<double> &values) {
  std::vector<int32_t> rowptr = {0}, colind;
  for (int32_t i = 0; i < 37; ++i) {
    for (int32_t e = 0; e < 7 * i % 11; ++e) {
      colind.push_back((13 * i + 5 * e) % 29);
      values.push_back((i + 3 * e) % 5 - 2);
    }
    rowptr.push_back(static_cast<int32_t>(colind.size()));
  }
  return {37, 29, IndexArray(std::move(rowptr)), IndexArray(std::move(colind))};
}

} // namespace autosage::test

#endif // AUTOSAGE_TEST_UNIT_CORE_GENERATEDPATTERN_H
