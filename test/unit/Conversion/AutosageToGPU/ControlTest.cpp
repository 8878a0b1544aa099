//===- ControlTest.cpp - loops and branches of the emitter ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fold over edges takes each edge once and reads none behind the end,
// whatever its length and number in flight.
//
//===----------------------------------------------------------------------===//

#include "EmittedKernel.h"

#include "autosage/Emulation/Simt.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace autosage::test;
using mlir::Value;
using mlir::ValueRange;
using mlir::autosage::device::Emitter;

/// Thread i folds positions [y[i], y[i + 1]) of x; weights 1, 2, 3, ... tell
/// whether the order is kept: sum = sum * 0.5 + value.
static Finding foldRows(std::vector<float> &x, std::vector<int32_t> &rowptr,
                        std::vector<float> &out, int64_t unroll,
                        bool position64) {
  auto rows = static_cast<int64_t>(rowptr.size()) - 1;
  return runEmitted(
      rows, x, rowptr, out, [&](Emitter &e, KernelArguments args) {
        mlir::Type type = e.b.getF32Type(), index = e.b.getI32Type();
        auto position = [&](int64_t which) {
          Value at = e.addI(args.thread, which);
          Value value = e.load(e.at(args.y, index, at), index);
          return position64 ? e.toI64(value) : value;
        };
        Value begin = position(0), end = position(1);
        llvm::SmallVector<Value> sums = e.foldEdges(
            begin, end, unroll, e.constant(0.0, type),
            [&](const Emitter::EdgeGroup &group, ValueRange carried) {
              EXPECT_EQ(static_cast<int64_t>(group.edges.size()), unroll);
              llvm::SmallVector<Value> values;
              for (Value edge : group.edges)
                values.push_back(
                    e.load(e.at(args.x, type, e.toI64(edge)), type));
              Value sum = carried[0];
              for (size_t i = 0; i < values.size(); ++i) {
                Value half = e.mul(sum, e.constant(0.5, type));
                sum = group.keep(e, i, e.add(half, values[i]), sum);
              }
              return llvm::SmallVector<Value>{sum};
            });
        e.store(sums[0], e.at(args.out, type, args.thread));
      });
}

TEST(EmitterControl, FoldsTakeEachEdgeOnceInOrder) {
  // Lengths 0 to 40, and the last row ends where x does.
  std::vector<int32_t> rowptr = {0};
  for (int32_t length = 0; length <= 40; ++length)
    rowptr.push_back(rowptr.back() + length);
  std::vector<float> x(static_cast<size_t>(rowptr.back()));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i % 13) - 6;
  for (int64_t unroll : {1, 2, 4, 8, 16})
    for (bool position64 : {false, true}) {
      std::vector<float> out(rowptr.size() - 1, std::nanf(""));
      Finding finding = foldRows(x, rowptr, out, unroll, position64);
      EXPECT_EQ(finding.message, "");
      for (size_t row = 0; row < out.size(); ++row) {
        double expected = 0;
        for (auto i = static_cast<size_t>(rowptr[row]);
             i < static_cast<size_t>(rowptr[row + 1]); ++i)
          expected = expected * 0.5 + x[i];
        EXPECT_NEAR(out[row], expected, 1e-5) << row << " by " << unroll;
      }
    }
}

// A clamped edge repeats the last one, whose value must not count: an infinity
// there would show.
TEST(EmitterControl, ClampedEdgesAreSelectedAway) {
  std::vector<int32_t> rowptr = {0, 5};
  std::vector<float> x = {1, 2, 3, 4, std::numeric_limits<float>::infinity()};
  std::vector<float> out(1);
  EXPECT_EQ(foldRows(x, rowptr, out, 4, false).message, "");
  EXPECT_TRUE(std::isinf(out[0]));
  x = {std::numeric_limits<float>::infinity(), 2, 3, 4, 5};
  rowptr = {1, 5};
  EXPECT_EQ(foldRows(x, rowptr, out, 16, false).message, "");
  EXPECT_EQ(out[0], 5 + 4 * 0.5 + 3 * 0.25 + 2 * 0.125);
}

// Positions next to the largest of their type do not wrap.
TEST(EmitterControl, FoldsAtTheEndOfThePositionType) {
  std::vector<int32_t> out(1, -1);
  Finding finding =
      runEmitted(1, {}, {}, out, [&](Emitter &e, KernelArguments args) {
        Value end = e.i32(std::numeric_limits<int32_t>::max());
        Value begin = e.i32(std::numeric_limits<int32_t>::max() - 5);
        auto counts = e.foldEdges(
            begin, end, 8, e.i32(0),
            [&](const Emitter::EdgeGroup &group, ValueRange carried) {
              Value count = carried[0];
              for (size_t i = 0; i < group.edges.size(); ++i)
                count = group.keep(e, i, e.addI(count, 1), count);
              return llvm::SmallVector<Value>{count};
            });
        e.store(counts[0], e.at(args.out, e.b.getI32Type(), args.thread));
      });
  EXPECT_EQ(finding.message, "");
  EXPECT_EQ(out[0], 5);
}

TEST(EmitterControl, LoopsAndBranches) {
  std::vector<int64_t> out(16, -1);
  Finding finding =
      runEmitted(16, {}, {}, out, [&](Emitter &e, KernelArguments args) {
        // The sum of 0, 3, 6, ... below the thread's number.
        Value sum =
            e.forLoop(e.i64(0), args.thread, 3, e.i64(0),
                      [&](Value i, ValueRange carried) {
                        return llvm::SmallVector<Value>{e.addI(carried[0], i)};
                      })[0];
        Value isEven = e.isZero(e.remI(args.thread, 2));
        sum = e.ifThen(isEven, sum, [&] {
          return llvm::SmallVector<Value>{e.addI(sum, 1000)};
        })[0];
        Value address = e.at(args.out, e.b.getI64Type(), args.thread);
        e.ifElse(
            e.lessThan(args.thread, e.i64(8)), [&] { e.store(sum, address); },
            [&] { e.store(e.subI(e.i64(0), sum), address); });
      });
  EXPECT_EQ(finding.message, "");
  for (int64_t thread = 0; thread < 16; ++thread) {
    int64_t expected = thread % 2 == 0 ? 1000 : 0;
    for (int64_t i = 0; i < thread; i += 3)
      expected += i;
    EXPECT_EQ(out[static_cast<size_t>(thread)],
              thread < 8 ? expected : -expected);
  }
}
