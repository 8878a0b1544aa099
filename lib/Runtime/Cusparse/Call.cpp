//===- Call.cpp - single calls, on the host where they have to be ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What emitted code calls: it cannot choose another kernel any more, so that
// every call has to give the result somehow.
//
//===----------------------------------------------------------------------===//

#include "../DeviceError.h"
#include "../Kernel/Warn.h"
#include "Execution.h"

#include <new>

using namespace autosage;
using namespace autosage::runtime;
using cusparse::Outcome;

/// One line a reason, however often it comes.
static void warnOnce(const std::string &reason) {
  // Never destroyed: threads may call while the process ends.
  static Warnings *warnings = new Warnings(nullptr, nullptr);
  warnings->once(reason,
                 reason + "; computing on the host instead, which is slow");
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

namespace {
/// Copies of device arrays on the host.
class HostCopies {
public:
  const void *download(const void *device, int64_t bytes) {
    std::vector<char> &copy = copies.emplace_back(static_cast<size_t>(bytes));
    autosage_device_download(copy.data(), device, bytes);
    return copy.data();
  }

private:
  std::vector<std::vector<char>> copies;
};
} // namespace

static int64_t spanBytes(int64_t rows, int64_t columns, int64_t stride,
                         DType type) {
  return rows > 0 && columns > 0
             ? ((rows - 1) * stride + columns) * sizeOf(type)
             : 0;
}

static void runOnHost(const autosage_vendor_spec &spec,
                      const autosage_vendor_operands &operands) {
  VendorCall call = cusparse::callOf(spec, std::nullopt);
  bool spmm = call.op == OpKind::spmm;
  HostCopies copies;
  HostOperands host;
  host.rows = spec.rows;
  host.cols = spec.cols;
  host.nnz = spec.nnz;
  host.columns = spec.features;
  host.leftStride = spec.left_stride;
  host.rightStride = spec.right_stride;
  host.outStride = spec.out_stride;
  host.rowptr =
      copies.download(operands.rowptr, (spec.rows + 1) * spec.position_bytes);
  host.colind =
      copies.download(operands.colind, spec.nnz * spec.coordinate_bytes);
  if (call.edgeValues)
    host.values =
        copies.download(operands.values, spec.nnz * sizeOf(call.dtype));
  int64_t leftRows = !spmm || call.transpose ? spec.rows : spec.cols;
  host.left =
      copies.download(operands.left, spanBytes(leftRows, spec.features,
                                               spec.left_stride, call.dtype));
  if (!spmm)
    host.right = copies.download(
        operands.right,
        spanBytes(spec.cols, spec.features, spec.right_stride, call.dtype));
  int64_t outBytes = spec.nnz * sizeOf(call.outType);
  if (spmm)
    outBytes = spanBytes(call.transpose ? spec.cols : spec.rows, spec.features,
                         spec.out_stride, call.outType);
  std::vector<char> out(static_cast<size_t>(outBytes));
  // What lies between the rows goes back as it was.
  if (spmm && (call.accumulate || spec.out_stride != spec.features))
    autosage_device_download(out.data(), operands.out, outBytes);
  if (deviceError())
    return;
  host.out = out.data();
  runVendorCallOnHost(call, host);
  autosage_device_upload(operands.out, out.data(), outBytes);
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

/// An outcome that is a failure means that nothing was enqueued.
static Outcome runOnDevice(const autosage_vendor_spec &spec,
                           const autosage_vendor_operands &operands) {
  const Result<cusparse::Library> &library = cusparse::library();
  if (!library)
    return {AUTOSAGE_VENDOR_MISSING, library.error()};
  if (Outcome outcome =
          cusparse::checkSupport(spec, &operands, library->version);
      !outcome)
    return outcome;
  cuda::Scope scope;
  if (!scope)
    return {};
  cusparse::Execution execution(*library, spec, scope.stream(),
                                cusparse::Lifetime::call);
  Outcome outcome = execution.prepare(scope, operands);
  if (outcome)
    outcome = execution.run(operands);
  execution.release(scope);
  return outcome;
}

static void run(const autosage_vendor_spec &spec,
                const autosage_vendor_operands &operands) {
  if (deviceError())
    return;
  Outcome outcome = cusparse::checkSpec(&spec);
  if (outcome)
    outcome = cusparse::checkOperands(spec, &operands);
  if (!outcome) {
    deviceError().set(outcome.code, std::move(outcome.message));
    return;
  }
  // Says that there is no device where there is none.
  if (cuda::Scope scope; !scope)
    return;
  try {
    outcome = runOnDevice(spec, operands);
    if (outcome)
      return;
    warnOnce(outcome.message);
    runOnHost(spec, operands);
  } catch (const std::bad_alloc &) {
    deviceError().set(AUTOSAGE_DEVICE_OUT_OF_MEMORY, "out of host memory");
  }
}

static autosage_vendor_spec
makeSpec(int32_t op, int64_t rows, int64_t cols, int64_t nnz, int64_t features,
         int32_t positionBytes, int32_t coordinateBytes, int32_t dtype,
         int32_t outType, int32_t algorithm, int32_t flags) {
  autosage_vendor_spec spec = {};
  spec.struct_size = sizeof spec;
  spec.version = AUTOSAGE_VENDOR_VERSION;
  spec.op = op;
  spec.dtype = dtype;
  spec.out_dtype = outType;
  spec.position_bytes = positionBytes;
  spec.coordinate_bytes = coordinateBytes;
  spec.algorithm = algorithm;
  spec.flags = static_cast<uint32_t>(flags);
  spec.rows = rows;
  spec.cols = cols;
  spec.nnz = nnz;
  spec.features = features;
  spec.scale = 1.0;
  return spec;
}

static autosage_vendor_operands makeOperands(const void *rowptr,
                                             const void *colind,
                                             const void *left, void *out) {
  autosage_vendor_operands operands = {};
  operands.struct_size = sizeof operands;
  operands.version = AUTOSAGE_VENDOR_VERSION;
  operands.rowptr = rowptr;
  operands.colind = colind;
  operands.left = left;
  operands.out = out;
  return operands;
}

void autosage_vendor_spmm(const void *rowptr, const void *colind,
                          const void *values, const void *x, void *y,
                          int64_t rows, int64_t cols, int64_t nnz,
                          int64_t features, int64_t xStride, int64_t yStride,
                          int32_t positionBytes, int32_t coordinateBytes,
                          int32_t dtype, int32_t outType, int32_t algorithm,
                          int32_t flags) noexcept {
  autosage_vendor_spec spec =
      makeSpec(AUTOSAGE_VENDOR_SPMM, rows, cols, nnz, features, positionBytes,
               coordinateBytes, dtype, outType, algorithm, flags);
  spec.left_stride = xStride;
  spec.out_stride = yStride;
  autosage_vendor_operands operands = makeOperands(rowptr, colind, x, y);
  operands.values = values;
  run(spec, operands);
}

void autosage_vendor_sddmm(const void *rowptr, const void *colind,
                           const void *q, const void *k, void *out,
                           int64_t rows, int64_t cols, int64_t nnz,
                           int64_t features, int64_t qStride, int64_t kStride,
                           double scale, int32_t positionBytes,
                           int32_t coordinateBytes, int32_t dtype,
                           int32_t outType, int32_t algorithm,
                           int32_t flags) noexcept {
  autosage_vendor_spec spec =
      makeSpec(AUTOSAGE_VENDOR_SDDMM, rows, cols, nnz, features, positionBytes,
               coordinateBytes, dtype, outType, algorithm, flags);
  spec.left_stride = qStride;
  spec.right_stride = kStride;
  spec.scale = scale;
  autosage_vendor_operands operands = makeOperands(rowptr, colind, q, out);
  operands.right = k;
  run(spec, operands);
}
