//===- Raw.cpp - fuzz target of the raw CSR reader ------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Readers.h"

using namespace autosage;
using namespace autosage::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  io::Input input(toText(data, size));
  expectErrorOrValid(io::readRaw(input, "a.bin"), "a.bin: ");
  return 0;
}
