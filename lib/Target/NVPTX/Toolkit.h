//===- Toolkit.h - where the CUDA toolkit is --------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_TARGET_NVPTX_TOOLKIT_H
#define AUTOSAGE_LIB_TARGET_NVPTX_TOOLKIT_H

#include "autosage/Target/NVPTX/Assembler.h"

#include <string>
#include <vector>

namespace mlir::autosage::nvptx {

/// How the toolkit is pointed to, for messages.
inline constexpr const char *toolkitHint =
    "set AUTOSAGE_CUDA_TOOLKIT or CUDA_HOME to a CUDA toolkit, or put ptxas on "
    "the PATH";

struct Toolkit {
  std::string root;  // empty: none
  std::string ptxas; // empty: none

  /// The path of a program in bin/; empty where there is none.
  std::string program(llvm::StringRef name) const;
  /// Paths of a library that exist, by names in order of preference.
  std::vector<std::string> libraries(llvm::ArrayRef<const char *> names) const;
};

/// Looked for once.
const Toolkit &toolkit();

/// Runs a program with the text in a file `input`, and gives what it wrote to a
/// file `output`. `arguments` gets the two paths.
::autosage::Result<std::string> runProgram(
    llvm::StringRef program,
    llvm::ArrayRef<std::pair<std::string, llvm::StringRef>> inputs,
    llvm::function_ref<std::vector<std::string>(
        llvm::ArrayRef<std::string> inputPaths, llvm::StringRef outputPath)>
        arguments);

/// The assemblers; null where they are not there.
std::unique_ptr<PtxAssembler> makeNvJitLink();
std::unique_ptr<PtxAssembler> makePtxas();

} // namespace mlir::autosage::nvptx

#endif // AUTOSAGE_LIB_TARGET_NVPTX_TOOLKIT_H
