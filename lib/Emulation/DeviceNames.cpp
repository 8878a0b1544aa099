//===- DeviceNames.cpp - the emulator under the names of Device.h ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library of its own, for programs that link host code against the emulator
// (mlir-runner, ahead-of-time builds). A just-in-time compiler takes
// autosage_simt_symbols instead.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/Dispatch/DeviceLook.h"

#include "autosage/Emulation/Simt.h"
#include "autosage/Runtime/Vendor.h"

int32_t autosage_launch_kernel(autosage_image *image, const char *kernel,
                               int64_t gridX, int64_t gridY, int64_t gridZ,
                               int64_t blockX, int64_t blockY, int64_t blockZ,
                               int64_t dynamicSharedBytes, void *const *args,
                               int64_t numArgs) noexcept {
  return autosage_simt_launch_kernel(image, kernel, gridX, gridY, gridZ, blockX,
                                     blockY, blockZ, dynamicSharedBytes, args,
                                     numArgs);
}

int64_t autosage_choose_version(autosage_site *site, const void *rowptr,
                                const void *colind, int64_t rows, int64_t cols,
                                int64_t nnz, int32_t positionBytes,
                                int32_t coordinateBytes) noexcept {
  if (!site || site->struct_size < sizeof(autosage_site) ||
      site->version != AUTOSAGE_DEVICE_VERSION)
    return 0;
  // The store of decisions is the runtime's: here the model of costs decides.
  autosage::runtime::DeviceLook look(*autosage_simt_device_api());
  return autosage::runtime::chooseVersion(
      *site,
      autosage::runtime::patternOf(rowptr, colind, rows, cols, nnz,
                                   positionBytes, coordinateBytes),
      look);
}

void *autosage_device_alloc(int64_t bytes) noexcept {
  return autosage_simt_device_alloc(bytes);
}

void autosage_device_free(void *pointer) noexcept {
  autosage_simt_device_free(pointer);
}

void autosage_device_copy(void *to, const void *from, int64_t bytes) noexcept {
  autosage_simt_device_copy(to, from, bytes);
}

int64_t autosage_count_tasks(const void *rowptr, int64_t rows,
                             int32_t indexBytes, int64_t chunk) noexcept {
  return autosage_simt_count_tasks(rowptr, rows, indexBytes, chunk);
}

void autosage_build_tasks(const void *rowptr, const void *colind, int64_t rows,
                          int64_t cols, int64_t nnz, int32_t positionBytes,
                          int32_t coordinateBytes, int64_t chunk, int32_t order,
                          void *tasks, int64_t numTasks) noexcept {
  autosage_simt_build_tasks(rowptr, colind, rows, cols, nnz, positionBytes,
                            coordinateBytes, chunk, order, tasks, numTasks);
}

void autosage_build_transpose(const void *rowptr, const void *colind,
                              int64_t rows, int64_t cols, int64_t nnz,
                              int32_t positionBytes, int32_t coordinateBytes,
                              int32_t outCoordinateBytes, void *outRowptr,
                              void *outColind, void *outPerm) noexcept {
  autosage_simt_build_transpose(rowptr, colind, rows, cols, nnz, positionBytes,
                                coordinateBytes, outCoordinateBytes, outRowptr,
                                outColind, outPerm);
}

int32_t autosage_validate_pattern(const void *rowptr, const void *colind,
                                  int64_t rows, int64_t cols, int64_t nnz,
                                  int32_t positionBytes,
                                  int32_t coordinateBytes) noexcept {
  return autosage_simt_validate_pattern(rowptr, colind, rows, cols, nnz,
                                        positionBytes, coordinateBytes);
}

int32_t autosage_pattern_stats(const void *rowptr, const void *colind,
                               int64_t rows, int64_t cols, int64_t nnz,
                               int32_t positionBytes, int32_t coordinateBytes,
                               autosage_input_stats *stats) noexcept {
  return autosage_simt_pattern_stats(rowptr, colind, rows, cols, nnz,
                                     positionBytes, coordinateBytes, stats);
}

void autosage_set_stream(void *stream) noexcept {
  autosage_simt_set_stream(stream);
}

void *autosage_get_stream(void) noexcept { return autosage_simt_get_stream(); }

int32_t autosage_device_take_error(const char **message) noexcept {
  return autosage_simt_take_error(message);
}

void autosage_image_unload(autosage_image *image) noexcept {
  autosage_simt_image_unload(image);
}

void autosage_device_upload(void *to, const void *from,
                            int64_t bytes) noexcept {
  autosage_simt_device_upload(to, from, bytes);
}

void autosage_device_download(void *to, const void *from,
                              int64_t bytes) noexcept {
  autosage_simt_device_download(to, from, bytes);
}

int32_t autosage_device_synchronize(void) noexcept {
  return autosage_simt_device_synchronize();
}

void *autosage_event_record(void) noexcept {
  return autosage_simt_event_record();
}

double autosage_event_elapsed(void *begin, void *end) noexcept {
  return autosage_simt_event_elapsed(begin, end);
}

int32_t autosage_device_get_info(autosage_device_info *info) noexcept {
  return autosage_simt_get_info(info);
}

void autosage_vendor_spmm(const void *rowptr, const void *colind,
                          const void *values, const void *x, void *y,
                          int64_t rows, int64_t cols, int64_t nnz,
                          int64_t features, int64_t xStride, int64_t yStride,
                          int32_t positionBytes, int32_t coordinateBytes,
                          int32_t dtype, int32_t outType, int32_t algorithm,
                          int32_t flags) noexcept {
  autosage_simt_vendor_spmm(rowptr, colind, values, x, y, rows, cols, nnz,
                            features, xStride, yStride, positionBytes,
                            coordinateBytes, dtype, outType, algorithm, flags);
}

void autosage_vendor_sddmm(const void *rowptr, const void *colind,
                           const void *q, const void *k, void *out,
                           int64_t rows, int64_t cols, int64_t nnz,
                           int64_t features, int64_t qStride, int64_t kStride,
                           double scale, int32_t positionBytes,
                           int32_t coordinateBytes, int32_t dtype,
                           int32_t outType, int32_t algorithm,
                           int32_t flags) noexcept {
  autosage_simt_vendor_sddmm(rowptr, colind, q, k, out, rows, cols, nnz,
                             features, qStride, kStride, scale, positionBytes,
                             coordinateBytes, dtype, outType, algorithm, flags);
}

// A launch prepares what it needs, and nothing captures.
int32_t autosage_device_prepare_kernel(autosage_image *, const char *,
                                       int64_t) noexcept {
  return AUTOSAGE_DEVICE_OK;
}

int32_t autosage_device_is_capturing(void) noexcept { return 0; }
