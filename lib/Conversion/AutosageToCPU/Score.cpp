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

Value ScoreEmitter::lanesOf(Value col) {
  return split->reduce([&](const Lanes &lanes, Value sum, int64_t number) {
    Value qLanes =
        number >= 0 ? qRow[number] : e.load(q, rowIndices(row, head), lanes);
    Value kLanes = e.load(k, rowIndices(col, head), lanes);
    if (kind == Score::dot)
      return sum ? e.fma(qLanes, kLanes, sum) : e.mul(qLanes, kLanes);
    // Masked-off lanes: leaky_relu(0 + 0) times a zero of vec.
    Value vecLanes =
        number >= 0 ? vecRow[number] : e.load(vec, headOrZero(), lanes);
    Value activated = e.leakyRelu(e.add(qLanes, kLanes), slope);
    return sum ? e.fma(vecLanes, activated, sum) : e.mul(vecLanes, activated);
  });
}

Value ScoreEmitter::score(Value col) {
  if (kind != Score::gat)
    return e.sumLanes(lanesOf(col));
  Value sum = e.add(qScalar, e.load(k, {col, headOrZero()}));
  return slope == 1.0 ? sum : e.leakyRelu(sum, slope);
}

Value ScoreEmitter::scores(ArrayRef<Value> cols) {
  if (kind != Score::gat)
    return e.sumLanesInOrder(
        llvm::map_to_vector(cols, [&](Value col) { return lanesOf(col); }));
  SmallVector<Value> scalars =
      llvm::map_to_vector(cols, [&](Value col) { return score(col); });
  return vector::FromElementsOp::create(e.b, e.loc, e.vectorType(cols.size()),
                                        scalars);
}

void ScoreEmitter::prefetch(const EdgeColumns &columns, Value edge) {
  // One score an edge and head is what gat gathers: many share a line.
  if (kind == Score::gat)
    return;
  split->forPrefetch([&](ArrayRef<Lanes> lanes) {
    columns.prefetch(e, edge, k, head, lanes);
  });
}

void forScores(Emitter &e, ScoreEmitter &scores, const EdgeColumns &columns,
               const Piece &piece, int64_t unroll, bool asVectors,
               function_ref<void(const Lanes &, Value)> body) {
  forScores(e, ArrayRef<ScoreEmitter *>(&scores), columns, piece, unroll,
            asVectors, [&](const Lanes &edges, ArrayRef<Value> values) {
              body(edges, values[0]);
            });
}

void forScores(Emitter &e, ArrayRef<ScoreEmitter *> scores,
               const EdgeColumns &columns, const Piece &piece, int64_t unroll,
               bool asVectors,
               function_ref<void(const Lanes &, ArrayRef<Value>)> body) {
  auto emitPass = [&](ArrayRef<Value> edges, ValueRange) {
    SmallVector<Value> cols;
    for (Value edge : edges) {
      cols.push_back(columns.load(e, edge));
      for (ScoreEmitter *score : scores)
        score->prefetch(columns, edge);
    }
    // With `unroll` single edges too as vectors, for the same order of
    // summation.
    SmallVector<Value> values =
        llvm::map_to_vector(scores, [&](ScoreEmitter *score) {
          return unroll == 1 ? score->score(cols[0]) : score->scores(cols);
        });
    if (unroll == 1) {
      body({edges[0], 1, nullptr}, values);
    } else if (asVectors && edges.size() > 1) {
      body({edges[0], static_cast<int64_t>(edges.size()), nullptr}, values);
    } else {
      for (auto [lane, edge] : llvm::enumerate(edges)) {
        auto place = static_cast<int64_t>(lane);
        body({edge, 1, nullptr},
             llvm::map_to_vector(values, [&](Value vector) -> Value {
               return vector::ExtractOp::create(e.b, e.loc, vector, place);
             }));
      }
    }
    return SmallVector<Value>();
  };
  e.forEdges(piece.begin, piece.end, unroll, {}, emitPass);
}

} // namespace mlir::autosage::cpu
