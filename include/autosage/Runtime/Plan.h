/*===- Plan.h - prepared sparse operations ------------------------*- C -*-===*\
|*                                                                            *|
|* Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * A context is a device; a plan is one operation on one graph with everything
 * that its runs need: kernel, schedule, task lists, scratch memory. Making a
 * plan may compile, allocate and wait; running one enqueues on the caller's
 * stream and does nothing else. docs/runtime.md has the rules and an example.
 *
 * Every function may be called from any thread. Those that can fail return a
 * code, and autosage_plan_last_error then has the message of the calling
 * thread. No exception leaves this interface. Structs are set to their defaults
 * by their _init function, which is given sizeof of the caller's struct; new
 * fields come at the end.
 *
 * Versions: 1, the first; 2 adds how a plan decides on its schedule
 * (docs/oracle.md), the chip of a context, and what making a plan took; 3 adds
 * the operands of the gradients of attention.
 */

#ifndef AUTOSAGE_RUNTIME_PLAN_H
#define AUTOSAGE_RUNTIME_PLAN_H

#include "autosage/Core/KernelC.h"
#include "autosage/Runtime/Device.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AUTOSAGE_PLAN_VERSION 3u

/* The numbers never change. */
typedef enum autosage_plan_status {
  AUTOSAGE_PLAN_OK = 0,
  AUTOSAGE_PLAN_INVALID_ARGUMENT = 1, /* sizes, pointers, words of the spec */
  AUTOSAGE_PLAN_UNSUPPORTED_VERSION = 2,
  AUTOSAGE_PLAN_NO_DEVICE = 3,     /* no driver, no device, too old a driver */
  AUTOSAGE_PLAN_OUT_OF_MEMORY = 4, /* of the host or the device */
  AUTOSAGE_PLAN_NO_KERNEL = 5,     /* not cached, and it cannot be compiled */
  AUTOSAGE_PLAN_NOT_PREPARED = 6,  /* this stream, and it is being captured */
  AUTOSAGE_PLAN_BUSY = 7,          /* the pair of plan and stream is in use */
  AUTOSAGE_PLAN_INVALID_PATTERN = 8, /* contents of rowptr or colind */
  AUTOSAGE_PLAN_WORKSPACE_LIMIT = 9,
  AUTOSAGE_PLAN_DEVICE_FAILED = 10, /* what the driver or the emulator says */
  AUTOSAGE_PLAN_INTERNAL = 11
} autosage_plan_status;

/* The message of the calling thread's last failed call of this header, valid
 * until its next call; empty when there was none. Never null. */
AUTOSAGE_RUNTIME_API const char *
autosage_plan_last_error(void) AUTOSAGE_NOEXCEPT;

/*===- Contexts -----------------------------------------------------------===*/

enum {
  AUTOSAGE_TARGET_CPU = 0,
  AUTOSAGE_TARGET_SIMT = 1, /* GPU kernels on the CPU (docs/simt.md) */
  AUTOSAGE_TARGET_NVPTX = 2
};

/* A function that kernels call. */
typedef struct autosage_symbol {
  const char *name;
  void *address;
} autosage_symbol;

typedef struct autosage_context_options {
  uint32_t struct_size;
  uint32_t version;
  uint32_t target;
  /* nvptx: the number of the device, whose primary context is used; -1: the
   * device that is current when the context is made. Else -1. */
  int32_t device;
  /* What runs the kernels; null: the CUDA driver for nvptx, nothing for cpu.
   * simt needs autosage_simt_device_api(), the runtime does not bring it. */
  const autosage_device_api *api;
  /* Functions that kernels may call besides, ended by a null name, or null. For
   * simt autosage_simt_symbols(). Kept by the caller for good. */
  const autosage_symbol *symbols;
  /* Folder of the kernel cache; null: $AUTOSAGE_CACHE_DIR, else autosage in
   * $XDG_CACHE_HOME or ~/.cache. Empty: no cache on disk. */
  const char *cache_dir;
  /* The most it may hold; 0: $AUTOSAGE_KERNEL_CACHE_BYTES, else 256 MiB. */
  int64_t cache_bytes;
  /* Path of libAutosageCompiler.so; null: $AUTOSAGE_COMPILER, else the one
   * beside this library. Loaded when a kernel is not at hand. */
  const char *compiler;
  /* Called with each warning, a line without its end; null: stderr. May be
   * called from any thread that is in a call of this header. */
  void (*warn)(void *user_data, const char *message);
  void *warn_data;
  /* Of version 2. nvptx: kernels are compiled for this chip, as "sm_90", whose
   * code the device has to run; null: for the device's own. Else null. */
  const char *chip;
} autosage_context_options;

typedef struct autosage_context autosage_context;

AUTOSAGE_RUNTIME_API void
autosage_context_options_init(autosage_context_options *options,
                              size_t struct_size) AUTOSAGE_NOEXCEPT;

/* `options` is read during the call. On success the caller owns `*context`; on
 * failure it is null. For the cpu no driver is touched. */
