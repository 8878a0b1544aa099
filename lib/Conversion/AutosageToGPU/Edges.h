//===- Edges.h - which lane takes which edges and heads ---------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For kernels with one number an edge and head: neighbouring lanes take
// neighbouring heads, then the next edges, as the numbers lie in memory. A lane
// never reads what another one may store: a row softmax may work in place.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_EDGES_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_EDGES_H

#include "Columns.h"

namespace mlir::autosage::device {

/// Edge values of shape nnz, nnz x 1 or nnz x H with the stride between heads 0
/// where there is one value for all, so that `{edge, head}` finds any of them.
Buffer perEdge(HostEmitter &host, Buffer values);

/// Stores `value` where `condition` holds; always where that is null.
void storeIf(Emitter &e, Value condition, Value value, Value address);

/// How edges and heads are shared out among a group. Numbers are powers of two.
struct EdgeSplit {
  int64_t lanes; // of the group
  int64_t heads; // of them side by side, on the same edge
  /// Whether no lane lies behind the last head.
  bool exact;

  int64_t edges() const { return lanes / heads; }
  static EdgeSplit of(const Knobs &knobs, const Extent &heads);
  /// Groups side by side, for the heads that one does not reach.
  Extent tiles(HostEmitter &host, const Extent &numHeads) const;
};

/// The edges and the head of the calling lane, in the body of a kernel.
class EdgeLanes {
public:
  /// `lane` is an i32 below `split.lanes`.
  EdgeLanes(KernelBuilder::Body &body, const EdgeSplit &split,
            const KernelBuilder::Param &numHeads, Value lane);

  Value head; // i64
  /// Whether the lane is the first of a real head, i1.
  Value isLeader();

  /// The results of `body` where the head is real, else `otherwise`.
  SmallVector<Value> ifHead(ValueRange otherwise,
                            function_ref<SmallVector<Value>()> body);

  /// Edges of a lane that are in flight together. The first is a real one.
  struct Items {
    SmallVector<Value> edges; // i64; those behind the end repeat the first
    /// Whether it is not behind the end; null where that is known.
    SmallVector<Value> active;
    /// `value` where edge `i` is real, else `otherwise`.
    Value keep(Emitter &e, size_t i, Value value, Value otherwise) const {
      return active[i] ? e.select(active[i], value, otherwise) : value;
    }
  };
  using Body =
      function_ref<SmallVector<Value>(const Items &, ValueRange carried)>;
  /// `body` for the lane's first `count` edges in [begin, end), i64 both;
  /// `otherwise` where it has none.
  SmallVector<Value> take(Value begin, Value end, int64_t count,
                          ValueRange otherwise, Body body);
  /// Folds the lane's edges in [begin, end), `unroll` of them in flight. No
  /// exchange between lanes in the body.
  SmallVector<Value> fold(Value begin, Value end, int64_t unroll,
                          ValueRange init, Body body);

private:
  Emitter &e;
  EdgeSplit split;
  Value isHead;   // i1, null where it always is one
  Value edgeLane; // i64
};

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_EDGES_H
