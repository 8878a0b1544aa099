//===- NvptxTest.cpp - sizes, addresses, streams on a GPU -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the property tests do not reach: outputs past 2^31 elements, widths past
// a grid, operands at any address and stride, streams, threads, capture, and
// runs that must give the same bits. Skipped where there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "PropertyConfigs.h"
#include "TestDevice.h"

#include "autosage/Core/Half.h"
#include "autosage/Core/Reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <thread>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

namespace {
class Nvptx : public testing::Test {
protected:
  const autosage_device_api &api = *autosage_cuda_device_api();

  void SetUp() override {
    if (testGpu().chip.empty())
      GTEST_SKIP() << testGpu().missing;
  }
  std::unique_ptr<CompiledKernel> compiled(const KernelSpec &spec) {
    auto kernel = compileNvptx(spec, {}, {testGpu().chip});
    EXPECT_TRUE(kernel) << kernel.error();
    return kernel ? std::move(*kernel) : nullptr;
  }
  Status finish() {
    api.synchronize();
    return deviceStatus(api);
  }
};
} // namespace

static Schedule scheduleOf(const char *text) {
  auto schedule = parseSchedule(text);
  EXPECT_TRUE(schedule) << schedule.error();
  return *schedule;
}
static const char *const families[] = {"row_group", "row_tasks, chunk = 32"};

static Csr csrOf(int64_t rows, int64_t cols, std::vector<int32_t> rowptr,
                 std::vector<int32_t> colind) {
  return {rows, cols, std::move(rowptr), std::move(colind)};
}

// More columns than 65,535 tiles of 16: out = diag(1, 2, 3) X, exactly.
TEST_F(Nvptx, X01_MoreColumnsThanAGridHasTiles) {
  const int64_t features = 1048577;
  Csr csr = csrOf(3, 3, {0, 1, 2, 3}, {0, 1, 2});
  std::vector<float> x(3 * features), w = {1, 2, 3};
  for (int64_t k = 0; k < 3; ++k)
    for (int64_t f = 0; f < features; ++f)
      x[k * features + f] = static_cast<float>(f % 5 + k);
  for (const char *family : families)
    for (const char *tile :
         {"", ", tile = 4, vec = 4", ", tile = 1, vec = 1"}) {
      SCOPED_TRACE(std::string(family) + tile);
      KernelSpec spec;
      spec.edgeValues = EdgeValues::perEdge;
      spec.schedule = scheduleOf((std::string(family) + tile).c_str());
      auto kernel = compiled(spec);
      ASSERT_TRUE(kernel);
      std::vector<float> poison(3 * features, NAN);
      DeviceBuffer rowptr(api, std::vector<int32_t>{0, 1, 2, 3});
      DeviceBuffer colind(api, std::vector<int32_t>{0, 1, 2});
      DeviceBuffer dx(api, x), dw(api, w), dout(api, poison);
      Operands ops;
      ops.a = {3,
               3,
               {rowptr.data(), 4, IndexType::i32},
               {colind.data(), 3, IndexType::i32}};
      ops.edgeValues = {dw.data(), 3, 1, 1, 0};
      ops.x = {dx.data(), 3, 1, features, 0};
      ops.out = {dout.data(), 3, 1, features, 0};
      Status ran = kernel->run(ops);
      ASSERT_TRUE(ran) << ran.error();
      Status done = finish();
      ASSERT_TRUE(done) << done.error();
      std::vector<float> out = dout.download<float>();
      double sum = 0;
      for (float value : out)
        sum += value;
      EXPECT_EQ(sum, 20971522.0);
      EXPECT_EQ(out[features - 1], 1);
      EXPECT_EQ(out[2 * features - 1], 4);
      EXPECT_EQ(out[3 * features - 1], 9);
      EXPECT_EQ(out[2 * features + 1048560], 6);
    }
}

