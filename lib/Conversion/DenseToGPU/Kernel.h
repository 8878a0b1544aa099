//===- Kernel.h - a dense op as a kernel ------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_DENSETOGPU_KERNEL_H
#define AUTOSAGE_LIB_CONVERSION_DENSETOGPU_KERNEL_H

#include "../AutosageToGPU/Host.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::autosage::dense {

/// Emits why there is no kernel for the op.
LogicalResult verify(linalg::LinalgOp op);

/// Emits the kernel of an op that was verified, and host code before the op
/// that launches it.
void emit(device::KernelModule &kernels, linalg::LinalgOp op);

} // namespace mlir::autosage::dense

#endif // AUTOSAGE_LIB_CONVERSION_DENSETOGPU_KERNEL_H
