//===- Columns.h - which lane takes which feature columns -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Heads and features of a row form one sequence of H * F columns. A group of
// lanes takes a tile of it, each lane `vectors` vectors of `vec` columns that
// lie `lanes * vec` apart, so that a vector load of the group is contiguous.
// Lanes behind the last column read the last vector again and store nothing:
// faster than fewer lanes (measured), and no value of theirs is used.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_COLUMNS_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_COLUMNS_H

#include "Host.h"

namespace mlir::autosage::device {

/// What the schedule asks of every kernel.
struct Knobs {
  int64_t lanes = 0; // 0: as many as the width fills
  int64_t threads = 128;
  int64_t unroll = 4;
  int64_t vec = 4;
  int64_t tile = 0; // 0: 32 vectors
  int64_t minBlocks = 0;
  bool fused = true; // attention in one kernel

  static Knobs of(const ::autosage::Schedule &schedule);
};

/// Heads and features of a dense operand n x F or n x H x F.
struct Width {
  Extent heads; // 1 without
  Extent features;
  Extent columns; // the product

  static Width of(HostEmitter &host, const Buffer &dense,
                  const Buffer &alsoDense);
};

/// How columns are shared out, with a certain vector width.
struct Split {
  int64_t vec, lanes, vectors;
  /// Whether the number of columns is known and there is no lane behind it.
  bool exact;

  int64_t tile() const { return vec * lanes * vectors; }
  static Split of(const Knobs &knobs, const Width &width, int64_t vec);
};

/// The largest vector that types allow: at most `vec` columns and 16 bytes of
/// the first operand, unit inner strides, no static stride or width in the way.
/// `perHead`: a vector must not reach into the next head.
int64_t vectorWidth(const Knobs &knobs, const Width &width, bool perHead,
                    ArrayRef<Buffer> operands);
/// i1: whether addresses, strides and width are such that the kernel may use
/// vectors of `vec`.
Value vectorsFit(HostEmitter &host, int64_t vec, const Width &width,
                 bool perHead, ArrayRef<Buffer> operands);
/// Bytes to which a vector of an operand is aligned where vectors fit.
int64_t vectorAlignment(Type element, int64_t vec);

/// Whether columns of an operand lie one after the other over all heads.
bool isContiguousOverHeads(const Buffer &dense);

/// A kernel's knowledge of the width.
struct WidthParams {
  KernelBuilder::Param features, columns;
  bool hasHeads;
  WidthParams(KernelBuilder &kernel, const Width &width);
};

/// The columns of the calling lane, in the body of a kernel.
class LaneColumns {
public:
  /// `lane` is an i32 below `split.lanes`.
  LaneColumns(KernelBuilder::Body &body, const Split &split,
              const WidthParams &width, Value lane);

  int64_t size() const { return static_cast<int64_t>(columns.size()); }
  /// The first column of vector `i`, clamped to a legal one; i64.
  Value column(int64_t i) const { return columns[i]; }
  /// Whether it is real; null where it always is.
  Value isInside(int64_t i) const { return inside[i]; }
  Value head(int64_t i);
  /// The address of vector `i` in row 0 of a dense operand.
  Value base(const KernelBuilder::View &view, bool contiguousOverHeads,
             int64_t i);

private:
  KernelBuilder::Body &body;
  const WidthParams &width;
  SmallVector<Value> columns, inside, heads;
};

//===----------------------------------------------------------------------===//
// Columns of one head
//===----------------------------------------------------------------------===//

/// How some features of one head are shared out among a segment of lanes: each
/// takes `vectors` vectors, `segment` vectors apart.
struct HeadTile {
  int64_t vec = 1, segment = 1, vectors = 1;
  int64_t columns() const { return vec * segment * vectors; }
  bool holds(const std::optional<int64_t> &features) const {
    return features && *features <= columns();
  }
};

/// A vector of the calling lane: its first feature, clamped to a legal one, and
/// whether it is real (i1; null where it always is).
struct HeadColumn {
  Value number, inside;
};
/// Those of the tile that begins at feature `start` (i64).
SmallVector<HeadColumn> headColumns(KernelBuilder::Body &body,
                                    const HeadTile &tile,
                                    const KernelBuilder::Param &features,
                                    Value start, Value segmentLane);

/// Heads side by side in a group, a segment of lanes each.
struct HeadSplit {
  int64_t segment = 1, side = 1;
  bool exact = true; // no segment lies behind the last head

  int64_t lanes() const { return segment * side; }
  /// As many heads as there is room for; else what the schedule wants of lanes
  /// is for one.
  static HeadSplit of(const Knobs &knobs, const Extent &heads, int64_t segment);
  /// Groups that reach all heads.
  Extent tiles(HostEmitter &host, const Extent &heads) const;

  /// A lane's head, clamped to a legal one (i64), and whether it is real (i1;
  /// null where it always is).
  struct Lane {
    Value head, isHead;
  };
  Lane laneOf(KernelBuilder::Body &body, Value tile, Value lane,
              const KernelBuilder::Param &heads) const;
};

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_COLUMNS_H
