//===- Spmm.cpp - sparse times dense matrix product on the GPU ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SpMM. A group of lanes walks the edges of a row with its columns of the
// result in registers, several rows of x in flight. Pieces of a row that was
// cut put their sums into a workspace; a second kernel merges these in a fixed
// order. The transposed product first builds the transposed arrays: a gather
// has one writer for each output element where scattering would need atomics,
// which are not deterministic.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <limits>

using ::autosage::Reduction;

namespace mlir::autosage::device {

namespace {
/// Everything that the kernels of one call have in common.
class SpmmEmitter {
public:
  SpmmEmitter(HostEmitter &host, KernelModule &kernels, Rows &rows,
              Buffer values, Buffer perm, Buffer x, Buffer y, Buffer lse,
              Reduction reduction, bool accumulate, Knobs knobs);

  /// Host code for all of y.
  void run();
  /// Host code for the cut rows of y, from the sums of their pieces.
  void mergeOnly(Buffer pieces);

private:
  using Body = KernelBuilder::Body;
  using View = KernelBuilder::View;

  /// Memory for pieces of cut rows, slots x heads x features.
  void useWorkspace(Buffer pieces);
  /// Kernels that assume vectors of `vec` columns.
  void launchAll(int64_t vec);
  void launchPieces(const Split &split);
  void launchMerge(const Split &split);

  /// The parameters of a kernel that writes y.
  struct Output {
    View y, lse;
    bool contiguous;
    Type element;
  };
  Output declareOutput(KernelBuilder &kernel, const Split &split);
  Extent tiles(const Split &split);

  Value identity(Emitter &e, int64_t vec);
  Value combine(Emitter &e, Value weight, Value element, Value sum);
  /// Writes vector `i` of a row with `length` edges (i64).
  void finish(Body &body, LaneColumns &lane, int64_t i, const Output &output,
              Value row, Value length, Value sum);
  void storeInside(Emitter &e, LaneColumns &lane, int64_t i,
                   function_ref<void()> store);

