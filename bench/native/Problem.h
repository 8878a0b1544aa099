//===- Problem.h - one problem of the benchmark, as C++ sees it -*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Filled by Python (`Problem` in contestants.py, the same fields in the same
// order). Everything is borrowed, contiguous and row-major.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_BENCH_PROBLEM_H
#define AUTOSAGE_BENCH_PROBLEM_H

#include <cstdint>

struct Problem {
  int64_t rows, cols, nnz, features, threads;
  const int32_t *rowptr, *colind;
  const float *values; // spmm: of the edges
  const float *x;      // spmm: cols x features; sddmm: q, rows x features
  const float *k;      // sddmm: cols x features
  float *out;          // spmm: rows x features; sddmm: nnz
};

#endif // AUTOSAGE_BENCH_PROBLEM_H
