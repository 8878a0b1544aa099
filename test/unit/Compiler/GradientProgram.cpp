//===- GradientProgram.cpp - programs on numbers of any type --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientProgram.h"

#include "TestKernel.h"

#include "autosage/Core/Half.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::test;

/// Calls `fn` with a number of the type.
template <typename Fn> static auto withType(DType dtype, Fn &&fn) {
  switch (dtype) {
  case DType::f64:
    return fn(double());
  case DType::f16:
    return fn(Float16());
  case DType::bf16:
    return fn(BFloat16());
  case DType::f32:
    break;
  }
  return fn(float());
}

std::string ProgramOperand::tensor() const {
  return "tensor<" + sizes + "x" + std::string(toString(dtype)) + ">";
}

std::string ProgramOperand::memref() const {
  return "memref<" + sizes + "x" + std::string(toString(dtype)) + ">";
}

GradientProgram::GradientProgram(Target target, IndexType rowptr,
                                 IndexType colind,
                                 std::vector<ProgramOperand> list,
                                 const std::string &body,
                                 const std::string &before,
                                 const std::string &passes)
    : target(target), rowptr(rowptr), colind(colind),
      operands(std::move(list)) {
  std::string position(toString(rowptr)), coordinate(toString(colind));
  std::string pattern = "<?x?, " + position + ", " + coordinate + ">";
  std::string rp = "tensor<?x" + position + ">";
  std::string ci = "tensor<?x" + coordinate + ">";
  source = "!p = !autosage.pattern" + pattern + "\n" + before +
           "func.func @main(%rowptr: " + rp + ", %colind: " + ci +
           ", %cols: index";
  for (const ProgramOperand &operand : operands)
    source += ", %" + operand.name + (operand.isOutput ? "_out" : "") + ": " +
              (operand.isOutput ? operand.memref() : operand.tensor());
  source += ") attributes {llvm.emit_c_interface} {\n%p = autosage.pattern "
            "%rowptr, %colind, %cols : " +
            rp + ", " + ci + " -> " + pattern + "\n";
  for (const ProgramOperand &operand : operands)
    if (operand.isOutput)
      source += "%" + operand.name + "_0 = bufferization.to_tensor %" +
                operand.name + "_out restrict writable : " + operand.memref() +
                " to " + operand.tensor() + "\n";
  source += body;
  for (const ProgramOperand &operand : operands)
    if (operand.isOutput)
      source += "bufferization.materialize_in_destination %" + operand.name +
                " in restrict writable %" + operand.name + "_out : (" +
                operand.tensor() + ", " + operand.memref() + ") -> ()\n";
  source += "return\n}\n";

  compiler::NvptxOptions nvptx;
  if (target == Target::nvptx)
    nvptx.chip = testGpu().chip;
  compiler::CompileOptions options;
  options.passes = passes;
  auto compiled = compiler::compileProgram(source, "program.mlir", target,
                                           options, {}, nvptx);
  EXPECT_TRUE(compiled) << compiled.error() << "\n" << source;
  if (compiled)
    kernel = std::move(*compiled);
}

std::map<std::string, Numbers>
GradientProgram::run(const Csr &csr,
                     const std::map<std::string, Numbers> &values,
                     const std::map<std::string, Shape> &shapes) const {
  TestProgram program(kernel, target);
  auto addIndices = [&](const IndexArray &array, IndexType type) {
    if (type == IndexType::i32) {
      std::vector<int32_t> numbers;
      for (int64_t i = 0; i < array.size(); ++i)
        numbers.push_back(static_cast<int32_t>(array[i]));
      program.tensor(numbers, {array.size()});
      return;
    }
    std::vector<int64_t> numbers;
    for (int64_t i = 0; i < array.size(); ++i)
      numbers.push_back(array[i]);
    program.tensor(numbers, {array.size()});
  };
  addIndices(csr.rowptr, rowptr);
  addIndices(csr.colind, colind);
  program.number(csr.cols);
  std::map<std::string, size_t> places;
  for (const ProgramOperand &operand : operands)
    withType(operand.dtype, [&](auto zero) {
      using T = decltype(zero);
      const Shape &shape = shapes.at(operand.name);
      if (operand.isOutput) {
        places[operand.name] = program.output<T>(shape);
        return;
      }
      std::vector<T> numbers;
      for (double value : values.at(operand.name))
        numbers.push_back(static_cast<T>(value));
      program.tensor(numbers, shape);
    });
  Status ran = program.run();
  EXPECT_TRUE(ran) << ran.error();
  std::map<std::string, Numbers> results;
  for (const ProgramOperand &operand : operands)
    if (operand.isOutput)
      withType(operand.dtype, [&](auto zero) {
        using T = decltype(zero);
        Numbers &result = results[operand.name];
        for (T value : program.download<T>(places[operand.name]))
          result.push_back(static_cast<double>(value));
      });
  return results;
}

Numbers test::roundedTo(Numbers values, DType dtype) {
  withType(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (double &value : values)
      value = static_cast<double>(static_cast<T>(value));
  });
  return values;
}

Numbers test::drawNumbers(std::mt19937_64 &engine, size_t count, DType dtype) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Numbers values(count);
  for (double &value : values)
    value = uniform(engine);
  return roundedTo(std::move(values), dtype);
}

static double finiteNorm(const Numbers &values) {
  double sum = 0;
  for (double value : values)
    if (std::isfinite(value))
      sum += value * value;
  return std::sqrt(sum);
}

testing::AssertionResult test::isNear(const Numbers &got,
                                      const Numbers &expected, DType stored,
                                      double bound, double magnitude) {
  double norm = finiteNorm(expected), unit = 0, least = 0;
  if (stored == DType::f16) {
    unit = 0x1p-11;
    // Half of the least f16.
    least = 0x1p-25 * std::sqrt(static_cast<double>(expected.size()));
  } else if (stored == DType::bf16) {
    unit = 0x1p-8;
  }
  double error = relativeError(got, expected) * (norm > 0 ? norm : 1);
  double allowed =
      unit * norm + least + bound * std::max({norm, magnitude, 1e-300});
  if (error <= allowed)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "expects an error of at most " << allowed << ", got " << error
         << "; the norm is " << norm << ", the terms' magnitude " << magnitude;
}

int64_t test::longestSum(const Csr &csr) {
  int64_t longest = 1;
  std::vector<int64_t> columns(static_cast<size_t>(csr.cols));
  for (int64_t i = 0; i < csr.rows; ++i)
    longest = std::max(longest, csr.rowptr[i + 1] - csr.rowptr[i]);
  for (int64_t e = 0; e < csr.nnz(); ++e)
    longest = std::max(longest, ++columns[static_cast<size_t>(csr.colind[e])]);
  return longest;
}
