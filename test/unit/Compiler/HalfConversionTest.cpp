//===- HalfConversionTest.cpp - f16 and bf16 in machine code --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conversions that kernels consist of, compiled for CPUs with and without
// instructions for them, on scalars and on vectors, against Core's.
//
//===----------------------------------------------------------------------===//

#include "TestCpus.h"

#include "autosage/Compiler/Compiler.h"
#include "autosage/Core/Half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

namespace {

/// One format through one CPU.
struct Config {
  const char *cpu;
  bool isF16;
  int lanes; // 1: scalars
};

struct Memref {
  void *allocated, *aligned;
  int64_t offset = 0, size, stride = 1;

  template <typename T>
  explicit Memref(std::vector<T> &values)
      : allocated(values.data()), aligned(values.data()),
        size(static_cast<int64_t>(values.size())) {}
};

class HalfConversion : public testing::TestWithParam<Config> {
protected:
  /// A module that converts all of an array; sizes are multiples of the lanes.
  static std::string moduleOf(const std::string &from, const std::string &to,
                              const std::string &op, int lanes) {
    std::string shape =
        lanes == 1 ? "" : "vector<" + std::to_string(lanes) + "x";
    std::string close = lanes == 1 ? "" : ">";
    std::string load = lanes == 1 ? "memref.load" : "vector.load";
    std::string store = lanes == 1 ? "memref.store" : "vector.store";
    auto access = [&](const std::string &type) {
      return " : memref<?x" + type + ">" +
             (lanes == 1 ? "" : ", " + shape + type + close) + "\n";
    };
    return "func.func @main(%in: memref<?x" + from + ">, %out: memref<?x" + to +
           ">) attributes {llvm.emit_c_interface} {\n"
           "  %zero = arith.constant 0 : index\n"
           "  %step = arith.constant " +
           std::to_string(lanes) +
           " : index\n"
           "  %n = memref.dim %in, %zero : memref<?x" +
           from +
           ">\n"
           "  scf.for %i = %zero to %n step %step {\n"
           "    %x = " +
           load + " %in[%i]" + access(from) + "    %y = arith." + op +
           " %x : " + shape + from + close + " to " + shape + to + close +
           "\n    " + store + " %y, %out[%i]" + access(to) + "  }\n  return\n}";
  }

  /// Null where this machine cannot run the CPU's code.
  std::unique_ptr<CompiledKernel> compile(const std::string &text) {
    CompileOptions options;
    options.cpu = GetParam().cpu;
    auto kernel = compileCpu(text, "conversion", options);
    if (kernel)
      return std::move(*kernel);
    EXPECT_TRUE(isForeignCpu(kernel.error())) << kernel.error();
    return nullptr;
  }

  std::string half() const { return GetParam().isF16 ? "f16" : "bf16"; }
  uint16_t narrow(double value) const {
    return GetParam().isF16 ? Float16(value).bits : BFloat16(value).bits;
  }
  double widen(uint16_t bits) const {
    return GetParam().isF16 ? Float16::ofBits(bits) : BFloat16::ofBits(bits);
  }
};

} // namespace

static float ofBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

TEST_P(HalfConversion, WidensEveryPattern) {
  for (bool toF64 : {false, true}) {
    auto kernel = compile(
        moduleOf(half(), toF64 ? "f64" : "f32", "extf", GetParam().lanes));
    if (!kernel)
      GTEST_SKIP() << "this machine cannot run code for " << GetParam().cpu;
    std::vector<uint16_t> in(0x10000);
    std::iota(in.begin(), in.end(), uint16_t(0));
    std::vector<float> out(in.size());
    std::vector<double> out64(in.size());
    Memref from(in), to = toF64 ? Memref(out64) : Memref(out);
    void *args[] = {&from, &to};
    ASSERT_TRUE(kernel->invoke(args, 2));
    for (size_t i = 0; i < in.size(); ++i) {
      double got = toF64 ? out64[i] : out[i], expected = widen(in[i]);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(got)) << i;
      } else {
        ASSERT_EQ(got, expected) << i;
      }
      ASSERT_EQ(std::signbit(got), std::signbit(expected)) << i;
    }
  }
}

TEST_P(HalfConversion, RoundsToNearestEven) {
  auto kernel = compile(moduleOf("f32", half(), "truncf", GetParam().lanes));
  if (!kernel)
    GTEST_SKIP() << "this machine cannot run code for " << GetParam().cpu;
  // Every value, the middle to the next one, the neighbours of both; what f32
  // has beyond; and patterns at random.
  std::vector<float> in;
  auto add = [&](float value) {
    for (float sign : {1.0f, -1.0f})
      for (float x : {std::nextafterf(value, -INFINITY), value,
                      std::nextafterf(value, INFINITY)})
        in.push_back(sign * x);
  };
  for (uint32_t bits = 0; bits < 0x7fff; ++bits) {
    auto low = static_cast<float>(widen(static_cast<uint16_t>(bits)));
    auto high = static_cast<float>(widen(static_cast<uint16_t>(bits + 1)));
    if (std::isnan(low) || std::isnan(high))
      continue;
    add(low);
    add(low + (high - low) / 2);
  }
  for (float value :
       {65519.9f, 65520.0f, 65536.0f, 1e10f, 3.4e38f, 1e-45f, 1e-38f, 5.9e-8f,
        2.98e-8f, INFINITY, NAN, ofBits(0x7f800001), ofBits(0x7fffffff),
        ofBits(0xff80ffff)})
    add(value);
  std::mt19937 engine(16);
  while (in.size() % 64 != 0 || in.size() < 1 << 20)
    in.push_back(ofBits(static_cast<uint32_t>(engine())));
  std::vector<uint16_t> out(in.size());
  Memref from(in), to(out);
  void *args[] = {&from, &to};
  ASSERT_TRUE(kernel->invoke(args, 2));
  for (size_t i = 0; i < in.size(); ++i) {
    if (std::isnan(in[i])) {
      ASSERT_TRUE(std::isnan(widen(out[i]))) << in[i];
      ASSERT_EQ(out[i] >> 15, std::signbit(in[i])) << in[i];
    } else {
      ASSERT_EQ(out[i], narrow(in[i])) << in[i] << ", number " << i;
    }
  }
}

static std::vector<Config> configs() {
  std::vector<Config> configs;
  for (const char *cpu : testCpus)
    for (bool isF16 : {true, false})
      for (int lanes : {1, 4, 16})
        configs.push_back({cpu, isF16, lanes});
  return configs;
}
INSTANTIATE_TEST_SUITE_P(Cpus, HalfConversion, testing::ValuesIn(configs()),
                         [](const testing::TestParamInfo<Config> &info) {
                           return cpuName(info.param.cpu) +
                                  (info.param.isF16 ? "_f16_" : "_bf16_") +
                                  std::to_string(info.param.lanes);
                         });
