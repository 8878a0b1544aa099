//===- StatsSums.h - what statistics are made of ----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and counts over rows and entries, in integers, which the host and the
// device add up in whatever order suits them; `summarize` (Stats.h) makes the
// figures of docs/statistics.md of them. Freestanding: kernels include it.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_STATSSUMS_H
#define AUTOSAGE_CORE_STATSSUMS_H

namespace autosage {

//===----------------------------------------------------------------------===//
// Bins of degrees
//===----------------------------------------------------------------------===//

/// Degrees below this have a bin of their own.
constexpr unsigned long long exactDegrees = 2048;
/// From there on each doubling has 2^7 bins of equal width.
constexpr unsigned degreeBinBits = 7, exactDegreeBits = 11;
constexpr unsigned degreeBins =
    2048 + ((63 - exactDegreeBits) << degreeBinBits);

constexpr unsigned degreeBin(unsigned long long degree) {
  if (degree < exactDegrees)
    return static_cast<unsigned>(degree);
  unsigned bits = 63 - static_cast<unsigned>(__builtin_clzll(degree));
  unsigned place = static_cast<unsigned>(degree >> (bits - degreeBinBits)) &
                   ((1u << degreeBinBits) - 1);
  return 2048 + ((bits - exactDegreeBits) << degreeBinBits) + place;
}

/// The smallest degree of a bin.
constexpr unsigned long long leastDegree(unsigned bin) {
  if (bin < exactDegrees)
    return bin;
  unsigned bits = ((bin - 2048) >> degreeBinBits) + exactDegreeBits;
  unsigned long long place = (bin - 2048) & ((1u << degreeBinBits) - 1);
  return ((1ull << degreeBinBits) | place) << (bits - degreeBinBits);
}

//===----------------------------------------------------------------------===//
// Windows of rows
//===----------------------------------------------------------------------===//

constexpr long long windowRows = 1024;
constexpr long long maxWindows = 32;

constexpr long long windowsOf(long long rows) {
  return rows <= maxWindows * windowRows ? (rows + windowRows - 1) / windowRows
                                         : maxWindows;
}

/// Evenly spaced where they do not cover all rows: the first begins at row 0,
/// the last ends with the last row.
constexpr long long windowBegin(long long window, long long rows) {
  if (rows <= maxWindows * windowRows)
    return window * windowRows;
  // window * (rows - windowRows) / (maxWindows - 1), which may not fit.
  long long span = rows - windowRows, parts = maxWindows - 1;
  return window * (span / parts) + window * (span % parts) / parts;
}
constexpr long long windowEnd(long long window, long long rows) {
  long long end = windowBegin(window, rows) + windowRows;
  return end < rows ? end : rows;
}

//===----------------------------------------------------------------------===//
// Hubs
//===----------------------------------------------------------------------===//

constexpr long long hubFactor = 8;

/// The longest row that is no hub: degree * rows > 8 nnz for all longer ones.
constexpr long long longestOrdinary(long long rows, long long nnz) {
  // 8 nnz / rows, without the product.
  return rows == 0 ? 0 : nnz / rows * hubFactor + nnz % rows * hubFactor / rows;
}

struct StatsSums {
  /// Of the squares of all degrees: 32 bits of each in each sum.
  unsigned long long squares[4];
  unsigned long long longest, emptyRows, hubEntries;
  unsigned long long windowEntries, windowColumns;
  unsigned long long fingerprintHigh, fingerprintLow;
  unsigned long long rowsOfDegree[degreeBins];
};

//===----------------------------------------------------------------------===//
// The words of a fingerprint (docs/fingerprint.md)
//===----------------------------------------------------------------------===//

namespace fingerprint_words {

/// 2^64 / golden ratio, odd: its multiples are spread evenly over the words.
constexpr unsigned long long golden = 0x9e3779b97f4a7c15;

/// What a word is about; equal numbers in different roles mix differently.
enum Domain : unsigned { sizes = 1, rowptrs = 2, colinds = 3 };

/// Finaliser of MurmurHash3 x64 (Appleby).
constexpr unsigned long long mixHigh(unsigned long long x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53;
  return x ^ (x >> 33);
}

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014; variant 13 of Stafford).
constexpr unsigned long long mixLow(unsigned long long x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr unsigned long long high(Domain domain, unsigned long long position,
                                  unsigned long long value) {
  return mixHigh(mixHigh(position + domain * golden) + value);
}
constexpr unsigned long long low(Domain domain, unsigned long long position,
                                 unsigned long long value) {
  return mixLow(mixLow(position + (domain + 3) * golden) + value);
}

} // namespace fingerprint_words
} // namespace autosage

#endif // AUTOSAGE_CORE_STATSSUMS_H
