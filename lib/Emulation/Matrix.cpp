//===- Matrix.cpp - ldmatrix, stmatrix, mma -------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments are laid out as the PTX manual draws them ("Matrix Fragments for
// mma"). Products and sums are computed in f64 and rounded once: at least as
// exact as the hardware, which rounds in between in a way that is not
// documented.
//
//===----------------------------------------------------------------------===//

#include "Bits.h"
#include "Machine.h"
#include "autosage/Core/Half.h"

#include <cmath>
#include <cstring>

using namespace autosage;
using namespace autosage::simt;

static constexpr uint32_t fullWarp = ~0u;

static void needFullWarp(Machine &machine, const char *name, const char *site) {
  uint32_t live = machine.warps[machine.current->warp()].live;
  if (live != fullWarp)
    machine.fault(AUTOSAGE_SIMT_COLLECTIVE,
                  std::string(name) + " expects all 32 lanes, got " +
                      std::to_string(__builtin_popcount(live)),
                  site);
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix
//===----------------------------------------------------------------------===//

/// Calls fn(lane, matrix, half, address) for each 16-bit element: the half of a
/// register of a lane, and where it lies.
template <typename Fn>
static void forEachElement(Request *const *requests, Fn &&fn) {
  int32_t count = requests[0]->kind & 7;
  bool transposed = requests[0]->kind & 8;
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    for (int32_t matrix = 0; matrix < count; ++matrix)
      for (uint32_t half = 0; half < 2; ++half) {
        uint32_t row = lane / 4, column = lane % 4 * 2 + half;
        if (transposed)
          std::swap(row, column);
        const auto *base = static_cast<const uint16_t *>(
            requests[static_cast<uint32_t>(matrix) * 8 + row]->operands[0]);
        fn(lane, matrix, half, const_cast<uint16_t *>(base) + column);
      }
}

static void completeLoad(uint32_t, Request *const *requests) {
  forEachElement(requests, [&](uint32_t lane, int32_t matrix, uint32_t half,
                               uint16_t *at) {
    uint32_t &reg = static_cast<uint32_t *>(requests[lane]->out)[matrix];
    reg = half ? reg | static_cast<uint32_t>(*at) << 16 : *at;
  });
}

static void completeStore(uint32_t, Request *const *requests) {
  forEachElement(requests, [&](uint32_t lane, int32_t matrix, uint32_t half,
                               uint16_t *at) {
    uint32_t reg =
        static_cast<const uint32_t *>(requests[lane]->operands[1])[matrix];
    *at = static_cast<uint16_t>(half ? reg >> 16 : reg);
  });
}

/// The access to the row whose address this lane gives. Lanes beyond the
/// matrices' rows give none.
static void checkRow(Machine &machine, const void *row, int32_t count,
                     int32_t kind, const char *site) {
  constexpr int32_t align16 = 4 << 16;
  if ((kind & AUTOSAGE_SIMT_CHECK_ALL) &&
      machine.current->lane() < static_cast<uint32_t>(count) * 8)
    machine.access(reinterpret_cast<uintptr_t>(row), 16, kind | align16, site);
}

void autosage_simt_ldmatrix(const void *row, int32_t count, int32_t transposed,
                            uint32_t *registers, int32_t checks,
                            const char *site) {
  Machine &machine = *currentMachine();
  needFullWarp(machine, "ldmatrix", site);
  checkRow(machine, row, count, checks | AUTOSAGE_SIMT_READ, site);
  Request request;
  request.complete = completeLoad;
  request.name = "ldmatrix";
  request.kind = count | (transposed ? 8 : 0);
  request.mask = fullWarp;
  request.site = site;
  request.operands[0] = row;
  request.out = registers;
  machine.collective(request);
}

void autosage_simt_stmatrix(void *row, int32_t count, int32_t transposed,
                            const uint32_t *registers, int32_t checks,
                            const char *site) {
  Machine &machine = *currentMachine();
  needFullWarp(machine, "stmatrix", site);
  checkRow(machine, row, count, checks | AUTOSAGE_SIMT_WRITE, site);
  Request request;
  request.complete = completeStore;
  request.name = "stmatrix";
  request.kind = count | (transposed ? 8 : 0);
  request.mask = fullWarp;
  request.site = site;
  request.operands[0] = row;
  request.operands[1] = registers;
  machine.collective(request);
}

//===----------------------------------------------------------------------===//
// mma m16n8
//===----------------------------------------------------------------------===//

namespace {
struct Matrices {
  double a[16][16], b[16][8];
  float c[16][8];
};
enum Type { f16, bf16, tf32 };
} // namespace

static float element(int32_t type, const uint32_t *registers, uint32_t i) {
  if (type == tf32)
    return bitsToFloat(registers[i] & 0xffffe000u); // the other bits are unused
  uint32_t reg = registers[i / 2];
  auto bits = static_cast<uint16_t>(i & 1 ? reg >> 16 : reg);
  return type == f16 ? float(Float16::ofBits(bits))
                     : float(BFloat16::ofBits(bits));
}

static void gather(const Request &request, uint32_t lane, Matrices &m) {
  int32_t type = request.kind & 3;
  uint32_t k = static_cast<uint32_t>(request.kind) >> 8;
  uint32_t group = lane / 4, in = lane % 4;
  auto *a = static_cast<const uint32_t *>(request.operands[0]);
  auto *b = static_cast<const uint32_t *>(request.operands[1]);
  auto *c = static_cast<const uint32_t *>(request.operands[2]);
  if (type == tf32) {
    for (uint32_t i = 0; i < k / 2; ++i)
      m.a[group + (i & 1) * 8][in + i / 2 * 4] = element(type, a, i);
    for (uint32_t i = 0; i < k / 4; ++i)
      m.b[in + i * 4][group] = element(type, b, i);
  } else {
    for (uint32_t i = 0; i < k / 2; ++i)
      m.a[group + (i / 2 & 1) * 8][in * 2 + (i & 1) + i / 4 * 8] =
          element(type, a, i);
    for (uint32_t i = 0; i < k / 4; ++i)
      m.b[in * 2 + (i & 1) + i / 2 * 8][group] = element(type, b, i);
  }
  bool half = request.kind & 4;
  for (uint32_t i = 0; i < 4; ++i)
    m.c[group + i / 2 * 8][in * 2 + (i & 1)] =
        half ? element(f16, c, i) : bitsToFloat(c[i]);
}

static void completeMma(uint32_t, Request *const *requests) {
  Matrices m;
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    gather(*requests[lane], lane, m);
  uint32_t k = static_cast<uint32_t>(requests[0]->kind) >> 8;
  bool half = requests[0]->kind & 4;
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    auto *d = static_cast<uint32_t *>(requests[lane]->out);
    for (uint32_t i = 0; i < 4; ++i) {
      uint32_t row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + (i & 1);
      double sum = m.c[row][column];
      for (uint32_t p = 0; p < k; ++p)
        sum += m.a[row][p] * m.b[p][column];
      if (!half) {
        d[i] = floatToBits(static_cast<float>(sum));
        continue;
      }
      // The NaN of PTX, whatever the operands' were.
      uint32_t bits = std::isnan(sum) ? 0x7fffu : Float16(sum).bits;
      d[i / 2] = i & 1 ? d[i / 2] | bits << 16 : bits;
    }
  }
}

void autosage_simt_mma(int32_t type, int32_t k, int32_t halfAccumulator,
                       const uint32_t *a, const uint32_t *b, const uint32_t *c,
                       uint32_t *d, const char *site) {
  Machine &machine = *currentMachine();
  needFullWarp(machine, "mma", site);
  Request request;
  request.complete = completeMma;
  request.name = "mma";
  request.kind = type | (halfAccumulator ? 4 : 0) | k << 8;
  request.mask = fullWarp;
  request.site = site;
  request.operands[0] = a;
  request.operands[1] = b;
  request.operands[2] = c;
  request.out = d;
  machine.collective(request);
}
