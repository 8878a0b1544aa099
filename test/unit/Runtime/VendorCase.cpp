//===- VendorCase.cpp - a random call of cuSPARSE and its check -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VendorCase.h"

#include "autosage/Core/Half.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace autosage;
using namespace autosage::test;

static int64_t bytesOf(int32_t type) {
  return type == AUTOSAGE_VENDOR_F64 ? 8 : type == AUTOSAGE_VENDOR_F32 ? 4 : 2;
}

template <typename T>
static void put(std::vector<char> &bytes, int64_t i, T value) {
  std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

template <typename T> static T take(const std::vector<char> &bytes, int64_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

static void store(std::vector<char> &bytes, int32_t type, int64_t i,
                  double value) {
  if (type == AUTOSAGE_VENDOR_F32)
    put(bytes, i, static_cast<float>(value));
  else if (type == AUTOSAGE_VENDOR_F64)
    put(bytes, i, value);
  else if (type == AUTOSAGE_VENDOR_F16)
    put(bytes, i, Float16(value).bits);
  else
    put(bytes, i, BFloat16(value).bits);
}

static double load(const std::vector<char> &bytes, int32_t type, int64_t i) {
  if (type == AUTOSAGE_VENDOR_F32)
    return take<float>(bytes, i);
  if (type == AUTOSAGE_VENDOR_F64)
    return take<double>(bytes, i);
  if (type == AUTOSAGE_VENDOR_F16)
    return Float16::ofBits(take<uint16_t>(bytes, i));
  return BFloat16::ofBits(take<uint16_t>(bytes, i));
}

void *VendorCase::upload(const std::vector<char> &bytes, int64_t offset) {
  auto size = static_cast<int64_t>(bytes.size());
  if (size == 0)
    return nullptr;
  void *memory = autosage_device_alloc(size + offset);
  if (!memory)
    return nullptr;
  owned.push_back(memory);
  void *place = static_cast<char *>(memory) + offset;
  autosage_device_upload(place, bytes.data(), size);
  return place;
}

VendorCase::VendorCase(const VendorShape &shape, uint64_t seed) : shape(shape) {
  std::mt19937_64 random(seed);
  auto below = [&](int64_t n) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(n));
  };
  auto uniform = [&] {
    return std::uniform_real_distribution<double>(-1, 1)(random);
  };

  std::vector<int64_t> rowptr = {0}, colind;
  for (int64_t row = 0; row < shape.rows; ++row) {
    int64_t length = row == 1   ? 0
                     : row == 2 ? 8 * shape.degree
                                : below(2 * shape.degree + 1);
    for (int64_t i = 0; i < length; ++i)
      colind.push_back(below(shape.cols));
    rowptr.push_back(static_cast<int64_t>(colind.size()));
  }
  auto nnz = static_cast<int64_t>(colind.size());
  auto indices = [&](const std::vector<int64_t> &values, int32_t bytes) {
    std::vector<char> out(values.size() * static_cast<size_t>(bytes));
    for (size_t i = 0; i < values.size(); ++i)
      if (bytes == 8)
        put(out, static_cast<int64_t>(i), values[i]);
      else
        put(out, static_cast<int64_t>(i), static_cast<int32_t>(values[i]));
    return out;
  };

  bool spmm = shape.op == AUTOSAGE_VENDOR_SPMM;
  bool transpose = shape.flags & AUTOSAGE_VENDOR_TRANSPOSE;
  int64_t stride = shape.features + shape.padding;
  int64_t element = bytesOf(shape.dtype);
  // Padding is NaN: nobody may read it.
  auto dense = [&](int64_t rows) {
    std::vector<char> out(static_cast<size_t>(rows * stride * element));
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < stride; ++i)
        store(out, shape.dtype, row * stride + i,
              i < shape.features ? uniform() : std::nan(""));
    return out;
  };
  std::vector<char> left = dense(!spmm || transpose ? shape.rows : shape.cols);
  std::vector<char> right = spmm ? std::vector<char>() : dense(shape.cols);
  std::vector<char> values;
  if (shape.flags & AUTOSAGE_VENDOR_VALUES) {
    values.resize(static_cast<size_t>(nnz * element));
    for (int64_t e = 0; e < nnz; ++e)
      store(values, shape.dtype, e, uniform());
  }

  outRows = spmm ? (transpose ? shape.cols : shape.rows) : nnz;
  outColumns = spmm ? shape.features : 1;
  outStride = spmm ? stride : 1;
  initial.resize(
      static_cast<size_t>(outRows * outStride * bytesOf(shape.outType)));
  for (int64_t i = 0; i < outRows * outStride; ++i)
    store(initial, shape.outType, i,
          shape.flags & AUTOSAGE_VENDOR_ACCUMULATE ? uniform() : std::nan(""));

  reference.assign(static_cast<size_t>(outRows * outColumns), 0.0);
  if (shape.flags & AUTOSAGE_VENDOR_ACCUMULATE)
    for (int64_t row = 0; row < outRows; ++row)
      for (int64_t i = 0; i < outColumns; ++i)
        reference[row * outColumns + i] =
            load(initial, shape.outType, row * outStride + i);
  for (int64_t row = 0; row < shape.rows; ++row)
    for (int64_t e = rowptr[row]; e < rowptr[row + 1]; ++e) {
      int64_t from = transpose ? row : colind[e];
      int64_t to = transpose ? colind[e] : row;
      double w = values.empty() ? 1.0 : load(values, shape.dtype, e);
      for (int64_t i = 0; i < shape.features; ++i)
        if (spmm)
          reference[to * outColumns + i] +=
              w * load(left, shape.dtype, from * stride + i);
        else
          reference[e] += shape.scale *
                          load(left, shape.dtype, row * stride + i) *
                          load(right, shape.dtype, colind[e] * stride + i);
    }

  theSpec.struct_size = sizeof theSpec;
  theSpec.version = AUTOSAGE_VENDOR_VERSION;
  theSpec.op = shape.op;
  theSpec.dtype = shape.dtype;
  theSpec.out_dtype = shape.outType;
  theSpec.position_bytes = shape.positionBytes;
  theSpec.coordinate_bytes = shape.coordinateBytes;
  theSpec.algorithm = shape.algorithm;
  theSpec.flags = shape.flags;
  theSpec.rows = shape.rows;
  theSpec.cols = shape.cols;
  theSpec.nnz = nnz;
  theSpec.features = shape.features;
  theSpec.left_stride = theSpec.right_stride = theSpec.out_stride = stride;
  theSpec.scale = shape.scale;

  theOperands.struct_size = sizeof theOperands;
  theOperands.version = AUTOSAGE_VENDOR_VERSION;
  theOperands.rowptr = upload(indices(rowptr, shape.positionBytes));
  theOperands.colind = upload(indices(colind, shape.coordinateBytes));
  theOperands.values = upload(values);
  theOperands.left = upload(left, shape.offset);
  theOperands.right = upload(right, shape.offset);
  theOperands.out = upload(initial, shape.offset);
}

