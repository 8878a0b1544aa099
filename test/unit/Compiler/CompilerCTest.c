/*===- CompilerCTest.c - the C ABI of the compile service, from C -*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "autosage/Compiler/CompilerC.h"
#include "autosage/Emulation/Simt.h"

#include <string.h>

/* Descriptors of one and two dimensions, as MLIR's C interface has them. */
struct vector {
  void *allocated, *aligned;
  int64_t offset, size, stride;
};
struct matrix {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

/* Each returns what failed, or null. CompileTest.cpp calls them. */
const char *autosage_c_test_compile_and_invoke(void);
const char *autosage_c_test_half(void);
const char *autosage_c_test_program(void);
const char *autosage_c_test_errors(void);

/* 2 x 3: row 0 holds columns 0 and 2, row 1 column 1. */
static const char *invoke(autosage_compiled_kernel *kernel) {
  int32_t rowptr[3] = {0, 2, 3}, colind[3] = {0, 2, 1};
  float x[6] = {1, 2, 3, 4, 5, 6}, y[4] = {-1, -1, -1, -1};
  int64_t columns = 3;
  struct vector rp = {rowptr, rowptr, 0, 3, 1}, ci = {colind, colind, 0, 3, 1};
  struct matrix dx = {x, x, 0, {3, 2}, {2, 1}};
  struct matrix dy = {y, y, 0, {2, 2}, {2, 1}};
  void *args[5] = {&rp, &ci, &columns, &dx, &dy};
  float expected[4] = {6, 8, 3, 4};
  if (autosage_compiled_kernel_invoke(kernel, args, 5) != AUTOSAGE_COMPILER_OK)
    return autosage_compiler_last_error();
  if (memcmp(y, expected, sizeof y) != 0)
    return "wrong result";
  if (autosage_compiled_kernel_invoke(kernel, args, 4) !=
      AUTOSAGE_COMPILER_INVALID_ARGUMENT)
    return "four arguments were accepted";
  if (strcmp(autosage_compiler_last_error(), "expects 5 arguments, got 4") != 0)
    return autosage_compiler_last_error();
  return 0;
}

const char *autosage_c_test_compile_and_invoke(void) {
  autosage_kernel_spec spec;
  autosage_compiled_kernel *kernel = 0;
  const char *failure;
  autosage_kernel_spec_init(&spec, sizeof spec);
  spec.features = 2;
  spec.schedule = "row_parallel";
  if (autosage_compiler_compile(&spec, &kernel) != AUTOSAGE_COMPILER_OK)
    return autosage_compiler_last_error();
  if (strcmp(autosage_compiler_last_error(), "") != 0)
    return "a success left a message";
  failure = invoke(kernel);
  if (!failure &&
      strcmp(autosage_compiled_kernel_schedule(kernel), "row_parallel") != 0)
    failure = "wrong schedule";
  autosage_compiled_kernel_destroy(kernel);
  return failure;
}

/* f16 in, f32 out. */
const char *autosage_c_test_half(void) {
  autosage_kernel_spec spec;
  autosage_compiled_kernel *kernel = 0;
  int32_t rowptr[3] = {0, 2, 3}, colind[3] = {0, 2, 1};
  uint16_t x[3] = {0x3c00, 0x3e00, 0x0400}; /* 1, 1.5, 2^-14 */
  float y[2] = {-1, -1};
  int64_t columns = 3;
  struct vector rp = {rowptr, rowptr, 0, 3, 1}, ci = {colind, colind, 0, 3, 1};
  struct matrix dx = {x, x, 0, {3, 1}, {1, 1}};
  struct matrix dy = {y, y, 0, {2, 1}, {1, 1}};
  void *args[5] = {&rp, &ci, &columns, &dx, &dy};
  autosage_kernel_spec_init(&spec, sizeof spec);
  spec.features = 1;
  spec.dtype = AUTOSAGE_F16;
  spec.flags = AUTOSAGE_FLAG_F32_OUT;
  if (autosage_compiler_compile(&spec, &kernel) != AUTOSAGE_COMPILER_OK ||
      autosage_compiled_kernel_invoke(kernel, args, 5) != AUTOSAGE_COMPILER_OK)
    return autosage_compiler_last_error();
  autosage_compiled_kernel_destroy(kernel);
  /* More bits than f16 has. */
  return y[0] == 1.00006103515625f && y[1] == 1.5f ? 0 : "wrong result";
}

/* y = 2 x, as a kernel on the emulator. */
static const char doubling[] =
    "func.func @main(%x: tensor<?xf32>, %y: memref<?xf32>)\n"
    "    attributes {llvm.emit_c_interface} {\n"
    "  %t = bufferization.to_tensor %y restrict writable\n"
    "     : memref<?xf32> to tensor<?xf32>\n"
    "  %r = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>)\n"
    "                  outs(%t : tensor<?xf32>) -> tensor<?xf32>\n"
    "  bufferization.materialize_in_destination %r in restrict writable %y\n"
    "      : (tensor<?xf32>, memref<?xf32>) -> ()\n"
    "  return\n"
    "}\n";

const char *autosage_c_test_program(void) {
  autosage_program_options options;
  autosage_compiled_kernel *kernel = 0;
  float x[3] = {1, -2, 3}, y[3] = {-1, -1, -1};
  struct vector dx = {x, x, 0, 3, 1}, dy = {y, y, 0, 3, 1};
  void *args[2] = {&dx, &dy};
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.version = AUTOSAGE_COMPILER_VERSION;
  options.target = "fpga";
  if (autosage_compiler_compile_program(doubling, sizeof doubling - 1, &options,
                                        &kernel) !=
          AUTOSAGE_COMPILER_INVALID_ARGUMENT ||
      strcmp(autosage_compiler_last_error(),
             "expects target cpu, simt or nvptx, got 'fpga'") != 0)
    return "an unknown target was accepted";
  options.target = "nvptx";
  options.chip = "sm_1";
  if (autosage_compiler_compile_program(doubling, sizeof doubling - 1, &options,
                                        &kernel) !=
          AUTOSAGE_COMPILER_COMPILATION_FAILED ||
      !strstr(autosage_compiler_last_error(), "unknown chip 'sm_1'"))
    return "an unknown chip was accepted";
  options.target = "simt";
  if (autosage_compiler_compile_program(doubling, sizeof doubling - 1, &options,
                                        &kernel) != AUTOSAGE_COMPILER_OK)
    return autosage_compiler_last_error();
  autosage_simt_register_buffer(x, sizeof x, "x", 1);
  autosage_simt_register_buffer(y, sizeof y, "y", 0);
  if (autosage_compiled_kernel_invoke(kernel, args, 2) != AUTOSAGE_COMPILER_OK)
    return autosage_compiler_last_error();
  autosage_simt_unregister_buffer(x);
  autosage_simt_unregister_buffer(y);
  autosage_compiled_kernel_destroy(kernel);
  if (autosage_simt_take_error(0) != 0)
    return "the emulator found a fault";
  return y[0] == 2 && y[1] == -4 && y[2] == 6 ? 0 : "wrong result";
}

const char *autosage_c_test_errors(void) {
  autosage_kernel_spec spec;
  autosage_compiled_kernel *kernel = 0;
  if (autosage_compiler_version() != AUTOSAGE_COMPILER_VERSION)
    return "header and library disagree";
  autosage_kernel_spec_init(&spec, sizeof spec);
  spec.version = AUTOSAGE_COMPILER_VERSION + 1;
  if (autosage_compiler_compile(&spec, &kernel) !=
      AUTOSAGE_COMPILER_UNSUPPORTED_VERSION)
    return "a newer version was accepted";
  autosage_kernel_spec_init(&spec, sizeof spec);
  spec.struct_size = 8;
  if (autosage_compiler_compile(&spec, &kernel) !=
      AUTOSAGE_COMPILER_INVALID_ARGUMENT)
    return "a short struct was accepted";
  /* What a caller with an older, shorter struct gets: nothing behind it. */
  struct {
    autosage_kernel_spec spec;
    unsigned char behind;
  } shorter;
  memset(&shorter, 0xee, sizeof shorter);
  autosage_kernel_spec_init(&shorter.spec, offsetof(autosage_kernel_spec, cpu));
  if (((unsigned char *)&shorter.spec.cpu)[0] != 0xee)
    return "more than the struct's size was written";
  if (autosage_compiler_compile(&shorter.spec, &kernel) !=
      AUTOSAGE_COMPILER_INVALID_ARGUMENT)
    return "a struct without its last fields was accepted";
  autosage_kernel_spec_init(&spec, sizeof spec);
  spec.cpu = "z80";
  if (autosage_compiler_compile(&spec, &kernel) !=
          AUTOSAGE_COMPILER_COMPILATION_FAILED ||
      strcmp(autosage_compiler_last_error(),
             "expects a CPU that LLVM knows, got 'z80'") != 0)
    return "an unknown CPU was accepted";
  autosage_kernel_spec_init(&spec, sizeof spec);
  spec.op = 5;
  if (autosage_compiler_compile(&spec, &kernel) !=
          AUTOSAGE_COMPILER_INVALID_ARGUMENT ||
      strcmp(autosage_compiler_last_error(), "expects op below 5, got 5") != 0)
    return "an unknown op was accepted";
  autosage_kernel_spec_init(&spec, sizeof spec);
  spec.reserved = 1;
  if (autosage_compiler_compile(&spec, &kernel) !=
      AUTOSAGE_COMPILER_INVALID_ARGUMENT)
    return "reserved bits were accepted";
  if (autosage_compiler_compile(0, &kernel) !=
          AUTOSAGE_COMPILER_INVALID_ARGUMENT ||
      autosage_compiler_compile(&spec, 0) != AUTOSAGE_COMPILER_INVALID_ARGUMENT)
    return "a null pointer was accepted";
  if (autosage_compiler_compile_mlir("oops", 4, &kernel) !=
          AUTOSAGE_COMPILER_COMPILATION_FAILED ||
      !strstr(autosage_compiler_last_error(), "module:1:1"))
    return "text that is no MLIR was accepted, or has no location";
  if (kernel)
    return "a failure left a handle";
  autosage_compiled_kernel_destroy(0);
  return 0;
}
