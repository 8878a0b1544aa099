//===- LowerOps.cpp - NVVM ops to calls of the emulator -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallBuilder.h"

#include "autosage/Emulation/Simt.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::autosage::simt;

namespace {

class OpLowering {
public:
  OpLowering(int32_t checks, CallBuilder &builder)
      : checks(checks), builder(builder), b(builder.b) {}

  /// Replaces the op where it is not LLVM's own.
  LogicalResult lower(Operation *op);

private:
  int32_t checks;
  CallBuilder &builder;
  OpBuilder &b;

  Type i32() { return b.getI32Type(); }
  LogicalResult unsupported(Operation *op) {
    return op->emitOpError("is not emulated by the simt target");
  }
  /// Replaces the op by a call whose result it gives.
  LogicalResult replace(Operation *op, StringRef callee, Type result,
                        ValueRange args, Effect effect);
  Value bits(Location loc, Value value);
  Value fromBits(Location loc, Value value, Type type);
  Value flag(Location loc, Value value);
  Value load(Location loc, Type type, Value from, int32_t index);

  LogicalResult lowerRegister(Operation *op, int32_t which);
  LogicalResult lowerShuffle(NVVM::ShflOp op);
  LogicalResult lowerVote(NVVM::VoteSyncOp op);
  LogicalResult lowerMatch(NVVM::MatchSyncOp op);
  LogicalResult lowerRedux(NVVM::ReduxOp op);
  LogicalResult lowerBarrier(NVVM::BarrierOp op);
  LogicalResult lowerCopy(NVVM::CpAsyncOp op);
  LogicalResult lowerLdMatrix(NVVM::LdMatrixOp op);
  LogicalResult lowerStMatrix(NVVM::StMatrixOp op);
  LogicalResult lowerMma(NVVM::MmaOp op);
  LogicalResult lowerConvert(NVVM::ConvertFloatToTF32Op op);
  LogicalResult lowerApproximation(Operation *op, int32_t function, bool ftz,
                                   Value value);
  LogicalResult lowerIntrinsic(LLVM::CallIntrinsicOp op);
};

} // namespace

LogicalResult OpLowering::replace(Operation *op, StringRef callee, Type result,
                                  ValueRange args, Effect effect) {
  FailureOr<LLVM::CallOp> call =
      builder.call(op->getLoc(), callee, result, args, effect);
  if (failed(call))
    return failure();
  if (op->getNumResults() == 1) {
    Value value = call->getResult();
    Type wanted = op->getResult(0).getType();
    if (wanted == b.getI1Type() && value.getType() == i32())
      value = LLVM::ICmpOp::create(b, op->getLoc(), LLVM::ICmpPredicate::ne,
                                   value, builder.i32(op->getLoc(), 0));
    else
      value = fromBits(op->getLoc(), value, wanted);
    op->getResult(0).replaceAllUsesWith(value);
  }
  op->erase();
  return success();
}

Value OpLowering::bits(Location loc, Value value) {
  return value.getType() == i32()
             ? value
             : LLVM::BitcastOp::create(b, loc, i32(), value).getResult();
}

Value OpLowering::fromBits(Location loc, Value value, Type type) {
  return value.getType() == type
             ? value
             : LLVM::BitcastOp::create(b, loc, type, value).getResult();
}

Value OpLowering::flag(Location loc, Value value) {
  return LLVM::ZExtOp::create(b, loc, i32(), value);
}

/// Element `index` of an array of i32, as a value of a type of 32 bits.
Value OpLowering::load(Location loc, Type type, Value from, int32_t index) {
  Value address = LLVM::GEPOp::create(b, loc, builder.pointer(), i32(), from,
                                      ArrayRef<LLVM::GEPArg>{index});
  return fromBits(loc, LLVM::LoadOp::create(b, loc, i32(), address), type);
}

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

