//===- Math.cpp - exponential and logarithm on the GPU --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without libdevice, which a machine without the CUDA toolkit does not have.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include <limits>

namespace mlir::autosage::device {

static constexpr double kLog2E = 1.4426950408889634;
static constexpr double kLn2 = 0.69314718055994531;
// ln 2 in two parts: the first has few bits, so that an exponent times it is
// exact.
static constexpr double kLn2High = 6.93147180369123816490e-01;
static constexpr double kLn2Low = 1.90821492927058770002e-10;

Value Emitter::exp(Value value) {
  return getElementTypeOrSelf(value.getType()).isF64() ? exp64(value)
                                                       : exp32(value);
}

/// One instruction of the unit for such functions; denormal numbers count as 0.
static Value approximate(Emitter &e, StringRef intrinsic, Value value) {
  return LLVM::CallIntrinsicOp::create(e.b, e.loc, value.getType(),
                                       e.b.getStringAttr(intrinsic), value)
      .getResult(0);
}

Value Emitter::exp32(Value value) {
  Value scaled = mul(value, constant(kLog2E, value.getType()));
  return approximate(*this, "llvm.nvvm.ex2.approx.ftz.f", scaled);
}

/// e^x = 2^n * e^r with n the integer next to x / ln 2, so |r| <= ln 2 / 2.
Value Emitter::exp64(Value value) {
  Type type = value.getType();
  auto number = [&](double v) { return constant(v, type); };
  // Beyond these bounds the result is 0 or inf; they keep n small. NaN goes
  // around: converting it to an integer is undefined.
  Value isNan = cmpF(arith::CmpFPredicate::UNO, value, value);
  Value x = select(isNan, number(0.0), value);
  x = maxF(minF(x, number(710.0)), number(-746.0));
  // Rounds: sums from 2^52 to 2^53 have no fraction.
  constexpr double kRound = 0x1.8p52;
  Value n = sub(fma(x, number(kLog2E), number(kRound)), number(kRound));
  Value r = fma(n, number(-kLn2High), x);
  r = fma(n, number(-kLn2Low), r);
  // The series up to r^13 / 13!, below 2^-54 of the sum.
  double factorial = 6227020800.0; // 13!
  Value sum = number(1.0 / factorial);
  for (int power = 13; power > 0; --power) {
    factorial /= power;
    sum = fma(sum, r, number(1.0 / factorial));
  }
  // 2^n in two factors, each of them a normal number.
  Type bits = b.getI64Type();
  if (auto vector = dyn_cast<VectorType>(type))
    bits = vector.clone(bits);
  auto integers = [&](int64_t v) -> Value {
    TypedAttr attribute = b.getI64IntegerAttr(v);
    if (auto vector = dyn_cast<VectorType>(bits))
      attribute = DenseElementsAttr::get(vector, Attribute(attribute));
    return arith::ConstantOp::create(b, loc, attribute);
  };
  Value whole = arith::FPToSIOp::create(b, loc, bits, n);
  Value half = arith::ShRSIOp::create(b, loc, whole, integers(1));
  Value result = sum;
  for (Value exponent : {half, subI(whole, half)}) {
    Value biased = addI(exponent, integers(1023));
    Value power = arith::ShLIOp::create(b, loc, biased, integers(52));
    result = mul(result, arith::BitcastOp::create(b, loc, type, power));
  }
  return select(isNan, value, result);
}

Value Emitter::log(Value value) {
  if (value.getType().isF64())
    return log64(value);
  Value log2 = approximate(*this, "llvm.nvvm.lg2.approx.ftz.f", value);
  return mul(log2, constant(kLn2, value.getType()));
}

/// log(2^k * m) = k * ln 2 + log(m) with m in [1/sqrt 2, sqrt 2), and
/// log(m) = 2 atanh(s) with s = (m - 1) / (m + 1), |s| < 0.172.
Value Emitter::log64(Value value) {
  Type type = value.getType();
  auto number = [&](double v) { return constant(v, type); };
  Value isFinite = cmpF(arith::CmpFPredicate::OLT, value,
                        number(std::numeric_limits<double>::infinity()));
  Value x = select(isFinite, value, number(1.0));
  // The exponent, rounded so that what is left lies around 1.
  constexpr int64_t kHalfRoot = 0x3FE6A09E667F3BCD; // 1 / sqrt(2)
  Value bits = arith::BitcastOp::create(b, loc, b.getI64Type(), x);
  Value k = arith::ShRSIOp::create(b, loc, subI(bits, i64(kHalfRoot)), i64(52));
  Value scale = arith::ShLIOp::create(b, loc, k, i64(52));
  Value m = arith::BitcastOp::create(b, loc, type, subI(bits, scale));
  Value f = sub(m, number(1.0));
  Value s = div(f, add(m, number(1.0)));
  Value z = mul(s, s);
  // The series of 2 atanh(s) - 2 s = s * (2/3 z + 2/5 z^2 + ...), whose next
  // term is below 2^-56 of the sum.
  Value tail = number(2.0 / 21);
  for (int power = 19; power > 1; power -= 2)
    tail = fma(tail, z, number(2.0 / power));
  tail = mul(tail, z);
  // 2 s = f - s f, and f is exact.
  Value rest = mul(s, sub(tail, f));
  Value n = toFloat(k, cast<FloatType>(type));
  Value low = fma(n, number(kLn2Low), rest);
  Value result = fma(n, number(kLn2High), add(f, low));
  return select(isFinite, result, value);
}

} // namespace mlir::autosage::device
