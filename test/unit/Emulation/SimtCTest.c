/*===- SimtCTest.c - the emulator's header in plain C -------------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "autosage/Emulation/Simt.h"

#include <string.h>

static void kernel(void *const *args) {
  int *out = *(int **)args[0];
  out[autosage_simt_register(AUTOSAGE_SIMT_TID_X)] =
      (int)autosage_simt_register(AUTOSAGE_SIMT_LANEID);
}

/* Returns the sum that the kernel's threads left; -1 after an error. */
int autosage_simt_c_test(void) {
  autosage_simt_kernel kernels[] = {{"kernel", kernel, 0}, {0, 0, 0}};
  autosage_image image;
  int out[40], *pointer = out, i, sum = 0;
  void *args[] = {&pointer};
  memset(&image, 0, sizeof(image));
  image.struct_size = sizeof(image);
  image.version = AUTOSAGE_DEVICE_VERSION;
  image.kind = AUTOSAGE_IMAGE_SIMT;
  image.name = "module";
  image.data = kernels;
  image.size = sizeof(kernels);
  if (autosage_simt_launch_kernel(&image, "kernel", 1, 1, 1, 40, 1, 1, 0, args,
                                  1))
    return -1;
  for (i = 0; i < 40; ++i)
    sum += out[i];
  return sum;
}