AUTOSAGE_RUNTIME_API autosage_plan_status
autosage_context_create(const autosage_context_options *options,
                        autosage_context **context) AUTOSAGE_NOEXCEPT;

/* Null is allowed. Plans may outlive their context. */
AUTOSAGE_RUNTIME_API void
autosage_context_destroy(autosage_context *context) AUTOSAGE_NOEXCEPT;

/*===- Plans --------------------------------------------------------------===*/

/* The graph, in memory of the context's device. Element types are the spec's.
 */
typedef struct autosage_pattern {
  uint32_t struct_size;
  uint32_t version;
  int64_t rows, cols, nnz;
  const void *rowptr; /* rows + 1 */
  const void *colind; /* nnz */
} autosage_pattern;

/* A row-major operand of rows x heads x width elements, with rows
 * `leading_dimension` elements apart; 0: without gaps. heads and width are 1
 * where the operand has no such dimension. */
typedef struct autosage_dense {
  void *data;
  int64_t rows, heads, width, leading_dimension;
} autosage_dense;

/* Which ones are read follows from the spec. `workspace` is for composed
 * attention; with null data the plan brings it. */
typedef struct autosage_operands {
  uint32_t struct_size;
  uint32_t version;
  autosage_dense edge_values, x, q, k, v, vec, out, lse, workspace;
  /* Of version 3, for the gradients of attention: what it gave (`lse`, above,
   * is read) and the gradient of that; the gradients of q, k, v, of the score
   * vectors and of the bias, which have the shapes of these. */
  autosage_dense o, d_o, dq, dk, dv, dvec, dbias;
} autosage_operands;

/* How a plan without a schedule of the caller's gets one. */
enum {
  AUTOSAGE_ORACLE_RULE = 0, /* docs/scheduling.md: nothing is looked up */
  /* The best by the model of costs. Decisions of earlier probes are taken. */
  AUTOSAGE_ORACLE_ESTIMATE = 1,
  /* Measured, unless an earlier decision is there. */
  AUTOSAGE_ORACLE_PROBE = 2,
  /* Only earlier decisions; the rule for an input without one, and a warning
   * says so. Nothing is measured or stored. */
  AUTOSAGE_ORACLE_REPLAY = 3
};

/* Whether what won on a sample has to beat the baseline on the whole input:
 * cuSPARSE on a GPU where it meets the same contract, else the rule's schedule;
 * the default row_parallel on the cpu. */
enum {
  AUTOSAGE_GUARDRAIL_ON = 0, /* while the plan is made, on scratch outputs */
  AUTOSAGE_GUARDRAIL_OFF = 1,
  /* The plan's first runs alternate between the two. Only with deterministic =
   * 0, since results differ in rounding; else as ON. */
  AUTOSAGE_GUARDRAIL_ONLINE = 2
};

typedef struct autosage_plan_options {
  uint32_t struct_size;
  uint32_t version;
  /* 1: look at the contents of rowptr and colind once, here, on the device that
   * has them; fails where they are no pattern, and selection knows their
   * statistics. 0: neither. */
  uint32_t validate;
  /* 1: equal bits from run to run. All kernels of ours give that either way,
   * and cuSPARSE's SDDMM; a schedule `vendor` of spmm needs a 0 here. */
  uint32_t deterministic;
  int64_t workspace_limit; /* bytes; -1: none */
  /* The fields from here on are of version 2. An oracle other than the rule
   * looks at the contents of the pattern whatever `validate` says. */
  uint32_t oracle;    /* AUTOSAGE_ORACLE_RULE by default */
  uint32_t guardrail; /* AUTOSAGE_GUARDRAIL_ON by default */
  /* How many candidates, the best by the estimate, are measured: 1 to 64, 3 by
   * default. */
  uint32_t probe_k;
  /* 1: each graph is seen once or a few times. What was decided for graphs with
   * like statistics is taken. */
  uint32_t graphs_never_repeat;
  /* The most that deciding may take, compilation and all; 0 (the default): 50
   * ms or five runs of the baseline, whichever is more, without compilation. */
  double probe_budget_ms;
  /* The winner's time is at most this part of the baseline's, else the baseline
   * stays: above 0 and at most 1, 0.98 by default. */
  double guardrail_alpha;
  /* The part of the entries that candidates are timed on: at most 1; 0 (the
   * default): what the budget allows. */
  double probe_fraction;
  /* How often the plan will run, as far as the caller knows; 0 (the default):
   * not stated. What a schedule costs to prepare is spread over them. */
  int64_t expected_calls;
  /* File of decisions; null (the default): $AUTOSAGE_DECISION_CACHE, else
   * decisions.sqlite in the cache folder. Empty: none outlive the context. */
  const char *decision_cache;
  /* Width in bits of the vectors that schedules of the cpu are chosen for; 0
   * (the default): this machine's. For a spec that names another CPU. */
  int64_t vector_bits;
} autosage_plan_options;

