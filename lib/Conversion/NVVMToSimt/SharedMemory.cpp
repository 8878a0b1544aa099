//===- SharedMemory.cpp - places of variables in shared memory ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallBuilder.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::autosage::simt;

/// Bytes between two variables that belong to none, so that an access past the
/// end of one does not fall into the next.
static constexpr int64_t gapBytes = 64;

static bool isShared(LLVM::GlobalOp global) {
  return global.getAddrSpace() == 3;
}

/// The dynamic part has a variable of no size.
static bool isDynamic(LLVM::GlobalOp global) {
  auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
  return array && array.getNumElements() == 0;
}

namespace {
/// The variables that a function uses, itself or in what it calls.
class Uses {
public:
  explicit Uses(const SymbolTable &symbols) : symbols(symbols) {}

  llvm::SetVector<LLVM::GlobalOp> of(LLVM::LLVMFuncOp function) {
    llvm::SetVector<LLVM::GlobalOp> variables;
    llvm::SetVector<LLVM::LLVMFuncOp> functions;
    functions.insert(function);
    for (size_t i = 0; i < functions.size(); ++i) {
      LLVM::LLVMFuncOp user = functions[i];
      user.walk([&](Operation *op) {
        if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
          Operation *symbol = symbols.lookup(address.getGlobalName());
          if (auto global = dyn_cast_or_null<LLVM::GlobalOp>(symbol))
            variables.insert(global);
          // A function whose address is taken may be called.
          if (auto callee = dyn_cast_or_null<LLVM::LLVMFuncOp>(symbol))
            functions.insert(callee);
        }
        if (auto call = dyn_cast<LLVM::CallOp>(op))
          if (auto callee = call.getCallee())
            if (auto f = symbols.lookup<LLVM::LLVMFuncOp>(*callee))
              functions.insert(f);
      });
    }
    return variables;
  }

private:
  const SymbolTable &symbols;
};
} // namespace

LogicalResult
autosage::simt::lowerSharedMemory(gpu::GPUModuleOp module, CallBuilder &builder,
                                  llvm::StringMap<int64_t> &staticBytes) {
  DataLayout layout(module);
  SymbolTable symbols(module);
  Uses uses(symbols);
  SmallVector<LLVM::GlobalOp> variables;
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (isShared(global))
      variables.push_back(global);

  // A variable lies behind all others of the kernels that use it, so that
  // kernels without common variables share the space.
  SmallVector<std::pair<LLVM::LLVMFuncOp, llvm::SetVector<LLVM::GlobalOp>>>
      kernels;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr("nvvm.kernel"))
      kernels.emplace_back(function, uses.of(function));
  llvm::StringMap<int64_t> ends, offsets, sizes;
  for (LLVM::GlobalOp variable : variables) {
    if (isDynamic(variable))
      continue;
    Type type = variable.getGlobalType();
    auto bytes = static_cast<int64_t>(layout.getTypeSize(type).getFixedValue());
    uint64_t alignment = std::max<uint64_t>(variable.getAlignment().value_or(0),
                                            layout.getTypeABIAlignment(type));
    int64_t begin = 0;
    for (auto &[kernel, used] : kernels)
      if (used.contains(variable))
        begin = std::max(begin, ends[kernel.getName()]);
    begin = static_cast<int64_t>(llvm::alignTo(
        static_cast<uint64_t>(begin), std::max<uint64_t>(alignment, 16)));
    for (auto &[kernel, used] : kernels)
      if (used.contains(variable)) {
        ends[kernel.getName()] = begin + bytes + gapBytes;
        int64_t &sum = staticBytes[kernel.getName()];
        sum = static_cast<int64_t>(
                  llvm::alignTo(static_cast<uint64_t>(sum), alignment)) +
              bytes;
      }
    offsets[variable.getSymName()] = begin;
    sizes[variable.getSymName()] = bytes;
  }

  SmallVector<LLVM::AddressOfOp> addresses;
  module.walk([&](LLVM::AddressOfOp op) { addresses.push_back(op); });
  for (LLVM::AddressOfOp address : addresses) {
    auto global = symbols.lookup<LLVM::GlobalOp>(address.getGlobalName());
    if (!global || !isShared(global))
      continue;
    if (!address->getParentOfType<LLVM::LLVMFuncOp>())
      return address.emitOpError(
          "expects a use of shared memory in a function, got one in the "
          "initial value of a variable");
    Location loc = address.getLoc();
    builder.b.setInsertionPoint(address);
    StringRef name = global.getSymName();
    FailureOr<LLVM::CallOp> call =
        isDynamic(global)
            ? builder.call(loc, "autosage_simt_shared_dynamic",
                           builder.pointer(), {}, Effect::memory)
            : builder.call(loc, "autosage_simt_shared", builder.pointer(),
                           {builder.i64(loc, offsets[name]),
                            builder.i64(loc, sizes[name]),
                            builder.text(loc, name)},
                           Effect::memory);
    if (failed(call))
      return failure();
    // The result has the type that all pointers get in the end.
    address.getResult().replaceAllUsesWith(
        LLVM::AddrSpaceCastOp::create(builder.b, loc, address.getType(),
                                      call->getResult())
            .getResult());
    address.erase();
  }
  for (LLVM::GlobalOp variable : variables)
    variable.erase();
  return success();
}
