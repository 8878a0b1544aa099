//===- RawFormat.h - layout of raw CSR files --------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of docs/formats.md, section "Raw CSR". A new version of the
// extended layout gets a line in the version log there.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_IO_RAWFORMAT_H
#define AUTOSAGE_LIB_IO_RAWFORMAT_H

#include <cstdint>

namespace autosage::io::raw {

constexpr int64_t plainMagic = 0x31525343;    // "CSR1"
constexpr int64_t extendedMagic = 0x32525343; // "CSR2"
constexpr uint32_t extendedVersion = 1;
/// Plain files hold 64-bit positions from this many entries on.
constexpr int64_t plainWideFrom = int64_t(1) << 31;
/// Arrays of extended files start at multiples of this.
constexpr int64_t alignment = 8;

struct Header {
  int64_t magic;
  int64_t rows, cols, nnz;
};
static_assert(sizeof(Header) == 32, "the layout on disk");

enum ValueType : uint8_t { noValues = 0, f32Values = 1, f64Values = 2 };

/// Follows `Header` in extended files.
struct Extension {
  uint32_t version;
  uint8_t rowptrBytes; // 4 or 8
  uint8_t colindBytes; // 4 or 8
  uint8_t valueType;
  uint8_t flags;     // 0
  uint64_t reserved; // 0
};
static_assert(sizeof(Extension) == 16, "the layout on disk");

} // namespace autosage::io::raw

#endif // AUTOSAGE_LIB_IO_RAWFORMAT_H
