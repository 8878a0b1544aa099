//===- Instrument.cpp - a check before each access to memory --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs first, while pointers still have their address spaces.
//
//===----------------------------------------------------------------------===//

#include "CallBuilder.h"

#include "autosage/Emulation/Simt.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::autosage::simt;

FailureOr<int32_t> autosage::simt::parseChecks(StringRef checks,
                                               Operation *op) {
  int32_t flags = 0;
  SmallVector<StringRef> words;
  checks.split(words, ',', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (word == "bounds")
      flags |= AUTOSAGE_SIMT_CHECK_BOUNDS;
    else if (word == "race")
      flags |= AUTOSAGE_SIMT_CHECK_RACE;
    else if (word == "uninit")
      flags |= AUTOSAGE_SIMT_CHECK_UNINIT;
    else if (word == "all")
      flags |= AUTOSAGE_SIMT_CHECK_ALL;
    else if (word != "none")
      return op->emitError("expects checks of bounds, race, uninit, all or "
                           "none, got ")
             << word;
  }
  return flags;
}

namespace {

class Instrumenter {
public:
  Instrumenter(gpu::GPUModuleOp module, int32_t checks, CallBuilder &builder)
      : layout(module), checks(checks), builder(builder) {}

  LogicalResult visit(Operation *op);
  int64_t getCount() const { return count; }

private:
  DataLayout layout;
  int32_t checks;
  CallBuilder &builder;
  int64_t count = 0;

  int32_t flagsFor(int32_t kind, uint64_t alignment);
  LogicalResult check(Operation *op, Value pointer, Type type, int32_t kind,
                      std::optional<uint64_t> alignment);
  LogicalResult checkRange(Operation *op, Value pointer, Value bytes,
                           int32_t kind);
  LogicalResult checkLanes(Operation *op, Value pointers, Value mask, Type type,
                           int32_t kind, uint64_t alignment);
  Value laneBits(Operation *op, Value mask);
  Value plain(Operation *op, Value pointer);
};

} // namespace

/// What a check takes: global and shared memory and what may be either. A
/// thread's own stack, and the arguments in constant memory, are its own.
static bool isChecked(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer &&
         (pointer.getAddressSpace() == 0 || pointer.getAddressSpace() == 1 ||
          pointer.getAddressSpace() == 3);
}

int32_t Instrumenter::flagsFor(int32_t kind, uint64_t alignment) {
  if (!(checks & AUTOSAGE_SIMT_CHECK_BOUNDS))
    alignment = 1;
  return kind | checks | static_cast<int32_t>(llvm::Log2_64(alignment) << 16);
}

/// A cast that the type replacement removes again.
Value Instrumenter::plain(Operation *op, Value pointer) {
  if (pointer.getType() == builder.pointer())
    return pointer;
  return LLVM::AddrSpaceCastOp::create(builder.b, op->getLoc(),
                                       builder.pointer(), pointer);
}

LogicalResult Instrumenter::check(Operation *op, Value pointer, Type type,
                                  int32_t kind,
                                  std::optional<uint64_t> alignment) {
  if (!isChecked(pointer.getType()) || pointer.getDefiningOp<LLVM::AllocaOp>())
    return success();
  ++count;
  Location loc = op->getLoc();
  builder.b.setInsertionPoint(op);
  uint64_t align = alignment.value_or(layout.getTypeABIAlignment(type));
  uint64_t bytes = layout.getTypeSize(type).getFixedValue();
  Value address = plain(op, pointer);
  Value size = builder.i64(loc, static_cast<int64_t>(bytes));
  Value flags = builder.i32(loc, flagsFor(kind, align));
  return builder.call(loc, "autosage_simt_check_access", {},
                      {address, size, flags, builder.site(op)}, Effect::memory);
}

LogicalResult Instrumenter::checkRange(Operation *op, Value pointer,
                                       Value bytes, int32_t kind) {
  if (!isChecked(pointer.getType()))
    return success();
  ++count;
  Location loc = op->getLoc();
  builder.b.setInsertionPoint(op);
  if (bytes.getType() != builder.b.getI64Type())
    bytes = LLVM::ZExtOp::create(builder.b, loc, builder.b.getI64Type(), bytes);
  Value address = plain(op, pointer);
  Value flags = builder.i32(loc, flagsFor(kind, 1));
  return builder.call(loc, "autosage_simt_check_access", {},
                      {address, bytes, flags, builder.site(op)},
                      Effect::memory);
}

