//===- RawReader.cpp - raw CSR files to graphs ----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "RawFormat.h"
#include "Readers.h"

#include <cstring>

namespace autosage::io {

bool looksLikeRaw(std::string_view head) {
  int64_t magic = 0;
  if (head.size() < sizeof(magic))
    return false;
  std::memcpy(&magic, head.data(), sizeof(magic));
  return magic == raw::plainMagic || magic == raw::extendedMagic;
}

namespace {

/// Where the arrays lie, from the header alone.
struct Sections {
  IndexType rowptrType = IndexType::i32;
  IndexType colindType = IndexType::i32;
  int64_t valueBytes = 0;
  int64_t rowptrAt = 0, colindAt = 0, valuesAt = 0, end = 0;
};

} // namespace

/// Moves `at` behind `count` elements and to the next multiple of `alignment`.
/// False where that passes 64 bits.
static bool advance(int64_t &at, int64_t count, int64_t elementBytes,
                    int64_t alignment) {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(count, elementBytes, &bytes) ||
      __builtin_add_overflow(at, bytes, &at) ||
      __builtin_add_overflow(at, alignment - 1, &at))
    return false;
  at -= at % alignment;
  return true;
}

static Status readExtension(const Input &input, const std::string &name,
                            Sections &sections) {
  raw::Extension extension;
  constexpr int64_t at = sizeof(raw::Header);
  if (input.size() < at + static_cast<int64_t>(sizeof(extension)))
    return offsetError(name, input.size(),
                       "expects an extended header of 48 bytes, got the end "
                       "of the file");
  if (Status s = input.read(at, &extension, sizeof(extension)); !s)
    return s;
  if (extension.version != raw::extendedVersion)
    return offsetError(name, at,
                       "expects version 1, got " +
                           std::to_string(extension.version));
  auto indexType = [](uint8_t bytes, IndexType &type) {
    type = bytes == 4 ? IndexType::i32 : IndexType::i64;
    return bytes == 4 || bytes == 8;
  };
  if (!indexType(extension.rowptrBytes, sections.rowptrType))
    return offsetError(name, at + 4,
                       "expects positions of 4 or 8 bytes, got " +
                           std::to_string(extension.rowptrBytes));
  if (!indexType(extension.colindBytes, sections.colindType))
    return offsetError(name, at + 5,
                       "expects columns of 4 or 8 bytes, got " +
                           std::to_string(extension.colindBytes));
  if (extension.valueType > raw::f64Values)
    return offsetError(name, at + 6,
                       "expects value type 0 (none), 1 (f32) or 2 (f64), got " +
                           std::to_string(extension.valueType));
  sections.valueBytes = 4 * extension.valueType;
  if (extension.flags != 0 || extension.reserved != 0)
    return offsetError(name, at + 7, "expects reserved bytes to be 0");
  sections.rowptrAt = at + static_cast<int64_t>(sizeof(extension));
  return Status::success();
}

/// Computes where the arrays lie and that the file is exactly as long.
static Result<Sections> findSections(const Input &input,
                                     const std::string &name,
                                     const raw::Header &header) {
  Sections sections;
  int64_t alignment = 1;
  if (header.magic == raw::extendedMagic) {
    alignment = raw::alignment;
    if (Status s = readExtension(input, name, sections); !s)
      return Error{s.error()};
  } else {
    sections.rowptrAt = sizeof(raw::Header);
    if (header.nnz >= raw::plainWideFrom)
      sections.rowptrType = IndexType::i64;
  }

  int64_t at = sections.rowptrAt;
  bool fits =
      advance(at, header.rows + 1, sizeOf(sections.rowptrType), alignment);
  sections.colindAt = at;
  fits =
      fits && advance(at, header.nnz, sizeOf(sections.colindType), alignment);
  sections.valuesAt = at;
  fits = fits && advance(at, header.nnz, sections.valueBytes, alignment);
  sections.end = at;
  std::string sizes = std::to_string(header.rows) + " rows and " +
                      std::to_string(header.nnz) + " entries";
  if (!fits)
    return offsetError(name, 8, sizes + " are out of range");
  if (sections.end != input.size())
    return fileError(name, "expects " + std::to_string(sections.end) +
                               " bytes for " + sizes + ", got " +
                               std::to_string(input.size()));
  return sections;
}

