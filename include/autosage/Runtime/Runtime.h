/*===- Runtime.h - C ABI of the runtime ---------------------------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * What compiled kernels call while they run: parallel loops. The library knows
 * nothing of LLVM. docs/threads.md says how it gets its threads and why.
 *
 * All functions may be called from any thread, at once. No exception leaves
 * this interface, and none may enter it.
 *
 * Versions: 1, the first.
 */

#ifndef AUTOSAGE_RUNTIME_RUNTIME_H
#define AUTOSAGE_RUNTIME_RUNTIME_H

#include <stdint.h>

#if defined(AUTOSAGE_RUNTIME_BUILDING)
#define AUTOSAGE_RUNTIME_API __attribute__((visibility("default")))
#else
#define AUTOSAGE_RUNTIME_API
#endif

#ifdef __cplusplus
#define AUTOSAGE_NOEXCEPT noexcept
extern "C" {
#else
#define AUTOSAGE_NOEXCEPT
#endif

#define AUTOSAGE_RUNTIME_VERSION 1u

/* The version of this interface that the library implements. */
AUTOSAGE_RUNTIME_API uint32_t autosage_runtime_version(void) AUTOSAGE_NOEXCEPT;

/* Does iterations [begin, end) of a loop. A body may be called several times,
 * by several threads at once, with ranges that do not overlap. It must not
 * throw. */
typedef void (*autosage_loop_body)(void *context, int64_t begin, int64_t end);

/* Does iterations [0, count) of a loop and returns when all are done; nothing
 * for a count of 0 or less. Which thread does which range is left open, so a
 * loop whose result may not depend on that writes from each iteration what no
 * other one touches.
 *
 * The calling thread does all by itself, with one call of the body, where
 *   - there is one iteration, or one thread to use;
 *   - the call is made by the body of another such loop, or inside of a
 * parallel region of the OpenMP runtime in use;
 *   - the process is a fork of the one that loaded this library. */
AUTOSAGE_RUNTIME_API void
autosage_parallel_for(int64_t count, autosage_loop_body body,
                      void *context) AUTOSAGE_NOEXCEPT;

/* The threads that a loop may use, the calling one included, from the next call
 * on and for all threads. 0 (or less) goes back to the default: the environment
 * variable AUTOSAGE_NUM_THREADS where that is set, else what the OpenMP runtime
 * would use, which follows OMP_NUM_THREADS, the cores that the process may run
 * on, and the host's own calls of omp_set_num_threads. More than
 * AUTOSAGE_MAX_THREADS counts as that. */
AUTOSAGE_RUNTIME_API void
autosage_set_num_threads(int32_t count) AUTOSAGE_NOEXCEPT;

/* The threads that a loop of the calling thread would use now: at least 1. */
AUTOSAGE_RUNTIME_API int32_t autosage_get_num_threads(void) AUTOSAGE_NOEXCEPT;

enum { AUTOSAGE_MAX_THREADS = 1024 };

/* A host's own way to run loops, with the contract of autosage_parallel_for. It
 * gets loops of two or more iterations that are not nested in another. It must
 * not throw. */
typedef void (*autosage_parallel_for_fn)(void *user_data, int64_t count,
                                         autosage_loop_body body,
                                         void *context);

/* Hands all loops that start from now on to `fn`, whatever the number of
 * threads is set to and also in forks; null goes back to OpenMP. `user_data` is
 * passed on. The caller keeps both valid until loops that began with them have
 * ended. */
AUTOSAGE_RUNTIME_API void
autosage_set_parallel_for(autosage_parallel_for_fn fn,
                          void *user_data) AUTOSAGE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* AUTOSAGE_RUNTIME_RUNTIME_H */
