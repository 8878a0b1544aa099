//===- Machine.cpp - blocks, threads, barriers and collectives ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>

using namespace autosage::simt;

Machine *&autosage::simt::currentMachine() {
  static thread_local Machine *machine = nullptr;
  return machine;
}

std::string autosage::simt::toString(const Dim3 &index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

/// Numbers runs, so that the cells of an earlier one need not be cleared.
static uint64_t nextRun() {
  static std::atomic<uint64_t> counter{0};
  return ++counter;
}

static std::string hex(uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof(text), "0x%x", mask);
  return text;
}

static std::string count(uint64_t n, const char *what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

bool Machine::run(void (*entryPoint)(void *const *), void *const *arguments,
                  const Dim3 &gridSize, const Dim3 &blockSize,
                  int64_t staticBytes, int64_t dynamic) {
  entry = entryPoint;
  args = arguments;
  grid = gridSize;
  block = blockSize;
  dynamicBytes = dynamic;
  counts.launches = 1;
  if (staticBytes + dynamic > maxSharedBytes) {
    errorCode = AUTOSAGE_SIMT_BAD_ARGUMENT;
    error = "kernel '" + std::string(kernel) + "': expects at most " +
            std::to_string(maxSharedBytes) + " bytes of shared memory, got " +
            std::to_string(staticBytes) + " static and " +
            std::to_string(dynamic) + " dynamic";
    return false;
  }

  // Kept by each thread of the host, as launches are frequent and small.
  static thread_local StackPool pool;
  static thread_local std::unique_ptr<char[]> memory;
  if (!memory)
    memory.reset(new (std::nothrow) char[arenaBytes + 256]);
  if (!memory) {
    errorCode = AUTOSAGE_SIMT_OUT_OF_MEMORY;
    error = "kernel '" + std::string(kernel) +
            "': expects memory for a block's shared memory, got none";
    return false;
  }
  stacks = &pool;
  arena = reinterpret_cast<char *>(
      (reinterpret_cast<uintptr_t>(memory.get()) + 255) & ~uintptr_t{255});
  written.assign(arenaBytes, 0);
  launchRun = nextRun();
  threads.resize(static_cast<size_t>(block.count()));
  barrierClock.resize(threads.size());
  warps.resize((threads.size() + warpSize - 1) / warpSize);

  Machine *&slot = currentMachine();
  slot = this;
  bool passed = true;
  for (int64_t i = 0; i < grid.count() && passed; ++i) {
    blockIndex = static_cast<uint32_t>(i);
    blockId = grid.at(i);
    passed = runBlock();
  }
  slot = nullptr;
  for (Thread &thread : threads)
    if (thread.stack)
      pool.give(thread.stack);
  // Their module may be gone before the next launch.
  for (uintptr_t global : globals)
    Buffers::instance().remove(global);
  return passed;
}

bool Machine::runBlock() {
  ++counts.blocks;
  blockRun = nextRun();
  // NaN in every floating point type, so that what is read before it is written
  // shows in results also where that check is off.
  std::memset(arena, 0xff, static_cast<size_t>(arenaUsed));
  std::memset(arena + staticArenaBytes, 0xff,
              static_cast<size_t>(dynamicBytes));
  std::memset(written.data(), 0, static_cast<size_t>(arenaUsed));
  std::memset(written.data() + staticArenaBytes, 0,
              static_cast<size_t>(dynamicBytes));

  ready.clear();
  readyBegin = 0;
  started = atBarrier = ended = 0;
  live = static_cast<uint32_t>(threads.size());
  std::fill(barrierClock.begin(), barrierClock.end(), 0u);
  for (size_t w = 0; w < warps.size(); ++w) {
    size_t lanes = std::min<size_t>(warpSize, threads.size() - w * warpSize);
    warps[w].live = lanes == warpSize ? ~0u : (1u << lanes) - 1;
    warps[w].requests.fill(nullptr);
  }
  startNext();
  return errorCode == 0;
}

/// Runs threads until the block is done or a fault ends it.
void Machine::startNext() {
  while (errorCode == 0) {
    if (readyBegin < ready.size()) {
      current = &threads[ready[readyBegin++]];
      if (readyBegin == ready.size()) {
        ready.clear();
        readyBegin = 0;
      }
    } else if (started < threads.size()) {
      uint32_t index = started++;
      Thread &thread = threads[index];
      thread.index = index;
      thread.id = block.at(index);
      thread.clock = 1;
      thread.seen.fill(0);
      thread.openCopies.clear();
      thread.groups.clear();
      if (!thread.stack)
        thread.stack = stacks->take();
      current = &thread;
      if (!thread.stack) {
        errorCode = AUTOSAGE_SIMT_OUT_OF_MEMORY;
        error = "kernel '" + std::string(kernel) +
                "': expects memory for the stack of a thread, got none";
        return;
      }
      ++counts.threads;
      prepareContext(thread.context, thread.stack, &Machine::threadMain);
    } else if (live == 0) {
      return;
    } else {
      deadlock();
      return;
    }
    current->state = Thread::State::running;
    ++counts.switches;
    switchContext(scheduler, current->context);
    // A thread that has ended gives its stack to the next one.
    if (errorCode == 0 && current->state == Thread::State::done) {
      stacks->give(current->stack);
      current->stack = nullptr;
    }
  }
}

void Machine::threadMain() {
  Machine &machine = *currentMachine();
  machine.entry(machine.args);
  machine.finishThread();
}

void Machine::finishThread() {
  Thread &thread = *current;
  thread.state = Thread::State::done;
  --live;
  ++ended;
  Warp &warp = warps[thread.warp()];
  warp.live &= ~(1u << thread.lane());
  if (atBarrier)
    fault(AUTOSAGE_SIMT_BARRIER, "the thread ends while " +
                                     count(atBarrier, "thread") +
                                     " of its block wait at a barrier");
  // Collectives do not wait for threads that have ended.
  for (Request *request : warp.requests)
    if (request && tryCollective(warp, *request))
      break;
  switchContext(thread.context, scheduler);
  __builtin_unreachable();
}

void Machine::wait() {
  Thread &thread = *current;
  switchContext(thread.context, scheduler);
}

void Machine::fault(int32_t code, const std::string &text) {
  errorCode = code;
  error = "kernel '" + std::string(kernel) + "', block " + toString(blockId) +
          ", thread " + toString(current->id) + ": " + text;
  switchContext(current->context, scheduler);
  __builtin_unreachable();
}

void Machine::fault(int32_t code, const std::string &text, const char *site) {
  fault(code, text + (site && *site ? ", at " + std::string(site) : ""));
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Machine::barrier(const char *site, int32_t kind, uint32_t value) {
  Thread &thread = *current;
  if (ended)
    fault(AUTOSAGE_SIMT_BARRIER,
          "barrier is not reached by all: " + count(ended, "thread") + " of " +
              std::to_string(threads.size()) + " ended before it",
          site);
  thread.waitSite = site;
  thread.barrierKind = kind;
  thread.barrierValue = value;
  thread.state = Thread::State::barrier;
  ++atBarrier;
  if (atBarrier == live)
    completeBarrier();
  else
    wait();
}

void Machine::completeBarrier() {
  const Thread &last = *current;
  uint32_t sum = 0;
  for (const Thread &thread : threads) {
    // The barrier is the aligned one: all threads execute the same instruction.
    if (thread.waitSite != last.waitSite)
      fault(AUTOSAGE_SIMT_BARRIER,
            "threads of a block wait at different barriers: thread " +
                toString(thread.id) + " at " + thread.waitSite + ", this one",
            last.waitSite);
    sum += thread.barrierValue != 0;
  }
  barrierResult = last.barrierKind == 0   ? sum
                  : last.barrierKind == 1 ? sum == threads.size()
                                          : sum != 0;
  atBarrier = 0;
  for (Thread &thread : threads) {
    barrierClock[thread.index] = thread.clock++;
    thread.state = Thread::State::running;
    if (&thread != current)
      ready.push_back(thread.index);
  }
}

//===----------------------------------------------------------------------===//
// Collective operations of a warp
//===----------------------------------------------------------------------===//

void Machine::collective(Request &request) {
  Thread &thread = *current;
  Warp &warp = warps[thread.warp()];
  uint32_t bit = 1u << thread.lane();
  if (!(request.mask & bit))
    fault(AUTOSAGE_SIMT_COLLECTIVE,
          std::string(request.name) + " expects lane " +
              std::to_string(thread.lane()) + " in its mask, got " +
              hex(request.mask),
          request.site);
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const Request *other = warp.requests[lane];
    if (!other || !((request.mask >> lane & 1) || (other->mask & bit)))
      continue;
    if (other->complete == request.complete && other->mask == request.mask &&
        other->kind == request.kind &&
        (!request.sameSite || other->site == request.site))
      continue;
    fault(AUTOSAGE_SIMT_COLLECTIVE,
          std::string(request.name) + " with mask " + hex(request.mask) +
              " expects its lanes at one operation, got lane " +
              std::to_string(lane) + " at " + other->name + " with mask " +
              hex(other->mask) + " at " + other->site + ", and this one",
          request.site);
  }
  warp.requests[thread.lane()] = &request;
  if (tryCollective(warp, request))
    return;
  thread.state = Thread::State::collective;
  wait();
}

bool Machine::tryCollective(Warp &warp, const Request &request) {
  // What is not in the block (its size is no multiple of 32) or has ended does
  // not take part.
  uint32_t lanes = request.mask & warp.live;
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    if ((lanes >> lane & 1) && !warp.requests[lane])
      return false;
  std::array<Request *, warpSize> requests = warp.requests;
  uint32_t base = static_cast<uint32_t>(&warp - warps.data()) * warpSize;
  request.complete(lanes, requests.data());
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    if (lanes >> lane & 1) {
      warp.requests[lane] = nullptr;
      if (&threads[base + lane] != current)
        ready.push_back(base + lane);
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Deadlocks
//===----------------------------------------------------------------------===//

std::string Machine::describeWait(const Thread &thread) const {
  std::string text = "thread " + toString(thread.id) + " waits ";
  if (thread.state == Thread::State::barrier)
    return text + "at the barrier at " + thread.waitSite;
  const Warp &warp = warps[thread.warp()];
  const Request *request = warp.requests[thread.lane()];
  uint32_t missing = request->mask & warp.live;
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    if (warp.requests[lane])
      missing &= ~(1u << lane);
  return text + "for lanes " + hex(missing) + " of its warp in " +
         request->name + " at " + request->site;
}

void Machine::deadlock() {
  // One thread of each kind of wait tells all.
  std::string text;
  const char *sites[3] = {};
  int32_t shown = 0;
  for (const Thread &thread : threads) {
    if (thread.state == Thread::State::done)
      continue;
    const char *site = thread.state == Thread::State::barrier
                           ? thread.waitSite
                           : warps[thread.warp()].requests[thread.lane()]->site;
    if (shown == 3 || site == sites[0] || site == sites[1])
      continue;
    sites[shown++] = site;
    text += (text.empty() ? "" : "; ") + describeWait(thread);
  }
  errorCode = AUTOSAGE_SIMT_DEADLOCK;
  error = "kernel '" + std::string(kernel) + "', block " + toString(blockId) +
          ": no thread can go on: " + text;
}
