//===- SharedMemory.cpp - whether kernels fit the chip --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checked before code generation: the assembler accepts dynamic shared memory
// of any size, which then fails at the launch.
//
//===----------------------------------------------------------------------===//

#include "autosage/Target/NVPTX/Serialize.h"

#include "autosage/Core/GpuChip.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

static constexpr unsigned kSharedSpace = 3;

/// Bytes of a type in shared memory; 0 where LLVM alone could tell.
static uint64_t bytesOf(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() * bytesOf(array.getElementType());
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * bytesOf(vector.getElementType());
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8)
                             : 0;
}

LogicalResult
mlir::autosage::verifySharedMemory(gpu::GPUModuleOp module,
                                   const ::autosage::GpuChip &chip) {
  SymbolTable symbols(module);
  bool allFit = true;
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      continue;
    uint64_t bytes = 0;
    SmallPtrSet<Operation *, 4> seen;
    kernel.walk([&](LLVM::AddressOfOp address) {
      auto global = symbols.lookup<LLVM::GlobalOp>(address.getGlobalName());
      if (global && global.getAddrSpace() == kSharedSpace &&
          seen.insert(global).second)
        bytes += bytesOf(global.getType());
    });
    int64_t dynamic = 0;
    module->getParentOp()->walk([&](gpu::LaunchFuncOp launch) {
      APInt asked;
      if (launch.getKernelModuleName() == module.getName() &&
          launch.getKernelName() == kernel.getName() &&
          launch.getDynamicSharedMemorySize() &&
          matchPattern(launch.getDynamicSharedMemorySize(),
                       m_ConstantInt(&asked)))
        dynamic = std::max(dynamic, asked.getSExtValue());
    });
    if (bytes + dynamic <= static_cast<uint64_t>(chip.sharedBytesPerBlock))
      continue;
    kernel.emitError("expects at most ")
        << chip.sharedBytesPerBlock << " bytes of shared memory a block on "
        << chip.name << ", got " << bytes + dynamic << " in kernel '"
        << kernel.getName() << "'";
    allFit = false;
  }
  return success(allFit);
}
