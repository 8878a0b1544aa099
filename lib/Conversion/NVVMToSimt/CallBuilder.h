//===- CallBuilder.h - calls of the emulator --------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_NVVMTOSIMT_CALLBUILDER_H
#define AUTOSAGE_LIB_CONVERSION_NVVMTOSIMT_CALLBUILDER_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::autosage::simt {

/// What an optimiser may do with a call.
enum class Effect {
  pure,      // a number that is the same for all of a thread's time
  memory,    // not to be moved over accesses to memory
  convergent // nor made depend on more conditions: lanes meet here
};

/// Emits calls of the emulator and what they need into the host's module.
class CallBuilder {
public:
  explicit CallBuilder(ModuleOp module);

  OpBuilder b;

  /// Emits a call at the insertion point; `result` may be null. Fails, with a
  /// diagnostic, where the module has another symbol of that name.
  FailureOr<LLVM::CallOp> call(Location loc, StringRef name, Type result,
                               ValueRange args, Effect effect);
  Value i32(Location loc, int64_t value);
  Value i64(Location loc, int64_t value);
  /// The address of a text that ends with a zero byte.
  Value text(Location loc, StringRef text);
  /// The address of the text of an op's place. Ops have texts of their own.
  Value site(Operation *op);
  /// Space for `count` i32 on the stack of the op's function.
  Value scratch(Operation *op, int64_t count);

  LLVM::LLVMPointerType pointer();
  ModuleOp getModule() { return module; }
  SymbolTable &getSymbols() { return symbols; }

private:
  ModuleOp module;
  SymbolTable symbols;
  llvm::StringMap<LLVM::GlobalOp> texts;

  LLVM::GlobalOp makeText(Location loc, StringRef name, StringRef text);
};

/// A place in words: `file:line:column`, a name, or the kernel and the op.
std::string placeOf(Operation *op);

/// The checks of the pass's option, as flags of the emulator; failure with a
/// diagnostic at `op`.
FailureOr<int32_t> parseChecks(StringRef checks, Operation *op);

/// Puts a check before each access to memory of global or shared memory; gives
/// the number of checked ops.
FailureOr<int64_t> instrument(gpu::GPUModuleOp module, int32_t checks,
                              CallBuilder &builder);

/// Replaces `nvvm` ops, intrinsics and device functions by calls.
LogicalResult lowerOps(gpu::GPUModuleOp module, int32_t checks,
                       CallBuilder &builder);

/// Replaces the addresses of variables in shared memory. `staticBytes` receives
/// each kernel's statically declared bytes, by its name.
LogicalResult lowerSharedMemory(gpu::GPUModuleOp module, CallBuilder &builder,
                                llvm::StringMap<int64_t> &staticBytes);

} // namespace mlir::autosage::simt

#endif // AUTOSAGE_LIB_CONVERSION_NVVMTOSIMT_CALLBUILDER_H
