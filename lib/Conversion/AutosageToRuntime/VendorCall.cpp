//===- VendorCall.cpp - an op as a call of cuSPARSE -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Heads that lie one after the other and share the edge values are columns of
// one wider operand. What is known only at run time (sizes beyond a limit of
// the library) is the runtime's to see.
//
//===----------------------------------------------------------------------===//

#include "VendorCall.h"

#include "../AutosageToGPU/Host.h"
#include "autosage/Runtime/Vendor.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::autosage;
using ::autosage::DType;
using ::autosage::Error;
using ::autosage::Schedule;
using ::autosage::Status;
using ::autosage::VendorCall;

//===----------------------------------------------------------------------===//
// What types say
//===----------------------------------------------------------------------===//

static MemRefType typeOf(Value value) {
  return cast<MemRefType>(value.getType());
}

static std::optional<int64_t> known(int64_t size) {
  return ShapedType::isDynamic(size) ? std::nullopt
                                     : std::optional<int64_t>(size);
}

static ::autosage::IndexType indexTypeOf(Value array) {
  Type element = typeOf(array).getElementType();
  return element.isInteger(32) ? ::autosage::IndexType::i32
                               : ::autosage::IndexType::i64;
}

static SmallVector<int64_t> stridesOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  [[maybe_unused]] LogicalResult isStrided =
      type.getStridesAndOffset(strides, offset);
  assert(succeeded(isStrided) && "the verifier rejects other layouts");
  return strides;
}

static Error expects(const Twine &what, Type got) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "cuSPARSE expects " << what << ", got '" << got << "'";
  return Error{text};
}

/// Rows of one stride whose elements lie side by side, heads included.
static Status verifyRows(StringRef name, Value operand) {
  MemRefType type = typeOf(operand);
  SmallVector<int64_t> strides = stridesOf(type);
  bool areDense = strides.back() == 1;
  if (type.getRank() == 3 && type.getDimSize(1) != 1)
    areDense &=
        type.getLayout().isIdentity() || (!ShapedType::isDynamic(strides[1]) &&
                                          strides[1] == type.getDimSize(2));
  if (areDense)
    return Status::success();
  return expects("the elements of a row of " + name + " side by side", type);
}

/// One element after the other.
static Status verifyContiguous(StringRef name, Value operand) {
  if (stridesOf(typeOf(operand)).front() == 1)
    return Status::success();
  return expects(name + " to be contiguous", typeOf(operand));
}

static std::optional<int64_t> columnsOf(Value operand) {
  MemRefType type = typeOf(operand);
  int64_t columns = 1;
  for (int64_t size : type.getShape().drop_front()) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    columns *= size;
  }
  return columns;
}

static VendorCall start(const Schedule &schedule, OperandRange arrays, Value x,
                        Value out) {
  VendorCall call;
  call.algorithm = schedule.get("alg");
  call.deterministic = schedule.getWord("deterministic") == "true";
  call.rowptrType = indexTypeOf(arrays[0]);
  call.colindType = indexTypeOf(arrays[1]);
  call.nnz = known(typeOf(arrays[1]).getDimSize(0));
  if (std::optional<int64_t> size = known(typeOf(arrays[0]).getDimSize(0)))
    call.rows = *size - 1;
  call.cols = getConstantIntValue(arrays.back());
  call.columns = columnsOf(x);
  call.leftStride = known(stridesOf(typeOf(x)).front());
  call.outStride = known(stridesOf(typeOf(out)).front());
  // The verifier allows no other types.
  call.dtype = *toCoreDType(typeOf(x).getElementType());
  call.outType = *toCoreDType(typeOf(out).getElementType());
  return call;
}

static bool hasHeads(Value operand) {
  return typeOf(operand).getRank() == 3 && typeOf(operand).getDimSize(1) != 1;
}

static Status verify(SpmmOp op, const Schedule &schedule) {
  Value x = op.getX(), y = op.getOuts()[0], values = op.getValues();
  VendorCall call = start(schedule, op.getArrays(), x, y);
  call.op = ::autosage::OpKind::spmm;
  call.reduction = toCore(op.getReduction());
  call.transpose = op.getTranspose();
  call.accumulate = op.getAccumulate();
  call.edgeValues = static_cast<bool>(values);
  call.valuesPerHead = values && hasHeads(x) && typeOf(values).getRank() == 2 &&
                       typeOf(values).getDimSize(1) != 1;
  if (Status status = verifyVendorCall(call); !status)
    return status;
  if (Status status = verifyRows("x", x); !status)
    return status;
  if (Status status = verifyRows("outs", y); !status)
    return status;
  return values ? verifyContiguous("edge values", values) : Status::success();
}

static double scaleOf(SddmmOp op) {
  std::optional<APFloat> scale = op.getScale();
  if (!scale)
    return 1.0;
  bool losesInfo;
  scale->convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return scale->convertToDouble();
}