typedef struct autosage_plan autosage_plan;

/* The spec's defaults (Core/KernelC.h). */
AUTOSAGE_RUNTIME_API void
autosage_plan_spec_init(autosage_kernel_spec *spec,
                        size_t struct_size) AUTOSAGE_NOEXCEPT;
AUTOSAGE_RUNTIME_API void
autosage_pattern_init(autosage_pattern *pattern,
                      size_t struct_size) AUTOSAGE_NOEXCEPT;
AUTOSAGE_RUNTIME_API void
autosage_operands_init(autosage_operands *operands,
                       size_t struct_size) AUTOSAGE_NOEXCEPT;
AUTOSAGE_RUNTIME_API void
autosage_plan_options_init(autosage_plan_options *options,
                           size_t struct_size) AUTOSAGE_NOEXCEPT;

/* Makes a plan and prepares it for `stream` (a CUstream, null for the default
 * one; null for the cpu). Of the operands only sizes are read, data may be
 * null. Compiles, allocates and waits as needed. The arrays of the pattern are
 * borrowed until the plan is destroyed, and must not change. `options` may be
 * null.
 *
 * On a stream that is being captured a plan is made without allocation, waiting
 * and validation, with the schedule row_group, and a warning says so once;
 * where the operation needs memory, that is an error which leaves the capture
 * valid. */
AUTOSAGE_RUNTIME_API autosage_plan_status autosage_plan_create(
    autosage_context *context, const autosage_kernel_spec *spec,
    const autosage_pattern *pattern, const autosage_operands *shapes,
    const autosage_plan_options *options, void *stream,
    autosage_plan **plan) AUTOSAGE_NOEXCEPT;

/* Makes the scratch memory for runs on another stream. A plan that was made
 * under capture is validated by the first call outside of one. Does nothing
 * where all is there. */
AUTOSAGE_RUNTIME_API autosage_plan_status autosage_plan_prepare_stream(
    autosage_plan *plan, void *stream) AUTOSAGE_NOEXCEPT;

/* Checks the operands in O(1) and enqueues the operation on the stream: no
 * allocation, no waiting, legal while the stream is captured. A stream that was
 * not prepared is prepared first; under capture that is an error. Streams may
 * be used at once; one stream by one thread at a time, else the later call
 * fails. What fails on the device later shows when the caller waits. On the cpu
 * it is done when the call returns. */
AUTOSAGE_RUNTIME_API autosage_plan_status
autosage_plan_run(autosage_plan *plan, const autosage_operands *operands,
                  void *stream) AUTOSAGE_NOEXCEPT;

/* Lines `key value` on what was chosen and why; owned by the plan. */
AUTOSAGE_RUNTIME_API const char *
autosage_plan_explain(const autosage_plan *plan) AUTOSAGE_NOEXCEPT;

/* What was decided and the numbers behind it, one line of JSON: `schedule`,
 * `decided_by`, `reason`, `baseline`, `candidates` (estimates, times and why
 * one was rejected), `guardrail`, `budget` (docs/oracle.md). Owned by the plan.
 * With an online guardrail it is that of the plan's making until that has
 * decided; a text stays valid as long as the plan. Empty for null. */
AUTOSAGE_RUNTIME_API const char *
autosage_plan_decision(const autosage_plan *plan) AUTOSAGE_NOEXCEPT;

/* Device memory that the plan holds for all its streams together. */
AUTOSAGE_RUNTIME_API int64_t
autosage_plan_workspace_bytes(const autosage_plan *plan) AUTOSAGE_NOEXCEPT;

/* Where the time of autosage_plan_create went, in milliseconds. */
typedef struct autosage_plan_times {
  uint32_t struct_size;
  uint32_t version;
  double compile_ms; /* in the compiler, loading it included; 0 where every
                      * kernel was at hand or in the kernel cache */
  double probe_ms;   /* measuring candidates and the baseline */
  double prepare_ms; /* the rest: validation, statistics, choosing, kernels from
                      * the cache, task lists, transposed patterns, memory */
  double decide_ms;  /* of all that the oracle's part: looking up, or measuring
                      with what is compiled for it */
} autosage_plan_times;

AUTOSAGE_RUNTIME_API void
autosage_plan_times_init(autosage_plan_times *times,
                         size_t struct_size) AUTOSAGE_NOEXCEPT;
/* Expects `times` to be initialised; zeros for a null plan. */
AUTOSAGE_RUNTIME_API void
autosage_plan_get_times(const autosage_plan *plan,
                        autosage_plan_times *times) AUTOSAGE_NOEXCEPT;

/* Waits for the plan's streams, which must still exist, and frees its memory.
 * While one of them is captured, memory is kept and freed with the context's
 * next plan. No run may be going on, no captured graph may be launched after.
 * Null is allowed. */
AUTOSAGE_RUNTIME_API void
autosage_plan_destroy(autosage_plan *plan) AUTOSAGE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* AUTOSAGE_RUNTIME_PLAN_H */
