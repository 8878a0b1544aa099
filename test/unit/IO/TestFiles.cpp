//===- TestFiles.cpp - fixtures of the IO tests ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

#include "autosage/Core/Reference.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>

namespace autosage::io::test {

TempFile::TempFile(const std::string &extension, std::string_view bytes) {
  static int counter = 0;
  name = testing::TempDir() + "autosage-io-" + std::to_string(::getpid()) +
         "-" + std::to_string(counter++) + extension;
  rewrite(bytes);
}

TempFile::~TempFile() { std::remove(name.c_str()); }

void TempFile::rewrite(std::string_view bytes) const {
  // Removed first: some file systems flush a file that was truncated, which
  // would make the loops over thousands of files slow.
  std::remove(name.c_str());
  std::ofstream out(name, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(out.good()) << "cannot write " << name;
}

Bytes TempFile::contents() const {
  std::ifstream in(name, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

template <typename T> static void append(Bytes &out, T value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof(T));
}

Bytes npyWithHeader(std::string_view header, std::string_view data, int major) {
  Bytes out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += '\0';
  if (major == 1)
    append(out, static_cast<uint16_t>(header.size()));
  else
    append(out, static_cast<uint32_t>(header.size()));
  out += header;
  out += data;
  return out;
}

Bytes npy(std::string_view descr, std::string_view shape, std::string_view data,
          bool fortran) {
  Bytes header = "{'descr': '";
  header += descr;
  header += fortran ? "', 'fortran_order': True, 'shape': "
                    : "', 'fortran_order': False, 'shape': ";
  header += shape;
  header += ", }";
  header.append(64 - (header.size() + 11) % 64, ' ');
  header += '\n';
  return npyWithHeader(header, data);
}

static std::string shapeOf(size_t count) {
  return "(" + std::to_string(count) + ",)";
}
Bytes npyI32(const std::vector<int32_t> &values) {
  return npy("<i4", shapeOf(values.size()), bytesOf(values));
}
Bytes npyI64(const std::vector<int64_t> &values) {
  return npy("<i8", shapeOf(values.size()), bytesOf(values));
}
Bytes npyF64(const std::vector<double> &values) {
  return npy("<f8", shapeOf(values.size()), bytesOf(values));
}

Bytes zipOf(const Members &members, bool deflated) {
  TempFile file(".zip");
  zip_t *archive =
      zip_open(file.path().c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  EXPECT_NE(archive, nullptr);
  for (auto &[member, contents] : members) {
    zip_source_t *source =
        zip_source_buffer(archive, contents.data(), contents.size(), 0);
    zip_int64_t index = zip_file_add(archive, member.c_str(), source, 0);
    EXPECT_GE(index, 0);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                             deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  EXPECT_EQ(zip_close(archive), 0);
  return file.contents();
}

Bytes zip64Of(const Members &members) {
  constexpr uint32_t elsewhere = 0xFFFFFFFF; // "see the zip64 field"
  constexpr uint16_t version = 45, zip64Tag = 1;
  Bytes out, directory;
  for (const auto &entry : members) {
    const std::string &member = entry.first;
    const Bytes &contents = entry.second;
    auto crc = static_cast<uint32_t>(
        crc32(0, reinterpret_cast<const Bytef *>(contents.data()),
              static_cast<uInt>(contents.size())));
    uint64_t stored = contents.size();
    uint64_t offset = out.size();

    auto common = [&](Bytes &to, uint16_t extraBytes) {
      append<uint16_t>(to, version);
      append<uint16_t>(to, 0);          // flags
      append<uint16_t>(to, 0);          // stored
      append<uint32_t>(to, 0x00210000); // 1980-01-01
      append<uint32_t>(to, crc);
      append<uint32_t>(to, elsewhere);
      append<uint32_t>(to, elsewhere);
      append<uint16_t>(to, static_cast<uint16_t>(member.size()));
      append<uint16_t>(to, extraBytes);
    };
    out += "PK\x03\x04";
    common(out, 20);
    out += member;
    append<uint16_t>(out, zip64Tag);
    append<uint16_t>(out, 16);
    append<uint64_t>(out, stored);
    append<uint64_t>(out, stored);
    out += contents;

    directory += "PK\x01\x02";
    append<uint16_t>(directory, version);
    common(directory, 28);
    append<uint16_t>(directory, 0); // comment
    append<uint16_t>(directory, 0); // disk
    append<uint16_t>(directory, 0);
    append<uint32_t>(directory, 0);
    append<uint32_t>(directory, elsewhere);
    directory += member;
    append<uint16_t>(directory, zip64Tag);
    append<uint16_t>(directory, 24);
    append<uint64_t>(directory, stored);
    append<uint64_t>(directory, stored);
    append<uint64_t>(directory, offset);
  }
  uint64_t directoryAt = out.size(), endAt = directoryAt + directory.size();
  out += directory;
  out += "PK\x06\x06";
  append<uint64_t>(out, 44);
  append<uint16_t>(out, version);
  append<uint16_t>(out, version);
  append<uint32_t>(out, 0);
  append<uint32_t>(out, 0);
  append<uint64_t>(out, members.size());
  append<uint64_t>(out, members.size());
  append<uint64_t>(out, directory.size());
  append<uint64_t>(out, directoryAt);
  out += "PK\x06\x07";
  append<uint32_t>(out, 0);
  append<uint64_t>(out, endAt);
  append<uint32_t>(out, 1);
  out += "PK\x05\x06";
  append<uint32_t>(out, 0);
  append<uint16_t>(out, 0xFFFF);
  append<uint16_t>(out, 0xFFFF);
  append<uint32_t>(out, elsewhere);
  append<uint32_t>(out, elsewhere);
  append<uint16_t>(out, 0);
  return out;
}

Bytes zipOfLiars(const Members &members) {
  Bytes out = zipOf(members, /*deflated=*/true);
  // The uncompressed size, in the headers of the members and of the directory.
  const std::pair<const char *, size_t> fields[] = {{"PK\x03\x04", 22},
                                                    {"PK\x01\x02", 24}};
  for (auto [magic, offset] : fields)
    for (size_t at = out.find(magic); at != Bytes::npos;
         at = out.find(magic, at + 1))
      out.replace(at + offset, 4, "\xF0\xFF\xFF\xFF");
  return out;
}

Members scipyMembers(const std::string &format,
                     const std::vector<int64_t> &shape,
                     const std::vector<int32_t> &indptr,
                     const std::vector<int32_t> &indices,
                     const std::vector<double> &data) {
  return {
      {"indices.npy", npyI32(indices)},
      {"indptr.npy", npyI32(indptr)},
      {"format.npy", npy("|S" + std::to_string(format.size()), "()", format)},
      {"shape.npy", npyI64(shape)},
      {"data.npy", npyF64(data)}};
}

Bytes rawPlain(int64_t rows, int64_t cols, const std::vector<int32_t> &rowptr,
               const std::vector<int32_t> &colind) {
  Bytes out = bytesOf(std::vector<int64_t>{
      0x31525343, rows, cols, static_cast<int64_t>(colind.size())});
  return out + bytesOf(rowptr) + bytesOf(colind);
}

std::vector<int64_t> toVector(const IndexArray &array) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < array.size(); ++i)
    out.push_back(array[i]);
  return out;
}

std::vector<double> toDense(const Graph &graph) {
  const Csr &csr = graph.csr;
  std::vector<double> out(static_cast<size_t>(csr.rows * csr.cols));
  for (int64_t i = 0; i < csr.rows; ++i)
    for (int64_t e = csr.rowptr[i]; e < csr.rowptr[i + 1]; ++e)
      out[static_cast<size_t>(i * csr.cols + csr.colind[e])] +=
          graph.values ? (*graph.values)[static_cast<size_t>(e)] : 1.0;
  return out;
}

std::vector<double> spmm(const Graph &graph, const std::vector<double> &x,
                         int64_t features) {
  std::vector<double> y(static_cast<size_t>(graph.csr.rows * features), -99.0);
  reference::SpmmParams params;
  params.features = features;
  reference::EdgeValues values;
  values.data = graph.values ? graph.values->data() : nullptr;
  reference::spmm(graph.csr.view(), values, x.data(), y.data(), params);
  return y;
}

Graph expectGraph(Result<Graph> result) {
  if (result)
    return std::move(*result);
  ADD_FAILURE() << "expects a graph, got the error: " << result.error();
  return {};
}

Graph parse(std::string_view text) {
  return expectGraph(parseMatrixMarket(text, "test.mtx"));
}

std::string parseError(std::string_view text) {
  return errorOf(parseMatrixMarket(text, "test.mtx"));
}

} // namespace autosage::io::test
