/*===- Simt.h - runs GPU kernels on the CPU, thread by thread -----*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * The emulator of the simt target. Two parts: what a host program uses
 * (buffers, errors, the symbols that compiled code needs), and what kernels
 * call that `convert-nvvm-to-simt` made. docs/simt.md says what is checked and
 * how.
 *
 * Every function may be called from any thread; one launch runs at a time. A
 * finding ends its launch and becomes the calling thread's device error
 * (autosage_device_take_error); the process goes on.
 *
 * Versions: 1, the first.
 */

#ifndef AUTOSAGE_EMULATION_SIMT_H
#define AUTOSAGE_EMULATION_SIMT_H

#include "autosage/Runtime/Device.h"

#include <stdint.h>

#if defined(AUTOSAGE_SIMT_BUILDING)
#define AUTOSAGE_SIMT_API __attribute__((visibility("default")))
#else
#define AUTOSAGE_SIMT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define AUTOSAGE_SIMT_VERSION 1u

/* Codes of the device error, below 100 those of Device.h. The numbers never
 * change. */
enum {
  AUTOSAGE_SIMT_OK = 0,
  AUTOSAGE_SIMT_BAD_ARGUMENT = 1,
  AUTOSAGE_SIMT_OUT_OF_MEMORY = 3,
  AUTOSAGE_SIMT_OUT_OF_BOUNDS = 101,
  AUTOSAGE_SIMT_MISALIGNED = 102,
  AUTOSAGE_SIMT_READ_ONLY = 103,
  AUTOSAGE_SIMT_UNINITIALISED = 104,
  AUTOSAGE_SIMT_RACE = 105,
  AUTOSAGE_SIMT_BARRIER = 106,    /* not reached by all, or by different ways */
  AUTOSAGE_SIMT_COLLECTIVE = 107, /* partners inactive or at another place */
  AUTOSAGE_SIMT_DEADLOCK = 108,
  AUTOSAGE_SIMT_TRAP = 109, /* the kernel's own trap or failed assertion */
  AUTOSAGE_SIMT_NOT_EMULATED = 110
};

/*===- What a host program uses -------------------------------------------===*/

AUTOSAGE_SIMT_API uint32_t autosage_simt_version(void) AUTOSAGE_NOEXCEPT;

/* Lets kernels access `bytes` bytes of the caller's memory at `pointer`; `name`
 * (copied, may be null) is for messages. Memory of autosage_simt_device_alloc
 * is known already. Returns 0, or AUTOSAGE_SIMT_BAD_ARGUMENT where the bytes
 * overlap another buffer; no device error is set. */
AUTOSAGE_SIMT_API int32_t autosage_simt_register_buffer(
    const void *pointer, int64_t bytes, const char *name,
    int32_t read_only) AUTOSAGE_NOEXCEPT;
/* Takes that back; an address that is not registered is ignored. */
AUTOSAGE_SIMT_API void
autosage_simt_unregister_buffer(const void *pointer) AUTOSAGE_NOEXCEPT;

/* What the kernels of the calling thread have done since the last call. */
typedef struct autosage_simt_counts {
  uint64_t launches, blocks, threads, switches, accesses;
} autosage_simt_counts;
AUTOSAGE_SIMT_API void
autosage_simt_take_counts(autosage_simt_counts *counts) AUTOSAGE_NOEXCEPT;

/* A symbol that compiled code refers to. */
typedef struct autosage_simt_symbol {
  const char *name;
  void *address;
} autosage_simt_symbol;
/* Those of the kernel's side below, for a just-in-time compiler, ended by a
 * null name, and the calls of Vendor.h. Those of Device.h are in the table of
 * autosage_simt_device_api. */
AUTOSAGE_SIMT_API const autosage_simt_symbol *
autosage_simt_symbols(void) AUTOSAGE_NOEXCEPT;

/* The functions of Device.h, under names of their own so that the emulator and
 * a driver can live in one process. The library AutosageSimtDevice gives them
 * the names of Device.h. */
