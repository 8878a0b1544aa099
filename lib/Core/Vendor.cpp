//===- Vendor.cpp - what cuSPARSE can do, and the same by hand ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule has its line, with version and source, in docs/cusparse.md.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Vendor.h"

#include "autosage/Core/Csr.h"
#include "autosage/Core/Half.h"
#include "autosage/Core/Reference.h"

#include <string>
#include <vector>

using namespace autosage;

/// The first cuSPARSE that was seen to handle sizes beyond the two limits.
static constexpr int firstWithoutSizeLimits = 12800;
/// 16 columns a block, and at most 65,535 blocks along y.
static constexpr int64_t mostColumns = 65535 * 16;
static constexpr int64_t mostEntries = (int64_t(1) << 31) - 128;

static Error expects(const std::string &what, std::string_view got) {
  return Error{"cuSPARSE expects " + what + ", got " + std::string(got)};
}

Status autosage::verifyVendorAlgorithm(OpKind op, int64_t algorithm,
                                       bool deterministic) {
  if (op != OpKind::spmm && op != OpKind::sddmm)
    return expects("spmm or sddmm", toString(op));
  if (algorithm < 0 || algorithm >= vendorAlgorithms)
    return expects("an algorithm in [0, 3]", std::to_string(algorithm));
  if (op == OpKind::spmm && deterministic &&
      algorithm != deterministicVendorAlgorithm)
    return expects("algorithm 3 for deterministic results (others with "
                   "deterministic = false)",
                   std::to_string(algorithm));
  return Status::success();
}

static Status verifyTypes(const VendorCall &call) {
  if (call.rowptrType != call.colindType)
    return expects("rowptr and colind of one type",
                   std::string(toString(call.rowptrType)) + " and " +
                       std::string(toString(call.colindType)));
  bool half = call.dtype == DType::f16 || call.dtype == DType::bf16;
  if (call.outType != call.dtype && !(half && call.outType == DType::f32))
    return expects("outputs of " + std::string(toString(call.dtype)) +
                       (half ? " or f32" : ""),
                   toString(call.outType));
  if (call.op == OpKind::sddmm && call.dtype == DType::bf16)
    return expects("sddmm on f32, f64 or f16", toString(call.dtype));
  return Status::success();
}

static Status verifyForm(const VendorCall &call) {
  if (call.op == OpKind::sddmm) {
    if (call.combine != Combine::dot)
      return expects("sddmm dot",
                     "sddmm " + std::string(toString(call.combine)));
    if (call.heads != 1)
      return expects("sddmm without heads", std::to_string(call.heads));
    if (call.edgeValues)
      return expects("sddmm without edge values", "edge values");
    // 0 times infinity is NaN; a BLAS may skip the product.
    if (call.scale == 0)
      return expects("a scale other than 0", "0");
    return Status::success();
  }
  if (call.reduction != Reduction::sum)
    return expects("spmm sum", "spmm " + std::string(toString(call.reduction)));
  if (call.valuesPerHead)
    return expects("one edge value for all heads", "one a head");
  if (call.transpose && call.deterministic)
    return expects("deterministic = false for the transpose", "true");
  if (call.transpose && call.algorithm == deterministicVendorAlgorithm)
    return expects("algorithm 0, 1 or 2 for the transpose",
                   std::to_string(call.algorithm));
  return Status::success();
}

static Status verifySizes(const VendorCall &call) {
  auto atLeastOne = [](const char *what,
                       std::optional<int64_t> size) -> Status {
    if (size && *size < 1)
      return expects(std::string("at least one ") + what,
                     std::to_string(*size));
    return Status::success();
  };
  for (auto [what, size] : {std::pair("row", call.rows),
                            {"column", call.cols},
                            {"entry", call.nnz},
                            {"feature", call.columns}})
    if (Status status = atLeastOne(what, size); !status)
      return status;
  // Seen to give NaN for an infinite value of the only edge.
  if (call.op == OpKind::spmm && call.nnz == 1)
    return expects("two entries or more for spmm", "1");
  // Duplicates can be more entries than the matrix has places.
  if (call.rows && call.cols && call.nnz &&
      *call.nnz / *call.rows >= *call.cols &&
      *call.nnz > *call.rows * *call.cols)
    return expects("at most one entry for each row and column",
                   std::to_string(*call.nnz));
  // An unknown version may be any.
  if (call.version.value_or(0) >= firstWithoutSizeLimits)
    return Status::success();
  if (call.nnz && *call.nnz > mostEntries)
    return expects("at most " + std::to_string(mostEntries) +
                       " entries before version 12.8",
                   std::to_string(*call.nnz));
  if (call.columns && *call.columns > mostColumns)
    return expects("at most " + std::to_string(mostColumns) +
                       " columns before version 12.8",
                   std::to_string(*call.columns));
  return Status::success();
}

