//===- DenseProgramTest.cpp - dense ops as kernels on every target --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What autosage-dense-to-gpu has to get right beside products and elementwise
// ops: loops in any order, sums over everything, shifted and transposed reads,
// slices, bodies that use what is outside, all types, sizes of zero. The CPU
// runs the same texts. Skipped where there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include "autosage/Core/Half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace autosage;
using namespace autosage::test;

namespace {
class DenseProgram : public testing::TestWithParam<Target> {
protected:
  void SetUp() override {
    if (GetParam() == Target::nvptx && testGpu().chip.empty())
      GTEST_SKIP() << testGpu().missing;
  }
  template <typename T = float> std::vector<T> draw(int64_t count) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<T> values(count);
    for (T &value : values)
      value = static_cast<T>(uniform(engine));
    return values;
  }
  void run(TestProgram &program) {
    Status ran = program.run();
    ASSERT_TRUE(ran) << ran.error();
  }
  /// To `bound` relative to the norm; a NaN is no match.
  template <typename T>
  void expectNear(const std::vector<T> &got,
                  const std::vector<double> &expected, double bound = 1e-6) {
    ASSERT_EQ(got.size(), expected.size());
    double difference = 0, norm = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      double d = static_cast<double>(got[i]) - expected[i];
      difference += d * d;
      norm += expected[i] * expected[i];
    }
    EXPECT_LE(std::sqrt(difference), bound * std::sqrt(norm));
  }
  std::mt19937_64 engine{3};
};
} // namespace

static std::string program(const std::string &arguments,
                           const std::string &body) {
  return "func.func @main(" + arguments +
         ") attributes {llvm.emit_c_interface} {\n%c0 = arith.constant 0 : "
         "index\n%c1 = arith.constant 1 : index\n" +
         body + "return\n}\n";
}

/// `%r` of type `shape` to the buffer `%out`.
static std::string write(const std::string &shape) {
  return "bufferization.materialize_in_destination %r in restrict writable "
         "%out : (tensor<" +
         shape + ">, memref<" + shape + ">) -> ()\n";
}

// The loop of the reduction is the outer one; no rows leave what is there.
TEST_P(DenseProgram, SumsOfColumns) {
  auto kernel = compileForTest(
      program("%x: tensor<?x?xf32>, %y: tensor<?xf32>, %out: memref<?xf32>",
              R"(
%r = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (j)>],
                     iterator_types = ["reduction", "parallel"]}
    ins(%x : tensor<?x?xf32>) outs(%y : tensor<?xf32>) {
^bb0(%a: f32, %s: f32):
  %t = arith.addf %s, %a : f32
  linalg.yield %t : f32
} -> tensor<?xf32>
)" + write("?xf32")),
      GetParam());
  for (int64_t rows : {0, 1, 70})
    for (int64_t columns : {0, 1, 300}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      TestProgram sums(kernel, GetParam());
      auto x = draw(rows * columns), y = draw(columns);
      sums.tensor(x, {rows, columns});
      sums.tensor(y, {columns});
      size_t out = sums.output<float>({columns});
      std::vector<double> expected(y.begin(), y.end());
      for (int64_t i = 0; i < rows * columns; ++i)
        expected[i % columns] += x[i];
      run(sums);
      expectNear(sums.download<float>(out), expected, 1e-5);
    }
}

// Into a tensor of no dimensions, in f64.
TEST_P(DenseProgram, SumOfEverything) {
  TestProgram sum(program("%x: tensor<?x?xf64>, %out: memref<f64>", R"(
%zero = arith.constant 0.0 : f64
%e = tensor.empty() : tensor<f64>
%z = linalg.fill ins(%zero : f64) outs(%e : tensor<f64>) -> tensor<f64>
%r = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf64>) outs(%z : tensor<f64>) dimensions = [0, 1]
)" + write("f64")),
                  GetParam());
  auto x = draw<double>(33 * 5);
  sum.tensor(x, {33, 5});
  size_t out = sum.output<double>({});
  double expected = 0;
  for (double value : x)
    expected += value;
  run(sum);
  expectNear(sum.download<double>(out), {expected}, 1e-14);
}

