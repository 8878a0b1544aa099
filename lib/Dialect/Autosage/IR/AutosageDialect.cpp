//===- AutosageDialect.cpp - registration of the dialect ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::autosage;

#include "autosage/Dialect/Autosage/IR/AutosageDialect.cpp.inc"
#include "autosage/Dialect/Autosage/IR/AutosageEnums.cpp.inc"
#include "autosage/Dialect/Autosage/IR/AutosageInterfaces.cpp.inc"

namespace {
/// Ops of the dialect have no regions and no context beyond their operands, so
/// inlining is always legal.
struct AutosageInlinerInterface final : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void AutosageDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "autosage/Dialect/Autosage/IR/AutosageOps.cpp.inc"
      >();
  addInterfaces<AutosageInlinerInterface>();
}

Operation *AutosageDialect::materializeConstant(OpBuilder &builder,
                                                Attribute value, Type type,
                                                Location loc) {
  // Sizes fold to constants of type index.
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult AutosageDialect::verifyRegionArgAttribute(Operation *op,
                                                        unsigned regionIndex,
                                                        unsigned argIndex,
                                                        NamedAttribute attr) {
  if (attr.getName() != kStatsArgAttrName)
    return op->emitError("unknown argument attribute '")
           << attr.getName().getValue() << "', expects '" << kStatsArgAttrName
           << "'";
  if (!isa<StatsAttr>(attr.getValue()))
    return op->emitError("expects '")
           << kStatsArgAttrName << "' to be #autosage.stats, got "
           << attr.getValue();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (function && !isa<PatternType>(function.getArgumentTypes()[argIndex]))
    return op->emitError("expects argument ")
           << argIndex << " with '" << kStatsArgAttrName
           << "' to be a pattern, got "
           << function.getArgumentTypes()[argIndex];
  return success();
}
