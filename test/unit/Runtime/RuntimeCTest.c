/*===- RuntimeCTest.c - the C ABI of the runtime, from C ----------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "autosage/Runtime/Runtime.h"

/* Returns what failed, or null. ParallelForTest.cpp calls it. */
const char *autosage_c_test_parallel_for(void);

static void square(void *context, int64_t begin, int64_t end) {
  int64_t *squares = context;
  for (int64_t i = begin; i < end; ++i)
    squares[i] = i * i;
}

const char *autosage_c_test_parallel_for(void) {
  int64_t squares[100] = {0};
  if (autosage_runtime_version() != AUTOSAGE_RUNTIME_VERSION)
    return "the header is of another version than the library";
  autosage_set_num_threads(3);
  if (autosage_get_num_threads() != 3)
    return "the number of threads was not set";
  autosage_parallel_for(100, square, squares);
  autosage_set_num_threads(0);
  for (int64_t i = 0; i < 100; ++i)
    if (squares[i] != i * i)
      return "an iteration is missing";
  return 0;
}
