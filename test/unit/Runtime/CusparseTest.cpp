//===- CusparseTest.cpp - Vendor.h on a GPU, and its checks ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What needs a device is skipped without one, or without cuSPARSE. Failures of
// the library are in test/Runtime/Cusparse, on a stand-in.
//
//===----------------------------------------------------------------------===//

#include "VendorCase.h"

#include "gtest/gtest.h"

#include <cmath>
#include <thread>

using namespace autosage::test;

static std::string takeError() {
  const char *message = nullptr;
  autosage_device_take_error(&message);
  return message;
}

namespace {

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

struct SpecCase {
  const char *name;
  void (*change)(autosage_vendor_spec &);
  const char *expected;
};

class VendorRefuses : public ::testing::TestWithParam<SpecCase> {};

autosage_vendor_spec plainSpec() {
  autosage_vendor_spec spec = {};
  spec.struct_size = sizeof spec;
  spec.version = AUTOSAGE_VENDOR_VERSION;
  spec.position_bytes = spec.coordinate_bytes = 4;
  spec.algorithm = 3;
  spec.rows = spec.cols = 10;
  spec.nnz = 30;
  spec.features = 8;
  spec.left_stride = spec.right_stride = spec.out_stride = 8;
  spec.scale = 1;
  return spec;
}

TEST_P(VendorRefuses, WithReason) {
  autosage_vendor_spec spec = plainSpec();
  GetParam().change(spec);
  const char *reason = nullptr;
  EXPECT_NE(autosage_vendor_supports(&spec, &reason), 0);
  EXPECT_STREQ(reason, GetParam().expected);
  EXPECT_EQ(takeError(), "") << "asking is no error";
}

using Spec = autosage_vendor_spec;
INSTANTIATE_TEST_SUITE_P(
    Specs, VendorRefuses,
    ::testing::Values(
        SpecCase{"Algorithm", [](Spec &s) { s.algorithm = 2; },
                 "cuSPARSE expects algorithm 3 for deterministic results "
                 "(others with deterministic = false), got 2"},
        SpecCase{"AlgorithmNumber", [](Spec &s) { s.algorithm = 4; },
                 "expects algorithm in [0, 3], got 4"},
        SpecCase{"Transpose",
                 [](Spec &s) { s.flags = AUTOSAGE_VENDOR_TRANSPOSE; },
                 "cuSPARSE expects deterministic = false for the transpose, "
                 "got true"},
        SpecCase{"TransposeAlgorithm3",
                 [](Spec &s) {
                   s.flags = AUTOSAGE_VENDOR_TRANSPOSE |
                             AUTOSAGE_VENDOR_NONDETERMINISTIC;
                 },
                 "cuSPARSE expects algorithm 0, 1 or 2 for the transpose, got "
                 "3"},
        SpecCase{"MixedIndices", [](Spec &s) { s.position_bytes = 8; },
                 "cuSPARSE expects rowptr and colind of one type, got i64 and "
                 "i32"},
        SpecCase{"OutputType",
                 [](Spec &s) { s.out_dtype = AUTOSAGE_VENDOR_F64; },
                 "cuSPARSE expects outputs of f32, got f64"},
        SpecCase{"HalfOutputType",
                 [](Spec &s) {
                   s.dtype = AUTOSAGE_VENDOR_F16;
                   s.out_dtype = AUTOSAGE_VENDOR_BF16;
                 },
                 "cuSPARSE expects outputs of f16 or f32, got bf16"},
        SpecCase{"SddmmOfBf16",
                 [](Spec &s) {
                   s.op = AUTOSAGE_VENDOR_SDDMM;
                   s.dtype = s.out_dtype = AUTOSAGE_VENDOR_BF16;
                 },
                 "cuSPARSE expects sddmm on f32, f64 or f16, got bf16"},
        SpecCase{"ScaleOfZero",
                 [](Spec &s) {
                   s.op = AUTOSAGE_VENDOR_SDDMM;
                   s.scale = 0;
                 },
                 "cuSPARSE expects a scale other than 0, got 0"},
        SpecCase{"NoRows", [](Spec &s) { s.rows = 0; },
                 "cuSPARSE expects at least one row, got 0"},
        SpecCase{"NoColumns", [](Spec &s) { s.cols = 0; },
                 "cuSPARSE expects at least one column, got 0"},
        SpecCase{"NoEntries", [](Spec &s) { s.nnz = 0; },
                 "cuSPARSE expects at least one entry, got 0"},
        SpecCase{"NoFeatures", [](Spec &s) { s.features = 0; },
                 "cuSPARSE expects at least one feature, got 0"},
        SpecCase{"Stride", [](Spec &s) { s.left_stride = 7; },
                 "expects left_stride to be at least features (8), got 7"},
        SpecCase{"RowsOfAlgorithm3",
                 [](Spec &s) { s.features = s.left_stride = s.out_stride = 3; },
                 "cuSPARSE expects rows of x to fill a multiple of 16 bytes "
                 "for algorithm 3, got 12 bytes"},
        SpecCase{"DistanceOfAlgorithm3", [](Spec &s) { s.out_stride = 13; },
                 "cuSPARSE expects rows of y to lie apart by a multiple of 16 "
                 "bytes for algorithm 3, got 52 bytes"},
        SpecCase{"HalfRowsOfAlgorithm3",
                 [](Spec &s) {
                   s.dtype = AUTOSAGE_VENDOR_BF16;
                   s.features = s.left_stride = s.out_stride = 4;
                 },
                 "cuSPARSE expects rows of x to fill a multiple of 16 bytes "
                 "for algorithm 3, got 8 bytes"},
        SpecCase{"NegativeSize", [](Spec &s) { s.nnz = -1; },
                 "expects nnz to be non-negative, got -1"},
        SpecCase{"IndexBytes", [](Spec &s) { s.coordinate_bytes = 2; },
                 "expects coordinate_bytes to be 4 or 8, got 2"},
        SpecCase{"Version", [](Spec &s) { s.version = 2; },
                 "expects a spec with its size and version set"}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(Vendor, SizesBeyondTheLimitsDependOnTheVersion) {
  autosage_vendor_info info = {};
  info.struct_size = sizeof info;
  info.version = AUTOSAGE_VENDOR_VERSION;
  bool unlimited = autosage_vendor_get_info(&info) == AUTOSAGE_DEVICE_OK &&
                   info.cusparse_version >= 12800;
  takeError();
  int32_t expected =
      unlimited ? AUTOSAGE_DEVICE_OK : AUTOSAGE_VENDOR_UNSUPPORTED;
  autosage_vendor_spec spec = plainSpec();
  spec.features = spec.left_stride = spec.out_stride = 1048560;
  EXPECT_EQ(autosage_vendor_supports(&spec, nullptr), 0);
  spec.features = spec.left_stride = spec.out_stride = 1048564;
  EXPECT_EQ(autosage_vendor_supports(&spec, nullptr), expected);
  spec = plainSpec();
  spec.position_bytes = spec.coordinate_bytes = 8;
  spec.rows = spec.cols = 1 << 20;
  spec.nnz = (int64_t(1) << 31) - 128;
  EXPECT_EQ(autosage_vendor_supports(&spec, nullptr), 0);
  ++spec.nnz;
  EXPECT_EQ(autosage_vendor_supports(&spec, nullptr), expected);
}

TEST(Vendor, AlgorithmThreeTakesAlignedRowsAlone) {
  autosage_vendor_spec spec = plainSpec();
  alignas(16) static char memory[4096];
  autosage_vendor_operands operands = {};
  operands.struct_size = sizeof operands;
  operands.version = AUTOSAGE_VENDOR_VERSION;
  operands.rowptr = memory;
  operands.colind = memory + 64;
  operands.left = memory + 1024;
  operands.out = memory + 2048;
  const char *reason = nullptr;
  auto supports = [&] {
    return autosage_vendor_supports_operands(&spec, &operands, &reason);
  };
  EXPECT_EQ(supports(), 0) << reason;
  operands.out = memory + 2052;
  EXPECT_EQ(supports(), AUTOSAGE_VENDOR_UNSUPPORTED);
  EXPECT_STREQ(reason, "cuSPARSE expects y at a multiple of 16 bytes for "
                       "algorithm 3, got an address 4 bytes past one");
  EXPECT_EQ(autosage_vendor_supports(&spec, nullptr), 0);
  // Nothing is known against the others.
  spec.flags = AUTOSAGE_VENDOR_NONDETERMINISTIC;
  spec.features = 3;
  spec.left_stride = spec.out_stride = 5;
  for (int32_t algorithm : {0, 1, 2}) {
    spec.algorithm = algorithm;
    EXPECT_EQ(supports(), 0) << reason;
  }
  spec.algorithm = 3;
  EXPECT_EQ(supports(), AUTOSAGE_VENDOR_UNSUPPORTED);
  operands.out = nullptr;
  EXPECT_EQ(supports(), AUTOSAGE_DEVICE_INVALID_ARGUMENT);
  EXPECT_EQ(takeError(), "") << "asking is no error";
}

TEST(Vendor, OverlapAndNullAreRefused) {
  autosage_vendor_spec spec = plainSpec();
  autosage_vendor_info info = {};
  std::vector<char> memory(4096);
  autosage_vendor_operands operands = {};
  operands.struct_size = sizeof operands;
  operands.version = AUTOSAGE_VENDOR_VERSION;
  operands.rowptr = memory.data();
  operands.colind = memory.data() + 64;
  operands.left = memory.data() + 1024;
  autosage_vendor_plan *plan = nullptr;
  EXPECT_EQ(autosage_vendor_plan_create(&spec, &operands, nullptr, &plan),
            AUTOSAGE_DEVICE_INVALID_ARGUMENT);
  EXPECT_EQ(takeError(), "expects y to be device memory, got null");
  // The last byte of x is the first of y.
  operands.out = memory.data() + 1024 + 10 * 8 * 4 - 1;
  EXPECT_EQ(autosage_vendor_plan_create(&spec, &operands, nullptr, &plan),
            AUTOSAGE_DEVICE_INVALID_ARGUMENT);
  EXPECT_EQ(takeError(), "expects y not to overlap x");
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(autosage_vendor_get_info(&info), AUTOSAGE_DEVICE_INVALID_ARGUMENT);
  takeError();
}

//===----------------------------------------------------------------------===//
// On a GPU
//===----------------------------------------------------------------------===//

class VendorOnDevice : public ::testing::Test {
protected:
  void SetUp() override {
    autosage_device_info device = {};
    device.struct_size = sizeof device;
    device.version = AUTOSAGE_DEVICE_VERSION;
    if (autosage_device_get_info(&device) != AUTOSAGE_DEVICE_OK)
      GTEST_SKIP() << takeError();
    autosage_vendor_info vendor = {};
    vendor.struct_size = sizeof vendor;
    vendor.version = AUTOSAGE_VENDOR_VERSION;
    if (autosage_vendor_get_info(&vendor) != AUTOSAGE_DEVICE_OK)
      GTEST_SKIP() << takeError();
  }
};

std::string nameOf(const VendorShape &s) {
  static const char *types[] = {"f32", "f64", "f16", "bf16"};
  return std::string(s.op == AUTOSAGE_VENDOR_SPMM ? "spmm" : "sddmm") + " " +
         types[s.dtype] + " -> " + types[s.outType] + " i" +
         std::to_string(8 * s.positionBytes) + " algorithm " +
         std::to_string(s.algorithm) + " flags " + std::to_string(s.flags) +
         " features " + std::to_string(s.features) + " padding " +
         std::to_string(s.padding);
}

/// A plan run three times, then a single call.
void checkOnDevice(const VendorShape &shape) {
  SCOPED_TRACE(nameOf(shape));
  VendorCase test(shape);
  const char *reason = nullptr;
  ASSERT_EQ(autosage_vendor_supports(&test.spec(), &reason), 0) << reason;
  autosage_vendor_plan *plan = nullptr;
  ASSERT_EQ(autosage_vendor_plan_create(&test.spec(), &test.operands(), nullptr,
                                        &plan),
            AUTOSAGE_DEVICE_OK)
      << takeError();
  std::vector<char> first;
  for (int run = 0; run < 3; ++run) {
    test.poison();
    ASSERT_EQ(autosage_vendor_plan_run(plan, &test.operands()),
              AUTOSAGE_DEVICE_OK)
        << takeError();
    EXPECT_LE(test.error(), test.tolerance());
    if (run == 0)
      first = test.result();
    else if (!(shape.flags & AUTOSAGE_VENDOR_NONDETERMINISTIC))
      EXPECT_EQ(test.result(), first) << "run " << run;
  }
  autosage_vendor_plan_destroy(plan);
  test.poison();
  test.callOnce();
  EXPECT_LE(test.error(), test.tolerance()) << "single call";
  EXPECT_EQ(takeError(), "");
}

TEST_F(VendorOnDevice, SpmmOfEveryAlgorithmAndType) {
  constexpr int32_t f32 = AUTOSAGE_VENDOR_F32, f64 = AUTOSAGE_VENDOR_F64,
                    f16 = AUTOSAGE_VENDOR_F16, bf16 = AUTOSAGE_VENDOR_BF16;
  for (auto [dtype, outType] : {std::pair(f32, f32),
                                {f64, f64},
                                {f16, f16},
                                {bf16, bf16},
                                {f16, f32},
                                {bf16, f32}})
    for (int32_t bytes : {4, 8})
      for (int32_t algorithm : {0, 1, 2, 3})
        for (uint32_t flags :
             {0u, uint32_t(AUTOSAGE_VENDOR_VALUES),
              uint32_t(AUTOSAGE_VENDOR_VALUES | AUTOSAGE_VENDOR_ACCUMULATE)})
          // Odd rows are refused for CSR_ALG3 and for outputs of 16 bits.
          for (auto [features, padding] : {std::pair<int64_t, int64_t>(8, 0),
                                           {32, 8},
                                           {136, 0},
                                           {1, 0},
                                           {3, 0},
                                           {32, 5},
                                           {129, 0}}) {
            bool isHalf = outType == f16 || outType == bf16;
            if ((algorithm == 3 && (features % 8 || padding % 8)) ||
                (isHalf && (features + padding) % 2))
              continue;
            VendorShape shape;
            shape.dtype = dtype;
            shape.outType = outType;
            shape.positionBytes = shape.coordinateBytes = bytes;
            shape.algorithm = algorithm;
            shape.flags = flags;
            if (algorithm != 3)
              shape.flags |= AUTOSAGE_VENDOR_NONDETERMINISTIC;
            shape.features = features;
            shape.padding = padding;
            checkOnDevice(shape);
          }
}

/// The narrowest rows that the rule lets through, and heads of such.
TEST_F(VendorOnDevice, NarrowestRowsOfAlgorithmThree) {
  for (auto [dtype, features] :
       {std::pair<int32_t, int64_t>(AUTOSAGE_VENDOR_F32, 4),
        {AUTOSAGE_VENDOR_F32, 12},
        {AUTOSAGE_VENDOR_F32, 132},
        {AUTOSAGE_VENDOR_F64, 2},
        {AUTOSAGE_VENDOR_F64, 6},
        {AUTOSAGE_VENDOR_F16, 8},
        {AUTOSAGE_VENDOR_BF16, 24}})
    for (int64_t padding : {int64_t(0), features})
      for (uint32_t flags : {0u, uint32_t(AUTOSAGE_VENDOR_VALUES)}) {
        VendorShape shape;
        shape.dtype = shape.outType = dtype;
        shape.features = features;
        shape.padding = padding;
        shape.flags = flags;
        checkOnDevice(shape);
      }
}

/// What the rule refuses reaches neither the plan nor the device.
TEST_F(VendorOnDevice, RowsThatAlgorithmThreeGetsWrongAreComputedOnTheHost) {
  for (auto [features, padding, offset] :
       {std::tuple<int64_t, int64_t, int64_t>(3, 0, 0),
        {32, 5, 0},
        {129, 0, 0},
        {32, 0, 4}}) {
    VendorShape shape;
    shape.flags = AUTOSAGE_VENDOR_VALUES;
    shape.features = features;
    shape.padding = padding;
    shape.offset = offset;
    SCOPED_TRACE(nameOf(shape));
    VendorCase test(shape);
    autosage_vendor_plan *plan = nullptr;
    EXPECT_EQ(autosage_vendor_plan_create(&test.spec(), &test.operands(),
                                          nullptr, &plan),
              AUTOSAGE_VENDOR_UNSUPPORTED);
    EXPECT_NE(takeError(), "");
    EXPECT_EQ(plan, nullptr);
    test.callOnce();
    EXPECT_LE(test.error(), test.tolerance());
    EXPECT_EQ(takeError(), "");
  }
}

TEST_F(VendorOnDevice, TransposedSpmm) {
  for (int32_t algorithm : {0, 1, 2}) {
    VendorShape shape;
    shape.algorithm = algorithm;
    shape.flags = AUTOSAGE_VENDOR_VALUES | AUTOSAGE_VENDOR_TRANSPOSE |
                  AUTOSAGE_VENDOR_NONDETERMINISTIC;
    checkOnDevice(shape);
  }
}

TEST_F(VendorOnDevice, SddmmOfEveryType) {
  constexpr int32_t f32 = AUTOSAGE_VENDOR_F32, f64 = AUTOSAGE_VENDOR_F64,
                    f16 = AUTOSAGE_VENDOR_F16;
  for (auto [dtype, outType] :
       {std::pair(f32, f32), {f64, f64}, {f16, f16}, {f16, f32}})
    for (int32_t bytes : {4, 8})
      for (double scale : {1.0, -0.125})
        for (int64_t features : {1, 3, 32, 129}) {
          VendorShape shape;
          shape.op = AUTOSAGE_VENDOR_SDDMM;
          shape.dtype = dtype;
          shape.outType = outType;
          shape.positionBytes = shape.coordinateBytes = bytes;
          shape.scale = scale;
          shape.features = features;
          shape.padding = features == 32 ? 5 : 0;
          checkOnDevice(shape);
        }
}

TEST_F(VendorOnDevice, WhatCusparseRefusesIsComputedOnTheHost) {
  VendorShape shape;
  shape.positionBytes = 8; // mixed index types
  shape.flags = AUTOSAGE_VENDOR_VALUES;
  VendorCase test(shape);
  test.callOnce();
  EXPECT_LE(test.error(), test.tolerance());
  EXPECT_EQ(takeError(), "");
}

// What deterministic plans take it for. NVIDIA says the same of algorithm 3 of
// SpMM, whose runs are counted: on long rows they differ, so that nobody may
// rely on them, and are right all the same.
TEST_F(VendorOnDevice, SddmmGivesTheSameBits) {
  for (int32_t op : {AUTOSAGE_VENDOR_SDDMM, AUTOSAGE_VENDOR_SPMM})
    for (auto [rows, degree] : {std::pair<int64_t, int64_t>{37, 5},
                                {300, 100},
                                {300, 4000},
                                {60000, 16}})
      for (int64_t features : {32, 100, 128}) {
        std::string what = (op == AUTOSAGE_VENDOR_SPMM ? "spmm_" : "sddmm_") +
                           std::to_string(rows) + "_rows_of_" +
                           std::to_string(degree) + "_F_" +
                           std::to_string(features);
        SCOPED_TRACE(what);
        VendorShape shape;
        shape.op = op;
        if (op == AUTOSAGE_VENDOR_SPMM)
          shape.flags = AUTOSAGE_VENDOR_VALUES;
        shape.rows = rows;
        shape.cols = 60000;
        shape.degree = degree;
        shape.features = features;
        VendorCase test(shape);
        std::vector<char> first;
        int differing = 0;
        for (int made = 0; made < 5; ++made) {
          autosage_vendor_plan *plan = nullptr;
          ASSERT_EQ(autosage_vendor_plan_create(&test.spec(), &test.operands(),
                                                nullptr, &plan),
                    0)
              << takeError();
          for (int run = 0; run < 10; ++run) {
            test.poison();
            ASSERT_EQ(autosage_vendor_plan_run(plan, &test.operands()), 0)
                << takeError();
            std::vector<char> bits = test.result();
            if (first.empty())
              first = bits;
            differing += bits != first;
          }
          autosage_vendor_plan_destroy(plan);
        }
        RecordProperty(what + "_of_49_runs_differ", std::to_string(differing));
        if (op == AUTOSAGE_VENDOR_SDDMM)
          EXPECT_EQ(differing, 0) << "of 49 runs";
        EXPECT_LE(test.error(), test.tolerance());
      }
}

TEST_F(VendorOnDevice, MeasuresEveryAlgorithm) {
  for (int32_t algorithm : {0, 1, 2, 3}) {
    VendorShape shape;
    shape.algorithm = algorithm;
    shape.flags = AUTOSAGE_VENDOR_VALUES | AUTOSAGE_VENDOR_NONDETERMINISTIC;
    VendorCase test(shape);
    double ms[4] = {-1, -1, -1, -1}, planMs = -1;
    ASSERT_EQ(autosage_vendor_measure(&test.spec(), &test.operands(), nullptr,
                                      1, 4, 2, ms, &planMs),
              AUTOSAGE_DEVICE_OK)
        << takeError();
    for (double sample : ms)
      EXPECT_GT(sample, 0);
    EXPECT_GT(planMs, 0);
    EXPECT_LE(test.error(), test.tolerance());
  }
}

TEST_F(VendorOnDevice, ThreadsWithPlansOfTheirOwn) {
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 8; ++thread)
    threads.emplace_back([thread] {
      VendorShape shape;
      shape.flags = AUTOSAGE_VENDOR_VALUES;
      VendorCase test(shape, thread);
      autosage_vendor_plan *plan = nullptr;
      ASSERT_EQ(autosage_vendor_plan_create(&test.spec(), &test.operands(),
                                            nullptr, &plan),
                AUTOSAGE_DEVICE_OK)
          << takeError();
      for (int run = 0; run < 20; ++run) {
        test.poison();
        ASSERT_EQ(autosage_vendor_plan_run(plan, &test.operands()),
                  AUTOSAGE_DEVICE_OK);
        EXPECT_LE(test.error(), test.tolerance());
      }
      autosage_vendor_plan_destroy(plan);
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
