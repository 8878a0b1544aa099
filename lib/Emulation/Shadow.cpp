//===- Shadow.cpp - cells of the race detector ----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"

using namespace autosage::simt;

bool Shadow::split(uint64_t size) {
  auto *bytes = static_cast<Cell *>(std::calloc(size, sizeof(Cell)));
  if (!bytes)
    return false;
  if (cells)
    for (uint64_t i = 0; i < size; ++i)
      // Untouched cells stay untouched pages.
      if (cells[i / 4].run)
        bytes[i] = cells[i / 4];
  std::free(cells);
  cells = bytes;
  shift = 0;
  return true;
}

Cell *Shadow::at(uint64_t offset, uint64_t bytes, uint64_t size,
                 uint64_t &count) {
  if (shift && ((offset | bytes) & 3) && !split(size))
    return nullptr;
  if (!cells) {
    // calloc gives zeros without touching large areas.
    cells = static_cast<Cell *>(std::calloc((size + 3) / 4, sizeof(Cell)));
    if (!cells)
      return nullptr;
  }
  count = bytes >> shift;
  return cells + (offset >> shift);
}
