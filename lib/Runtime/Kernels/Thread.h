//===- Thread.h - what a kernel's thread can do -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's kernels are freestanding C++17, compiled twice: for NVPTX,
// where the functions here are builtins of clang, and for the host, where they
// call the emulator, with all its checks (docs/runtime-kernels.md). Memory that
// threads share is read and written by `load` and `store` alone.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNELS_THREAD_H
#define AUTOSAGE_LIB_RUNTIME_KERNELS_THREAD_H

#if !defined(__NVPTX__)
#include "Emulated.h"
#endif

#if defined(__clang__)
#define AUTOSAGE_UNROLL _Pragma("unroll")
/// Inlined, so that the back end sees which memory a pointer points to.
#define AUTOSAGE_DEVICE inline __attribute__((always_inline, convergent))
#else
#define AUTOSAGE_UNROLL
#define AUTOSAGE_DEVICE inline
#endif

namespace autosage::kernels {

using u8 = unsigned char;
using u32 = unsigned int;
using u64 = unsigned long long;
using i32 = int;
using i64 = long long;

/// All kernels have blocks of this many threads.
constexpr u32 blockThreads = 256;
constexpr u32 warpThreads = 32;
constexpr u32 blockWarps = blockThreads / warpThreads;
constexpr u32 allLanes = 0xffffffffu;

#if defined(__NVPTX__)

#define AUTOSAGE_KERNEL extern "C" __attribute__((nvptx_kernel))
/// Only the emulator needs a list.
#define AUTOSAGE_KERNEL_TABLE(name, ...)                                       \
  static_assert(true, "a declaration, for the semicolon")

extern __attribute__((address_space(3), aligned(16))) char sharedMemory[];

AUTOSAGE_DEVICE u32 threadIndex() { return __nvvm_read_ptx_sreg_tid_x(); }
AUTOSAGE_DEVICE u32 blockIndex() { return __nvvm_read_ptx_sreg_ctaid_x(); }
AUTOSAGE_DEVICE u32 gridBlocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }

/// The block's dynamic shared memory, from a byte on.
template <typename T> AUTOSAGE_DEVICE T *shared(u32 byte) {
  return (T *)((char *)sharedMemory + byte);
}

template <typename T> AUTOSAGE_DEVICE T load(const T *p) { return *p; }
template <typename T> AUTOSAGE_DEVICE void store(T *p, T value) { *p = value; }
template <typename T> AUTOSAGE_DEVICE void atomicAdd(T *p, T value) {
  __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
}
AUTOSAGE_DEVICE void atomicMin(u64 *p, u64 value) {
  __atomic_fetch_min(p, value, __ATOMIC_RELAXED);
}
AUTOSAGE_DEVICE void atomicMax(u64 *p, u64 value) {
  __atomic_fetch_max(p, value, __ATOMIC_RELAXED);
}
/// The value before.
AUTOSAGE_DEVICE u32 atomicOr(u32 *p, u32 bits) {
  return __atomic_fetch_or(p, bits, __ATOMIC_RELAXED);
}

AUTOSAGE_DEVICE void barrier() { __syncthreads(); }
AUTOSAGE_DEVICE void syncWarp() { __nvvm_bar_warp_sync(allLanes); }
AUTOSAGE_DEVICE u32 ballot(bool predicate) {
  return __nvvm_vote_ballot_sync(allLanes, predicate);
}
/// The value of lane - delta, of the lane itself where there is none.
AUTOSAGE_DEVICE u32 shuffleUp(u32 value, u32 delta) {
  return (u32)__nvvm_shfl_sync_up_i32(allLanes, (i32)value, (i32)delta, 0);
}
AUTOSAGE_DEVICE u32 shuffleXor(u32 value, u32 mask) {
  return (u32)__nvvm_shfl_sync_bfly_i32(allLanes, (i32)value, (i32)mask, 31);
}

#else

