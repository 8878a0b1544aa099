//===- twin.cpp - SpMM and SDDMM as a C++ programmer would write them -----===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The twin of the generated kernels: C++ with OpenMP, tuned as far as loops go.
// Widths are template arguments and accumulators are vectors of the compiler's
// extension, which GCC keeps in registers. Threads take parts of equal numbers
// of entries and rows, so that hub rows do not leave them waiting; small
// problems wake no thread. Beside it, `loops_...` are the same without vectors,
// a local accumulator and plain loops: of a `float sum[64]` GCC 12 keeps the
// elements in memory, which makes SpMM up to three times slower.
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include <algorithm>

namespace {

#if defined(__AVX512F__)
constexpr int lanes = 16;
#elif defined(__AVX__)
constexpr int lanes = 8;
#else
constexpr int lanes = 4;
#endif
/// As wide as the machine's registers, of any alignment.
typedef float Vector
    __attribute__((vector_size(4 * lanes), aligned(4), may_alias));

const Vector *vectors(const float *x) {
  return reinterpret_cast<const Vector *>(x);
}

/// Multiplications that repay a part; the generated kernels count alike.
constexpr int64_t workPerPart = 65536;
/// Parts a thread, for those that get the slow ones.
constexpr int64_t partsPerThread = 16;

/// The first row of part `part`: entries and rows are shared out equally.
int64_t firstRow(const Problem &p, int64_t part, int64_t parts) {
  int64_t wanted =
      (p.nnz + p.rows) / parts * part + (p.nnz + p.rows) % parts * part / parts;
  int64_t low = 0, high = p.rows;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (p.rowptr[middle] + middle < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Calls `rows(begin, end)` for ranges that cover all rows.
template <typename Rows> void parallel(const Problem &p, Rows rows) {
  int64_t work = (p.nnz + p.rows) * p.features;
  int64_t parts = std::min(p.threads * partsPerThread, work / workPerPart);
  if (parts < 2 || p.threads < 2) {
    rows(int64_t(0), p.rows);
    return;
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads(int(p.threads))
  for (int64_t part = 0; part < parts; ++part)
    rows(firstRow(p, part, parts),
         part + 1 == parts ? p.rows : firstRow(p, part + 1, parts));
}

//===----------------------------------------------------------------------===//
// SpMM
//===----------------------------------------------------------------------===//

/// Features [first, first + Width) of one row.
template <int Width>
void spmmTile(const Problem &p, int64_t row, int64_t first) {
  constexpr int count = Width / lanes;
  Vector sum[count] = {};
  for (int32_t e = p.rowptr[row]; e < p.rowptr[row + 1]; ++e) {
    const Vector *x = vectors(p.x + int64_t(p.colind[e]) * p.features + first);
    float value = p.values[e];
#pragma GCC unroll 16
    for (int i = 0; i < count; ++i)
      sum[i] += value * x[i];
  }
  Vector *out = reinterpret_cast<Vector *>(p.out + row * p.features + first);
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i)
    out[i] = sum[i];
}

void spmmFeature(const Problem &p, int64_t row, int64_t f) {
  float sum = 0;
  for (int32_t e = p.rowptr[row]; e < p.rowptr[row + 1]; ++e)
    sum += p.values[e] * p.x[int64_t(p.colind[e]) * p.features + f];
  p.out[row * p.features + f] = sum;
}

void spmmRows(const Problem &p, int64_t begin, int64_t end) {
  // Wider tiles won nothing on widths up to 256.
  for (int64_t row = begin; row < end; ++row) {
    int64_t f = 0;
    for (; f + 64 <= p.features; f += 64)
      spmmTile<64>(p, row, f);
    for (; f + 32 <= p.features; f += 32)
      spmmTile<32>(p, row, f);
    for (; f + lanes <= p.features; f += lanes)
      spmmTile<lanes>(p, row, f);
    for (; f < p.features; ++f)
      spmmFeature(p, row, f);
  }
}

//===----------------------------------------------------------------------===//
// SDDMM
//===----------------------------------------------------------------------===//

/// The sum of the lanes, by halves.
float total(Vector v) {
#if defined(__AVX512F__)
  v += __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3,
                               4, 5, 6, 7);
  v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1,
                               2, 3);
  v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
                               0, 1);
#elif defined(__AVX__)
  v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
  v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 2, 3, 0, 1);
