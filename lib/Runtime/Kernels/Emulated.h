//===- Emulated.h - a kernel's thread on the emulator -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For Thread.h alone: what it is on the host.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNELS_EMULATED_H
#define AUTOSAGE_LIB_RUNTIME_KERNELS_EMULATED_H

#include "autosage/Emulation/Simt.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

namespace autosage::kernels::emulated {

/// A text for a line of a file, always the same: its address tells the emulator
/// which operation it sees. Launches take turns, and so do these look-ups.
inline const char *site(const char *file, unsigned line) {
  struct Place {
    const char *file;
    unsigned line;
    char text[56];
  };
  constexpr size_t size = 2048; // far more than there are operations
  static Place places[size];
  size_t at = (reinterpret_cast<uintptr_t>(file) / 8 + line) % size;
  while (places[at].file &&
         (places[at].file != file || places[at].line != line))
    at = (at + 1) % size;
  Place &place = places[at];
  if (!place.file) {
    place.file = file;
    place.line = line;
    const char *slash = std::strrchr(file, '/');
    std::snprintf(place.text, sizeof(place.text), "%.40s:%u",
                  slash ? slash + 1 : file, line);
  }
  return place.text;
}

/// Calls a kernel with the arguments of a launch.
template <typename... Args, size_t... Is>
void call(void (*kernel)(Args...), void *const *args,
          std::index_sequence<Is...>) {
  kernel(*static_cast<Args *>(args[Is])...);
}
template <typename... Args>
void call(void (*kernel)(Args...), void *const *args) {
  call(kernel, args, std::index_sequence_for<Args...>());
}
template <auto kernel> void entry(void *const *args) { call(kernel, args); }

} // namespace autosage::kernels::emulated

namespace autosage::kernels {

#define AUTOSAGE_SITE                                                          \
  const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()

inline uint32_t threadIndex() {
  return autosage_simt_register(AUTOSAGE_SIMT_TID_X);
}
inline uint32_t blockIndex() {
  return autosage_simt_register(AUTOSAGE_SIMT_CTAID_X);
}
inline uint32_t gridBlocks() {
  return autosage_simt_register(AUTOSAGE_SIMT_NCTAID_X);
}

template <typename T> T *shared(uint32_t byte) {
  return reinterpret_cast<T *>(
      static_cast<char *>(autosage_simt_shared_dynamic()) + byte);
}

template <typename T>
void check(const T *p, int32_t kind, const char *file, unsigned line) {
  constexpr int32_t alignment = sizeof(T) == 8 ? 3 : sizeof(T) == 4 ? 2 : 0;
  autosage_simt_check_access(p, sizeof(T),
                             AUTOSAGE_SIMT_CHECK_ALL | alignment << 16 | kind,
                             emulated::site(file, line));
}
template <typename T> T load(const T *p, AUTOSAGE_SITE) {
  check(p, AUTOSAGE_SIMT_READ, file, line);
  return *p;
}
template <typename T> void store(T *p, T value, AUTOSAGE_SITE) {
  check(p, AUTOSAGE_SIMT_WRITE, file, line);
  *p = value;
}
constexpr int32_t atomicAccess =
    AUTOSAGE_SIMT_READ | AUTOSAGE_SIMT_WRITE | AUTOSAGE_SIMT_ATOMIC;
template <typename T> void atomicAdd(T *p, T value, AUTOSAGE_SITE) {
  check(p, atomicAccess, file, line);
  *p += value;
}
inline void atomicMin(unsigned long long *p, unsigned long long value,
                      AUTOSAGE_SITE) {
  check(p, atomicAccess, file, line);
  if (value < *p)
    *p = value;
}
inline void atomicMax(unsigned long long *p, unsigned long long value,
                      AUTOSAGE_SITE) {
  check(p, atomicAccess, file, line);
  if (value > *p)
    *p = value;
}
inline uint32_t atomicOr(uint32_t *p, uint32_t bits, AUTOSAGE_SITE) {
  check(p, atomicAccess, file, line);
  uint32_t before = *p;
  *p |= bits;
  return before;
}

inline void barrier(AUTOSAGE_SITE) {
  autosage_simt_barrier(emulated::site(file, line));
}
inline void syncWarp(AUTOSAGE_SITE) {
  autosage_simt_syncwarp(0xffffffffu, emulated::site(file, line));
}
inline uint32_t ballot(bool predicate, AUTOSAGE_SITE) {
  return autosage_simt_vote(2, 0xffffffffu, predicate,
                            emulated::site(file, line));
}
inline uint32_t shuffleUp(uint32_t value, uint32_t delta, AUTOSAGE_SITE) {
  return autosage_simt_shuffle(1, 0xffffffffu, value, delta, 0, nullptr,
                               emulated::site(file, line));
}
inline uint32_t shuffleXor(uint32_t value, uint32_t mask, AUTOSAGE_SITE) {
  return autosage_simt_shuffle(0, 0xffffffffu, value, mask, 31, nullptr,
                               emulated::site(file, line));
}

} // namespace autosage::kernels

#endif // AUTOSAGE_LIB_RUNTIME_KERNELS_EMULATED_H
