//===- FakeCusparse.cpp - a stand-in of cuSPARSE --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libcusparse.so.12 for tests without a GPU: prints its calls and computes on
// memory of the process, one product after the other. As strict as the library
// about what a test should see: a computation takes the buffer that was asked
// for, and the one of the preprocessing is not to be touched.
//
// FAKE_CUSPARSE_VERSION=12600 sets the version, FAKE_CUSPARSE_FAIL=NAME:STATUS
// lets the function fail.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Half.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace autosage;

#define FAKE extern "C" __attribute__((visibility("default")))

namespace {
constexpr int success = 0, invalidValue = 3, executionFailed = 6,
              notSupported = 10;
constexpr size_t bufferBytes = 192;

struct Sparse {
  int64_t rows, cols, nnz;
  void *rowptr, *colind, *values;
  int rowptrType, colindType, type;
  void *active; // buffer of the preprocessing
};
struct Dense {
  int64_t rows, cols, stride;
  void *values;
  int type, order;
};
struct Context {
  void *stream;
};

/// Prints the call; the status that the test wants it to end with.
int enter(const char *name, const std::string &details = "") {
  std::printf("%s%s%s\n", name, details.empty() ? "" : " ", details.c_str());
  const char *fail = std::getenv("FAKE_CUSPARSE_FAIL");
  if (!fail)
    return success;
  const char *colon = std::strchr(fail, ':');
  std::string wanted(fail, colon);
  return wanted == name ? std::atoi(colon + 1) : success;
}

int64_t at(const void *array, int type, int64_t i) {
  return type == 3 ? static_cast<const int64_t *>(array)[i]
                   : static_cast<const int32_t *>(array)[i];
}

double load(const void *array, int type, int64_t i) {
  switch (type) {
  case 0:
    return static_cast<const float *>(array)[i];
  case 1:
    return static_cast<const double *>(array)[i];
  case 2:
    return static_cast<const Float16 *>(array)[i];
  default:
    return static_cast<const BFloat16 *>(array)[i];
  }
}

void store(void *array, int type, int64_t i, double value) {
  switch (type) {
  case 0:
    static_cast<float *>(array)[i] = static_cast<float>(value);
    break;
  case 1:
    static_cast<double *>(array)[i] = value;
    break;
  case 2:
    static_cast<Float16 *>(array)[i] = Float16(value);
    break;
  default:
    static_cast<BFloat16 *>(array)[i] = BFloat16(value);
  }
}

double scalar(const void *value, int computeType) {
  return computeType == 1 ? *static_cast<const double *>(value)
                          : *static_cast<const float *>(value);
}

std::string details(int opA, int opB, int compute, int algorithm,
                    const void *beta) {
  char text[96];
  std::snprintf(text, sizeof text, "op=%d,%d compute=%d alg=%d beta=%g", opA,
                opB, compute, algorithm, scalar(beta, compute));
  return text;
}
} // namespace

FAKE int cusparseGetProperty(int part, int *value) {
  const char *text = std::getenv("FAKE_CUSPARSE_VERSION");
  int version = text ? std::atoi(text) : 12603;
  int parts[] = {version / 1000, version % 1000 / 100, version % 100};
  return *value = parts[part], success;
}
FAKE const char *cusparseGetErrorName(int status) {
  return status == notSupported   ? "CUSPARSE_STATUS_NOT_SUPPORTED"
         : status == invalidValue ? "CUSPARSE_STATUS_INVALID_VALUE"
                                  : "CUSPARSE_STATUS_OTHER";
}
FAKE const char *cusparseGetErrorString(int status) {
  return status == notSupported   ? "operation not supported"
         : status == invalidValue ? "invalid value"
                                  : "other error";
}
FAKE int cusparseCreate(Context **context) {
  if (int status = enter("cusparseCreate"))
    return status;
  return *context = new Context(), success;
}
FAKE int cusparseDestroy(Context *context) {
  delete context;
  return enter("cusparseDestroy");
}
FAKE int cusparseSetStream(Context *context, void *stream) {
  context->stream = stream;
  return enter("cusparseSetStream");
}

FAKE int cusparseCreateCsr(Sparse **sparse, int64_t rows, int64_t cols,
                           int64_t nnz, void *rowptr, void *colind,
                           void *values, int rowptrType, int colindType,
                           int base, int type) {
  if (int status = enter("cusparseCreateCsr"))
    return status;
  if (base != 0 || !rowptr || !colind || !values)
    return invalidValue;
  *sparse = new Sparse{rows,   cols,       nnz,        rowptr, colind,
                       values, rowptrType, colindType, type,   nullptr};
  return success;
}
FAKE int cusparseSpMatSetValues(Sparse *sparse, void *values) {
  sparse->values = values;
  return enter("cusparseSpMatSetValues");
}
FAKE int cusparseDestroySpMat(Sparse *sparse) {
  delete sparse;
  return enter("cusparseDestroySpMat");
}
FAKE int cusparseCreateDnMat(Dense **dense, int64_t rows, int64_t cols,
                             int64_t stride, void *values, int type,
                             int order) {
  if (int status = enter("cusparseCreateDnMat"))
    return status;
  if (order != 2 || stride < cols || !values)
    return invalidValue;
  *dense = new Dense{rows, cols, stride, values, type, order};
  return success;
}
FAKE int cusparseDnMatSetValues(Dense *dense, void *values) {
  dense->values = values;
  return enter("cusparseDnMatSetValues");
}
FAKE int cusparseDestroyDnMat(Dense *dense) {
  delete dense;
  return enter("cusparseDestroyDnMat");
}

//===----------------------------------------------------------------------===//
// SpMM
//===----------------------------------------------------------------------===//

