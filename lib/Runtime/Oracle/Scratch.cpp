//===- Scratch.cpp - operands that a probe owns ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"

#include "../Kernel/Stopwatch.h"

#include "autosage/Core/Half.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <type_traits>

using namespace autosage;
using namespace autosage::runtime;

static constexpr int64_t blockElements = int64_t{1} << 18;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The host's pages come when they are touched: giving them back takes a tenth
/// of filling them for the first time, at most so much of it.
static constexpr double freeingShare = 0.15;

void Memory::release() {
  for (void *pointer : pointers)
    if (api)
      api->free(pointer);
    else
      std::free(pointer);
  pointers.clear();
  staging = nullptr;
  stagingBytes = 0;
  allocatedBytes = allocationMs = 0;
}

double Memory::releaseMs() const {
  // A device maps at once, and takes as long to undo that.
  if (api || filledBytes == 0)
    return allocationMs;
  return allocationMs + freeingShare * fillingMs * allocatedBytes / filledBytes;
}

void *Memory::alloc(int64_t bytes) {
  if (bytes <= 0)
    return nullptr;
  auto size = static_cast<size_t>(bytes + 255) / 256 * 256;
  Stopwatch allocating;
  void *pointer = api ? api->alloc(bytes) : std::aligned_alloc(256, size);
  allocationMs += allocating.milliseconds();
  allocatedBytes += static_cast<double>(bytes);
  if (pointer)
    pointers.push_back(pointer);
  return pointer;
}

void Memory::copyIn(void *to, const void *fromHost, int64_t bytes) {
  if (bytes <= 0)
    return;
  if (api)
    api->upload(to, fromHost, bytes);
  else
    std::memcpy(to, fromHost, static_cast<size_t>(bytes));
}

void Memory::copyOut(void *toHost, const void *from, int64_t bytes) {
  if (bytes <= 0)
    return;
  if (api)
    api->download(toHost, from, bytes);
  else
    std::memcpy(toHost, from, static_cast<size_t>(bytes));
}

void Memory::copyOut(char *toHost, const std::vector<Piece> &pieces) {
  if (!api || pieces.size() < 2) {
    for (const Piece &piece : pieces)
      copyOut(toHost + piece.at, piece.from, piece.bytes);
    return;
  }
  int64_t all = pieces.back().at + pieces.back().bytes;
  if (all > stagingBytes) {
    staging = alloc(all);
    stagingBytes = staging ? all : 0;
    if (!staging)
      return; // the device's error says so
  }
  for (const Piece &piece : pieces)
    api->copy(static_cast<char *>(staging) + piece.at, piece.from, piece.bytes);
  copyOut(static_cast<void *>(toHost), staging, all);
}

void Memory::fill(void *to, int64_t bytes, const std::vector<char> &block) {
  auto *out = static_cast<char *>(to);
  int64_t done = std::min(bytes, static_cast<int64_t>(block.size()));
  Stopwatch filling;
  copyIn(out, block.data(), done);
  if (!api) {
    for (; done < bytes; done += static_cast<int64_t>(block.size()))
      std::memcpy(out + done, block.data(),
                  static_cast<size_t>(std::min(
                      bytes - done, static_cast<int64_t>(block.size()))));
    filledBytes += static_cast<double>(bytes);
    fillingMs += filling.milliseconds();
    return;
  }
  // On the device, what is there is doubled.
  while (done < bytes) {
    int64_t more = std::min(done, bytes - done);
    api->copy(out + done, out, more);
    done += more;
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

namespace {
/// SplitMix64: small, and good enough for numbers that mean nothing.
struct Random {
  uint64_t state;
  double next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1p-52 - 1;
  }
};
} // namespace

template <typename T>
static std::vector<char> blockOf(Random &random, int64_t elements,
                                 double offset) {
  std::vector<char> block(static_cast<size_t>(elements) * sizeof(T));
  for (int64_t i = 0; i < elements; ++i) {
    T value(static_cast<float>(offset + random.next()));
    std::memcpy(block.data() + static_cast<size_t>(i) * sizeof(T), &value,
                sizeof(T));
  }
  return block;
}

static std::vector<char> blockOf(DType dtype, uint64_t seed, int64_t elements,
                                 double offset = 0) {
  Random random{seed};
  switch (dtype) {
  case DType::f64:
    return blockOf<double>(random, elements, offset);
  case DType::f16:
    return blockOf<Float16>(random, elements, offset);
  case DType::bf16:
    return blockOf<BFloat16>(random, elements, offset);
  case DType::f32:
    break;
  }
  return blockOf<float>(random, elements, offset);
}

template <typename T>
static void append(std::vector<double> &to, const char *bytes, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, bytes + static_cast<size_t>(i) * sizeof value,
                sizeof value);
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
      to.push_back(value);
    else
      to.push_back(static_cast<float>(value));
  }
}

