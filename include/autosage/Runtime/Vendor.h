/*===- Vendor.h - cuSPARSE behind a C ABI -------------------------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * SpMM and SDDMM of cuSPARSE, which is loaded when first needed: a copy that
 * the process has already, else libcusparse.so.12 or .so.13 of the loader's
 * paths, else of the toolkit (docs/cusparse.md). Two ways in:
 *
 * - a plan, which owns descriptors and workspace: autosage_vendor_plan_create,
 *   then any number of autosage_vendor_plan_run;
 * - one call, autosage_vendor_spmm and autosage_vendor_sddmm, which is what
 *   `convert-autosage-to-runtime` emits.
 *
 * Arrays are device memory, borrowed: for a call, or until the plan is
 * destroyed where it says so. Errors are those of Device.h: a function returns
 * the code, the thread's first one is kept until autosage_device_take_error.
 * No exception leaves this interface.
 *
 * Versions: 1, the first.
 */

#ifndef AUTOSAGE_RUNTIME_VENDOR_H
#define AUTOSAGE_RUNTIME_VENDOR_H

#include "autosage/Runtime/Device.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AUTOSAGE_VENDOR_VERSION 1u

/* What is computed, and on what. The numbers never change. */
enum { AUTOSAGE_VENDOR_SPMM = 0, AUTOSAGE_VENDOR_SDDMM = 1 };
enum {
  AUTOSAGE_VENDOR_F32 = 0,
  AUTOSAGE_VENDOR_F64 = 1,
  AUTOSAGE_VENDOR_F16 = 2,
  AUTOSAGE_VENDOR_BF16 = 3
};

/* Bits of flags. */
enum {
  /* SpMM with any algorithm, and transposed. Without it results have the same
   * bits in every run: SpMM takes algorithm 3 alone. */
  AUTOSAGE_VENDOR_NONDETERMINISTIC = 1,
  AUTOSAGE_VENDOR_TRANSPOSE = 2,     /* y = transpose(A) x */
  AUTOSAGE_VENDOR_ACCUMULATE = 4,    /* y += A x */
  AUTOSAGE_VENDOR_VALUES = 8,        /* of spmm: the edges have values */
  AUTOSAGE_VENDOR_NO_PREPROCESS = 16 /* a plan without cusparse*_preprocess */
};

/* Error codes beside those of Device.h. */
enum {
  AUTOSAGE_VENDOR_MISSING = 101,     /* no cuSPARSE, or too old */
  AUTOSAGE_VENDOR_UNSUPPORTED = 102, /* it cannot do that, or not right */
  AUTOSAGE_VENDOR_BUSY = 103         /* two threads run one plan at once */
};

/* spmm: y = A x, x of cols rows, y of rows rows (transposed the other way
 * round), both `features` elements wide. sddmm: out[e] = scale * q[i] . k[j],
 * q of rows rows, k of cols rows. Operands with heads that lie one after the
 * other and share the edge values are one of heads * width features. */
typedef struct autosage_vendor_spec {
  uint32_t struct_size; /* sizeof(autosage_vendor_spec), set by the caller */
  uint32_t version;     /* AUTOSAGE_VENDOR_VERSION, set by the caller */
  int32_t op;
  int32_t dtype;     /* of values, x, q and k */
  int32_t out_dtype; /* dtype, or f32 where that is f16 or bf16 */
  int32_t position_bytes, coordinate_bytes; /* of rowptr and colind: 4 or 8 */
  int32_t algorithm; /* of spmm: 0 cuSPARSE's own choice, 1 to 3 CSR_ALG1 ... */
  uint32_t flags;
  uint32_t reserved; /* 0 */
  int64_t rows, cols, nnz, features;
  int64_t left_stride;  /* elements between rows of x or q */
  int64_t right_stride; /* of k */
  int64_t out_stride;   /* of y; sddmm writes nnz elements */
  double scale;         /* of sddmm; 1 for spmm */
} autosage_vendor_spec;

typedef struct autosage_vendor_operands {
  uint32_t struct_size; /* set by the caller */
  uint32_t version;     /* AUTOSAGE_VENDOR_VERSION, set by the caller */
  const void *rowptr, *colind;
  const void *values; /* with AUTOSAGE_VENDOR_VALUES, else null */
  const void *left;   /* x or q */
  const void *right;  /* k; null for spmm */
  void *out;          /* y, or nnz scores */
} autosage_vendor_operands;

typedef struct autosage_vendor_info {
  uint32_t struct_size;     /* set by the caller */
  uint32_t version;         /* AUTOSAGE_VENDOR_VERSION, set by the caller */
  int32_t cusparse_version; /* 12603 for 12.6.3 */
  int32_t reserved;
  char path[512]; /* of the library, cut where longer */
} autosage_vendor_info;

