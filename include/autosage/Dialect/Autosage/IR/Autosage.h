//===- Autosage.h - the autosage dialect ------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialect, types, attributes, interfaces and ops: the one header to include.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_DIALECT_AUTOSAGE_IR_AUTOSAGE_H
#define AUTOSAGE_DIALECT_AUTOSAGE_IR_AUTOSAGE_H

#include "autosage/Core/Schedule.h"
#include "autosage/Core/Stats.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "autosage/Dialect/Autosage/IR/AutosageDialect.h.inc"
#include "autosage/Dialect/Autosage/IR/AutosageEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "autosage/Dialect/Autosage/IR/AutosageAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "autosage/Dialect/Autosage/IR/AutosageTypes.h.inc"

namespace mlir::autosage {
/// What `SparseOpInterface::getProblem` answers for every op; KernelSpecOf.cpp.
::autosage::Problem problemOf(Operation *sparseOp);
} // namespace mlir::autosage

#include "autosage/Dialect/Autosage/IR/AutosageInterfaces.h.inc"

#define GET_OP_CLASSES
#include "autosage/Dialect/Autosage/IR/AutosageOps.h.inc"

namespace mlir::autosage {

/// Core's enumerators of the same keyword.
::autosage::Reduction toCore(Reduction value);
::autosage::Combine toCore(Combine value);
::autosage::Score toCore(Score value);
::autosage::TaskOrder toCore(TaskOrder value);
/// The element type, where Core has it.
std::optional<::autosage::DType> toCoreDType(Type type);

/// The statistics that are known of a pattern: those of the ops that made it,
/// through `assume_stats`, `prepare` and function arguments. Null where none
/// are.
StatsAttr lookUpStats(Value pattern);

} // namespace mlir::autosage

#endif // AUTOSAGE_DIALECT_AUTOSAGE_IR_AUTOSAGE_H
