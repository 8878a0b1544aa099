//===- Scratch.h - operands that a probe owns -------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_ORACLE_SCRATCH_H
#define AUTOSAGE_LIB_RUNTIME_ORACLE_SCRATCH_H

#include "autosage/Core/KernelArguments.h"
#include "autosage/Runtime/Device.h"

#include <memory>
#include <vector>

namespace autosage::runtime {

/// Memory of the host or of the device. Calls expect a DeviceGuard.
class Memory {
public:
  /// A null api: the host's.
  explicit Memory(const autosage_device_api *api) : api(api) {}
  ~Memory() { release(); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Null where there is none, and for 0 bytes.
  void *alloc(int64_t bytes);
  void copyIn(void *to, const void *fromHost, int64_t bytes);
  void copyOut(void *toHost, const void *from, int64_t bytes);
  struct Piece {
    const void *from;
    int64_t at, bytes; // in the result
  };
  /// Waits for the device once.
  void copyOut(char *toHost, const std::vector<Piece> &pieces);
  /// Repeats the block.
  void fill(void *to, int64_t bytes, const std::vector<char> &block);
  /// What `release` is expected to take, from what getting the memory took.
  double releaseMs() const;
  void release();

private:
  const autosage_device_api *const api;
  std::vector<void *> pointers;
  void *staging = nullptr; // for pieces
  int64_t stagingBytes = 0;
  double allocatedBytes = 0, allocationMs = 0;
  double filledBytes = 0, fillingMs = 0;
};

/// The shapes for a part of the pattern: fewer rows.
Operands shapesFor(const KernelSpec &spec, const Operands &whole,
                   const CsrView &pattern);

/// The dense operands of a call, with random inputs in [-1, 1).
class Scratch {
public:
  /// `shapes` are those of the whole input; fails where memory is short.
  static Result<std::unique_ptr<Scratch>>
  make(Memory &memory, const KernelSpec &spec, const Operands &shapes);

  /// Operands for a part of the pattern: the same memory, fewer rows.
  Operands operandsFor(const CsrView &pattern) const;
  /// NaN in every byte of the outputs; where the operation adds to them, the
  /// same numbers each time.
  void reset(const CsrView &pattern);
  /// Numbers of the outputs, evenly spread, at most `most` of each.
  std::vector<std::vector<double>> look(const CsrView &pattern, int64_t most);

private:
  Scratch(Memory &memory, const KernelSpec &spec, const Operands &shapes);
  Status allocate();

  Memory &memory;
  const KernelSpec spec;
  const std::vector<Argument> arguments;
  Operands operands;
  std::vector<char> poison;
};

/// Whether results are equal within what the types allow for rows of up to
/// `longest` terms; says how far they are apart.
Status compareResults(const std::vector<std::vector<double>> &got,
                      const std::vector<std::vector<double>> &expected,
                      const KernelSpec &spec, int64_t longest);

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_ORACLE_SCRATCH_H
