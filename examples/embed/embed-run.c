/*===- embed-run.c - compiles and runs a kernel from C ------------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * y = A x for a 2 x 3 pattern A (row 0 holds columns 0 and 2, row 1 column 1)
 * and two features.
 */

#include <autosage/Compiler/CompilerC.h>

#include <stdio.h>

/* Descriptors of one and two dimensions, as MLIR's C interface has them. */
struct vector {
  void *allocated, *aligned;
  int64_t offset, size, stride;
};
struct matrix {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

static int fail(void) {
  fprintf(stderr, "embed-run: %s\n", autosage_compiler_last_error());
  return 1;
}

int main(void) {
  int32_t rowptr[3] = {0, 2, 3}, colind[3] = {0, 2, 1};
  float x[6] = {1, 2, 3, 4, 5, 6}, y[4];
  int64_t columns = 3;
  struct vector rp = {rowptr, rowptr, 0, 3, 1}, ci = {colind, colind, 0, 3, 1};
  struct matrix dx = {x, x, 0, {3, 2}, {2, 1}};
  struct matrix dy = {y, y, 0, {2, 2}, {2, 1}};
  void *args[5] = {&rp, &ci, &columns, &dx, &dy};

  autosage_kernel_spec spec;
  autosage_compiled_kernel *kernel;
  autosage_kernel_spec_init(&spec, sizeof spec);
  spec.features = 2;
  if (autosage_compiler_compile(&spec, &kernel) != AUTOSAGE_COMPILER_OK)
    return fail();
  if (autosage_compiled_kernel_invoke(kernel, args, 5) != AUTOSAGE_COMPILER_OK)
    return fail();
  printf("%g %g\n%g %g\n", y[0], y[1], y[2], y[3]);
  autosage_compiled_kernel_destroy(kernel);
  return 0;
}
