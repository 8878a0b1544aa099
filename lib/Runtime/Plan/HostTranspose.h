//===- HostTranspose.h - a pattern transposed once, on the cpu --*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of the cpu transpose a pattern at every call. A plan does it once and
// runs the kernel of the plain product on the result; only the values of the
// edges, which are new in every run, are put in order then.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_PLAN_HOSTTRANSPOSE_H
#define AUTOSAGE_LIB_RUNTIME_PLAN_HOSTTRANSPOSE_H

#include "autosage/Core/Kernel.h"

#include <memory>
#include <vector>

namespace autosage::runtime {

class HostTranspose {
public:
  /// Whether the transposed pattern has the index types of `pattern`.
  static bool fits(const CsrView &pattern);
  /// Whether the kernel of `spec` reads such a pattern beside its own, where
  /// there is room for it.
  static bool isGiven(const KernelSpec &spec, const CsrView &pattern) {
    return spec.op == OpKind::attention_backward && fits(pattern);
  }
  /// Looks at the contents. `valueBytes`: of the values of an edge, 0 for none.
  /// The permutation is kept where it is needed: for values, or where wanted.
  static Result<std::unique_ptr<HostTranspose>>
  make(const CsrView &pattern, int64_t valueBytes,
       bool wantsPermutation = false);

  CsrView pattern() const { return transposed.csr.view(); }
  IndexView permutation() const { return transposed.edgePermutation.view(); }
  bool hasValues() const { return valueBytes > 0; }
  int64_t bytes() const;

  /// The values in the transposed order, in memory of this object: one call at
  /// a time.
  DenseIn inOrder(const DenseIn &values);

private:
  HostTranspose(Transposed transposed, int64_t valueBytes)
      : transposed(std::move(transposed)), valueBytes(valueBytes) {}

  Transposed transposed;
  const int64_t valueBytes;
  std::vector<char> values;
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_PLAN_HOSTTRANSPOSE_H
