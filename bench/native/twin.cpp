//===- twin.cpp - SpMM and SDDMM as a C++ programmer would write them -----===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The twin of the generated kernels: plain C++ with OpenMP, tuned as far as
// loops go. Widths are template arguments, so that the accumulators of a tile
// stay in registers; threads take parts of equal numbers of entries and rows,
// so that hub rows do not leave them waiting; small problems wake no thread.
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include <algorithm>

namespace {

/// Features held in registers at once. A wider tile (128, 256) was slower: GCC
/// keeps its accumulators in memory.
constexpr int64_t tileWidth = 64;
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

/// Features [first, first + Width) of one row, in a local accumulator.
template <int64_t Width>
void spmmTile(const Problem &p, int64_t row, int64_t first) {
  float sum[Width] = {};
  for (int32_t e = p.rowptr[row]; e < p.rowptr[row + 1]; ++e) {
    const float *x = p.x + int64_t(p.colind[e]) * p.features + first;
    float value = p.values[e];
    for (int64_t f = 0; f < Width; ++f)
      sum[f] += value * x[f];
  }
  std::copy(sum, sum + Width, p.out + row * p.features + first);
}

void spmmRow(const Problem &p, int64_t row) {
  int64_t first = 0;
  for (; first + tileWidth <= p.features; first += tileWidth)
    spmmTile<tileWidth>(p, row, first);
  for (; first + 16 <= p.features; first += 16)
    spmmTile<16>(p, row, first);
  for (; first < p.features; ++first)
    spmmTile<1>(p, row, first);
}

/// Width 0 is one that only the run knows.
template <int64_t Width> float dot(const float *a, const float *b, int64_t n) {
  int64_t width = Width ? Width : n;
  float sum = 0;
  // Lets the compiler add in vectors, which -O3 alone does not allow.
#pragma omp simd reduction(+ : sum)
  for (int64_t f = 0; f < width; ++f)
    sum += a[f] * b[f];
  return sum;
}

template <int64_t Width>
void sddmmRows(const Problem &p, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row)
    for (int32_t e = p.rowptr[row]; e < p.rowptr[row + 1]; ++e)
      p.out[e] =
          dot<Width>(p.x + row * p.features,
                     p.k + int64_t(p.colind[e]) * p.features, p.features);
}

} // namespace

extern "C" void twin_spmm(const Problem *p) {
  // 32 is a tile of its own: two tiles of 16 would walk the entries twice.
  if (p->features == 32)
    return parallel(*p, [p](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        spmmTile<32>(*p, row, 0);
    });
  parallel(*p, [p](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      spmmRow(*p, row);
  });
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