// Reads that do not follow the output, and sizes that are no multiple of any.
TEST_P(DenseProgram, TransposesAndProductsOfTransposes) {
  TestProgram product(
      program("%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %out: memref<?x?xf32>",
              R"(
%zero = arith.constant 0.0 : f32
%n = tensor.dim %x, %c1 : tensor<?x?xf32>
%k = tensor.dim %x, %c0 : tensor<?x?xf32>
%m = tensor.dim %y, %c0 : tensor<?x?xf32>
%e = tensor.empty(%n, %k) : tensor<?x?xf32>
%t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
%p = tensor.empty(%n, %m) : tensor<?x?xf32>
%z = linalg.fill ins(%zero : f32) outs(%p : tensor<?x?xf32>) -> tensor<?x?xf32>
%r = linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (j, k)>,
                                      affine_map<(i, k, j) -> (i, j)>],
                     iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%t, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) {
^bb0(%a: f32, %b: f32, %s: f32):
  %q = arith.mulf %a, %b : f32
  %u = arith.addf %s, %q : f32
  linalg.yield %u : f32
} -> tensor<?x?xf32>
)" + write("?x?xf32")),
      GetParam());
  const int64_t n = 37, k = 19, m = 23;
  auto x = draw(k * n), y = draw(m * k);
  product.tensor(x, {k, n});
  product.tensor(y, {m, k});
  size_t out = product.output<float>({n, m});
  std::vector<double> expected(n * m);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      for (int64_t l = 0; l < k; ++l)
        expected[i * m + j] += double(x[l * n + i]) * y[j * k + l];
  run(product);
  expectNear(product.download<float>(out), expected);
}

// An index that is a sum of loops.
TEST_P(DenseProgram, Convolution) {
  TestProgram convolution(
      program("%x: tensor<?xf32>, %w: tensor<?xf32>, %y: tensor<?xf32>, %out: "
              "memref<?xf32>",
              "%r = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<?xf32>) "
              "outs(%y : tensor<?xf32>) -> tensor<?xf32>\n" +
                  write("?xf32")),
      GetParam());
  auto x = draw(304), w = draw(5), y = draw(300);
  convolution.tensor(x, {304});
  convolution.tensor(w, {5});
  convolution.tensor(y, {300});
  size_t out = convolution.output<float>({300});
  std::vector<double> expected(y.begin(), y.end());
  for (int64_t i = 0; i < 300; ++i)
    for (int64_t k = 0; k < 5; ++k)
      expected[i] += double(x[i + k]) * w[k];
  run(convolution);
  expectNear(convolution.download<float>(out), expected);
}

// Two tensors side by side, and every second row of the result: copies between
// buffers of which one has gaps.
TEST_P(DenseProgram, SlicesAndConcatenation) {
  TestProgram concat(
      program("%x: tensor<?x3xf32>, %y: tensor<?x4xf32>, %half: index, %out: "
              "memref<?x7xf32>",
              R"(
%c2 = arith.constant 2 : index
%n = tensor.dim %x, %c0 : tensor<?x3xf32>
%e = tensor.empty(%n) : tensor<?x7xf32>
%a = tensor.insert_slice %x into %e[0, 0] [%n, 3] [1, 1] : tensor<?x3xf32> into tensor<?x7xf32>
%b = tensor.insert_slice %y into %a[0, 3] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x7xf32>
%r = tensor.extract_slice %b[1, 0] [%half, 7] [2, 1] : tensor<?x7xf32> to tensor<?x7xf32>
)" + write("?x7xf32")),
      GetParam());
  const int64_t n = 100, half = 50;
  auto x = draw(n * 3), y = draw(n * 4);
  concat.tensor(x, {n, 3});
  concat.tensor(y, {n, 4});
  concat.number<int64_t>(half);
  size_t out = concat.output<float>({half, 7});
  std::vector<float> expected;
  for (int64_t i = 1; i < n; i += 2) {
    expected.insert(expected.end(), &x[i * 3], &x[i * 3] + 3);
    expected.insert(expected.end(), &y[i * 4], &y[i * 4] + 4);
  }
  run(concat);
  EXPECT_EQ(concat.download<float>(out), expected);
}

