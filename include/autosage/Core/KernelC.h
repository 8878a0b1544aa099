/*===- KernelC.h - the description of a kernel, for C -------------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * What the compile service and the runtime both take: autosage_kernel_spec.
 *
 * Versions: 1, the first.
 */

#ifndef AUTOSAGE_CORE_KERNELC_H
#define AUTOSAGE_CORE_KERNELC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AUTOSAGE_KERNEL_SPEC_VERSION 1u

/* Words of the spec. They have a field of 32 bits each, so that the layout does
 * not depend on the size of an enum. */
enum {
  AUTOSAGE_OP_SPMM,
  AUTOSAGE_OP_SDDMM,
  AUTOSAGE_OP_ROW_SOFTMAX,
  AUTOSAGE_OP_ATTENTION,
  AUTOSAGE_OP_ATTENTION_BACKWARD
};
enum {
  AUTOSAGE_REDUCE_SUM,
  AUTOSAGE_REDUCE_MEAN,
  AUTOSAGE_REDUCE_MAX,
  AUTOSAGE_REDUCE_MIN
};
enum { AUTOSAGE_COMBINE_DOT, AUTOSAGE_COMBINE_ADD };
enum { AUTOSAGE_SCORE_DOT, AUTOSAGE_SCORE_GAT, AUTOSAGE_SCORE_GATV2 };
enum { AUTOSAGE_F32, AUTOSAGE_F64, AUTOSAGE_F16, AUTOSAGE_BF16 };
enum { AUTOSAGE_I32, AUTOSAGE_I64 };
enum {
  AUTOSAGE_EDGES_NONE,
  AUTOSAGE_EDGES_NNZ,
  AUTOSAGE_EDGES_NNZ_X_1,
  AUTOSAGE_EDGES_NNZ_X_HEADS
};
/* Bits of `flags`. */
enum {
  AUTOSAGE_FLAG_TRANSPOSE = 1,
  AUTOSAGE_FLAG_ACCUMULATE = 2,
  AUTOSAGE_FLAG_LSE = 4,
  AUTOSAGE_FLAG_COMPOSED = 8,
  AUTOSAGE_FLAG_STRIDED = 16,
  AUTOSAGE_FLAG_F32_OUT = 32, /* f16 and bf16 only */
  AUTOSAGE_FLAG_ALIGNED = 64,
  AUTOSAGE_FLAG_BIAS_GRADIENT = 128,  /* attention_backward with edge values */
  AUTOSAGE_FLAG_TRANSPOSE_GIVEN = 256 /* attention_backward; plans set it */
};

/* A kernel; the fields are those of KernelSpec in Compiler.h. Initialise with
 * the library's function for that. New fields are added at the end. */
typedef struct autosage_kernel_spec {
  uint32_t struct_size; /* sizeof(autosage_kernel_spec), set by the caller */
  uint32_t version;     /* that of the library that reads it, or
                         * AUTOSAGE_KERNEL_SPEC_VERSION */
  uint32_t op, reduction, combine, score;
  uint32_t dtype, rowptr_type, colind_type, edge_values;
  uint32_t flags;
  uint32_t reserved;      /* 0 */
  int64_t features;       /* -1: known when the kernel runs */
  int64_t value_features; /* -1: known when the kernel runs, or `features` */
  int64_t heads;          /* 0: no head dimension */
  double scale, negative_slope;
  const char *schedule; /* text form, or null: the select pass chooses */
  /* LLVM's name of a CPU, or null: this machine's; and what it has
   * beside that and has not, as "+avx2,-fma", or null. */
  const char *cpu, *cpu_features;
} autosage_kernel_spec;

#ifdef __cplusplus
}
#endif

#endif /* AUTOSAGE_CORE_KERNELC_H */
