//===- PatternKernels.h - work on patterns in device memory -----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches the kernels of this folder, on whatever device the table of
// functions is for. Everything is enqueued on the current stream, scratch
// memory too; only what gives a number back waits.
//
// Errors of the device are the calling thread's, as Device.h says, and end the
// work early. What is returned as an error is about arguments.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNELS_PATTERNKERNELS_H
#define AUTOSAGE_LIB_RUNTIME_KERNELS_PATTERNKERNELS_H

#include "autosage/Core/Result.h"
#include "autosage/Core/Stats.h"
#include "autosage/Core/Types.h"
#include "autosage/Runtime/Device.h"

namespace autosage::runtime {

/// The kernels as modules: only what is used is loaded, and compiled.
struct KernelImages {
  autosage_image sort, tasks, locality, transpose, validate, stats;
  /// Of keys and values of 32 x 32, 32 x 64, 64 x 32 and 64 x 64 bits.
  autosage_image scatter[4];
};

/// A pattern in device memory. Not looked at before validate has passed.
struct DevicePattern {
  int64_t rows = 0, cols = 0, nnz = 0;
  const void *rowptr = nullptr;
  const void *colind = nullptr;
  int32_t positionBytes = 4, coordinateBytes = 4;
};

class PatternKernels {
public:
  /// Up to `narrowCount` things are numbered in 32 bits, more in 64. Up to
  /// `markedColumns` columns have a bit each where they are told apart; more
  /// are sorted.
  PatternKernels(const autosage_device_api &api, KernelImages &images,
                 uint64_t narrowCount = uint64_t(1) << 32,
                 uint64_t markedColumns = uint64_t(1) << 26)
      : api(api), images(images), narrowCount(narrowCount),
        markedColumns(markedColumns) {}

  /// Core's countTasks; waits. 0 after an error of the device.
  Result<int64_t> countTasks(const DevicePattern &pattern, int64_t chunk);

  /// Core's buildTasks, of `numTasks` tasks.
  Status buildTasks(const DevicePattern &pattern, int64_t chunk,
                    TaskOrder order, void *tasks, int64_t numTasks);

  /// Core's transpose; `outPerm` may be null.
  Status buildTranspose(const DevicePattern &pattern,
                        int32_t outCoordinateBytes, void *outRowptr,
                        void *outColind, void *outPerm);

  /// Core's validate, with its messages; waits.
  Status validate(const DevicePattern &pattern);

  /// Core's computeStats; waits. Expects a valid pattern.
  Result<InputStats> stats(const DevicePattern &pattern);

private:
  class Scratch;
  struct Sorted;

  uint64_t bytesFor(uint64_t count) const {
    return count <= narrowCount ? 4 : 8;
  }
  template <typename... Args>
  bool launch(autosage_image &image, const char *kernel, uint64_t blocks,
              uint64_t sharedBytes, Args... args);
  bool scan(void *values, uint64_t size);
  bool sort(Scratch &keys, uint64_t keyBytes, uint64_t bits, uint64_t size,
            uint64_t valueBytes, Sorted &sorted);
  bool localityKeys(const DevicePattern &pattern, Scratch &keys,
                    uint64_t keyBytes);
  bool communities(const DevicePattern &pattern, Scratch &labels);
  bool markWindows(const DevicePattern &pattern, void *sums);
  bool sortWindows(const DevicePattern &pattern, void *sums);
  bool writeTasks(const DevicePattern &pattern, int64_t chunk,
                  const void *order, uint64_t orderBytes, void *tasks,
                  uint64_t numTasks);
  bool sortByLength(const DevicePattern &pattern, int64_t chunk,
                    const void *stored, void *tasks, uint64_t numTasks);

  const autosage_device_api &api;
  KernelImages &images;
  uint64_t narrowCount, markedColumns;
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNELS_PATTERNKERNELS_H
