//===- Math.cpp - the exponential on the GPU ------------------------------===//
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

namespace mlir::autosage::device {

static constexpr double kLog2E = 1.4426950408889634;

Value Emitter::exp(Value value) {
  return getElementTypeOrSelf(value.getType()).isF64() ? exp64(value)
                                                       : exp32(value);
}

Value Emitter::exp32(Value value) {
  // One instruction, ex2.approx.
  return LLVM::Exp2Op::create(b, loc,
                              mul(value, constant(kLog2E, value.getType())));
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
  Value n = LLVM::RoundEvenOp::create(b, loc, mul(x, number(kLog2E)));
  // ln 2 in two parts: the first has few bits, so that n times it is exact.
  Value r = fma(n, number(-6.93147180369123816490e-01), x);
  r = fma(n, number(-1.90821492927058770002e-10), r);
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

} // namespace mlir::autosage::device