AUTOSAGE_SIMT_API int32_t autosage_simt_launch_kernel(
    autosage_image *image, const char *kernel, int64_t grid_x, int64_t grid_y,
    int64_t grid_z, int64_t block_x, int64_t block_y, int64_t block_z,
    int64_t dynamic_shared_bytes, void *const *args,
    int64_t num_args) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void *
autosage_simt_device_alloc(int64_t bytes) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void
autosage_simt_device_free(void *pointer) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void
autosage_simt_device_copy(void *to, const void *from,
                          int64_t bytes) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API int64_t
autosage_simt_count_tasks(const void *rowptr, int64_t rows, int32_t index_bytes,
                          int64_t chunk) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void
autosage_simt_build_tasks(const void *rowptr, const void *colind, int64_t rows,
                          int64_t cols, int64_t nnz, int32_t position_bytes,
                          int32_t coordinate_bytes, int64_t chunk,
                          int32_t order, void *tasks,
                          int64_t num_tasks) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void autosage_simt_build_transpose(
    const void *rowptr, const void *colind, int64_t rows, int64_t cols,
    int64_t nnz, int32_t position_bytes, int32_t coordinate_bytes,
    int32_t out_coordinate_bytes, void *out_rowptr, void *out_colind,
    void *out_perm) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void
autosage_simt_device_upload(void *to, const void *from,
                            int64_t bytes) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void
autosage_simt_device_download(void *to, const void *from,
                              int64_t bytes) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API int32_t autosage_simt_device_synchronize(void)
    AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void *autosage_simt_event_record(void) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API double
autosage_simt_event_elapsed(void *begin, void *end) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API int32_t autosage_simt_get_info(autosage_device_info *info)
    AUTOSAGE_NOEXCEPT;
/* The calls of Vendor.h, by plain loops that check that operands lie in known
 * buffers. */
AUTOSAGE_SIMT_API void autosage_simt_vendor_spmm(
    const void *rowptr, const void *colind, const void *values, const void *x,
    void *y, int64_t rows, int64_t cols, int64_t nnz, int64_t features,
    int64_t x_stride, int64_t y_stride, int32_t position_bytes,
    int32_t coordinate_bytes, int32_t dtype, int32_t out_dtype,
    int32_t algorithm, int32_t flags) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void autosage_simt_vendor_sddmm(
    const void *rowptr, const void *colind, const void *q, const void *k,
    void *out, int64_t rows, int64_t cols, int64_t nnz, int64_t features,
    int64_t q_stride, int64_t k_stride, double scale, int32_t position_bytes,
    int32_t coordinate_bytes, int32_t dtype, int32_t out_dtype,
    int32_t algorithm, int32_t flags) AUTOSAGE_NOEXCEPT;
/* Those of Device.h as a table. */
AUTOSAGE_SIMT_API const autosage_device_api *
autosage_simt_device_api(void) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void autosage_simt_set_stream(void *stream) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void *autosage_simt_get_stream(void) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API int32_t autosage_simt_take_error(const char **message)
    AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API void
autosage_simt_image_unload(autosage_image *image) AUTOSAGE_NOEXCEPT;
AUTOSAGE_SIMT_API int32_t autosage_simt_validate_pattern(
    const void *rowptr, const void *colind, int64_t rows, int64_t cols,
    int64_t nnz, int32_t position_bytes,
    int32_t coordinate_bytes) AUTOSAGE_NOEXCEPT;

AUTOSAGE_SIMT_API int32_t autosage_simt_pattern_stats(
    const void *rowptr, const void *colind, int64_t rows, int64_t cols,
    int64_t nnz, int32_t position_bytes, int32_t coordinate_bytes,
    autosage_input_stats *stats) AUTOSAGE_NOEXCEPT;

/*===- What kernels call --------------------------------------------------===*/
/*
 * For the code that convert-nvvm-to-simt makes, inside of a launch only. `site`
 * is a text with the operation's place; its address tells operations apart.
 */

