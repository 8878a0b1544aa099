//===- Kernel.cpp - one thread a point of the parallel loops --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread takes one point of the parallel loops and runs the others in order.
// Neighbouring threads differ in the last index of the first output, so that
// they store, and mostly load, side by side. What a reduction sums up stays in
// registers.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "Payload.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::autosage;
using device::Access;
using device::Emitter;
using device::Extent;
using device::KernelBuilder;

static constexpr int64_t kThreads = 256;

static bool isScalar(OpOperand &operand) {
  return !isa<ShapedType>(operand.get().getType());
}

LogicalResult dense::verify(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    if (isa<TensorType>(type))
      return op->emitOpError("expects buffers, got ")
             << type << "; bufferization comes first";
    if (isScalar(operand) && isElement(type))
      continue;
    if (failed(verifyBuffer(op, type)))
      return failure();
  }
  return Payload::verify(op);
}

namespace {
class DenseEmitter {
public:
  DenseEmitter(device::KernelModule &kernels, linalg::LinalgOp op)
      : op(op), builder(op), host(builder, op.getLoc()),
        kernel(host, kernels, op->getName().stripDialect()) {}

  void run();

private:
  struct Operand {
    AffineMap map;
    Type type;                   // of an element
    KernelBuilder::View view;    // of a buffer
    KernelBuilder::Param number; // of a number
    Operation *constant = nullptr;
    bool isOutput = false;
    bool isUsed = true;
    /// An output of which a thread writes one element, however many steps its
    /// reductions take.
    bool isSum = false;
  };

  void orderLoops();
  void declare(OpOperand &operand);
  void declareNumber(Operand &declared, Value value);
  void declareBuffer(Operand &declared, Value value);

  SmallVector<Value> indices(const Operand &operand, ValueRange ivs);
  Value load(const Operand &operand, ValueRange ivs);
  /// All reductions from the `depth`-th on; the sums after them.
  SmallVector<Value> reduce(size_t depth, SmallVector<Value> &ivs,
                            SmallVector<Value> sums);
  /// One point of all loops: stores, but for sums, which it gives back.
  SmallVector<Value> step(ValueRange ivs, ValueRange sums);
  void emitThread(Value linear);

