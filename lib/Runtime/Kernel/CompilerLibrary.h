//===- CompilerLibrary.h - the compile service, when needed -----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNEL_COMPILERLIBRARY_H
#define AUTOSAGE_LIB_RUNTIME_KERNEL_COMPILERLIBRARY_H

#include "autosage/Core/Kernel.h"
#include "autosage/Core/Result.h"

#include <string>

namespace autosage::runtime {

/// Loads libAutosageCompiler.so from `path` (empty: $AUTOSAGE_COMPILER, else
/// beside this library) where the process has not yet, and compiles an
/// artifact's bytes. `cpu` and `features` may be empty; `chip` is for nvptx.
Result<std::string> compileKernel(const std::string &path,
                                  const KernelSpec &spec, Target target,
                                  const std::string &cpu,
                                  const std::string &features,
                                  const std::string &chip);

/// Folder of this library, with a slash at the end; empty where unknown.
std::string folderOfThisLibrary();

/// A function that this library exports, also where it was loaded locally.
void *functionOfThisLibrary(const char *name);

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNEL_COMPILERLIBRARY_H
