//===- VendorPart.h - cuSPARSE inside a plan --------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a plan of the family `vendor` has in place of a kernel. On a GPU each
// stream has descriptors and workspace of its own, made when the stream is
// prepared; on the emulator calls go to its loops and need nothing.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_PLAN_VENDORPART_H
#define AUTOSAGE_LIB_RUNTIME_PLAN_VENDORPART_H

#include "Context.h"
#include "Scope.h"

#include "autosage/Core/Kernel.h"

namespace autosage::runtime {

class VendorPart {
public:
  /// Of a spec with its widths, and a vendor schedule. Fails with the reason
  /// where kernels of ours have to do it.
  static Result<VendorPart> make(const Context &context, const KernelSpec &spec,
                                 const Operands &shapes, bool deterministic);

  /// Allocates at most `limit` bytes (-1: no limit) and waits. Expects a
  /// DeviceGuard, like all that follow. Fails with the reason; nothing is left
  /// then, no error either.
  Status prepare(StreamState &state, int64_t limit) const;
  /// Bytes that `prepare` allocated.
  static int64_t bytesOf(const StreamState &state);

  /// Whether it depends on the addresses of operands what `takes` says.
  bool wantsAlignedRows() const;
  /// As "cuSPARSE 12.6.3".
  std::string origin() const;

  /// Whether these operands, checked by a KernelCall, lie where and how
  /// cuSPARSE may be given them.
  bool takes(const Operands &operands) const;
  /// Enqueues. Only after `takes`.
  Failure run(StreamState &state, const Operands &operands) const;

private:
  VendorPart() = default;

  autosage_vendor_spec call = {};
  const void *rowptr = nullptr, *colind = nullptr;
  // The emulator's; null on a GPU.
  decltype(&autosage_vendor_spmm) spmm = nullptr;
  decltype(&autosage_vendor_sddmm) sddmm = nullptr;

  autosage_vendor_operands operandsOf(const Operands &operands) const;
};

/// Frees what a VendorPart prepared for the stream; expects a DeviceGuard.
void releaseVendor(StreamState &state);

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_PLAN_VENDORPART_H