static Status verify(SddmmOp op, const Schedule &schedule) {
  Value q = op.getQ(), k = op.getK(), out = op.getOuts()[0];
  VendorCall call = start(schedule, op.getArrays(), q, out);
  call.op = ::autosage::OpKind::sddmm;
  call.combine = toCore(op.getCombine());
  call.edgeValues = static_cast<bool>(op.getValues());
  call.scale = scaleOf(op);
  if (Status status = verifyVendorCall(call); !status)
    return status;
  if (hasHeads(q))
    return expects("sddmm without heads", typeOf(q));
  if (Status status = verifyRows("q", q); !status)
    return status;
  if (Status status = verifyRows("k", k); !status)
    return status;
  return verifyContiguous("outs", out);
}

Status vendor::verify(Operation *op, const Schedule &schedule) {
  if (auto spmm = dyn_cast<SpmmOp>(op))
    return ::verify(spmm, schedule);
  if (auto sddmm = dyn_cast<SddmmOp>(op))
    return ::verify(sddmm, schedule);
  return Error{"cuSPARSE expects spmm or sddmm, got " +
               op->getName().stripDialect().str()};
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

namespace {
/// The arguments of one call, in order.
class Arguments {
public:
  explicit Arguments(Operation *op)
      : builder(op), host(builder, op->getLoc()) {}

  void pointer(Value memref) {
    list.push_back(memref ? host.pointer(host.buffer(memref))
                          : LLVM::ZeroOp::create(builder, host.loc,
                                                 LLVM::LLVMPointerType::get(
                                                     builder.getContext())));
  }
  /// Rows, columns and entries of the pattern.
  void sizes(OperandRange arrays) {
    list.push_back(host.addI(host.buffer(arrays[0]).sizes[0].host, -1));
    list.push_back(host.extent(arrays.back()).host);
    list.push_back(host.buffer(arrays[1]).sizes[0].host);
  }
  void columns(Value dense) {
    device::Buffer buffer = host.buffer(dense);
    device::Extent product = buffer.sizes[1];
    if (buffer.rank() == 3)
      product = host.product(product, buffer.sizes[2]);
    list.push_back(product.host);
  }
  void stride(Value dense) {
    list.push_back(host.buffer(dense).strides[0].host);
  }
  void number(double value) {
    list.push_back(arith::ConstantOp::create(builder, host.loc,
                                             builder.getF64FloatAttr(value)));
  }
  void i32(int64_t value) { list.push_back(host.i32(value)); }
  void types(OperandRange arrays, Value in, Value out) {
    i32(indexTypeOf(arrays[0]) == ::autosage::IndexType::i64 ? 8 : 4);
    i32(indexTypeOf(arrays[1]) == ::autosage::IndexType::i64 ? 8 : 4);
    // The numbers of Vendor.h are those of Core.
    static_assert(int(DType::bf16) == AUTOSAGE_VENDOR_BF16 &&
                  int(DType::f64) == AUTOSAGE_VENDOR_F64);
    i32(static_cast<int64_t>(*toCoreDType(typeOf(in).getElementType())));
    i32(static_cast<int64_t>(*toCoreDType(typeOf(out).getElementType())));
  }
  void call(StringRef function) { host.call(function, Type(), list); }

private:
  OpBuilder builder;
  device::HostEmitter host;
  SmallVector<Value> list;
};
} // namespace

static int64_t flagsOf(const Schedule &schedule) {
  return schedule.getWord("deterministic") == "true"
             ? 0
             : AUTOSAGE_VENDOR_NONDETERMINISTIC;
}

void vendor::emit(SpmmOp op, const Schedule &schedule) {
  OperandRange arrays = op.getArrays();
  Value x = op.getX(), y = op.getOuts()[0];
  int64_t flags = flagsOf(schedule);
  flags |= op.getTranspose() ? AUTOSAGE_VENDOR_TRANSPOSE : 0;
  flags |= op.getAccumulate() ? AUTOSAGE_VENDOR_ACCUMULATE : 0;
  flags |= op.getValues() ? AUTOSAGE_VENDOR_VALUES : 0;
  Arguments arguments(op);
  for (Value array : {arrays[0], arrays[1], op.getValues(), x, y})
    arguments.pointer(array);
  arguments.sizes(arrays);
  arguments.columns(x);
  arguments.stride(x);
  arguments.stride(y);
  arguments.types(arrays, x, y);
  arguments.i32(schedule.get("alg"));
  arguments.i32(flags);
  arguments.call("autosage_vendor_spmm");
}

void vendor::emit(SddmmOp op, const Schedule &schedule) {
  OperandRange arrays = op.getArrays();
  Value q = op.getQ(), k = op.getK(), out = op.getOuts()[0];
  Arguments arguments(op);
  for (Value array : {arrays[0], arrays[1], q, k, out})
    arguments.pointer(array);
  arguments.sizes(arrays);
  arguments.columns(q);
  arguments.stride(q);
  arguments.stride(k);
  arguments.number(scaleOf(op));
  arguments.types(arrays, q, out);
  arguments.i32(schedule.get("alg"));
  arguments.i32(flagsOf(schedule));
  arguments.call("autosage_vendor_sddmm");
}
