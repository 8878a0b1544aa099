//===- ExpandHalf.cpp - 16-bit floats by integer operations ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between f32 and the formats of 16 bits, without branches, so that
// vectors stay vectors. LLVM turns a conversion that the target lacks into one
// library call an element (__truncsfbf2, __extendhfsf2), which needs a new
// libgcc or compiler-rt. bf16 is expanded for every target: the instruction of
// AVX512_BF16 takes denormals for zero.
//
// Masked loads and stores move integers: LLVM takes those of 16-bit floats
// apart on more targets, and converts bf16 to f32 and back on the way.
//
// All of it holds whatever the processor is told to do with denormals.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/ExpandHalf/ExpandHalf.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEEXPANDHALF
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using arith::CmpIPredicate;

namespace {

/// Bits of floats as integers, of the shape (or none) of one value.
class Bits {
public:
  Bits(OpBuilder &b, Location loc, Type like) : b(b), loc(loc), like(like) {}

  Type shaped(Type element) const {
    auto type = dyn_cast<ShapedType>(like);
    return type ? Type(type.clone(element)) : element;
  }
  Type f32() const { return shaped(b.getF32Type()); }
  Type i32() const { return shaped(b.getI32Type()); }
  Type i16() const { return shaped(b.getI16Type()); }

  Value constant(uint32_t value) {
    return splat(i32(), b.getIntegerAttr(b.getI32Type(), value));
  }
  Value constantF(double value) {
    return splat(f32(), b.getF32FloatAttr(static_cast<float>(value)));
  }

  Value add(Value lhs, Value rhs) { return op<arith::AddIOp>(lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return op<arith::SubIOp>(lhs, rhs); }
  Value shl(Value lhs, uint32_t n) { return op<arith::ShLIOp>(lhs, n); }
  Value shr(Value lhs, uint32_t n) { return op<arith::ShRUIOp>(lhs, n); }
  Value conj(Value lhs, uint32_t m) { return op<arith::AndIOp>(lhs, m); }
  Value disj(Value lhs, uint32_t m) { return op<arith::OrIOp>(lhs, m); }
  Value disj(Value lhs, Value rhs) { return op<arith::OrIOp>(lhs, rhs); }
  Value add(Value lhs, uint32_t n) { return op<arith::AddIOp>(lhs, n); }

  /// Unsigned; the signed comparison is the cheaper one on x86-64, and no value
  /// compared here has its highest bit set.
  Value atLeast(Value lhs, uint32_t n) {
    return arith::CmpIOp::create(b, loc, CmpIPredicate::sge, lhs, constant(n));
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(b, loc, condition, lhs, rhs);
  }
  Value cast(Value value, Type type) {
    return arith::BitcastOp::create(b, loc, type, value);
  }
  Value addF(Value lhs, Value rhs) { return op<arith::AddFOp>(lhs, rhs); }
  Value mulF(Value lhs, Value rhs) { return op<arith::MulFOp>(lhs, rhs); }

  /// The bits of a 16-bit value in the low half of an i32, and back.
  Value ofHalf(Value half) {
    return arith::ExtUIOp::create(b, loc, i32(), cast(half, i16()));
  }
  Value toHalf(Value bits, Type half) {
    return cast(arith::TruncIOp::create(b, loc, i16(), bits), half);
  }
  Value toFloat(Value integer) {
    return arith::SIToFPOp::create(b, loc, f32(), integer);
  }

  /// bits / 2^n to nearest, ties to even.
  Value shrRounding(Value bits, uint32_t n) {
    Value odd = conj(shr(bits, n), 1);
    return shr(add(add(bits, (1u << (n - 1)) - 1), odd), n);
  }

private:
  template <typename OpT> Value op(Value lhs, Value rhs) {
    return OpT::create(b, loc, lhs, rhs);
  }
  template <typename OpT> Value op(Value lhs, uint32_t rhs) {
    return OpT::create(b, loc, lhs, constant(rhs));
  }
  Value splat(Type type, TypedAttr element) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      element = DenseElementsAttr::get(shaped, element);
    return arith::ConstantOp::create(b, loc, element);
  }

  OpBuilder &b;
  Location loc;
  Type like;
};

} // namespace

static constexpr uint32_t kInfinity = 0x7f800000;
static constexpr uint32_t kMagnitude = 0x7fffffff;

/// A bf16 is the upper half of an f32.
static Value widenBf16(Bits b, Value half) {
  return b.cast(b.shl(b.ofHalf(half), 16), b.f32());
}

static Value narrowBf16(Bits b, Value value, Type half) {
  Value bits = b.cast(value, b.i32());
  // A carry goes into the exponent, up to infinity.
  Value rounded = b.shrRounding(bits, 16);
  // NaN might be rounded to infinity: cut off, and quiet.
  Value nan = b.disj(b.shr(bits, 16), 0x40);
  Value isNan = b.atLeast(b.conj(bits, kMagnitude), kInfinity + 1);
  return b.toHalf(b.select(isNan, nan, rounded), half);
}

static Value widenF16(Bits b, Value half) {
  Value bits = b.ofHalf(half);
  Value sign = b.shl(b.conj(bits, 0x8000), 16);
  Value magnitude = b.conj(bits, 0x7fff);
  // The exponent's bias grows by 112; infinity and NaN need as much again.
  constexpr uint32_t rebias = 112u << 23;
  Value normal = b.add(b.shl(magnitude, 13), rebias);
  Value infinite = b.add(normal, rebias);
  Value wide = b.select(b.atLeast(magnitude, 0x7c00), infinite, normal);
  // Denormals are multiples of 2^-24 and normal in f32.
  Value denormal =
      b.cast(b.mulF(b.toFloat(magnitude), b.constantF(0x1p-24)), b.i32());
  wide = b.select(b.atLeast(magnitude, 0x400), wide, denormal);
  return b.cast(b.disj(wide, sign), b.f32());
}

