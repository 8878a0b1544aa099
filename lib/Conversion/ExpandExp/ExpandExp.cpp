//===- ExpandExp.cpp - the exponential function as arithmetic -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `math.exp` on a vector ends in one call of libm for each lane. Here it is
// arithmetic that every target has vector instructions for, the same for a
// scalar as for a lane, so that what a row gives does not depend on the form
// of the loop that computes it.
//
//   exp(x) = 2^n * exp(r),  n = round(x / ln 2),  r = x - n * ln 2
//
// ln 2 is split in two, of which the first has so few digits that n times it is
// exact (Cody and Waite, 1980); exp(r) is 1 + r + r^2 Q(r). Q interpolates at
// Chebyshev points of [-ln 2 / 2, ln 2 / 2], with a relative error of the whole
// below a hundredth of a unit in the last place. 2^n is applied as two
// factors: one alone is no normal number at either end of the range, and a
// result that is not normal must be rounded once. docs/semantics.md states the
// error of the result and names its test.
//
//===----------------------------------------------------------------------===//

#include "autosage/Conversion/ExpandExp/ExpandExp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#define DEBUG_TYPE "autosage-expand-exp"

namespace mlir::autosage {
#define GEN_PASS_DEF_AUTOSAGEEXPANDEXP
#include "autosage/Conversion/Passes.h.inc"
} // namespace mlir::autosage

using namespace mlir;
using namespace mlir::autosage;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
struct Constants {
  double lowest, highest; // exp is 0 below and inf above, after rounding
  double log2e;
  double ln2High, ln2Low;
  double magic; // 1.5 * 2^mantissa: adding it rounds to an integer
  int64_t magicBits;
  int64_t mantissa, bias; // bits of the fraction, exponent of 1
  ArrayRef<double> polynomial;
};
} // namespace

static constexpr double kPolynomialF32[] = {
    0.500000001346581,  0.16666666681623232,   0.041666464925285904,
    0.0083333109254809, 0.0013933649996309251, 0.00019890990824673654,
};
static constexpr double kPolynomialF64[] = {
    0.5,
    0.1666666666666667,
    0.04166666666666667,
    0.008333333333326136,
    0.0013888888888883748,
    0.00019841269874820627,
    2.4801587325547743e-05,
    2.7557255400206422e-06,
    2.75572736431103e-07,
    2.5105217004720745e-08,
    2.0914686968086876e-09,
};

static Constants constantsOf(FloatType type) {
  if (type.isF64())
    return {-746.0,
            710.0,
            1.4426950408889634,
            6.93145751953125e-1,
            1.42860682030941723212e-6,
            6755399441055744.0,
            0x4338000000000000,
            52,
            1023,
            kPolynomialF64};
  return {-104.0,
          89.0,
          1.44269504088896341,
          0.693359375,
          -2.12194440e-4,
          12582912.0,
          0x4B400000,
          23,
          127,
          kPolynomialF32};
}

//===----------------------------------------------------------------------===//
// The pattern
//===----------------------------------------------------------------------===//

namespace {
/// Arithmetic on values of one shape, scalars or vectors.
class Arithmetic {
public:
  Arithmetic(OpBuilder &b, Location loc, Type type)
      : b(b), loc(loc), type(type),
        intType(b.getIntegerType(
            getElementTypeOrSelf(type).getIntOrFloatBitWidth())) {
    if (auto vector = dyn_cast<VectorType>(type))
      intType = vector.clone(intType);
  }

  Value constant(double value) {
    return constant(b.getFloatAttr(getElementTypeOrSelf(type), value), type);
  }
  Value constant(int64_t value) {
    return constant(b.getIntegerAttr(getElementTypeOrSelf(intType), value),
                    intType);
  }
  template <typename OpT> Value make(Value lhs, Value rhs) {
    return OpT::create(b, loc, lhs, rhs);
  }
  /// lhs * rhs + sum, fused where the target can. Not math.fma, which is a call
  /// of libm for each lane where it cannot.
  Value mulAdd(Value lhs, Value rhs, Value sum) {
    auto contract = arith::FastMathFlags::contract;
    Value product = arith::MulFOp::create(b, loc, lhs, rhs, contract);
    return arith::AddFOp::create(b, loc, product, sum, contract);
  }
  /// `bound` where x is beyond it. A comparison that NaN fails, so that it
  /// stays.
  Value clamp(Value x, arith::CmpFPredicate beyond, double limit) {
    Value bound = constant(limit);
    Value isBeyond = arith::CmpFOp::create(b, loc, beyond, x, bound);
    return arith::SelectOp::create(b, loc, isBeyond, bound, x);
  }
  Value bitsOf(Value value) {
    return arith::BitcastOp::create(b, loc, intType, value);
  }
  Value ofBits(Value bits) {
    return arith::BitcastOp::create(b, loc, type, bits);
  }

private:
  Value constant(TypedAttr attr, Type type) {
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, attr);
    return arith::ConstantOp::create(b, loc, attr);
  }

  OpBuilder &b;
  Location loc;
  Type type, intType;
};
} // namespace

static Value expand(Arithmetic &a, Value x, const Constants &c) {
  x = a.clamp(x, arith::CmpFPredicate::OLT, c.lowest);
  x = a.clamp(x, arith::CmpFPredicate::OGT, c.highest);

  Value magic = a.constant(c.magic);
  Value shifted = a.mulAdd(x, a.constant(c.log2e), magic);
  Value n = a.make<arith::SubFOp>(shifted, magic);
  Value r = a.mulAdd(n, a.constant(-c.ln2High), x);
  r = a.mulAdd(n, a.constant(-c.ln2Low), r);

  Value q = a.constant(c.polynomial.back());
  for (double coefficient : llvm::reverse(c.polynomial.drop_back()))
    q = a.mulAdd(q, r, a.constant(coefficient));
  Value power = a.mulAdd(q, a.make<arith::MulFOp>(r, r), r);
  power = a.make<arith::AddFOp>(power, a.constant(1.0));

  // The low bits of `shifted` are n. With twice the bias of an exponent it is
  // positive, and its halves, rounded down and up, are the biased exponents of
  // the two factors.
  Value biased = a.make<arith::SubIOp>(a.bitsOf(shifted),
                                       a.constant(c.magicBits - 2 * c.bias));
  Value lower = a.make<arith::ShRUIOp>(biased, a.constant(int64_t(1)));
  Value upper = a.make<arith::SubIOp>(biased, lower);
  for (Value exponent : {lower, upper}) {
    Value bits = a.make<arith::ShLIOp>(exponent, a.constant(c.mantissa));
    power = a.make<arith::MulFOp>(power, a.ofBits(bits));
  }
  return power;
}

namespace {
struct ExpandExp final : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isa<FloatType, VectorType>(type))
      return rewriter.notifyMatchFailure(op, "expects a scalar or a vector");
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    if (!element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "expects f32 or f64");
    Arithmetic arithmetic(rewriter, op.getLoc(), type);
    rewriter.replaceOp(
        op, expand(arithmetic, op.getOperand(), constantsOf(element)));
    return success();
  }
};
} // namespace

void mlir::autosage::populateExpandExpPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExp>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ExpandExpPass final
    : public mlir::autosage::impl::AutosageExpandExpBase<ExpandExpPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateExpandExpPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    auto count = [&] {
      int64_t number = 0;
      getOperation()->walk([&](math::ExpOp) { ++number; });
      return number;
    };
    int64_t before = count();
    if (before == 0)
      return;
    walkAndApplyPatterns(getOperation(), patterns);
    numExpanded += before - count();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
