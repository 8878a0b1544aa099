//===- Execution.h - one call of cuSPARSE, prepared -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptors, handle and device memory of a call. What a plan holds for long
// and a single call for a moment.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_CUSPARSE_EXECUTION_H
#define AUTOSAGE_LIB_RUNTIME_CUSPARSE_EXECUTION_H

#include "../Cuda/Scope.h"
#include "Library.h"

#include "autosage/Core/Vendor.h"
#include "autosage/Runtime/Vendor.h"

#include <vector>

namespace autosage::runtime::cusparse {

/// A code of Device.h or Vendor.h with its text; code 0 is success.
struct Outcome {
  int32_t code = 0;
  std::string message;

  explicit operator bool() const { return code == 0; }
};

/// Checks the fields of a spec, in the words of the header.
Outcome checkSpec(const autosage_vendor_spec *spec);
/// The call as the rules see it, of a checked spec.
VendorCall callOf(const autosage_vendor_spec &spec, std::optional<int> version);
/// Whether cuSPARSE does the call of a checked spec right; without operands as
/// far as that does not depend on where they lie.
Outcome checkSupport(const autosage_vendor_spec &spec,
                     const autosage_vendor_operands *operands,
                     std::optional<int> version);
/// Checks pointers and that the output overlaps no input, in O(1).
Outcome checkOperands(const autosage_vendor_spec &spec,
                      const autosage_vendor_operands *operands);

/// Whose memory is freed in the order of the stream, so that nobody waits, or
/// at once.
enum class Lifetime { call, plan };

/// Every function expects the scope's context to be the one of `prepare`.
class Execution {
public:
  Execution(const Library &cusparse, const autosage_vendor_spec &spec,
            cuda::Stream stream, Lifetime lifetime)
      : cusparse(cusparse), spec(spec), stream(stream), lifetime(lifetime) {}
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;

  /// The most device memory in bytes that may be allocated; -1: any.
  void setLimit(int64_t most) { limit = most; }

  /// Makes descriptors and workspace; a plan also preprocesses. Of operands
  /// that are null runs bring others: memory that nobody reads stands for them.
  Outcome prepare(const cuda::Scope &scope,
                  const autosage_vendor_operands &operands);
  /// Enqueues, after a `prepare` that succeeded.
  Outcome run(const autosage_vendor_operands &operands);
  /// Gives everything back, after any `prepare`.
  void release(const cuda::Scope &scope);

  int64_t deviceBytes() const { return bytes; }
  cuda::Stream getStream() const { return stream; }

private:
  enum class Step { bufferSize, preprocess, run };

  bool isSpmm() const { return spec.op == AUTOSAGE_VENDOR_SPMM; }
  Outcome check(Code code, const char *what) const;
  Outcome allocate(const cuda::Scope &scope, int64_t size, void **memory);
  Outcome makeOnes(const cuda::Scope &scope);
  Outcome makeDescriptors(const autosage_vendor_operands &operands);
  Code call(Step step, size_t *size);

  const Library &cusparse;
  autosage_vendor_spec spec;
  cuda::Stream stream;
  Lifetime lifetime;

  cuda::Context context = nullptr;
  Handle handle = nullptr;
  SparseMatrix sparse = nullptr;
  DenseMatrix left = nullptr, right = nullptr; // x and y, or q and k
  void *ones = nullptr, *workspace = nullptr;
  int64_t bytes = 0, limit = -1;
  std::vector<void *> owned;
  // What the descriptors hold, to set only what changes.
  const void *valuesSet = nullptr, *leftSet = nullptr, *rightSet = nullptr;
};

} // namespace autosage::runtime::cusparse

#endif // AUTOSAGE_LIB_RUNTIME_CUSPARSE_EXECUTION_H