enum {
  AUTOSAGE_SIMT_TID_X,
  AUTOSAGE_SIMT_TID_Y,
  AUTOSAGE_SIMT_TID_Z,
  AUTOSAGE_SIMT_NTID_X,
  AUTOSAGE_SIMT_NTID_Y,
  AUTOSAGE_SIMT_NTID_Z,
  AUTOSAGE_SIMT_CTAID_X,
  AUTOSAGE_SIMT_CTAID_Y,
  AUTOSAGE_SIMT_CTAID_Z,
  AUTOSAGE_SIMT_NCTAID_X,
  AUTOSAGE_SIMT_NCTAID_Y,
  AUTOSAGE_SIMT_NCTAID_Z,
  AUTOSAGE_SIMT_LANEID,
  AUTOSAGE_SIMT_WARPSIZE,
  AUTOSAGE_SIMT_WARPID,
  AUTOSAGE_SIMT_NWARPID,
  AUTOSAGE_SIMT_SMID,
  AUTOSAGE_SIMT_NSMID,
  AUTOSAGE_SIMT_LANEMASK_EQ,
  AUTOSAGE_SIMT_LANEMASK_LE,
  AUTOSAGE_SIMT_LANEMASK_LT,
  AUTOSAGE_SIMT_LANEMASK_GE,
  AUTOSAGE_SIMT_LANEMASK_GT,
  AUTOSAGE_SIMT_DYNAMIC_SHARED
};
AUTOSAGE_SIMT_API uint32_t autosage_simt_register(int32_t which);
AUTOSAGE_SIMT_API uint64_t autosage_simt_clock(void);

/* Statically declared shared memory at an offset of the block's, which becomes
 * accessible; and the dynamic part. Offsets leave gaps that are not. */
AUTOSAGE_SIMT_API void *autosage_simt_shared(int64_t offset, int64_t bytes,
                                             const char *name);
AUTOSAGE_SIMT_API void *autosage_simt_shared_dynamic(void);
/* A global variable of the module outside of shared memory. */
AUTOSAGE_SIMT_API void autosage_simt_declare_global(const void *pointer,
                                                    int64_t bytes,
                                                    const char *name,
                                                    int32_t read_only);

enum {
  AUTOSAGE_SIMT_READ = 1,
  AUTOSAGE_SIMT_WRITE = 2,
  AUTOSAGE_SIMT_ATOMIC = 4,
  /* checks to make */
  AUTOSAGE_SIMT_CHECK_BOUNDS = 0x100,
  AUTOSAGE_SIMT_CHECK_RACE = 0x200,
  AUTOSAGE_SIMT_CHECK_UNINIT = 0x400,
  AUTOSAGE_SIMT_CHECK_ALL = 0x700
  /* bits 16 to 23: binary logarithm of the alignment that the access claims */
};
AUTOSAGE_SIMT_API void autosage_simt_check_access(const void *pointer,
                                                  int64_t bytes, int32_t kind,
                                                  const char *site);
/* Element i only where bit i of `lanes` is set; up to 64 elements. */
AUTOSAGE_SIMT_API void autosage_simt_check_masked(const void *pointer,
                                                  int64_t element_bytes,
                                                  uint64_t lanes, int32_t kind,
                                                  const char *site);
AUTOSAGE_SIMT_API void autosage_simt_check_gather(const void *const *pointers,
                                                  int64_t element_bytes,
                                                  uint64_t lanes, int32_t kind,
                                                  const char *site);

AUTOSAGE_SIMT_API void autosage_simt_barrier(const char *site);
/* `kind` 0 popc, 1 and, 2 or. */
AUTOSAGE_SIMT_API uint32_t autosage_simt_barrier_reduce(int32_t kind,
                                                        uint32_t predicate,
                                                        const char *site);
