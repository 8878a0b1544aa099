//===- Constants.h - constant tensors in device memory ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_DENSETOGPU_CONSTANTS_H
#define AUTOSAGE_LIB_CONVERSION_DENSETOGPU_CONSTANTS_H

#include "../AutosageToGPU/Host.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::autosage::dense {

/// Turns a copy from a constant of the module into a kernel that writes it; any
/// other copy stays. Emits why it cannot.
LogicalResult lowerConstantCopy(device::KernelModule &kernels,
                                memref::CopyOp copy,
                                SymbolTableCollection &symbols);

} // namespace mlir::autosage::dense

#endif // AUTOSAGE_LIB_CONVERSION_DENSETOGPU_CONSTANTS_H
