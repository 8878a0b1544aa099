//===- OpenMP.h - the OpenMP runtime of the process -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads come from the OpenMP runtime that the process has already (PyTorch's
// libgomp, MKL's libiomp5, LLVM's libomp), so that no second one with a second
// set of threads enters it; only where there is none is one loaded. This rules
// out `#pragma omp`, which links one runtime for good. All three export
// GOMP_parallel, the entry that GCC's code calls, whose interface has been
// stable since GCC 4.9 and OpenMP 4.0.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_OPENMP_H
#define AUTOSAGE_LIB_RUNTIME_OPENMP_H

namespace autosage::runtime {

struct OpenMP {
  /// Calls `region(data)` in up to `threads` threads, the calling one included,
  /// and returns when all have returned.
  void (*parallel)(void (*region)(void *), void *data, unsigned threads,
                   unsigned flags);
  int (*maxThreads)();
  int (*inParallel)();
};

/// Found by the first call and kept for the life of the process. Null where
/// there is none to be had (one warning), or none that is safe: libgomp from
/// before a fork.
const OpenMP *openMP();

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_OPENMP_H