#else
  v += __builtin_shufflevector(v, v, 2, 3, 0, 1);
#endif
  return v[0] + v[1];
}

/// Width 0 is one that only the run knows.
template <int Width>
float dot(const float *a, const float *b, int64_t features) {
  int64_t width = Width ? Width : features, f = 0;
  // Two sums, for additions that do not wait for each other.
  Vector even = {}, odd = {};
#pragma GCC unroll 8
  for (; f + 2 * lanes <= width; f += 2 * lanes) {
    even += *vectors(a + f) * *vectors(b + f);
    odd += *vectors(a + f + lanes) * *vectors(b + f + lanes);
  }
  float sum = total(even + odd);
  for (; f < width; ++f)
    sum += a[f] * b[f];
  return sum;
}

template <int Width>
void sddmmRows(const Problem &p, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row)
    for (int32_t e = p.rowptr[row]; e < p.rowptr[row + 1]; ++e)
      p.out[e] =
          dot<Width>(p.x + row * p.features,
                     p.k + int64_t(p.colind[e]) * p.features, p.features);
}

//===----------------------------------------------------------------------===//
// Plain loops
//===----------------------------------------------------------------------===//

template <int Width>
void loopsTile(const Problem &p, int64_t row, int64_t first) {
  float sum[Width] = {};
  for (int32_t e = p.rowptr[row]; e < p.rowptr[row + 1]; ++e) {
    const float *x = p.x + int64_t(p.colind[e]) * p.features + first;
    float value = p.values[e];
    for (int f = 0; f < Width; ++f)
      sum[f] += value * x[f];
  }
  std::copy(sum, sum + Width, p.out + row * p.features + first);
}

void loopsSpmmRows(const Problem &p, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    int64_t f = 0;
    for (; f + 64 <= p.features; f += 64)
      loopsTile<64>(p, row, f);
    for (; f + 32 <= p.features; f += 32)
      loopsTile<32>(p, row, f);
    for (; f < p.features; ++f)
      spmmFeature(p, row, f);
  }
}

void loopsSddmmRows(const Problem &p, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const float *q = p.x + row * p.features;
    for (int32_t e = p.rowptr[row]; e < p.rowptr[row + 1]; ++e) {
      const float *k = p.k + int64_t(p.colind[e]) * p.features;
      float sum = 0;
      // Allows additions in another order, which -O3 alone does not.
#pragma omp simd reduction(+ : sum)
      for (int64_t f = 0; f < p.features; ++f)
        sum += q[f] * k[f];
      p.out[e] = sum;
    }
  }
}

} // namespace

extern "C" void loops_spmm(const Problem *p) {
  parallel(*p,
           [p](int64_t begin, int64_t end) { loopsSpmmRows(*p, begin, end); });
}

extern "C" void loops_sddmm(const Problem *p) {
  parallel(*p,
           [p](int64_t begin, int64_t end) { loopsSddmmRows(*p, begin, end); });
}

extern "C" void twin_spmm(const Problem *p) {
  parallel(*p, [p](int64_t begin, int64_t end) { spmmRows(*p, begin, end); });
}

extern "C" void twin_sddmm(const Problem *p) {
  auto rows = sddmmRows<0>;
  if (p->features == 32)
    rows = sddmmRows<32>;
  else if (p->features == 64)
    rows = sddmmRows<64>;
  else if (p->features == 128)
    rows = sddmmRows<128>;
  else if (p->features == 256)
    rows = sddmmRows<256>;
  parallel(*p, [p, rows](int64_t begin, int64_t end) { rows(*p, begin, end); });
}