// 65,537 rows of 32,769 columns: 4.3 GB of f16, checked in full.
TEST_F(Nvptx, X03_OutputPast2To31Elements) {
  const int64_t rows = 65537, features = 32769;
  std::vector<int32_t> positions(rows + 1, 1);
  positions.front() = 0;
  positions.back() = 2;
  std::vector<Float16> x(2 * features), w = {Float16(1), Float16(2)};
  for (int64_t k = 0; k < 2; ++k)
    for (int64_t f = 0; f < features; ++f)
      x[k * features + f] = Float16(static_cast<double>(f % 3 + k));
  for (const char *family : families) {
    SCOPED_TRACE(family);
    KernelSpec spec;
    spec.dtype = DType::f16;
    spec.edgeValues = EdgeValues::perEdge;
    spec.schedule = scheduleOf(family);
    auto kernel = compiled(spec);
    ASSERT_TRUE(kernel);
    std::vector<Float16> poison(rows * features, Float16(NAN));
    DeviceBuffer rowptr(api, positions);
    DeviceBuffer colind(api, std::vector<int32_t>{0, 1});
    DeviceBuffer dx(api, x), dw(api, w), dout(api, poison);
    Operands ops;
    ops.a = {rows,
             2,
             {rowptr.data(), rows + 1, IndexType::i32},
             {colind.data(), 2, IndexType::i32}};
    ops.edgeValues = {dw.data(), 2, 1, 1, 0};
    ops.x = {dx.data(), 2, 1, features, 0};
    ops.out = {dout.data(), rows, 1, features, 0};
    Status ran = kernel->run(ops);
    ASSERT_TRUE(ran) << ran.error();
    Status done = finish();
    ASSERT_TRUE(done) << done.error();
    std::vector<Float16> out = dout.download<Float16>();
    int64_t wrong = 0;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t f = 0; f < features; ++f) {
        double expected = i == 0          ? static_cast<double>(f % 3)
                          : i == rows - 1 ? 2.0 * (f % 3 + 1)
                                          : 0.0;
        wrong += !(static_cast<double>(out[i * features + f]) == expected);
      }
    EXPECT_EQ(wrong, 0);
  }
}

// 100,001 rows of which the last alone has entries.
TEST_F(Nvptx, X17_ManyEmptyRows) {
  const int64_t rows = 100001;
  std::vector<int64_t> degrees(rows, 0);
  degrees.back() = 700;
  std::mt19937_64 engine(17);
  Csr csr = randomCsr(degrees, 64, engine);
  for (OpKind op :
       {OpKind::spmm, OpKind::sddmm, OpKind::row_softmax, OpKind::attention})
    for (const char *family : families) {
      SCOPED_TRACE(std::string(toString(op)) + ", " + family);
      KernelSpec spec;
      spec.op = op;
      spec.schedule = scheduleOf(family);
      if (op == OpKind::row_softmax)
        spec.edgeValues = EdgeValues::perEdge;
      auto kernel = compiled(spec);
      ASSERT_TRUE(kernel);
      TestCall call(spec, csr, {3, 3, 1}, engine);
      std::vector<double> expected, lse;
      call.evaluate(expected, lse);
      Status ran = call.run(*kernel, &api);
      ASSERT_TRUE(ran) << ran.error();
      EXPECT_LE(relativeError(call.out, expected),
                call.bounds(expected, lse).out);
    }
}

/// spmm operands at a byte offset and with rows apart.
static void expectPlacedRight(const autosage_device_api &api,
                              const CompiledKernel &kernel, DType dtype,
                              int64_t width, int64_t offset, int64_t stride) {
  std::mt19937_64 engine(23);
  Csr csr = randomCsr({3, 0, 90, 1, 17, 260}, 40, engine);
  Csr narrow = csr.convertedTo(IndexType::i32, IndexType::i32).value();
  int64_t bytes = sizeOf(dtype);
  std::vector<double> x(40 * stride), expected(6 * width);
  std::vector<float> x32;
  for (double &value : x) {
    value = static_cast<double>(engine() % 256) / 64 - 2; // exact in bf16 too
    x32.push_back(static_cast<float>(value));
  }
  std::vector<double> dense;
  for (int64_t k = 0; k < 40; ++k)
    dense.insert(dense.end(), x.begin() + k * stride,
                 x.begin() + k * stride + width);
  reference::SpmmParams params;
  params.features = width;
  reference::spmm(narrow.view(), {}, dense.data(), expected.data(), params);

  auto encode = [&](double value, char *to) {
    if (dtype == DType::f32) {
      float v = static_cast<float>(value);
      std::memcpy(to, &v, sizeof v);
    } else if (dtype == DType::f64) {
      std::memcpy(to, &value, sizeof value);
    } else if (dtype == DType::f16) {
      Float16 v(value);
      std::memcpy(to, &v.bits, sizeof v.bits);
    } else {
      BFloat16 v(value);
      std::memcpy(to, &v.bits, sizeof v.bits);
    }
  };
  std::vector<char> hostX(offset + 40 * stride * bytes);
  for (int64_t i = 0; i < 40 * stride; ++i)
    encode(x[i], hostX.data() + offset + i * bytes);
  int64_t outBytes = dtype == DType::f64 ? 8 : 4;
  std::vector<char> hostOut(offset * 2 + 6 * stride * outBytes, '\xff');
  DeviceBuffer dx(api, hostX), dout(api, hostOut);
  auto positions = narrow.rowptr.view(), columns = narrow.colind.view();
  DeviceBuffer rowptr(api, positions.data, positions.size * 4);
  DeviceBuffer colind(api, columns.data, columns.size * 4);
  Operands ops;
  ops.a = {6,
           40,
           {rowptr.data(), 7, IndexType::i32},
           {colind.data(), columns.size, IndexType::i32}};
  int64_t outOffset = offset * outBytes / bytes;
  ops.x = {dx.at(offset), 40, 1, width, stride};
  ops.out = {dout.at(outOffset), 6, 1, width, stride};
  Status ran = kernel.run(ops);
  ASSERT_TRUE(ran) << ran.error();
  api.synchronize();
  Status done = deviceStatus(api);
  ASSERT_TRUE(done) << done.error();

  std::vector<char> out = dout.download<char>();
  std::vector<double> got;
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t f = 0; f < stride; ++f) {
      const char *at = out.data() + outOffset + (i * stride + f) * outBytes;
      double value = 0;
      if (outBytes == 8) {
        std::memcpy(&value, at, 8);
      } else {
        float single = 0;
        std::memcpy(&single, at, 4);
        value = single;
      }
      if (f < width)
        got.push_back(value);
      else
        for (int64_t b = 0; b < outBytes; ++b)
          ASSERT_EQ(at[b], '\xff') << "between rows, row " << i;
    }
  EXPECT_LE(relativeError(got, expected), 1e-6);
}

