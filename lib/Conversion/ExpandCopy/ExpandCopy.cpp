//===- ExpandCopy.cpp - copies with gaps as loops -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's lowering calls memrefCopy of MLIR's runner library for them, which
// compiled programs do not have.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/ExpandCopy/ExpandCopy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#define DEBUG_TYPE "autosage-expand-copy"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEEXPANDCOPY
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;

/// Whether elements lie one after the other for sure, from any offset on.
static bool isContiguous(MemRefType type) {
  if (type.getLayout().isIdentity())
    return true;
  int64_t offset, plainOffset;
  SmallVector<int64_t> strides, plainStrides;
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  return type.hasStaticShape() &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         succeeded(plain.getStridesAndOffset(plainStrides, plainOffset)) &&
         strides == plainStrides;
}

namespace {
struct AutosageExpandCopyPass final
    : public mlir::autosage::impl::AutosageExpandCopyBase<
          AutosageExpandCopyPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies)
      expand(copy);
  }

  void expand(memref::CopyOp copy) {
    auto source = dyn_cast<MemRefType>(copy.getSource().getType());
    auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
    if (!source || !target)
      return;
    bool isEmpty = source.hasStaticShape() && source.getNumElements() == 0;
    if (!isEmpty) {
      if (isContiguous(source) && isContiguous(target))
        return;
      OpBuilder builder(copy);
      linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      ++numExpanded;
    }
    copy.erase();
  }
};
} // namespace
