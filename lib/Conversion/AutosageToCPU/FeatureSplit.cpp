//===- FeatureSplit.cpp - a row of features as vectors --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Full vectors are peeled and only the rest is masked: masking everything was
// measured to cost 30 to 50 %. A width that is known while compiling leaves
// only the loops that it needs, and no mask where the rest is a power of two.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::autosage::cpu {

/// Rows of up to this many vectors are kept in registers across the edges of a
/// row; with as many temporaries they fill half of AVX-512's register file.
static constexpr int64_t kRegisterVectors = 16;
/// Independent sums that hide the latency of a fused multiply-add.
static constexpr size_t kIndependentSums = 4;

FeatureSplit::FeatureSplit(Emitter &e, Value size, Knobs knobs)
    : e(e), size(size), fixed(getConstantIntValue(size)), knobs(knobs) {
  if (fixed) {
    tiledEnd = e.idx(*fixed - *fixed % knobs.tile);
    if (*fixed <= kRegisterVectors * knobs.vec)
      inRegisters = cover(e.idx(0), *fixed, /*wholeTail=*/*fixed > knobs.vec);
    return;
  }
  tiledEnd = e.roundDown(size, knobs.tile);
  vectorEnd = e.roundDown(size, knobs.vec);
  if (knobs.vec > 1)
    tailMask = vector::CreateMaskOp::create(
        e.b, e.loc, VectorType::get({knobs.vec}, e.b.getI1Type()),
        ValueRange{e.subI(size, vectorEnd)});
}

SmallVector<Lanes> FeatureSplit::cover(Value base, int64_t rest,
                                       bool wholeTail) const {
  SmallVector<Lanes> lanes;
  int64_t offset = 0;
  for (; offset + knobs.vec <= rest; offset += knobs.vec)
    lanes.push_back({e.addI(base, offset), knobs.vec, nullptr});
  int64_t tail = rest - offset;
  if (tail == 0)
    return lanes;
  int64_t width = wholeTail ? knobs.vec : llvm::PowerOf2Ceil(tail);
  Value mask;
  if (width != tail)
    mask = vector::ConstantMaskOp::create(
        e.b, e.loc, VectorType::get({width}, e.b.getI1Type()),
        ArrayRef<int64_t>{tail});
  lanes.push_back({e.addI(base, offset), width, mask});
  return lanes;
}

void FeatureSplit::forTiles(function_ref<void(ArrayRef<Lanes>)> body) const {
  auto fullTile = [&](Value base) { body(cover(base, knobs.tile, false)); };
  if (fixed) {
    int64_t rest = *fixed % knobs.tile;
    if (*fixed >= 2 * knobs.tile)
      e.forLoop(e.idx(0), tiledEnd, knobs.tile, fullTile);
    else if (*fixed >= knobs.tile)
      fullTile(e.idx(0));
    // The rest, full vectors and tail, needs only one walk over the edges.
    if (rest > 0)
      body(cover(tiledEnd, rest, /*wholeTail=*/false));
    return;
  }
  e.forLoop(e.idx(0), tiledEnd, knobs.tile, fullTile);
  if (knobs.tile != knobs.vec)
    e.forLoop(tiledEnd, vectorEnd, knobs.vec,
              [&](Value col) { body({{col, knobs.vec, nullptr}}); });
  if (tailMask)
    e.ifThen(e.cmpI(arith::CmpIPredicate::slt, vectorEnd, size),
             [&] { body({{vectorEnd, knobs.vec, tailMask}}); });
}

/// The sum of all vectors, pairwise.
static Value combine(Emitter &e, SmallVector<Value> sums) {
  while (sums.size() > 1) {
    size_t half = (sums.size() + 1) / 2;
    for (size_t i = 0; i + half < sums.size(); ++i)
      sums[i] = e.add(sums[i], sums[i + half]);
    sums.resize(half);
  }
  return sums[0];
}

Value FeatureSplit::reduce(
    function_ref<Value(const Lanes &, Value, int64_t)> term) const {
  if (fixed && *fixed == 0)
    return e.splat(0.0, 1);

  if (!inRegisters.empty()) {
    // Edges that share a pass are independent too.
    size_t independent = std::max<size_t>(kIndependentSums / knobs.unroll, 1);
    SmallVector<Value> sums(std::min(inRegisters.size(), independent));
    for (auto [number, lanes] : llvm::enumerate(inRegisters)) {
      Value &sum = sums[number % sums.size()];
      sum = term(lanes, sum, number);
    }
    return combine(e, sums);
  }

  int64_t perTile = knobs.tile / knobs.vec;
  SmallVector<Value> init(perTile, e.splat(0.0, knobs.vec));
  Value sum = combine(e, e.forLoop(e.idx(0), tiledEnd, knobs.tile, init,
                                   [&](Value base, ValueRange carried) {
                                     SmallVector<Value> sums(carried);
                                     for (auto [i, lanes] : llvm::enumerate(
                                              cover(base, knobs.tile, true)))
                                       sums[i] = term(lanes, sums[i], -1);
                                     return sums;
                                   }));
  if (fixed) {
    for (const Lanes &lanes : cover(tiledEnd, *fixed % knobs.tile, true))
      sum = term(lanes, sum, -1);
    return sum;
  }
  if (knobs.tile != knobs.vec)
    sum = e.forLoop(tiledEnd, vectorEnd, knobs.vec, sum,
                    [&](Value col, ValueRange carried) {
                      return SmallVector<Value>{
                          term({col, knobs.vec, nullptr}, carried[0], -1)};
                    })[0];
  if (tailMask)
    sum =
        e.ifThen(e.cmpI(arith::CmpIPredicate::slt, vectorEnd, size), sum, [&] {
          return SmallVector<Value>{
              term({vectorEnd, knobs.vec, tailMask}, sum, -1)};
        })[0];
  return sum;
}

void FeatureSplit::forPrefetch(function_ref<void(ArrayRef<Lanes>)> body) const {
  if (!inRegisters.empty())
    return body(inRegisters);
  // In the order and the cut of `reduce`.
  e.forLoop(e.idx(0), tiledEnd, knobs.tile,
            [&](Value base) { body(cover(base, knobs.tile, true)); });
  if (fixed && *fixed % knobs.tile != 0)
    body(cover(tiledEnd, *fixed % knobs.tile, true));
  else if (!fixed)
    e.forLoop(tiledEnd, size, knobs.vec,
              [&](Value col) { body({{col, knobs.vec, nullptr}}); });
}

} // namespace mlir::autosage::cpu
