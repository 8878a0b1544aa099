//===- DestinationOp.h - interfaces that ops share --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the generated op definitions of AutosageBase.td call: effects, shapes,
// bufferization and folding mean the same for every op that writes `outs`, and
// for every op that only looks at arrays.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_DIALECT_IR_DESTINATIONOP_H
#define AUTOSAGE_LIB_DIALECT_IR_DESTINATIONOP_H

#include "autosage/Dialect/Autosage/IR/Autosage.h"

namespace mlir::autosage::detail {

/// Whether the op reads what `outs` held before.
bool readsOuts(DestinationStyleOpInterface op);

/// Inputs on buffers are read, outputs written, and read where they count.
void getEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

/// Results have the shapes of `outs`.
LogicalResult reifyResultShapes(DestinationStyleOpInterface op,
                                OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &shapes);

/// Whether the operands are read and written at the same position only: true of
/// the logits and the output of row_softmax, which may share a buffer.
bool accessesElementwise(DestinationStyleOpInterface op,
                         ArrayRef<OpOperand *> operands);

/// Replaces tensors by buffers. Index arrays that are not contiguous are
/// copied.
LogicalResult
bufferizeDestinationOp(DestinationStyleOpInterface op, RewriterBase &rewriter,
                       const bufferization::BufferizationOptions &options,
                       bufferization::BufferizationState &state);

/// Uses the operand of a `memref.cast` that only forgets static sizes.
LogicalResult foldMemRefCasts(Operation *op);

/// Arrays on buffers are read.
void getEffectsOfLooking(
    Operation *op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

/// Whether an array is a buffer.
bool looksAtBuffers(Operation *op);

/// Replaces arrays by buffers, copied where they are not contiguous.
LogicalResult
bufferizeLookingOp(Operation *op, RewriterBase &rewriter,
                   const bufferization::BufferizationOptions &options,
                   bufferization::BufferizationState &state);

} // namespace mlir::autosage::detail

#endif // AUTOSAGE_LIB_DIALECT_IR_DESTINATIONOP_H
