//===- VendorCase.h - a random call of cuSPARSE and its check ---*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands in device memory for autosage/Runtime/Vendor.h, and the result by
// loops of its own in f64. For unit tests on a GPU and for the program that
// runs on stand-ins of libcuda and libcusparse.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_UNIT_RUNTIME_VENDORCASE_H
#define AUTOSAGE_TEST_UNIT_RUNTIME_VENDORCASE_H

#include "autosage/Runtime/Vendor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace autosage::test {

struct VendorShape {
  int32_t op = AUTOSAGE_VENDOR_SPMM;
  int32_t dtype = AUTOSAGE_VENDOR_F32, outType = AUTOSAGE_VENDOR_F32;
  int32_t positionBytes = 4, coordinateBytes = 4;
  int32_t algorithm = 3;
  uint32_t flags = 0;
  int64_t rows = 37, cols = 29, features = 16, degree = 5;
  int64_t padding = 0; // between the rows of dense operands
  double scale = 1.0;
  int64_t offset = 0; // bytes from an aligned address to dense operands
};

/// A graph with an empty row, a long row, duplicates and unsorted columns.
class VendorCase {
public:
  explicit VendorCase(const VendorShape &shape, uint64_t seed = 1);
  ~VendorCase();
  VendorCase(const VendorCase &) = delete;

  const autosage_vendor_spec &spec() const { return theSpec; }
  const autosage_vendor_operands &operands() const { return theOperands; }

  /// One of the calls that emitted code makes.
  void callOnce() const;
  /// Fills the output with NaN, or with what accumulation starts from.
  void poison();
  /// ||out - ref|| / ||ref||, infinite where one is finite and the other not,
  /// or where padding was written.
  double error();
  double tolerance() const;
  /// The bytes of the output.
  std::vector<char> result();

private:
  void *upload(const std::vector<char> &bytes, int64_t offset = 0);

  VendorShape shape;
  autosage_vendor_spec theSpec = {};
  autosage_vendor_operands theOperands = {};
  std::vector<char> initial; // of the output
  std::vector<double> reference;
  int64_t outRows = 0, outColumns = 1, outStride = 1;
  std::vector<void *> owned;
};

} // namespace autosage::test

#endif // AUTOSAGE_TEST_UNIT_RUNTIME_VENDORCASE_H
