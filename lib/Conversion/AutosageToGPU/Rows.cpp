//===- Rows.cpp - how rows are shared out among threads -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pieces of rows for the families row_group and row_tasks, and the walk over
// rows that row_tasks has cut.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::autosage::device {

static constexpr int64_t kTaskFields = 4;
/// Up to this length a row stays whole: 1.5 chunks (`autosage.build_tasks`).
static int64_t longestWhole(int64_t chunk) { return chunk + chunk / 2; }

static int64_t orderNumber(std::string_view word) {
  return static_cast<int64_t>(*::autosage::parseTaskOrder(word));
}

Extent numRowsOf(HostEmitter &host, const Csr &csr) {
  auto type = cast<MemRefType>(csr.rowptr.getType());
  if (!type.isDynamicDim(0))
    return host.fixed(type.getDimSize(0) - 1);
  Buffer rowptr = host.buffer(csr.rowptr);
  return {std::nullopt, host.addI(rowptr.sizes[0].host, -1)};
}

Rows::Rows(HostEmitter &host, const Csr &csr, Extent rows,
           const ::autosage::Schedule &schedule)
    : host(host), rowptrBuffer(host.buffer(csr.rowptr)),
      colindBuffer(host.buffer(csr.colind)), rows(rows) {
  if (schedule.family != "row_tasks")
    return;
  if (csr.tasks) {
    tasks = host.buffer(csr.tasks);
    chunk = csr.chunk;
    return;
  }
  chunk = schedule.get("chunk");
  Type position = rowptrBuffer.element, i64Type = host.b.getI64Type();
  Value positionBytes = host.i32(sizeOf(position));
  Value rowptr = host.pointer(rowptrBuffer);
  Value number = host.call("autosage_count_tasks", i64Type,
                           {rowptr, rows.host, positionBytes, host.i64(chunk)});
  Value size = arith::IndexCastOp::create(host.b, host.loc,
                                          host.b.getIndexType(), number);
  ownTasks = memref::AllocOp::create(
      host.b, host.loc,
      MemRefType::get({ShapedType::kDynamic, kTaskFields}, position), size);
  tasks = host.buffer(ownTasks);
  host.call("autosage_build_tasks", Type(),
            {rowptr, host.pointer(colindBuffer), rows.host, csr.numCols,
             colindBuffer.sizes[0].host, positionBytes,
             host.i32(sizeOf(colindBuffer.element)), host.i64(chunk),
             host.i32(orderNumber(schedule.getWord("order"))),
             host.pointer(tasks), number});
}

void Rows::end() {
  if (ownTasks)
    host.free(ownTasks);
}

Value Rows::isAligned() {
  // Device memory that was allocated for it is.
  return tasks && !ownTasks ? host.isAligned(tasks, 16) : Value();
}

Value Rows::anyCut() { return host.lessThan(rows.host, tasks.sizes[0].host); }

Buffer Rows::allocSlots(const Extent &outer, const Extent &inner,
                        Type element) {
  Value most = host.addI(host.divI(host.mulI(numEdges().host, 2), chunk), 1);
  Value slots = host.select(anyCut(), most, host.i64(0));
  Extent ofSlot = host.product(outer, inner);
  Buffer buffer =
      host.buffer(host.alloc(host.mulI(slots, ofSlot.host), element));
  buffer.sizes = {{std::nullopt, slots}, outer, inner};
  buffer.strides = {ofSlot, inner, host.fixed(1)};
  return buffer;
}

Value Rows::slot(Emitter &e, Value begin, Value split) const {
  // A cut row has more than 1.5 chunks, so between 2 / chunk times its begin
  // and that of the next there is room for all of its pieces.
  Value before = e.addI(split, -1);
  Value rowBegin = e.subI(e.toI64(begin), e.mulI(before, chunk));
  return e.addI(e.divI(e.mulI(rowBegin, 2), chunk), before);
}

void Rows::declare(KernelBuilder &kernel, bool aligned) {
  rowsParam = kernel.scalar(tasks ? tasks.sizes[0] : rows);
  kernel.distinguish(tasks ? "row_tasks" : "row_group");
  if (tasks)
    tasksView = kernel.view(tasks, Access::read, aligned ? 16 : 0);
  else
    rowptrView = kernel.view(rowptrBuffer, Access::read);
}

