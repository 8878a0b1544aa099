//===- ChooseVersion.h - the choice of a version as a call ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_GPU_CHOOSEVERSION_H
#define AUTOSAGE_LIB_CONVERSION_GPU_CHOOSEVERSION_H

#include "Host.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"

namespace mlir::autosage::device {

/// Replaces the op's result by a call of `function`, which takes what
/// autosage_choose_version of include/autosage/Runtime/Device.h does, with a
/// site of its own, a global of the module. The op is left, without uses.
void emitChooseVersion(HostEmitter &host, ChooseVersionOp op,
                       StringRef function);

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_GPU_CHOOSEVERSION_H
