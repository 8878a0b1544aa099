//===- Background.h - threads that outlive a call ---------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNEL_BACKGROUND_H
#define AUTOSAGE_LIB_RUNTIME_KERNEL_BACKGROUND_H

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace autosage::runtime {

/// Threads that go on when the call that started them returns. Their owner
/// waits for them when it is destroyed, and the process does before it exits.
class Background {
public:
  Background() = default;
  ~Background() { wait(); }
  Background(const Background &) = delete;
  Background &operator=(const Background &) = delete;

  /// False where the system has no thread left; `work` did not run then. It
  /// must not throw, and not use the owner once it is done.
  bool start(std::function<void()> work);

  void wait();

  /// To be called by `work` when it has loaded a library: what that one does at
  /// exit then comes after the waiting.
  static void libraryIsLoaded();

private:
  struct Worker {
    std::thread thread;
    std::atomic<bool> isDone{false};
  };
  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> workers;
  pid_t process = 0; // that has the threads; a fork has none
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNEL_BACKGROUND_H