  HostEmitter &host;
  KernelModule &kernels;
  Rows &rows;
  Buffer values, perm, x, y;
  Buffer lse; // rows x heads or null: where -inf, y is 0 whatever x holds
  Reduction reduction;
  bool accumulate, perHead;
  Knobs knobs;
  Width width;
  FloatType acc;
  Buffer workspace; // slots x columns, of the accumulator's type; or null
};
} // namespace

SpmmEmitter::SpmmEmitter(HostEmitter &host, KernelModule &kernels, Rows &rows,
                         Buffer values, Buffer perm, Buffer x, Buffer y,
                         Buffer lse, Reduction reduction, bool accumulate,
                         Knobs knobs)
    : host(host), kernels(kernels), rows(rows), values(values), perm(perm),
      x(x), y(y), lse(lse), reduction(reduction), accumulate(accumulate),
      knobs(knobs), width(Width::of(host, x, y)),
      acc(accumulatorType(x.element)) {
  // With one value for all heads the stride between them counts for nothing.
  perHead = values && values.rank() == 2 && !values.sizes[1].is(1) &&
            !width.heads.is(1);
  if (perHead && !values.sizes[1].fixed) {
    Value isOne = host.isZero(host.addI(values.sizes[1].host, -1));
    this->values.strides[1] = {
        std::nullopt, host.select(isOne, host.i64(0), values.strides[1].host)};
  }
}

//===----------------------------------------------------------------------===//
// The reduction
//===----------------------------------------------------------------------===//

static std::string name(Reduction reduction) {
  return std::string(toString(reduction));
}

Value SpmmEmitter::identity(Emitter &e, int64_t vec) {
  double inf = std::numeric_limits<double>::infinity();
  double value = reduction == Reduction::max   ? -inf
                 : reduction == Reduction::min ? inf
                                               : 0.0;
  return e.constant(value, Emitter::columnsType(acc, vec));
}

Value SpmmEmitter::combine(Emitter &e, Value weight, Value element, Value sum) {
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

void SpmmEmitter::storeInside(Emitter &e, LaneColumns &lane, int64_t i,
                              function_ref<void()> store) {
  if (Value isInside = lane.isInside(i))
    e.ifThen(isInside, store);
  else
    store();
}

void SpmmEmitter::finish(Body &body, LaneColumns &lane, int64_t i,
                         const Output &output, Value row, Value length,
                         Value sum) {
  Emitter &e = body.e;
  int64_t vec = isa<VectorType>(sum.getType())
                    ? cast<VectorType>(sum.getType()).getNumElements()
                    : 1;
  if (reduction == Reduction::mean) {
    // At least 1, so that an empty row gives 0 / 1.
    Value count = e.toFloat(e.maxI(length, e.i64(1)), acc);
    sum = e.div(sum, e.spread(count, vec));
  } else if (reduction != Reduction::sum) {
    sum = e.select(e.isZero(length), e.constant(0.0, sum.getType()), sum);
  }
  storeInside(e, lane, i, [&] {
    if (const View &lse = output.lse) {
      Value log = e.load(body.at(lse, {row, lane.head(i)}), lse.element);
      double inf = std::numeric_limits<double>::infinity();
      Value isDead =
          e.cmpF(arith::CmpFPredicate::OEQ, log, e.constant(-inf, lse.element));
      sum = e.select(isDead, e.constant(0.0, sum.getType()), sum);
    }
    const View &y = output.y;
    Value base = lane.base(y, output.contiguous, i);
    Value address = e.at(base, y.element, body.offset(y, {row}));
    Value result = sum;
    if (accumulate) {
      Value old = e.load(address, y.element, vec, y.alignment);
      result = e.add(e.widen(old, acc), result);
    }
    e.store(e.narrow(result, y.element), address, y.alignment);
  });
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

SpmmEmitter::Output SpmmEmitter::declareOutput(KernelBuilder &kernel,
                                               const Split &split) {
  Output output;
  output.y = kernel.view(y, accumulate ? Access::readWrite : Access::write,
                         vectorAlignment(y.element, split.vec));
  output.lse = kernel.view(lse, Access::read);
  output.contiguous = isContiguousOverHeads(y);
  kernel.distinguish(name(reduction));
  kernel.distinguish("accumulate", accumulate);
  kernel.distinguish("contiguous", output.contiguous);
  kernel.distinguish("vec", split.vec);
  kernel.distinguish("vectors", split.vectors);
  return output;
}

Extent SpmmEmitter::tiles(const Split &split) {
  return host.tilesOf(width.columns, split.tile());
}

void SpmmEmitter::launchPieces(const Split &split) {
  KernelBuilder kernel(host, kernels, "spmm_" + name(reduction));
  rows.declare(kernel, split.vec > 1);
  WidthParams widthParams(kernel, width);
  View colind = kernel.view(rows.colind(), Access::read);
  View weights = kernel.view(values, Access::read);
  View permutation = kernel.view(perm, Access::read);
  View input =
      kernel.view(x, Access::read, vectorAlignment(x.element, split.vec));
  Output output = declareOutput(kernel, split);
  View partials =
      kernel.view(workspace, Access::write, vectorAlignment(acc, split.vec));
  bool contiguous = isContiguousOverHeads(x);
  kernel.distinguish("contiguous", contiguous);
  kernel.distinguish("per_head", perHead);
  kernel.distinguish("unroll", knobs.unroll);
  if (rows.mayCut())
    kernel.distinguish("chunk", rows.getChunk());

  rows.launch(
      kernel, knobs, split.lanes, tiles(split),
      [&](Body &body, const Piece &piece, Value laneNumber) {
        Emitter &e = body.e;
        LaneColumns lane(body, split, widthParams, laneNumber);
        SmallVector<Value> bases, weightBases, sums;
        for (int64_t i = 0; i < lane.size(); ++i) {
          bases.push_back(lane.base(input, contiguous, i));
          sums.push_back(identity(e, split.vec));
          if (weights && (i == 0 || perHead))
            weightBases.push_back(
                perHead ? body.at(weights, {e.i64(0), lane.head(i)})
                        : body.pointer(weights));
        }

        sums = e.foldEdges(
            piece.begin, piece.end, knobs.unroll, sums,
            [&](const Emitter::EdgeGroup &group, ValueRange carried) {
              // All loads of the group before the first use.
              SmallVector<Value> columns, places;
              for (Value edge : group.edges)
                columns.push_back(
                    e.load(body.at(colind, {e.toI64(edge)}), colind.element));
              for (Value edge : group.edges)
                places.push_back(
                    permutation ? e.load(body.at(permutation, {e.toI64(edge)}),
                                         permutation.element)
                                : edge);
              SmallVector<SmallVector<Value>> factors(group.edges.size());
              for (auto [edge, place] : llvm::enumerate(places))
                for (Value base : weightBases)
                  factors[edge].push_back(
                      e.load(e.at(base, weights.element,
                                  body.offset(weights, {e.toI64(place)})),
                             weights.element));
              SmallVector<SmallVector<Value>> elements(group.edges.size());
              for (auto [edge, column] : llvm::enumerate(columns)) {
                Value offset = body.offset(input, {e.toI64(column)});
                for (Value base : bases)
                  elements[edge].push_back(
                      e.load(e.at(base, input.element, offset), input.element,
                             split.vec, input.alignment));
              }
              SmallVector<Value> next = llvm::to_vector_of<Value>(carried);
              for (size_t edge = 0; edge < group.edges.size(); ++edge)
                for (auto [i, element] : llvm::enumerate(elements[edge])) {
                  Value weight;
                  if (weights)
                    weight =
                        e.spread(e.widen(factors[edge][perHead ? i : 0], acc),
                                 split.vec);
                  Value sum =
                      combine(e, weight, e.widen(element, acc), next[i]);
                  next[i] = group.keep(e, edge, sum, next[i]);
                }
              return next;
            });

        Value length = e.toI64(e.subI(piece.end, piece.begin));
        auto finishAll = [&] {
          for (int64_t i = 0; i < lane.size(); ++i)
            finish(body, lane, i, output, piece.row, length, sums[i]);
        };
        if (!piece.split)
          return finishAll();
        e.ifElse(e.isZero(piece.split), finishAll, [&] {
          Value slot = rows.slot(e, piece.begin, piece.split);
          for (int64_t i = 0; i < lane.size(); ++i)
            storeInside(e, lane, i, [&] {
              Value address = body.at(partials, {slot, lane.column(i)});
              e.store(sums[i], address, partials.alignment);
            });
        });
      });
}

/// Groups of a block sum up the pieces of a row between them, group g those
/// with number g, g + groups, ...; then the first group adds up what the groups
/// have, in their order.
void SpmmEmitter::launchMerge(const Split &split) {
  KernelBuilder kernel(host, kernels, "spmm_" + name(reduction) + "_merge");
  WidthParams widthParams(kernel, width);
  Output output = declareOutput(kernel, split);
  View partials =
      kernel.view(workspace, Access::read, vectorAlignment(acc, split.vec));
  kernel.distinguish("lanes", split.lanes);
  kernel.distinguish("exact", split.exact);
  int64_t groups = Rows::kMergeThreads / split.lanes;

  rows.launchCutRows(
      kernel, tiles(split),
      [&](Body &body, const Rows::CutRow &cut, Value thread) {
        Emitter &e = body.e;
        Value group = e.toI64(e.divI(thread, split.lanes));
        LaneColumns lane(body, split, widthParams, e.remI(thread, split.lanes));
        // One place a thread; groups lie `lanes` vectors apart.
        Type vectorType = Emitter::columnsType(acc, split.vec);
        Value exchange = body.shared(vectorType, Rows::kMergeThreads);
        int64_t alignment = vectorAlignment(acc, split.vec);
        for (int64_t i = 0; i < lane.size(); ++i) {
          Value sum = e.forLoop(
              group, cut.pieces, groups, identity(e, split.vec),
              [&](Value piece, ValueRange carried) -> SmallVector<Value> {
                Value slot = e.addI(cut.firstSlot, piece);
                Value partial =
                    e.load(body.at(partials, {slot, lane.column(i)}), acc,
                           split.vec, partials.alignment);
                return {combine(e, Value(), partial, carried[0])};
              })[0];
          e.store(sum, e.at(exchange, vectorType, e.toI64(thread)), alignment);
          e.barrier();
          e.ifThen(e.isZero(group), [&] {
            Value total = sum;
            // Groups without a piece hold the identity.
            for (int64_t other = 1; other < groups; ++other) {
              Value place = e.addI(e.toI64(thread), other * split.lanes);
              total = combine(e, Value(),
                              e.load(e.at(exchange, vectorType, place), acc,
                                     split.vec, alignment),
                              total);
            }
            finish(body, lane, i, output, cut.row, cut.length, total);
          });
          // Before the next vector or row overwrites what was exchanged.
          e.barrier();
        }
      });
}

//===----------------------------------------------------------------------===//
// The host side
//===----------------------------------------------------------------------===//

void SpmmEmitter::launchAll(int64_t vec) {
  Split split = Split::of(knobs, width, vec);
  launchPieces(split);
  if (rows.mayCut())
    host.ifThen(rows.anyCut(), [&] { launchMerge(split); });
}

void SpmmEmitter::run() {
  if (rows.mayCut())
    useWorkspace(rows.allocSlots(width.heads, width.features, acc));
  bool wholeHeads =
      perHead || !isContiguousOverHeads(x) || !isContiguousOverHeads(y);
  int64_t vec = vectorWidth(knobs, width, wholeHeads, {x, y});
  if (vec == 1) {
    launchAll(1);
  } else {
    Value fit = host.allOf(
        {vectorsFit(host, vec, width, wholeHeads, {x, y}), rows.isAligned()});
    host.choose(fit, [&] { launchAll(vec); }, [&] { launchAll(1); });
  }
  if (workspace)
    host.free(workspace.memref);
}

void SpmmEmitter::useWorkspace(Buffer pieces) {
  workspace = std::move(pieces);
  workspace.sizes = {workspace.sizes[0], width.columns};
  workspace.strides = {width.columns, host.fixed(1)};
}

void SpmmEmitter::mergeOnly(Buffer pieces) {
  useWorkspace(std::move(pieces));
  bool wholeHeads = !isContiguousOverHeads(y);
  int64_t vec = vectorWidth(knobs, width, wholeHeads, {y});
  auto launch = [&](int64_t vec) { launchMerge(Split::of(knobs, width, vec)); };
  if (vec == 1)
    return launch(1);
  host.choose(
      vectorsFit(host, vec, width, wholeHeads, {y}), [&] { launch(vec); },
      [&] { launch(1); });
}

void emitPieceSums(HostEmitter &host, KernelModule &kernels, Rows &rows,
                   Buffer pieces, Buffer y, const Knobs &knobs) {
  SpmmEmitter(host, kernels, rows, Buffer(), Buffer(), y, y, Buffer(),
              Reduction::sum, /*accumulate=*/false, knobs)
      .mergeOnly(std::move(pieces));
}

void emitWeightedSums(HostEmitter &host, KernelModule &kernels, Rows &rows,
                      Buffer weights, Buffer x, Buffer y, Buffer lse,
                      const Knobs &knobs) {
  SpmmEmitter(host, kernels, rows, weights, Buffer(), x, y, lse, Reduction::sum,
              /*accumulate=*/false, knobs)
      .run();
}

void emitSpmm(HostEmitter &host, KernelModule &kernels, const Csr &csr,
              Value values, Value x, Value y, Reduction reduction,
              bool transpose, bool accumulate,
              const ::autosage::Schedule &schedule) {
  auto emit = [&](const Csr &csr, Value perm, Extent numRows) {
    Rows rows(host, csr, numRows, schedule);
    SpmmEmitter(host, kernels, rows, host.buffer(values), host.buffer(perm),
                host.buffer(x), host.buffer(y), Buffer(), reduction, accumulate,
                Knobs::of(schedule))
        .run();
    rows.end();
  };
  Buffer rowptr = host.buffer(csr.rowptr);
  Extent numRows = numRowsOf(host, csr);
  if (!transpose)
    return emit(csr, Value(), numRows);

  // Numbers of rows fit the wider of the two index types.
  Buffer colind = host.buffer(csr.colind);
  Type position = rowptr.element;
  Type coordinate =
      sizeOf(position) > sizeOf(colind.element) ? position : colind.element;
  Extent numCols = host.extent(csr.numCols), nnz = colind.sizes[0];
  Value newRowptr = host.alloc(host.addI(numCols.host, 1), position);
  Value newColind = host.alloc(nnz.host, coordinate);
  Value perm = values ? host.alloc(nnz.host, position) : Value();
  Value none = perm ? host.pointer(host.buffer(perm))
                    : LLVM::ZeroOp::create(
                          host.b, host.loc,
                          LLVM::LLVMPointerType::get(host.b.getContext()));
  host.call("autosage_build_transpose", Type(),
            {host.pointer(rowptr), host.pointer(colind), numRows.host,
             numCols.host, nnz.host, host.i32(sizeOf(position)),
             host.i32(sizeOf(colind.element)), host.i32(sizeOf(coordinate)),
             host.pointer(host.buffer(newRowptr)),
             host.pointer(host.buffer(newColind)), none});
  Value rowsAsIndex = arith::IndexCastOp::create(
      host.b, host.loc, host.b.getIndexType(), numRows.host);
  emit({newRowptr, newColind, Value(), rowsAsIndex, 0}, perm, numCols);
  for (Value array : {newRowptr, newColind, perm})
    if (array)
      host.free(array);
}

} // namespace mlir::autosage::device
