//===- PatternErrors.h - what is wrong with a pattern -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The messages of `validate`, for those who look for faults by other means: the
// same pattern gives the same message everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_PATTERNERRORS_H
#define AUTOSAGE_CORE_PATTERNERRORS_H

#include "autosage/Core/Csr.h"

namespace autosage {

/// What `validate` checks before it reads an array: sizes, and that the arrays
/// are there.
Status validateArrays(const CsrView &csr);

/// In the order in which `validate` looks for them.
Error badFirstPosition(int64_t position);
/// The first position that is negative or smaller than the one before.
Error badPosition(int64_t index, int64_t before, int64_t position);
Error badLastPosition(int64_t position, int64_t nnz);
Error badColumn(int64_t entry, int64_t row, int64_t column, int64_t cols);

} // namespace autosage

#endif // AUTOSAGE_CORE_PATTERNERRORS_H
