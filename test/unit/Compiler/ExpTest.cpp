//===- ExpTest.cpp - the error of the exponential function ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `math.exp` as the pipeline compiles it, against libm in a wider type, over
// the whole range of arguments. docs/semantics.md states the bound.
//
//===----------------------------------------------------------------------===//

#include "autosage/Compiler/Compiler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace autosage;
using namespace autosage::compiler;

/// In units of the last place of the result, as docs/semantics.md has it.
static constexpr double kBound = 1.0;

namespace {
template <typename T> struct Descriptor {
  T *allocated, *aligned;
  int64_t offset, size, stride;
};

/// y[i] = exp(x[i]) on arrays of whole vectors of 16.
template <typename T> class Exp {
public:
  explicit Exp(const std::string &type, const CompileOptions &options = {}) {
    std::string text = R"(
      func.func @main(%x: memref<?xT>, %y: memref<?xT>, %z: memref<?xT>)
          attributes {llvm.emit_c_interface} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %n = memref.dim %x, %c0 : memref<?xT>
        scf.for %i = %c0 to %n step %c16 {
          %v = vector.load %x[%i] : memref<?xT>, vector<16xT>
          %e = math.exp %v : vector<16xT>
          vector.store %e, %y[%i] : memref<?xT>, vector<16xT>
        }
        scf.for %i = %c0 to %n step %c1 {
          %v = memref.load %x[%i] : memref<?xT>
          %e = math.exp %v : T
          memref.store %e, %z[%i] : memref<?xT>
        }
        return
      })";
    for (size_t at; (at = text.find("xT>")) != std::string::npos;)
      text.replace(at, 3, "x" + type + ">");
    size_t scalar = text.find(": T\n");
    text.replace(scalar, 3, ": " + type);
    auto compiled = compileCpu(text, "exp", options);
    EXPECT_TRUE(compiled) << compiled.error();
    if (compiled)
      kernel = std::move(*compiled);
  }

  /// Of vectors; the scalar form must give the same bits.
  std::vector<T> operator()(std::vector<T> x) {
    size_t count = x.size();
    x.resize((count + 15) / 16 * 16);
    std::vector<T> y(x.size(), T(-7)), z(x.size(), T(-9));
    Descriptor<T> dx = describe(x), dy = describe(y), dz = describe(z);
    Descriptor<T> *px = &dx, *py = &dy, *pz = &dz;
    void *args[] = {px, py, pz};
    Status status = kernel->invoke(args, 3);
    EXPECT_TRUE(status) << status.error();
    EXPECT_EQ(std::memcmp(y.data(), z.data(), y.size() * sizeof(T)), 0);
    y.resize(count);
    return y;
  }

private:
  static Descriptor<T> describe(std::vector<T> &v) {
    return {v.data(), v.data(), 0, static_cast<int64_t>(v.size()), 1};
  }
  std::unique_ptr<CompiledKernel> kernel;
};

/// The distance from the exact value in units of the last place of the type.
/// Infinite where only one of the two is NaN or infinite.
template <typename T, typename Wide> double ulps(T got, Wide exact) {
  T rounded = static_cast<T>(exact);
  if (std::isnan(got) || std::isnan(rounded) || std::isinf(got) ||
      std::isinf(rounded)) {
    bool same = std::isnan(got) ? std::isnan(rounded) : got == rounded;
    return same ? 0 : std::numeric_limits<double>::infinity();
  }
  int exponent =
      std::max(std::ilogb(std::max(rounded, std::numeric_limits<T>::min())),
               std::numeric_limits<T>::min_exponent - 1);
  Wide ulp =
      std::ldexp(Wide(1), exponent - (std::numeric_limits<T>::digits - 1));
  return static_cast<double>(std::fabs(Wide(got) - exact) / ulp);
}

template <typename T, typename Wide>
double largestError(Exp<T> &function, const std::vector<T> &x) {
  std::vector<T> y = function(x);
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, ulps<T, Wide>(y[i], std::exp(Wide(x[i]))));
  return largest;
}

/// Without fused multiply-add, and with what this machine has.
std::vector<CompileOptions> machines() {
  CompileOptions baseline;
#ifdef __x86_64__
  baseline.cpu = "x86-64";
#endif
  return {CompileOptions(), baseline};
}
} // namespace

TEST(Exp, SingleIsWithinOneUlp) {
  for (const CompileOptions &machine : machines()) {
    Exp<float> function("f32", machine);
    // Every 101st of the floats between those whose result is 0 and infinite.
    std::vector<float> x;
    for (uint32_t bits = 0; bits < 0x43000000; bits += 101) { // 128
      float value;
      std::memcpy(&value, &bits, sizeof(value));
      x.push_back(-value);
      x.push_back(value);
    }
    double error = largestError<float, double>(function, x);
    RecordProperty("ulps_on_" + (machine.cpu.empty() ? "host" : machine.cpu),
                   std::to_string(error));
    EXPECT_LT(error, kBound) << machine.cpu;
  }
}

TEST(Exp, DoubleIsWithinOneUlp) {
  if (std::numeric_limits<long double>::digits <= 53)
    GTEST_SKIP() << "long double is no wider than double here";
  std::mt19937_64 engine(5);
  for (const CompileOptions &machine : machines()) {
    Exp<double> function("f64", machine);
    std::vector<double> x;
    std::uniform_real_distribution<double> all(-750, 715),
        subnormal(-746, -708), near(-2, 2), logarithm(-60, 0);
    for (int i = 0; i < 500000; ++i) {
      x.push_back(all(engine));
      x.push_back(subnormal(engine));
      x.push_back(near(engine));
      x.push_back(std::exp2(logarithm(engine)));
      x.push_back(-x.back());
    }
    double error = largestError<double, long double>(function, x);
    RecordProperty("ulps_on_" + (machine.cpu.empty() ? "host" : machine.cpu),
                   std::to_string(error));
    EXPECT_LT(error, kBound) << machine.cpu;
  }
}

template <typename T> static void checkSpecialValues(const std::string &type) {
  T inf = std::numeric_limits<T>::infinity();
  T nan = std::numeric_limits<T>::quiet_NaN();
  T largest = std::numeric_limits<T>::max();
  Exp<T> function(type);
  std::vector<T> y =
      function({-inf, inf, nan, -nan, T(0), T(-0.0), -largest, largest,
                std::numeric_limits<T>::denorm_min(), T(1)});
  EXPECT_EQ(y[0], T(0));
  EXPECT_FALSE(std::signbit(y[0]));
  EXPECT_EQ(y[1], inf);
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_TRUE(std::isnan(y[3]));
  EXPECT_EQ(y[4], T(1));
  EXPECT_EQ(y[5], T(1));
  EXPECT_EQ(y[6], T(0));
  EXPECT_EQ(y[7], inf);
  EXPECT_EQ(y[8], T(1));
  // The last arguments with finite and nonzero results, and their neighbours.
  T top = std::log(largest);
  T bottom = std::log(std::numeric_limits<T>::denorm_min());
  for (T x : {top, bottom}) {
    std::vector<T> around;
    for (T step = std::nextafter(x, -inf), end = x + std::fabs(x) / 1000;
         step < end; step = step + std::fabs(x) / 100000)
      around.push_back(step);
    double error = largestError<T, long double>(function, around);
    EXPECT_LT(error, kBound) << x;
  }
}

TEST(Exp, SpecialValues) {
  checkSpecialValues<float>("f32");
  checkSpecialValues<double>("f64");
}
