//===- Generate.cpp - graphs of the experiments ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <numeric>
#include <thread>

using namespace autosage;
using namespace autosage::bench;

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

namespace {
/// SplitMix64 (Steele, Lea, Flood 2014): a stream for each (seed, place).
class Random {
public:
  Random(uint64_t seed, uint64_t place) : state(seed) {
    state = next() ^ (place * 0xd1342543de82ef95ull);
    next();
  }

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double real() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// In [0, bound).
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(
        (static_cast<unsigned __int128>(next()) * bound) >> 64);
  }
  template <typename T> void shuffle(std::vector<T> &values) {
    for (int64_t i = static_cast<int64_t>(values.size()) - 1; i > 0; --i)
      std::swap(values[i], values[below(i + 1)]);
  }

private:
  uint64_t state;
};

/// Draws i of [first, first + weights) in proportion to its weight (Walker's
/// aliases, built as Vose does).
class Alias {
public:
  Alias(const std::vector<int64_t> &weights, int64_t first, int64_t count)
      : first(first), keep(count, 1.0), other(count) {
    double total = std::accumulate(weights.begin() + first,
                                   weights.begin() + first + count, 0.0);
    std::vector<int32_t> small, large;
    for (int64_t i = 0; i < count; ++i) {
      other[i] = static_cast<int32_t>(i);
      keep[i] = static_cast<double>(weights[first + i]) * count / total;
      (keep[i] < 1 ? small : large).push_back(static_cast<int32_t>(i));
    }
    while (!small.empty() && !large.empty()) {
      int32_t less = small.back(), more = large.back();
      small.pop_back();
      other[less] = more;
      keep[more] -= 1 - keep[less];
      if (keep[more] < 1) {
        large.pop_back();
        small.push_back(more);
      }
    }
    for (int32_t i : small)
      keep[i] = 1;
    for (int32_t i : large)
      keep[i] = 1;
  }

  int64_t draw(Random &random) const {
    int64_t i = random.below(static_cast<int64_t>(keep.size()));
    return first + (random.real() < keep[i] ? i : other[i]);
  }

private:
  int64_t first;
  std::vector<double> keep;
  std::vector<int32_t> other;
};
} // namespace

//===----------------------------------------------------------------------===//
// Rows of given degrees
//===----------------------------------------------------------------------===//

/// How hard a row is to fill: draws that hit a column which is there already.
enum class Luck { good, bad, worse };

using DrawColumn = std::function<int64_t(Random &, int64_t row, Luck)>;

