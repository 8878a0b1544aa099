//===- NpyWriter.cpp - dense arrays to .npy files -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputFile.h"
#include "OutputFile.h"

#include "autosage/IO/Graph.h"

namespace autosage::io {

static std::string npyHeader(DType dtype, const std::vector<int64_t> &shape) {
  std::string text = "{'descr': '<f";
  text += dtype == DType::f64 ? '8' : dtype == DType::f16 ? '2' : '4';
  text += "', 'fortran_order': False, 'shape': (";
  for (size_t d = 0; d < shape.size(); ++d)
    text += (d ? ", " : "") + std::to_string(shape[d]);
  text += shape.size() == 1 ? ",), }" : "), }";
  // The data starts at a multiple of 64, as NumPy has it.
  constexpr size_t fixed = 10, alignment = 64;
  size_t unpadded = fixed + text.size() + 1;
  text.append((alignment - unpadded % alignment) % alignment, ' ');
  text += '\n';
  return text;
}

Status writeNpy(const std::string &path, const void *data, DType dtype,
                const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0)
      return fileError(path, "expects extents of at least 0, got " +
                                 std::to_string(extent));
    if (__builtin_mul_overflow(count, extent, &count))
      return fileError(path, "the size of the shape is out of range");
  }
  std::string header = npyHeader(dtype, shape);
  if (header.size() > UINT16_MAX)
    return fileError(path, "expects fewer dimensions, got " +
                               std::to_string(shape.size()));

  OutputFile out(path);
  out.append(std::string_view("\x93NUMPY\x01\x00", 8));
  out.appendValue(static_cast<uint16_t>(header.size()));
  out.append(header);
  if (dtype == DType::bf16) {
    const auto *bits = static_cast<const uint16_t *>(data);
    // A bf16 is the upper half of an f32.
    for (int64_t i = 0; i < count; ++i)
      out.appendValue(static_cast<uint32_t>(bits[i]) << 16);
  } else {
    int64_t bytes = 0;
    if (__builtin_mul_overflow(count, sizeOf(dtype), &bytes))
      return fileError(path, "the size of the shape is out of range");
    out.append({static_cast<const char *>(data), static_cast<size_t>(bytes)});
  }
  return out.finish();
}

} // namespace autosage::io
