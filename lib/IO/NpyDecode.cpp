//===- NpyDecode.cpp - elements of a NumPy array --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputFile.h"
#include "Npy.h"

#include "autosage/Core/Half.h"
#include "autosage/IO/Graph.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace autosage::io {

/// Calls `fn(i, value)` for each element as a `T`. Elements need not be
/// aligned. Stops when `fn` returns false.
template <typename T, typename Fn>
static bool forEachAs(const NpyArray &array, Fn &&fn) {
  for (int64_t i = 0; i < array.count; ++i) {
    char raw[sizeof(T)];
    std::memcpy(raw, array.data.data() + i * sizeof(T), sizeof(T));
    if (array.swapped)
      std::reverse(raw, raw + sizeof(T));
    T value;
    std::memcpy(&value, raw, sizeof(T));
    if (!fn(i, value))
      return false;
  }
  return true;
}

template <typename Fn>
static bool forEachInteger(const NpyArray &array, Fn &&fn) {
  bool isSigned = array.kind == 'i';
  switch (array.itemSize) {
  case 1:
    return isSigned ? forEachAs<int8_t>(array, fn)
                    : forEachAs<uint8_t>(array, fn);
  case 2:
    return isSigned ? forEachAs<int16_t>(array, fn)
                    : forEachAs<uint16_t>(array, fn);
  case 4:
    return isSigned ? forEachAs<int32_t>(array, fn)
                    : forEachAs<uint32_t>(array, fn);
  default:
    return isSigned ? forEachAs<int64_t>(array, fn)
                    : forEachAs<uint64_t>(array, fn);
  }
}

/// Copies column-major `in` to row-major order, walking the output in order
/// with the input offset kept by an odometer over the extents.
static std::vector<double> toRowMajor(const std::vector<double> &in,
                                      const std::vector<int64_t> &shape) {
  size_t rank = shape.size();
  std::vector<int64_t> stride(rank, 1), index(rank, 0);
  for (size_t d = 1; d < rank; ++d)
    stride[d] = stride[d - 1] * shape[d - 1];
  std::vector<double> out(in.size());
  int64_t from = 0;
  for (double &value : out) {
    value = in[static_cast<size_t>(from)];
    for (size_t d = rank; d-- > 0;) {
      from += stride[d];
      if (++index[d] < shape[d])
        break;
      from -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
  return out;
}

Result<std::vector<double>> decodeReals(const NpyArray &array,
                                        const std::string &name) {
  if (array.kind == 'S' || array.kind == 'U')
    return fileError(name, "expects numbers, got dtype " + quoted(array.dtype));
  std::vector<double> out(static_cast<size_t>(array.count));
  auto store = [&](int64_t i, auto value) {
    out[static_cast<size_t>(i)] = static_cast<double>(value);
    return true;
  };
  if (array.kind == 'b')
    forEachAs<uint8_t>(array,
                       [&](int64_t i, uint8_t v) { return store(i, v != 0); });
  else if (array.kind == 'V')
    forEachAs<BFloat16>(array, store);
  else if (array.kind != 'f')
    forEachInteger(array, store);
  else if (array.itemSize == 2)
    forEachAs<Float16>(array, store);
  else if (array.itemSize == 4)
    forEachAs<float>(array, store);
  else
    forEachAs<double>(array, store);
  if (array.fortran && array.shape.size() > 1 && array.count > 0)
    return toRowMajor(out, array.shape);
  return out;
}

Result<IndexArray> decodeIndices(const NpyArray &array,
                                 const std::string &name) {
  if (array.kind != 'i' && array.kind != 'u')
    return fileError(name,
                     "expects integers, got dtype " + quoted(array.dtype));
  if (array.shape.size() > 1)
    return fileError(name, "expects 1 dimension, got " +
                               std::to_string(array.shape.size()));
  auto size = static_cast<size_t>(array.count);
  if (array.itemSize < 4 || (array.itemSize == 4 && array.kind == 'i')) {
    std::vector<int32_t> out(size);
    forEachInteger(array, [&](int64_t i, auto value) {
      out[static_cast<size_t>(i)] = static_cast<int32_t>(value);
      return true;
    });
    return IndexArray(std::move(out));
  }
  std::vector<int64_t> out(size);
  int64_t bad = -1;
  forEachInteger(array, [&](int64_t i, auto value) {
    out[static_cast<size_t>(i)] = static_cast<int64_t>(value);
    if (value > 0 && out[static_cast<size_t>(i)] < 0)
      bad = i;
    return bad < 0;
  });
  if (bad >= 0)
    return fileError(name, "element " + std::to_string(bad) +
                               " is out of range, got " +
                               std::to_string(static_cast<uint64_t>(
                                   out[static_cast<size_t>(bad)])));
  return IndexArray(std::move(out));
}

Result<std::string> decodeText(const NpyArray &array, const std::string &name) {
  if ((array.kind != 'S' && array.kind != 'U') || array.count != 1)
    return fileError(name, "expects one string, got dtype " +
                               quoted(array.dtype) + " with " +
                               std::to_string(array.count) + " elements");
  std::string out;
  if (array.kind == 'S')
    out = array.data;
  else
    for (size_t i = 0; i + 4 <= array.data.size(); i += 4) {
      unsigned char raw[4];
      std::memcpy(raw, array.data.data() + i, 4);
      if (array.swapped)
        std::reverse(raw, raw + 4);
      bool ascii = raw[0] < 0x80 && !raw[1] && !raw[2] && !raw[3];
      out += ascii ? static_cast<char>(raw[0]) : '?';
    }
  // Both kinds are padded with zeros to their width.
  out.resize(out.find_last_not_of('\0') + 1);
  return out;
}

Result<DenseArray> parseNpy(std::string_view bytes, const std::string &name) {
  return guarded(name, [&]() -> Result<DenseArray> {
    Result<NpyArray> array = parseNpyArray(bytes, name);
    if (!array)
      return Error{array.error()};
    Result<std::vector<double>> values = decodeReals(*array, name);
    if (!values)
      return Error{values.error()};
    DenseArray out;
    out.shape = std::move(array->shape);
    out.values = std::move(*values);
    out.dtype = std::move(array->dtype);
    return out;
  });
}

Result<DenseArray> readNpy(const std::string &path) {
  Result<Input> input = Input::open(path);
  if (!input)
    return Error{input.error()};
  Result<std::string_view> bytes = input->all();
  if (!bytes)
    return Error{bytes.error()};
  return parseNpy(*bytes, path);
}

} // namespace autosage::io