static Value narrowF16(Bits b, Value value, Type half) {
  Value bits = b.cast(value, b.i32());
  Value sign = b.conj(b.shr(bits, 16), 0x8000);
  Value magnitude = b.conj(bits, kMagnitude);
  Value normal = b.shrRounding(b.sub(magnitude, b.constant(112u << 23)), 13);
  // Below 2^-14 results are multiples of 2^-24, the distance of the floats
  // above 1/2: adding that rounds, and leaves the multiple in the low bits.
  constexpr uint32_t oneHalf = 0x3f000000;
  Value shifted = b.addF(b.cast(magnitude, b.f32()), b.constantF(0.5));
  Value denormal = b.sub(b.cast(shifted, b.i32()), b.constant(oneHalf));
  Value result = b.select(b.atLeast(magnitude, 113u << 23), normal, denormal);
  // From 2^16 on; what lies between the largest f16 and that rounds by itself.
  result =
      b.select(b.atLeast(magnitude, 143u << 23), b.constant(0x7c00), result);
  Value nan = b.disj(b.conj(b.shr(magnitude, 13), 0x3ff), 0x7e00);
  result = b.select(b.atLeast(magnitude, kInfinity + 1), nan, result);
  return b.toHalf(b.disj(result, sign), half);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
struct ExpandExtF final : OpRewritePattern<arith::ExtFOp> {
  ExpandExtF(MLIRContext *context, bool f16)
      : OpRewritePattern(context), f16(f16) {}

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Value half = op.getIn();
    Type element = getElementTypeOrSelf(half);
    if (!element.isBF16() && !(f16 && element.isF16()))
      return rewriter.notifyMatchFailure(op, "expects a type to be expanded");
    Type wide = getElementTypeOrSelf(op.getType());
    if (!wide.isF32() && !wide.isF64())
      return rewriter.notifyMatchFailure(op, "expects a result of f32 or f64");
    Bits bits(rewriter, op.getLoc(), half.getType());
    Value value =
        element.isBF16() ? widenBf16(bits, half) : widenF16(bits, half);
    if (wide.isF64()) // both steps are exact
      value = arith::ExtFOp::create(rewriter, op.getLoc(), op.getType(), value);
    rewriter.replaceOp(op, value);
    return success();
  }

  bool f16;
};

struct ExpandTruncF final : OpRewritePattern<arith::TruncFOp> {
  ExpandTruncF(MLIRContext *context, bool f16)
      : OpRewritePattern(context), f16(f16) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Value value = op.getIn();
    // f64 by way of f32 would be rounded twice.
    if (!getElementTypeOrSelf(value).isF32())
      return rewriter.notifyMatchFailure(op, "expects an operand of f32");
    if (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "expects rounding to nearest");
    Type half = op.getType(), element = getElementTypeOrSelf(half);
    if (!element.isBF16() && !(f16 && element.isF16()))
      return rewriter.notifyMatchFailure(op, "expects a type to be expanded");
    Bits bits(rewriter, op.getLoc(), value.getType());
    rewriter.replaceOp(op, element.isBF16() ? narrowBf16(bits, value, half)
                                            : narrowF16(bits, value, half));
    return success();
  }

  bool f16;
};

/// Vectors of 16-bit integers in place of 16-bit floats; null for others.
static VectorType integersFor(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector ||
      !(vector.getElementType().isBF16() || vector.getElementType().isF16()))
    return nullptr;
  return vector.clone(IntegerType::get(type.getContext(), 16));
}

struct ExpandMaskedLoad final : OpRewritePattern<LLVM::MaskedLoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::MaskedLoadOp op,
                                PatternRewriter &rewriter) const override {
    VectorType integers = integersFor(op.getType());
    if (!integers)
      return rewriter.notifyMatchFailure(op, "expects f16 or bf16");
    Location loc = op.getLoc();
    Value passThru = op.getPassThru();
    if (passThru)
      passThru = LLVM::BitcastOp::create(rewriter, loc, integers, passThru);
    Value loaded = LLVM::MaskedLoadOp::create(
        rewriter, loc, integers, op.getData(), op.getMask(), passThru,
        op.getAlignmentAttr(), op.getNontemporalAttr());
    rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, op.getType(), loaded);
    return success();
  }
};

struct ExpandMaskedStore final : OpRewritePattern<LLVM::MaskedStoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LLVM::MaskedStoreOp op,
                                PatternRewriter &rewriter) const override {
    VectorType integers = integersFor(op.getValue().getType());
    if (!integers)
      return rewriter.notifyMatchFailure(op, "expects f16 or bf16");
    Value value =
        LLVM::BitcastOp::create(rewriter, op.getLoc(), integers, op.getValue());
    rewriter.replaceOpWithNewOp<LLVM::MaskedStoreOp>(
        op, value, op.getData(), op.getMask(), op.getAlignmentAttr());
    return success();
  }
};

struct ExpandHalfPass final
    : public mlir::autosage::impl::AutosageExpandHalfBase<ExpandHalfPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    mlir::autosage::populateExpandHalfPatterns(set, f16);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    walkAndApplyPatterns(getOperation(), patterns);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

void mlir::autosage::populateExpandHalfPatterns(RewritePatternSet &patterns,
                                                bool f16) {
  patterns.add<ExpandExtF, ExpandTruncF>(patterns.getContext(), f16);
  patterns.add<ExpandMaskedLoad, ExpandMaskedStore>(patterns.getContext());
}