// Numbers of the host, loop indices, and rows of another buffer by number.
TEST_P(DenseProgram, BodiesThatUseWhatIsOutside) {
  TestProgram gather(
      program("%x: tensor<?x8xf32>, %rows: tensor<?xi64>, %alpha: f32, %from: "
              "index, %out: memref<?x8xf32>",
              R"(
%n = tensor.dim %rows, %c0 : tensor<?xi64>
%seven = arith.constant 7 : index
%e = tensor.empty(%n) : tensor<?x8xf32>
%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                     iterator_types = ["parallel", "parallel"]}
    ins(%rows : tensor<?xi64>) outs(%e : tensor<?x8xf32>) {
^bb0(%row: i64, %unused: f32):
  %i = linalg.index 0 : index
  %j = linalg.index 1 : index
  %k = arith.index_cast %row : i64 to index
  %mirror = arith.subi %seven, %j : index
  %isLate = arith.cmpi sge, %i, %from : index
  %v = scf.if %isLate -> f32 {
    %a = tensor.extract %x[%k, %mirror] : tensor<?x8xf32>
    scf.yield %a : f32
  } else {
    %a = tensor.extract %x[%k, %j] : tensor<?x8xf32>
    %b = arith.mulf %a, %alpha : f32
    scf.yield %b : f32
  }
  linalg.yield %v : f32
} -> tensor<?x8xf32>
)" + write("?x8xf32")),
      GetParam());
  const int64_t n = 90, from = 40;
  const float alpha = 0.5;
  auto x = draw(20 * 8);
  std::vector<int64_t> rows(n);
  for (int64_t &row : rows)
    row = static_cast<int64_t>(engine() % 20);
  gather.tensor(x, {20, 8});
  gather.tensor(rows, {n});
  gather.number(alpha);
  gather.number(from);
  size_t out = gather.output<float>({n, 8});
  std::vector<float> expected;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < 8; ++j)
      expected.push_back(i >= from ? x[rows[i] * 8 + 7 - j]
                                   : x[rows[i] * 8 + j] * alpha);
  run(gather);
  EXPECT_EQ(gather.download<float>(out), expected);
}

// f16 in, f32 out; booleans and small integers between.
TEST_P(DenseProgram, NarrowTypes) {
  TestProgram masked(
      program("%x: tensor<?x8xf16>, %w: tensor<8x4xf16>, %out: memref<?x4xf32>",
              R"(
%zero = arith.constant 0.0 : f32
%n = tensor.dim %x, %c0 : tensor<?x8xf16>
%e = tensor.empty(%n) : tensor<?x4xf32>
%z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
%p = linalg.matmul ins(%x, %w : tensor<?x8xf16>, tensor<8x4xf16>) outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
%b = tensor.empty(%n) : tensor<?x4xi1>
%mask = linalg.map ins(%p : tensor<?x4xf32>) outs(%b : tensor<?x4xi1>) (%v: f32, %u: i1) {
  %positive = arith.cmpf ogt, %v, %zero : f32
  linalg.yield %positive : i1
}
%d = tensor.empty(%n) : tensor<?x4xi8>
%bytes = linalg.map ins(%mask : tensor<?x4xi1>) outs(%d : tensor<?x4xi8>) (%v: i1, %u: i8) {
  %byte = arith.extui %v : i1 to i8
  linalg.yield %byte : i8
}
%r = linalg.map ins(%bytes, %mask, %p : tensor<?x4xi8>, tensor<?x4xi1>, tensor<?x4xf32>)
                outs(%e : tensor<?x4xf32>) (%v: i8, %m: i1, %s: f32, %u: f32) {
  %f = arith.uitofp %v : i8 to f32
  %g = arith.mulf %f, %s : f32
  %h = arith.select %m, %g, %zero : f32
  linalg.yield %h : f32
}
)" + write("?x4xf32")),
      GetParam());
  auto x = draw<Float16>(50 * 8), w = draw<Float16>(8 * 4);
  masked.tensor(x, {50, 8});
  masked.tensor(w, {8, 4});
  size_t out = masked.output<float>({50, 4});
  std::vector<double> expected(50 * 4);
  for (int64_t i = 0; i < 50; ++i)
    for (int64_t j = 0; j < 4; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < 8; ++k)
        sum += double(x[i * 8 + k]) * double(w[k * 4 + j]);
      expected[i * 4 + j] = std::max(sum, 0.0);
    }
  run(masked);
  expectNear(masked.download<float>(out), expected);
}

