//===- Partition.h - how a kernel's edges are shared out --------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule family is to a kernel: the blocks that run in parallel, and
// the pieces of rows in each. A family may cut rows; the kernel then keeps what
// it has of a cut row in a slot of its own and merges slots afterwards. Blocks,
// cuts and the order of merging follow from the pattern and the knobs alone, so
// results do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_PARTITION_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_PARTITION_H

#include "Emitter.h"

#include "autosage/Core/Schedule.h"

#include <memory>

namespace mlir::autosage::cpu {

/// Edges [begin, end) of a row, which one block handles. The last two are null
/// where the family cuts no rows.
struct Piece {
  Value row, begin, end;
  Value cut;  // whether other blocks have edges of the row
  Value slot; // of the piece, where it is cut
};

/// A row whose pieces are spread over blocks.
struct CutRow {
  Value row, degree;
  Value firstBlock, lastBlock;

  /// Folds over the slots of the row in the order of edges.
  SmallVector<Value> foldSlots(Emitter &e, ValueRange init,
                               Emitter::Body body) const;
  void forSlots(Emitter &e, function_ref<void(Value slot)> body) const;
};

/// One iteration of the parallel loop.
class Block {
public:
  virtual ~Block() = default;
  virtual void forPieces(Emitter &e,
                         function_ref<void(const Piece &)> body) const = 0;
  /// The pieces that are cut.
  virtual void forCutPieces(Emitter &e,
                            function_ref<void(const Piece &)> body) const {}
};

/// Call order: begin, forBlocks, end; in between, where rows are cut,
/// forCutRows and forBlocks again.
class Partition {
public:
  virtual ~Partition() = default;

  /// Of a pattern whose edges and rows cost `width` elements each.
  virtual void begin(Emitter &e, Value rowptr, Value colind, Value width) = 0;
  /// In parallel.
  virtual void forBlocks(Emitter &e,
                         function_ref<void(const Block &)> body) = 0;
  /// The number of slots; null where rows are not cut.
  virtual Value slots() const { return nullptr; }
  /// In parallel.
  virtual void forCutRows(Emitter &e, function_ref<void(const CutRow &)> body) {
  }
  /// Frees what `begin` has allocated.
  virtual void end(Emitter &e) {}
};

//===----------------------------------------------------------------------===//
// Partial results
//===----------------------------------------------------------------------===//

/// Emits what to do with a cut piece and with a whole row, behind a branch
/// where the family cuts rows.
void forPiece(Emitter &e, const Piece &piece, function_ref<void()> cut,
              function_ref<void()> whole);

/// slots x heads x features (without `heads`: slots x features) of the type of
/// accumulation; null where rows are not cut.
Value allocPartials(Emitter &e, const Partition &partition, Value heads,
                    Value features);
void storePartial(Emitter &e, Value partials, Value slot, Value head,
                  ArrayRef<Lanes> tile, ValueRange values);

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

/// Null for a family that has no lowering to the CPU.
std::unique_ptr<Partition> makePartition(const ::autosage::Schedule &schedule);

/// One function a family, in its own file.
std::unique_ptr<Partition>
makeRowParallel(const ::autosage::Schedule &schedule);
std::unique_ptr<Partition>
makeNnzParallel(const ::autosage::Schedule &schedule);

} // namespace mlir::autosage::cpu

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOCPU_PARTITION_H
