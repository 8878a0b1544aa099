//===- Npz.cpp - fuzz target of the .npz reader ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes that do not begin as a zip archive are taken for the members of one:
// for each, a byte that picks the name, two that give the length, and the
// contents. The archive that the target then writes has right checksums, where
// a mutated one has not, so that what is behind them is reached as well.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Readers.h"

using namespace autosage;
using namespace autosage::fuzz;

static uint32_t checksum(std::string_view bytes) {
  uint32_t crc = ~uint32_t(0);
  for (char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0u);
  }
  return ~crc;
}

template <typename T> static void append(std::string &out, T value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof(T));
}

/// A stored archive of the members that `bytes` describes.
static std::string archiveOf(std::string_view bytes) {
  static constexpr std::string_view names[] = {
      "format.npy",     "indptr.npy",    "indices.npy",     "shape.npy",
      "data.npy",       "rowptr.npy",    "colind.npy",      "values.npy",
      "adj_indptr.npy", "adj_shape.npy", "adj_indices.npy", "adj_data.npy"};
  std::string out, directory;
  uint16_t count = 0;
  while (bytes.size() >= 3) {
    std::string_view name =
        names[static_cast<unsigned char>(bytes[0]) % std::size(names)];
    size_t length = static_cast<unsigned char>(bytes[1]) |
                    static_cast<size_t>(static_cast<unsigned char>(bytes[2]))
                        << 8;
    std::string_view contents = bytes.substr(3, length);
    bytes.remove_prefix(3 + contents.size());

    std::string common;
    append<uint32_t>(common, 20);         // version, no flags
    append<uint16_t>(common, 0);          // stored
    append<uint32_t>(common, 0x00210000); // 1980-01-01
    append<uint32_t>(common, checksum(contents));
    append<uint32_t>(common, static_cast<uint32_t>(contents.size()));
    append<uint32_t>(common, static_cast<uint32_t>(contents.size()));
    append<uint32_t>(common, static_cast<uint32_t>(name.size()));
    directory += "PK\x01\x02";
    append<uint16_t>(directory, 20);
    directory += common;
    directory.append(10, '\0'); // comment, disk, attributes
    append<uint32_t>(directory, static_cast<uint32_t>(out.size()));
    directory += name;
    out += "PK\x03\x04";
    out += common;
    out += name;
    out += contents;
    ++count;
  }
  uint32_t directoryAt = static_cast<uint32_t>(out.size());
  out += directory;
  out += "PK\x05\x06";
  append<uint32_t>(out, 0);
  append<uint16_t>(out, count);
  append<uint16_t>(out, count);
  append<uint32_t>(out, static_cast<uint32_t>(directory.size()));
  append<uint32_t>(out, directoryAt);
  append<uint16_t>(out, 0);
  return out;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes = toText(data, size);
  std::string archive;
  if (!io::looksLikeZip(bytes)) {
    archive = archiveOf(bytes);
    bytes = archive;
  }
  io::Input input(bytes);
  expectErrorOrValid(io::readNpz(input, "a.npz"), "a.npz");
  return 0;
}
