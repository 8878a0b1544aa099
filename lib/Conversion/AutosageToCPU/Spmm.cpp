//===- Spmm.cpp - sparse times dense matrix product on the CPU ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SpMM. The transposed product first builds the transposed arrays
// and then runs the same loops: a gather has one writer for each output element
// where scattering would need atomics, which are not deterministic.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Partition.h"

using ::autosage::Reduction;

namespace mlir::autosage::cpu {

namespace {
class SpmmEmitter {
public:
  SpmmEmitter(Emitter &e, Value values, Value x, Value y, Reduction reduction,
              bool accumulate)
      : e(e), values(values), x(x), y(y), reduction(reduction),
        accumulate(accumulate) {}

  /// All of y. `perm` (may be null) maps edges to positions in `values`.
  void rows(Value rowptr, Value colind, Value perm, Knobs knobs,
            Partition &partition);

private:
  /// Where no edge has been seen.
  SmallVector<Value> identity(ArrayRef<Lanes> tile);
  /// Features `tile` of the edges [begin, end) and a head.
  SmallVector<Value> reduceEdges(ArrayRef<Lanes> tile, Value head, Value begin,
                                 Value end);
  Value combine(Value weight, Value element, Value sum);
  /// Writes features `tile` of a row with `degree` edges.
  void finish(ArrayRef<Lanes> tile, Value row, Value head, Value degree,
              ValueRange sums);

