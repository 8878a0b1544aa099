//===- HostArray.h - a dense array of one float type ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands in the kernel's element type, with exact widening for the reference.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_HOSTARRAY_H
#define AUTOSAGE_TOOLS_RUN_HOSTARRAY_H

#include "autosage/Core/Half.h"
#include "autosage/Core/Result.h"
#include "autosage/Core/Types.h"

#include <string>
#include <variant>
#include <vector>

namespace autosage::run {

using Shape = std::vector<int64_t>;

/// `(34, 64)`, and `(34,)` for one dimension, as NumPy prints shapes.
std::string toString(const Shape &shape);

/// Elements of a shape, or an error that names `what`.
Result<int64_t> elementCount(const std::string &what, const Shape &shape);

class HostArray {
public:
  HostArray() = default;
  /// Zeros.
  HostArray(DType dtype, Shape shape);

  const Shape &shape() const { return sizes; }
  int64_t size() const;
  DType dtype() const;
  void *data();
  const void *data() const;
  int64_t bytes() const { return size() * sizeOf(dtype()); }

  void fill(double value);
  double at(int64_t i) const;
  void set(int64_t i, double value);
  /// The elements as f64, exactly.
  std::vector<double> widened() const;

  /// Uniform in [-1, 1): the same numbers on every platform for one seed and
  /// stream. f64 values have 53 random bits, f32 values 24; f16 and bf16 values
  /// are those of f32, rounded.
  void draw(uint64_t seed, uint64_t stream) { draw(seed, stream, 0, size()); }
  /// The same of the elements [begin, end), of which the first gets the first
  /// number of the stream.
  void draw(uint64_t seed, uint64_t stream, int64_t begin, int64_t end);
  /// Copies `values`, rounding to nearest. Returns how many finite ones became
  /// infinite.
  int64_t assign(const std::vector<double> &values);

private:
  Shape sizes;
  std::variant<std::vector<float>, std::vector<double>, std::vector<Float16>,
               std::vector<BFloat16>>
      storage;
};

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_HOSTARRAY_H
