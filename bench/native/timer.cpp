//===- timer.cpp - times calls without Python between them ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call through ctypes costs about a microsecond, a tenth of the smallest
// cells. Contestants with a C interface are therefore called from here. Links
// libgomp, which so becomes the one OpenMP runtime of the process.
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <omp.h>

/// Calls `function(context)` at least once, until `seconds` have passed or
/// `most` times; writes the seconds of every call and returns their number.
extern "C" int64_t bench_time(void (*function)(void *), void *context,
                              double seconds, int64_t most, double *times) {
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  };
  Clock::time_point start = Clock::now(), last = start;
  int64_t calls = 0;
  do {
    function(context);
    Clock::time_point now = Clock::now();
    times[calls++] = since(last, now);
    last = now;
  } while (calls < most && since(start, last) < seconds);
  return calls;
}

extern "C" void bench_set_threads(int threads) { omp_set_num_threads(threads); }

//===----------------------------------------------------------------------===//
// Interfaces that take more than a context
//===----------------------------------------------------------------------===//

/// autosage_compiled_kernel_invoke and its arguments.
struct KernelCall {
  int (*invoke)(const void *kernel, void **args, size_t count);
  const void *kernel;
  void **args;
  int64_t count;
  int64_t status; // of the last call that failed
};

extern "C" void bench_call_kernel(KernelCall *call) {
  if (int status = call->invoke(call->kernel, call->args, size_t(call->count)))
    call->status = status;
}

/// As mkl_spblas.h has it, with 32-bit MKL_INT.
struct MatrixDescr {
  int type, mode, diag;
};

/// mkl_sparse_s_mm on row-major operands.
struct MklCall {
  int (*mm)(int operation, float alpha, void *a, MatrixDescr descr, int layout,
            const float *x, int columns, int ldx, float beta, float *y,
            int ldy);
  void *a;
  MatrixDescr descr;
  int operation, layout, columns;
  const float *x;
  float *y;
  int64_t status;
};

extern "C" void bench_call_mkl(MklCall *call) {
  if (int status = call->mm(call->operation, 1.0f, call->a, call->descr,
                            call->layout, call->x, call->columns, call->columns,
                            0.0f, call->y, call->columns))
    call->status = status;
}
