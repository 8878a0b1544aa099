/*===- CompilerC.h - C ABI of the compile service -----------------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * What the runtime calls to compile a kernel, without linking LLVM itself: it
 * loads libAutosageCompiler.so when a kernel is not in its cache.
 *
 * Every function that can fail returns a status; the message is fetched with
 * autosage_compiler_last_error. No exception leaves this interface. All
 * functions may be called from any thread.
 *
 * Versions: 1, the first; 2 adds artifacts, 3 programs; the spec is as it was.
 */

#ifndef AUTOSAGE_COMPILER_COMPILERC_H
#define AUTOSAGE_COMPILER_COMPILERC_H

#include "autosage/Core/KernelC.h"

#include <stddef.h>
#include <stdint.h>

#if defined(AUTOSAGE_COMPILER_BUILDING)
#define AUTOSAGE_COMPILER_C_API __attribute__((visibility("default")))
#else
#define AUTOSAGE_COMPILER_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define AUTOSAGE_COMPILER_VERSION 3u

/* The numbers never change. */
typedef enum autosage_compiler_status {
  AUTOSAGE_COMPILER_OK = 0,
  AUTOSAGE_COMPILER_INVALID_ARGUMENT = 1,
  AUTOSAGE_COMPILER_UNSUPPORTED_VERSION = 2,
  AUTOSAGE_COMPILER_COMPILATION_FAILED = 3,
  AUTOSAGE_COMPILER_OUT_OF_MEMORY = 4,
  AUTOSAGE_COMPILER_INTERNAL = 5
} autosage_compiler_status;

/* A compiled kernel. */
typedef struct autosage_compiled_kernel autosage_compiled_kernel;

/* The newest version of the structs that this library knows. */
AUTOSAGE_COMPILER_C_API uint32_t autosage_compiler_version(void);

/* The message of the calling thread's last failed call, valid until its next
 * call; empty when there was none. Never null. */
AUTOSAGE_COMPILER_C_API const char *autosage_compiler_last_error(void);

/* Sets the size, the version and every default of a struct of `struct_size`
 * bytes, sizeof(autosage_kernel_spec): a library that knows more fields than
 * its caller writes no more than that. */
AUTOSAGE_COMPILER_C_API void
autosage_kernel_spec_init(autosage_kernel_spec *spec, size_t struct_size);

/* Compiles for this machine's CPU, or for the one that the spec names, if this
 * machine can run its code. f16 and bf16 accumulate in f32. On success
 * `*kernel` is owned by the caller, who gives it back with
 * autosage_compiled_kernel_destroy; on failure it is null. */
AUTOSAGE_COMPILER_C_API autosage_compiler_status autosage_compiler_compile(
    const autosage_kernel_spec *spec, autosage_compiled_kernel **kernel);

/* The same for `length` bytes of MLIR text with a function `main`. */
AUTOSAGE_COMPILER_C_API autosage_compiler_status autosage_compiler_compile_mlir(
    const char *text, size_t length, autosage_compiled_kernel **kernel);

/* Calls the kernel. `args[i]` is the address of the i-th argument: of a memref
 * descriptor (MLIR's C interface) or of an int64_t. Only the count is checked.
 * Threads may call one kernel at once with different outputs. */
AUTOSAGE_COMPILER_C_API autosage_compiler_status
autosage_compiled_kernel_invoke(const autosage_compiled_kernel *kernel,
                                void **args, size_t count);

/* The schedule of the first op, as text; owned by the kernel. */
AUTOSAGE_COMPILER_C_API const char *
autosage_compiled_kernel_schedule(const autosage_compiled_kernel *kernel);

/* Null is allowed. No call of the kernel may be running. */
AUTOSAGE_COMPILER_C_API void
autosage_compiled_kernel_destroy(autosage_compiled_kernel *kernel);

/*===- Artifacts (version 2) ----------------------------------------------===*/

typedef struct autosage_artifact_options {
  uint32_t struct_size; /* sizeof(autosage_artifact_options) */
  uint32_t version;     /* AUTOSAGE_COMPILER_VERSION */
  const char *target;   /* "cpu", "simt" or "nvptx" */
  const char *chip;     /* nvptx: as "sm_90"; else null */
} autosage_artifact_options;

/* Compiles into bytes that the runtime loads, in this process or a later one
 * (Core/Artifact.h). On success `*bytes` is owned by the caller, who gives it
 * back with autosage_artifact_destroy; on failure it is null. */
AUTOSAGE_COMPILER_C_API autosage_compiler_status
autosage_compiler_compile_artifact(const autosage_kernel_spec *spec,
                                   const autosage_artifact_options *options,
                                   void **bytes, size_t *size);
/* Null is allowed. */
AUTOSAGE_COMPILER_C_API void autosage_artifact_destroy(void *bytes);

/*===- Programs (version 3) -----------------------------------------------===*/

typedef struct autosage_program_options {
  uint32_t struct_size;     /* sizeof(autosage_program_options) */
  uint32_t version;         /* AUTOSAGE_COMPILER_VERSION */
  const char *target;       /* "cpu", "simt" or "nvptx" */
  const char *chip;         /* nvptx: as "sm_90"; else null */
  const char *cpu;          /* LLVM's name of the host; null: this machine's */
  const char *cpu_features; /* as "+avx2,-fma"; null for none */
} autosage_program_options;

/* Compiles `length` bytes of MLIR text: a module with a function `main` that
 * mixes autosage and linalg on tensors and writes its results to buffers. Runs
 * by autosage_compiled_kernel_invoke, for simt and nvptx on memory of the
 * device (autosage_device_alloc of either); what fails there is the device
 * error of the calling thread (autosage_device_take_error). */
AUTOSAGE_COMPILER_C_API autosage_compiler_status
autosage_compiler_compile_program(const char *text, size_t length,
                                  const autosage_program_options *options,
                                  autosage_compiled_kernel **kernel);

#ifdef __cplusplus
}
#endif

#endif /* AUTOSAGE_COMPILER_COMPILERC_H */
