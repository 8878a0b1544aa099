//===- ParallelFor.cpp - parallel loops over OpenMP threads ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads claim ranges of iterations from a counter until none is left. Claims
// need no number of the thread and no agreement on how many there are: where
// OpenMP gives fewer threads than were asked for, those do all of the work.
//
// Entry points are noexcept: frames of generated code cannot be unwound, so an
// exception from a body ends the process here, where it can be understood.
//
//===----------------------------------------------------------------------===//

#include "Fork.h"
#include "OpenMP.h"
#include "ThreadCount.h"
#include "autosage/Runtime/Runtime.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define AUTOSAGE_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define AUTOSAGE_THREAD_SANITIZER 1
#endif

using namespace autosage::runtime;

//===----------------------------------------------------------------------===//
// Order between threads
//===----------------------------------------------------------------------===//

// OpenMP's fork and join order memory. ThreadSanitizer does not see them in a
// runtime that was built without it, and is told.
#ifdef AUTOSAGE_THREAD_SANITIZER
extern "C" void __tsan_acquire(void *);
extern "C" void __tsan_release(void *);
static void acquire(void *object) { __tsan_acquire(object); }
static void release(void *object) { __tsan_release(object); }
#else
static void acquire(void *) {}
static void release(void *) {}
#endif

//===----------------------------------------------------------------------===//
// A loop
//===----------------------------------------------------------------------===//

/// Claims of one thread in a balanced loop: enough that a thread which gets the
/// heavy ranges leaves the others to the rest, few enough that a claim, some
/// tens of nanoseconds, is nothing beside the work.
static constexpr int64_t claimsPerThread = 64;

/// Whether this thread is inside of a body.
static thread_local bool inBody = false;

namespace {
struct Loop {
  const int64_t count, claim;
  const autosage_loop_body body;
  void *const context;
  // Alone on its cache line, which all threads write.
  alignas(64) std::atomic<int64_t> next{0};

  Loop(int64_t count, int64_t claim, autosage_loop_body body, void *context)
      : count(count), claim(claim), body(body), context(context) {}

  void work() {
    int64_t begin = next.load(std::memory_order_relaxed);
    for (;;) {
      // Compared and exchanged, because adding could pass the largest integer.
      int64_t end;
      do {
        if (begin >= count)
          return;
        end = begin + std::min(claim, count - begin);
      } while (
          !next.compare_exchange_weak(begin, end, std::memory_order_relaxed));
      body(context, begin, end);
      begin = next.load(std::memory_order_relaxed);
    }
  }
};

/// A body as the host's threads call it.
struct HostBody {
  autosage_loop_body body;
  void *context;
};

struct Host {
  autosage_parallel_for_fn fn;
  void *userData;
};
} // namespace

static void workRegion(void *data) noexcept {
  Loop &loop = *static_cast<Loop *>(data);
  acquire(&loop);
  inBody = true;
  loop.work();
  inBody = false;
  release(&loop);
}

static void hostBody(void *data, int64_t begin, int64_t end) noexcept {
  auto *host = static_cast<HostBody *>(data);
  bool outer = std::exchange(inBody, true);
  host->body(host->context, begin, end);
  inBody = outer;
}

//===----------------------------------------------------------------------===//
// The host's replacement
//===----------------------------------------------------------------------===//

/// Null: OpenMP.
static std::atomic<const Host *> currentHost{nullptr};

void autosage_set_parallel_for(autosage_parallel_for_fn fn,
                               void *userData) noexcept {
  if (!fn) {
    currentHost.store(nullptr, std::memory_order_release);
    return;
  }
  // Pairs are never freed: a loop that has just read the pointer may still look
  // at its pair. Each is kept once, however often a host goes back and forth.
  static std::mutex mutex;
  static auto *hosts = new std::deque<Host>;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = std::find_if(hosts->begin(), hosts->end(), [&](const Host &h) {
    return h.fn == fn && h.userData == userData;
  });
  const Host &host =
      it != hosts->end() ? *it : hosts->emplace_back(Host{fn, userData});
  currentHost.store(&host, std::memory_order_release);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

uint32_t autosage_runtime_version() noexcept {
  return AUTOSAGE_RUNTIME_VERSION;
}

/// The OpenMP runtime, where a loop of this thread may use it.
static const OpenMP *usableOpenMP() {
  if (isForkedSinceLoad())
    return nullptr;
  const OpenMP *omp = openMP();
  return omp && !omp->inParallel() ? omp : nullptr;
}

int32_t autosage_get_num_threads() noexcept {
  return inBody || !usableOpenMP() ? 1 : wantedThreads();
}

void autosage_parallel_for(int64_t count, autosage_loop_body body,
                           void *context) noexcept {
  if (count <= 0)
    return;
  if (count == 1 || inBody)
    return body(context, 0, count);

  if (const Host *host = currentHost.load(std::memory_order_acquire)) {
    HostBody inner{body, context};
    return host->fn(host->userData, count, hostBody, &inner);
  }

  const OpenMP *omp = usableOpenMP();
  int64_t threads = omp ? std::min<int64_t>(wantedThreads(), count) : 1;
  if (threads == 1)
    return body(context, 0, count);

  int64_t claim = std::max<int64_t>(count / (threads * claimsPerThread), 1);
  Loop loop(count, claim, body, context);
  release(&loop);
  omp->parallel(workRegion, &loop, static_cast<unsigned>(threads), 0);
  acquire(&loop);
}