/// The emulator's number of a special register; none for other ops.
static std::optional<int32_t> registerOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<int32_t>>(op)
      .Case([](NVVM::ThreadIdXOp) { return AUTOSAGE_SIMT_TID_X; })
      .Case([](NVVM::ThreadIdYOp) { return AUTOSAGE_SIMT_TID_Y; })
      .Case([](NVVM::ThreadIdZOp) { return AUTOSAGE_SIMT_TID_Z; })
      .Case([](NVVM::BlockDimXOp) { return AUTOSAGE_SIMT_NTID_X; })
      .Case([](NVVM::BlockDimYOp) { return AUTOSAGE_SIMT_NTID_Y; })
      .Case([](NVVM::BlockDimZOp) { return AUTOSAGE_SIMT_NTID_Z; })
      .Case([](NVVM::BlockIdXOp) { return AUTOSAGE_SIMT_CTAID_X; })
      .Case([](NVVM::BlockIdYOp) { return AUTOSAGE_SIMT_CTAID_Y; })
      .Case([](NVVM::BlockIdZOp) { return AUTOSAGE_SIMT_CTAID_Z; })
      .Case([](NVVM::GridDimXOp) { return AUTOSAGE_SIMT_NCTAID_X; })
      .Case([](NVVM::GridDimYOp) { return AUTOSAGE_SIMT_NCTAID_Y; })
      .Case([](NVVM::GridDimZOp) { return AUTOSAGE_SIMT_NCTAID_Z; })
      .Case([](NVVM::LaneIdOp) { return AUTOSAGE_SIMT_LANEID; })
      .Case([](NVVM::WarpSizeOp) { return AUTOSAGE_SIMT_WARPSIZE; })
      .Case([](NVVM::WarpIdOp) { return AUTOSAGE_SIMT_WARPID; })
      .Case([](NVVM::WarpDimOp) { return AUTOSAGE_SIMT_NWARPID; })
      .Case([](NVVM::SmIdOp) { return AUTOSAGE_SIMT_SMID; })
      .Case([](NVVM::SmDimOp) { return AUTOSAGE_SIMT_NSMID; })
      .Case([](NVVM::LaneMaskEqOp) { return AUTOSAGE_SIMT_LANEMASK_EQ; })
      .Case([](NVVM::LaneMaskLeOp) { return AUTOSAGE_SIMT_LANEMASK_LE; })
      .Case([](NVVM::LaneMaskLtOp) { return AUTOSAGE_SIMT_LANEMASK_LT; })
      .Case([](NVVM::LaneMaskGeOp) { return AUTOSAGE_SIMT_LANEMASK_GE; })
      .Case([](NVVM::LaneMaskGtOp) { return AUTOSAGE_SIMT_LANEMASK_GT; })
      .Case([](NVVM::DynamicSmemSize) { return AUTOSAGE_SIMT_DYNAMIC_SHARED; })
      .Default(std::nullopt);
}

LogicalResult OpLowering::lowerRegister(Operation *op, int32_t which) {
  return replace(op, "autosage_simt_register", i32(),
                 builder.i32(op->getLoc(), which), Effect::pure);
}

//===----------------------------------------------------------------------===//
// Barriers and collectives
//===----------------------------------------------------------------------===//

LogicalResult OpLowering::lowerBarrier(NVVM::BarrierOp op) {
  // Parts of a block that wait for themselves would need barriers of their own.
  if (op.getBarrierId() || op.getNumberOfThreads())
    return op.emitOpError("expects the barrier of all threads of a block for "
                          "the simt target, got an id or a number of threads");
  Location loc = op.getLoc();
  if (!op.getReductionOp())
    return replace(op, "autosage_simt_barrier", {}, builder.site(op),
                   Effect::convergent);
  return replace(op, "autosage_simt_barrier_reduce", i32(),
                 {builder.i32(loc, static_cast<int64_t>(*op.getReductionOp())),
                  op.getReductionPredicate(), builder.site(op)},
                 Effect::convergent);
}

LogicalResult OpLowering::lowerShuffle(NVVM::ShflOp op) {
  Location loc = op.getLoc();
  bool pair = op.getReturnValueAndIsValid().value_or(false);
  Value valid = pair ? builder.scratch(op, 1)
                     : LLVM::ZeroOp::create(b, loc, builder.pointer());
  FailureOr<LLVM::CallOp> call =
      builder.call(loc, "autosage_simt_shuffle", i32(),
                   {builder.i32(loc, static_cast<int64_t>(op.getKind())),
                    op.getThreadMask(), bits(loc, op.getVal()), op.getOffset(),
                    op.getMaskAndClamp(), valid, builder.site(op)},
                   Effect::convergent);
  if (failed(call))
    return failure();
  Value result = fromBits(loc, call->getResult(), op.getVal().getType());
  if (pair) {
    Value byte = LLVM::LoadOp::create(b, loc, b.getI8Type(), valid);
    Value one = LLVM::TruncOp::create(b, loc, b.getI1Type(), byte);
    Value both = LLVM::UndefOp::create(b, loc, op.getType());
    both =
        LLVM::InsertValueOp::create(b, loc, both, result, ArrayRef<int64_t>{0});
    result =
        LLVM::InsertValueOp::create(b, loc, both, one, ArrayRef<int64_t>{1});
  }
  op.getResult().replaceAllUsesWith(result);
  op.erase();
  return success();
}

