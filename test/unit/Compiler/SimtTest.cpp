//===- SimtTest.cpp - GPU kernels on the CPU, from MLIR text --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels in MLIR through autosage-simt-pipeline to the emulator. Faults are
// planted by changing one line of the text.
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"

#include "autosage/Compiler/Compiler.h"
#include "autosage/Core/Reference.h"
#include "autosage/Emulation/Simt.h"

#include "gtest/gtest.h"

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>

using namespace autosage;
using namespace autosage::compiler;

namespace {

/// A memref<?xT> over a vector that kernels may access, for a scope.
template <typename T> class Buffer {
public:
  Buffer(std::vector<T> &values, const char *name, bool readOnly)
      : words{reinterpret_cast<intptr_t>(values.data()),
              reinterpret_cast<intptr_t>(values.data()), 0,
              static_cast<int64_t>(values.size()), 1},
        data(values.data()) {
    EXPECT_EQ(autosage_simt_register_buffer(
                  data, static_cast<int64_t>(values.size() * sizeof(T)), name,
                  readOnly),
              0);
  }
  ~Buffer() { autosage_simt_unregister_buffer(data); }
  void *descriptor() { return words.data(); }

private:
  std::array<int64_t, 5> words;
  T *data;
};

std::string replaced(std::string text, const std::string &from,
                     const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The error that running `kernel` leaves, with its code.
struct Outcome {
  int32_t code = 0;
  std::string message;
};
Outcome invoke(const CompiledKernel &kernel, std::vector<void *> args) {
  Status status = kernel.invoke(args.data(), args.size());
  EXPECT_TRUE(status) << status.error();
  Outcome outcome;
  const char *message = nullptr;
  outcome.code = autosage_simt_take_error(&message);
  outcome.message = message;
  return outcome;
}

/// y = A x for 64 features: a warp a row; its halves take edges in turns, each
/// lane 4 features, and meet by shuffles.
const std::string spmmText = R"mlir(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @spmm(%rowptr: !llvm.ptr<1>, %colind: !llvm.ptr<1>, %x: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
                   %y: !llvm.ptr<1>, %rows: i32) kernel {
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c4 = arith.constant 4 : i32
      %c16 = arith.constant 16 : i32
      %c31 = arith.constant 31 : i32
      %c32 = arith.constant 32 : i32
      %c64 = arith.constant 64 : i64
      %full = arith.constant -1 : i32
      %zero = arith.constant dense<0.0> : vector<4xf32>
      %warp = arith.divui %tid, %c32 : i32
      %lane = arith.remui %tid, %c32 : i32
      %half = arith.divui %lane, %c16 : i32
      %in = arith.remui %lane, %c16 : i32
      %first = arith.muli %bid, %c4 : i32
      %row = arith.addi %first, %warp : i32
      %inside = arith.cmpi slt, %row, %rows : i32
      scf.if %inside {
        %pb = llvm.getelementptr %rowptr[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
        %begin = llvm.load %pb : !llvm.ptr<1> -> i32
        %pe = llvm.getelementptr %pb[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
        %end = llvm.load %pe : !llvm.ptr<1> -> i32
        %start = arith.addi %begin, %half : i32
        %col = arith.muli %in, %c4 : i32
        %col64 = arith.extsi %col : i32 to i64
        %sum = scf.for %e = %start to %end step %c2 iter_args(%acc = %zero) -> vector<4xf32> : i32 {
          %pc = llvm.getelementptr %colind[%e] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
          %c = llvm.load %pc : !llvm.ptr<1> -> i32
          %c_64 = arith.extsi %c : i32 to i64
          %base = arith.muli %c_64, %c64 : i64
          %at = arith.addi %base, %col64 : i64
          %px = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
          %v = llvm.load %px {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
          %next = arith.addf %acc, %v : vector<4xf32>
          scf.yield %next : vector<4xf32>
        }
        %s0 = vector.extract %sum[0] : f32 from vector<4xf32>
        %s1 = vector.extract %sum[1] : f32 from vector<4xf32>
        %s2 = vector.extract %sum[2] : f32 from vector<4xf32>
        %s3 = vector.extract %sum[3] : f32 from vector<4xf32>
        %r0 = nvvm.shfl.sync bfly %full, %s0, %c16, %c31 : f32 -> f32
        %r1 = nvvm.shfl.sync bfly %full, %s1, %c16, %c31 : f32 -> f32
        %r2 = nvvm.shfl.sync bfly %full, %s2, %c16, %c31 : f32 -> f32
        %r3 = nvvm.shfl.sync bfly %full, %s3, %c16, %c31 : f32 -> f32
        %r = vector.from_elements %r0, %r1, %r2, %r3 : vector<4xf32>
        %total = arith.addf %sum, %r : vector<4xf32>
        %writes = arith.cmpi ult, %lane, %c16 : i32
        scf.if %writes {
          %row64 = arith.extsi %row : i32 to i64
          %base = arith.muli %row64, %c64 : i64
          %at = arith.addi %base, %col64 : i64
          %py = llvm.getelementptr %y[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
          llvm.store %total, %py {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
        }
      }
      gpu.return
    }
  }
  func.func private @pointer(%p: index) -> !llvm.ptr<1> {
    %i = arith.index_cast %p : index to i64
    %q = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    return %q : !llvm.ptr<1>
  }
  func.func @main(%rowptr: memref<?xi32>, %colind: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>)
      attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %size = memref.dim %rowptr, %c0 : memref<?xi32>
    %rows = arith.subi %size, %c1 : index
    %blocks = arith.ceildivui %rows, %c4 : index
    %n = arith.index_cast %rows : index to i32
    %rpi = memref.extract_aligned_pointer_as_index %rowptr : memref<?xi32> -> index
    %cii = memref.extract_aligned_pointer_as_index %colind : memref<?xi32> -> index
    %xi = memref.extract_aligned_pointer_as_index %x : memref<?xf32> -> index
    %yi = memref.extract_aligned_pointer_as_index %y : memref<?xf32> -> index
    %rp = call @pointer(%rpi) : (index) -> !llvm.ptr<1>
    %ci = call @pointer(%cii) : (index) -> !llvm.ptr<1>
    %xp = call @pointer(%xi) : (index) -> !llvm.ptr<1>
    %yp = call @pointer(%yi) : (index) -> !llvm.ptr<1>
    gpu.launch_func @kernels::@spmm blocks in (%blocks, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%rp : !llvm.ptr<1>, %ci : !llvm.ptr<1>, %xp : !llvm.ptr<1>, %yp : !llvm.ptr<1>, %n : i32)
    return
  }
}
)mlir";

/// Aligned, as `alignment = 16` of the kernel asks for.
class Spmm {
public:
  Spmm(int64_t rows, int64_t cols, const std::vector<int64_t> &degrees) {
    std::mt19937_64 engine(7);
    csr = test::randomCsr(degrees, cols, engine);
    for (int64_t i = 0; i <= rows; ++i)
      rowptr.push_back(static_cast<int32_t>(csr.rowptr[i]));
    for (int64_t i = 0; i < csr.nnz(); ++i)
      colind.push_back(static_cast<int32_t>(csr.colind[i]));
    x.resize(static_cast<size_t>(cols) * 64);
    std::uniform_real_distribution<float> value(-1, 1);
    for (float &v : x)
      v = value(engine);
    y.assign(static_cast<size_t>(rows) * 64,
             std::numeric_limits<float>::quiet_NaN());
  }

  Outcome run(const CompiledKernel &kernel) {
    Buffer<int32_t> rp(rowptr, "rowptr", true), ci(colind, "colind", true);
    Buffer<float> bx(x, "x", true), by(y, "y", false);
    return invoke(kernel, {rp.descriptor(), ci.descriptor(), bx.descriptor(),
                           by.descriptor()});
  }

  double relativeError() const {
    std::vector<double> wide(x.begin(), x.end()), ref(y.size());
    reference::SpmmParams params;
    params.features = 64;
    reference::spmm(csr.view(), {}, wide.data(), ref.data(), params);
    double difference = 0, norm = 0;
    for (size_t i = 0; i < y.size(); ++i) {
      difference += (y[i] - ref[i]) * (y[i] - ref[i]); // NaN stays
      norm += ref[i] * ref[i];
    }
    return std::sqrt(difference / norm);
  }

  Csr csr;
  std::vector<int32_t> rowptr, colind;
  std::vector<float> x, y;
};

std::unique_ptr<CompiledKernel> compiled(const std::string &text,
                                         const SimtOptions &simt = {}) {
  auto kernel = compileSimt(text, "kernel.mlir", {}, simt);
  EXPECT_TRUE(kernel) << (kernel ? "" : kernel.error());
  return kernel ? std::move(*kernel) : nullptr;
}

/// Degrees of a citation graph of Cora's size: 2708 rows, one of 168 entries.
std::vector<int64_t> coraDegrees() {
  std::mt19937 engine(3);
  std::geometric_distribution<int64_t> degree(0.26);
  std::vector<int64_t> degrees(2708);
  for (int64_t &d : degrees)
    d = degree(engine) + 1;
  degrees[100] = 168;
  degrees[200] = 0;
  return degrees;
}

} // namespace

TEST(Simt, SpmmAgreesWithTheReferenceWithAndWithoutChecks) {
  for (bool checks : {true, false}) {
    auto kernel = compiled(spmmText, {checks, checks, checks});
    ASSERT_TRUE(kernel);
    Spmm problem(2708, 2708, coraDegrees());
    auto start = std::chrono::steady_clock::now();
    Outcome outcome = problem.run(*kernel);
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    EXPECT_EQ(outcome.message, "");
    EXPECT_LT(problem.relativeError(), 5e-6);
    // A launch is tens of milliseconds; this leaves room for a loaded machine.
    EXPECT_LT(seconds, 2.0);
    std::printf("%s checks: %.1f ms, compiled in %.1f ms\n",
                checks ? "with" : "without", 1e3 * seconds,
                kernel->compileMs());
  }
}

TEST(Simt, SpmmOfFewRowsAndNone) {
  auto kernel = compiled(spmmText);
  ASSERT_TRUE(kernel);
  for (int64_t rows : {1, 3, 5}) {
    Spmm problem(rows, 9, std::vector<int64_t>(static_cast<size_t>(rows), 7));
    EXPECT_EQ(problem.run(*kernel).message, "");
    EXPECT_LT(problem.relativeError(), 5e-6);
  }
  Spmm none(0, 9, {});
  EXPECT_EQ(none.run(*kernel).message, "");
}

TEST(Simt, PlantedFaultsOfTheKernelAreFound) {
  Spmm problem(9, 9, std::vector<int64_t>(9, 4));
  struct Fault {
    const char *from, *to, *message;
  };
  for (const Fault &fault :
       {// One row too many: the next row's end is read past rowptr.
        Fault{"arith.cmpi slt, %row, %rows", "arith.cmpi sle, %row, %rows",
              "load of 4 bytes is out of bounds, at offset 40 of buffer "
              "'rowptr' (40 bytes), at kernel.mlir:"},
        // A column that is off by one element.
        Fault{"arith.addi %base, %col64", "arith.addi %base, %c64",
              "of buffer 'x'"},
        Fault{"%full = arith.constant -1", "%full = arith.constant 65535",
              "shuffle bfly reads lane 31, which does not take part"},
        // Both halves write the row.
        Fault{"arith.cmpi ult, %lane, %c16", "arith.cmpi ult, %lane, %c32",
              "data race: store of 16 bytes at offset"}}) {
    std::string text = replaced(spmmText, fault.from, fault.to);
    auto kernel = compiled(text);
    ASSERT_TRUE(kernel);
    Outcome outcome = problem.run(*kernel);
    EXPECT_NE(outcome.code, 0) << fault.to;
    EXPECT_NE(outcome.message.find(fault.message), std::string::npos)
        << outcome.message;
    EXPECT_EQ(outcome.message.find("kernel 'spmm', block ("), 0u)
        << outcome.message;
  }
}

TEST(Simt, UnregisteredMemoryIsAFinding) {
  auto kernel = compiled(spmmText);
  ASSERT_TRUE(kernel);
  Spmm problem(4, 4, {1, 1, 1, 1});
  Buffer<int32_t> rp(problem.rowptr, "rowptr", true);
  std::array<int64_t, 5> ci{reinterpret_cast<intptr_t>(problem.colind.data()),
                            reinterpret_cast<intptr_t>(problem.colind.data()),
                            0, 4, 1};
  Outcome outcome =
      invoke(*kernel, {rp.descriptor(), ci.data(), ci.data(), ci.data()});
  EXPECT_EQ(outcome.code, AUTOSAGE_SIMT_OUT_OF_BOUNDS) << outcome.message;
}

//===----------------------------------------------------------------------===//
// cp.async, ldmatrix, mma
//===----------------------------------------------------------------------===//

/// C (16 x 8, f32) = A (16 x 16, f16) times B, which is stored by columns.
static const std::string mmaText = R"mlir(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @sa() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i16>
    llvm.mlir.global internal @sb() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x i16>
    llvm.func @mma(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %i1 = llvm.mlir.constant(1 : i32) : i32
      %i2 = llvm.mlir.constant(2 : i32) : i32
      %i4 = llvm.mlir.constant(4 : i32) : i32
      %i8 = llvm.mlir.constant(8 : i32) : i32
      %i16 = llvm.mlir.constant(16 : i32) : i32
      %full = llvm.mlir.constant(-1 : i32) : i32
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      %sa = llvm.mlir.addressof @sa : !llvm.ptr<3>
      %sb = llvm.mlir.addressof @sb : !llvm.ptr<3>
      %at = llvm.mul %lane, %i8 : i32
      %pa = llvm.getelementptr %a[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
      %qa = llvm.getelementptr %sa[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
      nvvm.cp.async.shared.global %qa, %pa, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      %low = llvm.icmp "ult" %lane, %i16 : i32
      llvm.cond_br %low, ^copy, ^wait
    ^copy:
      %pb = llvm.getelementptr %b[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
      %qb = llvm.getelementptr %sb[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
      nvvm.cp.async.shared.global %qb, %pb, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      llvm.br ^wait
    ^wait:
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
      nvvm.bar.warp.sync %full : i32
      %row = llvm.urem %lane, %i16 : i32
      %block = llvm.udiv %lane, %i16 : i32
      %ra = llvm.mul %row, %i16 : i32
      %ca = llvm.mul %block, %i8 : i32
      %ia = llvm.add %ra, %ca : i32
      %ma = llvm.getelementptr %sa[%ia] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
      %fa = nvvm.ldmatrix %ma {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
      %n = llvm.urem %lane, %i8 : i32
      %k8 = llvm.udiv %row, %i8 : i32
      %rb = llvm.mul %n, %i16 : i32
      %cb = llvm.mul %k8, %i8 : i32
      %ib = llvm.add %rb, %cb : i32
      %mb = llvm.getelementptr %sb[%ib] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i16
      %fb = nvvm.ldmatrix %mb {num = 2 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
      %a0i = llvm.extractvalue %fa[0] : !llvm.struct<(i32, i32, i32, i32)>
      %a1i = llvm.extractvalue %fa[1] : !llvm.struct<(i32, i32, i32, i32)>
      %a2i = llvm.extractvalue %fa[2] : !llvm.struct<(i32, i32, i32, i32)>
      %a3i = llvm.extractvalue %fa[3] : !llvm.struct<(i32, i32, i32, i32)>
      %b0i = llvm.extractvalue %fb[0] : !llvm.struct<(i32, i32)>
      %b1i = llvm.extractvalue %fb[1] : !llvm.struct<(i32, i32)>
      %a0 = llvm.bitcast %a0i : i32 to vector<2xf16>
      %a1 = llvm.bitcast %a1i : i32 to vector<2xf16>
      %a2 = llvm.bitcast %a2i : i32 to vector<2xf16>
      %a3 = llvm.bitcast %a3i : i32 to vector<2xf16>
      %b0 = llvm.bitcast %b0i : i32 to vector<2xf16>
      %b1 = llvm.bitcast %b1i : i32 to vector<2xf16>
      %d = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%zero, %zero, %zero, %zero] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
      %d1 = llvm.extractvalue %d[1] : !llvm.struct<(f32, f32, f32, f32)>
      %d2 = llvm.extractvalue %d[2] : !llvm.struct<(f32, f32, f32, f32)>
      %d3 = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32)>
      %group = llvm.udiv %lane, %i4 : i32
      %in = llvm.urem %lane, %i4 : i32
      %ro = llvm.mul %group, %i8 : i32
      %co = llvm.mul %in, %i2 : i32
      %io = llvm.add %ro, %co : i32
      %p0 = llvm.getelementptr %c[%io] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %p1 = llvm.getelementptr %p0[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p2 = llvm.getelementptr %p0[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %p3 = llvm.getelementptr %p0[65] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      llvm.store %d0, %p0 : f32, !llvm.ptr<1>
      llvm.store %d1, %p1 : f32, !llvm.ptr<1>
      llvm.store %d2, %p2 : f32, !llvm.ptr<1>
      llvm.store %d3, %p3 : f32, !llvm.ptr<1>
      llvm.return
    }
  }
  func.func private @pointer(%p: index) -> !llvm.ptr<1> {
    %i = arith.index_cast %p : index to i64
    %q = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    return %q : !llvm.ptr<1>
  }
  func.func @main(%a: memref<?xi16>, %b: memref<?xi16>, %c: memref<?xf32>) attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %ai = memref.extract_aligned_pointer_as_index %a : memref<?xi16> -> index
    %bi = memref.extract_aligned_pointer_as_index %b : memref<?xi16> -> index
    %ci = memref.extract_aligned_pointer_as_index %c : memref<?xf32> -> index
    %ap = call @pointer(%ai) : (index) -> !llvm.ptr<1>
    %bp = call @pointer(%bi) : (index) -> !llvm.ptr<1>
    %cp = call @pointer(%ci) : (index) -> !llvm.ptr<1>
    gpu.launch_func @kernels::@mma blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%ap : !llvm.ptr<1>, %bp : !llvm.ptr<1>, %cp : !llvm.ptr<1>)
    return
  }
}
)mlir";

namespace {
/// A small integer and its f16 bits.
struct Half {
  int value;
  int16_t bits;
};
Half drawHalf(std::mt19937 &random) {
  int value = static_cast<int>(random() % 8) + 1; // 1 to 8
  int exponent = value >= 8 ? 3 : value >= 4 ? 2 : value >= 2 ? 1 : 0;
  int mantissa = (value << 10 >> exponent) - 1024;
  bool negative = random() % 2;
  return {negative ? -value : value,
          static_cast<int16_t>((negative ? 0x8000 : 0) | (exponent + 15) << 10 |
                               mantissa)};
}
} // namespace

TEST(Simt, AsynchronousCopyLdmatrixAndMma) {
  std::mt19937 random(5);
  std::vector<int16_t> a(256), b(128);
  int va[256], vb[128];
  for (int i = 0; i < 256; ++i) {
    Half h = drawHalf(random);
    a[static_cast<size_t>(i)] = h.bits;
    va[i] = h.value;
  }
  for (int i = 0; i < 128; ++i) {
    Half h = drawHalf(random);
    b[static_cast<size_t>(i)] = h.bits;
    vb[i] = h.value;
  }
  struct Case {
    const char *from, *to, *message;
  };
  for (const Case &c :
       {Case{"", "", ""},
        Case{"nvvm.cp.async.wait.group 0", "nvvm.cp.async.wait.group 1",
             "an asynchronous copy that was not waited for"},
        Case{"nvvm.bar.warp.sync %full : i32", "",
             "load of 16 bytes reads shared memory that nothing was written "
             "to"},
        // The second matrix of B begins 16 bytes too far.
        Case{"llvm.add %rb, %cb", "llvm.add %rb, %i16",
             "of shared memory 'sb' (256 bytes)"}}) {
    std::vector<float> out(128, std::numeric_limits<float>::quiet_NaN());
    auto kernel = compiled(*c.from ? replaced(mmaText, c.from, c.to) : mmaText);
    ASSERT_TRUE(kernel);
    Buffer<int16_t> ba(a, "a", true), bb(b, "b", true);
    Buffer<float> bc(out, "c", false);
    Outcome outcome =
        invoke(*kernel, {ba.descriptor(), bb.descriptor(), bc.descriptor()});
    if (*c.message) {
      EXPECT_NE(outcome.message.find(c.message), std::string::npos)
          << outcome.message;
      continue;
    }
    ASSERT_EQ(outcome.message, "");
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 8; ++j) {
        int want = 0;
        for (int k = 0; k < 16; ++k)
          want += va[i * 16 + k] * vb[j * 16 + k];
        EXPECT_EQ(out[static_cast<size_t>(i * 8 + j)], want);
      }
  }
}

TEST(Simt, WhatCannotBeEmulatedIsAnErrorAtItsPlace) {
  std::string text = replaced(mmaText, "nvvm.bar.warp.sync %full : i32",
                              "nvvm.inline_ptx \"membar.cta;\"");
  auto kernel = compileSimt(text, "kernel.mlir");
  ASSERT_FALSE(kernel);
  EXPECT_NE(kernel.error().find("is not emulated by the simt target"),
            std::string::npos)
      << kernel.error();
  EXPECT_EQ(kernel.error().find("kernel.mlir:"), 0u) << kernel.error();
}
