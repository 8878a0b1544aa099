//===- Edges.cpp - which lane takes which edges and heads -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of edges count in 64 bits here: the last turn of a loop may look at
// edges behind the end, past what the position type holds.
//
//===----------------------------------------------------------------------===//

#include "Edges.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::autosage::device {

/// Edges side by side where the schedule leaves the number open: rows of graphs
/// have some tens of edges, with several of them in a lane.
static constexpr int64_t kEdgeLanes = 16;
/// Heads side by side where their number is not known.
static constexpr int64_t kUnknownHeads = 4;

Buffer perEdge(HostEmitter &host, Buffer values) {
  if (!values || values.rank() < 2)
    return values;
  const Extent &heads = values.sizes[1];
  if (heads.is(1)) {
    values.strides[1] = host.fixed(0);
  } else if (!heads.fixed) {
    Value isOne = host.isZero(host.addI(heads.host, -1));
    values.strides[1] = {
        std::nullopt, host.select(isOne, host.i64(0), values.strides[1].host)};
  }
  return values;
}

void storeIf(Emitter &e, Value condition, Value value, Value address) {
  if (condition)
    e.ifThen(condition, [&] { e.store(value, address); });
  else
    e.store(value, address);
}

EdgeSplit EdgeSplit::of(const Knobs &knobs, const Extent &heads) {
  EdgeSplit split;
  int64_t most = knobs.lanes ? knobs.lanes : kWarp;
  split.heads = kUnknownHeads;
  if (heads.fixed)
    split.heads = llvm::PowerOf2Ceil(std::max<int64_t>(1, *heads.fixed));
  split.heads = std::min(split.heads, most);
  split.lanes =
      knobs.lanes ? knobs.lanes : std::min(kWarp, kEdgeLanes * split.heads);
  split.exact = heads.fixed && *heads.fixed % split.heads == 0;
  return split;
}

Extent EdgeSplit::tiles(HostEmitter &host, const Extent &numHeads) const {
  return host.tilesOf(numHeads, heads);
}

EdgeLanes::EdgeLanes(KernelBuilder::Body &body, const EdgeSplit &split,
                     const KernelBuilder::Param &numHeads, Value lane)
    : e(body.e), split(split) {
  head = e.mulI(body.blockY, split.heads);
  edgeLane = e.toI64(e.divI(lane, split.heads));
  if (split.heads > 1)
    head = e.addI(head, e.toI64(e.remI(lane, split.heads)));
  if (!split.exact)
    isHead = e.lessThan(head, body(numHeads));
}

Value EdgeLanes::isLeader() {
  Value isFirst = e.isZero(edgeLane);
  return isHead ? e.andB(isFirst, isHead) : isFirst;
}

SmallVector<Value> EdgeLanes::ifHead(ValueRange otherwise,
                                     function_ref<SmallVector<Value>()> body) {
  return isHead ? e.ifThen(isHead, otherwise, body) : body();
}

SmallVector<Value> EdgeLanes::take(Value begin, Value end, int64_t count,
                                   ValueRange otherwise, Body body) {
  Value first = e.addI(begin, edgeLane);
  Value hasAny = e.lessThan(first, end);
  if (isHead)
    hasAny = e.andB(hasAny, isHead);
  return e.ifThen(hasAny, otherwise, [&] {
    Items items;
    for (int64_t i = 0; i < count; ++i) {
      Value edge = e.addI(first, i * split.edges());
      Value active = i == 0 ? Value() : e.lessThan(edge, end);
      items.active.push_back(active);
      items.edges.push_back(active ? e.select(active, edge, first) : edge);
    }
    return body(items, otherwise);
  });
}

SmallVector<Value> EdgeLanes::fold(Value begin, Value end, int64_t unroll,
                                   ValueRange init, Body body) {
  return e.forLoop(begin, end, unroll * split.edges(), init,
                   [&](Value first, ValueRange carried) {
                     return take(first, end, unroll, carried, body);
                   });
}

} // namespace mlir::autosage::device