TEST_F(Nvptx, A02_OperandsAtAnyAddressAndStride) {
  for (const char *family : families)
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
      KernelSpec spec;
      spec.dtype = dtype;
      spec.f32Out = dtype == DType::f16 || dtype == DType::bf16;
      spec.strided = true;
      spec.schedule = scheduleOf(family);
      auto kernel = compiled(spec);
      ASSERT_TRUE(kernel);
      for (int64_t width : {1, 3, 4, 31, 64, 257})
        for (int64_t element : {0, 1, 3, 4})
          for (int64_t pad : {0, 1, 8}) {
            SCOPED_TRACE(
                std::string(family) + ", " + std::string(toString(dtype)) +
                ", width " + std::to_string(width) + ", offset " +
                std::to_string(element) + ", pad " + std::to_string(pad));
            expectPlacedRight(api, *kernel, dtype, width,
                              element * sizeOf(dtype), width + pad);
          }
    }
}

// 20 runs of every op, family and type give the same bits, on a graph whose
// rows are cut in many pieces.
TEST_F(Nvptx, N22_RunsAreBitIdentical) {
  std::mt19937_64 engine(22);
  std::vector<int64_t> degrees;
  for (int64_t i = 0; i < 2000; ++i)
    degrees.push_back(i % 100 == 0 ? 3000
                                   : static_cast<int64_t>(engine() % 40));
  Csr csr = randomCsr(degrees, 2000, engine);
  for (OpKind op :
       {OpKind::spmm, OpKind::sddmm, OpKind::row_softmax, OpKind::attention})
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
      for (const char *family : families) {
        SCOPED_TRACE(std::string(toString(op)) + ", " + family);
        KernelSpec spec;
        spec.op = op;
        spec.dtype = dtype;
        spec.schedule = scheduleOf(family);
        if (op != OpKind::attention)
          spec.edgeValues = EdgeValues::perEdge;
        auto kernel = compiled(spec);
        ASSERT_TRUE(kernel);
        TestCall call(spec, csr, {32, 32, 1}, engine);
        std::vector<double> first;
        for (int run = 0; run < 20; ++run) {
          Status ran = call.run(*kernel, &api);
          ASSERT_TRUE(ran) << ran.error();
          if (run == 0)
            first = call.out;
          ASSERT_EQ(std::memcmp(first.data(), call.out.data(),
                                first.size() * sizeof(double)),
                    0)
              << "run " << run;
        }
      }
}

//===----------------------------------------------------------------------===//
// Streams, threads, capture
//===----------------------------------------------------------------------===//

namespace {
/// One spmm with its operands on the device.
struct SpmmOnDevice {
  static constexpr int64_t width = 64;
  Csr csr;
  DeviceBuffer rowptr, colind, x, out;
  Operands ops;
  std::vector<float> hostX;

  SpmmOnDevice(const autosage_device_api &api, Csr graph, uint64_t seed)
      : csr(graph.convertedTo(IndexType::i32, IndexType::i32).value()),
        rowptr(api, csr.rowptr.view().data, (csr.rows + 1) * 4),
        colind(api, csr.colind.view().data, csr.nnz() * 4),
        x(api, csr.cols * width * 4), out(api, csr.rows * width * 4) {
    std::mt19937_64 engine(seed);
    for (int64_t i = 0; i < csr.cols * width; ++i)
      hostX.push_back(static_cast<float>(engine() % 4096) / 1024 - 2);
    setX(api, hostX);
    std::vector<float> poison(csr.rows * width, NAN);
    api.upload(out.data(), poison.data(), csr.rows * width * 4);
    ops.a = {csr.rows,
             csr.cols,
             {rowptr.data(), csr.rows + 1, IndexType::i32},
             {colind.data(), csr.nnz(), IndexType::i32}};
    ops.x = {x.data(), csr.cols, 1, width, 0};
    ops.out = {out.data(), csr.rows, 1, width, 0};
  }
  void setX(const autosage_device_api &api, const std::vector<float> &values) {
    hostX = values;
    api.upload(x.data(), hostX.data(), csr.cols * width * 4);
  }
  double error() const {
    std::vector<double> dense(hostX.begin(), hostX.end()),
        expected(csr.rows * width);
    reference::SpmmParams params;
    params.features = width;
    reference::spmm(csr.view(), {}, dense.data(), expected.data(), params);
    std::vector<float> result = out.download<float>();
    return relativeError({result.begin(), result.end()}, expected);
  }
};
} // namespace

