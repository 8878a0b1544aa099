//===- Columns.cpp - which lane takes which feature columns ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector widths, and the columns of a lane.
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::autosage::device {

static constexpr int64_t kVectorBytes = 16;

Knobs Knobs::of(const ::autosage::Schedule &schedule) {
  Knobs knobs;
  knobs.unroll = schedule.get("unroll");
  knobs.vec = schedule.get("vec");
  knobs.tile = schedule.get("tile");
  knobs.minBlocks = schedule.get("min_blocks");
  knobs.fused = schedule.getWord("attention") == "fused";
  if (schedule.family == "row_group") {
    knobs.lanes = schedule.get("lanes");
    knobs.threads = schedule.get("block");
  }
  return knobs;
}

Width Width::of(HostEmitter &host, const Buffer &dense,
                const Buffer &alsoDense) {
  // The two agree, but one may know more.
  auto size = [&](int64_t dim) {
    return dense.sizes[dim].fixed ? dense.sizes[dim] : alsoDense.sizes[dim];
  };
  int64_t last = dense.rank() - 1;
  Width width;
  width.heads = last == 2 ? size(1) : host.fixed(1);
  width.features = size(last);
  width.columns =
      last == 2 ? host.product(width.heads, width.features) : width.features;
  return width;
}

Split Split::of(const Knobs &knobs, const Width &width, int64_t vec) {
  int64_t tile = knobs.tile ? knobs.tile : kWarp * knobs.vec;
  std::optional<int64_t> columns = width.columns.fixed;
  if (columns)
    tile = std::max<int64_t>(1, std::min(tile, *columns));
  Split split;
  split.vec = vec;
  split.lanes = knobs.lanes;
  if (split.lanes == 0)
    split.lanes = std::min<int64_t>(
        kWarp, llvm::PowerOf2Ceil(llvm::divideCeil(tile, vec)));
  split.vectors = llvm::divideCeil(tile, split.lanes * vec);
  split.exact = columns && *columns % split.tile() == 0;
  return split;
}

int64_t vectorAlignment(Type element, int64_t vec) {
  return std::min(kVectorBytes, vec * sizeOf(element));
}

int64_t vectorWidth(const Knobs &knobs, const Width &width, bool perHead,
                    ArrayRef<Buffer> operands) {
  int64_t vec = std::min(knobs.vec, kVectorBytes / sizeOf(operands[0].element));
  const Extent &whole = perHead ? width.features : width.columns;
  auto divides = [&](const Extent &extent) {
    return !extent.fixed || *extent.fixed % vec == 0;
  };
  auto fits = [&](const Buffer &operand) {
    return operand.strides.back().is(1) &&
           llvm::all_of(ArrayRef(operand.strides).drop_back(), divides);
  };
  while (vec > 1 && !(divides(whole) && llvm::all_of(operands, fits)))
    vec /= 2;
  return vec;
}

Value vectorsFit(HostEmitter &host, int64_t vec, const Width &width,
                 bool perHead, ArrayRef<Buffer> operands) {
  SmallVector<Value> conditions;
  conditions.push_back(
      host.isMultiple(perHead ? width.features : width.columns, vec));
  for (const Buffer &operand : operands) {
    conditions.push_back(
        host.isAligned(operand, vectorAlignment(operand.element, vec)));
    for (const Extent &stride : ArrayRef(operand.strides).drop_back())
      conditions.push_back(host.isMultiple(stride, vec));
  }
  return host.allOf(conditions);
}

bool isContiguousOverHeads(const Buffer &dense) {
  if (dense.rank() < 3 || dense.sizes[1].is(1))
    return dense.strides.back().is(1);
  if (cast<MemRefType>(dense.memref.getType()).getLayout().isIdentity())
    return true;
  return dense.strides[2].is(1) && dense.sizes[2].fixed &&
         dense.strides[1].is(*dense.sizes[2].fixed);
}

WidthParams::WidthParams(KernelBuilder &kernel, const Width &width)
    : features(kernel.scalar(width.features)),
      columns(kernel.scalar(width.columns)), hasHeads(!width.heads.is(1)) {
  kernel.distinguish("heads", hasHeads);
}

LaneColumns::LaneColumns(KernelBuilder::Body &body, const Split &split,
                         const WidthParams &width, Value lane)
    : body(body), width(width) {
  Emitter &e = body.e;
  Value first = e.addI(e.mulI(body.blockY, split.tile()),
                       e.mulI(e.toI64(lane), split.vec));
  for (int64_t i = 0; i < split.vectors; ++i) {
    Value column = e.addI(first, i * split.lanes * split.vec);
    Value isInside;
    if (!split.exact) {
      Value end = body(width.columns);
      isInside = e.lessThan(column, end);
      column = e.minI(column, e.addI(end, -split.vec));
    }
    columns.push_back(column);
    inside.push_back(isInside);
  }
  heads.resize(columns.size());
}

Value LaneColumns::head(int64_t i) {
  if (!heads[i])
    heads[i] = width.hasHeads ? body.e.divI(columns[i], body(width.features))
                              : body.e.i64(0);
  return heads[i];
}

Value LaneColumns::base(const KernelBuilder::View &view,
                        bool contiguousOverHeads, int64_t i) {
  Emitter &e = body.e;
  auto scaled = [&](Value index, const KernelBuilder::Param &stride) {
    return stride.is(1) ? index : e.mulI(index, body(stride));
  };
  Value offset = columns[i];
  if (!contiguousOverHeads && !width.hasHeads)
    offset = scaled(offset, view.strides.back());
  if (!contiguousOverHeads && width.hasHeads) {
    Value feature = e.remI(columns[i], body(width.features));
    offset = e.addI(scaled(head(i), view.strides[1]),
                    scaled(feature, view.strides[2]));
  }
  return e.at(body.pointer(view), view.element, offset);
}

//===----------------------------------------------------------------------===//
// Columns of one head
//===----------------------------------------------------------------------===//

SmallVector<HeadColumn> headColumns(KernelBuilder::Body &body,
                                    const HeadTile &tile,
                                    const KernelBuilder::Param &features,
                                    Value start, Value segmentLane) {
  Emitter &e = body.e;
  std::optional<int64_t> fixed = features.getFixed();
  Value first = e.addI(start, e.mulI(e.toI64(segmentLane), tile.vec));
  SmallVector<HeadColumn> columns;
  for (int64_t i = 0; i < tile.vectors; ++i) {
    int64_t step = i * tile.segment * tile.vec;
    int64_t behind = step + tile.segment * tile.vec;
    // Nothing to clamp to where no feature is left.
    if (fixed && *fixed <= step)
      break;
    HeadColumn column;
    column.number = e.addI(first, step);
    if (!(tile.holds(fixed) && behind <= *fixed)) {
      Value end = body(features);
      column.inside = e.lessThan(column.number, end);
      column.number = e.minI(column.number, e.addI(end, -tile.vec));
    }
    columns.push_back(column);
  }
  return columns;
}

HeadSplit HeadSplit::of(const Knobs &knobs, const Extent &heads,
                        int64_t segment) {
  int64_t most = knobs.lanes ? knobs.lanes : kWarp;
  HeadSplit split;
  if (heads.fixed)
    split.side = std::min<int64_t>(
        most / segment, llvm::PowerOf2Ceil(std::max<int64_t>(1, *heads.fixed)));
  split.segment = knobs.lanes ? knobs.lanes / split.side : segment;
  split.exact = split.side == 1 || *heads.fixed % split.side == 0;
  return split;
}

Extent HeadSplit::tiles(HostEmitter &host, const Extent &heads) const {
  if (heads.fixed)
    return host.fixed(llvm::divideCeil(*heads.fixed, side));
  return heads;
}

HeadSplit::Lane HeadSplit::laneOf(KernelBuilder::Body &body, Value tile,
                                  Value lane,
                                  const KernelBuilder::Param &heads) const {
  Emitter &e = body.e;
  if (side == 1)
    return {tile, Value()};
  Value head = e.addI(e.mulI(tile, side), e.toI64(e.divI(lane, segment)));
  if (exact)
    return {head, Value()};
  Value end = body(heads);
  return {e.minI(head, e.addI(end, -1)), e.lessThan(head, end)};
}

} // namespace mlir::autosage::device
