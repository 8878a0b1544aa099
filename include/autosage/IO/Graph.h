//===- Graph.h - reading and writing of patterns and arrays -----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every reader refuses bad input with one line that names the file, the line
// or byte offset, and what was expected. Memory grows with the data that was
// read, never with what a header promises.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_IO_GRAPH_H
#define AUTOSAGE_IO_GRAPH_H

#include "autosage/Core/Csr.h"

#include <optional>
#include <string>
#include <vector>

namespace autosage::io {

/// A pattern as read from a file, in file order within each row.
struct Graph {
  Csr csr; // positions and coordinates are i64 where i32 does not hold them
  /// One value an entry; empty when the file stores none.
  std::optional<std::vector<double>> values;
  /// Entries that repeat a column of their row; they are kept as edges.
  int64_t duplicates = 0;
  /// One line each, for the user: what was converted, what was noticed.
  std::vector<std::string> notes;
};

/// Picks the reader by content first, by extension second: `.mtx`, `.npz`,
/// `.bin`.
Result<Graph> readGraph(const std::string &path);

/// Matrix Market exchange format: NIST, "The Matrix Market Exchange Formats:
/// Initial Design" (Boisvert, Pozo, Remington 1996).
Result<Graph> readMatrixMarket(const std::string &path);
/// The same from memory; `name` stands in messages.
Result<Graph> parseMatrixMarket(std::string_view text, const std::string &name);
/// SciPy `save_npz` (csr, csc), `adj_*` arrays, or `rowptr, colind, shape`.
Result<Graph> readNpz(const std::string &path);
/// Raw little-endian CSR; the layout is in docs/formats.md.
Result<Graph> readRaw(const std::string &path);

Status writeMatrixMarket(const std::string &path, const CsrView &csr,
                         const double *values);
Status writeRaw(const std::string &path, const CsrView &csr,
                const double *values);

/// A dense array in C order.
struct DenseArray {
  std::vector<int64_t> shape;
  std::vector<double> values; // widened, exact
  std::string dtype;          // as stored, e.g. "<f4"
  int64_t size() const { return static_cast<int64_t>(values.size()); }
};

/// NumPy `.npy` of versions 1 to 3: bool, signed and unsigned integers, f16,
/// f32, f64, and two-byte `V2` as bf16, either byte order; Fortran order is
/// copied to C order. Object arrays are refused.
Result<DenseArray> readNpy(const std::string &path);
Result<DenseArray> parseNpy(std::string_view bytes, const std::string &name);

/// Writes `count` elements of `dtype` at `data` as `.npy` version 1.0. bf16,
/// which NumPy lacks, is widened to f32.
Status writeNpy(const std::string &path, const void *data, DType dtype,
                const std::vector<int64_t> &shape);

} // namespace autosage::io

#endif // AUTOSAGE_IO_GRAPH_H