VendorCase::~VendorCase() {
  for (void *memory : owned)
    autosage_device_free(memory);
}

void VendorCase::callOnce() const {
  const autosage_vendor_spec &s = theSpec;
  const autosage_vendor_operands &o = theOperands;
  auto flags = static_cast<int32_t>(s.flags);
  if (s.op == AUTOSAGE_VENDOR_SPMM)
    autosage_vendor_spmm(o.rowptr, o.colind, o.values, o.left, o.out, s.rows,
                         s.cols, s.nnz, s.features, s.left_stride, s.out_stride,
                         s.position_bytes, s.coordinate_bytes, s.dtype,
                         s.out_dtype, s.algorithm, flags);
  else
    autosage_vendor_sddmm(
        o.rowptr, o.colind, o.left, o.right, o.out, s.rows, s.cols, s.nnz,
        s.features, s.left_stride, s.right_stride, s.scale, s.position_bytes,
        s.coordinate_bytes, s.dtype, s.out_dtype, s.algorithm, flags);
}

void VendorCase::poison() {
  autosage_device_upload(theOperands.out, initial.data(),
                         static_cast<int64_t>(initial.size()));
}

std::vector<char> VendorCase::result() {
  std::vector<char> bytes(initial.size());
  autosage_device_download(bytes.data(), theOperands.out,
                           static_cast<int64_t>(bytes.size()));
  return bytes;
}

double VendorCase::error() {
  std::vector<char> out = result();
  double difference = 0, norm = 0;
  int64_t element = bytesOf(shape.outType);
  for (int64_t row = 0; row < outRows; ++row) {
    for (int64_t i = 0; i < outColumns; ++i) {
      double got = load(out, shape.outType, row * outStride + i);
      double wanted = reference[row * outColumns + i];
      if (std::isfinite(got) != std::isfinite(wanted))
        return std::numeric_limits<double>::infinity();
      difference += (got - wanted) * (got - wanted);
      norm += wanted * wanted;
    }
    int64_t padding = (row * outStride + outColumns) * element;
    if (std::memcmp(out.data() + padding, initial.data() + padding,
                    static_cast<size_t>((outStride - outColumns) * element)))
      return std::numeric_limits<double>::infinity();
  }
  return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

double VendorCase::tolerance() const {
  double accumulation = shape.dtype == AUTOSAGE_VENDOR_F64 ? 0x1p-53 : 0x1p-24;
  double storage = shape.outType == AUTOSAGE_VENDOR_F16    ? 0x1p-11
                   : shape.outType == AUTOSAGE_VENDOR_BF16 ? 0x1p-8
                                                           : 0;
  double longest = shape.op == AUTOSAGE_VENDOR_SPMM
                       ? 8.0 * static_cast<double>(shape.degree)
                       : static_cast<double>(shape.features);
  return storage + 8 * accumulation * std::sqrt(longest + 1);
}
