//===- Vendor.cpp - the calls of Vendor.h without a library ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is no cuSPARSE for the emulator: what a GPU's host code hands to it is
// done by plain loops, so that a program with both kinds of ops runs.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "autosage/Core/Vendor.h"
#include "autosage/Runtime/Vendor.h"

using namespace autosage;
using namespace autosage::simt;

namespace {
/// Checks that operands lie in buffers that kernels may access.
class Operands {
public:
  void check(const char *name, const void *data, int64_t rows, int64_t columns,
             int64_t stride, int64_t elementBytes, bool written = false) {
    if (rows <= 0 || columns <= 0 || !isValid)
      return;
    auto bytes =
        static_cast<uint64_t>(((rows - 1) * stride + columns) * elementBytes);
    isValid = checkBuffer("vendor call", name, data, bytes, written);
  }
  explicit operator bool() const { return isValid; }

private:
  bool isValid = true;
};
} // namespace

static VendorCall makeCall(OpKind op, int32_t positionBytes,
                           int32_t coordinateBytes, int32_t dtype,
                           int32_t outType, int32_t flags) {
  auto indexType = [](int32_t bytes) {
    return bytes == 8 ? IndexType::i64 : IndexType::i32;
  };
  VendorCall call;
  call.op = op;
  call.rowptrType = indexType(positionBytes);
  call.colindType = indexType(coordinateBytes);
  call.dtype = static_cast<DType>(dtype);
  call.outType = static_cast<DType>(outType);
  call.edgeValues = flags & AUTOSAGE_VENDOR_VALUES;
  call.transpose = flags & AUTOSAGE_VENDOR_TRANSPOSE;
  call.accumulate = flags & AUTOSAGE_VENDOR_ACCUMULATE;
  return call;
}

static HostOperands hostOperands(const void *rowptr, const void *colind,
                                 int64_t rows, int64_t cols, int64_t nnz,
                                 int64_t features) {
  HostOperands o;
  o.rows = rows;
  o.cols = cols;
  o.nnz = nnz;
  o.columns = features;
  o.rowptr = rowptr;
  o.colind = colind;
  return o;
}

static void checkPattern(Operands &operands, const VendorCall &call,
                         const HostOperands &o) {
  operands.check("rowptr", o.rowptr, 1, o.rows + 1, 0, sizeOf(call.rowptrType));
  operands.check("colind", o.colind, 1, o.nnz, 0, sizeOf(call.colindType));
}

void autosage_simt_vendor_spmm(const void *rowptr, const void *colind,
                               const void *values, const void *x, void *y,
                               int64_t rows, int64_t cols, int64_t nnz,
                               int64_t features, int64_t xStride,
                               int64_t yStride, int32_t positionBytes,
                               int32_t coordinateBytes, int32_t dtype,
                               int32_t outType, int32_t,
                               int32_t flags) noexcept {
  if (errorCode())
    return;
  VendorCall call = makeCall(OpKind::spmm, positionBytes, coordinateBytes,
                             dtype, outType, flags);
  HostOperands o = hostOperands(rowptr, colind, rows, cols, nnz, features);
  o.values = call.edgeValues ? values : nullptr;
  o.left = x;
  o.leftStride = xStride;
  o.out = y;
  o.outStride = yStride;
  Operands operands;
  checkPattern(operands, call, o);
  if (call.edgeValues)
    operands.check("values", values, 1, nnz, 0, sizeOf(call.dtype));
  operands.check("x", x, call.transpose ? rows : cols, features, xStride,
                 sizeOf(call.dtype));
  operands.check("y", y, call.transpose ? cols : rows, features, yStride,
                 sizeOf(call.outType), /*written=*/true);
  if (operands)
    runVendorCallOnHost(call, o);
}

void autosage_simt_vendor_sddmm(const void *rowptr, const void *colind,
                                const void *q, const void *k, void *out,
                                int64_t rows, int64_t cols, int64_t nnz,
                                int64_t features, int64_t qStride,
                                int64_t kStride, double scale,
                                int32_t positionBytes, int32_t coordinateBytes,
                                int32_t dtype, int32_t outType, int32_t,
                                int32_t flags) noexcept {
  if (errorCode())
    return;
  VendorCall call = makeCall(OpKind::sddmm, positionBytes, coordinateBytes,
                             dtype, outType, flags);
  call.scale = scale;
  HostOperands o = hostOperands(rowptr, colind, rows, cols, nnz, features);
  o.left = q;
  o.leftStride = qStride;
  o.right = k;
  o.rightStride = kStride;
  o.out = out;
  Operands operands;
  checkPattern(operands, call, o);
  operands.check("q", q, rows, features, qStride, sizeOf(call.dtype));
  operands.check("k", k, cols, features, kStride, sizeOf(call.dtype));
  operands.check("out", out, 1, nnz, 0, sizeOf(call.outType), /*written=*/true);
  if (operands)
    runVendorCallOnHost(call, o);
}
