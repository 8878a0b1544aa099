//===- Payload.h - what a dense op computes at a point ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a linalg op, taken over into a kernel, with what it uses from
// outside: constants are made anew, numbers become parameters, and buffers that
// it reads by index (tensor.extract) become views.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_DENSETOGPU_PAYLOAD_H
#define AUTOSAGE_LIB_CONVERSION_DENSETOGPU_PAYLOAD_H

#include "../AutosageToGPU/Host.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::autosage::dense {

/// Whether memory of the GPU can hold such elements.
bool isElement(Type type);
/// Emits why a kernel cannot read and write the memref.
LogicalResult verifyBuffer(Operation *op, Type type);

/// A number as kernels compute with it, index as i64, and back.
Value fromIndex(device::Emitter &e, Value value);
Value toType(device::Emitter &e, Value value, Type type);

/// Elements of a buffer of the kernel, of type `type` in the op.
Value loadAt(device::KernelBuilder::Body &body,
             const device::KernelBuilder::View &view, ValueRange indices,
             Type type);
void storeAt(device::KernelBuilder::Body &body,
             const device::KernelBuilder::View &view, ValueRange indices,
             Value value);

class Payload {
public:
  /// Emits why the body cannot run in a kernel.
  static LogicalResult verify(linalg::LinalgOp op);

  /// Declares the parameters of what the body uses from outside, and adds the
  /// body to the key.
  Payload(linalg::LinalgOp op, device::HostEmitter &host,
          device::KernelBuilder &kernel);

  /// Makes the constants. Once, before the first `at`.
  void begin(device::KernelBuilder::Body &body);
  /// The values that the body yields for `elements`, one of each operand of the
  /// op, at the point `ivs` (i64).
  SmallVector<Value> at(device::KernelBuilder::Body &body, ValueRange elements,
                        ValueRange ivs);

private:
  Value readBuffer(device::KernelBuilder::Body &body, Operation *load);

  linalg::LinalgOp op;
  SmallVector<Operation *> constants;
  SmallVector<std::pair<Value, device::KernelBuilder::Param>> numbers;
  llvm::MapVector<Value, device::KernelBuilder::View> buffers;
  IRMapping outside; // in the kernel
};

} // namespace mlir::autosage::dense

#endif // AUTOSAGE_LIB_CONVERSION_DENSETOGPU_PAYLOAD_H
