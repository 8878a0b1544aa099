//===- Buffers.h - memory that kernels may access ---------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_EMULATION_BUFFERS_H
#define AUTOSAGE_LIB_EMULATION_BUFFERS_H

#include "Shadow.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace autosage::simt {

struct Buffer {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  std::string name;
  bool readOnly = false;
  /// Made by autosage_simt_device_alloc; freed with the entry.
  bool owned = false;
  Shadow shadow;
};

/// All buffers of the process, by address. Launches hold the lock throughout:
/// one runs at a time, and none sees a buffer go.
class Buffers {
public:
  static Buffers &instance();

  std::mutex lock;

  /// False where the bytes overlap another buffer. A buffer of no bytes is
  /// accepted and not kept.
  bool add(uintptr_t begin, int64_t bytes, std::string name, bool readOnly,
           bool owned);
  /// Null where no buffer begins there.
  Buffer *at(uintptr_t begin);
  void remove(uintptr_t begin);
  /// The buffer that holds the address; null where none does.
  Buffer *find(uintptr_t address);
  /// The buffer whose end or begin is closest to the address, for messages.
  const Buffer *nearest(uintptr_t address) const;

private:
  std::map<uintptr_t, std::unique_ptr<Buffer>> byBegin;
};

/// Whether the bytes lie in one buffer, which may be written where `written`
/// says so. Else the thread's error says that `call` expects them as `name`.
bool checkBuffer(const char *call, const char *name, const void *data,
                 uint64_t bytes, bool written = false);

} // namespace autosage::simt

#endif // AUTOSAGE_LIB_EMULATION_BUFFERS_H