#define AUTOSAGE_KERNEL static
/// `const autosage_simt_kernel name[]` of kernels as AUTOSAGE_ENTRY names them.
#define AUTOSAGE_KERNEL_TABLE(name, ...)                                       \
  extern const autosage_simt_kernel name[];                                    \
  const autosage_simt_kernel name[] = {__VA_ARGS__, {nullptr, nullptr, 0}}
#define AUTOSAGE_ENTRY(kernel) {#kernel, emulated::entry<&kernel>, 0}

#endif

AUTOSAGE_DEVICE u32 lane() { return threadIndex() % warpThreads; }
AUTOSAGE_DEVICE u32 warp() { return threadIndex() / warpThreads; }
AUTOSAGE_DEVICE u32 lanesBelow() { return (1u << lane()) - 1; }
AUTOSAGE_DEVICE u32 bitsOf(u32 mask) { return (u32)__builtin_popcount(mask); }

/// Of a loop over all elements by all threads of the grid.
AUTOSAGE_DEVICE u64 gridThread() {
  return (u64)blockIndex() * blockThreads + threadIndex();
}
AUTOSAGE_DEVICE u64 gridThreads() { return (u64)gridBlocks() * blockThreads; }

AUTOSAGE_DEVICE u64 shuffleUp64(u64 value, u32 delta) {
  u64 low = shuffleUp((u32)value, delta);
  return (u64)shuffleUp((u32)(value >> 32), delta) << 32 | low;
}
AUTOSAGE_DEVICE u64 shuffleXor64(u64 value, u32 mask) {
  u64 low = shuffleXor((u32)value, mask);
  return (u64)shuffleXor((u32)(value >> 32), mask) << 32 | low;
}

template <typename T> AUTOSAGE_DEVICE T least(T a, T b) {
  return a < b ? a : b;
}

/// An array of integers of 4 or 8 bytes. The same branch in all threads costs
/// nothing beside the load; a kernel for each combination of types would cost
/// the driver's compiler time.
struct Ints {
  const void *data;
  u64 bytes;

  AUTOSAGE_DEVICE i64 operator[](u64 i) const {
    return bytes == 4 ? (i64)load((const i32 *)data + i)
                      : load((const i64 *)data + i);
  }
};
/// The same, unsigned.
struct Unsigneds {
  const void *data;
  u64 bytes;

  AUTOSAGE_DEVICE u64 operator[](u64 i) const {
    return bytes == 4 ? (u64)load((const u32 *)data + i)
                      : load((const u64 *)data + i);
  }
};
AUTOSAGE_DEVICE void storeInt(void *data, u64 bytes, u64 i, u64 value) {
  if (bytes == 4)
    store((u32 *)data + i, (u32)value);
  else
    store((u64 *)data + i, value);
}

/// The first index in [first, last) whose element is larger than `value`, or
/// `last`.
template <typename Array>
AUTOSAGE_DEVICE u64 upperBound(const Array &array, u64 first, u64 last,
                               i64 value) {
  while (first < last) {
    u64 middle = first + (last - first) / 2;
    if ((i64)array[middle] > value)
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

/// Exclusive prefix sums of one value a thread; `total` is the sum of all.
/// Needs blockWarps values of shared memory. Begins with a barrier.
AUTOSAGE_DEVICE u64 blockScan(u64 value, u64 *warpSums, u64 &total) {
  u64 sum = value;
  for (u32 delta = 1; delta < warpThreads; delta *= 2) {
    u64 other = shuffleUp64(sum, delta);
    if (lane() >= delta)
      sum += other;
  }
  barrier();
  if (lane() == warpThreads - 1)
    store(warpSums + warp(), sum);
  barrier();
  u64 before = 0;
  total = 0;
  for (u32 w = 0; w < blockWarps; ++w) {
    u64 other = load(warpSums + w);
    before += w < warp() ? other : 0;
    total += other;
  }
  return before + sum - value;
}

} // namespace autosage::kernels

#endif // AUTOSAGE_LIB_RUNTIME_KERNELS_THREAD_H
