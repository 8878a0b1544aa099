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
#include "autosage/Core/Reference.h"
#include "autosage/Runtime/Device.h"

#include <functional>
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
  /// What the element types hold exactly.
  std::vector<double> w, x, q, k, v, vec, out, lse;
  /// Of the gradients of attention, whose `out` has all of them one after
  /// another; `lse` is an operand.
  std::vector<double> o, dO;

  /// Draws every operand that the spec reads; outputs are NaN, or drawn where
  /// the spec accumulates.
  TestCall(const compiler::KernelSpec &spec, const Csr &csr,
           const Widths &widths, std::mt19937_64 &engine);

  /// Computes `o` and `lse` of the operands, as they are stored.
  void runForward();

  /// The outputs in `out`.
  struct Part {
    const char *name;
    size_t begin, size;
  };
  std::vector<Part> parts() const;

  /// Runs what `runner` does with operands; `out` and `lse` hold its results.
  /// With `device`, operands are copies in its memory.
  using Runner = std::function<Status(const Operands &)>;
  Status run(const Runner &runner, const autosage_device_api *device = nullptr);
  Status run(const compiler::CompiledKernel &kernel,
             const autosage_device_api *device = nullptr) {
    return run([&](const Operands &ops) { return kernel.run(ops); }, device);
  }
  /// Fills `expected` and `expectedLse` from Core's reference.
  void evaluate(std::vector<double> &expected,
                std::vector<double> &expectedLse) const;

  /// What a right kernel's relative errors stay below, from the type, the
  /// length of the sums and the numbers themselves (docs/semantics.md, errors
  /// and tolerances).
  struct Bounds {
    double out, lse;
  };
  Bounds bounds(const std::vector<double> &expected,
                const std::vector<double> &expectedLse) const;
  /// The same for one gradient of attention.
  double gradientBound(const Part &part,
                       const std::vector<double> &expected) const;
  /// Each output's error, after a run, and its bound.
  struct OutputError {
    const char *name;
    double error, bound;
    bool isSmall() const { return error <= bound; }
  };
  std::vector<OutputError> errors(const std::vector<double> &expected,
                                  const std::vector<double> &expectedLse) const;

private:
  template <typename In, typename Out>
  Status runAs(const Runner &runner, const autosage_device_api *device);
  bool isNarrow() const; // q and k have no width
  reference::AttentionParams attentionParams() const;
  reference::EdgeValues edges() const;
  double gradientTerms(double largest) const;
  void addWeightlessRows(const std::vector<double> &lses,
                         std::vector<double> &expected) const;
  double spmmBound(const std::vector<double> &expected) const;
  double sddmmBound(const std::vector<double> &expected) const;
  Bounds softmaxBounds(const std::vector<double> &expected,
                       const std::vector<double> &expectedLse) const;
};

/// Relative error, infinite where NaN or infinities stand elsewhere.
double relativeError(const std::vector<double> &got,
                     const std::vector<double> &expected);

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_TESTKERNEL_H
