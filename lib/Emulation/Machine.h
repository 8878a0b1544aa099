//===- Machine.h - the running launch and its threads -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks run one after another, the threads of one as fibers that switch only
// where they have to wait: at barriers and at collective operations of a warp.
// So every run of a kernel is the same run. The last one to arrive does the
// work for all. Nothing here depends on that order to find faults: races are
// found by clocks (Shadow.h).
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_EMULATION_MACHINE_H
#define AUTOSAGE_LIB_EMULATION_MACHINE_H

#include "Buffers.h"
#include "Fiber.h"

#include "autosage/Emulation/Simt.h"

#include <array>
#include <string>
#include <vector>

namespace autosage::simt {

constexpr unsigned warpSize = 32;
constexpr int64_t maxBlockThreads = 1024;
/// What sm_80 and newer let a block have at most, and the block's arena: static
/// variables with gaps between them, and then the dynamic part.
constexpr int64_t maxSharedBytes = 227 * 1024;
constexpr int64_t staticArenaBytes = 320 * 1024;
constexpr int64_t arenaBytes = staticArenaBytes + 256 * 1024;

struct Dim3 {
  int64_t x = 1, y = 1, z = 1;
  int64_t count() const { return x * y * z; }
  /// Coordinates of the i-th element, x fastest.
  Dim3 at(int64_t i) const { return {i % x, i / x % y, i / x / y}; }
};
std::string toString(const Dim3 &index);

/// A lane's part in a collective operation of its warp. Lives on the stack of
/// the waiting lane.
struct Request {
  /// Does the operation for all of `lanes`, whose requests are set.
  void (*complete)(uint32_t lanes, Request *const *requests) = nullptr;
  const char *name = ""; // for messages
  int32_t kind = 0;
  uint32_t mask = 0;
  const char *site = nullptr;
  /// Whether the lanes must have come the same way.
  bool sameSite = true;
  uint64_t value = 0;
  uint32_t offset = 0;
  uint32_t clamp = 0;
  uint32_t result = 0;
  bool flag = false;
  const void *operands[3] = {};
  void *out = nullptr;
};

/// A copy that was started and not yet waited for.
struct AsyncCopy {
  void *to;
  const void *from;
  int32_t bytes, sourceBytes, checks;
  const char *site;
};

struct Thread {
  Context context;
  char *stack = nullptr;
  uint32_t index = 0; // in the block
  Dim3 id;
  enum class State : uint8_t { running, barrier, collective, done } state;
  /// Advances at each synchronisation.
  uint32_t clock = 1;
  /// The clock up to which each lane of this warp is known to come before.
  std::array<uint32_t, warpSize> seen{};
  const char *waitSite = nullptr; // at a barrier
  int32_t barrierKind = -1;
  uint32_t barrierValue = 0;
  /// Copies of the group that is not committed, then of committed ones.
  std::vector<AsyncCopy> openCopies;
  std::vector<std::vector<AsyncCopy>> groups;

  uint32_t lane() const { return index % warpSize; }
  uint32_t warp() const { return index / warpSize; }
};

struct Warp {
  uint32_t live = 0;
  std::array<Request *, warpSize> requests{};
};

/// A statically declared variable in shared memory.
struct SharedVariable {
  int64_t offset, bytes;
  const char *name;
};

/// The launch that this thread runs.
class Machine {
public:
  explicit Machine(const char *kernel) : kernel(kernel) {}

  /// Runs all blocks; false after a finding, which is then this thread's error.
  bool run(void (*entry)(void *const *), void *const *args, const Dim3 &grid,
           const Dim3 &block, int64_t staticBytes, int64_t dynamicBytes);

  /// Ends the launch with an error. Does not return.
  [[noreturn]] void fault(int32_t code, const std::string &text);
  /// The same, of an operation at `site`.
  [[noreturn]] void fault(int32_t code, const std::string &text,
                          const char *site);

