//===- Sddmm.cpp - sampled dense dense matrix product on the GPU ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SDDMM: scores with edge values as their weights.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Score.h"

using ::autosage::Combine;
using ::autosage::Score;

namespace mlir::autosage::device {

void emitSddmm(HostEmitter &host, KernelModule &kernels, const Csr &csr,
               Value values, Value q, Value k, Value out, Combine combine,
               double scale, const ::autosage::Schedule &schedule) {
  Rows rows(host, csr, numRowsOf(host, csr), schedule);
  ScoreOperands operands;
  // add is gat's score without the leaky ReLU, that is with slope 1.
  operands.kind = combine == Combine::dot ? Score::dot : Score::gat;
  operands.q = host.buffer(q);
  operands.k = host.buffer(k);
  operands.weights = host.buffer(values);
  operands.out = host.buffer(out);
  operands.scale = scale;
  emitScores(host, kernels, rows, operands, Knobs::of(schedule));
  rows.end();
}

} // namespace mlir::autosage::device