static void append(std::vector<double> &to, const char *bytes, int64_t count,
                   DType dtype) {
  switch (dtype) {
  case DType::f64:
    return append<double>(to, bytes, count);
  case DType::f16:
    return append<Float16>(to, bytes, count);
  case DType::bf16:
    return append<BFloat16>(to, bytes, count);
  case DType::f32:
    break;
  }
  append<float>(to, bytes, count);
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

/// The workspace is the plan's own.
template <typename Fn>
static void visit(Operands &operands, ArgumentKind kind, Fn &&fn) {
  if (kind != ArgumentKind::workspace)
    visitOperand(operands, kind, fn);
}

Scratch::Scratch(Memory &memory, const KernelSpec &spec, const Operands &shapes)
    : memory(memory), spec(spec), arguments(signatureOf(spec)),
      operands(shapes),
      // All bits set are a NaN in every format.
      poison(static_cast<size_t>(blockElements), static_cast<char>(0xff)) {
  operands.workspace.data = nullptr;
}

template <typename T> static int64_t bytesOf(const T &dense, DType dtype) {
  return dense.rows * dense.stride() * sizeOf(dtype);
}

/// The log-sum-exp of logits that are made of such numbers, about: weights that
/// follow from it are as large as weights are.
static double likelyLse(const KernelSpec &spec, const CsrView &pattern) {
  double features = static_cast<double>(std::max<int64_t>(spec.features, 1));
  double variance = 2.0 / 3; // of a sum of two of them
  if (spec.score == Score::dot)
    variance = features / 9;
  else if (spec.score == Score::gatv2)
    variance = features * 2 / 9;
  variance *= spec.scale * spec.scale;
  double mean = static_cast<double>(pattern.nnz()) /
                static_cast<double>(std::max<int64_t>(pattern.rows, 1));
  return std::log(std::max(mean, 1.0)) + variance / 2;
}

Status Scratch::allocate() {
  Status status = Status::success();
  uint64_t seed = 1;
  for (const Argument &arg : arguments)
    visit(operands, arg.kind, [&](auto &dense) {
      int64_t bytes = bytesOf(dense, arg.dtype);
      void *data = memory.alloc(bytes);
      if (!data && bytes > 0 && status)
        status =
            Error{"expects " + std::to_string(bytes) + " bytes for a copy of " +
                  std::string(arg.name) + ", got none"};
      if (data && !arg.output)
        memory.fill(data, bytes,
                    blockOf(arg.dtype, seed++,
                            std::min(blockElements, bytes / sizeOf(arg.dtype)),
                            arg.kind == ArgumentKind::lse
                                ? likelyLse(spec, operands.a)
                                : 0));
      dense.data = data;
    });
  return status;
}

Result<std::unique_ptr<Scratch>>
Scratch::make(Memory &memory, const KernelSpec &spec, const Operands &shapes) {
  std::unique_ptr<Scratch> scratch(new Scratch(memory, spec, shapes));
  if (Status status = scratch->allocate(); !status)
    return Error{status.error()};
  return scratch;
}

static Operands cut(const std::vector<Argument> &arguments,
                    const Operands &whole, const CsrView &pattern) {
  Operands part = whole;
  part.a = pattern;
  for (const Argument &arg : arguments)
    visitOperand(part, arg.kind, [&](auto &dense) {
      switch (arg.extent) {
      case Extent::rows:
        dense.rows = pattern.rows;
        break;
      case Extent::cols:
        dense.rows = pattern.cols;
        break;
      case Extent::nnz:
        dense.rows = pattern.nnz();
        break;
      case Extent::heads:
      case Extent::none:
        break;
      }
    });
  return part;
}

Operands runtime::shapesFor(const KernelSpec &spec, const Operands &whole,
                            const CsrView &pattern) {
  return cut(signatureOf(spec), whole, pattern);
}

Operands Scratch::operandsFor(const CsrView &pattern) const {
  return cut(arguments, operands, pattern);
}

void Scratch::reset(const CsrView &pattern) {
  Operands part = operandsFor(pattern);
  for (const Argument &arg : arguments)
    if (arg.output)
      visit(part, arg.kind, [&](auto &dense) {
        if (!dense.data)
          return;
        int64_t bytes = bytesOf(dense, arg.dtype);
        memory.fill(
            const_cast<void *>(static_cast<const void *>(dense.data)), bytes,
            spec.accumulate
                ? blockOf(arg.dtype, 99,
                          std::min(blockElements, bytes / sizeOf(arg.dtype)))
                : poison);
      });
}

std::vector<std::vector<double>> Scratch::look(const CsrView &pattern,
                                               int64_t most) {
  constexpr int64_t mostPieces = 64;
  std::vector<std::vector<double>> out;
  Operands part = operandsFor(pattern);
  for (const Argument &arg : arguments) {
    if (!arg.output)
      continue;
    visit(part, arg.kind, [&](auto &dense) {
      std::vector<double> &numbers = out.emplace_back();
      if (!dense.data || dense.rows == 0)
        return;
      int64_t size = sizeOf(arg.dtype), stride = dense.stride();
      int64_t rowElements = std::max<int64_t>(dense.rowElements(), 1);
      // Pieces are of whole rows; what lies between rows is no result.
      int64_t rows = std::clamp<int64_t>(most / rowElements, 1, dense.rows);
      int64_t pieces = rows == dense.rows ? 1 : std::min(mostPieces, rows);
      int64_t each = rows / pieces;
      std::vector<char> bytes(
          static_cast<size_t>(pieces * each * stride * size));
      std::vector<Memory::Piece> copied;
      for (int64_t p = 0; p < pieces; ++p) {
        int64_t first =
            pieces == 1 ? 0 : (dense.rows - each) * p / (pieces - 1);
        // The last row may end before its stride does.
        int64_t count = (each - 1) * stride + dense.rowElements();
        copied.push_back(
            {static_cast<const char *>(dense.data) + first * stride * size,
             p * each * stride * size, count * size});
      }
      memory.copyOut(bytes.data(), copied);
      numbers.reserve(static_cast<size_t>(pieces * each * rowElements));
      for (int64_t row = 0; row < pieces * each; ++row)
        append(numbers, bytes.data() + row * stride * size, dense.rowElements(),
               arg.dtype);
    });
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static double toleranceOf(const KernelSpec &spec, int64_t longest) {
  double unit = spec.dtype == DType::f64 ? 0x1p-53 : 0x1p-24;
  double stored = spec.dtype == DType::f16    ? 0x1p-10
                  : spec.dtype == DType::bf16 ? 0x1p-7
                                              : 0;
  // Either may be off by so much from the truth (docs/semantics.md).
  return 2 * (stored + 16 * unit *
                           std::sqrt(static_cast<double>(
                               std::max<int64_t>(longest, 1))));
}

Status runtime::compareResults(const std::vector<std::vector<double>> &got,
                               const std::vector<std::vector<double>> &expected,
                               const KernelSpec &spec, int64_t longest) {
  // A wrong row among many right ones hardly moves the norm: single numbers
  // are looked at too.
  constexpr double single = 32;
  if (got.size() != expected.size())
    return Error{"expects as many outputs as the baseline has"};
  double tolerance = toleranceOf(spec, longest);
  for (size_t o = 0; o < got.size(); ++o) {
    const std::vector<double> &a = got[o], &b = expected[o];
    if (a.size() != b.size())
      return Error{"expects an output of " + std::to_string(b.size()) +
                   " numbers, got " + std::to_string(a.size())};
    double square = 0, difference = 0;
    int64_t finite = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      if (std::isfinite(b[i])) {
        square += b[i] * b[i];
        ++finite;
      }
      if (a[i] == b[i])
        continue;
      if (!std::isfinite(a[i]) || !std::isfinite(b[i]))
        return Error{"expects " + std::to_string(b[i]) + " at element " +
                     std::to_string(i) + " of those compared, got " +
                     std::to_string(a[i])};
      difference += (a[i] - b[i]) * (a[i] - b[i]);
    }
    double norm = std::sqrt(square);
    if (!(std::sqrt(difference) <= tolerance * norm))
      return Error{
          "expects a relative difference of at most " +
          std::to_string(tolerance) + ", got " +
          std::to_string(norm > 0 ? std::sqrt(difference) / norm : HUGE_VAL)};
    double rms = finite ? norm / std::sqrt(static_cast<double>(finite)) : 0;
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i] != b[i] && !(std::fabs(a[i] - b[i]) <=
                            single * tolerance * (rms + std::fabs(b[i]))))
        return Error{"expects " + std::to_string(b[i]) + " at element " +
                     std::to_string(i) + " of those compared, got " +
                     std::to_string(a[i])};
  }
  return Status::success();
}
