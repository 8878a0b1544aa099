//===- Check.cpp - specs and operands that are fit to run -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the words of Vendor.h, in time that does not depend on sizes.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include <cmath>

using namespace autosage;
using namespace autosage::runtime;
using cusparse::Outcome;

static Outcome invalid(const std::string &what, const std::string &got) {
  return {AUTOSAGE_DEVICE_INVALID_ARGUMENT, "expects " + what + ", got " + got};
}

static Outcome invalid(const std::string &what, int64_t got) {
  return invalid(what, std::to_string(got));
}

static Outcome checkStride(const char *name, int64_t stride, int64_t features) {
  if (stride < features)
    return invalid(std::string(name) + " to be at least features (" +
                       std::to_string(features) + ")",
                   stride);
  return {};
}

Outcome cusparse::checkSpec(const autosage_vendor_spec *spec) {
  if (!spec || spec->struct_size < sizeof(autosage_vendor_spec) ||
      spec->version != AUTOSAGE_VENDOR_VERSION)
    return {AUTOSAGE_DEVICE_INVALID_ARGUMENT,
            "expects a spec with its size and version set"};
  const autosage_vendor_spec &s = *spec;
  bool spmm = s.op == AUTOSAGE_VENDOR_SPMM;
  if (!spmm && s.op != AUTOSAGE_VENDOR_SDDMM)
    return invalid("op to be 0 (spmm) or 1 (sddmm)", s.op);
  for (auto [name, type] :
       {std::pair("dtype", s.dtype), {"out_dtype", s.out_dtype}})
    if (type < AUTOSAGE_VENDOR_F32 || type > AUTOSAGE_VENDOR_BF16)
      return invalid(std::string(name) + " in [0, 3]", type);
  for (auto [name, bytes] : {std::pair("position_bytes", s.position_bytes),
                             {"coordinate_bytes", s.coordinate_bytes}})
    if (bytes != 4 && bytes != 8)
      return invalid(std::string(name) + " to be 4 or 8", bytes);
  if (s.algorithm < 0 || s.algorithm >= vendorAlgorithms)
    return invalid("algorithm in [0, 3]", s.algorithm);
  constexpr uint32_t known =
      AUTOSAGE_VENDOR_NONDETERMINISTIC | AUTOSAGE_VENDOR_TRANSPOSE |
      AUTOSAGE_VENDOR_ACCUMULATE | AUTOSAGE_VENDOR_VALUES |
      AUTOSAGE_VENDOR_NO_PREPROCESS;
  if (s.flags & ~known)
    return invalid("flags of version 1", s.flags);
  if (!spmm && s.flags & (AUTOSAGE_VENDOR_TRANSPOSE |
                          AUTOSAGE_VENDOR_ACCUMULATE | AUTOSAGE_VENDOR_VALUES))
    return invalid("transpose, accumulate and values for spmm only", s.flags);
  for (auto [name, size] : {std::pair("rows", s.rows),
                            {"cols", s.cols},
                            {"nnz", s.nnz},
                            {"features", s.features}})
    if (size < 0)
      return invalid(std::string(name) + " to be non-negative", size);
  if (Outcome outcome = checkStride("left_stride", s.left_stride, s.features);
      !outcome)
    return outcome;
  if (Outcome outcome =
          spmm ? checkStride("out_stride", s.out_stride, s.features)
               : checkStride("right_stride", s.right_stride, s.features);
      !outcome)
    return outcome;
  if (spmm ? s.scale != 1.0 : !std::isfinite(s.scale))
    return invalid(spmm ? "scale to be 1 for spmm" : "scale to be finite",
                   std::to_string(s.scale));
  return {};
}

