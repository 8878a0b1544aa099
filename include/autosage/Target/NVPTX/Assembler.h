//===- Assembler.h - from PTX to machine code -------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX becomes a cubin by nvJitLink, in this process, or by the program ptxas.
// Both come with the CUDA toolkit, which is looked for when it is first needed:
//
//   1. the folder in AUTOSAGE_CUDA_TOOLKIT, CUDA_HOME, CUDA_PATH or CUDA_ROOT,
//      the first that is set;
//   2. the folder above that of a `ptxas` on the PATH;
//   3. an nvJitLink that the process has loaded (PyTorch's).
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TARGET_NVPTX_ASSEMBLER_H
#define AUTOSAGE_TARGET_NVPTX_ASSEMBLER_H

#include "autosage/Core/Result.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace mlir::autosage {

class PtxAssembler {
public:
  virtual ~PtxAssembler();

  /// Assembles PTX, which ends with a zero byte that is not counted, for a chip
  /// such as sm_90. May be called from several threads at once.
  virtual ::autosage::Result<std::string> assemble(llvm::StringRef ptx,
                                                   llvm::StringRef chip) = 0;

  /// For messages and caches: `nvJitLink 13.0`, or the path of ptxas.
  virtual std::string name() const = 0;
};

/// What can be wanted of an assembler.
enum class AssemblerKind { any, nvJitLink, ptxas };

/// The one that was found, the same for the life of the process. Fails with a
/// sentence that says what is missing and how to point to it.
::autosage::Result<PtxAssembler *>
findAssembler(AssemblerKind kind = AssemblerKind::any);

/// Packs a cubin and the PTX it came from with the toolkit's `fatbinary`.
::autosage::Result<std::string>
makeFatbin(llvm::StringRef cubin, llvm::StringRef ptx, llvm::StringRef chip);

/// The file libdevice.10.bc of the toolkit; empty where there is none.
std::string findLibdevice();

} // namespace mlir::autosage

#endif // AUTOSAGE_TARGET_NVPTX_ASSEMBLER_H
