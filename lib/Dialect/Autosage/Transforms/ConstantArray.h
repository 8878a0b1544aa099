//===- ConstantArray.h - index arrays that are constants --------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_DIALECT_TRANSFORMS_CONSTANTARRAY_H
#define AUTOSAGE_LIB_DIALECT_TRANSFORMS_CONSTANTARRAY_H

#include "autosage/Core/Csr.h"

#include "mlir/IR/Matchers.h"

#include <optional>

namespace mlir::autosage {

/// The numbers of a constant tensor of integers; nothing where it is none.
inline std::optional<::autosage::IndexArray> constantArray(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)))
    return std::nullopt;
  std::vector<int64_t> numbers;
  numbers.reserve(static_cast<size_t>(elements.getNumElements()));
  for (const APInt &number : elements)
    numbers.push_back(number.getSExtValue());
  return ::autosage::IndexArray(std::move(numbers));
}

} // namespace mlir::autosage

#endif // AUTOSAGE_LIB_DIALECT_TRANSFORMS_CONSTANTARRAY_H