void Rows::launch(
    KernelBuilder &kernel, const Knobs &knobs, int64_t lanes, Extent blocksY,
    function_ref<void(KernelBuilder::Body &, const Piece &, Value)> emitBody) {
  int64_t groups = knobs.threads / lanes;
  kernel.distinguish("lanes", lanes);
  Geometry geometry;
  Extent number = tasks ? tasks.sizes[0] : rows;
  geometry.blocksX = host.ceilDiv(number.host, host.i64(groups));
  geometry.blocksY = blocksY;
  geometry.threads = knobs.threads;
  geometry.minBlocks = knobs.minBlocks;
  kernel.launch(geometry, [&](KernelBuilder::Body &body) {
    Emitter &e = body.e;
    Value thread = e.threadX();
    Value lane = e.remI(thread, lanes);
    Value item =
        e.addI(e.mulI(body.blockX, groups), e.toI64(e.divI(thread, lanes)));
    e.ifThen(e.lessThan(item, body(rowsParam)), [&] {
      Piece piece;
      if (!tasks) {
        Value begin = body.at(rowptrView, {item});
        Value end = e.at(begin, rowptrView.element, e.i64(1));
        piece = {item, e.load(begin, rowptrView.element),
                 e.load(end, rowptrView.element), Value()};
      } else {
        Value task = e.load(body.at(tasksView, {item}), tasksView.element,
                            kTaskFields, tasksView.alignment);
        auto field = [&](int64_t i) -> Value {
          return vector::ExtractOp::create(e.b, e.loc, task, i);
        };
        piece = {e.toI64(field(0)), field(1), field(2), e.toI64(field(3))};
      }
      emitBody(body, piece, lane);
    });
  });
}

void Rows::launchCutRows(
    KernelBuilder &kernel, Extent blocksY,
    function_ref<void(KernelBuilder::Body &, const CutRow &, Value)> emitBody) {
  constexpr int64_t warps = kMergeThreads / kWarp;
  KernelBuilder::Param numRows = kernel.scalar(rows);
  KernelBuilder::View positions = kernel.view(rowptrBuffer, Access::read);
  kernel.distinguish("chunk", chunk);
  Geometry geometry;
  geometry.blocksX = host.ceilDiv(rows.host, host.i64(kMergeThreads));
  geometry.blocksY = blocksY;
  geometry.threads = kMergeThreads;
  kernel.launch(geometry, [&](KernelBuilder::Body &body) {
    Emitter &e = body.e;
    Type i32Type = e.b.getI32Type();
    Value thread = e.threadX();
    Value firstRow = e.mulI(body.blockX, kMergeThreads);
    auto rowLength = [&](Value row) {
      Value begin = body.at(positions, {row});
      Value end = e.at(begin, positions.element, e.i64(1));
      Value from = e.toI64(e.load(begin, positions.element));
      Value length = e.subI(e.toI64(e.load(end, positions.element)), from);
      return std::make_pair(from, length);
    };
    // Each thread looks at one row; a word of bits a warp tells all of them
    // which are cut.
    Value row = e.addI(firstRow, e.toI64(thread));
    Value isCut =
        e.ifThen(e.lessThan(row, body(numRows)), e.integer(0, e.b.getI1Type()),
                 [&]() -> SmallVector<Value> {
                   return {e.lessThan(e.i64(longestWhole(chunk)),
                                      rowLength(row).second)};
                 })[0];
    Value votes = e.ballot(isCut);
    Value words = body.shared(i32Type, warps);
    Value warp = e.divI(thread, kWarp);
    e.ifThen(e.isZero(e.remI(thread, kWarp)),
             [&] { e.store(votes, e.at(words, i32Type, warp)); });
    e.barrier();
    e.forLoop(e.i32(0), e.i32(warps), 1, [&](Value word) {
      Value bits = e.load(e.at(words, i32Type, word), i32Type);
      auto loop = scf::WhileOp::create(
          e.b, e.loc, TypeRange(i32Type), ValueRange(bits),
          [&](OpBuilder &, Location, ValueRange left) {
            Value any = arith::CmpIOp::create(
                e.b, e.loc, arith::CmpIPredicate::ne, left[0], e.i32(0));
            scf::ConditionOp::create(e.b, e.loc, any, left);
          },
          [&](OpBuilder &, Location, ValueRange left) {
            Value bit = LLVM::CountTrailingZerosOp::create(
                e.b, e.loc, i32Type, left[0], /*is_zero_poison=*/true);
            CutRow cut;
            cut.row =
                e.addI(firstRow, e.toI64(e.addI(e.mulI(word, kWarp), bit)));
            auto [begin, length] = rowLength(cut.row);
            cut.length = length;
            cut.pieces = e.divI(e.addI(length, chunk - 1), chunk);
            cut.firstSlot = slot(e, begin, e.i64(1));
            emitBody(body, cut, thread);
            Value rest = arith::AndIOp::create(
                e.b, e.loc, left[0],
                arith::AddIOp::create(e.b, e.loc, left[0], e.i32(-1)));
            scf::YieldOp::create(e.b, e.loc, rest);
          });
      (void)loop;
    });
  });
}

} // namespace mlir::autosage::device
