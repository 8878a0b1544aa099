//===- Transpose.cpp - transposed patterns by counting sort ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counting sort is stable, which gives the entries of a transposed row the
// order of their original positions, and takes O(rows + cols + nnz).
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Csr.h"

#include <limits>
#include <string>

namespace autosage {
namespace {

template <typename P, typename C>
Transposed transposeValid(const CsrView &csr, const P *rowptr,
                          const C *colind) {
  size_t cols = static_cast<size_t>(csr.cols);
  size_t nnz = static_cast<size_t>(csr.nnz());
  std::vector<P> newRowptr(cols + 1);
  for (size_t e = 0; e < nnz; ++e)
    ++newRowptr[static_cast<size_t>(colind[e]) + 1];
  for (size_t j = 0; j < cols; ++j)
    newRowptr[j + 1] += newRowptr[j];

  std::vector<P> next(newRowptr.begin(), newRowptr.end() - 1);
  std::vector<C> newColind(nnz);
  std::vector<P> permutation(nnz);
  for (int64_t i = 0; i < csr.rows; ++i) {
    for (P e = rowptr[i]; e < rowptr[i + 1]; ++e) {
      auto position =
          static_cast<size_t>(next[static_cast<size_t>(colind[e])]++);
      newColind[position] = static_cast<C>(i);
      permutation[position] = e;
    }
  }
  return {{csr.cols, csr.rows, IndexArray(std::move(newRowptr)),
           IndexArray(std::move(newColind))},
          IndexArray(std::move(permutation))};
}

} // namespace

Result<Transposed> transpose(const CsrView &csr) {
  // Before the contents: such a pattern cannot be transposed whatever they are.
  if (csr.colind.type == IndexType::i32 &&
      csr.rows - 1 > std::numeric_limits<int32_t>::max())
    return Error{"transpose: row " + std::to_string(csr.rows - 1) +
                 " does not fit the 32-bit colind"};
  if (Status status = validate(csr); !status)
    return Error{status.error()};
  return dispatch(csr, [&](const auto *rowptr, const auto *colind) {
    return transposeValid(csr, rowptr, colind);
  });
}

} // namespace autosage