/// Gives row i exactly degrees[i] distinct columns of `draw`, sorted.
static Csr fillRows(const std::vector<int64_t> &degrees, int64_t cols,
                    uint64_t seed, const DrawColumn &draw) {
  auto rows = static_cast<int64_t>(degrees.size());
  std::vector<int32_t> rowptr(rows + 1, 0);
  for (int64_t i = 0; i < rows; ++i)
    rowptr[i + 1] = rowptr[i] + static_cast<int32_t>(degrees[i]);
  std::vector<int32_t> colind(rowptr[rows]);
  constexpr int64_t rowsAtOnce = 256;
  std::atomic<int64_t> nextRow{0};
  auto work = [&] {
    std::vector<int64_t> lastRow(cols, -1);
    for (;;) {
      int64_t begin = nextRow.fetch_add(rowsAtOnce);
      if (begin >= rows)
        return;
      for (int64_t i = begin; i < std::min(rows, begin + rowsAtOnce); ++i) {
        Random random(seed, i);
        int64_t misses = 0;
        for (int32_t e = rowptr[i]; e < rowptr[i + 1];) {
          Luck luck = misses > 8 * degrees[i] ? Luck::worse
                      : misses > degrees[i]   ? Luck::bad
                                              : Luck::good;
          int64_t column = draw(random, i, luck);
          if (lastRow[column] == i) {
            ++misses;
            continue;
          }
          lastRow[column] = i;
          colind[e++] = static_cast<int32_t>(column);
        }
        std::sort(colind.begin() + rowptr[i], colind.begin() + rowptr[i + 1]);
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  return {rows, cols, std::move(rowptr), std::move(colind)};
}

/// Sorted keys row * cols + column, without repeats.
static Csr fromKeys(std::vector<int64_t> keys, int64_t rows, int64_t cols) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<int32_t> rowptr(rows + 1, 0), colind;
  colind.reserve(keys.size());
  for (int64_t key : keys) {
    ++rowptr[key / cols + 1];
    colind.push_back(static_cast<int32_t>(key % cols));
  }
  std::partial_sum(rowptr.begin(), rowptr.end(), rowptr.begin());
  return {rows, cols, std::move(rowptr), std::move(colind)};
}

Csr bench::erdosRenyi(int64_t n, double p, uint64_t seed) {
  // From one entry to the next is a geometric step through all n * n places.
  std::vector<int64_t> keys;
  Random random(seed, 1);
  double places = static_cast<double>(n) * static_cast<double>(n);
  for (double at = -1;;) {
    at += 1 + std::floor(std::log1p(-random.real()) / std::log1p(-p));
    if (at >= places)
      break;
    keys.push_back(static_cast<int64_t>(at));
  }
  return fromKeys(std::move(keys), n, n);
}

Csr bench::hubSkew(int64_t n, int64_t hubs, double fraction, uint64_t seed) {
  std::vector<int64_t> keys;
  auto degree = std::max<int64_t>(
      1, static_cast<int64_t>(static_cast<double>(n) * fraction));
  for (int64_t hub = 0; hub < hubs; ++hub) {
    Random random(seed, 2 + hub);
    std::vector<int64_t> columns(n);
    std::iota(columns.begin(), columns.end(), 0);
    for (int64_t i = 0; i < degree; ++i) {
      std::swap(columns[i], columns[i + random.below(n - i)]);
      keys.push_back(hub * n + columns[i]);
    }
  }
  Random random(seed, 1);
  for (int64_t i = 0; i < n / 2; ++i)
    keys.push_back(random.below(n) * n + random.below(n));
  return fromKeys(std::move(keys), n, n);
}

Csr bench::hubRows(int64_t n, int64_t degree, int64_t hubs, int64_t hubDegree,
                   uint64_t seed) {
  std::vector<int64_t> degrees(n, degree);
  std::fill(degrees.begin(), degrees.begin() + hubs, hubDegree);
  Random(seed, ~0ull).shuffle(degrees);
  return fillRows(degrees, n, seed, [&](Random &random, int64_t, Luck) {
    return random.below(n);
  });
}

//===----------------------------------------------------------------------===//
// Communities
//===----------------------------------------------------------------------===//

/// The quantiles of P(D - 1 > x) = (1 + x / s)^-a, cut at the maximum, in
/// ascending order: the largest is the maximum, and the sum is `entries`.
static std::vector<int64_t> heavyTail(const Communities &shape) {
  int64_t n = shape.nodes;
  double mean = static_cast<double>(shape.entries) / static_cast<double>(n);
  auto most = static_cast<double>(shape.maxDegree);
  // The mean fixes s for each a; a is where the last quantile is the maximum.
  double low = 1.05, high = 400, a = low;
  for (int step = 0; step < 200; ++step) {
    a = (low + high) / 2;
    double last = (mean - 1) * (a - 1) * (std::pow(2.0 * n, 1 / a) - 1) + 1;
    (last > most ? low : high) = a;
  }
  std::vector<double> law(n);
  for (int64_t i = 0; i < n; ++i)
    law[i] = std::pow(1 - (i + 0.5) / n, -1 / a) - 1;
  double s = (mean - 1) * (a - 1);
  for (int step = 0; step < 30; ++step) { // for the cut
    double sum = 0;
    for (double x : law)
      sum += std::min(x * s, most - 1);
    s *= (mean - 1) * n / std::max(1e-9, sum);
  }
  std::vector<int64_t> degrees(n);
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += degrees[i] = static_cast<int64_t>(std::min(law[i] * s + 1, most));
  sum += shape.maxDegree - degrees[n - 1];
  degrees[n - 1] = shape.maxDegree;
  // What rounding down lost goes one by one to rows that have room.
  for (int64_t i = n - 2, rest = shape.entries - sum; rest != 0;
       i = i == 0 ? n - 2 : i - 1) {
    int64_t step = rest > 0 ? 1 : -1;
    if (degrees[i] + step < 1 || degrees[i] + step > shape.maxDegree)
      continue;
    degrees[i] += step;
    rest -= step;
  }
  return degrees;
}

Csr bench::communityGraph(const Communities &shape, uint64_t seed) {
  int64_t n = shape.nodes;
  // Places are ordered by community, nodes at random.
  std::vector<int64_t> degreeAt = heavyTail(shape);
  Random(seed, ~1ull).shuffle(degreeAt);
  std::vector<int32_t> nodeAt(n), placeOf(n);
  std::iota(nodeAt.begin(), nodeAt.end(), 0);
  Random(seed, ~2ull).shuffle(nodeAt);
  for (int64_t place = 0; place < n; ++place)
    placeOf[nodeAt[place]] = static_cast<int32_t>(place);

  // Their sizes are as 1 to 3.
  Random random(seed, ~3ull);
  std::vector<double> ends(shape.communities);
  double total = 0;
  for (double &end : ends)
    end = total += 1 + 2 * random.real();
  std::vector<int32_t> communityAt(n);
  std::vector<Alias> within;
  int64_t begin = 0;
  for (double share : ends) {
    auto end = static_cast<int64_t>(std::llround(share / total * n));
    if (end == begin)
      continue;
    std::fill(communityAt.begin() + begin, communityAt.begin() + end,
              static_cast<int32_t>(within.size()));
    within.emplace_back(degreeAt, begin, end - begin);
    begin = end;
  }
  Alias everywhere(degreeAt, 0, n);

  std::vector<int64_t> degrees(n);
  for (int64_t place = 0; place < n; ++place)
    degrees[nodeAt[place]] = degreeAt[place];
  return fillRows(degrees, n, seed,
                  [&](Random &r, int64_t row, Luck luck) -> int64_t {
                    if (luck == Luck::worse)
                      return r.below(n);
                    bool near = luck == Luck::good && r.real() < shape.within;
                    const Alias &from =
                        near ? within[communityAt[placeOf[row]]] : everywhere;
                    return nodeAt[from.draw(r)];
                  });
}