/// What CSR_ALG3 gets wrong, or reads at addresses that the device refuses.
static Status verifyRows(const VendorCall &call) {
  if (call.op != OpKind::spmm || call.algorithm != deterministicVendorAlgorithm)
    return Status::success();
  auto expectsMultiple = [](const std::string &what, uint64_t bytes) -> Status {
    if (bytes % vendorRowBytes == 0)
      return Status::success();
    return expects(what + " of " + std::to_string(vendorRowBytes) +
                       " bytes for algorithm 3",
                   std::to_string(bytes) + " bytes");
  };
  struct Dense {
    std::string name;
    DType type;
    std::optional<int64_t> stride;
    std::optional<uintptr_t> address;
  };
  for (const Dense &dense :
       {Dense{"x", call.dtype, call.leftStride, call.left},
        Dense{"y", call.outType, call.outStride, call.out}}) {
    int64_t element = sizeOf(dense.type);
    for (auto [what, elements] :
         {std::pair("rows of " + dense.name + " to fill a multiple",
                    call.columns),
          {"rows of " + dense.name + " to lie apart by a multiple",
           dense.stride}})
      if (elements)
        if (Status status = expectsMultiple(what, *elements * element); !status)
          return status;
    if (dense.address && *dense.address % vendorRowBytes)
      return expects(
          dense.name + " at a multiple of " + std::to_string(vendorRowBytes) +
              " bytes for algorithm 3",
          "an address " + std::to_string(*dense.address % vendorRowBytes) +
              " bytes past one");
  }
  return Status::success();
}

/// Old contents of y come through, as 0 times NaN, where rows of 16-bit
/// elements begin in the middle of a word.
static Status verifyHalfRows(const VendorCall &call) {
  bool half = call.outType == DType::f16 || call.outType == DType::bf16;
  if (call.op == OpKind::spmm && half && call.outStride.value_or(0) % 2)
    return expects("rows of y of " + std::string(toString(call.outType)) +
                       " to lie apart by an even number of elements",
                   std::to_string(*call.outStride));
  return Status::success();
}

Status autosage::verifyVendorCall(const VendorCall &call) {
  if (Status status =
          verifyVendorAlgorithm(call.op, call.algorithm, call.deterministic);
      !status)
    return status;
  for (auto *verify :
       {verifyForm, verifyTypes, verifySizes, verifyRows, verifyHalfRows})
    if (Status status = verify(call); !status)
      return status;
  return Status::success();
}

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

static double widen(DType type, const void *array, int64_t i) {
  switch (type) {
  case DType::f32:
    return static_cast<const float *>(array)[i];
  case DType::f64:
    return static_cast<const double *>(array)[i];
  case DType::f16:
    return static_cast<const Float16 *>(array)[i];
  case DType::bf16:
    break;
  }
  return static_cast<const BFloat16 *>(array)[i];
}

static void narrow(DType type, void *array, int64_t i, double value) {
  switch (type) {
  case DType::f32:
    static_cast<float *>(array)[i] = static_cast<float>(value);
    return;
  case DType::f64:
    static_cast<double *>(array)[i] = value;
    return;
  case DType::f16:
    static_cast<Float16 *>(array)[i] = Float16(value);
    return;
  case DType::bf16:
    static_cast<BFloat16 *>(array)[i] = BFloat16(value);
    return;
  }
}

static std::vector<double> widenRows(DType type, const void *array,
                                     int64_t rows, int64_t columns,
                                     int64_t stride) {
  std::vector<double> wide(static_cast<size_t>(rows * columns));
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      wide[row * columns + column] = widen(type, array, row * stride + column);
  return wide;
}

static void narrowRows(DType type, void *array, const std::vector<double> &wide,
                       int64_t rows, int64_t columns, int64_t stride) {
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      narrow(type, array, row * stride + column, wide[row * columns + column]);
}

void autosage::runVendorCallOnHost(const VendorCall &call,
                                   const HostOperands &o) {
  CsrView a{o.rows,
            o.cols,
            {o.rowptr, o.rows + 1, call.rowptrType},
            {o.colind, o.nnz, call.colindType}};
  std::vector<double> values;
  if (o.values)
    values = widenRows(call.dtype, o.values, o.nnz, 1, 1);
  reference::EdgeValues weights{o.values ? values.data() : nullptr, 1};

  if (call.op == OpKind::sddmm) {
    std::vector<double> q =
        widenRows(call.dtype, o.left, o.rows, o.columns, o.leftStride);
    std::vector<double> k =
        widenRows(call.dtype, o.right, o.cols, o.columns, o.rightStride);
    std::vector<double> out(static_cast<size_t>(o.nnz));
    reference::SddmmParams params;
    params.features = o.columns;
    params.scale = call.scale;
    reference::sddmm(a, weights, q.data(), k.data(), out.data(), params);
    narrowRows(call.outType, o.out, out, o.nnz, 1, 1);
    return;
  }

  int64_t xRows = call.transpose ? o.rows : o.cols;
  int64_t yRows = call.transpose ? o.cols : o.rows;
  std::vector<double> x =
      widenRows(call.dtype, o.left, xRows, o.columns, o.leftStride);
  std::vector<double> y(static_cast<size_t>(yRows * o.columns));
  if (call.accumulate)
    y = widenRows(call.outType, o.out, yRows, o.columns, o.outStride);
  reference::SpmmParams params;
  params.reduction = call.reduction;
  params.features = o.columns;
  params.transpose = call.transpose;
  params.accumulate = call.accumulate;
  reference::spmm(a, weights, x.data(), y.data(), params);
  narrowRows(call.outType, o.out, y, yRows, o.columns, o.outStride);
}
