//===- ChooseVersion.cpp - the choice of a version as a call --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseVersion.h"

#include "autosage/Runtime/Device.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::autosage;
using namespace mlir::autosage::device;

/// Bytes that are part of the module, ended by a zero.
static LLVM::GlobalOp makeText(OpBuilder &b, Location loc, StringRef name,
                               std::string bytes) {
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  return LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, name,
                                b.getStringAttr(bytes));
}

/// The autosage_site of the op.
static LLVM::GlobalOp makeSite(ChooseVersionOp op) {
  auto module = op->getParentOfType<ModuleOp>();
  std::string name;
  for (int i = 0;; ++i) {
    name = "autosage_site_" + std::to_string(i);
    if (!module.lookupSymbol(name))
      break;
  }
  std::string versions;
  for (auto version : op.getVersions().getAsRange<ScheduleAttr>())
    versions += (versions.empty() ? std::string() : std::string(1, '\0')) +
                version.getSchedule().str();
  Location loc = op.getLoc();
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  LLVM::GlobalOp kernelText =
      makeText(b, loc, name + "_kernel", op.getKernel().str());
  LLVM::GlobalOp versionsText =
      makeText(b, loc, name + "_versions", std::move(versions));
  Type i32 = b.getI32Type();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {i32, i32, i32, i32, pointer, pointer, pointer});
  auto site =
      LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/false,
                             LLVM::Linkage::Internal, name, Attribute());
  b.setInsertionPointToStart(b.createBlock(&site.getInitializerRegion()));
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(b, loc, i32, value);
  };
  Value fields[] = {number(sizeof(autosage_site)),
                    number(AUTOSAGE_DEVICE_VERSION),
                    number(op.getVersions().size()),
                    number(0),
                    LLVM::AddressOfOp::create(b, loc, kernelText),
                    LLVM::AddressOfOp::create(b, loc, versionsText),
                    LLVM::ZeroOp::create(b, loc, pointer)};
  Value value = LLVM::UndefOp::create(b, loc, type);
  for (auto [i, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(b, loc, value, field,
                                        static_cast<int64_t>(i));
  LLVM::ReturnOp::create(b, loc, value);
  return site;
}

void device::emitChooseVersion(HostEmitter &host, ChooseVersionOp op,
                               StringRef function) {
  Buffer rowptr = host.buffer(op.getArrays()[0]);
  Buffer colind = host.buffer(op.getArrays()[1]);
  Value site = LLVM::AddressOfOp::create(host.b, host.loc, makeSite(op));
  Value version = host.call(
      function, host.b.getI64Type(),
      {site, host.pointer(rowptr), host.pointer(colind),
       host.addI(rowptr.sizes[0].host, -1), host.extent(op.getArrays()[2]).host,
       colind.sizes[0].host, host.i32(sizeOf(rowptr.element)),
       host.i32(sizeOf(colind.element))});
  op.replaceAllUsesWith(arith::IndexCastOp::create(
                            host.b, host.loc, host.b.getIndexType(), version)
                            .getResult());
}
