//===- Scope.h - a call of the driver on the right device -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_CUDA_SCOPE_H
#define AUTOSAGE_LIB_RUNTIME_CUDA_SCOPE_H

#include "Driver.h"

namespace autosage::runtime::cuda {

/// Around the driver calls of one entry point. The thread's current context is
/// used, which is how frameworks say what device they mean; where there is
/// none, the primary context of device 0, for as long as the scope lasts.
/// False where the thread has an error already, or there is no device; the
/// error is then set.
class Scope {
public:
  Scope();
  ~Scope();
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

  explicit operator bool() const { return cuda != nullptr; }
  const Driver *operator->() const { return cuda; }

  Context context() const { return current; }
  Stream stream() const;

  /// Sets the thread's error where `code` is one; true for success.
  bool check(Code code, const char *what) const;

private:
  const Driver *cuda = nullptr;
  Context current = nullptr;
  bool restore = false;
};

/// The stream that the calling thread's work goes to.
Stream &currentStream();

} // namespace autosage::runtime::cuda

#endif // AUTOSAGE_LIB_RUNTIME_CUDA_SCOPE_H
