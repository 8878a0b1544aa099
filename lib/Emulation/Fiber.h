//===- Fiber.h - stacks of their own within one thread ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread of a GPU that has to wait keeps its stack and lets another one run.
// A fiber that is not resumed any more is simply dropped: nothing on the stacks
// of kernels needs to be destroyed.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_EMULATION_FIBER_H
#define AUTOSAGE_LIB_EMULATION_FIBER_H

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#if !defined(__x86_64__) || defined(AUTOSAGE_SIMT_UCONTEXT)
#define AUTOSAGE_SIMT_USES_UCONTEXT 1
#include <ucontext.h>
#endif

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define AUTOSAGE_SIMT_TELLS_TSAN 1
#endif
#endif

namespace autosage::simt {

#ifdef AUTOSAGE_SIMT_TELLS_TSAN
/// ThreadSanitizer keeps a stack of calls for each thread, and has to be told
/// of those that are not a thread's.
struct SanitizerFiber {
  void *fiber = nullptr;
  bool owned = false;

  SanitizerFiber() = default;
  SanitizerFiber(SanitizerFiber &&other) noexcept
      : fiber(std::exchange(other.fiber, nullptr)),
        owned(std::exchange(other.owned, false)) {}
  ~SanitizerFiber();
  void create();
};
#endif

/// Where a stack of execution goes on.
struct Context {
#ifdef AUTOSAGE_SIMT_TELLS_TSAN
  SanitizerFiber sanitizer;
#endif
#ifdef AUTOSAGE_SIMT_USES_UCONTEXT
  ucontext_t context;
#else
  void *stackPointer = nullptr;
#endif
};

/// Saves the running context in `from` and goes on with `to`.
void switchContext(Context &from, Context &to);

/// Stacks with a guard page, made when asked for and kept for later.
class StackPool {
public:
  StackPool() = default;
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;
  ~StackPool();

  /// The lowest address of a stack; null where there is no memory.
  char *take();
  void give(char *stack) { free.push_back(stack); }

  /// Pages are taken when they are touched.
  static constexpr size_t stackBytes = 256 * 1024;

private:
  std::vector<char *> all, free;
};

/// Makes `context` call `entry`, which must not return, on `stack`.
void prepareContext(Context &context, char *stack, void (*entry)());

} // namespace autosage::simt

#endif // AUTOSAGE_LIB_EMULATION_FIBER_H
