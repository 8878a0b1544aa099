//===- Shadow.h - who accessed which bytes, and when ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data race detector's memory, after FastTrack (Flanagan and Freund, PLDI
// 2009): each cell has the last write and two reads of different threads, each
// with the thread's clock. A clock advances where its thread synchronises. Two
// reads are enough for barriers of a whole block: a write that is not ordered
// after some read is then not ordered after a kept one of another thread.
//
// A cell stands for 4 bytes, until an access to less comes: then all cells of
// the buffer stand for one byte.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_EMULATION_SHADOW_H
#define AUTOSAGE_LIB_EMULATION_SHADOW_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace autosage::simt {

enum class Access : uint16_t {
  none,
  read,
  write,
  atomic,
  /// The write of an asynchronous copy that nobody has waited for.
  inFlight
};

/// One access. 16 bytes, as there are three to every 4 bytes of data.
struct Stamp {
  int32_t site = 0; // relative to the launch's first one
  uint32_t block = 0;
  uint32_t clock = 0;
  uint16_t thread = 0;
  Access access = Access::none;
};

struct Cell {
  /// The run whose accesses these are; those of an earlier one do not count.
  uint64_t run;
  Stamp write;
  Stamp reads[2];
};

/// Cells of one buffer, made at the first access.
class Shadow {
public:
  Shadow() = default;
  Shadow(const Shadow &) = delete;
  Shadow &operator=(const Shadow &) = delete;
  ~Shadow() { std::free(cells); }

  /// The cells of `bytes` bytes at `offset` of a buffer of `size` bytes; null
  /// where there is no memory for them.
  Cell *at(uint64_t offset, uint64_t bytes, uint64_t size, uint64_t &count);

private:
  Cell *cells = nullptr;
  unsigned shift = 2;

  bool split(uint64_t size);
};

} // namespace autosage::simt

#endif // AUTOSAGE_LIB_EMULATION_SHADOW_H
