//===- BuildModule.h - a kernel's spec as MLIR text -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_COMPILER_BUILDMODULE_H
#define AUTOSAGE_LIB_COMPILER_BUILDMODULE_H

#include "autosage/Compiler/Compiler.h"

namespace autosage::compiler {

/// One function of a module, with a name of its own: the texts of several specs
/// one after another are a module. Expects a verified spec.
std::string buildFunction(const KernelSpec &spec, const std::string &function);

} // namespace autosage::compiler

#endif // AUTOSAGE_LIB_COMPILER_BUILDMODULE_H
