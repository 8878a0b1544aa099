//===- Fork.cpp - whether this process is a fork --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fork.h"

#include <atomic>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <string>
#include <unistd.h>

using namespace autosage;

namespace {
std::atomic<bool> forked{false};

/// Fork handlers see fork(); the number sees _Fork() and bare clone() too.
const struct Loaded {
  pid_t process = getpid();
  Loaded() {
    pthread_atfork(nullptr, nullptr,
                   [] { forked.store(true, std::memory_order_relaxed); });
  }
} loaded;
} // namespace

bool runtime::isForkedSinceLoad() {
  return forked.load(std::memory_order_relaxed) || getpid() != loaded.process;
}

static std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool runtime::isForkOfParent() {
  // The auxiliary vector has addresses that execve draws at random and fork
  // copies. Where address randomisation is off a program that runs itself looks
  // like a fork.
  std::string own = contents("/proc/self/auxv");
  return !own.empty() &&
         own == contents("/proc/" + std::to_string(getppid()) + "/auxv");
}
