//===- Rows.h - how rows are shared out among threads -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule family decides: the pieces of rows that groups of lanes take.
// `row_group` hands out rows as they are; `row_tasks` the lines of a task list,
// in which a long row is several. Kernels see pieces and need not know more,
// except where the pieces of a row have to be merged.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_ROWS_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_ROWS_H

#include "Columns.h"

namespace mlir::autosage::device {

/// The arrays of a CSR pattern on the host: contiguous memrefs of i32, i64 or
/// index. `tasks` may be null; else it was made with `chunk`.
struct Csr {
  Value rowptr, colind, tasks;
  Value numCols; // index
  int64_t chunk = 0;
};

/// The number of rows of a pattern.
Extent numRowsOf(HostEmitter &host, const Csr &csr);

/// In the body of a kernel.
struct Piece {
  Value row;        // i64
  Value begin, end; // edges, of the position type
  Value split;      // i64: 0 for a whole row, else 1, 2, ...; null: all whole
};

class Rows {
public:
  /// Makes the task list where the schedule wants one that is not there.
  /// `rows` is the number of rows.
  Rows(HostEmitter &host, const Csr &csr, Extent rows,
       const ::autosage::Schedule &schedule);
  /// Frees what the constructor made.
  void end();

  /// What kernels with vectors need to be aligned, besides their operands.
  Value isAligned();
  const Buffer &rowptr() const { return rowptrBuffer; }
  const Buffer &colind() const { return colindBuffer; }
  Extent count() const { return rows; }
  Extent numEdges() const { return colindBuffer.sizes[0]; }
  /// Whether rows may be cut.
  bool mayCut() const { return static_cast<bool>(tasks); }
  int64_t getChunk() const { return chunk; }
  /// i1 on the host: whether some row is cut.
  Value anyCut();
  /// Device memory for pieces of cut rows, slots x outer x inner; none where no
  /// row is cut. Places are those of `slot`.
  Buffer allocSlots(const Extent &outer, const Extent &inner, Type element);

  /// Declares the parameters that `launch` needs.
  void declare(KernelBuilder &kernel, bool aligned);
  /// Launches a kernel with one group of `lanes` for each piece.
  void
  launch(KernelBuilder &kernel, const Knobs &knobs, int64_t lanes,
         Extent blocksY,
         function_ref<void(KernelBuilder::Body &, const Piece &, Value lane)>
             body);
  /// The place of a piece of a cut row among all such pieces; i64. Places of a
  /// row follow each other. `begin` is that of the piece, `split` its number.
  Value slot(Emitter &e, Value begin, Value split) const;

  /// Launches a kernel with one block for every 256 rows, which calls `body`
  /// for each cut row with all threads of the block together. Called after
  /// `declare`.
  struct CutRow {
    Value row;               // i64
    Value length;            // i64, edges
    Value firstSlot, pieces; // i64
  };
  void launchCutRows(
      KernelBuilder &kernel, Extent blocksY,
      function_ref<void(KernelBuilder::Body &, const CutRow &, Value thread)>
          body);
  static constexpr int64_t kMergeThreads = 256;

private:
  HostEmitter &host;
  Buffer rowptrBuffer, colindBuffer, tasks;
  Value ownTasks;
  Extent rows;
  int64_t chunk = 0;
  KernelBuilder::Param rowsParam;
  KernelBuilder::View rowptrView, tasksView;
};

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_ROWS_H
