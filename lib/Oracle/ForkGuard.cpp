//===- ForkGuard.cpp - closes what must not be forked ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForkGuard.h"

#include <mutex>
#include <pthread.h>
#include <set>

using namespace autosage::oracle;

namespace {
struct Registry {
  std::mutex mutex;
  std::set<ForkGuarded *> members;
};
} // namespace

/// Never destroyed: a fork may come while the process ends.
static Registry &registry() {
  static auto *instance = new Registry;
  return *instance;
}

static void prepare() {
  registry().mutex.lock();
  for (ForkGuarded *member : registry().members)
    member->beforeFork();
  warningsMutex().lock();
}

static void resume() {
  warningsMutex().unlock();
  for (ForkGuarded *member : registry().members)
    member->afterFork();
  registry().mutex.unlock();
}

ForkGuarded::ForkGuarded() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(prepare, resume, resume); });
  std::lock_guard<std::mutex> lock(registry().mutex);
  registry().members.insert(this);
}

void ForkGuarded::leave() {
  std::lock_guard<std::mutex> lock(registry().mutex);
  registry().members.erase(this);
}

ForkGuarded::~ForkGuarded() { leave(); }
