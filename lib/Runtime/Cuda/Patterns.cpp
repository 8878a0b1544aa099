//===- Patterns.cpp - task lists and transposes of device patterns --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By way of the host, with Core's code: right, but two copies and a wait each.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Csr.h"
#include "autosage/Core/Tasks.h"
#include "autosage/Runtime/Device.h"

#include "../DeviceError.h"

using namespace autosage;
using namespace autosage::runtime;

static IndexType indexType(int32_t bytes) {
  return bytes == 4 ? IndexType::i32 : IndexType::i64;
}

/// A host copy of a device array of integers.
static IndexArray download(const void *device, int64_t size, int32_t bytes) {
  auto copy = [&](auto word) {
    std::vector<decltype(word)> host(static_cast<size_t>(size));
    autosage_device_download(host.data(), device, size * bytes);
    return IndexArray(std::move(host));
  };
  return indexType(bytes) == IndexType::i32 ? copy(int32_t()) : copy(int64_t());
}

int64_t autosage_count_tasks(const void *rowptr, int64_t rows,
                             int32_t indexBytes, int64_t chunk) noexcept {
  IndexArray positions = download(rowptr, rows + 1, indexBytes);
  return deviceError() ? 0 : countTasks(positions.view(), chunk);
}

void autosage_build_tasks(const void *rowptr, const void *colind, int64_t rows,
                          int64_t cols, int64_t nnz, int32_t positionBytes,
                          int32_t coordinateBytes, int64_t chunk, int32_t order,
                          void *tasks, int64_t numTasks) noexcept {
  IndexArray positions = download(rowptr, rows + 1, positionBytes);
  auto taskOrder = static_cast<TaskOrder>(order);
  // Only this order reads columns.
  bool needsColumns = taskOrder == TaskOrder::locality;
  IndexArray columns =
      download(colind, needsColumns ? nnz : 0, coordinateBytes);
  if (deviceError())
    return;
  CsrView csr{rows, cols, positions.view(), columns.view()};
  std::vector<char> bytes(static_cast<size_t>(numTasks * 4 * positionBytes));
  buildTasks(csr, chunk, taskOrder, bytes.data());
  autosage_device_upload(tasks, bytes.data(),
                         static_cast<int64_t>(bytes.size()));
}

void autosage_build_transpose(const void *rowptr, const void *colind,
                              int64_t rows, int64_t cols, int64_t nnz,
                              int32_t positionBytes, int32_t coordinateBytes,
                              int32_t outCoordinateBytes, void *outRowptr,
                              void *outColind, void *outPerm) noexcept {
  IndexArray positions = download(rowptr, rows + 1, positionBytes);
  IndexArray columns = download(colind, nnz, coordinateBytes);
  if (deviceError())
    return;
  // Row numbers need not fit the coordinate type, which was chosen for columns.
  Result<IndexArray> wide = columns.convertedTo(IndexType::i64, "colind");
  CsrView csr{rows, cols, positions.view(), wide->view()};
  Result<Transposed> result = transpose(csr);
  if (!result) {
    deviceError().set(AUTOSAGE_DEVICE_INVALID_ARGUMENT, result.error());
    return;
  }
  Result<IndexArray> outColumns = result->csr.colind.convertedTo(
      indexType(outCoordinateBytes), "row number");
  if (!outColumns) {
    deviceError().set(AUTOSAGE_DEVICE_INVALID_ARGUMENT, outColumns.error());
    return;
  }
  autosage_device_upload(outRowptr, result->csr.rowptr.view().data,
                         (cols + 1) * positionBytes);
  autosage_device_upload(outColind, outColumns->view().data,
                         nnz * outCoordinateBytes);
  if (outPerm)
    autosage_device_upload(outPerm, result->edgePermutation.view().data,
                           nnz * positionBytes);
}
