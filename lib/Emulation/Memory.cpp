//===- Memory.cpp - bounds, alignment, unwritten memory, races ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <cstdio>
#include <cstring>

using namespace autosage::simt;

static const char *nameOf(int32_t kind) {
  if (kind & AUTOSAGE_SIMT_ATOMIC)
    return "atomic access";
  return kind & AUTOSAGE_SIMT_WRITE ? "store" : "load";
}

static const char *nameOf(Access access) {
  switch (access) {
  case Access::none:
  case Access::read:
    return "load";
  case Access::write:
    return "store";
  case Access::atomic:
    return "atomic access";
  case Access::inFlight:
    return "asynchronous copy";
  }
  return "access";
}

static std::string bytesText(int64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

//===----------------------------------------------------------------------===//
// Where an address lies
//===----------------------------------------------------------------------===//

const SharedVariable *Machine::variableAt(int64_t offset, int64_t bytes) const {
  for (const SharedVariable &variable : variables)
    if (offset >= variable.offset &&
        offset + bytes <= variable.offset + variable.bytes)
      return &variable;
  return nullptr;
}

std::string Machine::describe(uintptr_t address) const {
  auto place = [](int64_t offset, const std::string &what, int64_t bytes) {
    return "at offset " + std::to_string(offset) + " of " + what + " (" +
           bytesText(bytes) + ")";
  };
  int64_t offset =
      static_cast<int64_t>(address - reinterpret_cast<uintptr_t>(arena));
  if (offset >= -4096 && offset < arenaBytes + 4096) {
    if (offset >= staticArenaBytes - 64 || variables.empty())
      return place(offset - staticArenaBytes, "dynamic shared memory",
                   dynamicBytes);
    // The variable that the address is closest to.
    const SharedVariable *best = nullptr;
    int64_t distance = 0;
    for (const SharedVariable &v : variables) {
      int64_t d = offset < v.offset              ? v.offset - offset
                  : offset >= v.offset + v.bytes ? offset - v.offset - v.bytes
                                                 : -1;
      if (!best || d < distance) {
        best = &v;
        distance = d;
      }
    }
    return place(offset - best->offset,
                 "shared memory '" + std::string(best->name) + "'",
                 best->bytes);
  }
  const Buffer *buffer = Buffers::instance().nearest(address);
  auto within = [&](int64_t bytes) {
    int64_t d = static_cast<int64_t>(address - buffer->begin);
    return d >= -bytes &&
           d < static_cast<int64_t>(buffer->end - buffer->begin) + bytes;
  };
  if (buffer && within(1 << 20))
    return place(static_cast<int64_t>(address - buffer->begin),
                 "buffer '" + buffer->name + "'",
                 static_cast<int64_t>(buffer->end - buffer->begin));
  char text[64];
  std::snprintf(text, sizeof(text), "at address 0x%llx, near no known buffer",
                static_cast<unsigned long long>(address));
  return text;
}

void Machine::outside(uintptr_t address, int64_t bytes, int32_t kind,
                      const char *site) {
  fault(AUTOSAGE_SIMT_OUT_OF_BOUNDS,
        std::string(nameOf(kind)) + " of " + bytesText(bytes) +
            " is out of bounds, " + describe(address),
        site);
}

bool Machine::onStack(uintptr_t address, int64_t bytes) const {
  uintptr_t begin = reinterpret_cast<uintptr_t>(current->stack);
  return address - begin < StackPool::stackBytes &&
         address - begin + static_cast<uintptr_t>(bytes) <=
             StackPool::stackBytes;
}

void *Machine::declareShared(int64_t offset, int64_t bytes, const char *name) {
  for (const SharedVariable &variable : variables)
    if (variable.offset == offset)
      return arena + offset;
  if (offset < 0 || bytes < 0 || offset + bytes > staticArenaBytes)
    fault(AUTOSAGE_SIMT_NOT_EMULATED,
          "shared variable '" + std::string(name) + "' expects place for " +
              bytesText(bytes) + " at " + std::to_string(offset) +
              " of shared memory, got " + bytesText(staticArenaBytes));
  variables.push_back({offset, bytes, name});
  if (offset + bytes > arenaUsed) {
    // The first block: what runBlock does for later ones.
    std::memset(arena + arenaUsed, 0xff,
                static_cast<size_t>(offset + bytes - arenaUsed));
    arenaUsed = offset + bytes;
  }
  return arena + offset;
}

void Machine::declareGlobal(const void *pointer, int64_t bytes,
                            const char *name, bool readOnly) {
  auto begin = reinterpret_cast<uintptr_t>(pointer);
  for (uintptr_t known : globals)
    if (known == begin)
      return;
  if (Buffers::instance().add(begin, bytes, name, readOnly, /*owned=*/false))
    globals.push_back(begin);
}

Buffer *Machine::bufferOf(uintptr_t address, const char *site) {
  Buffer *&last = lastBuffer[(reinterpret_cast<uintptr_t>(site) >> 4) % 64];
  if (last && address >= last->begin && address < last->end)
    return last;
  return last = Buffers::instance().find(address);
}

//===----------------------------------------------------------------------===//
// One access
//===----------------------------------------------------------------------===//

static Access accessOf(int32_t kind) {
  if (kind & AUTOSAGE_SIMT_ATOMIC)
    return Access::atomic;
  return kind & AUTOSAGE_SIMT_WRITE ? Access::write : Access::read;
}

void Machine::access(uintptr_t address, int64_t bytes, int32_t kind,
                     const char *site) {
  ++counts.accesses;
  if (bytes <= 0)
    return;
  uintptr_t alignment = uintptr_t{1} << (kind >> 16 & 0xff);
  if (address & (alignment - 1))
    fault(AUTOSAGE_SIMT_MISALIGNED,
          std::string(nameOf(kind)) + " of " + bytesText(bytes) +
              " expects an alignment of " + std::to_string(alignment) +
              " bytes, got an address " + describe(address) + " that is " +
              std::to_string(address & (alignment - 1)) + " past one",
          site);
  if (address - reinterpret_cast<uintptr_t>(arena) <
      static_cast<uintptr_t>(arenaBytes))
    checkShared(address, bytes, kind, site);
  else
    checkGlobal(address, bytes, kind, site);
}

void Machine::checkShared(uintptr_t address, int64_t bytes, int32_t kind,
                          const char *site) {
  int64_t offset =
      static_cast<int64_t>(address - reinterpret_cast<uintptr_t>(arena));
  if (kind & AUTOSAGE_SIMT_CHECK_BOUNDS) {
    bool dynamic = offset >= staticArenaBytes &&
                   offset + bytes <= staticArenaBytes + dynamicBytes;
    if (!dynamic && !variableAt(offset, bytes))
      outside(address, bytes, kind, site);
  } else if (offset + bytes > arenaBytes) {
    return; // beyond what the other checks have data of
  }
  // Before the check for unwritten bytes: that an asynchronous copy is in
  // flight says more than that its bytes have not arrived.
  if (kind & AUTOSAGE_SIMT_CHECK_RACE)
    checkRace(sharedArea(), address, bytes, accessOf(kind), site);
  uint8_t *state = written.data() + offset;
  if ((kind & AUTOSAGE_SIMT_CHECK_UNINIT) && (kind & AUTOSAGE_SIMT_READ))
    if (const void *hole = std::memchr(state, 0, static_cast<size_t>(bytes))) {
      int64_t at = static_cast<const uint8_t *>(hole) - state;
      fault(AUTOSAGE_SIMT_UNINITIALISED,
            std::string(nameOf(kind)) + " of " + bytesText(bytes) +
                " reads shared memory that nothing was written to, " +
                describe(address + static_cast<uintptr_t>(at)),
            site);
    }
  if (kind & AUTOSAGE_SIMT_WRITE)
    std::memset(state, 1, static_cast<size_t>(bytes));
}

void Machine::checkGlobal(uintptr_t address, int64_t bytes, int32_t kind,
                          const char *site) {
  if (onStack(address, bytes))
    return;
  Buffer *buffer = bufferOf(address, site);
  bool bounds = kind & AUTOSAGE_SIMT_CHECK_BOUNDS;
  if (!buffer || static_cast<uint64_t>(bytes) > buffer->end - address) {
    if (bounds)
      outside(address, bytes, kind, site);
    return;
  }
  if (buffer->readOnly) {
    if (bounds && (kind & AUTOSAGE_SIMT_WRITE))
      fault(AUTOSAGE_SIMT_READ_ONLY,
            std::string(nameOf(kind)) + " of " + bytesText(bytes) +
                " writes read-only memory, " + describe(address),
            site);
    return; // reads alone cannot race
  }
  if (kind & AUTOSAGE_SIMT_CHECK_RACE)
    checkRace(
        {buffer->shadow, launchRun, buffer->begin, buffer->end - buffer->begin},
        address, bytes, accessOf(kind), site);
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

int32_t Machine::siteNumber(const char *site) {
  if (!firstSite)
    firstSite = site;
  intptr_t distance =
      reinterpret_cast<intptr_t>(site) - reinterpret_cast<intptr_t>(firstSite);
  // All sites of a kernel lie in one object, so that 32 bits are enough.
  return distance > INT32_MIN && distance <= INT32_MAX
             ? static_cast<int32_t>(distance)
             : INT32_MIN;
}

Stamp Machine::stampOf(Access access, const char *site) {
  return {siteNumber(site), blockIndex, current->clock,
          static_cast<uint16_t>(current->index), access};
}

/// Whether the access comes before all that the running thread does now.
bool Machine::ordered(const Stamp &stamp) const {
  if (stamp.block != blockIndex)
    return false; // blocks of a launch run in any order, or at once
  if (stamp.thread == current->index ||
      stamp.clock <= barrierClock[stamp.thread])
    return true;
  return stamp.thread / warpSize == current->warp() &&
         stamp.clock <= current->seen[stamp.thread % warpSize];
}

void Machine::race(const Stamp &before, Access access, uintptr_t address,
                   int64_t bytes, const char *site) {
  const char *other =
      before.site == INT32_MIN ? "an unknown place" : firstSite + before.site;
  std::string text = "data race: " + std::string(nameOf(access)) + " of " +
                     bytesText(bytes) + " " + describe(address);
  if (site && *site)
    text += ", at " + std::string(site);
  text += before.access == Access::inFlight
              ? ", while an asynchronous copy that was not waited for is under "
                "way, started"
              : ", and " + std::string(nameOf(before.access));
  text += " by ";
  if (before.block != blockIndex)
    text += "block " + toString(grid.at(before.block)) + ", ";
  fault(AUTOSAGE_SIMT_RACE,
        text + "thread " + toString(block.at(before.thread)) + " at " + other);
}

void Machine::checkRace(Area area, uintptr_t address, int64_t bytes,
                        Access access, const char *site) {
  uint64_t cells = 0;
  Cell *cell = area.shadow.at(address - area.begin,
                              static_cast<uint64_t>(bytes), area.size, cells);
  if (!cell)
    return; // no memory: this check is given up, the others are made
  Stamp now = stampOf(access, site);
  for (Cell *end = cell + cells; cell != end; ++cell) {
    if (cell->run != area.run) {
      cell->run = area.run;
      cell->write.access = cell->reads[0].access = cell->reads[1].access =
          Access::none;
    }
    Stamp &write = cell->write;
    if (write.access != Access::none &&
        (write.access == Access::inFlight ||
         !(access == Access::atomic && write.access == Access::atomic)) &&
        (write.access == Access::inFlight || !ordered(write)))
      race(write, access, address, bytes, site);
    if (access == Access::read) {
      Stamp *slot = nullptr;
      for (Stamp &read : cell->reads)
        if (!slot && (read.access == Access::none ||
                      (read.thread == now.thread && read.block == now.block) ||
                      ordered(read)))
          slot = &read;
      // Among reads that are not ordered, any two threads will do.
      (slot ? *slot : cell->reads[1]) = now;
      continue;
    }
    for (Stamp &read : cell->reads) {
      if (read.access != Access::none && !ordered(read))
        race(read, access, address, bytes, site);
      read.access = Access::none;
    }
    write = now;
  }
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

void Machine::copyAsync(const AsyncCopy &copy) {
  auto to = reinterpret_cast<uintptr_t>(copy.to);
  auto from = reinterpret_cast<uintptr_t>(copy.from);
  if (copy.checks) {
    int32_t flags = copy.checks | (copy.bytes == 16  ? 4
                                   : copy.bytes == 8 ? 3
                                                     : 2)
                                      << 16;
    access(from, copy.sourceBytes, flags | AUTOSAGE_SIMT_READ, copy.site);
    if (to - reinterpret_cast<uintptr_t>(arena) >=
        static_cast<uintptr_t>(arenaBytes))
      outside(to, copy.bytes, AUTOSAGE_SIMT_WRITE, copy.site);
    // Until the copy has been waited for its bytes are not there.
    std::vector<uint8_t>::iterator state =
        written.begin() + (to - reinterpret_cast<uintptr_t>(arena));
    std::array<uint8_t, 16> before;
    std::copy(state, state + copy.bytes, before.begin());
    access(to, copy.bytes, flags | AUTOSAGE_SIMT_WRITE, copy.site);
    std::copy(before.begin(), before.begin() + copy.bytes, state);
    if (copy.checks & AUTOSAGE_SIMT_CHECK_RACE) {
      uint64_t cells = 0;
      Cell *cell = sharedShadow.at(to - reinterpret_cast<uintptr_t>(arena),
                                   static_cast<uint64_t>(copy.bytes),
                                   static_cast<uint64_t>(arenaBytes), cells);
      for (uint64_t i = 0; cell && i < cells; ++i)
        cell[i].write.access = Access::inFlight;
    }
  }
  current->openCopies.push_back(copy);
}

void Machine::commitCopies() {
  current->groups.push_back(std::move(current->openCopies));
  current->openCopies.clear();
}

void Machine::finishCopy(const AsyncCopy &copy) {
  auto *to = static_cast<char *>(copy.to);
  if (copy.checks) {
    auto offset = static_cast<uint64_t>(to - arena);
    std::memset(written.data() + offset, 1, static_cast<size_t>(copy.bytes));
    if (copy.checks & AUTOSAGE_SIMT_CHECK_RACE) {
      uint64_t cells = 0;
      Cell *cell = sharedShadow.at(offset, static_cast<uint64_t>(copy.bytes),
                                   static_cast<uint64_t>(arenaBytes), cells);
      for (uint64_t i = 0; cell && i < cells; ++i)
        cell[i].write = stampOf(Access::write, copy.site);
    }
  }
  std::memcpy(to, copy.from, static_cast<size_t>(copy.sourceBytes));
  std::memset(to + copy.sourceBytes, 0,
              static_cast<size_t>(copy.bytes - copy.sourceBytes));
}

void Machine::waitForCopies(int32_t groups) {
  std::vector<std::vector<AsyncCopy>> &open = current->groups;
  size_t keep = groups < 0 ? 0 : static_cast<size_t>(groups);
  if (open.size() > keep) {
    size_t finished = open.size() - keep;
    for (size_t i = 0; i < finished; ++i)
      for (const AsyncCopy &copy : open[i])
        finishCopy(copy);
    open.erase(open.begin(), open.begin() + static_cast<ptrdiff_t>(finished));
  }
  if (groups < 0) {
    for (const AsyncCopy &copy : current->openCopies)
      finishCopy(copy);
    current->openCopies.clear();
  }
}
