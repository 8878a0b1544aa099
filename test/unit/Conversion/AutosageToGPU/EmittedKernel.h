//===- EmittedKernel.h - kernels of the emitter, run ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel whose body a test writes with the emitter, lowered as others are and
// run thread by thread with all checks.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_CONVERSION_EMITTEDKERNEL_H
#define AUTOSAGE_TEST_CONVERSION_EMITTEDKERNEL_H

#include "Conversion/AutosageToGPU/Emitter.h"

#include <functional>
#include <string>
#include <vector>

namespace autosage::test {

/// What the body has, besides the emitter.
struct KernelArguments {
  mlir::Value x, y, out; // !llvm.ptr<1>
  mlir::Value thread;    // i64
};
using EmitBody =
    std::function<void(mlir::autosage::device::Emitter &, KernelArguments)>;

/// A finding of the emulator, with its code; 0 for none.
struct Finding {
  int code = 0;
  std::string message;
};

/// Memory of one argument; inputs are read-only.
struct Bytes {
  void *data = nullptr;
  size_t size = 0;

  Bytes() = default;
  template <typename T>
  Bytes(std::vector<T> &values)
      : data(values.data()), size(values.size() * sizeof(T)) {}
};

/// Runs one block of `threads`.
Finding runEmitted(int64_t threads, Bytes x, Bytes y, Bytes out,
                   const EmitBody &emit);

} // namespace autosage::test

#endif // AUTOSAGE_TEST_CONVERSION_EMITTEDKERNEL_H
