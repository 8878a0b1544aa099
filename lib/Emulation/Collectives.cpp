//===- Collectives.cpp - barriers, shuffles, votes, matches, reductions ---===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As the PTX manual defines them ("Parallel Synchronization and Communication
// Instructions"). Of all these, only barriers order accesses to memory.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <cmath>
#include <cstring>

using namespace autosage::simt;

static Machine &machine() { return *currentMachine(); }

template <typename Fn> static void forEachLane(uint32_t lanes, Fn &&fn) {
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    if (lanes >> lane & 1)
      fn(lane);
}

static Request makeRequest(void (*complete)(uint32_t, Request *const *),
                           const char *name, int32_t kind, uint32_t mask,
                           uint64_t value, const char *site) {
  Request request;
  request.complete = complete;
  request.name = name;
  request.kind = kind;
  request.mask = mask;
  request.value = value;
  request.site = site;
  return request;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void autosage_simt_barrier(const char *site) { machine().barrier(site); }

uint32_t autosage_simt_barrier_reduce(int32_t kind, uint32_t predicate,
                                      const char *site) {
  Machine &m = machine();
  m.barrier(site, kind, predicate);
  return m.barrierResult;
}

static void completeSyncWarp(uint32_t lanes, Request *const *) {
  Machine &m = machine();
  Thread *first = &m.threads[m.current->warp() * warpSize];
  std::array<uint32_t, warpSize> seen{};
  forEachLane(lanes, [&](uint32_t lane) {
    for (uint32_t i = 0; i < warpSize; ++i)
      seen[i] = std::max(seen[i], first[lane].seen[i]);
    seen[lane] = std::max(seen[lane], first[lane].clock);
  });
  forEachLane(lanes, [&](uint32_t lane) {
    first[lane].seen = seen;
    ++first[lane].clock;
  });
}

void autosage_simt_syncwarp(uint32_t mask, const char *site) {
  Request request =
      makeRequest(completeSyncWarp, "warp barrier", 0, mask, 0, site);
  // Lanes may come to it by different ways.
  request.sameSite = false;
  machine().collective(request);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

static const char *const shuffleNames[] = {"shuffle bfly", "shuffle up",
                                           "shuffle down", "shuffle idx"};

static void completeShuffle(uint32_t lanes, Request *const *requests) {
  forEachLane(lanes, [&](uint32_t index) {
    Request &request = *requests[index];
    auto lane = static_cast<int32_t>(index);
    auto offset = static_cast<int32_t>(request.offset & 31);
    auto clamp = static_cast<int32_t>(request.clamp & 31);
    auto segments = static_cast<int32_t>(request.clamp >> 8 & 31);
    int32_t most = (lane & segments) | (clamp & ~segments);
    int32_t from = 0;
    switch (request.kind) {
    case 0:
      from = lane ^ offset;
      break;
    case 1:
      from = lane - offset;
      break;
    case 2:
      from = lane + offset;
      break;
    default:
      from = (lane & segments) | (offset & ~segments);
      break;
    }
    request.flag = request.kind == 1 ? from >= most : from <= most;
    // The lane that is read, or 32 plus it where it does not take part: the
    // reader reports that in its own name.
    if (!request.flag)
      from = lane;
    bool active = lanes >> from & 1;
    request.offset = static_cast<uint32_t>(from) + (active ? 0 : warpSize);
    request.result = active ? static_cast<uint32_t>(requests[from]->value) : 0;
  });
}

uint32_t autosage_simt_shuffle(int32_t kind, uint32_t mask, uint32_t value,
                               uint32_t offset, uint32_t maskAndClamp,
                               uint8_t *valid, const char *site) {
  Machine &m = machine();
  Request request =
      makeRequest(completeShuffle, shuffleNames[kind], kind, mask, value, site);
  request.offset = offset;
  request.clamp = maskAndClamp;
  m.collective(request);
  if (request.offset >= warpSize)
    m.fault(AUTOSAGE_SIMT_COLLECTIVE,
            std::string(request.name) + " reads lane " +
                std::to_string(request.offset - warpSize) +
                ", which does not take part",
            site);
  if (valid)
    *valid = request.flag;
  return request.result;
}

//===----------------------------------------------------------------------===//
// Votes, matches, reductions
//===----------------------------------------------------------------------===//

static void completeVote(uint32_t lanes, Request *const *requests) {
  uint32_t ballot = 0;
  forEachLane(lanes, [&](uint32_t lane) {
    ballot |= (requests[lane]->value ? 1u : 0u) << lane;
  });
  forEachLane(lanes, [&](uint32_t lane) {
    Request &request = *requests[lane];
    switch (request.kind) {
    case 0:
      request.result = ballot != 0;
      break;
    case 1:
      request.result = ballot == lanes;
      break;
    case 2:
      request.result = ballot;
      break;
    default:
      request.result = ballot == 0 || ballot == lanes;
      break;
    }
  });
}

uint32_t autosage_simt_vote(int32_t kind, uint32_t mask, uint32_t predicate,
                            const char *site) {
  Request request =
      makeRequest(completeVote, "vote", kind, mask, predicate, site);
  machine().collective(request);
  return request.result;
}

static void completeMatch(uint32_t lanes, Request *const *requests) {
  forEachLane(lanes, [&](uint32_t lane) {
    Request &request = *requests[lane];
    uint32_t same = 0;
    forEachLane(lanes, [&](uint32_t other) {
      same |= (requests[other]->value == request.value ? 1u : 0u) << other;
    });
    request.flag = same == lanes;
    request.result = request.kind == 0 || request.flag ? same : 0;
  });
}

uint32_t autosage_simt_match(int32_t kind, uint32_t mask, uint64_t value,
                             uint8_t *all, const char *site) {
  Request request =
      makeRequest(completeMatch, "match", kind, mask, value, site);
  machine().collective(request);
  if (all)
    *all = request.flag;
  return request.result;
}

static float toFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
static uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// fmin (9) and fmax (10), with the flags abs (1) and nan (2).
static uint32_t reduceFloat(int32_t kind, uint32_t a, uint32_t b,
                            int32_t flags) {
  float x = toFloat(a), y = toFloat(b);
  if (flags & 1) {
    x = std::fabs(x);
    y = std::fabs(y);
  }
  if ((flags & 2) && (std::isnan(x) || std::isnan(y)))
    return 0x7fffffff; // the canonical NaN of PTX
  return toBits(kind == 9 ? std::fmin(x, y) : std::fmax(x, y));
}

static uint32_t reduce(int32_t kind, uint32_t a, uint32_t b, int32_t flags) {
  auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
  switch (kind) {
  case 1:
    return a + b;
  case 2:
    return a & b;
  case 3:
    return x > y ? a : b;
  case 4:
    return x < y ? a : b;
  case 5:
    return a | b;
  case 6:
    return std::max(a, b);
  case 7:
    return std::min(a, b);
  case 8:
    return a ^ b;
  default:
    return reduceFloat(kind, a, b, flags);
  }
}

static void completeRedux(uint32_t lanes, Request *const *requests) {
  bool first = true;
  uint32_t result = 0;
  forEachLane(lanes, [&](uint32_t lane) {
    auto value = static_cast<uint32_t>(requests[lane]->value);
    auto flags = static_cast<int32_t>(requests[lane]->offset);
    int32_t kind = requests[lane]->kind;
    if (first && kind >= 9)
      value = reduceFloat(kind, value, value, flags);
    result = first ? value : reduce(kind, result, value, flags);
    first = false;
  });
  forEachLane(lanes, [&](uint32_t lane) { requests[lane]->result = result; });
}

uint32_t autosage_simt_redux(int32_t kind, uint32_t mask, uint32_t value,
                             int32_t flags, const char *site) {
  Request request =
      makeRequest(completeRedux, "reduction", kind, mask, value, site);
  request.offset = static_cast<uint32_t>(flags);
  machine().collective(request);
  return request.result;
}

static void completeElect(uint32_t lanes, Request *const *requests) {
  bool first = true;
  forEachLane(lanes, [&](uint32_t lane) {
    requests[lane]->result = first;
    first = false;
  });
}

uint32_t autosage_simt_elect(uint32_t mask, const char *site) {
  Request request = makeRequest(completeElect, "elect", 0, mask, 0, site);
  machine().collective(request);
  return request.result;
}

uint32_t autosage_simt_activemask(void) {
  Machine &m = machine();
  return m.warps[m.current->warp()].live;
}
