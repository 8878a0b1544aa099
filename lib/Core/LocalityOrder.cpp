//===- LocalityOrder.cpp - rows that share columns next to each other -----===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Tasks.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace autosage {
namespace {

/// Neighbours of a row that are asked for their labels, evenly spaced: more
/// cost time and change little.
constexpr int64_t sampledNeighbours = 64;
constexpr int rounds = 6;
/// Rows of a community: its part of a dense operand should fit a cache, and a
/// label that swallows the graph orders nothing.
constexpr uint32_t maxCommunity = 1 << 14;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Calls `fn(column)` for a sample of the row's columns.
template <typename P, typename C, typename Fn>
void forSample(const P *rowptr, const C *colind, int64_t row, Fn &&fn) {
  int64_t begin = rowptr[row], degree = rowptr[row + 1] - begin;
  int64_t step = std::max<int64_t>(1, degree / sampledNeighbours);
  int64_t count = std::min(degree, sampledNeighbours);
  for (int64_t s = 0; s < count; ++s)
    fn(static_cast<int64_t>(colind[begin + s * step]));
}

/// The most frequent label of the neighbours that still takes rows; ties go to
/// the smallest hash, so that no label wins by its number. A row without such a
/// neighbour keeps its label.
class Ballot {
public:
  uint32_t winner(uint32_t own, const std::vector<uint32_t> &sizes) {
    std::sort(votes.begin(), votes.end());
    uint32_t best = own;
    size_t bestCount = 0;
    for (size_t i = 0; i < votes.size();) {
      size_t end = i;
      while (end < votes.size() && votes[end] == votes[i])
        ++end;
      bool open = votes[i] == own || sizes[votes[i]] < maxCommunity;
      if (open && (end - i > bestCount ||
                   (end - i == bestCount && mix(votes[i]) < mix(best)))) {
        best = votes[i];
        bestCount = end - i;
      }
      i = end;
    }
    votes.clear();
    return best;
  }
  void add(uint32_t label) { votes.push_back(label); }

private:
  std::vector<uint32_t> votes;
};

template <typename P, typename C>
std::vector<uint64_t> communities(const CsrView &csr, const P *rowptr,
                                  const C *colind) {
  size_t rows = static_cast<size_t>(csr.rows);
  std::vector<uint32_t> labels(rows), next(rows), sizes(rows, 1);
  std::iota(labels.begin(), labels.end(), 0u);
  Ballot ballot;
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < rows; ++i) {
      forSample(rowptr, colind, static_cast<int64_t>(i), [&](int64_t column) {
        ballot.add(labels[static_cast<size_t>(column)]);
      });
      // All at once, two halves of a bipartite graph would swap labels for
      // ever: each round only every second row moves.
      bool moves = (mix(i) + static_cast<uint64_t>(round)) & 1;
      uint32_t label = ballot.winner(labels[i], sizes);
      next[i] = moves ? label : labels[i];
    }
    labels.swap(next);
    std::fill(sizes.begin(), sizes.end(), 0u);
    for (uint32_t label : labels)
      ++sizes[label];
  }
  return {labels.begin(), labels.end()};
}

/// Rows whose sets of columns overlap have the same smallest hash with the
/// probability of their Jaccard similarity.
template <typename P, typename C>
std::vector<uint64_t> minHashes(const CsrView &csr, const P *rowptr,
                                const C *colind) {
  std::vector<uint64_t> keys(static_cast<size_t>(csr.rows));
  for (int64_t i = 0; i < csr.rows; ++i) {
    uint64_t smallest = std::numeric_limits<uint64_t>::max();
    for (P e = rowptr[i]; e < rowptr[i + 1]; ++e)
      smallest = std::min(smallest, mix(static_cast<uint64_t>(colind[e])));
    keys[static_cast<size_t>(i)] = smallest;
  }
  return keys;
}

} // namespace

std::vector<int64_t> localityOrder(const CsrView &csr) {
  // Labels are row numbers in 32 bits; a pattern with more rows is ordered by
  // hashes.
  bool square =
      csr.rows == csr.cols && csr.rows <= std::numeric_limits<uint32_t>::max();
  std::vector<uint64_t> keys =
      dispatch(csr, [&](const auto *rowptr, const auto *colind) {
        return square ? communities(csr, rowptr, colind)
                      : minHashes(csr, rowptr, colind);
      });
  std::vector<int64_t> order(keys.size());
  std::iota(order.begin(), order.end(), int64_t(0));
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    uint64_t left = keys[static_cast<size_t>(a)];
    uint64_t right = keys[static_cast<size_t>(b)];
    return left != right ? left < right : a < b;
  });
  return order;
}

} // namespace autosage
