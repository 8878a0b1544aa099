//===- Attention.cpp - graph attention on the GPU -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention as the schedule wants it: fused (FusedAttention.cpp), or composed:
// three steps with a number for every edge and head between them,
// of the accumulator's type: logits, their softmax in place, weighted sums of
// rows of v. The softmax also leaves the log-sum-exp, from which the sums know
// the rows that have no weight and gather nothing.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Score.h"
#include "Softmax.h"

using ::autosage::Score;

namespace mlir::autosage::device {

/// A scratch buffer of `count` rows with a number for each head.
static Buffer allocPerHead(HostEmitter &host, const Extent &count,
                           std::optional<Extent> heads, Type element) {
  Value size = heads ? host.mulI(count.host, heads->host) : count.host;
  Buffer buffer = host.buffer(host.alloc(size, element));
  if (heads) {
    buffer.sizes = {count, *heads};
    buffer.strides = {*heads, host.fixed(1)};
  }
  return buffer;
}

void emitAttention(HostEmitter &host, KernelModule &kernels, const Csr &csr,
                   const AttentionOperands &operands, Score score, double scale,
                   double slope, const ::autosage::Schedule &schedule) {
  Rows rows(host, csr, numRowsOf(host, csr), schedule);
  Knobs knobs = Knobs::of(schedule);
  Buffer v = host.buffer(operands.v), out = host.buffer(operands.out);
  Buffer lse = host.buffer(operands.lse);
  FloatType acc = accumulatorType(v.element);
  std::optional<Extent> heads;
  if (v.rank() == 3)
    heads = Width::of(host, v, out).heads;

  ScoreOperands scores;
  scores.kind = score;
  scores.q = host.buffer(operands.q);
  scores.k = host.buffer(operands.k);
  scores.vec = host.buffer(operands.vec);
  scores.biases = host.buffer(operands.bias);
  scores.scale = scale;
  if (score != Score::dot)
    scores.slope = slope;
  if (knobs.fused) {
    emitFusedAttention(host, kernels, rows, scores, v, out, lse, knobs);
    return rows.end();
  }

  scores.out = allocPerHead(host, rows.numEdges(), heads, acc);
  emitScores(host, kernels, rows, scores, knobs);

  SoftmaxOperands softmax;
  softmax.logits = softmax.out = scores.out;
  if (lse)
    softmax.lses.push_back(lse);
  // A narrow type may round a number to -inf that is none.
  Buffer exactLse = lse;
  bool needsExact = !lse || lse.element != acc;
  if (needsExact) {
    exactLse = allocPerHead(host, rows.count(), heads, acc);
    softmax.lses.push_back(exactLse);
  }
  emitSoftmax(host, kernels, rows, softmax, knobs);

  emitWeightedSums(host, kernels, rows, scores.out, v, out, exactLse, knobs);
  host.free(scores.out.memref);
  if (needsExact)
    host.free(exactLse.memref);
  rows.end();
}

} // namespace mlir::autosage::device
