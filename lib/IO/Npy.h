//===- Npy.h - the NumPy array format in memory -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Header and element decoding of `.npy`, shared by the `.npy` reader and the
// members of `.npz` archives. Layout: numpy.lib.format, versions 1 to 3.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_IO_NPY_H
#define AUTOSAGE_LIB_IO_NPY_H

#include "autosage/Core/Csr.h"

#include <string>
#include <string_view>
#include <vector>

namespace autosage::io {

/// An array whose header was checked against the bytes that are there.
struct NpyArray {
  std::string dtype;    // as stored, e.g. "<f4"
  char kind = 0;        // 'b', 'i', 'u', 'f', 'V', 'S', 'U'
  int64_t itemSize = 0; // bytes
  bool swapped = false; // the other byte order than this machine's
  bool fortran = false;
  std::vector<int64_t> shape;
  int64_t count = 0;
  std::string_view data; // exactly count x itemSize bytes
};

/// Parses the header and finds the data; `name` stands in messages.
Result<NpyArray> parseNpyArray(std::string_view bytes, const std::string &name);

/// Elements in C order. Integers beyond 2^53 round to the nearest double.
Result<std::vector<double>> decodeReals(const NpyArray &array,
                                        const std::string &name);
/// Elements of an integer array of one dimension (or a scalar), exactly: i32
/// where the stored type is at most 32 bits wide and signed or narrower, else
/// i64. Refuses what does not fit 64 signed bits.
Result<IndexArray> decodeIndices(const NpyArray &array,
                                 const std::string &name);
/// The one string of an array of kind 'S' or 'U'.
Result<std::string> decodeText(const NpyArray &array, const std::string &name);

} // namespace autosage::io

#endif // AUTOSAGE_LIB_IO_NPY_H
