//===- Flights.cpp - one thread does it, others wait ----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flights.h"

#include "ForkGuard.h"

#include <condition_variable>
#include <set>
#include <unistd.h>

using namespace autosage::oracle;

namespace {
class Table final : public ForkGuarded {
public:
  void hold(const std::string &name) {
    std::unique_lock<std::mutex> lock(mutex);
    while (!held.insert(name).second)
      released->wait(lock);
  }
  void release(const std::string &name) {
    std::lock_guard<std::mutex> lock(mutex);
    held.erase(name);
    released->notify_all();
  }

  void beforeFork() override {
    mutex.lock();
    process = getpid();
  }
  void afterFork() override {
    if (getpid() != process) {
      held.clear();
      // The parent's waiters are in it; it is left to them.
      released = new std::condition_variable;
    }
    mutex.unlock();
  }

private:
  std::mutex mutex;
  std::set<std::string> held;
  std::condition_variable *released = new std::condition_variable;
  pid_t process = 0;
};
} // namespace

/// Never destroyed: a thread may wait while the process ends.
static Table &table() {
  static auto *instance = new Table;
  return *instance;
}

Flight::Flight(std::string name) : name(std::move(name)) {
  table().hold(this->name);
}

Flight::~Flight() { table().release(name); }
