//===- RowSoftmax.cpp - row softmax on the GPU ----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operation; what it consists of is in Softmax.cpp.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Softmax.h"

namespace mlir::autosage::device {

void emitRowSoftmax(HostEmitter &host, KernelModule &kernels, const Csr &csr,
                    Value logits, Value out, double scale,
                    const ::autosage::Schedule &schedule) {
  Rows rows(host, csr, numRowsOf(host, csr), schedule);
  SoftmaxOperands operands;
  operands.logits = host.buffer(logits);
  operands.out = host.buffer(out);
  operands.scale = scale;
  emitSoftmax(host, kernels, rows, operands, Knobs::of(schedule));
  rows.end();
}

} // namespace mlir::autosage::device
