/*===- Device.h - what lowered host code calls --------------------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * The interface between host code that `convert-autosage-to-gpu` and
 * `autosage-launch-to-runtime` emit and whatever runs its kernels: the CUDA
 * driver, or the CPU thread by thread (simt). Emitted code knows nothing of
 * either. Scalars only, so that a call is plain LLVM IR.
 *
 * Work is enqueued on the calling thread's current stream and in order: a
 * function here that returns nothing of the device does not wait for it. simt
 * finishes each call before it returns.
 *
 * Errors: emitted code cannot handle them. The first one is kept for the
 * calling thread, later calls of that thread then do nothing (an allocation
 * gives null), until the host reads it with autosage_device_take_error. No
 * exception leaves this interface.
 *
 * Versions: 1, the first.
 */

#ifndef AUTOSAGE_RUNTIME_DEVICE_H
#define AUTOSAGE_RUNTIME_DEVICE_H

#include "autosage/Runtime/Runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AUTOSAGE_DEVICE_VERSION 1u

/* What an image holds. The numbers never change. */
enum {
  AUTOSAGE_IMAGE_CUBIN = 1,
  AUTOSAGE_IMAGE_PTX = 2, /* text that ends with a zero byte */
  AUTOSAGE_IMAGE_FATBIN = 3,
  AUTOSAGE_IMAGE_SIMT = 4 /* an array of autosage_simt_kernel */
};

/* A kernel of the simt target: `entry` takes the arguments as the launch passes
 * them, and is run once for each thread of the grid. An entry with a null name
 * ends the array. */
typedef struct autosage_simt_kernel {
  const char *name;
  void (*entry)(void *const *args);
  /* Bytes of statically declared shared memory, whose addresses the entry gets
   * from the emulator. */
  uint64_t static_shared_bytes;
} autosage_simt_kernel;

/* A compiled GPU module, a mutable global of the host code. */
typedef struct autosage_image {
  uint32_t struct_size; /* sizeof(autosage_image) */
  uint32_t version;     /* AUTOSAGE_DEVICE_VERSION */
  uint32_t kind;
  uint32_t reserved;
  const char *name; /* of the module, for messages */
  const void *data;
  uint64_t size; /* in bytes */
  void *handle;  /* null at first; what was loaded, the runtime's own */
} autosage_image;

/* Launches `kernel` of `image`. `args[i]` points to the i-th argument.
 * A grid with a zero launches nothing. Grid sizes past the device's limit are
 * an error; emitted kernels loop over what lies behind. Returns 0, or the code
 * that is now this thread's error. */
AUTOSAGE_RUNTIME_API int32_t autosage_launch_kernel(
    autosage_image *image, const char *kernel, int64_t grid_x, int64_t grid_y,
    int64_t grid_z, int64_t block_x, int64_t block_y, int64_t block_z,
    int64_t dynamic_shared_bytes, void *const *args,
    int64_t num_args) AUTOSAGE_NOEXCEPT;

/* Device memory, aligned to 256 bytes; null for 0 bytes. Ordered on the current
 * stream: memory may be freed while work that uses it is enqueued. */
AUTOSAGE_RUNTIME_API void *
autosage_device_alloc(int64_t bytes) AUTOSAGE_NOEXCEPT;
AUTOSAGE_RUNTIME_API void autosage_device_free(void *pointer) AUTOSAGE_NOEXCEPT;

/* Copies between device buffers that do not overlap. */
AUTOSAGE_RUNTIME_API void autosage_device_copy(void *to, const void *from,
                                               int64_t bytes) AUTOSAGE_NOEXCEPT;

/* `autosage.count_tasks`, on rows + 1 positions of `index_bytes` (4 or 8) each
 * in device memory. Waits for the device. */
AUTOSAGE_RUNTIME_API int64_t
autosage_count_tasks(const void *rowptr, int64_t rows, int32_t index_bytes,
                     int64_t chunk) AUTOSAGE_NOEXCEPT;

/* `autosage.build_tasks`: `num_tasks` lines {row, begin, end, split} of
 * `position_bytes` integers. `order`: 0 stored, 1 by falling length, 2 by
 * locality. */
AUTOSAGE_RUNTIME_API void
autosage_build_tasks(const void *rowptr, const void *colind, int64_t rows,
                     int64_t cols, int64_t nnz, int32_t position_bytes,
                     int32_t coordinate_bytes, int64_t chunk, int32_t order,
                     void *tasks, int64_t num_tasks) AUTOSAGE_NOEXCEPT;

/* `autosage.build_transpose`: fills out_rowptr (cols + 1), out_colind (nnz) and
 * out_perm (nnz, may be null). Position arrays and out_perm have
 * `position_bytes` an element, colind `coordinate_bytes`, out_colind
 * `out_coordinate_bytes`. */
AUTOSAGE_RUNTIME_API void
autosage_build_transpose(const void *rowptr, const void *colind, int64_t rows,
                         int64_t cols, int64_t nnz, int32_t position_bytes,
                         int32_t coordinate_bytes, int32_t out_coordinate_bytes,
                         void *out_rowptr, void *out_colind,
                         void *out_perm) AUTOSAGE_NOEXCEPT;

/* The calling thread's current stream (a CUstream); null is the default one. */
AUTOSAGE_RUNTIME_API void autosage_set_stream(void *stream) AUTOSAGE_NOEXCEPT;
AUTOSAGE_RUNTIME_API void *autosage_get_stream(void) AUTOSAGE_NOEXCEPT;

/* The calling thread's first error since the last call, 0 for none; `*message`
 * (may be null) then points to its text, valid until this thread's next call.
 */
AUTOSAGE_RUNTIME_API int32_t autosage_device_take_error(const char **message)
    AUTOSAGE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* AUTOSAGE_RUNTIME_DEVICE_H */