static Csr skewedGraph(uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<int64_t> degrees;
  for (int64_t i = 0; i < 1000; ++i)
    degrees.push_back(i % 100 == 0 ? 2000
                                   : static_cast<int64_t>(engine() % 30));
  return randomCsr(degrees, 1000, engine);
}

TEST_F(Nvptx, S01_TwoStreamsOfOneThread) {
  Driver driver;
  driver.enter();
  void *streams[2] = {};
  for (void *&stream : streams)
    ASSERT_EQ(driver.streamCreate(&stream, 1 /* CU_STREAM_NON_BLOCKING */), 0);
  for (const char *family : families) {
    KernelSpec spec;
    spec.schedule = scheduleOf(family);
    auto kernel = compiled(spec);
    ASSERT_TRUE(kernel);
    std::vector<SpmmOnDevice> calls;
    for (int i = 0; i < 2; ++i) {
      api.set_stream(streams[i]);
      calls.emplace_back(api, skewedGraph(i), i);
    }
    for (int round = 0; round < 20; ++round)
      for (int i = 0; i < 2; ++i) {
        api.set_stream(streams[i]);
        ASSERT_TRUE(kernel->run(calls[i].ops));
      }
    for (int i = 0; i < 2; ++i) {
      api.set_stream(streams[i]);
      EXPECT_LE(calls[i].error(), 1e-5);
    }
  }
  api.set_stream(nullptr);
  for (void *stream : streams)
    EXPECT_EQ(driver.streamDestroy(stream), 0);
}

TEST_F(Nvptx, S12_EightThreadsOneKernel) {
  for (const char *family : families) {
    KernelSpec spec;
    spec.schedule = scheduleOf(family);
    auto kernel = compiled(spec);
    ASSERT_TRUE(kernel);
    std::vector<double> errors(8, NAN);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        Driver driver;
        driver.enter();
        void *stream = nullptr;
        if (driver.streamCreate(&stream, 1) != 0)
          return;
        api.set_stream(stream);
        {
          SpmmOnDevice call(api, skewedGraph(t), t);
          for (int round = 0; round < 50; ++round)
            if (!kernel->run(call.ops))
              return;
          errors[t] = call.error();
        }
        api.synchronize();
        driver.streamDestroy(stream);
      });
    for (std::thread &thread : threads)
      thread.join();
    for (double error : errors)
      EXPECT_LE(error, 1e-5);
  }
}

// A captured launch replays on the contents of the moment.
TEST_F(Nvptx, S03_CaptureAndReplay) {
  Driver driver;
  driver.enter();
  void *stream = nullptr;
  ASSERT_EQ(driver.streamCreate(&stream, 1), 0);
  api.set_stream(stream);
  KernelSpec spec;
  spec.schedule = scheduleOf("row_group"); // needs no preparation
  auto kernel = compiled(spec);
  ASSERT_TRUE(kernel);
  {
    SpmmOnDevice call(api, skewedGraph(3), 3);
    ASSERT_TRUE(kernel->run(call.ops)); // loads the module
    api.synchronize();
    void *graph = nullptr, *executable = nullptr;
    ASSERT_EQ(driver.beginCapture(stream, 0), 0);
    Status ran = kernel->run(call.ops);
    EXPECT_TRUE(ran) << ran.error();
    ASSERT_EQ(driver.endCapture(stream, &graph), 0);
    ASSERT_EQ(driver.instantiate(&executable, graph, 0), 0);
    std::vector<float> other(call.hostX.rbegin(), call.hostX.rend());
    call.setX(api, other);
    ASSERT_EQ(driver.launch(executable, stream), 0);
    EXPECT_LE(call.error(), 1e-5);
    call.setX(api, std::vector<float>(other.size(), 3));
    ASSERT_EQ(driver.launch(executable, stream), 0);
    EXPECT_LE(call.error(), 1e-5);
  }
  api.set_stream(nullptr);
  EXPECT_EQ(driver.streamDestroy(stream), 0);
}
