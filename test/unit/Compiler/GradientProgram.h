//===- GradientProgram.h - programs on numbers of any type ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function `main` on one pattern, written from a list of operands. Operands
// are f64 whose values their type holds exactly, so that the reference computes
// on the same numbers.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_COMPILER_GRADIENTPROGRAM_H
#define AUTOSAGE_TEST_COMPILER_GRADIENTPROGRAM_H

#include "TestProgram.h"

#include "autosage/Core/Csr.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace autosage::test {

using Numbers = std::vector<double>;
using Shape = std::vector<int64_t>;

/// An operand of `main`; an output is written where `results` says so.
struct ProgramOperand {
  std::string name;
  DType dtype;
  /// The type's sizes: "?x?", "?x3x8".
  std::string sizes;
  bool isOutput = false;

  std::string tensor() const;
  std::string memref() const;
};

class GradientProgram {
public:
  /// `body` computes on tensors by the operands' names, outputs as `%NAME_0`,
  /// and on the pattern `%p` of type `!p`; `%NAME` is what an output becomes.
  /// `passes` run first, on `before` (more functions) too.
  GradientProgram(Target target, IndexType rowptr, IndexType colind,
                  std::vector<ProgramOperand> operands, const std::string &body,
                  const std::string &before = "",
                  const std::string &passes = "");

  explicit operator bool() const { return kernel != nullptr; }
  const std::string &text() const { return source; }

  /// Runs it once; the outputs by name, of the given shapes. Fails the test
  /// where the device does.
  std::map<std::string, Numbers>
  run(const Csr &csr, const std::map<std::string, Numbers> &values,
      const std::map<std::string, Shape> &shapes) const;

private:
  Target target;
  IndexType rowptr, colind;
  std::vector<ProgramOperand> operands;
  std::string source;
  std::shared_ptr<const compiler::CompiledKernel> kernel;
};

/// Uniform in [-1, 1], rounded to the type.
Numbers drawNumbers(std::mt19937_64 &engine, size_t count, DType dtype);
/// What the type holds of them.
Numbers roundedTo(Numbers values, DType dtype);

/// Whether `got` is `expected` to the last rounding to `stored` and to `bound`
/// times what the terms of its sums are, `magnitude` where they cancel.
testing::AssertionResult isNear(const Numbers &got, const Numbers &expected,
                                DType stored, double bound, double magnitude);
/// The longest row or column.
int64_t longestSum(const Csr &csr);

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_GRADIENTPROGRAM_H
