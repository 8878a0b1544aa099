//===- Validate.cpp - the rules of a valid pattern ------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes come before contents, and positions before the entries that they
// locate, so that nothing outside the arrays is ever read. The common case, a
// valid pattern, is one branch-free pass over each array; only a failure looks
// for its place.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/PatternErrors.h"

#include <algorithm>
#include <limits>
#include <string>

namespace autosage {
namespace {

std::string str(int64_t value) { return std::to_string(value); }

Status checkCount(const char *what, int64_t count) {
  if (count >= 0)
    return Status::success();
  return Error{std::string(what) + " is " + str(count) +
               ", expects at least 0"};
}

template <typename P>
Status validatePositions(const P *rowptr, int64_t rows, int64_t nnz) {
  if (rowptr[0] != 0)
    return badFirstPosition(rowptr[0]);
  bool ordered = true;
  for (int64_t i = 0; i < rows; ++i)
    ordered &= rowptr[i] <= rowptr[i + 1];
  // In order and from 0, positions are not negative.
  for (int64_t i = 1; !ordered && i <= rows; ++i)
    if (rowptr[i] < 0 || rowptr[i] < rowptr[i - 1])
      return badPosition(i, rowptr[i - 1], rowptr[i]);
  if (rowptr[rows] != nnz)
    return badLastPosition(rowptr[rows], nnz);
  return Status::success();
}

/// Expects valid positions.
template <typename P, typename C>
Status validateColumns(const P *rowptr, const C *colind, const CsrView &csr) {
  // As unsigned, a negative column is larger than any column count.
  auto outside = [&](C column) {
    return static_cast<uint64_t>(static_cast<int64_t>(column)) >=
           static_cast<uint64_t>(csr.cols);
  };
  bool anyOutside = false;
  for (int64_t e = 0; e < csr.nnz(); ++e)
    anyOutside |= outside(colind[e]);
  if (!anyOutside)
    return Status::success();
  const C *found = std::find_if(colind, colind + csr.nnz(), outside);
  int64_t entry = found - colind;
  // The last row that begins at or before the entry: empty rows are passed
  // over.
  const P *next = std::upper_bound(rowptr, rowptr + csr.rows + 1, entry);
  return badColumn(entry, next - rowptr - 1, *found, csr.cols);
}

} // namespace

Status validateSizes(const CsrView &csr) {
  if (Status status = checkCount("rows", csr.rows); !status)
    return status;
  if (Status status = checkCount("cols", csr.cols); !status)
    return status;
  if (Status status = checkCount("nnz", csr.nnz()); !status)
    return status;
  // Unsigned: rows + 1 of the largest row count does not fit int64_t.
  uint64_t expected = static_cast<uint64_t>(csr.rows) + 1;
  if (static_cast<uint64_t>(csr.rowptr.size) != expected)
    return Error{"rowptr has " + str(csr.rowptr.size) +
                 " entries, expects rows + 1 = " + std::to_string(expected)};
  if (csr.rowptr.type == IndexType::i32 &&
      csr.nnz() > std::numeric_limits<int32_t>::max())
    return Error{"nnz " + str(csr.nnz()) + " does not fit the 32-bit rowptr"};
  return Status::success();
}

Error badFirstPosition(int64_t position) {
  return {"rowptr: first element is " + str(position) + ", expects 0"};
}

Error badPosition(int64_t index, int64_t before, int64_t position) {
  if (position < 0)
    return {"rowptr is negative at index " + str(index) + " (" + str(position) +
            ")"};
  return {"rowptr decreases at index " + str(index) + " (" + str(before) +
          " -> " + str(position) + ")"};
}

Error badLastPosition(int64_t position, int64_t nnz) {
  return {"rowptr: last element is " + str(position) +
          ", expects nnz = " + str(nnz)};
}

Error badColumn(int64_t entry, int64_t row, int64_t column, int64_t cols) {
  return {"entry " + str(entry) + " (row " + str(row) + "): column " +
          str(column) + " is outside [0, " + str(cols) + ")"};
}

Status validateArrays(const CsrView &csr) {
  if (Status status = validateSizes(csr); !status)
    return status;
  if (!csr.rowptr.data)
    return Error{"rowptr is null, expects " + str(csr.rowptr.size) +
                 " entries"};
  if (!csr.colind.data && csr.nnz() > 0)
    return Error{"colind is null, expects " + str(csr.nnz()) + " entries"};
  return Status::success();
}

Status validate(const CsrView &csr) {
  if (Status status = validateArrays(csr); !status)
    return status;
  return dispatch(csr, [&](const auto *rowptr, const auto *colind) -> Status {
    if (Status status = validatePositions(rowptr, csr.rows, csr.nnz()); !status)
      return status;
    return validateColumns(rowptr, colind, csr);
  });
}

} // namespace autosage
