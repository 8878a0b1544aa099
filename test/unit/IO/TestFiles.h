//===- TestFiles.h - fixtures of the IO tests -------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small files of every format, built from bytes so that no other program is
// needed, and the few views of a graph that expectations are written in.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_UNIT_IO_TESTFILES_H
#define AUTOSAGE_TEST_UNIT_IO_TESTFILES_H

#include "autosage/IO/Graph.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autosage::io::test {

using Bytes = std::string;

/// A file of its own name that is removed with this object.
class TempFile {
public:
  /// `extension` with its dot.
  explicit TempFile(const std::string &extension, std::string_view bytes = {});
  TempFile(const TempFile &) = delete;
  TempFile &operator=(const TempFile &) = delete;
  ~TempFile();

  const std::string &path() const { return name; }
  void rewrite(std::string_view bytes) const;
  Bytes contents() const;

private:
  std::string name;
};

/// The bytes of a little-endian (or native) number or array.
template <typename T> Bytes bytesOf(const std::vector<T> &values) {
  return Bytes(reinterpret_cast<const char *>(values.data()),
               values.size() * sizeof(T));
}

/// A version 1.0 `.npy` array around `data`.
Bytes npy(std::string_view descr, std::string_view shape, std::string_view data,
          bool fortran = false);
/// The same with a header of one's own, and any version.
Bytes npyWithHeader(std::string_view header, std::string_view data,
                    int major = 1);
Bytes npyI32(const std::vector<int32_t> &values);
Bytes npyI64(const std::vector<int64_t> &values);
Bytes npyF64(const std::vector<double> &values);

using Members = std::vector<std::pair<std::string, Bytes>>;
/// A zip archive written by libzip.
Bytes zipOf(const Members &members, bool deflated = false);
/// A stored zip archive with 64-bit size fields throughout, written byte by
/// byte.
Bytes zip64Of(const Members &members);
/// A deflated archive, each of whose members claims 4 GiB of contents.
Bytes zipOfLiars(const Members &members);
/// `scipy.sparse.save_npz` of the given arrays.
Members scipyMembers(const std::string &format,
                     const std::vector<int64_t> &shape,
                     const std::vector<int32_t> &indptr,
                     const std::vector<int32_t> &indices,
                     const std::vector<double> &data);

/// Raw CSR in the plain layout.
Bytes rawPlain(int64_t rows, int64_t cols, const std::vector<int32_t> &rowptr,
               const std::vector<int32_t> &colind);

std::vector<int64_t> toVector(const IndexArray &array);
/// The matrix in row-major order, duplicates added up.
std::vector<double> toDense(const Graph &graph);
/// The graph times `x` of cols x features.
std::vector<double> spmm(const Graph &graph, const std::vector<double> &x,
                         int64_t features = 1);

/// Expects success and hands out the graph; an empty one on failure.
Graph expectGraph(Result<Graph> result);
Graph parse(std::string_view text);
/// The message of a failure; empty, and a test failure, on success.
template <typename T> std::string errorOf(const Result<T> &result) {
  EXPECT_FALSE(static_cast<bool>(result)) << "expects an error";
  return result ? std::string() : result.error();
}
std::string parseError(std::string_view text);

} // namespace autosage::io::test

#endif // AUTOSAGE_TEST_UNIT_IO_TESTFILES_H
