//===- Signature.h - the argument list of a kernel --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that says which arguments a kernel's `main` has, in which order
// and of which shape. The module builder writes the types from it, the runner
// fills the descriptors from it.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_COMPILER_SIGNATURE_H
#define AUTOSAGE_LIB_COMPILER_SIGNATURE_H

#include "autosage/Compiler/Compiler.h"

namespace autosage::compiler {

enum class ArgumentKind : uint8_t {
  rowptr,
  colind,
  columns, // the number of columns, an index
  edgeValues,
  x,
  q,
  k,
  v,
  vec,
  out,
  lse,
  workspace
};

/// What the leading size of an argument has to be.
enum class Extent : uint8_t { none, rows, cols, nnz, heads };

struct Argument {
  ArgumentKind kind = ArgumentKind::rowptr;
  std::string_view name;
  Extent extent = Extent::none;
  /// Sizes after the first; `dynamic` where known at run time only.
  std::vector<int64_t> inner;
  bool output = false;
  /// Of dense operands.
  DType dtype = DType::f32;
  /// Meaning of `inner`: a head dimension, then a width; either may be absent.
  bool hasHeads = false;
  bool hasWidth = false;
  /// The width is that of the values, which may differ from `features`.
  bool ofValues = false;

  size_t rank() const { return 1 + inner.size(); }
};

/// What `KernelSpec::aligned` promises, and of which arguments.
inline constexpr int64_t alignedBytes = 16;
inline bool isAligned(const KernelSpec &spec, const Argument &arg) {
  return spec.aligned && arg.hasWidth;
}

/// Expects a verified spec.
std::vector<Argument> signatureOf(const KernelSpec &spec);

} // namespace autosage::compiler

#endif // AUTOSAGE_LIB_COMPILER_SIGNATURE_H
