//===- Scope.h - what host code gets while a plan runs it -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code of the GPU path allocates scratch memory, builds task lists and
// launches, in an order that follows from the sizes alone. A plan runs it once
// without launching and keeps what it asked for; later runs get the same
// answers in the same order, and only launch.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_PLAN_SCOPE_H
#define AUTOSAGE_LIB_RUNTIME_PLAN_SCOPE_H

#include "../Cusparse/Execution.h"

#include "autosage/Runtime/Device.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace autosage::runtime {

/// What the first run asked for.
struct Recording {
  struct Allocation {
    int64_t bytes = 0;
    /// Filled by a function that builds, and read by every stream; else each
    /// stream has its own.
    void *shared = nullptr;
  };
  std::vector<Allocation> allocations;
  std::vector<int64_t> counts;
};

/// What a stream has of its own.
struct StreamState {
  explicit StreamState(void *stream) : stream(stream) {}
  void *stream;
  std::atomic<bool> busy{false};
  std::vector<void *> pointers;                // one an allocation
  void *scores = nullptr;                      // of composed attention
  std::unique_ptr<cusparse::Execution> vendor; // of a GPU's vendor plan
};

/// While it lives, the calling thread's host code works for a plan.
class PlanScope {
public:
  enum class Mode {
    record, // the first stream: nothing is known
    fill,   // a further stream: only its own memory is allocated
    warm,   // loads what other alignments would launch
    replay  // launches
  };
  PlanScope(Mode mode, const autosage_device_api &api, Recording &recording,
            StreamState &stream);
  ~PlanScope();
  PlanScope(const PlanScope &) = delete;
  PlanScope &operator=(const PlanScope &) = delete;

  /// Recording under capture must not ask the device for anything.
  bool capturing = false;
  int64_t limit = -1; // of memory in bytes

  /// Bytes that this scope asked for.
  int64_t bytes() const { return sum; }
  bool isOverLimit() const { return limit >= 0 && sum > limit; }
  /// Why the answers are not to be used; empty where they are.
  const std::string &error() const { return text; }

  /// The functions of Device.h that host code calls, by name; null for others.
  static void *function(std::string_view name);

private:
  friend struct ScopeCalls;
  const Mode mode;
  const autosage_device_api &api;
  Recording &recording;
  StreamState &stream;
  PlanScope *const outer;
  size_t nextAllocation = 0, nextCount = 0;
  int64_t sum = 0;
  std::string text;

  bool isRecording() const { return mode == Mode::record; }
  void fail(std::string message);
  bool refuses(const char *what);
  void *alloc(int64_t bytes);
  void share(void *pointer);
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_PLAN_SCOPE_H
