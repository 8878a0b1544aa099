//===- Npy.cpp - fuzz target of the .npy reader ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

using namespace autosage;
using namespace autosage::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<io::DenseArray> array = io::parseNpy(toText(data, size), "a.npy");
  if (!array) {
    expectMessage(array.error(), "a.npy: ");
    return 0;
  }
  int64_t count = 1;
  for (int64_t extent : array->shape)
    count *= extent;
  expect(array->size() == count, "as many values as the shape says");
  return 0;
}