AUTOSAGE_SIMT_API void autosage_simt_syncwarp(uint32_t mask, const char *site);
/* `kind` 0 bfly, 1 up, 2 down, 3 idx; `valid` may be null. */
AUTOSAGE_SIMT_API uint32_t autosage_simt_shuffle(
    int32_t kind, uint32_t mask, uint32_t value, uint32_t offset,
    uint32_t mask_and_clamp, uint8_t *valid, const char *site);
/* `kind` 0 any, 1 all, 2 ballot, 3 uni. */
AUTOSAGE_SIMT_API uint32_t autosage_simt_vote(int32_t kind, uint32_t mask,
                                              uint32_t predicate,
                                              const char *site);
/* `kind` 0 any, 1 all; `all` receives the predicate of the latter. */
AUTOSAGE_SIMT_API uint32_t autosage_simt_match(int32_t kind, uint32_t mask,
                                               uint64_t value, uint8_t *all,
                                               const char *site);
/* `kind` as NVVM's ReduxKind; `flags` 1 abs, 2 nan (of fmin and fmax). */
AUTOSAGE_SIMT_API uint32_t autosage_simt_redux(int32_t kind, uint32_t mask,
                                               uint32_t value, int32_t flags,
                                               const char *site);
AUTOSAGE_SIMT_API uint32_t autosage_simt_elect(uint32_t mask, const char *site);
AUTOSAGE_SIMT_API uint32_t autosage_simt_activemask(void);

/* Copies when it is waited for; bytes beyond `source_bytes` become zero. */
AUTOSAGE_SIMT_API void autosage_simt_cp_async(void *to, const void *from,
                                              int32_t bytes,
                                              int32_t source_bytes,
                                              int32_t checks, const char *site);
AUTOSAGE_SIMT_API void autosage_simt_cp_async_commit(void);
/* Until at most `groups` committed groups are open; -1: all, and what is not
 * committed. */
AUTOSAGE_SIMT_API void autosage_simt_cp_async_wait(int32_t groups);

/* `count` (1, 2, 4) 8 x 8 matrices of 16-bit elements. */
AUTOSAGE_SIMT_API void autosage_simt_ldmatrix(const void *row, int32_t count,
                                              int32_t transposed,
                                              uint32_t *registers,
                                              int32_t checks, const char *site);
AUTOSAGE_SIMT_API void autosage_simt_stmatrix(void *row, int32_t count,
                                              int32_t transposed,
                                              const uint32_t *registers,
                                              int32_t checks, const char *site);
/* `type` of A and B: 0 f16, 1 bf16, 2 tf32; `half_accumulator`: C and D are
 * f16, two a register. Fragments as the PTX manual lays them out. */
AUTOSAGE_SIMT_API void autosage_simt_mma(int32_t type, int32_t k,
                                         int32_t half_accumulator,
                                         const uint32_t *a, const uint32_t *b,
                                         const uint32_t *c, uint32_t *d,
                                         const char *site);

enum {
  AUTOSAGE_SIMT_EX2,
  AUTOSAGE_SIMT_LG2,
  AUTOSAGE_SIMT_RCP,
  AUTOSAGE_SIMT_RSQRT,
  AUTOSAGE_SIMT_SQRT,
  AUTOSAGE_SIMT_SIN,
  AUTOSAGE_SIMT_COS,
  AUTOSAGE_SIMT_TANH
};
/* The approximations of the GPU, computed exactly; `ftz` takes subnormal
 * numbers for zeros. */
AUTOSAGE_SIMT_API float autosage_simt_approximate(int32_t function, int32_t ftz,
                                                  float value);
/* To the nearest, `away` for ties away from zero, else to even. */
AUTOSAGE_SIMT_API uint32_t autosage_simt_to_tf32(float value, int32_t away);
AUTOSAGE_SIMT_API void autosage_simt_trap(const char *site);
AUTOSAGE_SIMT_API void
autosage_simt_assert_fail(const char *message, const char *file, uint32_t line,
                          const char *function, uint64_t char_size);

#ifdef __cplusplus
}
#endif

#endif /* AUTOSAGE_EMULATION_SIMT_H */
