//===- Score.cpp - the score of an edge -----------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dot, GAT and GATv2 scores.
//
//===----------------------------------------------------------------------===//

#include "Score.h"

using ::autosage::Score;

namespace mlir::autosage::cpu {

ScoreEmitter::ScoreEmitter(Emitter &e, Score score, Value q, Value k, Value vec,
                           double slope, Knobs knobs)
    : e(e), kind(score), q(q), k(k), vec(vec), slope(slope) {
  if (kind == Score::gat)
    return;
  split.emplace(e, width(e, kind, q, k), knobs);
}

Value ScoreEmitter::width(Emitter &e, Score score, Value q, Value k) {
  if (score == Score::gat)
    return e.idx(1);
  // q and k agree in the width, but one of them may know more.
  auto type = cast<MemRefType>(q.getType());
  int64_t last = type.getRank() - 1;
  return e.dim(type.isDynamicDim(last) ? k : q, last);
}

void ScoreEmitter::setRow(Value row, Value head) {
  this->row = row;
  this->head = head;
  if (kind == Score::gat) {
    qScalar = e.load(q, {row, headOrZero()});
    return;
  }
  qRow.clear();
  vecRow.clear();
  for (const Lanes &lanes : split->registerLanes()) {
    qRow.push_back(e.load(q, rowIndices(row, head), lanes));
    if (vec)
      vecRow.push_back(e.load(vec, headOrZero(), lanes));
  }
}

Value ScoreEmitter::score(Value col) {
  if (kind == Score::gat) {
    Value sum = e.add(qScalar, e.load(k, {col, headOrZero()}));
    return slope == 1.0 ? sum : e.leakyRelu(sum, slope);
  }
  return split->reduce([&](const Lanes &lanes, Value sum, int64_t number) {
    Value qLanes =
        number >= 0 ? qRow[number] : e.load(q, rowIndices(row, head), lanes);
    Value kLanes = e.load(k, rowIndices(col, head), lanes);
    if (kind == Score::dot)
      return e.fma(qLanes, kLanes, sum);
    // Masked-off lanes: leaky_relu(0 + 0) times a zero of vec.
    Value vecLanes =
        number >= 0 ? vecRow[number] : e.load(vec, headOrZero(), lanes);
    return e.fma(vecLanes, e.leakyRelu(e.add(qLanes, kLanes), slope), sum);
  });
}

} // namespace mlir::autosage::cpu