// Layers in a loop of the host: buffers change places.
TEST_P(DenseProgram, LoopsOfTheHost) {
  TestProgram power(
      program("%a: tensor<6x6xf32>, %x: tensor<6x6xf32>, %times: index, %out: "
              "memref<6x6xf32>",
              R"(
%zero = arith.constant 0.0 : f32
%r = scf.for %i = %c0 to %times step %c1 iter_args(%y = %x) -> tensor<6x6xf32> {
  %e = tensor.empty() : tensor<6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x6xf32>) -> tensor<6x6xf32>
  %p = linalg.matmul ins(%a, %y : tensor<6x6xf32>, tensor<6x6xf32>) outs(%z : tensor<6x6xf32>) -> tensor<6x6xf32>
  scf.yield %p : tensor<6x6xf32>
}
)" + write("6x6xf32")),
      GetParam());
  auto a = draw(36), x = draw(36);
  power.tensor(a, {6, 6});
  power.tensor(x, {6, 6});
  power.number<int64_t>(5);
  size_t out = power.output<float>({6, 6});
  std::vector<double> expected(x.begin(), x.end());
  for (int times = 0; times < 5; ++times) {
    std::vector<double> next(36);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        for (int k = 0; k < 6; ++k)
          next[i * 6 + j] += a[i * 6 + k] * expected[k * 6 + j];
    expected = next;
  }
  run(power);
  expectNear(power.download<float>(out), expected);
}

// Tensors that are constants of the module: a pattern, numbers of several
// types, one value for all.
TEST_P(DenseProgram, ConstantTensors) {
  TestProgram product(program("%x: tensor<3x2xf32>, %out: memref<2x2xf32>", R"(
%rowptr = arith.constant dense<[0, 2, 3]> : tensor<3xi32>
%colind = arith.constant dense<[2, 0, 1]> : tensor<3xi64>
%n = arith.constant 3 : index
%graph = autosage.pattern %rowptr, %colind, %n : tensor<3xi32>, tensor<3xi64> -> <2x3, i32, i64>
%e = tensor.empty() : tensor<2x2xf32>
%y = autosage.spmm sum %graph, %x outs(%e) : !autosage.pattern<2x3, i32, i64>, tensor<3x2xf32> -> tensor<2x2xf32>
%bias = arith.constant dense<[[1.0, -2.0], [3.0, 4.5]]> : tensor<2x2xf32>
%ten = arith.constant dense<10.0> : tensor<2x2xf32>
%columns = arith.constant dense<[1, 0]> : tensor<2xindex>
%flags = arith.constant dense<[true, false]> : tensor<2xi1>
%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                      affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                     iterator_types = ["parallel", "parallel"]}
    ins(%bias, %ten, %columns, %flags : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xindex>, tensor<2xi1>)
    outs(%e : tensor<2x2xf32>) {
^bb0(%b: f32, %t: f32, %column: index, %flag: i1, %unused: f32):
  %i = linalg.index 0 : index
  %v = tensor.extract %y[%i, %column] : tensor<2x2xf32>
  %p = arith.addf %v, %b : f32
  %q = arith.mulf %p, %t : f32
  %s = arith.select %flag, %q, %p : f32
  linalg.yield %s : f32
} -> tensor<2x2xf32>
)" + write("2x2xf32")),
                      GetParam());
  std::vector<float> x = {1, 2, 3, 4, 5, 6};
  product.tensor(x, {3, 2});
  size_t out = product.output<float>({2, 2});
  run(product);
  // A x is [[6, 8], [3, 4]].
  EXPECT_EQ(product.download<float>(out),
            (std::vector<float>{(8 + 1) * 10, (6 - 2) * 10, 4 + 3, 3 + 4.5f}));
}

INSTANTIATE_TEST_SUITE_P(Cpu, DenseProgram, testing::Values(Target::cpu));
INSTANTIATE_TEST_SUITE_P(Simt, DenseProgram, testing::Values(Target::simt));
INSTANTIATE_TEST_SUITE_P(Nvptx, DenseProgram, testing::Values(Target::nvptx));