  Emitter &e;
  EdgeScalars values;
  Value x, y;
  Reduction reduction;
  bool accumulate;
  Knobs knobs{1, 1};
  std::optional<EdgeColumns> columns;
  Value perm;
};
} // namespace

Value SpmmEmitter::combine(Value weight, Value element, Value sum) {
  switch (reduction) {
  case Reduction::sum:
  case Reduction::mean:
    return weight ? e.fma(weight, element, sum) : e.add(sum, element);
  case Reduction::max:
    return e.maxF(sum, weight ? e.mul(weight, element) : element);
  case Reduction::min:
    return e.minF(sum, weight ? e.mul(weight, element) : element);
  }
  llvm_unreachable("unknown reduction");
}

SmallVector<Value> SpmmEmitter::identity(ArrayRef<Lanes> tile) {
  double inf = std::numeric_limits<double>::infinity();
  double value = reduction == Reduction::max   ? -inf
                 : reduction == Reduction::min ? inf
                                               : 0.0;
  return llvm::map_to_vector(tile, [&](const Lanes &lanes) -> Value {
    return e.splat(value, lanes.width);
  });
}

SmallVector<Value> SpmmEmitter::reduceEdges(ArrayRef<Lanes> tile, Value head,
                                            Value begin, Value end) {
  return e.forEdges(
      begin, end, knobs.unroll, identity(tile),
      [&](ArrayRef<Value> edges, ValueRange carried) {
        SmallVector<Value> sums(carried);
        for (Value edge : edges) {
          Value col = columns->load(e, edge);
          Value weight;
          if (values)
            weight = values.load(e, perm ? e.loadIndex(perm, edge) : edge);
          columns->prefetch(e, edge, x, head, tile);
          SmallVector<Value> outer = rowIndices(col, head);
          // The weight in all lanes, made anew when the width changes.
          Value spread;
          for (auto [i, lanes] : llvm::enumerate(tile)) {
            if (weight && (i == 0 || lanes.width != tile[i - 1].width))
              spread = e.broadcast(weight, lanes.width);
            sums[i] = combine(spread, e.load(x, outer, lanes), sums[i]);
          }
        }
        return sums;
      });
}

void SpmmEmitter::finish(ArrayRef<Lanes> tile, Value row, Value head,
                         Value degree, ValueRange sums) {
  Value empty, count;
  if (reduction == Reduction::mean)
    // At least 1, so that an empty row gives 0 / 1.
    count = e.indexToFloat(e.maxI(degree, e.idx(1)));
  else if (reduction != Reduction::sum)
    empty = e.cmpI(arith::CmpIPredicate::eq, degree, e.idx(0));
  for (auto [lanes, value] : llvm::zip_equal(tile, sums)) {
    Value sum = value;
    if (count)
      sum = e.div(sum, e.broadcast(count, lanes.width));
    if (empty)
      sum = e.select(empty, e.splat(0.0, lanes.width), sum);
    SmallVector<Value> outer = rowIndices(row, head);
    if (accumulate)
      sum = e.add(e.load(y, outer, lanes), sum);
    e.store(sum, y, outer, lanes);
  }
}

void SpmmEmitter::rows(Value rowptr, Value colind, Value perm, Knobs knobs,
                       Partition &partition) {
  columns.emplace(e, colind, knobs.prefetch);
  this->perm = perm;
  this->knobs = knobs = adjustKnobs(knobs, {x, y});
  auto yType = cast<MemRefType>(y.getType());
  int64_t last = yType.getRank() - 1;
  // x and y agree in the last dimensions, but one of them may know more.
  auto sizeOf = [&](int64_t dimension) {
    return e.dim(yType.isDynamicDim(dimension) ? x : y, dimension);
  };
  Value heads = last == 2 ? sizeOf(1) : nullptr;
  Value features = sizeOf(last);

  partition.begin(e, rowptr, colind,
                  heads ? e.mulI(heads, features) : features);
  Value partials = allocPartials(e, partition, heads, features);
  partition.forBlocks(e, [&](const Block &block) {
    FeatureSplit split(e, features, knobs);
    block.forPieces(e, [&](const Piece &piece) {
      e.forHeads(heads, [&](Value head) {
        values.setHead(e, head);
        split.forTiles([&](ArrayRef<Lanes> tile) {
          SmallVector<Value> sums =
              reduceEdges(tile, head, piece.begin, piece.end);
          forPiece(
              e, piece,
              [&] { storePartial(e, partials, piece.slot, head, tile, sums); },
              [&] {
                finish(tile, piece.row, head, e.subI(piece.end, piece.begin),
                       sums);
              });
        });
      });
    });
  });
  partition.forCutRows(e, [&](const CutRow &row) {
    FeatureSplit split(e, features, knobs);
    e.forHeads(heads, [&](Value head) {
      split.forTiles([&](ArrayRef<Lanes> tile) {
        SmallVector<Value> sums = row.foldSlots(
            e, identity(tile), [&](Value slot, ValueRange carried) {
              SmallVector<Value> next;
              for (auto [lanes, sum] : llvm::zip_equal(tile, carried))
                next.push_back(combine(
                    nullptr, e.load(partials, rowIndices(slot, head), lanes),
                    sum));
              return next;
            });
        finish(tile, row.row, head, row.degree, sums);
      });
    });
  });
  if (partials)
    e.dealloc(partials);
  partition.end(e);
}

void emitSpmm(OpBuilder &builder, Location loc, CsrOperands csr, Value values,
              Value x, Value y, Reduction reduction, bool transpose,
              bool accumulate, Knobs knobs, Partition &partition) {
  Emitter e(builder, loc, accumulatorType({x, y}));
  SpmmEmitter emitter(e, values, x, y, reduction, accumulate);
  if (!transpose) {
    emitter.rows(csr.rowptr, csr.colind, nullptr, knobs, partition);
    return;
  }

  // Positions fit the position type. Row numbers need not fit the coordinate
  // type, which was chosen for columns: they are kept as index.
  Type position = cast<MemRefType>(csr.rowptr.getType()).getElementType();
  Value nnz = e.dim(csr.colind, 0);
  Value rowptr = e.alloc(e.addI(csr.numCols, 1), position);
  Value colind = e.alloc(nnz, builder.getIndexType());
  Value perm = values ? e.alloc(nnz, position) : nullptr;
  emitBuildTranspose(builder, loc, csr.rowptr, csr.colind, csr.numCols, rowptr,
                     colind, perm);
  emitter.rows(rowptr, colind, perm, knobs, partition);
  for (Value array : {rowptr, colind, perm})
    if (array)
      e.dealloc(array);
}

} // namespace mlir::autosage::cpu
