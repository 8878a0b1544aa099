//===- Partition.cpp - how a kernel's edges are shared out ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The families, and `row_parallel`, whose blocks are `grain` rows or more.
//
//===----------------------------------------------------------------------===//

#include "Partition.h"

namespace mlir::autosage::cpu {

std::unique_ptr<Partition> makePartition(const ::autosage::Schedule &schedule) {
  if (schedule.family == "row_parallel")
    return makeRowParallel(schedule);
  if (schedule.family == "nnz_parallel")
    return makeNnzParallel(schedule);
  return nullptr;
}

void forPiece(Emitter &e, const Piece &piece, function_ref<void()> cut,
              function_ref<void()> whole) {
  if (piece.cut)
    e.ifElse(piece.cut, cut, whole);
  else
    whole();
}

Value allocPartials(Emitter &e, const Partition &partition, Value heads,
                    Value features) {
  SmallVector<Value> sizes{partition.slots()};
  if (!sizes[0])
    return nullptr;
  if (heads)
    sizes.push_back(heads);
  sizes.push_back(features);
  return e.alloc(sizes, e.acc);
}

void storePartial(Emitter &e, Value partials, Value slot, Value head,
                  ArrayRef<Lanes> tile, ValueRange values) {
  for (auto [lanes, value] : llvm::zip_equal(tile, values))
    e.store(value, partials, rowIndices(slot, head), lanes);
}

//===----------------------------------------------------------------------===//
// row_parallel
//===----------------------------------------------------------------------===//

namespace {
/// Rows [lo, hi), each as one piece.
class RowBlock final : public Block {
public:
  RowBlock(Value rowptr, Value lo, Value hi) : rowptr(rowptr), lo(lo), hi(hi) {}

  void forPieces(Emitter &e,
                 function_ref<void(const Piece &)> body) const override {
    e.forLoop(lo, hi, 1, [&](Value row) {
      Value begin = e.loadIndex(rowptr, row);
      Value end = e.loadIndex(rowptr, e.addI(row, 1));
      body({row, begin, end, nullptr, nullptr});
    });
  }

private:
  Value rowptr, lo, hi;
};

class RowBlocks final : public Partition {
public:
  explicit RowBlocks(int64_t grain) : grain(grain) {}

  void begin(Emitter &e, Value rowptr, Value colind, Value width) override {
    this->rowptr = rowptr;
    rows = e.rowsOf(rowptr);
    // Blocks grow where there would be more of them than the work pays for; a
    // small problem is one block, which needs no other thread.
    Value most = e.iterationsWorthwhile(e.dim(colind, 0), rows, width);
    step = e.maxI(e.ceilDiv(rows, most), e.idx(grain));
  }

  void forBlocks(Emitter &e, function_ref<void(const Block &)> body) override {
    e.parallelFor(rows, step,
                  [&](Value lo, Value hi) { body(RowBlock(rowptr, lo, hi)); });
  }

private:
  int64_t grain;
  Value rowptr, rows, step;
};
} // namespace

std::unique_ptr<Partition>
makeRowParallel(const ::autosage::Schedule &schedule) {
  return std::make_unique<RowBlocks>(schedule.get("grain"));
}

} // namespace mlir::autosage::cpu