/* What was loaded. AUTOSAGE_VENDOR_MISSING where nothing was. */
AUTOSAGE_RUNTIME_API int32_t
autosage_vendor_get_info(autosage_vendor_info *info) AUTOSAGE_NOEXCEPT;

/* 0 where cuSPARSE does the call right, else AUTOSAGE_VENDOR_UNSUPPORTED (or
 * INVALID_ARGUMENT), with `*reason` (may be null) a text that lasts until this
 * thread's next call. Loads the library to know its version; where there is
 * none the rules are those of an unknown version. Sets no thread's error. */
AUTOSAGE_RUNTIME_API int32_t autosage_vendor_supports(
    const autosage_vendor_spec *spec, const char **reason) AUTOSAGE_NOEXCEPT;

/* The same for operands at these addresses, which algorithm 3 of spmm asks
 * about: it takes x and y at multiples of 16 bytes alone. */
AUTOSAGE_RUNTIME_API int32_t autosage_vendor_supports_operands(
    const autosage_vendor_spec *spec, const autosage_vendor_operands *operands,
    const char **reason) AUTOSAGE_NOEXCEPT;

typedef struct autosage_vendor_plan autosage_vendor_plan;

/* Makes descriptors and workspace, and preprocesses the pattern where that may
 * help, on `stream` (a CUstream), which it waits for. The plan reads rowptr and
 * colind, whose contents must stay, until it is destroyed; the other operands
 * may differ in every run. On failure `*plan` is null. */
AUTOSAGE_RUNTIME_API int32_t autosage_vendor_plan_create(
    const autosage_vendor_spec *spec, const autosage_vendor_operands *operands,
    void *stream, autosage_vendor_plan **plan) AUTOSAGE_NOEXCEPT;

/* Enqueues on the plan's stream: no allocation, no waiting, legal in graph
 * capture. rowptr and colind are those of the plan; null stands for them.
 * Operands that autosage_vendor_supports_operands refuses are
 * AUTOSAGE_VENDOR_UNSUPPORTED, and nothing is enqueued. One thread at a time: a
 * second one gets AUTOSAGE_VENDOR_BUSY. */
AUTOSAGE_RUNTIME_API int32_t autosage_vendor_plan_run(
    autosage_vendor_plan *plan,
    const autosage_vendor_operands *operands) AUTOSAGE_NOEXCEPT;

/* Bytes of device memory that the plan owns. */
AUTOSAGE_RUNTIME_API int64_t autosage_vendor_plan_workspace_bytes(
    const autosage_vendor_plan *plan) AUTOSAGE_NOEXCEPT;

/* Null is nothing. Waits for the plan's stream. */
AUTOSAGE_RUNTIME_API void
autosage_vendor_plan_destroy(autosage_vendor_plan *plan) AUTOSAGE_NOEXCEPT;

/* One call on the thread's current stream, with workspace that is allocated
 * and freed in the order of the stream, and no preprocessing. Where cuSPARSE is
 * missing, refuses the call or fails to prepare it, the same is computed on
 * the host: slowly, with copies there and back, and with a warning on stderr,
 * one for each reason. `values` may be null. */
AUTOSAGE_RUNTIME_API void
autosage_vendor_spmm(const void *rowptr, const void *colind, const void *values,
                     const void *x, void *y, int64_t rows, int64_t cols,
                     int64_t nnz, int64_t features, int64_t x_stride,
                     int64_t y_stride, int32_t position_bytes,
                     int32_t coordinate_bytes, int32_t dtype, int32_t out_dtype,
                     int32_t algorithm, int32_t flags) AUTOSAGE_NOEXCEPT;
AUTOSAGE_RUNTIME_API void autosage_vendor_sddmm(
    const void *rowptr, const void *colind, const void *q, const void *k,
    void *out, int64_t rows, int64_t cols, int64_t nnz, int64_t features,
    int64_t q_stride, int64_t k_stride, double scale, int32_t position_bytes,
    int32_t coordinate_bytes, int32_t dtype, int32_t out_dtype,
    int32_t algorithm, int32_t flags) AUTOSAGE_NOEXCEPT;

/* Times one algorithm: makes a plan, runs it `warm_up` times, then `samples`
 * times `batch` runs between two events, and destroys it. `ms` has room for
 * `samples` numbers, each the time of one run. `plan_ms` (may be null) gets
 * what making the plan took on the host. */
AUTOSAGE_RUNTIME_API int32_t autosage_vendor_measure(
    const autosage_vendor_spec *spec, const autosage_vendor_operands *operands,
    void *stream, int32_t warm_up, int32_t samples, int32_t batch, double *ms,
    double *plan_ms) AUTOSAGE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* AUTOSAGE_RUNTIME_VENDOR_H */
