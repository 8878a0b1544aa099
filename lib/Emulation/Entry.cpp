//===- Entry.cpp - what kernels call: registers, memory, arithmetic -------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bits.h"
#include "Machine.h"

#include <chrono>
#include <cmath>

using namespace autosage::simt;

static Machine &machine() { return *currentMachine(); }

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

uint32_t autosage_simt_register(int32_t which) {
  const Machine &m = machine();
  const Thread &thread = *m.current;
  auto u32 = [](int64_t value) { return static_cast<uint32_t>(value); };
  uint32_t bit = 1u << thread.lane();
  switch (which) {
  case AUTOSAGE_SIMT_TID_X:
    return u32(thread.id.x);
  case AUTOSAGE_SIMT_TID_Y:
    return u32(thread.id.y);
  case AUTOSAGE_SIMT_TID_Z:
    return u32(thread.id.z);
  case AUTOSAGE_SIMT_NTID_X:
    return u32(m.block.x);
  case AUTOSAGE_SIMT_NTID_Y:
    return u32(m.block.y);
  case AUTOSAGE_SIMT_NTID_Z:
    return u32(m.block.z);
  case AUTOSAGE_SIMT_CTAID_X:
    return u32(m.blockId.x);
  case AUTOSAGE_SIMT_CTAID_Y:
    return u32(m.blockId.y);
  case AUTOSAGE_SIMT_CTAID_Z:
    return u32(m.blockId.z);
  case AUTOSAGE_SIMT_NCTAID_X:
    return u32(m.grid.x);
  case AUTOSAGE_SIMT_NCTAID_Y:
    return u32(m.grid.y);
  case AUTOSAGE_SIMT_NCTAID_Z:
    return u32(m.grid.z);
  case AUTOSAGE_SIMT_LANEID:
    return thread.lane();
  case AUTOSAGE_SIMT_WARPSIZE:
    return warpSize;
  case AUTOSAGE_SIMT_WARPID:
    return thread.warp();
  case AUTOSAGE_SIMT_NWARPID:
    return u32(static_cast<int64_t>(m.warps.size()));
  case AUTOSAGE_SIMT_SMID:
    return 0; // one multiprocessor runs all blocks
  case AUTOSAGE_SIMT_NSMID:
    return 1;
  case AUTOSAGE_SIMT_LANEMASK_EQ:
    return bit;
  case AUTOSAGE_SIMT_LANEMASK_LE:
    return bit | (bit - 1);
  case AUTOSAGE_SIMT_LANEMASK_LT:
    return bit - 1;
  case AUTOSAGE_SIMT_LANEMASK_GE:
    return ~(bit - 1);
  case AUTOSAGE_SIMT_LANEMASK_GT:
    return ~(bit | (bit - 1));
  default:
    return u32(m.dynamicBytes);
  }
}

uint64_t autosage_simt_clock(void) {
  return static_cast<uint64_t>(
      std::chrono::steady_clock::now().time_since_epoch().count());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *autosage_simt_shared(int64_t offset, int64_t bytes, const char *name) {
  return machine().declareShared(offset, bytes, name);
}

void *autosage_simt_shared_dynamic(void) {
  return machine().arena + staticArenaBytes;
}

void autosage_simt_declare_global(const void *pointer, int64_t bytes,
                                  const char *name, int32_t readOnly) {
  machine().declareGlobal(pointer, bytes, name, readOnly != 0);
}

void autosage_simt_check_access(const void *pointer, int64_t bytes,
                                int32_t kind, const char *site) {
  machine().access(reinterpret_cast<uintptr_t>(pointer), bytes, kind, site);
}

void autosage_simt_check_masked(const void *pointer, int64_t elementBytes,
                                uint64_t lanes, int32_t kind,
                                const char *site) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  for (; lanes; lanes >>= 1, address += static_cast<uintptr_t>(elementBytes))
    if (lanes & 1)
      machine().access(address, elementBytes, kind, site);
}

void autosage_simt_check_gather(const void *const *pointers,
                                int64_t elementBytes, uint64_t lanes,
                                int32_t kind, const char *site) {
  for (; lanes; lanes >>= 1, ++pointers)
    if (lanes & 1)
      machine().access(reinterpret_cast<uintptr_t>(*pointers), elementBytes,
                       kind, site);
}

void autosage_simt_cp_async(void *to, const void *from, int32_t bytes,
                            int32_t sourceBytes, int32_t checks,
                            const char *site) {
  if (sourceBytes < 0 || sourceBytes > bytes)
    machine().fault(AUTOSAGE_SIMT_BAD_ARGUMENT,
                    "asynchronous copy of " + std::to_string(bytes) +
                        " bytes expects at most as many from its source, got " +
                        std::to_string(sourceBytes),
                    site);
  machine().copyAsync({to, from, bytes, sourceBytes, checks, site});
}

void autosage_simt_cp_async_commit(void) { machine().commitCopies(); }

void autosage_simt_cp_async_wait(int32_t groups) {
  machine().waitForCopies(groups);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static float flush(float value, bool ftz) {
  return ftz && std::fpclassify(value) == FP_SUBNORMAL
             ? std::copysign(0.0f, value)
             : value;
}

float autosage_simt_approximate(int32_t function, int32_t ftz, float value) {
  double x = flush(value, ftz != 0), y = 0;
  switch (function) {
  case AUTOSAGE_SIMT_EX2:
    y = std::exp2(x);
    break;
  case AUTOSAGE_SIMT_LG2:
    y = std::log2(x);
    break;
  case AUTOSAGE_SIMT_RCP:
    y = 1 / x;
    break;
  case AUTOSAGE_SIMT_RSQRT:
    y = 1 / std::sqrt(x);
    break;
  case AUTOSAGE_SIMT_SQRT:
    y = std::sqrt(x);
    break;
  case AUTOSAGE_SIMT_SIN:
    y = std::sin(x);
    break;
  case AUTOSAGE_SIMT_COS:
    y = std::cos(x);
    break;
  default:
    y = std::tanh(x);
    break;
  }
  return flush(static_cast<float>(y), ftz != 0);
}

uint32_t autosage_simt_to_tf32(float value, int32_t away) {
  uint32_t bits = floatToBits(value);
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return (bits & 0xffffe000u) | (std::isnan(value) ? 0x400000u : 0);
  bits += away ? 0x1000u : 0xfffu + (bits >> 13 & 1);
  return bits & 0xffffe000u;
}

//===----------------------------------------------------------------------===//
// Traps
//===----------------------------------------------------------------------===//

void autosage_simt_trap(const char *site) {
  machine().fault(AUTOSAGE_SIMT_TRAP, "trap", site);
}

void autosage_simt_assert_fail(const char *message, const char *file,
                               uint32_t line, const char *, uint64_t) {
  machine().fault(AUTOSAGE_SIMT_TRAP,
                  "assertion failed: " + std::string(message),
                  (std::string(file) + ":" + std::to_string(line)).c_str());
}
