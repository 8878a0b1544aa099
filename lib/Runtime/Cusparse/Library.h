//===- Library.h - cuSPARSE, loaded when first needed -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of libcusparse that the runtime calls, by dlopen. Types and
// numbers are those of cusparse.h and library_types.h, which NVIDIA keeps
// within a major version of the library.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_CUSPARSE_LIBRARY_H
#define AUTOSAGE_LIB_RUNTIME_CUSPARSE_LIBRARY_H

#include "autosage/Core/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace autosage::runtime::cusparse {

using Code = int; // cusparseStatus_t, 0 for success
using Handle = struct cusparseContext *;
using SparseMatrix = struct cusparseSpMatDescr *;
using DenseMatrix = struct cusparseDnMatDescr *;

inline constexpr int operationNone = 0, operationTranspose = 1;
inline constexpr int indexI32 = 2, indexI64 = 3, baseZero = 0, orderRow = 2;
inline constexpr int typeF32 = 0, typeF64 = 1, typeF16 = 2, typeBF16 = 14;
/// cusparseSpMMAlg_t of algorithm 0 to 3 of Vendor.h.
inline constexpr int spmmAlgorithms[] = {0, 4, 6, 12};
inline constexpr int sddmmAlgorithm = 0;

// What SpMM and SDDMM are called with: handle, opA, opB, alpha, A, B, beta, C,
// type of computation, algorithm.
#define AUTOSAGE_CUSPARSE_SPMM_ARGS                                            \
  Handle, int, int, const void *, SparseMatrix, DenseMatrix, const void *,     \
      DenseMatrix, int, int
#define AUTOSAGE_CUSPARSE_SDDMM_ARGS                                           \
  Handle, int, int, const void *, DenseMatrix, DenseMatrix, const void *,      \
      SparseMatrix, int, int

// Name in this table, name in the library, type.
#define AUTOSAGE_CUSPARSE_FUNCTIONS(X)                                         \
  X(getProperty, "cusparseGetProperty", Code (*)(int, int *))                  \
  X(getErrorName, "cusparseGetErrorName", const char *(*)(Code))               \
  X(getErrorString, "cusparseGetErrorString", const char *(*)(Code))           \
  X(create, "cusparseCreate", Code (*)(Handle *))                              \
  X(destroy, "cusparseDestroy", Code (*)(Handle))                              \
  X(setStream, "cusparseSetStream", Code (*)(Handle, void *))                  \
  X(createCsr, "cusparseCreateCsr",                                            \
    Code (*)(SparseMatrix *, int64_t, int64_t, int64_t, void *, void *,        \
             void *, int, int, int, int))                                      \
  X(setCsrValues, "cusparseSpMatSetValues", Code (*)(SparseMatrix, void *))    \
  X(destroyCsr, "cusparseDestroySpMat", Code (*)(SparseMatrix))                \
  X(createDense, "cusparseCreateDnMat",                                        \
    Code (*)(DenseMatrix *, int64_t, int64_t, int64_t, void *, int, int))      \
  X(setDenseValues, "cusparseDnMatSetValues", Code (*)(DenseMatrix, void *))   \
  X(destroyDense, "cusparseDestroyDnMat", Code (*)(DenseMatrix))               \
  X(spmmBufferSize, "cusparseSpMM_bufferSize",                                 \
    Code (*)(AUTOSAGE_CUSPARSE_SPMM_ARGS, size_t *))                           \
  X(spmmPreprocess, "cusparseSpMM_preprocess",                                 \
    Code (*)(AUTOSAGE_CUSPARSE_SPMM_ARGS, void *))                             \
  X(spmm, "cusparseSpMM", Code (*)(AUTOSAGE_CUSPARSE_SPMM_ARGS, void *))       \
  X(sddmmBufferSize, "cusparseSDDMM_bufferSize",                               \
    Code (*)(AUTOSAGE_CUSPARSE_SDDMM_ARGS, size_t *))                          \
  X(sddmmPreprocess, "cusparseSDDMM_preprocess",                               \
    Code (*)(AUTOSAGE_CUSPARSE_SDDMM_ARGS, void *))                            \
  X(sddmm, "cusparseSDDMM", Code (*)(AUTOSAGE_CUSPARSE_SDDMM_ARGS, void *))

struct Library {
#define AUTOSAGE_CUSPARSE_MEMBER(member, symbol, ...)                          \
  decltype(static_cast<__VA_ARGS__>(nullptr)) member = nullptr;
  AUTOSAGE_CUSPARSE_FUNCTIONS(AUTOSAGE_CUSPARSE_MEMBER)
#undef AUTOSAGE_CUSPARSE_MEMBER
  int version = 0; // 12603 for 12.6.3
  std::string path;

  /// `cusparse: operation not supported (CUSPARSE_STATUS_NOT_SUPPORTED) in
  /// 'what'`.
  std::string describe(Code code, const char *what) const;
};

/// `12.6.3` of 12603.
std::string versionText(int version);

/// The library, loaded at the first call; the same answer ever after. Fails
/// with a sentence where there is none, or one older than 12.1.2.
const Result<Library> &library();

} // namespace autosage::runtime::cusparse

#endif // AUTOSAGE_LIB_RUNTIME_CUSPARSE_LIBRARY_H
