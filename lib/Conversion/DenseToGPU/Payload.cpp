//===- Payload.cpp - the body of a dense op in a kernel -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equal bodies have equal keys whatever their values are called: the key counts
// values in the order in which they come.
//
//===----------------------------------------------------------------------===//

#include "Payload.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::autosage;
using namespace mlir::autosage::dense;
using device::Access;
using device::Emitter;
using device::KernelBuilder;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool dense::isElement(Type type) { return type.isIntOrIndexOrFloat(); }

LogicalResult dense::verifyBuffer(Operation *op, Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  int64_t offset;
  SmallVector<int64_t> strides;
  if (memref && isElement(memref.getElementType()) &&
      succeeded(memref.getStridesAndOffset(strides, offset)))
    return success();
  return op->emitOpError("expects buffers of numbers with strides, got ")
         << type;
}

Value dense::fromIndex(Emitter &e, Value value) {
  return toType(e, value,
                isa<IndexType>(value.getType()) ? e.b.getI64Type()
                                                : value.getType());
}

Value dense::toType(Emitter &e, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return e.b.createOrFold<arith::IndexCastOp>(e.loc, type, value);
}

/// A boolean takes a byte.
static int64_t alignmentOf(Type element) {
  return std::max<int64_t>(1, device::sizeOf(element));
}

Value dense::loadAt(KernelBuilder::Body &body, const KernelBuilder::View &view,
                    ValueRange indices, Type type) {
  Value value = body.e.load(body.at(view, indices), view.element, 1,
                            alignmentOf(view.element));
  return toType(body.e, value, type);
}

void dense::storeAt(KernelBuilder::Body &body, const KernelBuilder::View &view,
                    ValueRange indices, Value value) {
  body.e.store(fromIndex(body.e, value), body.at(view, indices),
               alignmentOf(view.element));
}

//===----------------------------------------------------------------------===//
// What the body uses from outside
//===----------------------------------------------------------------------===//

/// The values, in the order of their first use.
static SmallVector<Value> usedFromOutside(linalg::LinalgOp op) {
  SetVector<Value> values;
  getUsedValuesDefinedAbove(op->getRegion(0), values);
  return values.takeVector();
}

static Operation *constantOf(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>() ? op : nullptr;
}

LogicalResult Payload::verify(linalg::LinalgOp op) {
  Region &region = op->getRegion(0);
  WalkResult result = region.walk([&](Operation *inner) {
    auto load = dyn_cast<memref::LoadOp>(inner);
    // What is in regions is visited by itself.
    if (load ? !region.isAncestor(load.getMemRef().getParentRegion())
             : inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                   isMemoryEffectFree(inner))
      return WalkResult::advance();
    inner->emitOpError("expects arithmetic in the body of a dense op");
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  for (Value value : usedFromOutside(op)) {
    if (isElement(value.getType()))
      continue;
    if (failed(verifyBuffer(op, value.getType())))
      return failure();
  }
  return success();
}

namespace {
/// Writes a region so that equal computations give equal texts.
class RegionText {
public:
  explicit RegionText(llvm::raw_ostream &os) : os(os) {}

  void name(Value value) { numbers.try_emplace(value, numbers.size()); }
  void write(Region &region) {
    for (Block &block : region) {
      os << " {";
      for (BlockArgument argument : block.getArguments())
        define(argument);
      for (Operation &op : block)
        write(op);
      os << " }";
    }
  }

private:
  void define(Value value) {
    name(value);
    os << " %" << numbers.lookup(value) << ":" << value.getType();
  }
  void write(Operation &op) {
    os << ' ' << op.getName() << op.getAttrDictionary();
    for (Value operand : op.getOperands())
      os << " %" << numbers.lookup(operand);
    for (Value result : op.getResults())
      define(result);
    for (Region &region : op.getRegions())
      write(region);
  }

  llvm::raw_ostream &os;
  DenseMap<Value, unsigned> numbers;
};
} // namespace

Payload::Payload(linalg::LinalgOp op, device::HostEmitter &host,
                 KernelBuilder &kernel)
    : op(op) {
  std::string key;
  llvm::raw_string_ostream os(key);
  RegionText text(os);
  for (Value value : usedFromOutside(op)) {
    text.name(value);
    if (Operation *constant = constantOf(value)) {
      constants.push_back(constant);
      os << ' ' << constant->getAttrDictionary();
    } else if (isa<MemRefType>(value.getType())) {
      buffers[value] = kernel.view(
          host.buffer(value), Access::aliased,
          alignmentOf(cast<MemRefType>(value.getType()).getElementType()));
    } else {
      numbers.emplace_back(value, kernel.number(fromIndex(host, value)));
    }
  }
  text.write(op->getRegion(0));
  kernel.distinguish(key);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

void Payload::begin(KernelBuilder::Body &body) {
  for (Operation *constant : constants)
    body.e.b.clone(*constant, outside);
  for (auto &[value, param] : numbers)
    outside.map(value, toType(body.e, body(param), value.getType()));
}

Value Payload::readBuffer(KernelBuilder::Body &body, Operation *op) {
  auto load = cast<memref::LoadOp>(op);
  SmallVector<Value> indices;
  for (Value index : load.getIndices())
    indices.push_back(fromIndex(body.e, index));
  return loadAt(body, buffers.find(load.getMemRef())->second, indices,
                load.getType());
}

SmallVector<Value> Payload::at(KernelBuilder::Body &body, ValueRange elements,
                               ValueRange ivs) {
  Emitter &e = body.e;
  Block &block = op->getRegion(0).front();
  IRMapping map = outside;
  map.map(block.getArguments(), elements);
  for (Operation &inner : block.without_terminator()) {
    Operation *clone = e.b.clone(inner, map);
    // What is of the op around it, or of host memory, is said in the kernel's
    // own words, at any depth.
    clone->walk([&](Operation *nested) {
      OpBuilder::InsertionGuard guard(e.b);
      e.b.setInsertionPoint(nested);
      Value value;
      if (auto index = dyn_cast<linalg::IndexOp>(nested))
        value = toType(e, ivs[index.getDim()], e.b.getIndexType());
      else if (isa<memref::LoadOp>(nested))
        value = readBuffer(body, nested);
      else
        return;
      nested->getResult(0).replaceAllUsesWith(value);
      if (nested == clone)
        map.map(inner.getResult(0), value);
      nested->erase();
    });
  }
  SmallVector<Value> yielded;
  for (Value value : block.getTerminator()->getOperands())
    yielded.push_back(map.lookupOrDefault(value));
  return yielded;
}
