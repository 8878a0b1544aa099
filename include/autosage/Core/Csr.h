//===- Csr.h - compressed sparse row patterns -------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern says where the nonzeros of a rows x cols matrix are: `rowptr` holds
// rows + 1 positions, `colind` one column a stored entry. Entries of a row may
// be in any order and may repeat a column: each is an edge of its own
// (docs/semantics.md, rule 1).
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_CSR_H
#define AUTOSAGE_CORE_CSR_H

#include "autosage/Core/Result.h"
#include "autosage/Core/Types.h"

#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

namespace autosage {

/// A borrowed array of i32 or i64.
struct IndexView {
  const void *data = nullptr;
  int64_t size = 0;
  IndexType type = IndexType::i32;

  int64_t operator[](int64_t i) const {
    return type == IndexType::i32 ? static_cast<const int32_t *>(data)[i]
                                  : static_cast<const int64_t *>(data)[i];
  }
};

/// An owned array of i32 or i64.
class IndexArray {
public:
  IndexArray() : storage(std::vector<int32_t>{}) {}
  IndexArray(std::vector<int32_t> values) : storage(std::move(values)) {}
  IndexArray(std::vector<int64_t> values) : storage(std::move(values)) {}

  IndexType type() const {
    return storage.index() == 0 ? IndexType::i32 : IndexType::i64;
  }
  int64_t size() const {
    return std::visit([](auto &v) { return static_cast<int64_t>(v.size()); },
                      storage);
  }
  int64_t operator[](int64_t i) const { return view()[i]; }
  const void *data() const {
    return std::visit(
        [](auto &v) { return static_cast<const void *>(v.data()); }, storage);
  }
  IndexView view() const { return {data(), size(), type()}; }

  /// The same numbers as `type`. Fails where one does not fit, naming `what`.
  Result<IndexArray> convertedTo(IndexType type, std::string_view what) const;

private:
  std::variant<std::vector<int32_t>, std::vector<int64_t>> storage;
};

/// A borrowed pattern. Sizes are 64-bit whatever the arrays hold.
struct CsrView {
  int64_t rows = 0;
  int64_t cols = 0;
  IndexView rowptr; // rows + 1 positions
  IndexView colind; // nnz columns

  int64_t nnz() const { return colind.size; }
};

/// An owned pattern.
struct Csr {
  int64_t rows = 0;
  int64_t cols = 0;
  IndexArray rowptr;
  IndexArray colind;

  int64_t nnz() const { return colind.size(); }
  CsrView view() const { return {rows, cols, rowptr.view(), colind.view()}; }
  Result<Csr> convertedTo(IndexType rowptrType, IndexType colindType) const;
};

/// Calls `fn(const P *rowptr, const C *colind)` with the arrays' own types.
template <typename Fn> decltype(auto) dispatch(const CsrView &csr, Fn &&fn) {
  auto withColind = [&](auto *rowptr) -> decltype(auto) {
    if (csr.colind.type == IndexType::i32)
      return fn(rowptr, static_cast<const int32_t *>(csr.colind.data));
    return fn(rowptr, static_cast<const int64_t *>(csr.colind.data));
  };
  if (csr.rowptr.type == IndexType::i32)
    return withColind(static_cast<const int32_t *>(csr.rowptr.data));
  return withColind(static_cast<const int64_t *>(csr.rowptr.data));
}

/// Checks the sizes alone, in O(1): non-negative, `rowptr` of rows + 1 entries,
/// nnz within the range of the position type. Needs no array contents.
Status validateSizes(const CsrView &csr);

/// Checks every rule of a pattern (docs/semantics.md, rule 1) in O(rows + nnz).
/// The message names the first violation with its position, the value found
/// and the value expected. Never reads outside the arrays.
Status validate(const CsrView &csr);

/// Number of entries whose column already occurs earlier in their row.
int64_t countDuplicates(const CsrView &csr);

/// The transposed pattern and, for each of its entries, the position of that
/// entry in the original: `values_t[e] = values[edgePermutation[e]]`.
/// Entries of a transposed row are ordered by original position.
/// The index types are kept; fails where the row count does not fit the
/// coordinate type.
struct Transposed {
  Csr csr;
  IndexArray edgePermutation; // nnz positions, of the position type
};
Result<Transposed> transpose(const CsrView &csr);

} // namespace autosage

#endif // AUTOSAGE_CORE_CSR_H
