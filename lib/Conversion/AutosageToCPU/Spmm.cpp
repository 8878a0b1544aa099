//===- Spmm.cpp - sparse times dense matrix product on the CPU ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row-parallel SpMM. The transposed product first builds the transposed arrays
// and then runs the same loops: a gather has one writer for each output element
// where scattering would need atomics, which are not deterministic.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

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
  void rows(Value rowptr, Value colind, Value perm, Knobs knobs);

private:
  /// Features `tile` of one row and head.
  void tile(ArrayRef<Lanes> tile, Value row, Value head, Value begin,
            Value end);
  Value combine(Value weight, Value element, Value sum);

  Emitter &e;
  EdgeScalars values;
  Value x, y;
  Reduction reduction;
  bool accumulate;
  Value colind, perm;
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

void SpmmEmitter::tile(ArrayRef<Lanes> tile, Value row, Value head, Value begin,
                       Value end) {
  double inf = std::numeric_limits<double>::infinity();
  double identity = reduction == Reduction::max   ? -inf
                    : reduction == Reduction::min ? inf
                                                  : 0.0;
  SmallVector<Value> init;
  for (const Lanes &lanes : tile)
    init.push_back(e.splat(identity, lanes.width));

  SmallVector<Value> sums =
      e.forLoop(begin, end, 1, init, [&](Value edge, ValueRange carried) {
        Value col = e.loadIndex(colind, edge);
        Value weight;
        if (values)
          weight = values.load(e, perm ? e.loadIndex(perm, edge) : edge);
        SmallVector<Value> outer = rowIndices(col, head);
        SmallVector<Value> next;
        Value
            spread; // the weight in all lanes, made anew when the width changes
        for (auto [i, lanes] : llvm::enumerate(tile)) {
          if (weight && (i == 0 || lanes.width != tile[i - 1].width))
            spread = e.broadcast(weight, lanes.width);
          next.push_back(combine(spread, e.load(x, outer, lanes), carried[i]));
        }
        return next;
      });

  Value empty, count;
  if (reduction == Reduction::mean)
    // At least 1, so that an empty row gives 0 / 1.
    count = e.indexToFloat(e.maxI(e.subI(end, begin), e.idx(1)));
  else if (reduction != Reduction::sum)
    empty = e.cmpI(arith::CmpIPredicate::eq, begin, end);
  for (auto [lanes, sum] : llvm::zip_equal(tile, sums)) {
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

void SpmmEmitter::rows(Value rowptr, Value colind, Value perm, Knobs knobs) {
  this->colind = colind;
  this->perm = perm;
  knobs = adjustKnobs(knobs, {x, y});
  auto yType = cast<MemRefType>(y.getType());
  int64_t last = yType.getRank() - 1;
  // x and y agree in the last dimensions, but one of them may know more.
  auto sizeOf = [&](int64_t dimension) {
    return e.dim(yType.isDynamicDim(dimension) ? x : y, dimension);
  };
  Value heads = last == 2 ? sizeOf(1) : nullptr;
  Value features = sizeOf(last);

  Value width = heads ? e.mulI(heads, features) : features;
  e.parallelRows(rowptr, colind, width, knobs.grain, [&](Value lo, Value hi) {
    FeatureSplit split(e, features, knobs);
    e.forLoop(lo, hi, 1, [&](Value row) {
      Value begin = e.loadIndex(rowptr, row);
      Value end = e.loadIndex(rowptr, e.addI(row, 1));
      e.forHeads(heads, [&](Value head) {
        values.setHead(e, head);
        split.forTiles(
            [&](ArrayRef<Lanes> lanes) { tile(lanes, row, head, begin, end); });
      });
    });
  });
}

void emitSpmm(OpBuilder &builder, Location loc, CsrOperands csr, Value values,
              Value x, Value y, Reduction reduction, bool transpose,
              bool accumulate, Knobs knobs) {
  Emitter e(builder, loc, accumulatorType({x, y}));
  SpmmEmitter emitter(e, values, x, y, reduction, accumulate);
  if (!transpose) {
    emitter.rows(csr.rowptr, csr.colind, nullptr, knobs);
    return;
  }

  // Positions fit the position type. Row numbers need not fit the coordinate
  // type, which was chosen for columns: they are kept as index.
  Type position = cast<MemRefType>(csr.rowptr.getType()).getElementType();
  auto alloc = [&](Value size, Type element) -> Value {
    auto type = MemRefType::get({ShapedType::kDynamic}, element);
    return memref::AllocOp::create(builder, loc, type, ValueRange{size});
  };
  Value nnz = e.dim(csr.colind, 0);
  Value rowptr = alloc(e.addI(csr.numCols, 1), position);
  Value colind = alloc(nnz, builder.getIndexType());
  Value perm = values ? alloc(nnz, position) : nullptr;
  emitBuildTranspose(builder, loc, csr.rowptr, csr.colind, csr.numCols, rowptr,
                     colind, perm);
  emitter.rows(rowptr, colind, perm, knobs);
  for (Value array : {rowptr, colind, perm})
    if (array)
      memref::DeallocOp::create(builder, loc, array);
}

} // namespace mlir::autosage::cpu