  // Waiting.
  void barrier(const char *site, int32_t kind = -1, uint32_t value = 0);
  void collective(Request &request);

  // Memory.
  void access(uintptr_t address, int64_t bytes, int32_t kind, const char *site);
  void *declareShared(int64_t offset, int64_t bytes, const char *name);
  void declareGlobal(const void *pointer, int64_t bytes, const char *name,
                     bool readOnly);
  void copyAsync(const AsyncCopy &copy);
  void commitCopies();
  void waitForCopies(int32_t groups);

  const char *const kernel;
  Dim3 grid, block, blockId;
  int64_t dynamicBytes = 0;
  uint32_t blockIndex = 0;
  Thread *current = nullptr;
  std::vector<Warp> warps;
  std::vector<Thread> threads;
  char *arena = nullptr;
  uint32_t barrierResult = 0;
  std::string error;
  int32_t errorCode = 0;
  autosage_simt_counts counts{};

private:
  // Scheduling.
  bool runBlock();
  void startNext();
  void wait();
  static void threadMain();
  void finishThread();
  void completeBarrier();
  /// Performs the collective of the request where all lanes have come.
  bool tryCollective(Warp &warp, const Request &request);
  void deadlock();
  std::string describeWait(const Thread &thread) const;

  // Checks.
  /// Memory that a race is looked for in.
  struct Area {
    Shadow &shadow;
    uint64_t run; // accesses of another one do not count
    uintptr_t begin;
    uint64_t size;
  };
  Area sharedArea() {
    return {sharedShadow, blockRun, reinterpret_cast<uintptr_t>(arena),
            static_cast<uint64_t>(arenaBytes)};
  }
  bool onStack(uintptr_t address, int64_t bytes) const;
  Buffer *bufferOf(uintptr_t address, const char *site);
  void checkShared(uintptr_t address, int64_t bytes, int32_t kind,
                   const char *site);
  void checkGlobal(uintptr_t address, int64_t bytes, int32_t kind,
                   const char *site);
  void checkRace(Area area, uintptr_t address, int64_t bytes, Access access,
                 const char *site);
  bool ordered(const Stamp &stamp) const;
  Stamp stampOf(Access access, const char *site);
  [[noreturn]] void race(const Stamp &before, Access access, uintptr_t address,
                         int64_t bytes, const char *site);
  [[noreturn]] void outside(uintptr_t address, int64_t bytes, int32_t kind,
                            const char *site);
  /// Where the address lies, as `at offset 8 of buffer 'x' (4 bytes)`.
  std::string describe(uintptr_t address) const;
  const SharedVariable *variableAt(int64_t offset, int64_t bytes) const;
  int32_t siteNumber(const char *site);
  void finishCopy(const AsyncCopy &copy);

  void (*entry)(void *const *) = nullptr;
  void *const *args = nullptr;
  Context scheduler;
  std::vector<uint32_t> ready; // a queue, from readyBegin on
  size_t readyBegin = 0;
  uint32_t started = 0, live = 0, atBarrier = 0, ended = 0;
  /// Each thread's clock when the last barrier was completed.
  std::vector<uint32_t> barrierClock;
  std::vector<SharedVariable> variables;
  std::vector<uintptr_t> globals; // buffers for the time of this launch
  std::vector<uint8_t> written;   // of the arena, a byte each
  int64_t arenaUsed = 0;
  Shadow sharedShadow;
  uint64_t launchRun = 0, blockRun = 0;
  const char *firstSite = nullptr;
  StackPool *stacks = nullptr;
  /// The buffer that a site accessed last, by a hash of the site.
  std::array<Buffer *, 64> lastBuffer{};
};

/// The machine of the launch that the calling thread runs; null outside.
Machine *&currentMachine();

/// Sets this thread's device error unless it has one already.
void setError(int32_t code, std::string message);
int32_t errorCode();

} // namespace autosage::simt

#endif // AUTOSAGE_LIB_EMULATION_MACHINE_H
