//===- ThreadCount.cpp - how many threads a loop may use ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadCount.h"

#include "OpenMP.h"
#include "autosage/Runtime/Runtime.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

using namespace autosage;

/// 0: not set.
static std::atomic<int32_t> setThreads{0};

static int32_t clamp(long count) {
  return static_cast<int32_t>(std::clamp<long>(count, 1, AUTOSAGE_MAX_THREADS));
}

/// AUTOSAGE_NUM_THREADS as it was at the first call; 0 where it is not set or
/// not a count.
static int32_t environmentThreads() {
  static const int32_t count = [] {
    const char *text = std::getenv("AUTOSAGE_NUM_THREADS");
    if (!text || !*text)
      return 0;
    char *end;
    errno = 0;
    long value = std::strtol(text, &end, 10);
    if (*end == '\0' && errno == 0 && value > 0)
      return clamp(value);
    std::fprintf(stderr,
                 "warning: expects AUTOSAGE_NUM_THREADS to be a positive "
                 "integer, got '%s'; the default is used\n",
                 text);
    return 0;
  }();
  return count;
}

int32_t runtime::wantedThreads() {
  if (int32_t count = setThreads.load(std::memory_order_relaxed))
    return count;
  if (int32_t count = environmentThreads())
    return count;
  const OpenMP *omp = openMP();
  return omp ? clamp(omp->maxThreads()) : 1;
}

void autosage_set_num_threads(int32_t count) noexcept {
  setThreads.store(count > 0 ? clamp(count) : 0, std::memory_order_relaxed);
}
