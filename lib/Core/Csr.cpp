//===- Csr.cpp - index conversions and counts of patterns -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between index widths refuse a number that does not fit; none is
// ever truncated.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Csr.h"

#include "DistinctColumns.h"

#include <limits>
#include <string>

namespace autosage {

Result<IndexArray> IndexArray::convertedTo(IndexType type,
                                           std::string_view what) const {
  if (type == this->type())
    return *this;
  if (const auto *narrow = std::get_if<std::vector<int32_t>>(&storage))
    return IndexArray(std::vector<int64_t>(narrow->begin(), narrow->end()));

  const auto &wide = *std::get_if<std::vector<int64_t>>(&storage);
  std::vector<int32_t> narrow(wide.size());
  for (size_t i = 0; i < wide.size(); ++i) {
    narrow[i] = static_cast<int32_t>(wide[i]);
    if (narrow[i] != wide[i])
      return Error{std::string(what) + ": element " + std::to_string(i) +
                   " is " + std::to_string(wide[i]) +
                   ", expects a value that fits i32"};
  }
  return IndexArray(std::move(narrow));
}

Result<Csr> Csr::convertedTo(IndexType rowptrType, IndexType colindType) const {
  Result<IndexArray> newRowptr = rowptr.convertedTo(rowptrType, "rowptr");
  if (!newRowptr)
    return Error{newRowptr.error()};
  Result<IndexArray> newColind = colind.convertedTo(colindType, "colind");
  if (!newColind)
    return Error{newColind.error()};
  return Csr{rows, cols, std::move(*newRowptr), std::move(*newColind)};
}

int64_t countDuplicates(const CsrView &csr) {
  return dispatch(csr, [&](const auto *rowptr, const auto *colind) {
    DistinctColumns<std::decay_t<decltype(*colind)>> distinct(csr);
    int64_t duplicates = 0;
    for (int64_t i = 0; i < csr.rows; ++i)
      duplicates += (rowptr[i + 1] - rowptr[i]) -
                    distinct.count(colind + rowptr[i], colind + rowptr[i + 1]);
    return duplicates;
  });
}

} // namespace autosage
