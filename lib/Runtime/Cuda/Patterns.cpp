//===- Patterns.cpp - task lists and transposes of device patterns --------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of ../Kernels, which the build turned into PTX: the driver
// compiles it for the device at hand.
//
//===----------------------------------------------------------------------===//

#include "../DeviceError.h"
#include "../Kernels/PatternKernels.h"

#include "autosage/Runtime/DeviceCpp.h"

using namespace autosage;
using namespace autosage::runtime;

static constexpr char sortPtx[] =
#include "Sort.ptx.inc"
    ;
static constexpr char tasksPtx[] =
#include "Tasks.ptx.inc"
    ;
static constexpr char localityPtx[] =
#include "Locality.ptx.inc"
    ;
static constexpr char transposePtx[] =
#include "Transpose.ptx.inc"
    ;
static constexpr char validatePtx[] =
#include "Validate.ptx.inc"
    ;
static constexpr char statsPtx[] =
#include "Stats.ptx.inc"
    ;
static constexpr char scatter32x32Ptx[] =
#include "Scatter32x32.ptx.inc"
    ;
static constexpr char scatter32x64Ptx[] =
#include "Scatter32x64.ptx.inc"
    ;
static constexpr char scatter64x32Ptx[] =
#include "Scatter64x32.ptx.inc"
    ;
static constexpr char scatter64x64Ptx[] =
#include "Scatter64x64.ptx.inc"
    ;

template <size_t size>
static autosage_image image(const char *name, const char (&text)[size]) {
  return {sizeof(autosage_image),
          AUTOSAGE_DEVICE_VERSION,
          AUTOSAGE_IMAGE_PTX,
          0,
          name,
          text,
          size,
          nullptr};
}

static PatternKernels kernels() {
  static KernelImages images = {
      image("runtime_sort", sortPtx),
      image("runtime_tasks", tasksPtx),
      image("runtime_locality", localityPtx),
      image("runtime_transpose", transposePtx),
      image("runtime_validate", validatePtx),
      image("runtime_stats", statsPtx),
      {image("runtime_scatter32x32", scatter32x32Ptx),
       image("runtime_scatter32x64", scatter32x64Ptx),
       image("runtime_scatter64x32", scatter64x32Ptx),
       image("runtime_scatter64x64", scatter64x64Ptx)}};
  return {*autosage_cuda_device_api(), images};
}

/// Keeps what is wrong with arguments as the thread's error.
static bool keep(const Status &status) {
  if (!status)
    deviceError().set(AUTOSAGE_DEVICE_INVALID_ARGUMENT, status.error());
  return static_cast<bool>(status);
}

int64_t autosage_count_tasks(const void *rowptr, int64_t rows,
                             int32_t indexBytes, int64_t chunk) noexcept {
  if (deviceError())
    return 0;
  DevicePattern pattern;
  pattern.rows = rows;
  pattern.rowptr = rowptr;
  pattern.positionBytes = indexBytes;
  Result<int64_t> count = kernels().countTasks(pattern, chunk);
  if (!count)
    keep(Error{count.error()});
  return count && !deviceError() ? *count : 0;
}

void autosage_build_tasks(const void *rowptr, const void *colind, int64_t rows,
                          int64_t cols, int64_t nnz, int32_t positionBytes,
                          int32_t coordinateBytes, int64_t chunk, int32_t order,
                          void *tasks, int64_t numTasks) noexcept {
  if (deviceError())
    return;
  if (order < 0 || order > 2) {
    keep(Error{"expects a task order of 0 to 2, got " + std::to_string(order)});
    return;
  }
  keep(kernels().buildTasks(
      {rows, cols, nnz, rowptr, colind, positionBytes, coordinateBytes}, chunk,
      static_cast<TaskOrder>(order), tasks, numTasks));
}

void autosage_build_transpose(const void *rowptr, const void *colind,
                              int64_t rows, int64_t cols, int64_t nnz,
                              int32_t positionBytes, int32_t coordinateBytes,
                              int32_t outCoordinateBytes, void *outRowptr,
                              void *outColind, void *outPerm) noexcept {
  if (!deviceError())
    keep(kernels().buildTranspose(
        {rows, cols, nnz, rowptr, colind, positionBytes, coordinateBytes},
        outCoordinateBytes, outRowptr, outColind, outPerm));
}

int32_t autosage_validate_pattern(const void *rowptr, const void *colind,
                                  int64_t rows, int64_t cols, int64_t nnz,
                                  int32_t positionBytes,
                                  int32_t coordinateBytes) noexcept {
  if (!deviceError() &&
      keep(kernels().validate(
          {rows, cols, nnz, rowptr, colind, positionBytes, coordinateBytes})) &&
      !deviceError())
    return AUTOSAGE_DEVICE_OK;
  return deviceError().set(AUTOSAGE_DEVICE_FAILED, "validation failed");
}

int32_t autosage_pattern_stats(const void *rowptr, const void *colind,
                               int64_t rows, int64_t cols, int64_t nnz,
                               int32_t positionBytes, int32_t coordinateBytes,
                               autosage_input_stats *stats) noexcept {
  if (!stats || stats->struct_size < sizeof(autosage_input_stats) ||
      stats->version != AUTOSAGE_DEVICE_VERSION)
    return deviceError().set(AUTOSAGE_DEVICE_INVALID_ARGUMENT,
                             "expects stats with its size and version set");
  if (!deviceError()) {
    Result<InputStats> found = kernels().stats(
        {rows, cols, nnz, rowptr, colind, positionBytes, coordinateBytes});
    if (!found)
      keep(Error{found.error()});
    else if (!deviceError()) {
      toC(*found, *stats);
      return AUTOSAGE_DEVICE_OK;
    }
  }
  return deviceError().set(AUTOSAGE_DEVICE_FAILED, "statistics failed");
}
