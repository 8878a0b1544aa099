//===- NnzParallel.cpp - blocks of equal numbers of edges -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The family `nnz_parallel`. Edges and ends of rows form one sequence, which is
// cut into parts of equal length (merge-path, Merrill and Garland, SC 2016):
// counting ends too spreads runs of empty rows, which also have outputs. Only
// long rows are cut: a part that would begin inside of a short one begins at
// the start of that row, so that few rows need merging.
//
//===----------------------------------------------------------------------===//

#include "Partition.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::autosage::cpu {

/// Derived numbers of parts are at most this, which leaves a part in a hundred
/// threads a tenth of a thread's work.
static constexpr int64_t kMostParts = 1024;
/// A row is short, and stays whole, up to this fraction of a part.
static constexpr int64_t kShortRowsPerPart = 8;

namespace {
/// A place in the sequence: rows before `row` are complete, and so are the
/// edges before `edge`, which may be some of `row` but not all.
struct Place {
  Value row, edge;
};

class Parts final : public Partition {
public:
  explicit Parts(int64_t parts) : written(parts) {}

  void begin(Emitter &e, Value rowptr, Value colind, Value width) override;
  void forBlocks(Emitter &e, function_ref<void(const Block &)> body) override;
  Value slots() const override { return slotCount; }
  void forCutRows(Emitter &e, function_ref<void(const CutRow &)> body) override;
  void end(Emitter &e) override { e.dealloc(places); }

private:
  Place find(Emitter &e, Value part);
  Place stored(Emitter &e, Value part);

  int64_t written; // the knob; 0: derived
  Value rowptr, rows, width;
  Value parts, length; // number of parts, places in each
  Value items;         // edges and ends of rows
  Value slotCount;
  Value places; // parts + 1 starts, as {row, edge}
};

/// From `from` to `to`. A cut row is the first or the last of its part. A piece
/// whose row goes on in the next part has slot 2 * part, one that ends a row
/// slot 2 * part + 1; of each there is at most one.
class PartBlock final : public Block {
public:
  PartBlock(Emitter &e, Value rowptr, Value part, Place from, Place to)
      : rowptr(rowptr), part(part), from(from), to(to) {
    Value goesOn =
        e.cmpI(arith::CmpIPredicate::sgt, to.edge, e.loadIndex(rowptr, to.row));
    rowsEnd = e.select(goesOn, e.addI(to.row, 1), to.row);
  }

  void forPieces(Emitter &e,
                 function_ref<void(const Piece &)> body) const override {
    e.forLoop(from.row, rowsEnd, 1, [&](Value row) { body(pieceOf(e, row)); });
  }

  void forCutPieces(Emitter &e,
                    function_ref<void(const Piece &)> body) const override {
    // The first row and the last, which may be the same.
    Value distance = e.maxI(e.subI(e.addI(rowsEnd, -1), from.row), e.idx(1));
    e.forLoop(from.row, rowsEnd, distance, [&](Value row) {
      Piece piece = pieceOf(e, row);
      e.ifThen(piece.cut, [&] { body(piece); });
    });
  }

private:
  Piece pieceOf(Emitter &e, Value row) const {
    Value begin = e.loadIndex(rowptr, row);
    Value end = e.loadIndex(rowptr, e.addI(row, 1));
    Value startsBefore = e.cmpI(arith::CmpIPredicate::sgt, from.edge, begin);
    Value goesOn = e.cmpI(arith::CmpIPredicate::slt, to.edge, end);
    Value cut = arith::OrIOp::create(e.b, e.loc, startsBefore, goesOn);
    Value slot =
        e.addI(e.addI(part, part), e.select(goesOn, e.idx(0), e.idx(1)));
    return {row, e.maxI(begin, from.edge), e.minI(end, to.edge), cut, slot};
  }

  Value rowptr, part;
  Place from, to;
  Value rowsEnd;
};
} // namespace

void Parts::begin(Emitter &e, Value rowptr, Value colind, Value width) {
  this->rowptr = rowptr;
  this->width = width;
  rows = e.rowsOf(rowptr);
  Value edges = e.dim(colind, 0);
  items = e.addI(edges, rows);
  parts = written ? e.idx(written)
                  : e.minI(e.iterationsWorthwhile(edges, rows, width),
                           e.idx(kMostParts));
  length = e.maxI(e.ceilDiv(items, parts), e.idx(1));
  slotCount = e.addI(parts, parts);
  places = e.alloc({e.addI(parts, 1), e.idx(2)}, e.b.getIndexType());
}

