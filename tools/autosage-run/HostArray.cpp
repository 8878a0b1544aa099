//===- HostArray.cpp - a dense array of one float type --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostArray.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace autosage;
using namespace autosage::run;

std::string run::toString(const Shape &shape) {
  std::string s = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    s += (i ? ", " : "") + std::to_string(shape[i]);
  return s + (shape.size() == 1 ? ",)" : ")");
}

Result<int64_t> run::elementCount(const std::string &what, const Shape &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(count, size, &count) ||
        count > std::numeric_limits<int64_t>::max() / 64)
      return Error{what + " of shape " + toString(shape) +
                   " has too many elements"};
  return count;
}

HostArray::HostArray(DType dtype, Shape shape) : sizes(std::move(shape)) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  switch (dtype) {
  case DType::f32:
    storage = std::vector<float>(count);
    return;
  case DType::f64:
    storage = std::vector<double>(count);
    return;
  case DType::f16:
    storage = std::vector<Float16>(count);
    return;
  case DType::bf16:
    storage = std::vector<BFloat16>(count);
    return;
  }
}

DType HostArray::dtype() const {
  constexpr DType types[] = {DType::f32, DType::f64, DType::f16, DType::bf16};
  return types[storage.index()];
}

template <typename V> using ElementOf = typename std::decay_t<V>::value_type;

int64_t HostArray::size() const {
  return std::visit([](auto &v) { return static_cast<int64_t>(v.size()); },
                    storage);
}

void *HostArray::data() {
  return std::visit([](auto &v) { return static_cast<void *>(v.data()); },
                    storage);
}

const void *HostArray::data() const {
  return std::visit([](auto &v) { return static_cast<const void *>(v.data()); },
                    storage);
}

void HostArray::fill(double value) {
  std::visit(
      [&](auto &v) {
        std::fill(v.begin(), v.end(),
                  static_cast<ElementOf<decltype(v)>>(value));
      },
      storage);
}

double HostArray::at(int64_t i) const {
  return std::visit([&](auto &v) { return static_cast<double>(v[i]); },
                    storage);
}

void HostArray::set(int64_t i, double value) {
  std::visit(
      [&](auto &v) { v[i] = static_cast<ElementOf<decltype(v)>>(value); },
      storage);
}

std::vector<double> HostArray::widened() const {
  return std::visit(
      [](auto &v) { return std::vector<double>(v.begin(), v.end()); }, storage);
}

void HostArray::draw(uint64_t seed, uint64_t stream, int64_t begin,
                     int64_t end) {
  // Operands have streams of their own: giving one as a file leaves the others
  // as they were. The engine's output is fixed by the C++ standard, unlike that
  // of its distributions.
  std::mt19937_64 engine(seed + 0x9e3779b97f4a7c15ull * stream);
  std::visit(
      [&](auto &v) {
        using T = ElementOf<decltype(v)>;
        constexpr int bits = std::numeric_limits<
            std::conditional_t<sizeof(T) == 8, double, float>>::digits;
        const double unit = std::ldexp(1.0, 1 - bits);
        for (int64_t i = begin; i < end; ++i)
          v[i] = static_cast<T>(
              static_cast<double>(engine() >> (64 - bits)) * unit - 1.0);
      },
      storage);
}

int64_t HostArray::assign(const std::vector<double> &values) {
  int64_t overflows = 0;
  std::visit(
      [&](auto &v) {
        using T = ElementOf<decltype(v)>;
        for (size_t i = 0; i < v.size(); ++i) {
          v[i] = static_cast<T>(values[i]);
          overflows += std::isfinite(values[i]) &&
                       !std::isfinite(static_cast<double>(v[i]));
        }
      },
      storage);
  return overflows;
}
