//===- Background.cpp - threads that outlive a call -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Background.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <system_error>
#include <unistd.h>

using namespace autosage::runtime;

namespace {
/// Threads of the process that work.
struct Running {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
  pid_t process = 0;
};
} // namespace

/// Never destroyed: it is used while the process exits.
static Running &running() {
  static auto &instance = *new Running;
  return instance;
}

static void change(int by) {
  Running &all = running();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (all.process != getpid()) { // a fork has none of its parent's threads
    all.process = getpid();
    all.count = 0;
  }
  all.count += by;
  all.changed.notify_all();
}

static void waitForAll() {
  Running &all = running();
  std::unique_lock<std::mutex> lock(all.mutex);
  all.changed.wait(lock,
                   [&] { return all.count == 0 || all.process != getpid(); });
}

void Background::libraryIsLoaded() {
  static const int registered = std::atexit(waitForAll);
  (void)registered;
}

bool Background::start(std::function<void()> work) {
  std::lock_guard<std::mutex> lock(mutex);
  if (process != getpid()) {
    for (auto &worker : workers)
      worker.release(); // NOLINT: of another process, nobody's now
    workers.clear();
    process = getpid();
  }
  auto isDone = [](const std::unique_ptr<Worker> &worker) {
    if (!worker->isDone.load(std::memory_order_acquire))
      return false;
    worker->thread.join();
    return true;
  };
  workers.erase(std::remove_if(workers.begin(), workers.end(), isDone),
                workers.end());
  auto worker = std::make_unique<Worker>();
  Worker *own = worker.get();
  change(1);
  try {
    own->thread = std::thread([work = std::move(work), own] {
      work();
      own->isDone.store(true, std::memory_order_release);
      change(-1);
    });
  } catch (const std::system_error &) {
    change(-1);
    return false;
  }
  workers.push_back(std::move(worker));
  return true;
}

void Background::wait() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &worker : workers)
    if (process == getpid())
      worker->thread.join();
    else
      worker.release(); // NOLINT: as above
  workers.clear();
}