Place Parts::find(Emitter &e, Value part) {
  Value target = e.minI(e.mulI(part, length), items);
  // The number of rows whose end lies before the target, by bisection.
  auto loop = scf::WhileOp::create(
      e.b, e.loc, TypeRange{e.b.getIndexType(), e.b.getIndexType()},
      ValueRange{e.idx(0), rows},
      [&](OpBuilder &, Location, ValueRange range) {
        Value some = e.cmpI(arith::CmpIPredicate::slt, range[0], range[1]);
        scf::ConditionOp::create(e.b, e.loc, some, range);
      },
      [&](OpBuilder &, Location, ValueRange range) {
        Value middle = e.floorDiv(e.addI(range[0], range[1]), e.idx(2));
        Value next = e.addI(middle, 1);
        Value behindEnd = e.addI(e.loadIndex(rowptr, next), next);
        Value before = e.cmpI(arith::CmpIPredicate::sle, behindEnd, target);
        scf::YieldOp::create(e.b, e.loc,
                             ValueRange{e.select(before, next, range[0]),
                                        e.select(before, range[1], middle)});
      });
  Value row = loop.getResult(0);
  // At the end of the pattern the next position is that of the row itself:
  // a row of no edges, which is short.
  Value begin = e.loadIndex(rowptr, row);
  Value end = e.loadIndex(rowptr, e.minI(e.addI(row, 1), rows));
  Value isShort =
      e.cmpI(arith::CmpIPredicate::sle,
             e.mulI(e.subI(end, begin), e.idx(kShortRowsPerPart)), length);
  Value edge = e.select(isShort, begin, e.subI(target, row));
  // Behind the last edge of a long row the row is complete, not cut.
  Value complete = e.cmpI(arith::CmpIPredicate::slt, begin, end);
  complete = arith::AndIOp::create(e.b, e.loc, complete,
                                   e.cmpI(arith::CmpIPredicate::eq, edge, end));
  return {e.select(complete, e.addI(row, 1), row), edge};
}

Place Parts::stored(Emitter &e, Value part) {
  return {e.loadIndex(places, {part, e.idx(0)}),
          e.loadIndex(places, {part, e.idx(1)})};
}

void Parts::forBlocks(Emitter &e, function_ref<void(const Block &)> body) {
  Value one = e.idx(1);
  e.parallelFor(parts, one, [&](Value part, Value next) {
    Place from = find(e, part), to = find(e, next);
    // Both parts at a place write the same there, but only one may.
    auto store = [&](Value number, Place place) {
      e.storeIndex(place.row, places, {number, e.idx(0)});
      e.storeIndex(place.edge, places, {number, e.idx(1)});
    };
    store(part, from);
    e.ifThen(e.cmpI(arith::CmpIPredicate::eq, next, parts),
             [&] { store(next, to); });
    body(PartBlock(e, rowptr, part, from, to));
  });
}

void Parts::forCutRows(Emitter &e, function_ref<void(const CutRow &)> body) {
  // A cut row belongs to the part that holds its end.
  Value most = e.iterationsWorthwhile(parts, parts, width);
  e.parallelFor(parts, e.ceilDiv(parts, most), [&](Value lo, Value hi) {
    e.forLoop(lo, hi, 1, [&](Value part) {
      Place from = stored(e, part), to = stored(e, e.addI(part, 1));
      Value begin = e.loadIndex(rowptr, from.row);
      e.ifThen(e.cmpI(arith::CmpIPredicate::sgt, from.edge, begin), [&] {
        Value end = e.loadIndex(rowptr, e.addI(from.row, 1));
        e.ifThen(e.cmpI(arith::CmpIPredicate::sle, end, to.edge), [&] {
          Value first = e.floorDiv(e.addI(begin, from.row), length);
          body({from.row, e.subI(end, begin), first, part});
        });
      });
    });
  });
}

SmallVector<Value> CutRow::foldSlots(Emitter &e, ValueRange init,
                                     Emitter::Body body) const {
  return e.forLoop(firstBlock, e.addI(lastBlock, 1), 1, init,
                   [&](Value block, ValueRange carried) {
                     Value isLast =
                         e.cmpI(arith::CmpIPredicate::eq, block, lastBlock);
                     Value slot = e.addI(e.addI(block, block),
                                         e.select(isLast, e.idx(1), e.idx(0)));
                     return body(slot, carried);
                   });
}

void CutRow::forSlots(Emitter &e, function_ref<void(Value)> body) const {
  foldSlots(e, {}, [&](Value slot, ValueRange) {
    body(slot);
    return SmallVector<Value>();
  });
}

std::unique_ptr<Partition>
makeNnzParallel(const ::autosage::Schedule &schedule) {
  return std::make_unique<Parts>(schedule.get("parts"));
}

} // namespace mlir::autosage::cpu