Value Instrumenter::laneBits(Operation *op, Value mask) {
  auto lanes = cast<VectorType>(mask.getType()).getNumElements();
  Value bits = LLVM::BitcastOp::create(
      builder.b, op->getLoc(),
      builder.b.getIntegerType(static_cast<unsigned>(lanes)), mask);
  if (lanes == 64)
    return bits;
  return LLVM::ZExtOp::create(builder.b, op->getLoc(), builder.b.getI64Type(),
                              bits);
}

LogicalResult Instrumenter::checkLanes(Operation *op, Value pointers,
                                       Value mask, Type type, int32_t kind,
                                       uint64_t alignment) {
  auto vector = cast<VectorType>(type);
  if (vector.getNumElements() > 64)
    return op->emitOpError("expects at most 64 elements for the simt target, "
                           "got ")
           << vector.getNumElements();
  auto gathered = dyn_cast<VectorType>(pointers.getType());
  Type pointerType = gathered ? gathered.getElementType() : pointers.getType();
  if (!isChecked(pointerType))
    return success();
  ++count;
  Location loc = op->getLoc();
  builder.b.setInsertionPoint(op);
  // A masked access claims its alignment for the whole vector, of which not all
  // is accessed: of elements only their own is certain.
  uint64_t bytes = layout.getTypeSize(vector.getElementType()).getFixedValue();
  Value flags = builder.i32(
      loc,
      flagsFor(kind, std::min<uint64_t>(alignment, llvm::PowerOf2Ceil(bytes))));
  Value size = builder.i64(loc, static_cast<int64_t>(bytes));
  Value address = pointers;
  StringRef callee = "autosage_simt_check_masked";
  if (gathered) {
    callee = "autosage_simt_check_gather";
    address = builder.scratch(op, gathered.getNumElements() * 2);
    LLVM::StoreOp::create(builder.b, loc, pointers, address, /*alignment=*/8);
  } else {
    address = plain(op, pointers);
  }
  return builder.call(
      loc, callee, {},
      {address, size, laneBits(op, mask), flags, builder.site(op)},
      Effect::memory);
}

LogicalResult Instrumenter::visit(Operation *op) {
  constexpr int32_t read = AUTOSAGE_SIMT_READ, write = AUTOSAGE_SIMT_WRITE,
                    atomic = AUTOSAGE_SIMT_ATOMIC;
  auto atomicIf = [](LLVM::AtomicOrdering ordering) {
    return ordering == LLVM::AtomicOrdering::not_atomic ? 0 : atomic;
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](LLVM::LoadOp load) {
        return check(op, load.getAddr(), load.getType(),
                     read | atomicIf(load.getOrdering()), load.getAlignment());
      })
      .Case([&](LLVM::StoreOp store) {
        return check(op, store.getAddr(), store.getValue().getType(),
                     write | atomicIf(store.getOrdering()),
                     store.getAlignment());
      })
      .Case([&](LLVM::AtomicRMWOp rmw) {
        return check(op, rmw.getPtr(), rmw.getVal().getType(),
                     read | write | atomic, rmw.getAlignment());
      })
      .Case([&](LLVM::AtomicCmpXchgOp cas) {
        return check(op, cas.getPtr(), cas.getVal().getType(),
                     read | write | atomic, cas.getAlignment());
      })
      .Case([&](LLVM::MaskedLoadOp load) {
        return checkLanes(op, load.getData(), load.getMask(), load.getType(),
                          read, load.getAlignment());
      })
      .Case([&](LLVM::MaskedStoreOp store) {
        return checkLanes(op, store.getData(), store.getMask(),
                          store.getValue().getType(), write,
                          store.getAlignment());
      })
      .Case([&](LLVM::masked_gather load) {
        return checkLanes(op, load.getPtrs(), load.getMask(), load.getType(),
                          read, load.getAlignment());
      })
      .Case([&](LLVM::masked_scatter store) {
        return checkLanes(op, store.getPtrs(), store.getMask(),
                          store.getValue().getType(), write,
                          store.getAlignment());
      })
      .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>([&](auto copy) -> LogicalResult {
        if (failed(checkRange(op, copy.getSrc(), copy.getLen(), read)))
          return failure();
        return checkRange(op, copy.getDst(), copy.getLen(), write);
      })
      .Case([&](LLVM::MemsetOp set) {
        return checkRange(op, set.getDst(), set.getLen(), write);
      })
      .Default(success());
}

FailureOr<int64_t> autosage::simt::instrument(gpu::GPUModuleOp module,
                                              int32_t checks,
                                              CallBuilder &builder) {
  if (!checks)
    return 0;
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (op->getParentOfType<LLVM::LLVMFuncOp>())
      ops.push_back(op);
  });
  Instrumenter instrumenter(module, checks, builder);
  for (Operation *op : ops)
    if (failed(instrumenter.visit(op)))
      return failure();
  return instrumenter.getCount();
}
