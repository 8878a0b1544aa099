//===- TestKernel.h - a kernel with operands, and its reference -*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds operands as f64 whose values the kernel's element type holds exactly,
// runs the kernel in that type, and evaluates Core's reference on the same
// numbers.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_COMPILER_TESTKERNEL_H
#define AUTOSAGE_TEST_COMPILER_TESTKERNEL_H

#include "autosage/Compiler/Compiler.h"

#include <random>
#include <vector>

namespace autosage::test {

/// Widths of one call, for specs that leave them open.
struct Widths {
  int64_t features = 1;
  int64_t valueFeatures = 1;
  int64_t heads = 1;
};

struct TestCall {
  compiler::KernelSpec spec;
  Csr csr; // of the spec's index types
  Widths widths;
  std::vector<double> w, x, q, k, v, vec, out, lse;

  /// Draws every operand that the spec reads; outputs are NaN, or drawn where
  /// the spec accumulates.
  TestCall(const compiler::KernelSpec &spec, const Csr &csr,
           const Widths &widths, std::mt19937_64 &engine);

  /// Runs `kernel`; `out` and `lse` hold its results.
  Status run(const compiler::CompiledKernel &kernel);
  /// Fills `expected` and `expectedLse` from Core's reference.
  void evaluate(std::vector<double> &expected,
                std::vector<double> &expectedLse) const;

private:
  template <typename T> Status runAs(const compiler::CompiledKernel &kernel);
  bool isNarrow() const; // q and k have no width
};

/// Relative error, infinite where NaN or infinities stand elsewhere.
double relativeError(const std::vector<double> &got,
                     const std::vector<double> &expected);

/// What a right kernel of the type stays below on the graphs of these tests.
double toleranceOf(DType dtype);

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_TESTKERNEL_H
