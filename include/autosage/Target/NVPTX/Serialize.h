//===- Serialize.h - from gpu.module to PTX and machine code ----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TARGET_NVPTX_SERIALIZE_H
#define AUTOSAGE_TARGET_NVPTX_SERIALIZE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace autosage {
struct GpuChip;
}

namespace mlir::autosage {

#define GEN_PASS_DECL_AUTOSAGEDEPENDENTLAUNCH
#define GEN_PASS_DECL_AUTOSAGEMODULETOBINARY
#include "autosage/Target/NVPTX/Passes.h.inc"

enum class ObjectFormat { automatic, llvm, isa, bin, fatbin };

/// `auto`, `llvm`, `isa`, `bin` or `fatbin`.
std::optional<ObjectFormat> parseObjectFormat(StringRef text);

/// What a module became.
struct SerializedModule {
  ObjectFormat format = ObjectFormat::isa; // never automatic
  std::string object; // bitcode, PTX (without its final zero), cubin or fatbin
  double ptxMs = 0;   // from LLVM dialect to PTX
  double assembleMs = 0;
};

/// Serializes a gpu.module in the LLVM and NVVM dialects for a target. Emits an
/// error and fails where the chip is unknown, a function is missing (libdevice
/// without a toolkit), or an explicit `bin` or `fatbin` finds no assembler.
FailureOr<SerializedModule> serializeModule(gpu::GPUModuleOp module,
                                            NVVM::NVVMTargetAttr target,
                                            ObjectFormat format);

/// What serialization took, summed over the GPU modules of a pass.
struct SerializationTimes {
  double ptxMs = 0;
  double assembleMs = 0;
};

/// `autosage-module-to-binary`, which adds to `times` where that is not null.
/// Apart from the generated constructor, as an option cannot be an address.
std::unique_ptr<Pass>
createAutosageModuleToBinary(const AutosageModuleToBinaryOptions &options,
                             SerializationTimes *times);

/// Whether the shared memory that kernels declare, and what their launches ask
/// for besides, fits a block of the chip. Emits an error with both numbers.
LogicalResult verifySharedMemory(gpu::GPUModuleOp module,
                                 const ::autosage::GpuChip &chip);

/// The target attribute for a chip, with the PTX version it needs and O3.
NVVM::NVVMTargetAttr nvvmTarget(MLIRContext *context, StringRef chip);

#define GEN_PASS_REGISTRATION
#include "autosage/Target/NVPTX/Passes.h.inc"

} // namespace mlir::autosage

#endif // AUTOSAGE_TARGET_NVPTX_SERIALIZE_H
