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
 * Versions: 1, the first. The table has grown at its end since: who reads its
 * last entries looks at struct_size.
 */

#ifndef AUTOSAGE_RUNTIME_DEVICE_H
#define AUTOSAGE_RUNTIME_DEVICE_H

#include "autosage/Runtime/Runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AUTOSAGE_DEVICE_VERSION 1u

/* Errors. The numbers never change. */
enum {
  AUTOSAGE_DEVICE_OK = 0,
  AUTOSAGE_DEVICE_INVALID_ARGUMENT = 1,
  AUTOSAGE_DEVICE_NONE = 2, /* no driver, no device, or too old a driver */
  AUTOSAGE_DEVICE_OUT_OF_MEMORY = 3,
  AUTOSAGE_DEVICE_INVALID_IMAGE =
      4,                           /* not for this device, or no such kernel */
  AUTOSAGE_DEVICE_FAILED = 5,      /* what the driver says else */
  AUTOSAGE_DEVICE_CHECK_FAILED = 6 /* simt found a fault in a kernel */
};

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
  void *handle;  /* null at first; what was loaded, the runtime's own. Whoever
                    frees the image calls autosage_image_unload first. */
} autosage_image;

/* Launches `kernel` of `image`. `args[i]` points to the i-th argument.
 * A grid with a zero launches nothing. Grid sizes past the device's limit are
 * an error: emitted host code launches larger grids in pieces. Returns 0, or
 * the code that is now this thread's error. */
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

/* Between host and device memory; both wait until the bytes are there. */
AUTOSAGE_RUNTIME_API void
autosage_device_upload(void *to_device, const void *from_host,
                       int64_t bytes) AUTOSAGE_NOEXCEPT;
AUTOSAGE_RUNTIME_API void
autosage_device_download(void *to_host, const void *from_device,
                         int64_t bytes) AUTOSAGE_NOEXCEPT;

/* Waits for the current stream. Returns 0, or the code that is now this
 * thread's error: errors of kernels show up here. */
AUTOSAGE_RUNTIME_API int32_t autosage_device_synchronize(void)
    AUTOSAGE_NOEXCEPT;

/* A point in the current stream; null on failure. */
AUTOSAGE_RUNTIME_API void *autosage_event_record(void) AUTOSAGE_NOEXCEPT;
/* Waits for both and gives the milliseconds between them, negative on failure.
 * Destroys both. */
AUTOSAGE_RUNTIME_API double autosage_event_elapsed(void *begin,
                                                   void *end) AUTOSAGE_NOEXCEPT;

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

/* Facts of the device that the calling thread works on. */
typedef struct autosage_device_info {
  uint32_t struct_size; /* set by the caller */
  uint32_t version;     /* AUTOSAGE_DEVICE_VERSION, set by the caller */
  char name[128];
  int32_t compute_capability; /* 90 for 9.0; 0 for simt */
  int32_t multiprocessors;
  int32_t driver_version; /* as 13000; 0 for simt */
  int32_t reserved;
  int64_t memory_bytes;
  int64_t l2_bytes;
  int64_t shared_bytes_per_block; /* the opt-in limit */
  int64_t clock_khz;              /* the highest; these four 0 for simt */
  int64_t memory_clock_khz;
  int32_t memory_bus_bits;
  int32_t threads_per_multiprocessor;
} autosage_device_info;

/* 0 where there is a device to work on, else this thread's error. The first
 * call of a process loads the driver. */
AUTOSAGE_RUNTIME_API int32_t
autosage_device_get_info(autosage_device_info *info) AUTOSAGE_NOEXCEPT;

/* The calling thread's current stream (a CUstream); null is the default one. */
AUTOSAGE_RUNTIME_API void autosage_set_stream(void *stream) AUTOSAGE_NOEXCEPT;
AUTOSAGE_RUNTIME_API void *autosage_get_stream(void) AUTOSAGE_NOEXCEPT;

/* The calling thread's first error since the last call, 0 for none; `*message`
 * (may be null) then points to its text, valid until this thread's next call.
 */
AUTOSAGE_RUNTIME_API int32_t autosage_device_take_error(const char **message)
    AUTOSAGE_NOEXCEPT;

/* Gives back what launches have loaded for `image` (null: nothing to do), in
 * every context; a later launch loads it anew. Waits for the devices that have
 * it. No other thread may use the image meanwhile, and no graph may hold its
 * kernels. Does its work whatever this thread's error is, and sets none. */
AUTOSAGE_RUNTIME_API void
autosage_image_unload(autosage_image *image) AUTOSAGE_NOEXCEPT;

/* Checks a pattern in device memory: rowptr[0] is 0, positions never decrease,
 * rowptr[rows] is nnz, and columns lie in [0, cols). rowptr has rows + 1
 * elements, colind nnz; nothing else is read, whatever they hold. Returns 0, or
 * the code that is now this thread's error: AUTOSAGE_DEVICE_INVALID_ARGUMENT,
 * with a message that names the first fault, where the pattern is not valid.
 * Waits for the device. */
AUTOSAGE_RUNTIME_API int32_t
autosage_validate_pattern(const void *rowptr, const void *colind, int64_t rows,
                          int64_t cols, int64_t nnz, int32_t position_bytes,
                          int32_t coordinate_bytes) AUTOSAGE_NOEXCEPT;

/* Statistics of a pattern (docs/statistics.md), as Core's InputStats has them.
 */
typedef struct autosage_input_stats {
  uint32_t struct_size; /* set by the caller */
  uint32_t version;     /* AUTOSAGE_DEVICE_VERSION, set by the caller */
  int64_t rows, cols, nnz;
  double mean;
  int64_t max;
  double cv;
  int64_t p50, p90, p99, p999;
  int64_t empty_rows;
  double hub_fraction, locality;
  uint64_t fingerprint_high, fingerprint_low;
} autosage_input_stats;

