//===- eigen.cpp - SpMM and SDDMM with Eigen ------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SpMM is Eigen's own product of a row-major sparse and a row-major dense
// matrix, which it runs in OpenMP threads. Eigen has no SDDMM: measured is the
// expression that comes nearest, a dot product of two rows an edge, in a loop
// that this file runs in threads.
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include <Eigen/SparseCore>

namespace {
using Dense =
    Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Sparse = Eigen::SparseMatrix<float, Eigen::RowMajor, int32_t>;
} // namespace

extern "C" void eigen_spmm(const Problem *p) {
  Eigen::setNbThreads(int(p->threads));
  Eigen::Map<const Sparse> a(p->rows, p->cols, p->nnz, p->rowptr, p->colind,
                             p->values);
  Eigen::Map<const Dense> x(p->x, p->cols, p->features);
  Eigen::Map<Dense> y(p->out, p->rows, p->features);
  y.noalias() = a * x;
}

extern "C" void eigen_sddmm(const Problem *p) {
  Eigen::Map<const Dense> q(p->x, p->rows, p->features);
  Eigen::Map<const Dense> k(p->k, p->cols, p->features);
#pragma omp parallel for schedule(dynamic, 64) num_threads(int(p->threads))
  for (int64_t row = 0; row < p->rows; ++row)
    for (int32_t e = p->rowptr[row]; e < p->rowptr[row + 1]; ++e)
      p->out[e] = q.row(row).dot(k.row(p->colind[e]));
}

extern "C" const char *eigen_version() {
#define AUTOSAGE_TEXT(x) #x
#define AUTOSAGE_VERSION(a, b, c)                                              \
  AUTOSAGE_TEXT(a) "." AUTOSAGE_TEXT(b) "." AUTOSAGE_TEXT(c)
  return AUTOSAGE_VERSION(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                          EIGEN_MINOR_VERSION);
}