LogicalResult OpLowering::lowerVote(NVVM::VoteSyncOp op) {
  Location loc = op.getLoc();
  return replace(op, "autosage_simt_vote", i32(),
                 {builder.i32(loc, static_cast<int64_t>(op.getKind())),
                  op.getMask(), flag(loc, op.getPred()), builder.site(op)},
                 Effect::convergent);
}

LogicalResult OpLowering::lowerMatch(NVVM::MatchSyncOp op) {
  Location loc = op.getLoc();
  bool all = op.getKind() == NVVM::MatchSyncKind::all;
  Value valid = all ? builder.scratch(op, 1)
                    : LLVM::ZeroOp::create(b, loc, builder.pointer());
  Value value = op.getVal();
  if (value.getType() == i32())
    value = LLVM::ZExtOp::create(b, loc, b.getI64Type(), value);
  FailureOr<LLVM::CallOp> call =
      builder.call(loc, "autosage_simt_match", i32(),
                   {builder.i32(loc, all), op.getThreadMask(), value, valid,
                    builder.site(op)},
                   Effect::convergent);
  if (failed(call))
    return failure();
  Value result = call->getResult();
  if (all) {
    Value byte = LLVM::LoadOp::create(b, loc, b.getI8Type(), valid);
    Value one = LLVM::TruncOp::create(b, loc, b.getI1Type(), byte);
    Value both = LLVM::UndefOp::create(b, loc, op.getType());
    both =
        LLVM::InsertValueOp::create(b, loc, both, result, ArrayRef<int64_t>{0});
    result =
        LLVM::InsertValueOp::create(b, loc, both, one, ArrayRef<int64_t>{1});
  }
  op.getResult().replaceAllUsesWith(result);
  op.erase();
  return success();
}

