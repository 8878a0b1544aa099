//===- HostTranspose.cpp - a pattern transposed once, on the cpu ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTranspose.h"

#include "autosage/Runtime/Runtime.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace autosage;
using namespace autosage::runtime;

bool HostTranspose::fits(const CsrView &pattern) {
  return pattern.colind.type == IndexType::i64 ||
         pattern.rows - 1 <= std::numeric_limits<int32_t>::max();
}

Result<std::unique_ptr<HostTranspose>>
HostTranspose::make(const CsrView &pattern, int64_t valueBytes,
                    bool wantsPermutation) {
  Result<Transposed> transposed = transpose(pattern);
  if (!transposed)
    return Error{transposed.error()};
  std::unique_ptr<HostTranspose> made(
      new HostTranspose(std::move(*transposed), valueBytes));
  made->values.resize(static_cast<size_t>(pattern.nnz() * valueBytes));
  if (valueBytes == 0 && !wantsPermutation)
    made->transposed.edgePermutation = IndexArray();
  return made;
}

int64_t HostTranspose::bytes() const {
  auto bytesOf = [](const IndexArray &array) {
    return array.size() * sizeOf(array.type());
  };
  return bytesOf(transposed.csr.rowptr) + bytesOf(transposed.csr.colind) +
         bytesOf(transposed.edgePermutation) +
         static_cast<int64_t>(values.size());
}

namespace {
/// Moves the values of blocks of edges.
struct Gather {
  const char *from;
  char *to;
  int64_t stride, bytes, edges;
  IndexView order;
  static constexpr int64_t block = 4096; // edges an iteration

  template <typename P, typename T>
  void scalars(const P *positions, int64_t begin, int64_t end) const {
    const T *source = reinterpret_cast<const T *>(from);
    T *target = reinterpret_cast<T *>(to);
    for (int64_t e = begin; e < end; ++e)
      target[e] = source[positions[e]];
  }

  template <typename P>
  void rows(const P *positions, int64_t begin, int64_t end) const {
    bool dense = stride == bytes;
    if (dense && bytes == 2)
      return scalars<P, uint16_t>(positions, begin, end);
    if (dense && bytes == 4)
      return scalars<P, uint32_t>(positions, begin, end);
    if (dense && bytes == 8)
      return scalars<P, uint64_t>(positions, begin, end);
    for (int64_t e = begin; e < end; ++e)
      std::memcpy(to + e * bytes, from + positions[e] * stride,
                  static_cast<size_t>(bytes));
  }

  void blocks(int64_t begin, int64_t end) const {
    int64_t first = begin * block, last = std::min(end * block, edges);
    if (order.type == IndexType::i32)
      rows(static_cast<const int32_t *>(order.data), first, last);
    else
      rows(static_cast<const int64_t *>(order.data), first, last);
  }
};
} // namespace

DenseIn HostTranspose::inOrder(const DenseIn &given) {
  Gather gather{static_cast<const char *>(given.data),
                values.data(),
                given.stride() * (valueBytes / given.rowElements()),
                valueBytes,
                given.rows,
                transposed.edgePermutation.view()};
  autosage_parallel_for((given.rows + Gather::block - 1) / Gather::block,
                        [](void *context, int64_t begin, int64_t end) {
                          static_cast<const Gather *>(context)->blocks(begin,
                                                                       end);
                        },
                        &gather);
  return {values.data(), given.rows, given.heads, given.width, 0};
}