  linalg::LinalgOp op;
  OpBuilder builder;
  device::HostEmitter host;
  KernelBuilder kernel;
  std::optional<dense::Payload> payload;
  SmallVector<Operand> operands;
  SmallVector<Extent> extents; // of the loops, on the host
  SmallVector<KernelBuilder::Param> sizes;
  SmallVector<unsigned> parallel, reductions; // loops, outermost first
  KernelBuilder::Body *body = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void DenseEmitter::orderLoops() {
  // As the first output lies in memory; loops that it does not have come first.
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> inner;
  for (AffineExpr expr : output.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      inner.push_back(dim.getPosition());
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    auto number = static_cast<unsigned>(loop);
    if (type == utils::IteratorType::reduction)
      reductions.push_back(number);
    else if (!llvm::is_contained(inner, number))
      parallel.push_back(number);
  }
  for (unsigned loop : inner)
    if (!llvm::is_contained(reductions, loop))
      parallel.push_back(loop);
  std::string key;
  llvm::raw_string_ostream os(key);
  llvm::interleaveComma(parallel, os);
  os << ';';
  llvm::interleaveComma(reductions, os);
  kernel.distinguish(key);
}

void DenseEmitter::declareNumber(Operand &declared, Value value) {
  declared.type = value.getType();
  Operation *constant = value.getDefiningOp();
  if (constant && constant->hasTrait<OpTrait::ConstantLike>()) {
    declared.constant = constant;
    std::string key;
    llvm::raw_string_ostream(key) << constant->getAttrDictionary();
    kernel.distinguish(key);
    return;
  }
  declared.number = kernel.number(dense::fromIndex(host, value));
}

void DenseEmitter::declareBuffer(Operand &declared, Value value) {
  device::Buffer buffer = host.buffer(value);
  declared.type = cast<MemRefType>(value.getType()).getElementType();
  // An op in place reads what it writes.
  declared.view =
      kernel.view(buffer, Access::aliased,
                  std::max<int64_t>(1, device::sizeOf(declared.type)));
  for (auto [expr, size] :
       llvm::zip_equal(declared.map.getResults(), buffer.sizes)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    Extent &extent = extents[dim.getPosition()];
    if (!extent.host || (size.fixed && !extent.fixed))
      extent = size;
  }
}

void DenseEmitter::declare(OpOperand &operand) {
  Operand declared;
  declared.map = op.getMatchingIndexingMap(&operand);
  declared.isOutput = op.isDpsInit(&operand);
  declared.isUsed = !op.getMatchingBlockArgument(&operand).use_empty();
  declared.isSum = declared.isOutput && !reductions.empty() &&
                   llvm::none_of(reductions, [&](unsigned loop) {
                     return declared.map.isFunctionOfDim(loop);
                   });
  std::string key;
  llvm::raw_string_ostream(key) << declared.map;
  kernel.distinguish(key);
  if (isScalar(operand))
    declareNumber(declared, operand.get());
  else
    declareBuffer(declared, operand.get());
  operands.push_back(declared);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

SmallVector<Value> DenseEmitter::indices(const Operand &operand,
                                         ValueRange ivs) {
  Emitter &e = body->e;
  SmallVector<Value> points;
  for (AffineExpr expr : operand.map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      points.push_back(ivs[dim.getPosition()]);
      continue;
    }
    SmallVector<Value> dims;
    for (Value iv : ivs)
      dims.push_back(dense::toType(e, iv, e.b.getIndexType()));
    points.push_back(dense::fromIndex(
        e, affine::expandAffineExpr(e.b, e.loc, expr, dims, {})));
  }
  return points;
}

Value DenseEmitter::load(const Operand &operand, ValueRange ivs) {
  Emitter &e = body->e;
  if (operand.constant)
    return e.b.clone(*operand.constant)->getResult(0);
  if (!operand.view)
    return dense::toType(e, (*body)(operand.number), operand.type);
  return dense::loadAt(*body, operand.view, indices(operand, ivs),
                       operand.type);
}

SmallVector<Value> DenseEmitter::step(ValueRange ivs, ValueRange sums) {
  SmallVector<Value> elements;
  size_t numSums = 0;
  for (const Operand &operand : operands)
    elements.push_back(operand.isSum    ? sums[numSums++]
                       : operand.isUsed ? load(operand, ivs)
                                        : Value());
  SmallVector<Value> yielded = payload->at(*body, elements, ivs), carried;
  size_t numOutputs = 0;
  for (const Operand &operand : operands) {
    if (!operand.isOutput)
      continue;
    Value value = yielded[numOutputs++];
    if (operand.isSum)
      carried.push_back(value);
    else
      dense::storeAt(*body, operand.view, indices(operand, ivs), value);
  }
  return carried;
}

SmallVector<Value> DenseEmitter::reduce(size_t depth, SmallVector<Value> &ivs,
                                        SmallVector<Value> sums) {
  if (depth == reductions.size())
    return step(ivs, sums);
  Emitter &e = body->e;
  unsigned loop = reductions[depth];
  auto nest = scf::ForOp::create(
      e.b, e.loc, e.i64(0), (*body)(sizes[loop]), e.i64(1), sums,
      [&](OpBuilder &, Location, Value iv, ValueRange carried) {
        ivs[loop] = iv;
        scf::YieldOp::create(e.b, e.loc, reduce(depth + 1, ivs, carried));
      });
  return llvm::to_vector_of<Value>(nest.getResults());
}

void DenseEmitter::emitThread(Value linear) {
  Emitter &e = body->e;
  payload->begin(*body);
  SmallVector<Value> ivs(extents.size());
  Value rest = linear;
  for (unsigned loop : llvm::reverse(parallel)) {
    if (loop == parallel.front()) {
      ivs[loop] = rest;
      break;
    }
    Value size = (*body)(sizes[loop]);
    ivs[loop] = e.remI(rest, size);
    rest = e.divI(rest, size);
  }
  // Indices of loops that run later are not looked at.
  SmallVector<Value> sums;
  for (const Operand &operand : operands)
    if (operand.isSum)
      sums.push_back(load(operand, ivs));
  sums = reduce(0, ivs, sums);
  size_t numSums = 0;
  for (const Operand &operand : operands)
    if (operand.isSum)
      dense::storeAt(*body, operand.view, indices(operand, ivs),
                     sums[numSums++]);
}

void DenseEmitter::run() {
  orderLoops();
  extents.resize(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands())
    declare(operand);
  payload.emplace(op, host, kernel);
  for (const Extent &extent : extents)
    sizes.push_back(kernel.scalar(extent));
  Extent total = host.fixed(1);
  for (unsigned loop : parallel)
    total = host.product(total, extents[loop]);
  KernelBuilder::Param points = kernel.scalar(total);

  device::Geometry geometry;
  geometry.threads = kThreads;
  geometry.blocksX = host.ceilDiv(total.host, host.i64(kThreads));
  geometry.blocksY = host.fixed(1);
  kernel.launch(geometry, [&](KernelBuilder::Body &kernelBody) {
    body = &kernelBody;
    Emitter &e = body->e;
    Value linear = e.addI(e.mulI(body->blockX, kThreads), e.toI64(e.threadX()));
    e.ifThen(e.lessThan(linear, (*body)(points)), [&] { emitThread(linear); });
  });
}

void dense::emit(device::KernelModule &kernels, linalg::LinalgOp op) {
  DenseEmitter(kernels, op).run();
}
