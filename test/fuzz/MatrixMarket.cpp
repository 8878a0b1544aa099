//===- MatrixMarket.cpp - fuzz target of the Matrix Market reader ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

using namespace autosage;
using namespace autosage::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  expectErrorOrValid(io::parseMatrixMarket(toText(data, size), "a.mtx"),
                     "a.mtx: ");
  return 0;
}
