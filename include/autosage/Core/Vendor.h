//===- Vendor.h - what cuSPARSE can do, and the same by hand ----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of the schedule family `vendor`: which calls cuSPARSE gets right
// under the contract of docs/semantics.md. The list, with versions and sources,
// is docs/cusparse.md. Compilers ask with what they know of a call, the runtime
// with everything.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_VENDOR_H
#define AUTOSAGE_CORE_VENDOR_H

#include "autosage/Core/Result.h"
#include "autosage/Core/Types.h"

#include <cstdint>
#include <optional>

namespace autosage {

/// Of SpMM: cuSPARSE's own choice, CSR_ALG1, CSR_ALG2 and CSR_ALG3. SDDMM has
/// one algorithm.
inline constexpr int64_t vendorAlgorithms = 4;
/// The one of SpMM that NVIDIA documents as deterministic.
inline constexpr int64_t deterministicVendorAlgorithm = 3;
/// Whether the library was seen to give the same bits in every run, whatever
/// its documentation says: of SpMM no algorithm does on long rows.
constexpr bool vendorRepeatsBits(OpKind op) { return op == OpKind::sddmm; }
/// That one reads and writes dense rows right only where each begins at a
/// multiple of so many bytes and fills a multiple of them.
inline constexpr int64_t vendorRowBytes = 16;

struct VendorCall {
  OpKind op = OpKind::spmm;
  Reduction reduction = Reduction::sum;
  Combine combine = Combine::dot;
  DType dtype = DType::f32;
  DType outType = DType::f32;
  IndexType rowptrType = IndexType::i32, colindType = IndexType::i32;
  /// More than one only where all share the edge values.
  int64_t heads = 1;
  bool edgeValues = false, valuesPerHead = false;
  bool transpose = false, accumulate = false;
  double scale = 1.0; // of sddmm

  int64_t algorithm = deterministicVendorAlgorithm; // of SpMM
  bool deterministic = true;

  /// Empty while unknown.
  std::optional<int64_t> rows, cols, nnz;
  /// Columns of the dense operands: heads times the width of one.
  std::optional<int64_t> columns;
  /// Elements between the rows of x and y.
  std::optional<int64_t> leftStride, outStride;
  /// Where x and y lie.
  std::optional<uintptr_t> left, out;
  /// As cusparseGetVersion gives it, 12603 for 12.6.3; empty while unknown.
  std::optional<int> version;
};

/// Success, or why a kernel of ours has to do it: `cuSPARSE expects ...`.
Status verifyVendorCall(const VendorCall &call);

/// The part of it that a schedule alone decides.
Status verifyVendorAlgorithm(OpKind op, int64_t algorithm, bool deterministic);

/// Operands in memory of the host. Strides are those of rows, in elements.
struct HostOperands {
  int64_t rows = 0, cols = 0, nnz = 0, columns = 0;
  const void *rowptr = nullptr, *colind = nullptr;
  const void *values = nullptr; // null: each counts as 1
  const void *left = nullptr;   // x of spmm, q of sddmm
  const void *right = nullptr;  // k of sddmm
  int64_t leftStride = 0, rightStride = 0;
  void *out = nullptr;
  int64_t outStride = 0; // of spmm; sddmm writes nnz elements
};

/// The same call by plain loops that widen every element to f64 and round once.
/// The slow path where there is no cuSPARSE.
void runVendorCallOnHost(const VendorCall &call, const HostOperands &operands);

} // namespace autosage

#endif // AUTOSAGE_CORE_VENDOR_H
