//===- Buffers.cpp - memory that kernels may access -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

#include "Machine.h"

using namespace autosage::simt;

Buffers &Buffers::instance() {
  // Never destroyed: static objects of the host may still free device memory.
  static Buffers *buffers = new Buffers;
  return *buffers;
}

bool Buffers::add(uintptr_t begin, int64_t bytes, std::string name,
                  bool readOnly, bool owned) {
  if (bytes <= 0)
    return bytes == 0;
  uintptr_t end = begin + static_cast<uintptr_t>(bytes);
  if (end < begin)
    return false;
  auto next = byBegin.lower_bound(begin);
  if (next != byBegin.end() && next->first < end)
    return false;
  if (next != byBegin.begin() && std::prev(next)->second->end > begin)
    return false;
  auto buffer = std::make_unique<Buffer>();
  buffer->begin = begin;
  buffer->end = end;
  buffer->name = std::move(name);
  buffer->readOnly = readOnly;
  buffer->owned = owned;
  byBegin.emplace(begin, std::move(buffer));
  return true;
}

Buffer *Buffers::at(uintptr_t begin) {
  auto found = byBegin.find(begin);
  return found == byBegin.end() ? nullptr : found->second.get();
}

void Buffers::remove(uintptr_t begin) { byBegin.erase(begin); }

Buffer *Buffers::find(uintptr_t address) {
  auto next = byBegin.upper_bound(address);
  if (next == byBegin.begin())
    return nullptr;
  Buffer *buffer = std::prev(next)->second.get();
  return address < buffer->end ? buffer : nullptr;
}

const Buffer *Buffers::nearest(uintptr_t address) const {
  auto next = byBegin.upper_bound(address);
  const Buffer *above = next == byBegin.end() ? nullptr : next->second.get();
  if (next == byBegin.begin())
    return above;
  const Buffer *below = std::prev(next)->second.get();
  // Within the buffer the distance would wrap.
  if (!above || address < below->end ||
      address - below->end <= above->begin - address)
    return below;
  return above;
}

bool autosage::simt::checkBuffer(const char *call, const char *name,
                                 const void *data, uint64_t bytes,
                                 bool written) {
  auto address = reinterpret_cast<uintptr_t>(data);
  Buffers &buffers = Buffers::instance();
  std::lock_guard<std::mutex> guard(buffers.lock);
  const Buffer *buffer = buffers.find(address);
  if (buffer && bytes <= buffer->end - address &&
      !(written && buffer->readOnly))
    return true;
  setError(AUTOSAGE_SIMT_OUT_OF_BOUNDS,
           std::string(call) + " expects " + std::to_string(bytes) +
               " bytes of a buffer as " + name + ", got " +
               (!buffer ? "an address in no known buffer"
                : written && buffer->readOnly
                    ? "buffer '" + buffer->name + "', which is read-only"
                    : std::to_string(buffer->end - address) +
                          " bytes up to the end of buffer '" + buffer->name +
                          "'"));
  return false;
}