LogicalResult OpLowering::lowerRedux(NVVM::ReduxOp op) {
  Location loc = op.getLoc();
  return replace(
      op, "autosage_simt_redux", i32(),
      {builder.i32(loc, static_cast<int64_t>(op.getKind())),
       op.getMaskAndClamp(), bits(loc, op.getVal()),
       builder.i32(loc, (op.getAbs() ? 1 : 0) | (op.getNan() ? 2 : 0)),
       builder.site(op)},
      Effect::convergent);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies and matrices
//===----------------------------------------------------------------------===//

LogicalResult OpLowering::lowerCopy(NVVM::CpAsyncOp op) {
  Location loc = op.getLoc();
  Value bytes = builder.i32(loc, op.getSize());
  Value sourceBytes = op.getCpSize() ? op.getCpSize() : bytes;
  auto plain = [&](Value pointer) -> Value {
    return LLVM::AddrSpaceCastOp::create(b, loc, builder.pointer(), pointer);
  };
  return replace(op, "autosage_simt_cp_async", {},
                 {plain(op.getDst()), plain(op.getSrc()), bytes, sourceBytes,
                  builder.i32(loc, checks), builder.site(op)},
                 Effect::memory);
}

LogicalResult OpLowering::lowerLdMatrix(NVVM::LdMatrixOp op) {
  Location loc = op.getLoc();
  auto shape = op.getShape();
  if (op.getEltType() != NVVM::LdStMatrixEltType::B16 || shape.getM() != 8 ||
      shape.getN() != 8)
    return op.emitOpError("expects 8x8 matrices of 16-bit elements for the "
                          "simt target");
  auto count = static_cast<int32_t>(op.getNum());
  Value out = builder.scratch(op, count);
  Value row =
      LLVM::AddrSpaceCastOp::create(b, loc, builder.pointer(), op.getPtr());
  if (failed(builder.call(
          loc, "autosage_simt_ldmatrix", {},
          {row, builder.i32(loc, count),
           builder.i32(loc, op.getLayout() == NVVM::MMALayout::col), out,
           builder.i32(loc, checks), builder.site(op)},
          Effect::convergent)))
    return failure();
  Type type = op.getRes().getType();
  auto structType = dyn_cast<LLVM::LLVMStructType>(type);
  Value result;
  if (!structType) {
    result = load(loc, type, out, 0);
  } else {
    result = LLVM::UndefOp::create(b, loc, type);
    for (auto [i, element] : llvm::enumerate(structType.getBody()))
      result = LLVM::InsertValueOp::create(
          b, loc, result, load(loc, element, out, static_cast<int32_t>(i)),
          ArrayRef<int64_t>{static_cast<int64_t>(i)});
  }
  op.getRes().replaceAllUsesWith(result);
  op.erase();
  return success();
}

LogicalResult OpLowering::lowerStMatrix(NVVM::StMatrixOp op) {
  Location loc = op.getLoc();
  auto shape = op.getShape();
  if (op.getEltType() != NVVM::LdStMatrixEltType::B16 || shape.getM() != 8 ||
      shape.getN() != 8)
    return op.emitOpError("expects 8x8 matrices of 16-bit elements for the "
                          "simt target");
  auto count = static_cast<int64_t>(op.getSources().size());
  Value in = builder.scratch(op, count);
  for (auto [i, value] : llvm::enumerate(op.getSources())) {
    Value slot =
        LLVM::GEPOp::create(b, loc, builder.pointer(), i32(), in,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(b, loc, value, slot);
  }
  Value row =
      LLVM::AddrSpaceCastOp::create(b, loc, builder.pointer(), op.getPtr());
  return replace(op, "autosage_simt_stmatrix", {},
                 {row, builder.i32(loc, count),
                  builder.i32(loc, op.getLayout() == NVVM::MMALayout::col), in,
                  builder.i32(loc, checks), builder.site(op)},
                 Effect::convergent);
}

/// The emulator's number of a multiplicand type; none for others.
static std::optional<int32_t> multiplicand(std::optional<NVVM::MMATypes> type) {
  if (type == NVVM::MMATypes::f16)
    return 0;
  if (type == NVVM::MMATypes::bf16)
    return 1;
  if (type == NVVM::MMATypes::tf32)
    return 2;
  return std::nullopt;
}

LogicalResult OpLowering::lowerMma(NVVM::MmaOp op) {
  Location loc = op.getLoc();
  auto type = multiplicand(op.getMultiplicandAPtxType());
  auto shape = op.getShape();
  bool fits =
      type && op.getMultiplicandAPtxType() == op.getMultiplicandBPtxType();
  int32_t k = shape.getK();
  bool shapeFits = shape.getM() == 16 && shape.getN() == 8 &&
                   (type == 2 ? k == 4 || k == 8 : k == 8 || k == 16);
  auto resultType = cast<LLVM::LLVMStructType>(op.getRes().getType());
  bool half = isa<VectorType>(resultType.getBody().front());
  if (!fits || !shapeFits || op.getLayoutA() != NVVM::MMALayout::row ||
      op.getLayoutB() != NVVM::MMALayout::col)
    return op.emitOpError("expects f16 or bf16 of shape m16n8k8 or m16n8k16, "
                          "or tf32 of shape m16n8k4 or m16n8k8, row times "
                          "column, for the simt target");
  auto spill = [&](OperandRange values) -> Value {
    Value space = builder.scratch(op, static_cast<int64_t>(values.size()));
    for (auto [i, value] : llvm::enumerate(values)) {
      Value slot =
          LLVM::GEPOp::create(b, loc, builder.pointer(), i32(), space,
                              ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
      LLVM::StoreOp::create(b, loc, value, slot);
    }
    return space;
  };
  Value a = spill(op.getOperandA()), bb = spill(op.getOperandB()),
        c = spill(op.getOperandC());
  auto size = static_cast<int32_t>(resultType.getBody().size());
  Value d = builder.scratch(op, size);
  if (failed(
          builder.call(loc, "autosage_simt_mma", {},
                       {builder.i32(loc, *type), builder.i32(loc, k),
                        builder.i32(loc, half), a, bb, c, d, builder.site(op)},
                       Effect::convergent)))
    return failure();
  Value result = LLVM::UndefOp::create(b, loc, resultType);
  for (auto [i, element] : llvm::enumerate(resultType.getBody()))
    result = LLVM::InsertValueOp::create(
        b, loc, result, load(loc, element, d, static_cast<int32_t>(i)),
        ArrayRef<int64_t>{static_cast<int64_t>(i)});
  op.getRes().replaceAllUsesWith(result);
  op.erase();
  return success();
}

LogicalResult OpLowering::lowerConvert(NVVM::ConvertFloatToTF32Op op) {
  bool away = op.getRnd() == NVVM::FPRoundingMode::RNA;
  if ((!away && op.getRnd() != NVVM::FPRoundingMode::RN) ||
      op.getSat() != NVVM::SaturationMode::NONE || op.getRelu())
    return op.emitOpError("expects rounding rn or rna without saturation and "
                          "relu for the simt target");
  return replace(op, "autosage_simt_to_tf32", i32(),
                 {op.getSrc(), builder.i32(op.getLoc(), away)}, Effect::pure);
}

//===----------------------------------------------------------------------===//
// Intrinsics and device functions
//===----------------------------------------------------------------------===//

LogicalResult OpLowering::lowerApproximation(Operation *op, int32_t function,
                                             bool ftz, Value value) {
  Location loc = op->getLoc();
  return replace(op, "autosage_simt_approximate", b.getF32Type(),
                 {builder.i32(loc, function), builder.i32(loc, ftz), value},
                 Effect::pure);
}

LogicalResult OpLowering::lowerIntrinsic(LLVM::CallIntrinsicOp op) {
  StringRef name = op.getIntrin();
  if (!name.consume_front("llvm.nvvm."))
    return success(); // of every target
  if (name == "activemask")
    return replace(op, "autosage_simt_activemask", i32(), {},
                   Effect::convergent);
  if (name == "barrier0" || name == "barrier.cta.sync.aligned.all")
    return replace(op, "autosage_simt_barrier", {}, builder.site(op),
                   Effect::convergent);
  if (name == "bar.warp.sync")
    return replace(op, "autosage_simt_syncwarp", {},
                   {op.getArgs()[0], builder.site(op)}, Effect::convergent);
  auto [function, rest] = name.split(".approx");
  static constexpr struct {
    StringLiteral name;
    int32_t number;
  } functions[] = {{"ex2", AUTOSAGE_SIMT_EX2},   {"lg2", AUTOSAGE_SIMT_LG2},
                   {"rcp", AUTOSAGE_SIMT_RCP},   {"rsqrt", AUTOSAGE_SIMT_RSQRT},
                   {"sqrt", AUTOSAGE_SIMT_SQRT}, {"sin", AUTOSAGE_SIMT_SIN},
                   {"cos", AUTOSAGE_SIMT_COS},   {"tanh", AUTOSAGE_SIMT_TANH}};
  bool ftz = rest.consume_front(".ftz");
  if (name.contains(".approx") && op.getArgs().size() == 1 &&
      op.getArgs()[0].getType() == b.getF32Type())
    for (auto &known : functions)
      if (function == known.name)
        return lowerApproximation(op, known.number, ftz, op.getArgs()[0]);
  return op.emitOpError("calls an intrinsic that is not emulated by the simt "
                        "target: llvm.nvvm.")
         << name;
}

/// The C library's name of a function of libdevice, empty where it has none.
static std::string hostFunction(StringRef name) {
  if (!name.consume_front("__nv_"))
    return "";
  // As exact as the slow one, or more.
  name.consume_front("fast_");
  static const llvm::StringSet<> known = {
      "acos",  "acosh", "asin",     "asinh",  "atan",   "atan2",    "atanh",
      "cbrt",  "ceil",  "cos",      "cosh",   "erf",    "erfc",     "exp",
      "exp10", "exp2",  "expm1",    "fabs",   "floor",  "fma",      "fmax",
      "fmin",  "fmod",  "hypot",    "log",    "log10",  "log1p",    "log2",
      "pow",   "rint",  "round",    "sin",    "sinh",   "sqrt",     "tan",
      "tanh",  "trunc", "copysign", "lgamma", "tgamma", "nearbyint"};
  StringRef base = name;
  if (known.contains(base))
    return name.str();
  if (base.consume_back("f") && known.contains(base))
    return name.str();
  return "";
}

/// Gives declarations of device functions the host's names.
static LogicalResult lowerFunctions(gpu::GPUModuleOp module) {
  for (auto function : llvm::to_vector(module.getOps<LLVM::LLVMFuncOp>())) {
    if (!function.isExternal())
      continue;
    std::string name = hostFunction(function.getName());
    if (function.getName() == "__assertfail")
      name = "autosage_simt_assert_fail";
    bool device = function.getName().starts_with("__nv_") ||
                  function.getName() == "vprintf";
    if (name.empty() && device)
      return function.emitOpError("is not emulated by the simt target");
    if (name.empty())
      continue;
    StringAttr fresh = StringAttr::get(module.getContext(), name);
    if (failed(SymbolTable::replaceAllSymbolUses(function, fresh, module)))
      return function.emitOpError("expects uses that can be renamed");
    function.setName(name);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

LogicalResult OpLowering::lower(Operation *op) {
  b.setInsertionPoint(op);
  Location loc = op->getLoc();
  if (std::optional<int32_t> which = registerOf(op))
    return lowerRegister(op, *which);
  auto erase = [&] {
    op->erase();
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](NVVM::Barrier0Op) {
        return replace(op, "autosage_simt_barrier", {}, builder.site(op),
                       Effect::convergent);
      })
      .Case([&](NVVM::BarrierOp o) { return lowerBarrier(o); })
      .Case([&](NVVM::SyncWarpOp o) {
        return replace(op, "autosage_simt_syncwarp", {},
                       {o.getMask(), builder.site(op)}, Effect::convergent);
      })
      .Case([&](NVVM::ShflOp o) { return lowerShuffle(o); })
      .Case([&](NVVM::VoteSyncOp o) { return lowerVote(o); })
      .Case([&](NVVM::MatchSyncOp o) { return lowerMatch(o); })
      .Case([&](NVVM::ReduxOp o) { return lowerRedux(o); })
      .Case([&](NVVM::ElectSyncOp o) {
        Value mask =
            o.getMembermask() ? o.getMembermask() : builder.i32(loc, -1);
        return replace(op, "autosage_simt_elect", i32(),
                       {mask, builder.site(op)}, Effect::convergent);
      })
      .Case([&](NVVM::CpAsyncOp o) { return lowerCopy(o); })
      .Case([&](NVVM::CpAsyncCommitGroupOp) {
        return replace(op, "autosage_simt_cp_async_commit", {}, {},
                       Effect::memory);
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp o) {
        return replace(op, "autosage_simt_cp_async_wait", {},
                       builder.i32(loc, o.getN()), Effect::memory);
      })
      .Case([&](NVVM::LdMatrixOp o) { return lowerLdMatrix(o); })
      .Case([&](NVVM::StMatrixOp o) { return lowerStMatrix(o); })
      .Case([&](NVVM::MmaOp o) { return lowerMma(o); })
      .Case([&](NVVM::ConvertFloatToTF32Op o) { return lowerConvert(o); })
      .Case([&](NVVM::RcpApproxFtzF32Op o) {
        return lowerApproximation(op, AUTOSAGE_SIMT_RCP, true, o.getArg());
      })
      .Case<NVVM::ClockOp, NVVM::Clock64Op, NVVM::GlobalTimerOp>(
          [&](auto) -> LogicalResult {
            FailureOr<LLVM::CallOp> call = builder.call(
                loc, "autosage_simt_clock", b.getI64Type(), {}, Effect::memory);
            if (failed(call))
              return failure();
            Value time = call->getResult();
            if (op->getResult(0).getType() == i32())
              time = LLVM::TruncOp::create(b, loc, i32(), time);
            op->getResult(0).replaceAllUsesWith(time);
            return erase();
          })
      // Threads run one at a time, so that memory needs no fences; what they
      // are needed for on the device is not checked.
      .Case<NVVM::MembarOp, NVVM::PrefetchOp, NVVM::NanosleepOp,
            NVVM::GriddepcontrolOp>([&](auto) { return erase(); })
      .Case([&](LLVM::FenceOp) { return erase(); })
      .Case([&](LLVM::Trap) {
        return replace(op, "autosage_simt_trap", {}, builder.site(op),
                       Effect::memory);
      })
      .Case([&](LLVM::CallIntrinsicOp o) { return lowerIntrinsic(o); })
      .Case([&](LLVM::InlineAsmOp) { return unsupported(op); })
      .Default([&](Operation *) {
        return isa<NVVM::NVVMDialect>(op->getDialect()) ? unsupported(op)
                                                        : success();
      });
}

LogicalResult autosage::simt::lowerOps(gpu::GPUModuleOp module, int32_t checks,
                                       CallBuilder &builder) {
  if (failed(lowerFunctions(module)))
    return failure();
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (op->getParentOfType<LLVM::LLVMFuncOp>())
      ops.push_back(op);
  });
  OpLowering lowering(checks, builder);
  for (Operation *op : ops)
    if (failed(lowering.lower(op)))
      return failure();
  return success();
}