template <typename T>
static Result<std::vector<T>> readArray(const Input &input, int64_t at,
                                        int64_t count) {
  std::vector<T> out(static_cast<size_t>(count));
  if (Status s =
          input.read(at, out.data(), count * static_cast<int64_t>(sizeof(T)));
      !s)
    return Error{s.error()};
  return out;
}

static Status readIndices(const Input &input, int64_t at, int64_t count,
                          IndexType type, IndexArray &out) {
  if (type == IndexType::i32) {
    Result<std::vector<int32_t>> values = readArray<int32_t>(input, at, count);
    if (!values)
      return Error{values.error()};
    out = IndexArray(std::move(*values));
  } else {
    Result<std::vector<int64_t>> values = readArray<int64_t>(input, at, count);
    if (!values)
      return Error{values.error()};
    out = IndexArray(std::move(*values));
  }
  return Status::success();
}

static Result<Graph> readRawGraph(const Input &input, const std::string &name) {
  raw::Header header;
  if (input.size() < static_cast<int64_t>(sizeof(header.magic)))
    return fileError(name, "not a raw CSR file, expects a header of 32 bytes, "
                           "got " +
                               std::to_string(input.size()));
  if (Status s = input.read(0, &header.magic, sizeof(header.magic)); !s)
    return Error{s.error()};
  if (header.magic != raw::plainMagic && header.magic != raw::extendedMagic)
    return offsetError(name, 0,
                       "not a raw CSR file, expects the magic 'CSR1' or "
                       "'CSR2' and 4 zero bytes");
  if (input.size() < static_cast<int64_t>(sizeof(header)))
    return offsetError(name, input.size(),
                       "expects a header of 32 bytes, got the end of the file");
  if (Status s = input.read(0, &header, sizeof(header)); !s)
    return Error{s.error()};
  if (Status s = checkShape(name, header.rows, header.cols); !s)
    return Error{s.error()};
  if (header.nnz < 0)
    return offsetError(name, 24,
                       "expects an entry count of at least 0, got " +
                           std::to_string(header.nnz));

  // The file is as long as the header says, so that what follows allocates no
  // more than the file holds.
  Result<Sections> sections = findSections(input, name, header);
  if (!sections)
    return Error{sections.error()};
  Graph graph;
  graph.csr.rows = header.rows;
  graph.csr.cols = header.cols;
  if (Status s = readIndices(input, sections->rowptrAt, header.rows + 1,
                             sections->rowptrType, graph.csr.rowptr);
      !s)
    return Error{s.error()};
  if (Status s = readIndices(input, sections->colindAt, header.nnz,
                             sections->colindType, graph.csr.colind);
      !s)
    return Error{s.error()};
  if (sections->valueBytes == 8) {
    Result<std::vector<double>> values =
        readArray<double>(input, sections->valuesAt, header.nnz);
    if (!values)
      return Error{values.error()};
    graph.values = std::move(*values);
  } else if (sections->valueBytes == 4) {
    Result<std::vector<float>> values =
        readArray<float>(input, sections->valuesAt, header.nnz);
    if (!values)
      return Error{values.error()};
    graph.values.emplace(values->begin(), values->end());
  }
  return finishGraph(name, std::move(graph));
}

Result<Graph> readRaw(Input &input, const std::string &name) {
  return guarded(name, [&] { return readRawGraph(input, name); });
}

Result<Graph> readRaw(const std::string &path) {
  Result<Input> input = Input::open(path);
  if (!input)
    return Error{input.error()};
  return readRaw(*input, path);
}

} // namespace autosage::io
