//===- CallBuilder.cpp - calls of the emulator
//-----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallBuilder.h"

using namespace mlir;
using namespace mlir::autosage::simt;

CallBuilder::CallBuilder(ModuleOp module)
    : b(module.getContext()), module(module), symbols(module) {}

LLVM::LLVMPointerType CallBuilder::pointer() {
  return LLVM::LLVMPointerType::get(b.getContext());
}

Value CallBuilder::i32(Location loc, int64_t value) {
  return LLVM::ConstantOp::create(
      b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value CallBuilder::i64(Location loc, int64_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

FailureOr<LLVM::CallOp> CallBuilder::call(Location loc, StringRef name,
                                          Type result, ValueRange args,
                                          Effect effect) {
  if (!result)
    result = LLVM::LLVMVoidType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      result, llvm::to_vector(args.getTypes()), /*isVarArg=*/false);
  Operation *known = symbols.lookup(name);
  auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(known);
  if (known && (!function || function.getFunctionType() != type))
    return known->emitOpError("expects the symbol ")
           << name << " to be an llvm.func of type " << type;
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    function = LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
    function.setNoUnwind(true);
    if (effect == Effect::convergent)
      function.setConvergent(true);
    if (effect == Effect::pure) {
      auto none = LLVM::ModRefInfo::NoModRef;
      function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
          b.getContext(), {none, none, none, none, none, none}));
      function.setWillReturn(true);
    }
    symbols.insert(function);
  }
  auto call = LLVM::CallOp::create(b, loc, function, args);
  call.setNoUnwind(true);
  if (effect == Effect::convergent)
    call.setConvergent(true);
  if (effect == Effect::pure) {
    call.setMemoryEffectsAttr(function.getMemoryEffectsAttr());
    call.setWillReturn(true);
  }
  return call;
}

LLVM::GlobalOp CallBuilder::makeText(Location loc, StringRef name,
                                     StringRef text) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(),
                                       static_cast<unsigned>(bytes.size()));
  auto global = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal, name,
                                       b.getStringAttr(bytes));
  symbols.insert(global); // makes the name unique
  return global;
}

Value CallBuilder::text(Location loc, StringRef text) {
  LLVM::GlobalOp &global = texts[text];
  if (!global)
    global = makeText(module.getLoc(), "autosage_simt_text", text);
  return LLVM::AddressOfOp::create(b, loc, pointer(), global.getSymName());
}

std::string autosage::simt::placeOf(Operation *op) {
  Location loc = op->getLoc();
  if (auto at = loc->findInstanceOf<FileLineColLoc>())
    return (at.getFilename().getValue() + ":" + Twine(at.getLine()) + ":" +
            Twine(at.getColumn()))
        .str();
  if (auto name = loc->findInstanceOf<NameLoc>())
    return name.getName().str();
  std::string place = op->getName().getStringRef().str();
  if (auto function = op->getParentOfType<LLVM::LLVMFuncOp>())
    place += " of " + function.getName().str();
  return place;
}

Value CallBuilder::site(Operation *op) {
  // The emulator tells ops apart by the address, so equal texts are not shared.
  LLVM::GlobalOp global =
      makeText(module.getLoc(), "autosage_simt_site", placeOf(op));
  return LLVM::AddressOfOp::create(b, op->getLoc(), pointer(),
                                   global.getSymName());
}

Value CallBuilder::scratch(Operation *op, int64_t count) {
  OpBuilder::InsertionGuard guard(b);
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  b.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(b, op->getLoc(), pointer(), b.getI32Type(),
                                i32(op->getLoc(), count), /*alignment=*/16);
}