VendorCall cusparse::callOf(const autosage_vendor_spec &spec,
                            std::optional<int> version) {
  VendorCall call;
  call.op = spec.op == AUTOSAGE_VENDOR_SPMM ? OpKind::spmm : OpKind::sddmm;
  call.dtype = static_cast<DType>(spec.dtype);
  call.outType = static_cast<DType>(spec.out_dtype);
  auto indexType = [](int32_t bytes) {
    return bytes == 8 ? IndexType::i64 : IndexType::i32;
  };
  call.rowptrType = indexType(spec.position_bytes);
  call.colindType = indexType(spec.coordinate_bytes);
  call.edgeValues = spec.flags & AUTOSAGE_VENDOR_VALUES;
  call.transpose = spec.flags & AUTOSAGE_VENDOR_TRANSPOSE;
  call.accumulate = spec.flags & AUTOSAGE_VENDOR_ACCUMULATE;
  call.scale = spec.scale;
  call.algorithm = spec.algorithm;
  call.deterministic = !(spec.flags & AUTOSAGE_VENDOR_NONDETERMINISTIC);
  call.rows = spec.rows;
  call.cols = spec.cols;
  call.nnz = spec.nnz;
  call.columns = spec.features;
  call.leftStride = spec.left_stride;
  call.outStride = spec.out_stride;
  call.version = version;
  return call;
}

Outcome cusparse::checkSupport(const autosage_vendor_spec &spec,
                               const autosage_vendor_operands *operands,
                               std::optional<int> version) {
  VendorCall call = callOf(spec, version);
  if (operands) {
    call.left = reinterpret_cast<uintptr_t>(operands->left);
    call.out = reinterpret_cast<uintptr_t>(operands->out);
  }
  if (Status status = verifyVendorCall(call); !status)
    return {AUTOSAGE_VENDOR_UNSUPPORTED, status.error()};
  return {};
}

namespace {
struct Span {
  const char *name;
  uintptr_t begin, end;

  /// `rows` rows of `width` elements.
  Span(const char *name, const void *data, int64_t rows, int64_t width,
       int64_t stride, int64_t elementBytes)
      : name(name), begin(reinterpret_cast<uintptr_t>(data)), end(begin) {
    if (rows > 0 && width > 0)
      end +=
          static_cast<uintptr_t>(((rows - 1) * stride + width) * elementBytes);
  }
  bool isEmpty() const { return begin == end; }
};
} // namespace

Outcome cusparse::checkOperands(const autosage_vendor_spec &s,
                                const autosage_vendor_operands *operands) {
  if (!operands || operands->struct_size < sizeof(autosage_vendor_operands) ||
      operands->version != AUTOSAGE_VENDOR_VERSION)
    return {AUTOSAGE_DEVICE_INVALID_ARGUMENT,
            "expects operands with their size and version set"};
  bool spmm = s.op == AUTOSAGE_VENDOR_SPMM;
  bool transpose = s.flags & AUTOSAGE_VENDOR_TRANSPOSE;
  int64_t element = sizeOf(static_cast<DType>(s.dtype));
  int64_t outElement = sizeOf(static_cast<DType>(s.out_dtype));
  int64_t xRows = transpose ? s.rows : s.cols;
  int64_t yRows = transpose ? s.cols : s.rows;
  std::vector<Span> inputs = {
      {"rowptr", operands->rowptr, 1, s.rows + 1, 0, s.position_bytes},
      {"colind", operands->colind, 1, s.nnz, 0, s.coordinate_bytes},
      {spmm ? "x" : "q", operands->left, spmm ? xRows : s.rows, s.features,
       s.left_stride, element}};
  if (s.flags & AUTOSAGE_VENDOR_VALUES)
    inputs.push_back({"values", operands->values, 1, s.nnz, 0, element});
  if (!spmm)
    inputs.push_back(
        {"k", operands->right, s.cols, s.features, s.right_stride, element});
  Span out = spmm ? Span("y", operands->out, yRows, s.features, s.out_stride,
                         outElement)
                  : Span("out", operands->out, 1, s.nnz, 0, outElement);
  if (!out.isEmpty() && !operands->out)
    return invalid(std::string(out.name) + " to be device memory", "null");
  for (const Span &input : inputs) {
    if (input.isEmpty())
      continue;
    if (!input.begin)
      return invalid(std::string(input.name) + " to be device memory", "null");
    if (!out.isEmpty() && input.begin < out.end && out.begin < input.end)
      return {AUTOSAGE_DEVICE_INVALID_ARGUMENT,
              std::string("expects ") + out.name + " not to overlap " +
                  input.name};
  }
  return {};
}