/* Computes them for a valid pattern in device memory: the bits that the host
 * would get. Returns 0, or the code that is now this thread's error; `*stats`
 * is then as it was. Waits for the device. */
AUTOSAGE_RUNTIME_API int32_t autosage_pattern_stats(
    const void *rowptr, const void *colind, int64_t rows, int64_t cols,
    int64_t nnz, int32_t position_bytes, int32_t coordinate_bytes,
    autosage_input_stats *stats) AUTOSAGE_NOEXCEPT;

/* What a launch of the kernel with that much shared memory would do first:
 * loads the image onto the current device and finds the kernel, so that the
 * launch does neither. Returns 0, or the code that is now this thread's
 * error. */
AUTOSAGE_RUNTIME_API int32_t
autosage_device_prepare_kernel(autosage_image *image, const char *kernel,
                               int64_t dynamic_shared_bytes) AUTOSAGE_NOEXCEPT;

/* 1 where the current stream is being captured into a graph, else 0. */
AUTOSAGE_RUNTIME_API int32_t autosage_device_is_capturing(void)
    AUTOSAGE_NOEXCEPT;

/* A place in a program where one of several versions of an op runs
 * (`autosage.choose_version`), a mutable global of the host code. */
typedef struct autosage_site {
  uint32_t struct_size; /* sizeof(autosage_site) */
  uint32_t version;     /* AUTOSAGE_DEVICE_VERSION */
  uint32_t num_versions;
  uint32_t reserved;
  const char *kernel;   /* the op, in the words of Core's textOf */
  const char *versions; /* the schedules, each ended by a zero byte */
  void *state; /* null at first; what is remembered, the runtime's own */
} autosage_site;

/* The number of the version to run on a pattern in device memory, from 0: what
 * the process's store of decisions remembers for the call where it is one of
 * them, else the cheapest by the model of costs. Looks at the pattern once and
 * waits for the device then; later calls with arrays of the same addresses and
 * sizes take well below a microsecond. 0 while the stream is captured, as long
 * as the pattern was not looked at, and where it cannot be. A pattern that is
 * not valid becomes this thread's error. */
AUTOSAGE_RUNTIME_API int64_t autosage_choose_version(
    autosage_site *site, const void *rowptr, const void *colind, int64_t rows,
    int64_t cols, int64_t nnz, int32_t position_bytes,
    int32_t coordinate_bytes) AUTOSAGE_NOEXCEPT;

/* The same for a pattern in memory of the host, by what is known of the CPU and
 * its threads; 0 for a pattern that is not valid. */
AUTOSAGE_RUNTIME_API int64_t autosage_choose_version_host(
    autosage_site *site, const void *rowptr, const void *colind, int64_t rows,
    int64_t cols, int64_t nnz, int32_t position_bytes,
    int32_t coordinate_bytes) AUTOSAGE_NOEXCEPT;

/* All of the above but the last two as a table: libAutosageRuntime and the simt
 * library both implement this interface, and whoever links emitted code picks
 * one. */
typedef struct autosage_device_api {
  uint32_t struct_size;
  uint32_t version; /* AUTOSAGE_DEVICE_VERSION */
  int32_t (*launch_kernel)(autosage_image *, const char *, int64_t, int64_t,
                           int64_t, int64_t, int64_t, int64_t, int64_t,
                           void *const *, int64_t);
  void *(*alloc)(int64_t);
  void (*free)(void *);
  void (*copy)(void *, const void *, int64_t);
  void (*upload)(void *, const void *, int64_t);
  void (*download)(void *, const void *, int64_t);
  int32_t (*synchronize)(void);
  void *(*event_record)(void);
  double (*event_elapsed)(void *, void *);
  int64_t (*count_tasks)(const void *, int64_t, int32_t, int64_t);
  void (*build_tasks)(const void *, const void *, int64_t, int64_t, int64_t,
                      int32_t, int32_t, int64_t, int32_t, void *, int64_t);
  void (*build_transpose)(const void *, const void *, int64_t, int64_t, int64_t,
                          int32_t, int32_t, int32_t, void *, void *, void *);
  int32_t (*get_info)(autosage_device_info *);
  void (*set_stream)(void *);
  void *(*get_stream)(void);
  int32_t (*take_error)(const char **);
  void (*image_unload)(autosage_image *);
  int32_t (*validate_pattern)(const void *, const void *, int64_t, int64_t,
                              int64_t, int32_t, int32_t);
  /* Either may be null: nothing is to be prepared; nothing captures. */
  int32_t (*prepare_kernel)(autosage_image *, const char *, int64_t);
  int32_t (*is_capturing)(void);
  int32_t (*pattern_stats)(const void *, const void *, int64_t, int64_t,
                           int64_t, int32_t, int32_t, autosage_input_stats *);
  /* 1 where the device has passed the point, 0 where it has not; waits for
   * nothing. May be null: points are passed when they are recorded. */
  int32_t (*event_query)(void *);
} autosage_device_api;

/* That of the CUDA driver, in libAutosageRuntime. */
AUTOSAGE_RUNTIME_API const autosage_device_api *
autosage_cuda_device_api(void) AUTOSAGE_NOEXCEPT;

/* autosage_choose_version for a pattern in the memory of another device. */
AUTOSAGE_RUNTIME_API int64_t autosage_choose_version_on(
    const autosage_device_api *api, autosage_site *site, const void *rowptr,
    const void *colind, int64_t rows, int64_t cols, int64_t nnz,
    int32_t position_bytes, int32_t coordinate_bytes) AUTOSAGE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* AUTOSAGE_RUNTIME_DEVICE_H */