/// CSR_ALG3 reads 16 bytes at once. The library does not look: results are
/// wrong, or the device stops at a misaligned address.
static bool hasVectorRows(const Dense *dense) {
  constexpr int64_t elementBytes[] = {4, 8, 2};
  int64_t element = dense->type < 3 ? elementBytes[dense->type] : 2;
  return dense->cols * element % 16 == 0 && dense->stride * element % 16 == 0 &&
         reinterpret_cast<uintptr_t>(dense->values) % 16 == 0;
}

static int checkSpmm(const char *name, int opA, int opB, const Sparse *a,
                     const Dense *b, const void *beta, const Dense *c,
                     int compute, int algorithm) {
  if (int status = enter(name, details(opA, opB, compute, algorithm, beta)))
    return status;
  int64_t inner = opA ? a->rows : a->cols, outer = opA ? a->cols : a->rows;
  if (opB != 0 || b->rows != inner || c->rows != outer || b->cols != c->cols)
    return invalidValue;
  if (algorithm == 12)
    for (const Dense *dense : {b, c})
      if (!hasVectorRows(dense))
        return executionFailed;
  return algorithm == 12 && opA != 0 ? notSupported : success;
}

FAKE int cusparseSpMM_bufferSize(Context *, int opA, int opB, const void *,
                                 Sparse *a, Dense *b, const void *beta,
                                 Dense *c, int compute, int algorithm,
                                 size_t *size) {
  *size = bufferBytes;
  return checkSpmm("cusparseSpMM_bufferSize", opA, opB, a, b, beta, c, compute,
                   algorithm);
}
FAKE int cusparseSpMM_preprocess(Context *, int opA, int opB, const void *,
                                 Sparse *a, Dense *b, const void *beta,
                                 Dense *c, int compute, int algorithm,
                                 void *buffer) {
  a->active = buffer;
  std::memset(buffer, 0x77, bufferBytes);
  return checkSpmm("cusparseSpMM_preprocess", opA, opB, a, b, beta, c, compute,
                   algorithm);
}
FAKE int cusparseSpMM(Context *, int opA, int opB, const void *alpha, Sparse *a,
                      Dense *b, const void *beta, Dense *c, int compute,
                      int algorithm, void *buffer) {
  if (int status = checkSpmm("cusparseSpMM", opA, opB, a, b, beta, c, compute,
                             algorithm))
    return status;
  if (!buffer || (a->active && (a->active != buffer ||
                                static_cast<char *>(buffer)[9] != 0x77)))
    return invalidValue;
  double scale = scalar(alpha, compute), keep = scalar(beta, compute);
  for (int64_t row = 0; row < c->rows; ++row)
    for (int64_t column = 0; column < c->cols; ++column) {
      double sum = 0;
      auto add = [&](int64_t e, int64_t other) {
        sum += load(a->values, a->type, e) *
               load(b->values, b->type, other * b->stride + column);
      };
      for (int64_t i = 0; i < a->rows; ++i)
        for (int64_t e = at(a->rowptr, a->rowptrType, i);
             e < at(a->rowptr, a->rowptrType, i + 1); ++e) {
          int64_t j = at(a->colind, a->colindType, e);
          if (!opA && i == row)
            add(e, j);
          else if (opA && j == row)
            add(e, i);
        }
      int64_t place = row * c->stride + column;
      double old = keep == 0 ? 0 : keep * load(c->values, c->type, place);
      store(c->values, c->type, place, scale * sum + old);
    }
  return success;
}

//===----------------------------------------------------------------------===//
// SDDMM
//===----------------------------------------------------------------------===//

static int checkSddmm(const char *name, int opA, int opB, const Dense *a,
                      const Dense *b, const void *beta, const Sparse *c,
                      int compute, int algorithm) {
  if (int status = enter(name, details(opA, opB, compute, algorithm, beta)))
    return status;
  if (opA != 0 || opB != 1 || a->rows != c->rows || b->rows != c->cols ||
      a->cols != b->cols)
    return invalidValue;
  return success;
}

FAKE int cusparseSDDMM_bufferSize(Context *, int opA, int opB, const void *,
                                  Dense *a, Dense *b, const void *beta,
                                  Sparse *c, int compute, int algorithm,
                                  size_t *size) {
  *size = 0;
  return checkSddmm("cusparseSDDMM_bufferSize", opA, opB, a, b, beta, c,
                    compute, algorithm);
}
FAKE int cusparseSDDMM_preprocess(Context *, int opA, int opB, const void *,
                                  Dense *a, Dense *b, const void *beta,
                                  Sparse *c, int compute, int algorithm,
                                  void *) {
  return checkSddmm("cusparseSDDMM_preprocess", opA, opB, a, b, beta, c,
                    compute, algorithm);
}
FAKE int cusparseSDDMM(Context *, int opA, int opB, const void *alpha, Dense *a,
                       Dense *b, const void *beta, Sparse *c, int compute,
                       int algorithm, void *) {
  if (int status = checkSddmm("cusparseSDDMM", opA, opB, a, b, beta, c, compute,
                              algorithm))
    return status;
  for (int64_t i = 0; i < c->rows; ++i)
    for (int64_t e = at(c->rowptr, c->rowptrType, i);
         e < at(c->rowptr, c->rowptrType, i + 1); ++e) {
      int64_t j = at(c->colind, c->colindType, e);
      double sum = 0;
      for (int64_t f = 0; f < a->cols; ++f)
        sum += load(a->values, a->type, i * a->stride + f) *
               load(b->values, b->type, j * b->stride + f);
      store(c->values, c->type, e, scalar(alpha, compute) * sum);
    }
  return success;
}
