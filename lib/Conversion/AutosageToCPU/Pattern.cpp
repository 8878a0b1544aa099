//===- Pattern.cpp - transposed patterns and task lists on the CPU --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sequential counting sorts over the arrays of a pattern. Both are stable, so
// that what is computed from their results has one fixed order of summation.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using ::autosage::TaskOrder;

namespace mlir::autosage::cpu {

/// These kernels hold no floating-point values; the accumulator is not used.
static Emitter indexEmitter(OpBuilder &builder, Location loc) {
  return Emitter(builder, loc, builder.getF32Type());
}

/// array[at] += by; returns the old value.
static Value bump(Emitter &e, Value array, Value at, Value by) {
  Value old = e.loadIndex(array, at);
  e.storeIndex(e.addI(old, by), array, at);
  return old;
}

static void fillZero(Emitter &e, Value array, Value size) {
  e.forLoop(e.idx(0), size, 1,
            [&](Value i) { e.storeIndex(e.idx(0), array, i); });
}

void emitBuildTranspose(OpBuilder &builder, Location loc, Value rowptr,
                        Value colind, Value numCols, Value outRowptr,
                        Value outColind, Value outPerm) {
  Emitter e = indexEmitter(builder, loc);
  Value zero = e.idx(0), one = e.idx(1);
  Value nnz = e.dim(colind, 0);

  // Degrees, one place up: after the running sum, place c holds where column
  // c starts, and filling moves it to where c + 1 starts. A last shift by one
  // place restores the starts, so that no second array of cursors is needed.
  fillZero(e, outRowptr, e.addI(numCols, 1));
  e.forLoop(zero, nnz, 1, [&](Value edge) {
    bump(e, outRowptr, e.addI(e.loadIndex(colind, edge), 1), one);
  });
  e.forLoop(zero, numCols, 1, zero, [&](Value col, ValueRange sum) {
    Value next = e.addI(col, 1);
    Value total = e.addI(sum[0], e.loadIndex(outRowptr, next));
    e.storeIndex(total, outRowptr, next);
    return SmallVector<Value>{total};
  });
  e.forLoop(zero, e.rowsOf(rowptr), 1, [&](Value row) {
    Value begin = e.loadIndex(rowptr, row);
    Value end = e.loadIndex(rowptr, e.addI(row, 1));
    e.forLoop(begin, end, 1, [&](Value edge) {
      Value place = bump(e, outRowptr, e.loadIndex(colind, edge), one);
      e.storeIndex(row, outColind, place);
      if (outPerm)
        e.storeIndex(edge, outPerm, place);
    });
  });
  e.forLoop(zero, numCols, 1, zero, [&](Value col, ValueRange start) {
    Value end = e.loadIndex(outRowptr, col);
    e.storeIndex(start[0], outRowptr, col);
    return SmallVector<Value>{end};
  });
}

//===----------------------------------------------------------------------===//
// Task lists
//===----------------------------------------------------------------------===//

namespace {
/// A row cut into pieces.
struct Cut {
  Value begin, end;
  Value pieces; // 1 for a row that stays whole
  Value whole;  // whether it does
};
} // namespace

/// The longest row that stays whole: L > 1.5 x chunk, in integers.
static int64_t longestWhole(int64_t chunk) { return chunk + chunk / 2; }

/// Keeps sums of chunks in 64 bits; no row is as long.
static int64_t clampChunk(int64_t chunk) {
  return std::min(chunk, int64_t(1) << 60);
}

static Cut emitCut(Emitter &e, Value rowptr, Value row, int64_t chunk) {
  Cut cut;
  cut.begin = e.loadIndex(rowptr, row);
  cut.end = e.loadIndex(rowptr, e.addI(row, 1));
  Value length = e.subI(cut.end, cut.begin);
  cut.whole =
      e.cmpI(arith::CmpIPredicate::sle, length, e.idx(longestWhole(chunk)));
  Value many = arith::DivUIOp::create(e.b, e.loc, e.addI(length, chunk - 1),
                                      e.idx(chunk));
  cut.pieces = e.select(cut.whole, e.idx(1), many);
  return cut;
}

Value emitCountTasks(OpBuilder &builder, Location loc, Value rowptr,
                     int64_t chunk) {
  chunk = clampChunk(chunk);
  Emitter e = indexEmitter(builder, loc);
  Value zero = e.idx(0);
  return e.forLoop(zero, e.rowsOf(rowptr), 1, zero,
                   [&](Value row, ValueRange count) {
                     Cut cut = emitCut(e, rowptr, row, chunk);
                     return SmallVector<Value>{e.addI(count[0], cut.pieces)};
                   })[0];
}

/// Calls `body` for each task in the order of rows; `number` counts them.
static void forTasks(Emitter &e, Value rowptr, int64_t chunk,
                     function_ref<void(Value number, Value row, Value begin,
                                       Value end, Value split)>
                         body) {
  Value zero = e.idx(0);
  e.forLoop(zero, e.rowsOf(rowptr), 1, zero, [&](Value row, ValueRange first) {
    Cut cut = emitCut(e, rowptr, row, chunk);
    e.forLoop(zero, cut.pieces, 1, [&](Value piece) {
      Value offset = arith::MulIOp::create(e.b, e.loc, piece, e.idx(chunk));
      Value begin = e.addI(cut.begin, offset);
      Value end =
          e.select(cut.whole, cut.end, e.minI(e.addI(begin, chunk), cut.end));
      Value split = e.select(cut.whole, zero, e.addI(piece, 1));
      body(e.addI(first[0], piece), row, begin, end, split);
    });
    return SmallVector<Value>{e.addI(first[0], cut.pieces)};
  });
}

LogicalResult emitBuildTasks(OpBuilder &builder, Location loc, Value rowptr,
                             int64_t chunk, TaskOrder order, Value tasks) {
  if (order == TaskOrder::locality)
    return failure();
  chunk = clampChunk(chunk);
  Emitter e = indexEmitter(builder, loc);
  auto write = [&](Value place, Value row, Value begin, Value end,
                   Value split) {
    const Value fields[] = {row, begin, end, split};
    for (auto [i, field] : llvm::enumerate(fields))
      e.storeIndex(field, tasks, {place, e.idx(i)});
  };
  if (order == TaskOrder::stored) {
    forTasks(e, rowptr, chunk, write);
    return success();
  }

  // Slot s holds where the tasks of length `longest - s` go next, so that slots
  // rise as lengths fall.
  Value zero = e.idx(0);
  Value longest = e.minI(e.idx(longestWhole(chunk)),
                         e.largestDegree(rowptr, zero, e.rowsOf(rowptr)));
  Value size = e.addI(longest, 1);
  Value slots = memref::AllocOp::create(
      builder, loc,
      MemRefType::get({ShapedType::kDynamic}, builder.getIndexType()),
      ValueRange{size});
  auto slotOf = [&](Value begin, Value end) {
    return e.subI(longest, e.subI(end, begin));
  };
  fillZero(e, slots, size);
  forTasks(e, rowptr, chunk, [&](Value, Value, Value begin, Value end, Value) {
    bump(e, slots, slotOf(begin, end), e.idx(1));
  });
  e.forLoop(zero, size, 1, zero, [&](Value slot, ValueRange start) {
    Value count = e.loadIndex(slots, slot);
    e.storeIndex(start[0], slots, slot);
    return SmallVector<Value>{e.addI(start[0], count)};
  });
  forTasks(e, rowptr, chunk,
           [&](Value, Value row, Value begin, Value end, Value split) {
             Value place = bump(e, slots, slotOf(begin, end), e.idx(1));
             write(place, row, begin, end, split);
           });
  memref::DeallocOp::create(builder, loc, slots);
  return success();
}

} // namespace mlir::autosage::cpu
